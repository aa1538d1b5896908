package machine

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// This file holds one law: a delegation never lets a call pass that giver and delegate
// together could not have approved. A vote of a delegate is one vote of one giver: neither of
// them votes again, the giver must be one who may approve the call, and neither of them may
// have edited or proposed it.

// Delegation is an approver's wish that another named approver decides in their place.
type Delegation struct {
	ID, Tenant string
	Giver      string
	To         string
	Keys       string // names the giver's keys at that time, for the driver
	ToKeys     string // those of To
	Created    int64
	Until      int64
}

// delegating is the policy's setting.
type delegating struct {
	by, to []string // approvers; nil for all of the tenant
	within int64    // the longest time
}

// readDelegate reads the member "delegate".
func (r *reader) readDelegate(v jsonval.Value, groups map[string][]string, p *Policy) {
	if !v.Exists() {
		return
	}
	d, before := &delegating{}, len(r.faults)
	r.readObject(v, "delegate", map[string]func(jsonval.Value){
		"by":     func(m jsonval.Value) { d.by = r.readFrom(m, "by of delegate", groups) },
		"to":     func(m jsonval.Value) { d.to = r.readFrom(m, "to of delegate", groups) },
		"within": func(m jsonval.Value) { d.within = r.readDuration(m, "within of delegate") },
	})
	if d.within == 0 && !r.failed(before) {
		r.fail(v, "invalid delegate: want within (the longest time, such as 8h)")
	}
	p.delegate = d
}

// letsDecide reports whether the policy lets an approver delegate to another.
func (d *delegating) letsDecide(giver, to string) bool {
	return d != nil && giver != to && (d.by == nil || slices.Contains(d.by, giver)) && (d.to == nil || slices.Contains(d.to, to))
}

// MostDelegated returns the longest time for which an approver may delegate now, in
// milliseconds; 0 if the policy does not let them.
func (p *Policy) MostDelegated(giver string) int64 {
	if d := p.delegate; d != nil && (d.by == nil || slices.Contains(d.by, giver)) {
		return d.within
	}
	return 0
}

// Delegate returns a delegation by an approver, with its audit entry. id is fresh. If the
// answer's code is not OK, nothing is delegated.
func Delegate(p *Policy, by Principal, channel, to, id string, until, now int64) (Delegation, Entry, Answer) {
	no := func(c Code, text string) (Delegation, Entry, Answer) {
		return Delegation{}, Entry{}, Answer{Code: c, Text: text}
	}
	switch {
	case by.Role != Approver:
		return no(Forbidden, "only an approver can delegate decisions")
	case p.delegate == nil:
		return no(Forbidden, "the policy lets nobody delegate decisions: it has no member delegate")
	case to == by.Name:
		return no(Invalid, "invalid to: want another approver than yourself")
	case !p.delegate.letsDecide(by.Name, to):
		return no(Forbidden, "the policy does not let "+by.Name+" delegate decisions to "+to)
	case until <= now || until > now+p.delegate.within:
		return no(Invalid, "invalid until: the policy lets decisions be delegated for at most "+formatSpan(p.delegate.within))
	}
	d := Delegation{ID: id, Tenant: by.Tenant, Giver: by.Name, To: to, Created: now, Until: until}
	return d, d.newEntry("delegate", by, channel, "", p.Version, now), Answer{}
}

// UndelegateEntry returns the audit entry of the end of a delegation.
func UndelegateEntry(d *Delegation, by Principal, channel, why string, now int64) Entry {
	return d.newEntry("undelegate", by, channel, why, "", now)
}

func (d *Delegation) newEntry(event string, by Principal, channel, text, policy string, now int64) Entry {
	return Entry{Version: 1, Tenant: d.Tenant, Event: event, At: now, By: by.Name, Role: by.Role, Channel: channel, Expires: d.Until, Policy: policy, Text: text, Giver: d.Giver, Delegate: d.To, Delegation: d.ID}
}

// Delegates reports whether a delegation counts now, as far as the policy and its time tell:
// both may have changed since it was given.
func (p *Policy) Delegates(d *Delegation, now int64) bool {
	return p.delegate.letsDecide(d.Giver, d.To) && d.Created <= now+skew && now < d.Until && now < d.Created+p.delegate.within
}

// voterNames returns under whose names a decision counts: that of who sends it, and behind it that
// of the giver of a delegation. ok is false if there is no such delegation.
func (e *Event) voterNames() (names []string, ok bool) {
	if e.Giver == "" {
		return []string{e.By.Name}, true
	}
	d := e.Delegation
	return []string{e.By.Name, e.Giver}, d != nil && d.Tenant == e.By.Tenant && d.Giver == e.Giver && d.To == e.By.Name && e.Giver != e.By.Name && e.By.Role == Approver
}

// isBy reports whether a vote is one of a person, by themselves or through a delegate.
func (v *Vote) isBy(name string) bool { return v.By == name || v.Giver == name && name != "" }

// MayApproveFor reports whether an approver's yes to a call may count for a giver who has
// delegated decisions to them: as far as persons are concerned.
func (r *Record) MayApproveFor(name, giver string, now int64) bool {
	may, _ := r.Why.MayApprove(giver)
	return may && r.MayDecide(giver, now) && name != r.Principal && giver != r.Principal && r.Why.CountsFor(name) && r.Why.CountsFor(giver) && !hasVoted(r, name, giver)
}
