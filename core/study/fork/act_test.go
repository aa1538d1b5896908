package fork

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
)

// TestFirstChangeIsNamed has two runs that part at a thought in other words: what is named is the first change that
// differs. A fork that is a change itself needs no other name.
func TestFirstChangeIsNamed(t *testing.T) {
	think := func(text string) report.Action {
		return report.Action{Name: "think", Arguments: `{"thought":"` + text + `"}`, Mutating: "no", Control: true}
	}
	pay := func(amount string) report.Action {
		return report.Action{Name: "pay", Arguments: `{"amount":` + amount + `}`, Mutating: "yes"}
	}
	look := report.Action{Name: "get_it", Arguments: "{}", Mutating: "no"}
	for _, x := range []struct {
		what string
		a, b []report.Action
		want string
	}{
		{"a thought", []report.Action{look, think("one"), pay("5")}, []report.Action{look, think("two"), pay("7")}, "They made the same call, and then they part. The first change that differs is pay (step 3 of A)."},
		{"only right", []report.Action{look, think("one")}, []report.Action{look, think("two"), pay("7")}, "They made the same call, and then they part. The first change that differs is pay (step 3 of B)."},
		{"equal changes", []report.Action{think("one"), pay("5")}, []report.Action{think("two"), pay("5")}, "They differ from the first call on."},
		{"a change", []report.Action{look, pay("5")}, []report.Action{look, pay("7")}, "They made the same call, and then they part."},
	} {
		p, err := Align(&report.Trajectory{ID: "a", Observed: x.a}, &report.Trajectory{ID: "b", Observed: x.b})
		if err != nil || p.Text != x.want {
			t.Errorf("%s: %q, want %q (%v)", x.what, p.Text, x.want, err)
		}
	}
}
