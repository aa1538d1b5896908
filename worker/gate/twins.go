package gate

import (
	"context"
	"slices"
	"strconv"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/past"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// This file holds two laws. Nobody approves a call without being told that the same call was
// handed out since it was proposed: this is read when the call is shown, and again when it is
// approved. Of equal calls, at most one runs for each yes that saw no other run: this is read
// when the call is claimed, and the statement of the claim tests that it is still so.

// unsureNow returns the latest run of the same call as r whose outcome nobody knows now; nil
// for none. It reads the store.
func (g *Gate) unsureNow(ctx context.Context, r *machine.Record) (*proposal.Unsure, error) {
	since := g.Now() - machine.Recall
	taken, err := g.Store.Unsure(ctx, store.LikeOf(r), since-oldest)
	taken = slices.DeleteFunc(taken, func(o machine.Record) bool { return o.Claim.At < since || o.ID == r.ID })
	return past.UnsureBefore(taken, r), err
}

// againText tells an agent that a person must look at a call that may have run; "" for nil.
func againText(u *proposal.Unsure) string {
	if u == nil {
		return ""
	}
	return "this call may have run already: " + u.Text() + ". Propose it again, so that a person looks"
}

// setRan sets the run that an approval of r must know of, and how many equal calls there are
// beside it if it acknowledges this.
func (g *Gate) setRan(ctx context.Context, r *machine.Record, e *machine.Event) error {
	if e.Kind != machine.Decide || !e.Approve || r.State != machine.Pending {
		return nil
	}
	e.Equal = 0
	taken, err := g.takenSince(ctx, []*machine.Record{r})
	if e.Ran = past.RanSince(taken, r); err != nil || !e.Acknowledge {
		return err
	}
	equal, err := g.equalNow(ctx, []*machine.Record{r})
	e.Equal = equal(r)
	return err
}

// setTwins sets what a claim of r must know of equal calls, unless its approval knew that others
// may run. The statement of the claim tests that no other one is handed out meanwhile.
func (g *Gate) setTwins(ctx context.Context, r *machine.Record, e *machine.Event) error {
	e.Ran, e.Twins = nil, nil
	if r.KnowsTwin() {
		return nil
	}
	t, like := &machine.Twins{Since: couldWait(r)}, store.LikeOf(r)
	older, err := g.Store.Unsure(ctx, like, r.Asked()-oldest)
	if err != nil {
		return err
	}
	known, err := g.Store.Taken(ctx, like, t.Since)
	if e.Ran = past.RanSince(append(older, known...), r); err != nil || e.Ran != nil {
		return err
	}
	for i := range known {
		t.Known = append(t.Known, known[i].ID)
	}
	if len(known) == store.MostTwins { // older ones are not known
		t.Since = known[len(known)-1].Created
	}
	e.Twins = t
	return nil
}

// couldWait returns the time from which calls were proposed that could wait beside r.
func couldWait(r *machine.Record) int64 { return r.Asked() - (r.Expires - r.Asked()) - r.Why.Wait }

// takenSince returns the records of an agent that are equal to one of its waiting records, and handed
// out since it was proposed: of the executed ones, those that could wait at that time.
func (g *Gate) takenSince(ctx context.Context, waiting []*machine.Record) ([]machine.Record, error) {
	since, alive := waiting[0].Asked(), couldWait(waiting[0])
	for _, r := range waiting {
		since, alive = min(since, r.Asked()), min(alive, couldWait(r))
	}
	like := store.LikeOf(waiting...)
	taken, err := g.Store.Unsure(ctx, like, since-oldest)
	if err != nil {
		return nil, err
	}
	ran, err := g.Store.Taken(ctx, like, alive)
	return append(taken, ran...), err
}

// equalNow returns how many calls of an agent that wait, or are approved and not claimed, are
// equal to one of its waiting records, without that one itself and its turn.
func (g *Gate) equalNow(ctx context.Context, waiting []*machine.Record) (func(*machine.Record) int, error) {
	all, err := g.Store.Equal(ctx, store.LikeOf(waiting...), g.Now())
	return func(r *machine.Record) (n int) {
		equal := past.EqualTo(r)
		for i := range all {
			o := &all[i]
			if is, _ := equal(o); is && o.ID != r.ID && (r.Batch == "" || o.Batch != r.Batch) {
				n++
			}
		}
		return n
	}, err
}

// ShowNow sets in the records that wait what is so now, and was not when they were proposed:
// that an equal call was handed out since, that a person said no to one or answered it, and how
// many there are.
func (g *Gate) ShowNow(ctx context.Context, list []machine.Record) error {
	groups := map[machine.Principal][]*machine.Record{}
	for i := range list {
		if r := &list[i]; r.State == machine.Pending {
			who := machine.Principal{Tenant: r.Tenant, Name: r.Principal}
			groups[who] = append(groups[who], r)
		}
	}
	for _, waiting := range groups {
		taken, err := g.takenSince(ctx, waiting)
		if err != nil {
			return err
		}
		equal, err := g.equalNow(ctx, waiting)
		if err != nil {
			return err
		}
		refused, err := g.refusedLately(ctx, waiting)
		if err != nil {
			return err
		}
		for _, r := range waiting {
			if u := past.RanSince(taken, r); u != nil {
				r.Why.Unsure = u
			}
			if b := past.LatestRefusal(refused, r); b != nil {
				r.Why.Before = b
			}
			r.Why.Equal = equal(r)
		}
	}
	return nil
}

// refusedLately returns the records that are equal to an agent's waiting records, and that people
// denied or answered in the last day.
func (g *Gate) refusedLately(ctx context.Context, waiting []*machine.Record) ([]machine.Record, error) {
	since := g.Now() - machine.Recall
	all, err := g.Store.Denied(ctx, store.LikeOf(waiting...), since-oldest)
	return slices.DeleteFunc(all, func(r machine.Record) bool { return r.At < since }), err
}

// twinText tells a person of other calls like a call that is shown, each with " · " before it;
// "" if there are none.
func twinText(r *machine.Record) (text string) {
	if u := r.Why.Unsure; u != nil {
		text += " · May have run already: " + u.Text()
	}
	if n := r.Why.Equal; n > 0 {
		text += " · Equal calls wait or are approved, too: " + strconv.Itoa(n) + ". One of them runs, unless an approval acknowledges the others"
	}
	return text
}
