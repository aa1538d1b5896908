package gate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/past"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// decideCalls decides calls under a policy and stores the decision. At first it assumes what
// nearly always holds: no freeze covers the agent, and no call of these tools was lately
// denied, or handed out without a known outcome. The statement that stores the decision checks both, so an ordinary call
// costs one statement. If they do not hold, it looks and decides again.
func (g *Gate) decideCalls(ctx context.Context, p *machine.Policy, a *machine.Ask) (machine.Plan, error) {
	for n := range tries {
		plan, err := g.planCalls(ctx, p, a, n > 0)
		if err == nil && n > 0 { // what is assumed at first includes that no answer waits to be told
			if answer, told, err := g.tellAnswer(ctx, a, &plan); told || err != nil {
				return answer, err
			}
		}
		if err == nil {
			err = g.savePlan(ctx, a, plan, n > 0)
		}
		switch {
		case err == nil:
			return plan, nil
		case !errors.Is(err, store.ErrAssumed):
			return machine.Plan{}, err
		}
	}
	return machine.Plan{}, errBusy
}

// planCalls decides calls under a policy. If look is true, it also reads the current
// freezes, the earlier denials by people and the runs without a known outcome; otherwise it
// assumes that there are none. It
// stores nothing.
func (g *Gate) planCalls(ctx context.Context, p *machine.Policy, a *machine.Ask, look bool) (machine.Plan, error) {
	a.Frozen, a.Before, a.Unsure, a.Remembered, a.Denied = nil, nil, nil, nil, nil
	if look {
		freezes, err := g.Store.Freezes(ctx, a.By.Tenant)
		if err != nil {
			return machine.Plan{}, err
		}
		a.Frozen = machine.Frozen(freezes, a.By.Tenant, a.By.Name)
	}
	now := g.Now()
	plan, err := g.learnAndPlan(ctx, p, a, now)
	if err != nil || !look || plan.Verdict != proposal.Confirm {
		return plan, err
	}
	if err = g.recallCalls(ctx, a, now); err != nil || a.Before == nil && a.Unsure == nil {
		return plan, err
	}
	return machine.Propose(p, *a, now), nil
}

// oldest is the longest time between a proposal and its denial: no question stays open
// longer.
const oldest = 7 * 24 * 60 * 60 * 1000

// recallCalls sets Before and Unsure to what the store knows of the last day about the same
// calls. If it knows nothing of any, they are nil.
func (g *Gate) recallCalls(ctx context.Context, a *machine.Ask, now int64) error {
	since := now - machine.Recall
	like := store.LikeAsked(a)
	denied, err := g.Store.Denied(ctx, like, since-oldest)
	if err != nil {
		return err
	}
	taken, err := g.Store.Unsure(ctx, like, since-oldest)
	if err != nil {
		return err
	}
	denied = slices.DeleteFunc(denied, func(r machine.Record) bool { return r.At < since })
	taken = slices.DeleteFunc(taken, func(r machine.Record) bool { return r.Claim.At < since })
	a.Denied = denied
	a.Before = eachCall(a, denied, machine.RefusedBefore)
	a.Unsure = eachCall(a, taken, past.UnsureBefore)
	return nil
}

// eachCall returns what find finds for each call among the records; nil if it finds
// nothing for any.
func eachCall[T any](a *machine.Ask, all []machine.Record, find func(all []machine.Record, r *machine.Record) *T) []*T {
	out, any := make([]*T, len(a.Calls)), false
	for i, r := range a.Asked() {
		out[i] = find(all, &r)
		any = any || out[i] != nil
	}
	if !any {
		return nil
	}
	return out
}

func toolsOf(a *machine.Ask) []string {
	tools := make([]string, len(a.Calls))
	for i := range a.Calls {
		tools[i] = a.Calls[i].Tool
	}
	return tools
}

// Frozen returns the reason why an agent's calls may not run now, or "" if they may run.
// A proxy must call Frozen before it passes on a call without a proposal.
func (g *Gate) Frozen(ctx context.Context, who machine.Principal) (string, error) {
	all, err := g.Store.Freezes(ctx, who.Tenant)
	return machine.Frozen(all, who.Tenant, who.Name).Text(), err
}

// errNoAgent means that a freeze names somebody who is not an agent of the tenant, so
// it would stop nobody.
var errNoAgent = errors.New("no such agent")

// Freeze freezes an agent of the approver's tenant. If frozen is false, it ends the
// freeze. If agent is "", the freeze is for the whole tenant. The parameter channel says
// how the command came, for example "api". Freeze returns an error if no key of the
// tenant belongs to the agent.
func (g *Gate) Freeze(ctx context.Context, by machine.Principal, agent string, frozen bool, reason, channel string) error {
	if agent != "" && !slices.Contains(g.agentNames(by.Tenant), agent) {
		return errNoAgent
	}
	f := machine.Freeze{Tenant: by.Tenant, Agent: agent, By: by.Name, Reason: reason, At: g.Now()}
	_, err := g.Store.SetFreeze(ctx, f, frozen, machine.FreezeEntry(f, frozen, channel))
	return err
}

// agentNames returns the names of a tenant's agents, in the order of the keys.
func (g *Gate) agentNames(tenant string) (names []string) {
	seen := map[string]bool{}
	for _, k := range g.keys() {
		if k.Role == machine.Agent && k.Tenant == tenant && !seen[k.Name] {
			seen[k.Name] = true
			names = append(names, k.Name)
		}
	}
	return names
}

func (g *Gate) handleFreezes(_ http.ResponseWriter, q *request) reply {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	return g.frozenNow(ctx, q.who.Tenant)
}

// frozenNow lists the tenant's freezes.
func (g *Gate) frozenNow(ctx context.Context, tenant string) reply {
	all, err := g.Store.Freezes(ctx, tenant)
	if err != nil {
		return storeErrorReply(err)
	}
	list := []freezeMessage{}
	for _, f := range all {
		list = append(list, freezeMessage{f.Agent, f.By, f.Reason, store.Instant(f.At)})
	}
	return reply{status: 200, body: wire.Marshal(freezesMessage{list})}
}

// setFreeze handles a request in which an approver freezes agents or ends a freeze. The
// body has the form {"frozen","agent"?,"reason"?}.
func (g *Gate) setFreeze(_ http.ResponseWriter, q *request) reply {
	f, err := q.readMembers()
	var agent, reason string
	if err == nil {
		agent, err = textMember(f, "agent")
	}
	if err == nil {
		reason, err = textMember(f, "reason")
	}
	frozen, ok := f["frozen"].Bool()
	if err == nil && !ok {
		err = errors.New(`missing frozen: want {"frozen": true or false, "agent"?: …, "reason"?: …}. Without "agent", the request applies to all agents of the tenant`)
	}
	if err != nil {
		return reply{status: 400, body: wire.FailWith(err)}
	}
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	switch err := g.Freeze(ctx, q.who, agent, frozen, reason, "api"); {
	case err == errNoAgent:
		return errorReply(404, CodeNotFound, fmt.Sprintf("no agent named %q has a key in this tenant, so nothing was changed", agent))
	case err != nil:
		return storeErrorReply(err)
	}
	return g.frozenNow(ctx, q.who.Tenant)
}

// handleRevoke handles a request in which an approver revokes an approval. The body has
// the form {"reason"?}.
func (g *Gate) handleRevoke(_ http.ResponseWriter, q *request) reply {
	f, err := q.readMembers()
	e := machine.Event{Kind: machine.Revoke, Channel: "api"}
	if err == nil {
		e.Text, err = textMember(f, "reason")
	}
	if err != nil {
		return reply{status: 400, body: wire.FailWith(err)}
	}
	return g.applyEvent(q, e, nil)
}
