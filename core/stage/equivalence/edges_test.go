package equivalence

import (
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
)

// TestNearFirstAction checks that a missing step can be paired with the first action of
// the run. The reason must call this action "action 1", because reasons count actions
// from 1.
func TestNearFirstAction(t *testing.T) {
	anchor := `r{"id":"z"}`
	r := Judge(&boundary.Case{Obs: parseCalls(t, `w{"id":"a","x":8}`, anchor), Ref: parseCalls(t, anchor, `w{"id":"a","x":1}`), Steps: parseAlignment("+=-")})
	if got := verdictWords(r); got != "wrong correct note" || r[2].Reason != "the step w was done as action 1, but with other arguments" {
		t.Errorf("%s: %q", got, r[2].Reason)
	}
}

// TestMovedToTheFirstAction checks that two late actions are both reported, even if one
// of them is the first action of the run.
func TestMovedToTheFirstAction(t *testing.T) {
	c := boundary.Case{Profile: boundary.SOP, Obs: parseActions("w1 r9 r1"), Ref: parseActions("r1 w1 r9"), Steps: parseAlignment("+--=+")}
	r := Judge(&c)
	if got := verdictWords(r); got != "late excused excused correct late" || r[4].Reason != "the action r is in the wrong position (after w). The reference has the opposite order" {
		t.Errorf("%s: %q", got, r[4].Reason)
	}
}

// TestRows checks that rowIndices returns the row of every action and of every step,
// including the first action and the first step.
func TestRows(t *testing.T) {
	for _, c := range []struct {
		obs, ref, ops    string
		wantObs, wantRef []int
	}{{"r1", "r2 r1", "-=", []int{1}, []int{0, 1}}, {"r2 r1", "r1", "+=", []int{0, 1}, []int{1}}, {"r1 r2", "r1 r2", "==", []int{0, 1}, []int{0, 1}}} {
		obs, ref := rowIndices(&boundary.Case{Obs: parseActions(c.obs), Ref: parseActions(c.ref), Steps: parseAlignment(c.ops)})
		if !slices.Equal(obs, c.wantObs) || !slices.Equal(ref, c.wantRef) {
			t.Errorf("%s: rows of actions %v, of steps %v; want %v, %v", c.ops, obs, ref, c.wantObs, c.wantRef)
		}
	}
}
