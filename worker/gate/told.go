package gate

import (
	"context"
	"slices"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// This file has one law: the agent is told an approver's answer once. It is told when it asks about the
// call, or else when it makes an equal call again: then no question opens.

// markTold notes that the agent has been told an answer. It reports whether it had not been before.
func (g *Gate) markTold(ctx context.Context, r *machine.Record) (bool, error) {
	return g.Store.Spend(ctx, "told "+r.ID, g.Now()+oldest+2*machine.Recall)
}

// Told notes that a proxy tells the agent how a call ended. Only an approver's answer counts. Without the
// note, the next equal call is told again.
func (g *Gate) Told(ctx context.Context, r *machine.Record) {
	if r.State == machine.Answered {
		g.markTold(ctx, r)
	}
}

// tellAnswer returns a plan with approvers' answers in the place of questions about equal calls of the same
// session, if the agent has not been told. The other calls of the turn are denied with them. The result told is
// false if there is none.
func (g *Gate) tellAnswer(ctx context.Context, a *machine.Ask, plan *machine.Plan) (answer machine.Plan, told bool, err error) {
	if !a.Tells || plan.Verdict != proposal.Confirm || !plan.Asked() {
		return answer, false, nil
	}
	answer = machine.Plan{Verdict: machine.Denial, Members: slices.Clone(plan.Members)}
	for i := range plan.Records {
		r, err := g.untold(ctx, a, &plan.Records[i])
		if err != nil {
			return answer, told, err
		}
		if r == nil {
			continue
		}
		v, _ := r.Decided()
		told, answer.Members[i] = true, machine.Member{Verdict: machine.Denial, Reason: HookAnswered(v.By, v.Reason), Digest: r.Digest, Told: r}
		if err := g.Store.Note(ctx, machine.Entry{Version: 1, Tenant: r.Tenant, ID: r.ID, Rev: r.Rev, Event: "told", From: r.State, To: r.State, At: g.Now(), By: a.By.Name, Role: a.By.Role, Digest: r.Digest}); err != nil {
			return answer, told, err
		}
	}
	return answer, told, nil
}

// untold returns an answered call that is equal to the proposed one, and notes that the agent is told now; nil if there is
// none of which it has not been told.
func (g *Gate) untold(ctx context.Context, a *machine.Ask, next *machine.Record) (*machine.Record, error) {
	for i := 0; i < len(a.Denied) && next.State.Undecided(); i++ { // the store counts an answered call as denied
		r := &a.Denied[i]
		if r.State != machine.Answered || r.Session != a.Session || r.RootKey() != next.Key() {
			continue
		}
		if fresh, err := g.markTold(ctx, r); fresh || err != nil {
			return r, err
		}
	}
	return nil, nil
}
