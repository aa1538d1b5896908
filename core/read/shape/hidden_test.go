package shape

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestNamesOfMembersHideSecrets describes an object whose member is named like a key.
func TestNamesOfMembersHideSecrets(t *testing.T) {
	const key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	v, err := jsonval.Parse(`[{"order":1,"` + key + `":{"x":1}}]`)
	if err != nil {
		t.Fatal(err)
	}
	if got := DescribeValue(v); strings.Contains(got, "abcdef") || !strings.Contains(got, "order") {
		t.Errorf("%q", got)
	}
	if names := v.Elements()[0].Keys(); ListNames(names) == "" || names[1] != key {
		t.Errorf("the names themselves were changed: %q", names)
	}
}
