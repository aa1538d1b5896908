package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate"
)

// call is one parsed tools/call.
type call struct {
	*query
	name      string // its name at the server
	tool      string // its name in the policy
	arguments string // raw bytes
	digest    string
	task      string // raw member task of the revision 2025-11-25; "" for none
	own       bool   // it runs for a task of the gate itself, which keeps its result
	inTurn    bool   // it has the turn of its task
	found     *tool

	underway *underway
	question string // id of the record whose question it has joined; "" for none
}

// sessionName returns the name of the session under which the call's record is stored.
// The name contains the hash of the tool's definition. So a decision does not count any
// more after the definition has changed. It ends with the client's own session, if it has
// one, so that no other conversation of the key gets its questions, answers and yeses.
func (c *call) sessionName() string {
	return strings.TrimSpace("mcp " + c.server.Name + " " + c.found.pin.Hash + " " + c.conversation)
}

// handleCall decides one tool call.
func (h *Handler) handleCall(q *query) *fault {
	c, f := readCall(q)
	if f != nil {
		return f
	}
	defer h.followCall(c)()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(q.Context()), patience) // also a client that leaves now leaves its question
	defer cancel()
	if f := h.findTool(ctx, c); f != nil {
		return f
	}
	if f := checkTask(c); f != nil {
		return f
	}
	if c.found.pin.Held() {
		h.refuseCall(c, nil, "held", fmt.Sprintf("The definition of this tool has changed since its review. The tool cannot be called until a person accepts the new definition at %s.", h.Gate.Page("/definitions")))
		return nil
	}
	if q.modern && q.stream == nil {
		if f := checkParameters(q.Header, c.found.parameters, mustParse(c.arguments)); f != nil {
			return f
		}
	}
	t, f := h.redeemTicket(ctx, c)
	if f != nil {
		return f
	}
	if t != nil && t.record != "" {
		return h.resumeCall(ctx, c, t)
	}
	return h.decideCall(ctx, c, t)
}

// readCall parses a tool call by the gate's own rules. It returns an error if the call is
// ambiguous or has a member that no approver would see.
func readCall(q *query) (*call, *fault) {
	name, ok := q.params.Get("name").Str()
	if !ok {
		return nil, invalidFault(codeParams, "missing tool name: want a string member \"name\"")
	}
	for _, key := range q.params.Keys() {
		switch key {
		case "name", "arguments", "_meta", "inputResponses", "requestState":
		default:
			if key == "task" {
				continue
			}
			return nil, invalidFault(codeParams, "unknown member %.40q of tools/call. The gate cannot show this member to the approver", key)
		}
	}
	task, f := readTask(q)
	if f != nil {
		return nil, f
	}
	arguments := q.params.Get("arguments")
	raw := arguments.Raw()
	switch arguments.Kind() {
	case jsonval.Missing:
		raw = "{}"
	case jsonval.Object:
	default:
		return nil, invalidFault(codeParams, "invalid arguments: want an object, saw %s", arguments.Kind())
	}
	p, err := proposal.Read(`{"tool":` + quoteJSON(qualifiedName(q.server.Name, name)) + `,"arguments":` + raw + `}`)
	if err != nil {
		return nil, invalidFault(codeParams, "%v", err)
	}
	if !q.modern {
		for header := range q.Header {
			if len(header) > 10 && header[:10] == "Mcp-Param-" {
				q.Header.Del(header) // these revisions have no such header: it was not checked
			}
		}
	}
	return &call{query: q, name: name, task: task, tool: p.Tool, arguments: p.Arguments, digest: proposal.Digest(p.Tool, p.Arguments)}, nil
}

// findTool finds the tool by its exact name. It asks the server if the tool is not known
// or its definition is too old.
func (h *Handler) findTool(ctx context.Context, c *call) *fault {
	var f *fault
	if c.server.isHidden(c.name) {
		return unknownTool(c.name)
	}
	if c.found, f = h.findPinned(ctx, c.query, c.name); f != nil || c.found != nil {
		return f
	}
	list, f := h.loadTools(ctx, c.query)
	if f != nil {
		return f
	}
	if c.found = list.tools[c.name]; c.found != nil {
		return nil
	}
	return unknownTool(c.name)
}

func unknownTool(name string) *fault {
	return &fault{status: 200, code: codeParams, text: fmt.Sprintf("unknown tool %.80q", name)}
}

// redeemTicket returns the ticket from the requestState of a call. If the call has no
// requestState, it returns nil. A ticket is valid once, for a limited time, and only for
// its principal and its call.
func (h *Handler) redeemTicket(ctx context.Context, c *call) (*ticket, *fault) {
	m := c.params.Get("requestState")
	if !m.Exists() {
		return nil, nil
	}
	const again = "; make the call again without requestState"
	text, ok := m.Str()
	t, sealed := h.openTicket(text)
	switch {
	case !ok || !sealed:
		return nil, invalidFault(codeParams, "invalid requestState: this gate did not issue it")
	case t.tenant != c.who.Tenant || t.principal != c.who.Name || t.server != c.server.Name:
		return nil, invalidFault(codeParams, "invalid requestState: it belongs to another client")
	case t.tool != c.tool || t.digest != c.digest:
		return nil, invalidFault(codeParams, "invalid requestState: the call differs from the call in requestState%s", again)
	case t.definition != c.found.pin.Hash:
		return nil, invalidFault(codeParams, "invalid requestState: the definition of the tool has changed%s", again)
	case h.Gate.Now() >= t.expires:
		return nil, invalidFault(codeParams, "invalid requestState: it has expired%s", again)
	}
	fresh, err := h.Gate.Store.Spend(ctx, t.id, t.expires)
	if err != nil {
		return nil, storeFault(ctx, err)
	}
	if !fresh {
		return nil, invalidFault(codeParams, "invalid requestState: it was already used%s", again)
	}
	return &t, nil
}

// newAsk returns the proposal of a call. If the server's hints are trusted, the list
// trusted contains the tool's definition. Otherwise the proposal contains the definition
// if it can affect the verdict.
func (h *Handler) newAsk(c *call) (a machine.Ask, trusted []mutation.Tool) {
	p := proposal.Proposal{Tool: c.tool, Arguments: c.arguments, Heard: h.heard.latestOf(c, h.Gate.Now())}
	if c.found.hasTrustedHints(c.server) {
		definition := c.found.definition
		definition.Trusted = true
		trusted = append(trusted, definition)
	} else if h.Gate.Policy().Hears(c.found.definition) {
		p.Tools = append(p.Tools, c.found.definition)
	}
	return machine.Ask{By: c.who, Session: c.sessionName(), Trace: gate.TraceOf(c.Header), Tells: true, Calls: []proposal.Proposal{p}}, trusted
}

// decideCall decides a call by the policy and carries out the verdict. If there is
// already a pending or approved question about the same call, decideCall continues with
// this question instead.
func (h *Handler) decideCall(ctx context.Context, c *call, t *ticket) *fault {
	waiting, err := h.decisions().Open(ctx, c.who.Tenant, c.who.Name, c.sessionName(), c.digest)
	if err != nil {
		return storeFault(ctx, err)
	}
	for i := range waiting {
		all, err := gate.StandingLatest(ctx, h.decisions(), c.who.Tenant, []string{waiting[i].ID})
		if err != nil {
			return storeFault(ctx, err)
		}
		if s := all[0].State; s == machine.Pending || s == machine.Approved {
			return h.joinQuestion(c, &all[0])
		}
	}
	if c.Context().Err() != nil {
		return nil // nothing is asked for a client that has left
	}
	if h.runsElsewhere(c) {
		h.refuseCall(c, nil, string(machine.Claimed), runningText)
		return nil
	}
	a, trusted := h.newAsk(c)
	if c.server.Ask == AskHost {
		passes, err := h.Gate.Exempt(ctx, a, "the host asks", trusted...)
		if err != nil {
			return storeFault(ctx, err)
		}
		if passes {
			h.forwardCall(c, t)
			return nil
		}
	}
	plan, err := h.decisions().Propose(ctx, a, trusted...)
	if err != nil {
		return storeFault(ctx, err)
	}
	switch plan.Verdict {
	case proposal.Allow:
		h.forwardCall(c, t)
		return nil
	case proposal.Confirm:
		if !plan.Asked() { // a rule counts the call, so it is claimed
			return h.answerByState(c, &plan.Records[0], 0)
		}
		h.joinWaiting(c, &plan.Records[0])
		h.readState(c, &plan.Records[0])
		if h.Waiting != nil && h.questionMode(c, &plan.Records[0]) == "" {
			h.Waiting(h.decisions().Link(plan.Records[0].ID))
		}
		if c.stream != nil { // the person sits at the same machine
			return h.joinQuestion(c, &plan.Records[0])
		}
		return h.answerByState(c, &plan.Records[0], 0)
	}
	if r := plan.Members[0].Told; r != nil {
		h.refuseCall(c, r, string(r.State), outcomeText(r))
		return nil
	}
	by := "Denied by the policy: "
	if plan.Members[0].Person {
		by = "Denied: "
	}
	h.refuseCall(c, nil, "denied", by+plan.Members[0].Reason)
	return nil
}

// joinQuestion answers a call that already has a question. A client that can be asked
// gets the question again. For any other client, joinQuestion first waits for a decision.
func (h *Handler) joinQuestion(c *call, r *machine.Record) *fault {
	h.joinWaiting(c, r)
	if r.State == machine.Pending && h.questionMode(c, r) == "" {
		var f *fault
		if r, f = h.awaitDecision(c, r.ID); f != nil {
			return f
		}
	}
	return h.answerByState(c, r, 0)
}

// awaitDecision waits for a decision, at most for the time h.Wait, and returns the
// record.
func (h *Handler) awaitDecision(c *call, id string) (*machine.Record, *fault) {
	ctx, cancel := context.WithTimeout(c.Context(), h.Wait)
	defer cancel()
	c.out.extendDeadline(h.Wait + patience)
	all, err := gate.SettleLatest(ctx, h.decisions(), c.who.Tenant, []string{id}, nil)
	if err != nil {
		return nil, storeFault(ctx, err)
	}
	return &all[0], nil
}

// answerByState answers according to the state of a record.
func (h *Handler) answerByState(c *call, r *machine.Record, round int) *fault {
	switch {
	case c.Context().Err() != nil:
		return nil // see leaveQuestion
	case c.own && !c.inTurn && (r.State == machine.Approved || r.State == machine.Claimed):
		return h.runInTurn(c, r)
	case r.State == machine.Approved:
		return h.runApproved(c, r)
	case r.State == machine.Pending:
		return h.sendQuestion(c, r, round)
	}
	h.decisions().Told(context.WithoutCancel(c.Context()), r)
	h.refuseCall(c, r, string(r.State), outcomeText(r))
	return nil
}

// runningText is what a client is told of a call that another request has claimed.
const runningText = "It is running, or may have run, by another request. Check its effect before you repeat it."

func outcomeText(r *machine.Record) string {
	switch r.State {
	case machine.Denied:
		v, _ := r.Decided()
		if v.Reason != "" {
			return fmt.Sprintf("Denied by %s: %s", v.By, v.Reason)
		}
		return fmt.Sprintf("Denied by %s.", v.By)
	case machine.Answered:
		v, _ := r.Decided()
		return "Not run: an approver answered this call in place of a yes or a no. They wrote: " + v.Reason
	case machine.Expired:
		return "Nobody decided in time, so the call counts as denied."
	case machine.Cancelled:
		if r.Stopped.Text != "" {
			return "Not run: " + r.Stopped.Text + "."
		}
		return "The question was cancelled. Nothing has run."
	}
	if r.State == machine.Claimed {
		return runningText
	}
	return fmt.Sprintf("This call was already %s. Check its effect before you repeat it.", r.State)
}

// resumeCall continues a held call after the client has answered.
func (h *Handler) resumeCall(ctx context.Context, c *call, t *ticket) *fault {
	all, err := gate.StandingLatest(ctx, h.decisions(), c.who.Tenant, []string{t.record})
	if err != nil {
		return storeFault(ctx, err)
	}
	r := &all[0]
	if r.Principal != c.who.Name || !standsFor(r, c.digest) || r.Session != c.sessionName() {
		return invalidFault(codeParams, "invalid requestState: it belongs to another call")
	}
	if t.mode == "" {
		return h.proceedCall(c, r, t)
	}
	h.joinWaiting(c, r)
	if r.State != machine.Pending {
		return h.answerByState(c, r, t.round)
	}
	return h.handleResponse(ctx, c, r, t.mode, c.params.At("inputResponses", confirm), t.round)
}

// claimCall claims a call, also if its client leaves meanwhile: a claim that is cut off may count, and nobody would report
// that nothing was sent.
func (h *Handler) claimCall(c *call, id string) (machine.Record, machine.Answer, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Context()), patience)
	defer cancel()
	return h.decisions().Claim(ctx, c.who, id)
}

// runApproved claims the approved call and sends the stored bytes, once. It first checks
// that the tool's definition is still the definition for which the call was approved.
func (h *Handler) runApproved(c *call, r *machine.Record) *fault {
	if r.Waits(h.decisions().Clock()) {
		later, f := h.awaitDecision(c, r.ID)
		if f != nil {
			return f
		}
		if r = later; r.State != machine.Approved {
			return h.answerByState(c, r, 0)
		}
	}
	ctx, cancel := context.WithTimeout(c.Context(), patience)
	defer cancel()
	list, f := h.loadTools(ctx, c.query)
	if f != nil {
		return f
	}
	now := list.tools[c.name]
	if now == nil || now.pin.Held() || now.pin.Hash != c.found.pin.Hash || r.Session != c.sessionName() {
		if _, _, err := h.decisions().Apply(ctx, c.who.Tenant, r.ID, machine.Event{Kind: machine.Cancel, By: c.who}); err != nil {
			return storeFault(ctx, err)
		}
		h.refuseCall(c, r, "held", "The definition of this tool has changed since the call was approved, so the approval is no longer valid. Nothing has run.")
		return nil
	}
	if !h.beginSending(c) {
		return nil
	}
	taken, a, err := h.claimCall(c, r.ID)
	switch {
	case err != nil:
		return storeFault(ctx, err)
	case a.Code == machine.Early:
		h.refuseCall(c, &taken, string(taken.State), "Not run yet: "+a.Text+gate.SameAgain)
		return nil
	case a.Code != machine.OK && (taken.State == machine.Approved || taken.State == machine.Pending):
		h.refuseCall(c, &taken, string(taken.State), "Not run: "+a.Text+".")
		return nil
	case a.Code != machine.OK: // others were faster
		h.refuseCall(c, &taken, string(taken.State), outcomeText(&taken))
		return nil
	}
	h.sendStored(c, &taken, "")
	return nil
}
