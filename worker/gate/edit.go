package gate

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Edit puts a call with other arguments in the place of a record that waits for a
// decision. It returns the record before, now superseded, and the new one. If the answer's
// code is not OK, nothing was changed and next is nil.
func (g *Gate) Edit(ctx context.Context, tenant, id string, e machine.Event) (r machine.Record, next *machine.Record, a machine.Answer, err error) {
	e.Kind = machine.EditCall
	if e.ID, err = g.Fresh("p_"); err != nil {
		return r, nil, a, err
	}
	for range tries {
		if r, err = g.Store.Load(ctx, tenant, id); err != nil {
			return r, nil, a, err
		}
		ask := machine.EditAsk(&r, g.agentOf(tenant, r.Principal), &e)
		freezes, err := g.Store.Freezes(ctx, tenant)
		if err != nil {
			return r, nil, a, err
		}
		p, now := g.Policy(), g.Now()
		ask.Frozen = machine.Frozen(freezes, tenant, r.Principal)
		if err := g.learn(ctx, p, &ask, now); err != nil {
			return r, nil, a, err
		}
		if err := g.recallCalls(ctx, &ask, now); err != nil {
			return r, nil, a, err
		}
		c := machine.Revise(p, r, ask, e, now)
		done := c.Write == nil
		if !done {
			if done, err = g.Store.Update(ctx, c); err != nil {
				return r, nil, a, err
			}
			if done && c.Next != nil {
				g.hub.Wake(c.Record, *c.Next)
			} else if done {
				g.meter.Settled(&r, &c.Record, now)
				g.hub.Wake(c.Record)
			}
		}
		if !done {
			continue
		}
		if c.Note != nil {
			if err := g.Store.Note(ctx, *c.Note); err != nil {
				return r, nil, a, err
			}
		}
		return c.Record, c.Next, c.Answer, nil
	}
	store.Blame(ctx, errBusy)
	return machine.Record{}, nil, machine.Answer{}, errBusy
}

// agentOf returns an agent of a tenant as its key says; without a key, the principal has
// only its names.
func (g *Gate) agentOf(tenant, name string) machine.Principal {
	for _, k := range g.keys() {
		if k.Role == machine.Agent && k.Tenant == tenant && k.Name == name {
			return k.Principal
		}
	}
	return machine.Principal{Tenant: tenant, Name: name, Role: machine.Agent}
}

// Standings loads records, as a Gate does.
type Standings interface {
	Standing(ctx context.Context, tenant string, ids []string) ([]machine.Record, error)
	Settle(ctx context.Context, tenant string, ids []string, tick func()) ([]machine.Record, error)
	Ripen(ctx context.Context, tenant string, ids []string, tick func()) ([]machine.Record, error)
	Clock() int64 // Unix milliseconds
}

// latestOf returns the records in their current state, each replaced by the edited call that
// stands in its place, if there is one.
func latestOf(ctx context.Context, from Standings, tenant string, records []machine.Record) ([]machine.Record, error) {
	out := append([]machine.Record(nil), records...)
	for i := range out {
		for out[i].Replaced != "" {
			next, err := from.Standing(ctx, tenant, []string{out[i].Replaced})
			if err != nil {
				return nil, err
			}
			out[i] = next[0]
		}
	}
	return out, nil
}

// StandingLatest returns the records with these ids in their current state, each replaced by
// the edited call in its place.
func StandingLatest(ctx context.Context, from Standings, tenant string, ids []string) ([]machine.Record, error) {
	all, err := from.Standing(ctx, tenant, ids)
	if err != nil {
		return nil, err
	}
	return latestOf(ctx, from, tenant, all)
}

// SettleLatest waits as Settle does, also for the edited calls that stand in the place of
// the records, and then until what is approved may be claimed. It returns the latest of each.
func SettleLatest(ctx context.Context, from Standings, tenant string, ids []string, tick func()) ([]machine.Record, error) {
	for {
		all, err := from.Settle(ctx, tenant, ids, tick)
		if err != nil {
			return nil, err
		}
		fresh, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		latest, err := latestOf(fresh, from, tenant, all)
		cancel()
		if err != nil {
			return nil, err
		}
		again := false
		ids = make([]string, len(latest))
		for i := range latest {
			ids[i] = latest[i].ID
			again = again || latest[i].ID != all[i].ID && latest[i].State.Undecided()
		}
		if !again {
			return ripenLatest(ctx, from, tenant, ids, latest, tick)
		}
	}
}

// ripenLatest waits until the approved ones of decided records may be claimed, unless ctx
// ends before: then the agent makes the call again later.
func ripenLatest(ctx context.Context, from Standings, tenant string, ids []string, decided []machine.Record, tick func()) ([]machine.Record, error) {
	now, longest := time.Now(), time.Duration(0)
	for i := range decided {
		if r := &decided[i]; r.State.Undecided() {
			return decided, nil
		} else if r.State == machine.Approved {
			longest = max(longest, time.Duration(r.RunsFrom()-from.Clock())*time.Millisecond)
		}
	}
	if end, limited := ctx.Deadline(); longest == 0 || limited && end.Before(now.Add(longest)) {
		return decided, nil
	}
	return from.Ripen(ctx, tenant, ids, tick)
}

func (g *Gate) handleEdit(_ http.ResponseWriter, q *request) reply {
	f, err := q.readMembers()
	e := machine.Event{By: q.who, Channel: "api"}
	if err == nil {
		e.Digest, err = textMember(f, "digest")
	}
	if err == nil {
		e.Text, err = textMember(f, "reason")
	}
	if err == nil && (e.Digest == "" || f["arguments"].Kind() != jsonval.Object) {
		err = errors.New(`invalid edit: want {"digest": of the call that waits, "arguments": all arguments of the new call as an object, "reason"?: …}`)
	}
	if err != nil {
		return reply{status: 400, body: wire.FailWith(err)}
	}
	e.Arguments = f["arguments"].Raw()
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	r, next, a, err := g.Edit(ctx, q.who.Tenant, q.id, e)
	switch {
	case err != nil:
		return storeErrorReply(err)
	case a.Code != machine.OK:
		if a.Code == machine.Unavailable {
			store.Blame(ctx, errors.New(a.Text))
		}
		return refusalReply(a)
	}
	about := wire.Marshal(struct {
		Replaces string            `json:"replaces"`
		Changes  []proposal.Change `json:"changes"`
	}{r.ID, proposal.Changes(r.Arguments, next.Arguments)})
	return reply{status: 200, body: append([]byte(strings.TrimSuffix(strings.TrimSpace(string(about)), "}")+","), g.encodeView(next, nil)[1:]...)}
}

func (g *Gate) handleAnswer(_ http.ResponseWriter, q *request) reply {
	f, err := q.readMembers()
	e := machine.Event{Kind: machine.Respond, Channel: "api"}
	if err == nil {
		e.Digest, err = textMember(f, "digest")
	}
	if err == nil {
		e.Text, err = textMember(f, "answer")
	}
	if err == nil && (e.Digest == "" || e.Text == "") {
		err = errors.New(`invalid answer: want {"digest": of the call that waits, "answer": a text for the model}`)
	}
	if err != nil {
		return reply{status: 400, body: wire.FailWith(err)}
	}
	return g.applyEvent(q, e, nil)
}
