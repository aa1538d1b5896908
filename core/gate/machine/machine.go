// Package machine is the confirmation gate's state machine: it decides which calls
// are held, and what every later event does to a held one.
//
// Everything here is a pure function of its arguments; there is no clock, no
// randomness and no store. Propose turns calls into records. Step takes the
// records of one batch, one event and the time, and gives back the record as it
// should be, the one conditional write that makes it so, the audit entry, and
// what to answer. A driver carries the write out: when it changes no row,
// somebody was faster, and the driver loads again and asks again. That is how
// the same machine runs on SQLite, on D1 and in a model test by the million.
//
//	proposed ─▶ pending ─▶ approved ─▶ claimed ─▶ executed | failed | ambiguous
//	               └─▶ denied | expired | cancelled ◀─┘ (approved lapses, is revoked, or is taken back)
//
// A freeze (see Freeze) stops an agent or a tenant beside that: new calls are
// denied, and approved ones are not handed out until it is lifted.
package machine

import (
	"github.com/boundcheck/boundcheck/core/mutation"
	"github.com/boundcheck/boundcheck/core/proposal"
)

// State is the state of one call.
type State string

// The states. Executed, Failed, Ambiguous, Denied, Expired and Cancelled are terminal.
const (
	Proposed  State = "proposed"  // seen, not yet decided; never stored
	Allowed   State = "allowed"   // let through without asking; is in the audit alone
	Pending   State = "pending"   // waits for a person
	Approved  State = "approved"  // may be claimed once, until it expires
	Denied    State = "denied"    // a person or the policy said no, or a person took a yes back
	Expired   State = "expired"   // nobody decided or claimed in time: counts as no
	Cancelled State = "cancelled" // the agent took it back
	Claimed   State = "claimed"   // the bytes were handed out for execution
	Executed  State = "executed"  // the claimer says that it ran
	Failed    State = "failed"    // the claimer says that it did not take effect
	Ambiguous State = "ambiguous" // nobody knows whether it ran: never retried
)

// Terminal reports whether a state never changes again.
func (s State) Terminal() bool {
	switch s {
	case Denied, Expired, Cancelled, Executed, Failed, Ambiguous:
		return true
	}
	return false
}

// Undecided reports whether a person must still decide.
func (s State) Undecided() bool { return s == Proposed || s == Pending }

// Role is what a key may do: agents propose and claim, approvers decide.
type Role string

// The roles. No key has two: an agent that could decide would approve itself.
const (
	Agent    Role = "agent"
	Approver Role = "approver"
	// Conversation is the role of whoever writes the user's messages in an agent's
	// conversation, a person or a program. No key has this role. Its name is the
	// agent's.
	Conversation Role = "conversation"
)

// Principal is the authenticated sender of an event.
type Principal struct {
	Tenant string
	Name   string
	Role   Role
	For    string // agents only: the one approver who may decide; "" for any

	// Schemas says that the operator believes the closed lists of values in the tool
	// definitions that this agent's program sends along.
	Schemas bool
}

// Record is one held call. All fields but Life are fixed when the call is proposed.
type Record struct {
	ID, Tenant  string
	Batch       string // "" alone
	Index, Size int    // place in the batch, from 0, and its length
	Session     string
	Principal   string // who proposed
	For         string // the one approver who may decide; "" for any
	Tool        string
	Arguments   string // the raw bytes that were proposed, shown and will run
	Digest      string // proposal.Digest of the two
	Prompt      string // what the approver sees
	PromptHash  string // TextHash of the prompt
	// Sources says where the values come from; nil where no conversation was seen.
	Sources []proposal.Source
	Needs   int // approvals needed; 0 when only the batch holds it
	Why     Why
	Created int64 // Unix milliseconds, as all times here
	Expires int64
	Grace   int64 // from claim to ambiguous, without an outcome
	Life
}

// Why says on what grounds a call is held.
type Why struct {
	Mutating      mutation.Tri   `json:"-"`
	Verdict       string         `json:"mutating"`
	Layer         mutation.Layer `json:"layer"`
	Reason        string         `json:"reason"`
	Destructive   bool           `json:"destructive,omitempty"`
	Uninspectable bool           `json:"uninspectable,omitempty"`
	HiddenBytes   int            `json:"hiddenBytes,omitempty"`
	Conversation  bool           `json:"conversation,omitempty"` // the agent's conversation may approve it
	Inexact       int            `json:"inexact,omitempty"`      // numbers that a float64 does not hold
	Before        *Refusal       `json:"deniedBefore,omitempty"` // a person's earlier no to this very call
	Policy        string         `json:"policy"`                 // version of the policy that decided
	Mode          string         `json:"mode"`
	Rule          string         `json:"rule,omitempty"` // the policy's rule, when one spoke
}

// SecondAct reports whether an approval needs an explicit acknowledgement, because not
// all of the call could be shown, or because not every program would run the numbers
// that were shown.
func (w *Why) SecondAct() bool { return w.Uninspectable || w.Inexact > 0 }

// Life is the part of a record that events change.
type Life struct {
	State   State  `json:"-"`
	Rev     int64  `json:"-"` // counts changes from 1
	At      int64  `json:"at,string"`
	Votes   []Vote `json:"votes,omitempty"`
	Claim   Grant  `json:"claim,omitzero"`
	Outcome Result `json:"outcome,omitzero"`
}

// Vote is one person's word.
type Vote struct {
	By      string `json:"by"`
	Channel string `json:"channel"`
	Approve bool   `json:"approve"`
	Reason  string `json:"reason,omitempty"`
	Revoke  bool   `json:"revoke,omitempty"` // takes an approval back
	At      int64  `json:"at,string"`
}

// Grant is the right that a claim received: to run an approved call once. Its nonce is
// not stored.
type Grant struct {
	By    string `json:"by,omitempty"`
	Hash  string `json:"hash,omitempty"` // GrantHash of the nonce
	At    int64  `json:"at,string,omitempty"`
	Until int64  `json:"until,string,omitempty"` // then it is ambiguous
}

// Result is the outcome of a claim.
type Result struct {
	Status State  `json:"status,omitempty"`
	Detail string `json:"detail,omitempty"`
	At     int64  `json:"at,string,omitempty"`
}

// Decided returns the vote that settled the record; false while there is none.
func (r *Record) Decided() (Vote, bool) {
	if len(r.Votes) == 0 || r.State == Pending {
		return Vote{}, false
	}
	return r.Votes[len(r.Votes)-1], true
}

// Due returns the time at which the record changes without an event; 0 for never.
func (r *Record) Due() int64 {
	switch r.State {
	case Pending, Approved:
		return r.Expires
	case Claimed:
		return r.Claim.Until
	}
	return 0
}
