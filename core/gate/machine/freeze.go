package machine

import (
	"strconv"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// Freeze stops one agent, or all agents of a tenant, at once. Their new calls are
// denied, even those that only read, and approved calls are not handed out. It does not
// stop calls that were handed out before.
type Freeze struct {
	Tenant string
	Agent  string // "" for every agent of the tenant
	By     string
	Reason string
	At     int64 // Unix milliseconds
}

// Frozen returns the freeze that stops an agent, or nil if there is none. A freeze of the
// whole tenant takes precedence over the agent's own freeze. O(n).
func Frozen(all []Freeze, tenant, agent string) *Freeze {
	var found *Freeze
	for i := range all {
		f := &all[i]
		if f.Tenant == tenant && (f.Agent == "" || f.Agent == agent && found == nil) {
			found = f
		}
	}
	return found
}

// Text returns the text that tells the agent who is frozen, by whom and why. It returns
// "" for nil.
func (f *Freeze) Text() string {
	if f == nil {
		return ""
	}
	who := "all agents are"
	if f.Agent != "" {
		who = "this agent is"
	}
	out := who + " frozen by " + f.By
	if f.Reason != "" {
		out += ": " + f.Reason
	}
	return out
}

// FreezeEntry returns the audit entry of a freeze, or of its end if frozen is false.
func FreezeEntry(f Freeze, frozen bool, channel string) Entry {
	x := Entry{Version: 1, Tenant: f.Tenant, Event: "unfreeze", At: f.At, By: f.By, Role: Approver, Channel: channel, Text: f.Reason, Agent: f.Agent}
	if frozen {
		x.Event = "freeze"
	}
	return x
}

// Refusal is a person's denial of a call that was proposed before.
type Refusal struct {
	By      string `json:"by"`
	Channel string `json:"channel,omitempty"`
	Reason  string `json:"reason,omitempty"`
	At      int64  `json:"at,string"`
	Times   int    `json:"times"` // how often people denied it

	Answer bool `json:"answer,omitempty"` // where it is shown: neither yes nor no, but the text in Reason
}

// Recall is the time for which a person's denial is remembered, in milliseconds.
const Recall = 24 * 60 * 60 * 1000

// RefusedBefore returns a person's latest denial of the same call as r, with the number of
// such denials; nil for none. O(size of the records).
func RefusedBefore(denied []Record, r *Record) *Refusal {
	var found *Refusal
	same := r.Key()
	for i := range denied {
		r := &denied[i]
		v, decided := r.Decided()
		if !decided || v.Approve || r.State != Denied || r.Key() != same {
			continue
		}
		if found == nil {
			found = &Refusal{}
		}
		found.Times++
		if v.At >= found.At {
			found.By, found.Channel, found.Reason, found.At = v.By, v.Channel, v.Reason, v.At
		}
	}
	return found
}

// This part holds one law: of equal calls (see package past), at most one runs for each yes that
// saw no other run.

// Repeated is the event of the audit when an approved call is not handed out because an equal
// one was, of which the approval did not know.
const Repeated = "repeated"

// Key names a call: records with one key are the same call (see proposal.SameKey). O(1), or
// O(n log n) for a record of an older version.
func (r *Record) Key() string {
	if r.Same != "" {
		return r.Same
	}
	return proposal.SameKey(r.Why.Dir, r.Tool, r.Arguments)
}

// RootKey is the key of the call that the agent itself proposed.
func (r *Record) RootKey() string {
	switch {
	case r.SameRoot != "":
		return r.SameRoot
	case r.Why.Edit != nil:
		return r.Why.Edit.Root
	}
	return r.Key()
}

// Twins is what a claim knows of the calls that are equal to its own. The claim must not be
// stored if another call of the agent that is equal to it, outside of its turn, and was proposed
// from Since on, is handed out, unless Known has it.
type Twins struct {
	Known []string // ids of those that were handed out before the call was proposed
	Since int64
}

// objectsRun returns why an approval needs an acknowledgement, since an equal call was handed out after this one
// was proposed, or an approver edited it into one that may have run; "" if it needs none. One that the call needs for
// another reason, such as its numbers, or that names another run as the one that was shown, says nothing of this run.
func (e *Event) objectsRun(r *Record) string {
	u, when, covers := e.Ran, "since this call was proposed, ", e.Acknowledge && !r.Why.SecondAct()
	if u == nil && r.Why.editedIntoRun() { // the text of the call says so
		u, when, covers = r.Why.Unsure, "before an approver edited this call, ", e.Acknowledge && e.By.Role != Conversation
	}
	if !e.Approve || u == nil || u.ID == e.Seen || covers && e.Seen == "" {
		return ""
	}
	want := "\"acknowledge\": true"
	if e.Seen != "" || e.Acknowledge {
		want += " and \"seen\": \"" + u.ID + "\", the run that you looked at"
	}
	return when + u.Text() + ". Look at its effect, and approve it again only if it should run once more: want " + want
}

// knowsTwin reports whether an approval is given although an equal call was handed out, or
// waits or is approved beside this one. Step accepts it without an acknowledgement only if the
// run was shown. An acknowledgement that the call needs for another reason, such as its numbers, says
// nothing of equal calls.
func (e *Event) knowsTwin(r *Record) bool {
	return e.Approve && (e.Ran != nil || e.Acknowledge && e.Equal > 0 && !r.Why.SecondAct())
}

// KnowsTwin reports whether a call may run although an equal one has: the approval that decided
// it knew of this, or it needs none.
func (r *Record) KnowsTwin() bool {
	v, decided := r.Decided()
	return !decided || v.Again
}

// cooldownEnd returns the time from which people may be asked about the call again. The
// result is 0 if they may be asked now. A denial in the agent's own conversation starts
// no cool-down, because the person is still talking to the agent.
func (f *Refusal) cooldownEnd(cooldown, now int64) int64 {
	if f == nil || f.Channel == string(Conversation) || now >= f.At+cooldown {
		return 0
	}
	return f.At + cooldown
}

// denialText returns the reason that the agent gets. The reason says who denied the call,
// how long ago and why. The argument again is the time before which nobody is asked about
// the call.
func (f *Refusal) denialText(again, now int64) string {
	out := f.By + " denied this call " + elapsedText(now-f.At) + " ago"
	if f.Reason != "" {
		out += " (" + f.Reason + ")"
	}
	return out + "; nobody is asked about this call again before " + time.UnixMilli(again).UTC().Format("15:04:05 UTC")
}

// elapsedText returns an elapsed time in whole seconds or minutes.
func elapsedText(ms int64) string {
	s := max(0, ms) / 1000
	if s < 120 {
		return countText(s, "second")
	}
	return countText(s/60, "minute")
}

func countText(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.FormatInt(n, 10) + " " + what
}
