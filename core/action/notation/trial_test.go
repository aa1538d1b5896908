package notation

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/codes"
)

// TestTrialVerbs checks that each command of the table that only tries is seen as one.
func TestTrialVerbs(t *testing.T) {
	for _, row := range codes.Rows("trial") {
		if before, _, _ := strings.Cut(row, " = "); !MayTry(before+" web") || !MayTry(before) {
			t.Errorf("%s has no verb of trialVerbs", before)
		}
	}
	if MayTry("terraform apply") || MayTry("a plan of the house") {
		t.Error("what does something may only try")
	}
}
