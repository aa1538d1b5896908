package machine

import (
	"bytes"
	"encoding/json"
)

// Entry is one line of the audit: who did what to which call, and when. Bytes returns its
// canonical form, which the chain hashes.
type Entry struct {
	Version  int    `json:"v"`
	Tenant   string `json:"tenant"`
	ID       string `json:"id,omitempty"`
	Batch    string `json:"batch,omitempty"`
	Rev      int64  `json:"rev,string,omitempty"`
	Event    string `json:"event"`
	From     State  `json:"from,omitempty"`
	To       State  `json:"to,omitempty"`
	At       int64  `json:"at,string"`
	By       string `json:"by,omitempty"`
	Role     Role   `json:"role,omitempty"`
	Channel  string `json:"channel,omitempty"`
	Session  string `json:"session,omitempty"`
	Tool     string `json:"tool,omitempty"`
	Digest   string `json:"digest,omitempty"`
	Prompt   string `json:"prompt,omitempty"` // hash of the prompt that was shown
	Expires  int64  `json:"expires,string,omitempty"`
	RunsFrom int64  `json:"runsFrom,string,omitempty"` // of an approved call that waits: it may be claimed from then on
	Needs    int    `json:"needs,omitempty"`
	Verdict  string `json:"mutating,omitempty"`
	Layer    string `json:"layer,omitempty"`
	Policy   string `json:"policy,omitempty"`
	Mode     string `json:"mode,omitempty"`
	Rule     string `json:"rule,omitempty"`
	Line     int    `json:"line,omitempty"`   // of the rule in the policy
	Logged   string `json:"logged,omitempty"` // names of the rules in mode log that would have applied
	Asked    string `json:"asked,omitempty"`  // who asked for the call, as far as the conversation tells
	Approve  *bool  `json:"approve,omitempty"`
	Approved int    `json:"approvals,omitempty"` // number of approvals so far
	Again    bool   `json:"again,omitempty"`     // of an approval: see Vote
	Grant    string `json:"grant,omitempty"`     // hash of the grant
	Status   State  `json:"status,omitempty"`
	Text     string `json:"text,omitempty"` // the reason, or the claimer's report
	// Arguments holds the call's raw bytes if the policy puts them into the audit.
	Arguments string `json:"arguments,omitempty"`
	Dir       string `json:"directory,omitempty"` // beside Arguments: in which the call runs
	// Rows and Before belong to a redaction: the rows of the chain that were emptied, as
	// "3-17,20", and the time before which their entries were written.
	Rows   string `json:"rows,omitempty"`
	Before int64  `json:"before,string,omitempty"`
	// An edit has two entries: that of the call before names the new one (Next), that of
	// the new one names the call before, its digest, and the paths that were changed.
	Next    string `json:"next,omitempty"`
	Of      string `json:"of,omitempty"`
	Was     string `json:"was,omitempty"`
	Changed string `json:"changed,omitempty"`
	// Remembered is the id of a remembered yes: in entries about it, and about each call that
	// it let through.
	Remembered string `json:"remembered,omitempty"`
	// Giver is who delegates decisions to whom, in entries about a delegation, with its id; in
	// one about a decision, Giver is in whose place By decided.
	Giver      string `json:"for,omitempty"`
	Delegate   string `json:"delegate,omitempty"`
	Delegation string `json:"delegation,omitempty"`
	// Agent is the frozen agent in entries about freezes; "" for the whole tenant. In those
	// about remembered decisions it is the agent whose calls they cover.
	Agent string `json:"agent,omitempty"`
}

// Quiet reports whether an entry is about a call that was allowed without a question and
// without an allow rule. There are many such entries, and nobody needs to be told about
// them.
func (e *Entry) Quiet() bool { return e.To == Allowed && e.Rule == "" }

// Bytes returns the entry's canonical text: one line of JSON, with members in the order
// of the fields and only necessary escapes.
func (e Entry) Bytes() string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		panic(err) // never happens: the fields are strings and numbers
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func entryOf(r *Record, from State, e Event, now int64) Entry {
	x := Entry{
		Version: 1, Tenant: r.Tenant, ID: r.ID, Batch: r.Batch, Rev: r.Rev,
		Event: string(e.Kind), From: from, To: r.State, At: now,
		By: e.By.Name, Role: e.By.Role, Channel: e.Channel, Digest: r.Digest,
		Policy: r.Why.Policy, Mode: r.Why.Mode,
	}
	if r.Why.Recalled != nil {
		x.Remembered = r.Why.Recalled.ID
	}
	if r.State == Approved && from != Approved && r.Why.Wait > 0 {
		x.RunsFrom = r.RunsFrom()
	}
	switch e.Kind {
	case Decide:
		approve := e.Approve
		x.Approve, x.Approved, x.Again, x.Text, x.Prompt = &approve, len(r.Approvals()), e.knowsTwin(r), e.Text, r.PromptHash
		if !approve {
			x.Approved = 0
		}
		if x.Giver = e.Giver; e.Delegation != nil && e.Giver != "" {
			x.Delegation = e.Delegation.ID
		}
	case Revoke, Respond, EditCall:
		x.Text, x.Prompt = e.Text, r.PromptHash
	case Claim:
		x.Logged = e.Logged
		if x.Grant, x.Expires = r.Claim.Hash, r.Claim.Until; r.State == Approved {
			x.Event, x.Rule, x.Line, x.Text = "stopped", e.Stop.Rule, e.Stop.Line, e.Stop.Text
			x.Expires = r.Expires
		}
	case Report:
		x.Grant, x.Status, x.Text = r.Claim.Hash, e.Status, e.Text
	}
	return x
}

// lateOutcome returns the audit entry for a report that can no longer change the state. With
// it, the rows of a failed call count again, unless it says failed, too.
func lateOutcome(r *Record, e Event, now int64) *Entry {
	x := entryOf(r, r.State, e, now)
	x.Event = "late-outcome"
	return &x
}
