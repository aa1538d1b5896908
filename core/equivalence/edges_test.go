package equivalence

import (
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/core/boundary"
)

// TestNearFirstAction checks that a missing step can be paired with the first action of
// the run, if both have the same name and entity but other arguments. The reason must
// call the action "action 1", because it counts from 1.
func TestNearFirstAction(t *testing.T) {
	anchor := `r{"id":"z"}`
	r := Judge(&boundary.Case{Obs: calls(t, `w{"id":"a","x":8}`, anchor), Ref: calls(t, anchor, `w{"id":"a","x":1}`), Steps: alignment("+=-")})
	if got := verdicts(r); got != "wrong correct note" || r[2].Reason != "w was done as action 1, with other arguments" {
		t.Errorf("%s: %q", got, r[2].Reason)
	}
}

// TestMovedToTheFirstAction checks that two late actions are both reported, even if one
// of them is the first action of the run.
func TestMovedToTheFirstAction(t *testing.T) {
	c := boundary.Case{Profile: boundary.SOP, Obs: actions("w1 r9 r1"), Ref: actions("r1 w1 r9"), Steps: alignment("+--=+")}
	r := Judge(&c)
	if got := verdicts(r); got != "late excused excused correct late" || r[4].Reason != "r was done after w, but the reference has the opposite order" {
		t.Errorf("%s: %q", got, r[4].Reason)
	}
}

// TestRows checks that rows returns the row of every action and of every step, including
// the first action and the first step.
func TestRows(t *testing.T) {
	for _, c := range []struct {
		obs, ref, ops    string
		wantObs, wantRef []int
	}{{"r1", "r2 r1", "-=", []int{1}, []int{0, 1}}, {"r2 r1", "r1", "+=", []int{0, 1}, []int{1}}, {"r1 r2", "r1 r2", "==", []int{0, 1}, []int{0, 1}}} {
		obs, ref := rows(&boundary.Case{Obs: actions(c.obs), Ref: actions(c.ref), Steps: alignment(c.ops)})
		if !slices.Equal(obs, c.wantObs) || !slices.Equal(ref, c.wantRef) {
			t.Errorf("%s: rows of actions %v, of steps %v; want %v, %v", c.ops, obs, ref, c.wantObs, c.wantRef)
		}
	}
}
