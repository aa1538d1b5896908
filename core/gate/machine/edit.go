package machine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/core/gate/naming"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// This file holds one law: an edit approves nothing. The changed bytes are a new call,
// which the policy judges and people approve by its own digest, and the call before is
// settled by the same write. So a call that was edited never runs.

// EditRule lets approvers change arguments of held calls.
type EditRule struct {
	Name      string
	Line      int    // in the policy's text
	Tool      string // name or pattern; "" for every tool
	Agent     string
	By        []string     // approvers; nil for all of the tenant
	Arguments []*path.Path // what they may change, with everything below
	Counts    bool         // the editor's own approval counts
}

// Edited says that an approver wrote the arguments of a call.
type Edited struct {
	Of      string   `json:"of"`                     // id of the call before the edit
	Was     string   `json:"was"`                    // its digest
	Root    string   `json:"root"`                   // digest of the call that the agent proposed
	By      string   `json:"by"`                     // who edited last
	Editors []string `json:"editors"`                // all who edited, in order
	Changed []string `json:"changed"`                // paths of the changed arguments
	Rule    string   `json:"rule"`                   // of the policy's edit rules
	Counts  bool     `json:"counts,omitempty"`       // the approval of who edited counts
	Asked   int64    `json:"asked,string,omitempty"` // when the agent proposed its call
}

// readEdits reads the member "edit".
func (r *reader) readEdits(v jsonval.Value, groups map[string][]string, p *Policy) {
	if !v.Exists() {
		return
	}
	if v.Kind() != jsonval.Array {
		r.fail(v, "invalid edit: want a list of rules, saw %s", v.Kind())
		return
	}
	names := map[string]bool{}
	for _, m := range v.Elements() {
		rule := EditRule{Line: jsonval.ErrorAt(r.text, m.Offset(), "").Line}
		before := len(r.faults)
		r.readObject(m, "a rule in edit", map[string]func(jsonval.Value){
			"name":      func(m jsonval.Value) { rule.Name = r.readString(m, "name") },
			"tool":      func(m jsonval.Value) { rule.Tool = r.readPattern(m, "tool") },
			"agent":     func(m jsonval.Value) { rule.Agent = r.readPattern(m, "agent") },
			"by":        func(m jsonval.Value) { rule.By = r.readFrom(m, "by", groups) },
			"arguments": func(m jsonval.Value) { rule.Arguments = r.readPlaces(m) },
			"counts":    func(m jsonval.Value) { rule.Counts = r.readTrue(m, "counts") },
		})
		switch {
		case r.failed(before):
		case rule.Name == "" || len(rule.Arguments) == 0:
			r.fail(m, `invalid rule in edit: want name and arguments (the paths that may be changed, such as [amount], or ["*"] for all)`)
		case names[rule.Name]:
			r.fail(m, "two rules in edit have the name %q; want another name", rule.Name)
		}
		names[rule.Name] = true
		p.Edits = append(p.Edits, rule)
	}
}

// readPlaces reads the paths of arguments that an edit may change.
func (r *reader) readPlaces(v jsonval.Value) (out []*path.Path) {
	r.readNames(v, "arguments", func(m jsonval.Value, name string) {
		p, err := path.CompilePlaces(name)
		if err != nil {
			r.fail(m, "invalid arguments: %v", err)
		}
		out = append(out, p)
	})
	return out
}

// MayEdit reports whether some rule lets an approver change arguments of a call.
func (p *Policy) MayEdit(r *Record, name string) bool {
	return name != r.Principal && (r.For == "" || r.Needs > 1 || r.For == name) && slices.ContainsFunc(p.Edits, func(e EditRule) bool { return e.isFor(r, name) })
}

// CountsEditor reports whether the approval of an approver counts after their change of a call, whichever rule allows it.
func (p *Policy) CountsEditor(r *Record, name string) bool {
	return r.Why.Edit.maySay(name) && !slices.ContainsFunc(p.Edits, func(e EditRule) bool { return !e.Counts && e.isFor(r, name) })
}

// isFor reports whether the rule is about an approver and a call.
func (e *EditRule) isFor(r *Record, name string) bool {
	return (e.Tool == "" || naming.Read(r.Tool).Fits(e.Tool) == match.Yes) && (e.Agent == "" || match.Name(e.Agent, r.Principal)) && (e.By == nil || slices.Contains(e.By, name))
}

// mayChange returns the first rule by which an approver may make all of the changes. why
// says what is not allowed if there is none.
func (p *Policy) mayChange(r *Record, name string, changes []proposal.Change) (rule *EditRule, why string) {
	for i := range p.Edits {
		e := &p.Edits[i]
		if !e.isFor(r, name) {
			continue
		}
		at := slices.IndexFunc(changes, func(c proposal.Change) bool { return !e.covers(c.Place) })
		if at < 0 {
			return e, ""
		}
		if why == "" {
			why = fmt.Sprintf("the rule %s does not let %s change %s", e.Name, name, orWhole(changes[at].Path))
		}
	}
	if why == "" {
		why = "the policy has no rule in edit that lets " + name + " change calls of " + r.Tool
	}
	return nil, why
}

func (e *EditRule) covers(place string) bool {
	return slices.ContainsFunc(e.Arguments, func(p *path.Path) bool { _, ok := p.Covers(place); return ok })
}

func orWhole(path string) string {
	if path == "" {
		return "the arguments"
	}
	return path
}

// EditAsk returns the changed call as it must be judged. Set what the store knows before
// Revise: Frozen, Before, Unsure, Key and Known. by is the agent that proposed r, as its key says.
func EditAsk(r *Record, by Principal, e *Event) Ask {
	call := proposal.Proposal{Tool: r.Tool, Arguments: e.Arguments, Dir: r.Why.Dir, Edit: &proposal.Edit{By: e.By.Name, Was: r.Arguments, Sources: r.Sources, Asked: r.Why.Asked}}
	return Ask{By: Principal{Tenant: r.Tenant, Name: r.Principal, Role: Agent, For: r.For, Host: by.Host}, Session: r.Session, Trace: r.Why.Trace, Calls: []proposal.Proposal{call}, IDs: []string{e.ID}, edits: r}
}

// Asked returns the calls of a as records that are compared with earlier ones.
func (a *Ask) Asked() []Record {
	out := make([]Record, len(a.Calls))
	for i := range a.Calls {
		c := &a.Calls[i]
		r := Record{Tenant: a.By.Tenant, Principal: a.By.Name, Tool: c.Tool, Arguments: c.Arguments, Digest: proposal.DigestIn(c.Dir, c.Tool, c.Arguments), Same: proposal.SameKey(c.Dir, c.Tool, c.Arguments), Why: Why{Dir: c.Dir}}
		if r.SameRoot = r.Same; a.edits != nil {
			r.SameRoot, r.Why.Edit = a.edits.RootKey(), &Edited{Root: a.edits.Root()}
		}
		out[i] = r
	}
	return out
}

// Revise returns the change that an edit of the record r makes. If the edit is allowed,
// Change.Next is the new call, which waits for a decision of its own, and Change.Record is
// the call before, which is superseded. Both must be stored by one write. O(size of the
// call).
func Revise(p *Policy, r Record, a Ask, e Event, now int64) Change {
	if c, over := notNow(&r, e, now); over {
		return c
	}
	changes := proposal.Changes(r.Arguments, e.Arguments)
	rule, why := p.mayChange(&r, e.By.Name, changes)
	switch {
	case e.By.Role != Approver:
		return refuseEvent(r, Forbidden, "only an approver can edit a call")
	case r.For != "" && r.Needs < 2 && e.By.Name != r.For:
		return refuseEvent(r, Forbidden, "this call waits for the decision of a different approver")
	case e.By.Name == r.Principal:
		return refuseEvent(r, Forbidden, "the proposer of a call cannot edit it")
	case r.State != Pending:
		return refuseEvent(r, Conflict, refusalText(r.State)+", so it cannot be edited")
	case !secretsEqual(e.Digest, r.Digest):
		return refuseEvent(r, Conflict, "the digest belongs to another call: the call that was shown is not the call that would be edited; want the digest of the call as it is now")
	case len(p.Edits) == 0:
		return refuseEvent(r, Forbidden, "the policy lets nobody edit calls: it has no rule in edit")
	}
	if err := proposal.Inspect(r.Tool, e.Arguments); err != nil {
		return refuseEvent(r, Invalid, err.Error())
	}
	switch {
	case len(changes) == 0:
		return refuseEvent(r, Invalid, "the edit changes no value: approve or deny the call as it is")
	case rule == nil:
		return refuseEvent(r, Forbidden, why)
	}
	j := judgeCall(p, a.Calls[0], &a, now)
	if a.Frozen != nil {
		j.denyBeyondRules(a.Frozen.Text())
	}
	if len(a.Before) == 1 {
		j.why.Before = a.Before[0]
	}
	if len(a.Unsure) == 1 {
		j.noteUnsure(a.Unsure[0])
	}
	j.why.Edit = &Edited{Of: r.ID, Was: r.Digest, Root: r.Root(), Asked: r.Asked(), By: e.By.Name, Editors: []string{e.By.Name}, Changed: changedPaths(changes), Rule: rule.Name, Counts: rule.Counts}
	if before := r.Why.Edit; before != nil {
		j.why.Edit.Editors = append(slices.Clone(before.Editors), e.By.Name)
		j.why.Edit.Counts = rule.Counts && (before.Counts || !slices.Contains(before.Editors, e.By.Name))
	}
	j.why.Conversation = false
	next := newRecord(p, a, &j, 0, now)
	next.Batch, next.Index, next.Size = r.Batch, r.Index, r.Size
	next.Expires = r.Expires // an edit gives nobody more time
	next.SameRoot = r.RootKey()
	switch {
	case j.ruling.deny != "":
		c := refuseEvent(r, Forbidden, "the policy denies the edited call: "+j.ruling.deny)
		c.Note = refusedEdit(&next, e, j.ruling.deny, now)
		return c
	case next.For != "" && next.Needs < 2 && !next.Why.Edit.maySay(next.For):
		return refuseEvent(r, Forbidden, "only "+next.For+" may decide this call, and the policy does not count the approval of who edited it: nobody could approve the edited call")
	}
	c := moveRecord(r, Superseded, e, now)
	c.Write.Alive = now
	c.Record.Replaced = next.ID
	c.Entry.Next = next.ID
	c.Next, c.NextEntry = &next, editEntry(p, &next, a, e, now)
	return c
}

// Root returns the digest of the call that the agent itself proposed.
func (r *Record) Root() string {
	if r.Why.Edit != nil {
		return r.Why.Edit.Root
	}
	return r.Digest
}

// Asked returns when the agent proposed its call.
func (r *Record) Asked() int64 {
	if r.Why.Edit != nil && r.Why.Edit.Asked > 0 {
		return r.Why.Edit.Asked
	}
	return r.Created
}

// CountsFor reports whether the approval of an approver can count: that of who edited the
// call does only if the policy says so.
func (w *Why) CountsFor(name string) bool { return w.Edit.maySay(name) }

// maySay reports whether the approval of an approver counts for an edited call.
func (e *Edited) maySay(name string) bool {
	return e == nil || e.Counts || !slices.Contains(e.Editors, name)
}

func changedPaths(changes []proposal.Change) []string {
	out := make([]string, len(changes))
	for i := range changes {
		out[i] = orWhole(changes[i].Path)
	}
	return out
}

// editEntry returns the audit entry of the new call of an edit.
func editEntry(p *Policy, r *Record, a Ask, e Event, now int64) Entry {
	x := proposalEntry(r, a, now)
	x.Event, x.By, x.Role, x.Channel, x.Text = "edited", e.By.Name, e.By.Role, e.Channel, e.Text
	x.Of, x.Was, x.Changed = r.Why.Edit.Of, r.Why.Edit.Was, strings.Join(r.Why.Edit.Changed, ", ")
	if p.AuditArguments {
		x.Arguments = r.Arguments
	}
	return x
}

// refusedEdit returns the audit entry of an edit that the policy denies.
func refusedEdit(r *Record, e Event, why string, now int64) *Entry {
	x := entryOf(r, Pending, e, now)
	x.ID, x.Batch, x.Rev, x.To, x.Event, x.Tool, x.Text = "", "", 0, Pending, "edit-denied", r.Tool, why
	x.Of, x.Was, x.Changed, x.Rule, x.Line = r.Why.Edit.Of, r.Why.Edit.Was, strings.Join(r.Why.Edit.Changed, ", "), r.Why.Rule, r.Why.Line
	return &x
}

// floorEdit makes the judgement of an edited call as strict as that of the call before:
// the definitions that the agent sent with it are not known any more.
func (c *judged) floorEdit(before *Record) {
	if before == nil {
		return
	}
	if c.why.Mutating == mutation.No && before.Why.Mutating != mutation.No {
		c.why.Mutating, c.why.Verdict, c.why.Layer, c.why.Reason = before.Why.Mutating, before.Why.Verdict, before.Why.Layer, before.Why.Reason
	}
	c.why.Destructive = c.why.Destructive || before.Why.Destructive
	c.held = true
}
