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
}

// Recall is the time for which a person's denial is remembered, in milliseconds.
const Recall = 24 * 60 * 60 * 1000

// RefusedBefore returns a person's latest denial of the same call, with the number of
// such denials; nil for none (see proposal.SameAs). O(size of the records).
func RefusedBefore(denied []Record, tool, arguments string) *Refusal {
	var found *Refusal
	same := proposal.SameAs(tool, arguments)
	for i := range denied {
		r := &denied[i]
		v, decided := r.Decided()
		if !decided || v.Approve || r.State != Denied || !same(r.Tool, r.Arguments) {
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

// UnsureBefore returns the latest of the records that is the same call (see
// proposal.SameAs), was handed out and has no known outcome; nil for none. O(size of the
// records).
func UnsureBefore(taken []Record, tool, arguments string) *proposal.Unsure {
	var found *proposal.Unsure
	same := proposal.SameAs(tool, arguments)
	for i := range taken {
		r := &taken[i]
		if (r.State == Claimed || r.State == Ambiguous) && (found == nil || r.Claim.At > found.At) && same(r.Tool, r.Arguments) {
			found = &proposal.Unsure{ID: r.ID, Running: r.State == Claimed, At: r.Claim.At}
		}
	}
	return found
}

// RanSince returns the latest of the records, other than r, that is the same call as r and was
// handed out since r was proposed, unless it has failed; nil for none. O(size of the records).
func RanSince(taken []Record, r *Record) *proposal.Unsure {
	var found *proposal.Unsure
	same := proposal.SameAs(r.Tool, r.Arguments)
	for i := range taken {
		o := &taken[i]
		out := o.State == Claimed || o.State == Ambiguous || o.State == Executed && o.Outcome.At > r.Created
		if out && o.ID != r.ID && o.Claim.At >= r.Created && (r.Why.Unsure == nil || o.Claim.At > r.Why.Unsure.At) && (found == nil || o.Claim.At > found.At) && same(o.Tool, o.Arguments) {
			found = &proposal.Unsure{ID: o.ID, Running: o.State == Claimed, Ran: o.State == Executed, Since: true, At: o.Claim.At}
		}
	}
	return found
}

// objectsRun returns why an approval needs an acknowledgement, since the same call was handed
// out after this one was proposed; "" if it needs none.
func (e *Event) objectsRun() string {
	if !e.Approve || e.Ran == nil || e.Acknowledge || e.Ran.ID == e.Seen {
		return ""
	}
	return "since this call was proposed, " + e.Ran.Text() + ". Look at its effect, and approve it again only if it should run once more: want \"acknowledge\": true"
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
