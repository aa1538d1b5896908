package gate

import (
	"context"
	"slices"
	"strconv"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// This file holds one law: nobody approves a call without being told that the same call was
// handed out since it was proposed. What is told is read when the call is shown, and again
// when it is approved.

// unsureNow returns the latest run of the same call as r whose outcome nobody knows now; nil
// for none. It reads the store.
func (g *Gate) unsureNow(ctx context.Context, r *machine.Record) (*proposal.Unsure, error) {
	since := g.Now() - machine.Recall
	taken, err := g.Store.Unsure(ctx, r.Tenant, r.Principal, []string{r.Tool}, since-oldest)
	taken = slices.DeleteFunc(taken, func(o machine.Record) bool { return o.Claim.At < since || o.ID == r.ID })
	return machine.UnsureBefore(taken, r.Tool, r.Arguments), err
}

// againText tells an agent that a person must look at a call that may have run; "" for nil.
func againText(u *proposal.Unsure) string {
	if u == nil {
		return ""
	}
	return "this call may have run already: " + u.Text() + ". Propose it again, so that a person looks"
}

// setRan sets the run that an approval of r must know of.
func (g *Gate) setRan(ctx context.Context, r *machine.Record, e *machine.Event) error {
	e.Ran = nil
	if e.Kind != machine.Decide || !e.Approve || r.State != machine.Pending {
		return nil
	}
	taken, err := g.takenSince(ctx, []*machine.Record{r})
	e.Ran = machine.RanSince(taken, r)
	return err
}

// takenSince returns the records of an agent that may be equal to one of its waiting records,
// and handed out since it was proposed. An executed one is one with the same bytes that could
// wait at that time.
func (g *Gate) takenSince(ctx context.Context, waiting []*machine.Record) ([]machine.Record, error) {
	var tools, digests []string
	first := waiting[0]
	since, alive := first.Created, first.Created
	for _, r := range waiting {
		tools, digests = append(tools, r.Tool), append(digests, r.Digest)
		since, alive = min(since, r.Created), min(alive, r.Created-(r.Expires-r.Created)-r.Why.Wait)
	}
	taken, err := g.Store.Unsure(ctx, first.Tenant, first.Principal, tools, since-oldest)
	if err != nil {
		return nil, err
	}
	ran, err := g.Store.Executed(ctx, first.Tenant, first.Principal, digests, alive)
	return append(taken, ran...), err
}

// ShowNow sets in the records that wait what is so now, and was not when they were proposed:
// that the same call was handed out since, and how many equal calls wait.
func (g *Gate) ShowNow(ctx context.Context, list []machine.Record) error {
	groups := map[machine.Principal][]*machine.Record{}
	for i := range list {
		if r := &list[i]; r.State == machine.Pending {
			who := machine.Principal{Tenant: r.Tenant, Name: r.Principal}
			groups[who] = append(groups[who], r)
		}
	}
	for who, waiting := range groups {
		taken, err := g.takenSince(ctx, waiting)
		if err != nil {
			return err
		}
		var digests []string
		for _, r := range waiting {
			digests = append(digests, r.Digest)
		}
		equal, err := g.Store.Equal(ctx, who.Tenant, who.Name, digests)
		if err != nil {
			return err
		}
		for _, r := range waiting {
			if u := machine.RanSince(taken, r); u != nil {
				r.Why.Unsure = u
			}
			r.Why.Equal = max(0, equal[r.Digest]-1)
		}
	}
	return nil
}

// twinText tells a person of other calls like a call that is shown, each with " · " before it;
// "" if there are none.
func twinText(r *machine.Record) (text string) {
	if u := r.Why.Unsure; u != nil {
		text += " · May have run already: " + u.Text()
	}
	if n := r.Why.Equal; n > 0 {
		text += " · Equal calls wait, too: " + strconv.Itoa(n) + ". Each approval lets the call run once"
	}
	return text
}
