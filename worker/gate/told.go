package gate

import (
	"context"

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

// tellAnswer returns a plan with an approver's answer in the place of a question about an equal call of the same
// session, if the agent has not been told. The result told is false if there is none.
func (g *Gate) tellAnswer(ctx context.Context, a *machine.Ask, plan *machine.Plan) (answer machine.Plan, told bool, err error) {
	if !a.Tells || plan.Verdict != proposal.Confirm || len(plan.Records) != 1 || !plan.Asked() {
		return answer, false, nil
	}
	for i := 0; err == nil && !told && i < len(a.Denied); i++ { // the store counts an answered call as denied
		r := &a.Denied[i]
		if r.State != machine.Answered || r.Session != a.Session || r.Root() != plan.Records[0].Digest || r.Batch != "" {
			continue
		}
		if told, err = g.markTold(ctx, r); told {
			v, _ := r.Decided()
			answer = machine.Plan{Verdict: machine.Denial, Told: r, Members: []machine.Member{{Verdict: machine.Denial, Reason: HookAnswered(v.By, v.Reason), Digest: r.Digest}}}
			err = g.Store.Note(ctx, machine.Entry{Version: 1, Tenant: r.Tenant, ID: r.ID, Rev: r.Rev, Event: "told", From: r.State, To: r.State, At: g.Now(), By: a.By.Name, Role: a.By.Role, Digest: r.Digest})
		}
	}
	return answer, told, err
}
