package machine

import (
	"slices"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Escalation says who else is asked about a call that nobody has decided in time.
type Escalation struct {
	At int64    `json:"at,string"` // from then on
	To []string `json:"to"`
}

// escalating is the policy's setting.
type escalating struct {
	after int64
	to    []string
}

// Escalate is the event of the audit when a call is escalated.
const Escalate = "escalate"

func (r *reader) readEscalate(v jsonval.Value, groups map[string][]string, p *Policy) {
	if !v.Exists() {
		return
	}
	e, before := &escalating{}, len(r.faults)
	r.readObject(v, "escalate", map[string]func(jsonval.Value){
		"after": func(m jsonval.Value) { e.after = r.readDuration(m, "after of escalate") },
		"to":    func(m jsonval.Value) { e.to = r.readFrom(m, "to of escalate", groups) },
	})
	longest := p.Expiry
	for _, t := range p.Tools {
		longest = max(longest, t.Expiry)
	}
	for i := range p.Patterns {
		longest = max(longest, p.Patterns[i].Expiry)
	}
	switch {
	case r.failed(before):
	case e.after == 0 || len(e.to) == 0:
		r.fail(v, "invalid escalate: want after (a time) and to (approvers, or a group)")
	case longest > 0 && e.after >= longest:
		r.fail(v.Get("after"), "invalid after of escalate: no question waits so long; want a time below %s, the longest expiry of the policy", formatSpan(longest))
	}
	p.escalate = e
}

// planEscalation returns what the policy says of a call that begins to wait, and nil if its
// question ends before.
func (p *Policy) planEscalation(now, expires int64) *Escalation {
	if p.escalate == nil || now+p.escalate.after >= expires {
		return nil
	}
	return &Escalation{At: now + p.escalate.after, To: p.escalate.to}
}

// MayDecide reports whether an approver may decide a call, as far as it waits for one person:
// that person may, and from the escalation on those to whom it was escalated.
func (r *Record) MayDecide(name string, now int64) bool {
	e := r.Why.Escalate
	return r.For == "" || r.Needs >= 2 || name == r.For || e != nil && (r.Escalated != 0 || now >= e.At) && slices.Contains(e.To, name)
}

// escalateCall notes that the time of a call's escalation has come. The call waits as before.
func escalateCall(r Record, e Event, now int64) Change {
	r.Escalated = now
	c := moveRecord(r, Pending, e, now)
	c.Write.Alive = now
	c.Entry.Event, c.Entry.Text = Escalate, "nobody has decided; also asked: "+strings.Join(r.Why.Escalate.To, ", ")
	return c
}

// Bypass is the event of the audit when one approver approves alone what needs others.
const Bypass = "bypass"

// bypassCall approves a call by one person whom the policy lets do this with a reason, however
// many and whichever people it needs. What was shown and who wrote it count as ever.
func bypassCall(r Record, e Event, now int64) Change {
	switch {
	case e.Giver != "":
		return refuseEvent(r, Forbidden, "a bypass is not delegated: "+e.By.Name+" can only use their own")
	case e.By.Role != Approver || !slices.Contains(r.Why.Bypass, e.By.Name) || e.By.Name == r.Principal:
		return refuseEvent(r, Forbidden, "the policy does not let "+e.By.Name+" approve this call alone: bypass names who may")
	case r.State != Pending:
		return refuseEvent(r, Conflict, refusalText(r.State))
	case !secretsEqual(e.Digest, r.Digest):
		return refuseEvent(r, Conflict, "the digest belongs to another call: the call that was shown is not the call that would run; want the digest of the call as it is now")
	case !e.Approve || strings.TrimSpace(e.Text) == "":
		return refuseEvent(r, Invalid, "write a reason: whoever approves alone what needs other people says why; want \"approve\": true and a reason that is not empty")
	case e.objectsRun(&r) != "":
		return refuseEvent(r, Conflict, e.objectsRun(&r))
	case r.Why.SecondAct() && !e.Acknowledge:
		return refuseEvent(r, Conflict, "the call cannot be shown completely or exactly, so an approval needs an explicit acknowledgement: want \"acknowledge\": true")
	case !r.Why.Edit.maySay(e.By.Name):
		return refuseEvent(r, Forbidden, e.By.Name+" edited this call: another approver must approve it")
	}
	r.Votes = append(r.Votes[:len(r.Votes):len(r.Votes)], Vote{By: e.By.Name, Channel: e.Channel, Approve: true, Bypass: true, Reason: e.Text, Again: e.knowsTwin(&r), At: now})
	c := moveRecord(r, Approved, e, now)
	c.Write.Alive, c.Entry.Event = now, Bypass
	return c
}

// This part holds one law: an approved call runs exactly once, at or after its time, and a
// claim that comes early changes nothing. The wait is fixed when the call is proposed. It
// begins with the yes, and moves the end of the claim as far: so there is as much time for a
// claim as the question still had at the yes.

// RunsFrom returns the time before which an approved call is not handed out, so that the
// approval can still be taken back. Without a wait, it is the time of the yes.
func (r *Record) RunsFrom() int64 {
	from := r.Created
	if v, decided := r.Decided(); decided {
		from = v.At
	}
	return from + r.Why.Wait
}

// Waits reports whether a call is approved and may not be claimed yet.
func (r *Record) Waits(now int64) bool { return r.State == Approved && now < r.RunsFrom() }

// Ends returns the time from which nobody can decide a call that waits for a decision, or
// claim one that is approved.
func (r *Record) Ends() int64 {
	if r.State == Approved {
		return r.Expires + r.Why.Wait
	}
	return r.Expires
}

// RunsFrom returns the time before which the policy hands no call like r out. The policy may
// have a longer wait now than when the call was proposed.
func (p *Policy) RunsFrom(r *Record) int64 {
	t, _ := p.Rule(r.Tool)
	return r.RunsFrom() + max(0, t.Wait-r.Why.Wait)
}

// EarlyText says that an approved call may not run before a time.
func EarlyText(from int64) string {
	return "the call is approved, but the policy lets it run only from " + time.UnixMilli(from+999).UTC().Format("2006-01-02 15:04:05 UTC") + " on" // no second too early
}
