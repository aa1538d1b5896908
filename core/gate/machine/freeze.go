package machine

import (
	"strconv"
	"time"

	"github.com/boundcheck/boundcheck/core/jsonval"
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

// Frozen returns the freeze that stops an agent, or nil. The tenant's freeze comes
// before the agent's own. O(n).
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

// Text says, for the agent, what was frozen and by whom; "" for nil.
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

// RefusedBefore returns a person's latest denial of the same call among denied records,
// with the number of such denials; nil if there is none. Two calls are the same if tool
// and arguments are; spaces and the order of members do not matter. O(size of the
// records).
func RefusedBefore(denied []Record, tool, arguments string) *Refusal {
	var found *Refusal
	key := ""
	for i := range denied {
		r := &denied[i]
		v, decided := r.Decided()
		if !decided || v.Approve || r.State != Denied || r.Tool != tool {
			continue
		}
		if r.Arguments != arguments {
			if key == "" {
				key = meaning(arguments)
			}
			if meaning(r.Arguments) != key {
				continue
			}
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

// meaning returns a text that is the same for two arguments exactly if they are equal as
// JSON.
func meaning(arguments string) string {
	v, err := jsonval.Parse(arguments)
	if err != nil {
		return "unreadable " + arguments
	}
	return v.Canonical()
}

// cools returns the time at which the call may be asked about again; 0 for now. A denial
// that was typed in the agent's own conversation starts no cool-down: its author is still
// talking to the agent, and may ask for the call again.
func (f *Refusal) cools(cooldown, now int64) int64 {
	if f == nil || f.Channel == string(Conversation) || now >= f.At+cooldown {
		return 0
	}
	return f.At + cooldown
}

// text says who denied the call and when, and when it may be asked about again.
func (f *Refusal) text(again, now int64) string {
	out := f.By + " denied this call " + ago(now-f.At) + " ago"
	if f.Reason != "" {
		out += " (" + f.Reason + ")"
	}
	return out + "; nobody is asked about this call again before " + time.UnixMilli(again).UTC().Format("15:04:05 UTC")
}

// ago returns an elapsed time in whole seconds or minutes.
func ago(ms int64) string {
	s := max(0, ms) / 1000
	if s < 120 {
		return counted(s, "second")
	}
	return counted(s/60, "minute")
}

func counted(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.FormatInt(n, 10) + " " + what
}
