package machine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// Denial is Propose's third verdict, in addition to proposal.Allow and proposal.Confirm.
const Denial = "deny"

// Ask holds the calls that an agent wants to make: one call, or several of one turn,
// which are decided together.
type Ask struct {
	By      Principal
	Session string
	// Calls holds the calls that the agent sent. Their tool definitions can only make a
	// verdict stricter. Their tables are ignored: the agent does not write the policy.
	Calls []proposal.Proposal
	IDs   []string // one fresh id for each call
	// Frozen, Before and Unsure come from the driver's store: the freeze that covers By, and
	// for each call a person's earlier denial of it, and an earlier run of it whose outcome
	// nobody knows. They are nil for none.
	Frozen *Freeze
	Before []*Refusal
	Unsure []*proposal.Unsure
	// Key and Known come from the store, too: the secret of the rows, and the answers to
	// Policy.Questions. Without an answer, a rule applies as if it were not met.
	Key   []byte
	Known map[Count]Tally
	Batch string // a fresh id if there are several calls
	Trace string // ids of the agent's trace and span, with - between them; "" for none

	// Remembered holds what the store knows of the remembered decisions of this agent's
	// session that have not ended.
	Remembered []Remembered

	// Tells says that the driver may tell an approver's answer to an equal call in place of a question. Denied holds the
	// lately denied and answered calls of the same tools, from the driver's store, newest first.
	Tells  bool
	Denied []Record

	edits *Record // the call that an approver edits; see EditAsk
}

// Member is the verdict on one call. Plan.Members has the order of Ask.Calls.
type Member struct {
	Verdict    string // proposal.Allow, proposal.Confirm or Denial
	Reason     string
	Reflection string // text for the model before the call
	Digest     string
	Rule       string // of the policy that decided; "" if none did
	Line       int    // of Rule in the policy; 0 if it is not in the list of rules
	Person     bool   // of Denial: a person's earlier no or a freeze, and not the policy

	Told *Record // of Denial: an equal call that an approver answered, and this is the answer; nil for none
}

// Plan is Propose's decision on all calls together.
type Plan struct {
	Verdict string // of the whole: nothing runs unless it is allowed or decided
	Members []Member
	// Records must be stored, all or none, if Verdict is proposal.Confirm. They hold
	// every call of the batch, so that calls that change nothing wait with the others.
	Records []Record
	Entries []Entry // audit entries of the records, in their order
	Notes   []Entry // audit entries without a record: one for each call of an allowed or denied turn
}

// Asked reports whether a person must decide one of the calls. A held plan in which nobody
// is asked consists of calls that only have to be claimed.
func (p *Plan) Asked() bool {
	for i := range p.Records {
		if p.Records[i].State.Undecided() {
			return true
		}
	}
	return false
}

// judged is one call with the judgements of the classifier and the policy.
type judged struct {
	tool, arguments string
	decision        proposal.Decision
	why             Why
	held            bool // the classifier requires a question
	beyond          bool // the tool states that it reaches outside its own system
	ruling          ruling
}

// Propose decides calls under a policy. If one call is denied, all of them are denied.
// Otherwise, if one call needs a question, all of them are held. The result depends only
// on the arguments. O(size of the calls).
func Propose(p *Policy, a Ask, now int64) Plan {
	plan := Plan{Verdict: proposal.Allow}
	calls := make([]judged, len(a.Calls))
	for i, c := range a.Calls {
		calls[i] = judgeCall(p, c, &a, now)
		calls[i].stopCall(p, &a, i, now)
		a.Known = calls[i].addMarks(p, &a, now)
		m := newMember(&calls[i])
		plan.Members = append(plan.Members, m)
		plan.Verdict = graverVerdict(plan.Verdict, m.Verdict)
	}
	for i := range calls {
		c := &calls[i]
		if plan.Verdict != proposal.Confirm {
			plan.Notes = append(plan.Notes, noteEntry(p, a, c, &plan, i, now))
			continue
		}
		r := newRecord(p, a, c, i, now)
		e := proposalEntry(&r, a, now)
		if p.AuditArguments {
			e.Arguments, e.Dir = r.Arguments, r.Why.Dir
		}
		plan.Records = append(plan.Records, r)
		plan.Entries = append(plan.Entries, e)
	}
	return plan
}

// stopCall denies a call if its agent is frozen, or if a person has recently denied the
// same call. An older denial is only noted, so that the question about the call can show
// it, and so is a run of the same call whose outcome nobody knows.
func (c *judged) stopCall(p *Policy, a *Ask, i int, now int64) {
	if i < len(a.Before) && a.Before[i] != nil && newMember(c).Verdict == proposal.Confirm {
		c.why.Before = a.Before[i]
		if again := c.why.Before.cooldownEnd(p.Cooldown, now); again != 0 {
			c.denyBeyondRules(c.why.Before.denialText(again, now))
		}
	}
	if i < len(a.Unsure) && newMember(c).Verdict == proposal.Confirm {
		c.noteUnsure(a.Unsure[i])
	}
	if a.Frozen != nil {
		c.denyBeyondRules(a.Frozen.Text())
	}
}

// noteUnsure says in the question about a call that it may have run; u is nil if it may not.
func (c *judged) noteUnsure(u *proposal.Unsure) {
	if u == nil {
		return
	}
	c.why.Unsure, c.why.Reason = u, c.why.Reason+"; it may have run already: "+u.Text()
	if m := c.why.Recalled; m != nil { // a repeat is what needs a look
		c.why.Recalled, c.why.Reason = nil, c.why.Reason+", so the remembered yes of "+m.By+" does not cover it"
	}
	c.decision.Confirmation = proposal.Warn(c.decision.Confirmation, "MAY HAVE RUN ALREADY: "+u.Text()+".")
}

// denyBeyondRules denies a call for a reason that is in no rule of the policy.
func (c *judged) denyBeyondRules(reason string) {
	c.ruling.deny, c.ruling.person = reason, true
	c.why.Rule, c.why.Line, c.why.RuleText = "", 0, ""
}

// graverVerdict returns the stricter of two verdicts.
func graverVerdict(a, b string) string {
	if a == Denial || b == proposal.Allow {
		return a
	}
	return b
}

func newMember(c *judged) Member {
	m := Member{Verdict: proposal.Allow, Reason: c.why.Reason, Digest: c.decision.Digest, Rule: c.why.Rule, Line: c.why.Line}
	switch {
	case c.ruling.deny != "":
		m.Verdict, m.Reason, m.Person = Denial, c.ruling.deny, c.ruling.person
	case c.asked():
		m.Verdict, m.Reflection = proposal.Confirm, c.decision.Reflection
		if w := &c.why; w.Line > 0 && len(w.Rules) > 0 { // of a rule that holds
			r := Rule{Name: w.Rule, Line: w.Line}
			m.Reason = strings.TrimSuffix(r.title()+": "+w.RuleText, ": ") + "; " + m.Reason
		}
	case c.why.Recalled != nil:
		m.Verdict, m.Reason = proposal.Confirm, "nobody is asked, because of a remembered yes of "+c.why.Recalled.By+"; the call must be claimed before it runs"
	case c.ruling.claim:
		m.Verdict, m.Reason = proposal.Confirm, "nobody is asked, but the policy needs the call to be claimed before it runs"
	case c.ruling.allow != "":
		m.Reason = "the policy's rule " + c.ruling.allow
	}
	return m
}

// asked reports whether a person must decide the call, unless it is denied.
func (c *judged) asked() bool {
	return c.why.Recalled == nil && (c.ruling.ask || c.held && c.ruling.allow == "")
}

// judgeCall returns the judgement of the classifier and of the policy on a call. The
// agent's own tool definitions can only make the verdict stricter. If the agent's schemas
// are believed, there is one exception, in which these definitions can turn a call into a
// read (see judgeWithEnums).
func judgeCall(p *Policy, c proposal.Proposal, a *Ask, now int64) judged {
	by := &a.By
	ours := proposal.Proposal{Tool: c.Tool, Arguments: c.Arguments, Tools: p.Definitions, Table: p.tableFor(c.Tool), Hosts: p.Hosts.Knowing(by.Host), Policy: p.Guidance + "\n" + c.Policy, Shell: p.Shell, InShell: p.InShell, Reads: p.Reads, Advisor: p.Advisor, Elsewhere: c.Elsewhere, Dir: c.Dir, Conversation: c.Conversation, Edit: c.Edit,
		Heard: c.Heard, Recorded: c.Recorded, Guidance: p.Guidance, Descriptions: p.descriptions(&c), Files: by.Host != ""}
	d := proposal.Check(ours)
	if by.Schemas && d.Decision != proposal.Allow {
		d = judgeWithEnums(p, ours, c.Tools, d)
	}
	if len(c.Tools) > 0 && d.Decision == proposal.Allow {
		theirs := ours
		theirs.Tools = append(append([]mutation.Tool(nil), p.Definitions...), untrustTools(c.Tools)...)
		if strict := proposal.Check(theirs); strict.Decision != proposal.Allow {
			d = strict
		}
	}
	out := judged{tool: c.Tool, arguments: c.Arguments, decision: d, held: d.Decision != proposal.Allow, beyond: openWorld(c.Tool, p.Definitions, c.Tools)}
	out.why = Why{
		Mutating: d.Mutating, Verdict: d.Mutating.String(), Layer: d.Layer, Reason: d.Reason,
		Destructive: isDestructive(c.Tool, d, p.Definitions, c.Tools), Uninspectable: d.Uninspectable,
		Dir: c.Dir, HiddenBytes: d.HiddenBytes, Inexact: d.Inexact, Policy: p.Version, Mode: p.Mode, Asked: d.Asked,
	}
	out.floorEdit(a.edits)
	f := newFacts(c.Tool, c.Arguments, by.Name, out.why.Mutating, now)
	f.asked = d.Asked
	out.ruling = p.rulingFor(&out, &f, a)
	if out.why.Rule = out.ruling.allow; out.ruling.people > 0 && out.ruling.deny == "" {
		out.why.Rule = "fourEyes"
	}
	out.applyRules(p, &f, a)
	if len(p.Remember) > 0 && out.asked() {
		out.why.Definition = definitionHash(c.Tools, c.Tool)
	}
	out.recall(p, &f, a)
	out.why.Conversation = out.held && p.allowsConversation(&out)
	return out
}

// judgeWithEnums judges a call again, with the argument values (enums) that the agent's
// definition of the tool lists. It returns the new decision if this decision allows the
// call. Otherwise it returns first, the decision without these values. It also returns
// first if the policy defines the tool.
func judgeWithEnums(p *Policy, c proposal.Proposal, tools []mutation.Tool, first proposal.Decision) proposal.Decision {
	for i := range p.Definitions {
		if p.Definitions[i].Name == c.Tool {
			return first
		}
	}
	if c.Tools = mutation.EnumsOf(tools, c.Tool); len(c.Tools) == 0 {
		return first
	}
	second := proposal.Check(c)
	if second.Decision != proposal.Allow {
		return first
	}
	second.Reason += ", as in the tool list of the agent's program"
	return second
}

func untrustTools(tools []mutation.Tool) []mutation.Tool {
	out := append([]mutation.Tool(nil), tools...)
	for i := range out {
		out[i].Trusted = false
	}
	return out
}

func newRecord(p *Policy, a Ask, c *judged, i int, now int64) Record {
	r := Record{
		ID: a.IDs[i], Tenant: a.By.Tenant, Index: i, Size: len(a.Calls), Session: a.Session,
		Principal: a.By.Name, For: a.By.For, Tool: c.tool, Arguments: c.arguments,
		Digest: c.decision.Digest, Prompt: c.decision.Confirmation, Sources: c.decision.Sources, Needs: 1, Why: c.why,
		Created: now, Expires: now + c.ruling.expiry, Grace: p.Grace,
		Life: Life{State: Pending, Rev: 1, At: now},
	}
	r.Same = proposal.SameKey(r.Why.Dir, r.Tool, r.Arguments)
	r.SameRoot = r.Same
	if len(a.Calls) > 1 {
		r.Batch = a.Batch
	}
	r.Needs = max(r.Needs, c.ruling.people)
	if !c.asked() {
		if r.State = Approved; r.Why.Recalled == nil { // nobody is asked; it waits for the others
			r.Needs = 0
		}
	}
	if r.State == Pending {
		r.Why.Escalate, r.Why.Bypass = p.planEscalation(now, r.Expires), p.bypass
	}
	r.PromptHash, r.Why.Trace = TextHash(r.Prompt), a.Trace
	return r
}

func proposalEntry(r *Record, a Ask, now int64) Entry {
	x := entryOf(r, Proposed, Event{Kind: "propose", By: a.By}, now)
	x.Session, x.Tool, x.Prompt, x.Expires, x.Needs = r.Session, r.Tool, r.PromptHash, r.Expires, r.Needs
	x.Verdict, x.Layer, x.Rule, x.Line, x.Logged = r.Why.Verdict, string(r.Why.Layer), r.Why.Rule, r.Why.Line, r.Why.Logged
	x.Asked = askedName(r.Why.Asked)
	if r.Why.Recalled != nil {
		x.Text = "a remembered yes of " + r.Why.Recalled.By
	}
	return x
}

// SiblingDenied is the reason why a call does not run if its turn has a denied call.
const SiblingDenied = "another call of the turn is denied"

// noteEntry returns the audit entry for a call that gets no record.
func noteEntry(p *Policy, a Ask, c *judged, plan *Plan, i int, now int64) Entry {
	m := plan.Members[i]
	x := Entry{
		Version: 1, Tenant: a.By.Tenant, Event: "propose", From: Proposed, To: Allowed, At: now, By: a.By.Name, Role: a.By.Role,
		Session: a.Session, Tool: c.tool, Digest: m.Digest, Verdict: c.why.Verdict, Layer: string(c.why.Layer),
		Policy: p.Version, Mode: p.Mode, Rule: c.why.Rule, Line: c.why.Line, Logged: c.why.Logged, Text: m.Reason,
	}
	x.Asked = askedName(c.why.Asked)
	if len(a.Calls) > 1 {
		x.Batch = a.Batch
	}
	if plan.Verdict == Denial {
		x.To = Denied
		if m.Verdict != Denial {
			x.Text = SiblingDenied
		}
	}
	if p.AuditArguments {
		x.Arguments, x.Dir = c.arguments, c.why.Dir
	}
	return x
}
