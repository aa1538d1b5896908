package read

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/internal/made"
)

// TestReportsInEveryFormat writes the calls of a run in every form. The call that changes
// something and was answered that there is no such thing has failed; the read has not, and what
// was reported as done has not, either.
func TestReportsInEveryFormat(t *testing.T) {
	formats := 0
	for _, f := range made.Formats() {
		m := made.Run{ID: "run0", Question: "Do it.", Calls: []made.Call{
			{Name: "cancel", ID: "c0", Result: "There is no order 1.", N: 1},
			{Name: "find", ID: "c1", Result: "There is no order 2.", N: 2},
			{Name: "drop", ID: "c2", Result: "Dropped. Nothing else was changed.", N: 3},
		}}
		doc := mustDecode(t, string(made.File(&f, made.List, []made.Run{m})))
		seen := 0
		for _, a := range doc.Trajectories[0].Actions {
			if a.Observation == nil || a.Observation.Text == "" {
				continue // the form has no results
			}
			if seen++; a.Observation.Error != (a.Name == "cancel") {
				t.Errorf("%s: %s → %q: failed %v", f.Name, a.Name, a.Observation.Text, a.Observation.Error)
			}
		}
		if seen > 0 && seen != len(m.Calls) {
			t.Errorf("%s: %d results", f.Name, seen)
		}
		formats += shape.IfElse(seen > 0, 1, 0)
	}
	if formats < 30 {
		t.Errorf("only %d forms have results", formats)
	}
}
