package machine

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/gate/preview"
)

// The modes: how the proxies treat a revised call after an approval. The gate itself is
// always strict; every audit record contains the mode.
const (
	Strict   = "strict"   // a call that differs from the shown one is asked about again
	Faithful = "faithful" // as in the paper: the first action after feedback runs
)

// The policy's choices for ungrounded values.
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

// Policy holds the operator's decisions about calls. It cannot be changed through the
// gate. The zero Policy is not valid: use ReadPolicy or Default.
type Policy struct {
	Version     string // hash of the policy's text
	Mode        string
	Expiry      int64 // time from proposal to expired
	Grace       int64 // time from claim to ambiguous
	Cooldown    int64 // time after a person's denial in which the same call is not asked about again; 0 for none
	Guidance    string
	Tools       map[string]*ToolRule // by exact name
	Patterns    []ToolPattern        // by pattern, in the order of the file
	Hosts       mutation.Hosts       // the reviewed host tables that count; all by default
	InShell     mutation.Shell       // reads the command lines of tools that name no shell
	Reads       []string             // command lines that only read, each the whole line of a call
	Allow       []AllowRule
	Remember    []RememberRule     // who may let the gate remember a yes; nobody without one
	Edits       []EditRule         // who may change arguments of held calls; nobody without one
	Rules       []Rule             // those of the list that deny or hold; those that allow are in Allow
	Readings    map[string]Reading // by name; the rules with AfterReading look for them
	Definitions []mutation.Tool    // pinned by the operator
	// Conversation holds the names of the tools that an agent's conversation may decide.
	// If it is nil, these are the tools that are neither destructive nor open to the
	// world.
	Conversation map[string]bool
	// Ungrounded says how to treat a call with a value that must have an origin and that
	// only the model has named: "hold" asks about it whatever Allow says, "deny" denies
	// it, "" treats it like any other.
	Ungrounded string
	// Hosted holds the types of tools that the model's server may run by itself, unseen.
	Hosted []string
	// ClaimAllowed makes calls that change something and that Allow lets through be claimed,
	// so that they get a receipt. Otherwise only those that a rule counts are.
	ClaimAllowed bool
	// AuditArguments puts the arguments of every call into its audit entry; otherwise the
	// entry holds only their digest.
	AuditArguments bool
	Retention      Retention
	// Shell reads command lines. If it is nil, all but plain commands are unknown. It is
	// not part of the file: it belongs to the process that decides.
	Shell mutation.ShellReader
	// Zone tells the time of time zones. If it is nil, a rule with a time applies as if it
	// were always the time to be strict. It is not part of the file either.
	Zone Zone
	// Advisor is a plugin that judges tools. It can only make a verdict stricter; nil for
	// none. It is not part of the file either.
	Advisor mutation.Advisor
	table   mutation.Table

	escalate *escalating
	delegate *delegating
	bypass   []string
	people   []person

	readingNames []string // sorted
}

// ToolRule holds the policy's settings for one tool.
type ToolRule struct {
	Mutating string // "yes", "no", "control"; "" leaves the verdict to the classifier
	Shell    string // "posix", "windows", "unknown": what reads the tool's command lines; "" does not say it
	Deny     string // the reason for a denial; "" does not deny
	Expiry   int64  // 0 means the policy's expiry
	Wait     int64  // time from an approval to the claim
	FourEyes bool   // two approvers, neither of them the proposer

	Preview *preview.Call // reads the present state for approvers; nil for none
}

// AllowRule lets calls through without a question, until a given time. It applies to one
// tool: either to the one call with the digest, or to calls in which When names every
// argument and accepts it.
type AllowRule struct {
	Name        string
	Tool        string
	Until       int64 // Unix milliseconds
	When        []Condition
	Digest      string // proposal.Digest of the call; "" for a rule with conditions
	Destructive bool   // also covers calls that cannot be undone
	OpenWorld   bool   // also covers tools that state that they reach outside their own system

	rule *Rule // what else must be met, for a rule of the list; nil for nothing
}

// Default returns the policy that is used without a policy file. This policy allows calls
// that the classifier judges to change nothing, and asks about all others.
func Default() *Policy {
	return &Policy{Version: TextHash("{}"), Mode: Strict, Expiry: defaultExpiry, Grace: defaultGrace, Cooldown: defaultCool}
}

// ruling is the policy's decision on one call.
type ruling struct {
	deny   string
	person bool   // deny is a person's word, and not the policy's
	allow  string // name of the allow rule
	ask    bool   // hold it even if it changes nothing
	claim  bool   // it must be claimed, because a rule counts it or waits for its outcome, or the policy wants a receipt
	people int    // approvers that are needed; 0 if no rule says it
	expiry int64
}

// rulingFor returns the policy's ruling on a call. A denial comes first, then the
// requirement of two approvers (four eyes), then the allow rules. There are limits for
// allow rules:
//
//   - A rule with conditions never covers a call whose effect is unknown. A rule with a digest may cover such a call.
//   - A call that cannot be undone is covered only by a rule that says so.
//   - A call whose tool reaches outside its own system is covered only by a rule that says so.
//   - A call for which only the data asks is never covered.
func (p *Policy) rulingFor(c *judged, f *facts, a *Ask) ruling {
	t, _ := p.Rule(c.tool)
	out := ruling{expiry: p.Expiry}
	if out.deny, out.ask = t.Deny, t.FourEyes; t.FourEyes {
		out.people = 2
	}
	if t.Expiry > 0 {
		out.expiry = t.Expiry
	}
	c.why.Wait = t.Wait
	alone := ""
	if p.Ungrounded != "" && c.held {
		alone = c.ungroundedPaths()
	}
	if out.deny == "" && p.Ungrounded == Deny && alone != "" {
		out.deny = "in the conversation, only the model's own words contain " + alone + ": look it up, or ask the user"
	}
	switch {
	case out.deny != "", out.people > 0, !c.held, c.why.SecondAct(), c.why.AskedOnlyByData(), a.edits != nil: // people see what an approver wrote
		return out
	case alone != "", p.Ungrounded != "" && c.decision.Sources == nil: // if the origins are not known, a person is asked
		return out
	}
	for i := range p.Allow {
		r := &p.Allow[i]
		if r.Tool == c.tool && f.now < r.Until && (r.Destructive || !c.why.Destructive) && (r.OpenWorld || !c.beyond) && r.coversCall(c) && r.rule.permits(p, f, a.Key, a.Known) {
			out.allow = r.Name
			return out
		}
	}
	return out
}

// ungroundedPaths returns the paths of the call's values that only the model has named,
// such as "id, items[0], note, 2 more". It lists at most three paths, and then the number
// of the others. It returns "" if there are no such values.
func (c *judged) ungroundedPaths() string {
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

// allowsConversation reports whether the policy lets an agent's conversation approve a
// call. It never does if the call needs two people. Otherwise the policy's list of tools
// decides. Without a list, the call must be one that can be undone and that stays inside
// the tool's own system.
func (p *Policy) allowsConversation(c *judged) bool {
	switch {
	case c.ruling.people > 0:
		return false
	case p.Conversation != nil:
		return p.Conversation[c.tool]
	}
	return !c.why.Destructive && !c.beyond
}

// coversCall reports whether the rule's digest or conditions accept a call.
func (a *AllowRule) coversCall(c *judged) bool {
	if a.Digest != "" {
		return a.Digest == c.decision.Digest
	}
	return c.why.Mutating == mutation.Yes && a.acceptsArguments(c.arguments)
}

// Objects returns the reason why the policy no longer lets an approved call run. It
// returns "" if the call may still run. The policy may be stricter now than when the call
// was approved.
func (p *Policy) Objects(r *Record) string {
	t, _ := p.Rule(r.Tool)
	switch {
	case t.Deny != "":
		return "the policy now denies this call: " + t.Deny
	case t.FourEyes && r.Needs < 2:
		return "the policy now requires two approvers for this call: propose the call again"
	case spokenFor(r) && p.Conversation != nil && !p.Conversation[r.Tool]:
		return "the policy no longer lets the conversation confirm this call: propose the call again"
	}
	return p.forgotten(r)
}

// spokenFor reports whether a call was approved in an agent's conversation.
func spokenFor(r *Record) bool {
	v, decided := r.Decided()
	return decided && v.Approve && v.By == conversationOf(r.Principal)
}

// conversationOf returns the name under which an agent's conversation votes. No key can
// have this name, because names of keys contain no spaces.
func conversationOf(agent string) string { return conversationPrefix + agent }

const conversationPrefix = "conversation of "

// IsConversation reports whether a vote of this name is that of an agent's conversation.
func IsConversation(name string) bool { return strings.HasPrefix(name, conversationPrefix) }
