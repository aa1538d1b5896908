// Package machine is the confirmation gate's state machine: it decides which calls are
// held, and how every later event changes a held call.
//
// Everything here is a pure function of its arguments. There is no clock, no randomness
// and no store. Propose turns calls into records. Step takes the records of one batch,
// one event and the time. It returns the new record, the one conditional write that
// stores it, the audit entry, and the answer. A driver executes the write. If the write
// changes no row, another process was faster, and the driver loads the record and calls
// Step again. So the same machine runs on SQLite, on D1 and, millions of times, in a
// model test.
//
//	proposed ─▶ pending ─▶ approved ─▶ claimed ─▶ executed | failed | ambiguous
//	               ├─▶ denied | expired | cancelled ◀─┘ (approved lapses, is revoked, or is taken back)
//	               └─▶ superseded (by an edited call, see Revise) | answered
//
// In addition, a freeze (see Freeze) stops an agent or a tenant: new calls are denied,
// and approved ones are not handed out until the freeze is lifted.
package machine

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// State is the state of one call.
type State string

// The states. Executed, Failed, Ambiguous, Denied, Expired, Cancelled, Superseded and
// Answered are terminal.
const (
	Proposed  State = "proposed"  // seen, not yet decided; never stored
	Allowed   State = "allowed"   // let through without a question; only in the audit
	Pending   State = "pending"   // waits for a person
	Approved  State = "approved"  // may be claimed once, until it expires
	Denied    State = "denied"    // a person or the policy denied it, or a person revoked an approval
	Expired   State = "expired"   // nobody decided or claimed it in time: counts as denied
	Cancelled State = "cancelled" // the agent took it back
	Claimed   State = "claimed"   // the bytes were handed out for execution
	Executed  State = "executed"  // the claimer reports that it ran
	Failed    State = "failed"    // the claimer reports that it had no effect
	Ambiguous State = "ambiguous" // it is not known whether it ran: never retried

	Superseded State = "superseded" // an approver edited it: Record.Replaced is the call in its place
	Answered   State = "answered"   // an approver answered with a text instead of yes or no
)

// Terminal reports whether a state never changes again.
func (s State) Terminal() bool {
	switch s {
	case Denied, Expired, Cancelled, Executed, Failed, Ambiguous, Superseded, Answered:
		return true
	}
	return false
}

// Undecided reports whether a person must still decide.
func (s State) Undecided() bool { return s == Proposed || s == Pending }

// Role says what a key may do: agents propose and claim, approvers decide.
type Role string

// The roles. Each key has only one: an agent that could decide would approve itself.
const (
	Agent    Role = "agent"
	Approver Role = "approver"
	// Conversation is the role of the author of the user's messages in an agent's
	// conversation, a person or a program. No key has this role. Its name is the agent's.
	Conversation Role = "conversation"
)

// Principal is the authenticated sender of an event.
type Principal struct {
	Tenant string
	Name   string
	Role   Role
	For    string // agents only: the one approver who may decide; "" for any

	// Host names the reviewed table of the program that makes the agent's calls. The
	// operator knows it by the key or by the connection; "" if it is not known.
	Host string

	// Schemas reports whether the operator believes the closed lists of values in the
	// tool definitions that this agent's program sends.
	Schemas bool
}

// Record is one held call. All fields but Life are fixed when the call is proposed.
type Record struct {
	ID, Tenant  string
	Batch       string // "" for a single call
	Index, Size int    // index in the batch, from 0, and its length
	Session     string
	Principal   string // who proposed
	For         string // the one approver who may decide; "" for any
	Tool        string
	Arguments   string // the raw bytes that were proposed, are shown and will run
	Digest      string // proposal.DigestIn of Why.Dir, Tool and Arguments
	Prompt      string // the text for the approver
	PromptHash  string // TextHash of the prompt
	Same        string // proposal.SameKey; "" in records of older versions, see Key
	SameRoot    string // that of the call that the agent proposed, see RootKey
	// Sources holds the origins of the values; nil if no conversation was given.
	Sources []proposal.Source
	Needs   int // approvals needed; 0 if only the batch holds it
	Why     Why
	Created int64 // Unix milliseconds, as all times here
	Expires int64 // end of the question; see Ends
	// Replaced is the id of the call that an approver put in place of this one; "" for none.
	Replaced string
	Grace    int64 // time from a claim until it becomes ambiguous without an outcome
	Life
}

// Why holds the reasons for which a call is held.
type Why struct {
	Mutating      mutation.Tri     `json:"-"`
	Verdict       string           `json:"mutating"`
	Layer         mutation.Layer   `json:"layer"`
	Reason        string           `json:"reason"`
	Dir           string           `json:"directory,omitempty"` // in which the host says that the call runs
	Destructive   bool             `json:"destructive,omitempty"`
	Uninspectable bool             `json:"uninspectable,omitempty"`
	HiddenBytes   int              `json:"hiddenBytes,omitempty"`
	Conversation  bool             `json:"conversation,omitempty"` // the agent's conversation may approve it
	Inexact       int              `json:"inexact,omitempty"`      // numbers that a float64 cannot represent
	Before        *Refusal         `json:"deniedBefore,omitempty"` // a person's earlier denial of the same call
	Unsure        *proposal.Unsure `json:"mayHaveRun,omitempty"`   // another run of the same call whose outcome nobody knew at the proposal, or, where it is shown, since then
	Equal         int              `json:"equalWaiting,omitempty"` // where it is shown: how many equal calls of the agent wait beside it, or are approved and not claimed; never stored
	Policy        string           `json:"policy"`                 // version of the policy that decided
	Mode          string           `json:"mode"`
	Rule          string           `json:"rule,omitempty"`        // name of the policy's rule that applied, if any
	Line          int              `json:"line,omitempty"`        // its line in the policy; 0 if it is not in the list of rules
	Rules         []string         `json:"rules,omitempty"`       // names of all rules that hold the call
	RuleText      string           `json:"ruleText,omitempty"`    // what Rule requires
	From          [][]string       `json:"from,omitempty"`        // lists of approvers; who approves must be in each
	FromRules     []string         `json:"fromRules,omitempty"`   // the rule of each list
	Counted       bool             `json:"counted,omitempty"`     // a rule counts the call, so it must be claimed before it runs
	Asked         *proposal.Asker  `json:"asked,omitempty"`       // who asked for the call; nil if no conversation was given
	Definition    string           `json:"definition,omitempty"`  // hash of what the agent's program said about the tool
	Recalled      *Recalled        `json:"remembered,omitempty"`  // the remembered yes that lets it through; nil for none
	Edit          *Edited          `json:"edit,omitempty"`        // an approver wrote the arguments; nil for the agent's own
	Bypass        []string         `json:"bypass,omitempty"`      // who may approve it alone, with a reason
	Escalate      *Escalation      `json:"escalate,omitempty"`    // who else is asked, and when; nil for nobody
	Wait          int64            `json:"wait,string,omitempty"` // milliseconds from the yes to the claim
	Trace         string           `json:"trace,omitempty"`       // ids of the agent's trace and span, with - between them
	Logged        string           `json:"logged,omitempty"`      // names of the rules in mode log that would have applied
}

// SecondAct reports whether an approval needs an explicit acknowledgement. This is so if
// a part of the call could not be shown, or if some programs read its numbers
// differently, or if an approver made it the same as one that may have run, or, where it is
// shown, if the same call was handed out since.
func (w *Why) SecondAct() bool {
	return w.Uninspectable || w.Inexact > 0 || w.Unsure != nil && w.Unsure.Since || w.editedIntoRun()
}

// IsWhole reports whether a record has the bytes of its digest.
func (r *Record) IsWhole() bool { return proposal.DigestIn(r.Why.Dir, r.Tool, r.Arguments) == r.Digest }

// editedIntoRun reports whether an approver made the call the same as one that may have run.
func (w *Why) editedIntoRun() bool { return w.Edit != nil && w.Unsure != nil && !w.Unsure.Edited }

// Life is the part of a record that events change.
type Life struct {
	State   State  `json:"-"`
	Rev     int64  `json:"-"` // counts changes, from 1
	At      int64  `json:"at,string"`
	Votes   []Vote `json:"votes,omitempty"`
	Claim   Grant  `json:"claim,omitzero"`
	Stopped Stop   `json:"stopped,omitzero"` // the last claim that the policy stopped
	Outcome Result `json:"outcome,omitzero"`

	Escalated int64 `json:"escalated,string,omitempty"` // when it was escalated; 0 if it was not
}

// Stop is why the policy does not hand an approved call out.
type Stop struct {
	Rule string `json:"rule,omitempty"` // of the list of rules; "" for another reason
	Line int    `json:"line,omitempty"`
	Text string `json:"text,omitempty"`
	At   int64  `json:"at,string,omitempty"`
}

// Vote is one person's decision.
type Vote struct {
	By      string `json:"by"`
	Channel string `json:"channel"`
	Approve bool   `json:"approve"`
	Reason  string `json:"reason,omitempty"`
	Revoke  bool   `json:"revoke,omitempty"` // revokes an approval
	Bypass  bool   `json:"bypass,omitempty"` // approves alone what needs others
	Answer  bool   `json:"answer,omitempty"` // neither yes nor no: Reason goes to the model
	Giver   string `json:"for,omitempty"`    // By decided in the place of this approver, by a delegation
	Again   bool   `json:"again,omitempty"`  // it approves although By knew that an equal call runs, or may run
	At      int64  `json:"at,string"`
}

// Grant is the result of a claim: the right to run an approved call once. Its nonce is
// not stored.
type Grant struct {
	By    string `json:"by,omitempty"`
	Hash  string `json:"hash,omitempty"` // GrantHash of the nonce
	At    int64  `json:"at,string,omitempty"`
	Until int64  `json:"until,string,omitempty"` // after that the call is ambiguous
}

// Result is the outcome of a claim.
type Result struct {
	Status State  `json:"status,omitempty"`
	Detail string `json:"detail,omitempty"`
	At     int64  `json:"at,string,omitempty"`
}

// Decided returns the vote that settled the record. The second result is false if there
// is none.
func (r *Record) Decided() (Vote, bool) {
	if len(r.Votes) == 0 || r.State == Pending || r.State == Superseded {
		return Vote{}, false
	}
	return r.Votes[len(r.Votes)-1], true
}

// Approvals returns the last approving vote of each person, in their order: one who has
// approved, also through a delegate, and then bypasses the others is one person.
func (r *Record) Approvals() (out []Vote) {
	for _, v := range r.Votes {
		if v.Approve {
			out = append(slices.DeleteFunc(out, func(o Vote) bool { return o.isBy(v.By) || o.isBy(v.Giver) }), v)
		}
	}
	return out
}

// Due returns the time at which the record changes without an event, or 0 if it never
// does.
func (r *Record) Due() int64 {
	switch r.State {
	case Pending:
		if e := r.Why.Escalate; e != nil && r.Escalated == 0 {
			return e.At
		}
		return r.Expires
	case Approved:
		return r.Ends()
	case Claimed:
		return r.Claim.Until
	}
	return 0
}
