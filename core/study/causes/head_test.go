package causes

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestHeadCountsOnlyWhatWasCompared draws reports. That no run broke a boundary may be said only
// if a run has a reference, and else the head says that nothing was compared.
func TestHeadCountsOnlyWhatWasCompared(t *testing.T) {
	for seed := range drawn.Cases(300) {
		d := rand.New(rand.NewPCG(uint64(seed), 7))
		r := &report.Report{}
		kind := d.IntN(3) // none, some or all have a reference
		compared, flagged := 0, 0
		for i := range 1 + d.IntN(6) {
			one := report.Trajectory{ID: fmt.Sprint(i), Flagged: d.IntN(6) == 0}
			if kind == 2 || kind == 1 && d.IntN(2) == 0 {
				one.Reference = []report.Action{}
				compared++
			}
			if d.IntN(3) == 0 {
				failed := d.IntN(2) == 0
				one.Success = &failed
			}
			if one.Flagged {
				flagged++
			}
			if d.IntN(4) == 0 || one.Flagged {
				one.Violations = []report.Violation{{Hint: !one.Flagged}}
			}
			r.Trajectories = append(r.Trajectories, one)
		}
		head := Head(r)
		saysNothing := strings.Contains(head, "nothing was compared")
		if saysNothing != (compared == 0 && flagged == 0) || strings.HasPrefix(head, "0 of ") && compared == 0 {
			t.Fatalf("seed %d: %d compared, %d flagged: %q", seed, compared, flagged, head)
		}
		if !saysNothing && !strings.HasPrefix(head, fmt.Sprintf("%d of %d run", flagged, len(r.Trajectories))) {
			t.Fatalf("seed %d: %q", seed, head)
		}
	}
}
