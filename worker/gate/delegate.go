package gate

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// delegationView is a delegation in an answer.
type delegationView struct {
	ID      string `json:"id"`
	Giver   string `json:"giver"`
	To      string `json:"to"`
	Created string `json:"created"`
	Until   string `json:"until"`
}

// delegationsTo returns the delegations to an approver that count now.
func (g *Gate) delegationsTo(ctx context.Context, tenant, name string) (all []machine.Delegation, err error) {
	page, next, err := g.delegationPage(ctx, tenant, name, store.Place{})
	for all = page; err == nil && next != (store.Place{}); all = append(all, page...) {
		page, next, err = g.delegationPage(ctx, tenant, name, next)
	}
	return all, err
}

// delegationPage returns the delegations of a page of the store that count now: to an approver, or all of the tenant if name
// is "". next is the place of the next page, or the zero place.
func (g *Gate) delegationPage(ctx context.Context, tenant, name string, after store.Place) (all []machine.Delegation, next store.Place, err error) {
	p, now := g.Policy(), g.Now()
	all, next, err = g.Store.Delegations(ctx, tenant, name, now, after)
	return slices.DeleteFunc(all, func(d machine.Delegation) bool { return !p.Delegates(&d, now) || !g.stillGiven(&d) }), next, err
}

// stillGiven reports whether giver and delegate still have all keys of the time at which a
// delegation was given: nobody knows with which of them it was. A delegate who had none comes
// from a provider, which says at each sign-in whether they are an approver.
func (g *Gate) stillGiven(d *machine.Delegation) bool {
	return d.Keys != "" && g.hasKeys(d.Tenant, d.Giver, d.Keys) && g.hasKeys(d.Tenant, d.To, d.ToKeys)
}

// hasKeys reports whether an approver has all keys with these marks.
func (g *Gate) hasKeys(tenant, name, marks string) bool {
	return !slices.ContainsFunc(strings.Fields(marks), func(mark string) bool { return g.findApprover(tenant, name, mark) == nil })
}

// setDelegation sets the delegation by which a decision counts for another approver, if it
// names one.
func (g *Gate) setDelegation(ctx context.Context, e *machine.Event) error {
	if e.Kind != machine.Decide || e.Giver == "" {
		return nil
	}
	e.Delegation = nil
	all, err := g.delegationsTo(ctx, e.By.Tenant, e.By.Name)
	for i := range all {
		if all[i].Giver == e.Giver {
			e.Delegation = &all[i]
		}
	}
	return err
}

// Delegate lets another approver decide in the place of by until a time. If the answer's code
// is not OK, nothing is delegated.
func (g *Gate) Delegate(ctx context.Context, by machine.Principal, channel, to string, until int64) (d machine.Delegation, a machine.Answer, err error) {
	fresh, err := g.Fresh("g_")
	if err != nil {
		return d, a, err
	}
	d, e, a := machine.Delegate(g.Policy(), by, channel, to, fresh, until, g.Now())
	if a.Code != machine.OK {
		return d, a, nil
	}
	d.Keys, d.ToKeys = g.keyMarks(d.Tenant, d.Giver), g.keyMarks(d.Tenant, d.To)
	switch {
	case d.Keys == "":
		return d, machine.Answer{Code: machine.Forbidden, Text: "a delegation ends with its giver's key, and you have none"}, nil
	case d.ToKeys == "" && g.Provider == nil && g.Front == nil:
		return d, machine.Answer{Code: machine.Invalid, Text: "unknown approver " + to + ": no approver of this tenant has this name"}, nil
	}
	return d, a, g.Store.Delegate(ctx, d, e)
}

// Undelegate ends a delegation, and reports whether there was one. Every approver of the tenant
// may end it, because this only makes the gate stricter.
func (g *Gate) Undelegate(ctx context.Context, by machine.Principal, channel, id, reason string) (bool, error) {
	found, err := g.Store.Delegation(ctx, by.Tenant, id, g.Now())
	if err != nil || len(found) == 0 {
		return false, err
	}
	return g.Store.EndDelegation(ctx, by.Tenant, id, machine.UndelegateEntry(&found[0], by, channel, reason, g.Now()))
}

func viewDelegation(d *machine.Delegation) delegationView {
	return delegationView{d.ID, d.Giver, d.To, store.Instant(d.Created), store.Instant(d.Until)}
}

// handleDelegate handles a request of the form {"to","until"}.
func (g *Gate) handleDelegate(_ http.ResponseWriter, q *request) reply {
	f, err := q.readMembers()
	to, end := "", ""
	if err == nil {
		to, err = textMember(f, "to")
	}
	if err == nil {
		end, err = textMember(f, "until")
	}
	until, wrong := time.Parse(time.RFC3339, end)
	if err == nil && (to == "" || wrong != nil) {
		err = errors.New(`invalid request: want {"to": name of another approver, "until": a time such as "2027-01-31T12:00:00Z"}`)
	}
	if err != nil {
		return reply{status: 400, body: wire.FailWith(err)}
	}
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	d, a, err := g.Delegate(ctx, q.who, "api", to, until.UnixMilli())
	switch {
	case err != nil:
		return storeErrorReply(err)
	case a.Code != machine.OK:
		return refusalReply(a)
	}
	return reply{status: 200, body: wire.Marshal(viewDelegation(&d))}
}

func (g *Gate) handleDelegations(_ http.ResponseWriter, q *request) reply {
	return listAfter(q, func(ctx context.Context, after store.Place) (any, error) {
		all, next, err := g.delegationPage(ctx, q.who.Tenant, "", after)
		out := delegationsMessage{Delegations: []delegationView{}, Next: nextText(next)}
		for i := range all {
			out.Delegations = append(out.Delegations, viewDelegation(&all[i]))
		}
		return out, err
	})
}

func (g *Gate) handleUndelegate(_ http.ResponseWriter, q *request) reply {
	return g.handleEnd(q, "delegation", g.Undelegate, g.handleDelegations)
}
