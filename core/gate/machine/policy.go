package machine

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/mutation"
)

// The modes: what a revised call after an approval means to the proxies. The
// gate itself knows only strict; the word is in every audit record.
const (
	Strict   = "strict"   // what differs from what was shown is asked again
	Faithful = "faithful" // as the paper: the first action after feedback runs
)

// What a policy may do about ungrounded values.
const (
	Hold = "hold"
	Deny = "deny"
)

// Default times in milliseconds.
const (
	defaultExpiry = 15 * 60 * 1000
	defaultGrace  = 10 * 60 * 1000
	defaultCool   = 5 * 60 * 1000
)

// Policy is what the operator decides about calls. It cannot be changed through the
// gate. The zero Policy is not valid: use ReadPolicy or Default.
type Policy struct {
	Version     string // hash of the text it was read from
	Mode        string
	Expiry      int64 // from proposal to expired
	Grace       int64 // from claim to ambiguous
	Cooldown    int64 // after a person's no, how long the same call is not asked about again; 0 for not at all
	Guidance    string
	Tools       map[string]*ToolRule // by exact name
	Patterns    []ToolPattern        // by pattern, in the order of the file
	Hosts       mutation.Hosts       // the reviewed host tables that count; all without a word
	Allow       []AllowRule
	Definitions []mutation.Tool // pinned by the operator
	// Conversation names the tools that an agent's conversation may decide; nil
	// leaves it those that are neither destructive nor open to the world.
	Conversation map[string]bool
	// Ungrounded says what becomes of a call with a value that has to come from somewhere
	// and that nobody but the model has named: "hold" asks about it whatever Allow says,
	// "deny" denies it, "" treats it as any other.
	Ungrounded string
	// AuditArguments puts the arguments of every call into its audit entry; otherwise
	// only their digest stands there.
	AuditArguments bool
	Retention      Retention
	// Shell reads command lines; nil calls all but plain commands unknown. It is no
	// part of the file: it is what the process that decides can do.
	Shell mutation.ShellReader
	// Advisor is a plugin's word on tools, which may only make a verdict stricter; nil for
	// none. It is no part of the file either.
	Advisor mutation.Advisor
	table   mutation.Table
}

// ToolRule is what the policy says about one tool.
type ToolRule struct {
	Mutating string // "yes", "no", "control"; "" leaves it to the classifier
	Deny     string // a reason; "" does not deny
	Expiry   int64  // 0 takes the policy's
	FourEyes bool   // two approvers, neither of them the proposer
}

// AllowRule lets calls through without asking, until a given time. It applies to one
// tool: either to the one call with that digest, or to calls in which every argument is
// named in When and fits.
type AllowRule struct {
	Name        string
	Tool        string
	Until       int64 // Unix milliseconds
	When        []Condition
	Digest      string // proposal.Digest of the call; "" for a rule with conditions
	Destructive bool   // also for calls that cannot be undone
	OpenWorld   bool   // also for tools that say that they reach beyond their own system
}

// Default returns the policy that is used without a file: allow what the classifier
// says changes nothing, and ask about everything else.
func Default() *Policy {
	return &Policy{Version: TextHash("{}"), Mode: Strict, Expiry: defaultExpiry, Grace: defaultGrace, Cooldown: defaultCool}
}

// ruling is the policy's answer to one call.
type ruling struct {
	deny     string
	allow    string // name of the allow rule
	ask      bool   // hold it even though it changes nothing
	fourEyes bool
	expiry   int64
}

// rule finds what the policy says about a call, in this order: deny, four eyes, allow.
// An allow rule with conditions never covers a verdict of unknown; one with a digest
// does, since somebody has seen that very call. Calls that cannot be undone or that
// reach beyond their system are covered only by rules that say so.
func (p *Policy) rule(c *judged, now int64) ruling {
	t, named := p.Rule(c.tool)
	out := ruling{expiry: p.Expiry}
	if named {
		out.deny, out.fourEyes, out.ask = t.Deny, t.FourEyes, t.FourEyes
		if t.Expiry > 0 {
			out.expiry = t.Expiry
		}
	}
	alone := ""
	if p.Ungrounded != "" && c.held {
		alone = c.ungrounded()
	}
	if out.deny == "" && p.Ungrounded == Deny && alone != "" {
		out.deny = "nothing in the conversation but the model's own words holds " + alone + ": look it up, or ask the user"
	}
	switch {
	case out.deny != "", out.fourEyes, !c.held, c.why.SecondAct():
		return out
	case alone != "", p.Ungrounded != "" && c.decision.Sources == nil: // where nobody knows, a person is asked
		return out
	}
	for i := range p.Allow {
		a := &p.Allow[i]
		if a.Tool == c.tool && now < a.Until && (a.Destructive || !c.why.Destructive) && (a.OpenWorld || !c.beyond) && a.covers(c) {
			out.allow = a.Name
			return out
		}
	}
	return out
}

// ungrounded names the values of a call that nobody but the model has named; "" for none.
func (c *judged) ungrounded() string {
	const enough = 3
	var names []string
	for i := range c.decision.Sources {
		if s := &c.decision.Sources[i]; s.Ungrounded {
			names = append(names, strings.ToValidUTF8(s.Path[:min(len(s.Path), 80)], ""))
		}
	}
	if more := len(names) - enough; more > 0 {
		names = append(names[:enough], strconv.Itoa(more)+" more")
	}
	return strings.Join(names, ", ")
}

// spoken reports whether an agent's conversation may approve a call. What takes
// two people never is; what waits for the one approver of the agent's key is
// refused when it is decided.
func (p *Policy) spoken(c *judged) bool {
	switch {
	case c.ruling.fourEyes:
		return false
	case p.Conversation != nil:
		return p.Conversation[c.tool]
	}
	return !c.why.Destructive && !c.beyond
}

// covers reports whether the rule was written for such a call.
func (a *AllowRule) covers(c *judged) bool {
	if a.Digest != "" {
		return a.Digest == c.decision.Digest
	}
	return c.why.Mutating == mutation.Yes && a.fits(c.arguments)
}

// Objects says why the policy no longer lets an approved call run; "" if it does. The
// policy may be stricter now than when the call was approved.
func (p *Policy) Objects(r *Record) string {
	t, _ := p.Rule(r.Tool)
	switch {
	case t.Deny != "":
		return "the policy denies it now: " + t.Deny
	case t.FourEyes && r.Needs < 2:
		return "the policy wants two approvers for it now: propose it again"
	case spokenFor(r) && p.Conversation != nil && !p.Conversation[r.Tool]:
		return "the policy does not leave it to a conversation now: propose it again"
	}
	return ""
}

// spokenFor reports whether a call was approved in an agent's conversation.
func spokenFor(r *Record) bool {
	v, decided := r.Decided()
	return decided && v.Approve && v.By == conversationOf(r.Principal)
}

// conversationOf is the name under which an agent's conversation votes. No key
// has a name with spaces.
func conversationOf(agent string) string { return "conversation of " + agent }
