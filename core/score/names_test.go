package score

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// TestNamesOfAPIs checks that a run's shop_cancel matches a reference's shop.cancel. If
// the run has actions with both names, shop_cancel does not match.
func TestNamesOfAPIs(t *testing.T) {
	for run, flagged := range map[string]bool{
		`[{"name":"shop_cancel","arguments":{"id":1}}]`:                                             false,
		`[{"name":"shop.cancel","arguments":{"id":1}}]`:                                             false,
		`[{"name":"shopcancel","arguments":{"id":1}}]`:                                              true,
		`[{"name":"shop_cancel","arguments":{"id":2}},{"name":"shop.cancel","arguments":{"id":1}}]`: true,
	} {
		ref, err := reference.Read(`[{"name":"shop.cancel","arguments":{"id":1},"required":true}]`)
		if err != nil {
			t.Fatal(err)
		}
		report, err := Evaluate(Request{Inputs: []Source{{Data: []byte(run)}}, Reference: ref})
		if err != nil {
			t.Fatal(err)
		}
		if got := report.Trajectories[0].Flagged; got != flagged {
			t.Errorf("%s: flagged %v, want %v: %+v", run, got, flagged, report.Trajectories[0].Violations)
		}
	}
}
