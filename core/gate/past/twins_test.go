package past

import (
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestRanMeanwhile draws when an equal call was handed out, and whether the proposal of another one knew of it. One that it did
// not know, and that was handed out while the proposal was on its way or later, is found.
func TestRanMeanwhile(t *testing.T) {
	r := rand.New(rand.NewPCG(49, 3))
	const asked = 1_700_000_000_000
	for range drawn.Cases(2000) {
		claim := asked + r.Int64N(3*lookedUp) - 2*lookedUp
		o := machine.Record{ID: "p_o", Created: claim - 5, Tool: "update_acct", Arguments: `{"a":1}`}
		o.State, o.Claim.At = []machine.State{machine.Claimed, machine.Ambiguous, machine.Executed, machine.Failed}[r.IntN(4)], claim
		if o.State == machine.Executed {
			o.Outcome.At = claim + r.Int64N(lookedUp)
		}
		own := machine.Record{ID: "p_r", Created: asked, Tool: o.Tool, Arguments: o.Arguments}
		knew := r.IntN(3) == 0
		if knew {
			own.Why.Unsure = &proposal.Unsure{ID: o.ID, At: claim}
		}
		open := o.State == machine.Claimed || o.State == machine.Ambiguous || o.State == machine.Executed && o.Outcome.At > asked
		want := open && !knew && claim >= asked-lookedUp
		if got := RanSince([]machine.Record{o}, &own); (got != nil) != want {
			t.Fatalf("%s, claimed %d ms after the proposal, known: %v: %v, want %v", o.State, claim-asked, knew, got, want)
		}
	}
}
