package gate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/hookcall"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// HookHost is the host whose hooks the gate answers: the name of its reviewed table.
const HookHost = "claude-code"

// hookPath is the path that a host's HTTP hook calls.
const hookPath = "/v1/hooks/" + HookHost

// hookAnswer is the answer to the host. It changes the call's arguments only if an approver
// did: then Updated has those that were approved.
type hookAnswer struct {
	Event   string `json:"hookEventName"`
	Verdict string `json:"permissionDecision,omitempty"` // allow or deny
	Reason  string `json:"permissionDecisionReason,omitempty"`
	Context string `json:"additionalContext,omitempty"`

	Updated json.RawMessage `json:"updatedInput,omitempty"`

	Decision *hookDecision `json:"decision,omitempty"` // of a PermissionRequest, in place of the members above

	open bool // no decision, on purpose: an answer that was left empty denies
}

// hookDecision is the decision in the answer to a PermissionRequest.
type hookDecision struct {
	Behavior string          `json:"behavior"`          // allow or deny
	Message  string          `json:"message,omitempty"` // of a denial, for the model
	Updated  json.RawMessage `json:"updatedInput,omitempty"`
}

// toPermit returns a decision in the form that a PermissionRequest takes.
func (a hookAnswer) toPermit() hookAnswer {
	d := &hookDecision{Behavior: a.Verdict, Updated: a.Updated}
	if d.Behavior == "deny" {
		d.Message = a.Reason
	}
	return hookAnswer{Event: hookcall.Permit, Decision: d}
}

// hookVerdict returns an answer with a decision for the host.
func hookVerdict(verdict, reason string) hookAnswer {
	return hookAnswer{Event: hookcall.Before, Verdict: verdict, Reason: reason}
}

func hookDenial(format string, a ...any) hookAnswer {
	return hookVerdict("deny", "blocked: "+fmt.Sprintf(format, a...))
}

// hookNoDecision returns an answer without a decision, after which the host's own
// permission dialogue decides.
func hookNoDecision() hookAnswer { return hookAnswer{open: true} }

// hookReply returns an answer in the form that the host's event takes. The status is always
// 200, because a host allows the call after any status that is not a 2xx.
func hookReply(event string, a hookAnswer) reply {
	out := hookedMessage{}
	switch a = a.orDenial(); {
	case a.open:
	case event == hookcall.After || event == hookcall.Failed: // nothing is left to decide
		out.Message = "the gate has not recorded the outcome of this call: " + a.Reason
	case event == hookcall.Permit:
		out.Output = a.toPermit()
	default:
		out.Output = a
	}
	return reply{status: 200, body: wire.Marshal(out)}
}

// orDenial returns an answer, or a denial in place of one that says nothing.
func (a hookAnswer) orDenial() hookAnswer {
	if a.Verdict == "" && !a.open {
		return hookDenial("the gate cannot decide")
	}
	return a
}

// longestHook is the longest time that a hook may wait, in seconds. It is below the ten
// minutes of the hosts, because a host allows the call when they are over.
const longestHook = 540

// handleHook answers the HTTP hook of an agent's host. It waits for a person's decision,
// by default for 25 seconds. The query ?wait=SECONDS sets another time.
func (g *Gate) handleHook(w http.ResponseWriter, q *request) (out reply) {
	var seen bytes.Buffer // what was read of the body
	rest := io.Reader(http.NoBody)
	if q.Body != nil {
		rest = q.Body
		q.Body = struct {
			io.Reader
			io.Closer
		}{io.TeeReader(rest, &seen), q.Body}
	}
	event := func() string { return findEvent(io.MultiReader(&seen, io.LimitReader(rest, longestRest))) }
	defer func() {
		if p := recover(); p != nil {
			out = hookReply(event(), hookDenial("internal error: %v", p))
		}
	}()
	a := g.answerHook(w, q)
	return hookReply(event(), a)
}

// longestRest is how many bytes of a body are searched for the event behind those that were
// read for the answer.
const longestRest = 4 << 20

// findEvent returns the event of a body, which decides the form of each answer, also of a
// refusal. It returns "" if the event is not there.
func findEvent(body io.Reader) string {
	d := json.NewDecoder(body)
	for d.Token(); d.More(); { // the token opens the object
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return ""
		}
		if name := ""; key == "hook_event_name" && json.Unmarshal(value, &name) == nil {
			return name
		}
	}
	return ""
}

func (g *Gate) answerHook(w http.ResponseWriter, q *request) hookAnswer {
	r, who, refusal := g.Admit(q.Request)
	switch {
	case refusal != nil:
		return hookDenial("%s", refusal.Message)
	case who.Role != machine.Agent:
		return hookDenial("this request needs the key of an agent, not the key of an approver")
	}
	q.who, q.Request = who, r
	if refused := g.readBody(q); refused != nil {
		return hookDenial("the input cannot be read, or is over %d bytes", g.Limit)
	}
	c, err := hookcall.Read(string(q.body))
	if err != nil {
		return hookDenial("%v", err)
	}
	if err := q.to.checkQuery(q.URL.RawQuery); err != nil {
		return hookDenial("%v", err)
	}
	wait, invalid := hookWait(q, 25)
	if invalid != "" {
		return hookDenial("%s", invalid)
	}
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(wait + 2*patience))
	if c.Event != hookcall.Before && c.Event != hookcall.Permit {
		return g.hookOutcome(q, c)
	}
	return g.hookAsk(q, c, wait)
}

// hookAsk decides about a call that the host wants to make. If the same session has
// already made exactly this call and the question is still open, hookAsk waits for that
// question. Otherwise it proposes the call.
func (g *Gate) hookAsk(q *request, c hookcall.Call, wait time.Duration) hookAnswer {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	const down = "the gate's store does not answer"
	open, err := g.Store.Open(ctx, q.who.Tenant, q.who.Name, c.Session, proposal.DigestIn(c.Dir, c.Tool, c.Arguments))
	if err != nil {
		return hookDenial(down)
	}
	for i := range open {
		r, err := g.loadCurrent(ctx, q.who.Tenant, open[i].ID)
		if err != nil {
			return hookDenial(down)
		}
		if r.State == machine.Pending || r.State == machine.Approved {
			return g.hookAwait(q, c, &r, wait)
		}
	}
	by := q.who
	by.Host = HookHost
	plan, err := g.Propose(ctx, machine.Ask{By: by, Session: c.Session, Tells: true, Calls: []proposal.Proposal{{Tool: c.Tool, Arguments: c.Arguments, Dir: c.Dir}}})
	switch {
	case errors.Is(err, store.ErrFull):
		return hookDenial("%v", err)
	case err != nil:
		return hookDenial(down)
	case plan.Verdict == proposal.Allow:
		return hookNoDecision()
	case plan.Verdict == proposal.Confirm:
		return g.hookAwait(q, c, &plan.Records[0], wait)
	}
	return hookVerdict("deny", plan.Members[0].Reason)
}

// hookAwait waits for a person's decision about a call. It claims an approved call before
// it allows the call.
func (g *Gate) hookAwait(q *request, c hookcall.Call, r *machine.Record, wait time.Duration) hookAnswer {
	ctx, cancel := context.WithTimeout(q.Context(), wait)
	defer cancel()
	all, err := SettleLatest(ctx, g, r.Tenant, []string{r.ID}, nil)
	if err != nil {
		return hookDenial("the gate's store does not answer")
	}
	if removed := KeyRemoved(ctx); removed != nil {
		return hookDenial("%s", removed.Message)
	}
	switch now := &all[0]; now.State {
	case machine.Pending:
		return hookVerdict("deny", fmt.Sprintf("approval pending at %s: nobody has decided yet. Make exactly the same call again later. A changed call needs a new approval.%s", g.Link(r.ID), now.Why.Unsure.ModelText()))
	case machine.Approved:
		return g.hookClaim(q, c, now)
	case machine.Answered:
		v, _ := now.Decided()
		g.Told(context.WithoutCancel(ctx), now)
		return hookVerdict("deny", HookAnswered(v.By, v.Reason))
	case machine.Denied:
		v, _ := now.Decided()
		return hookVerdict("deny", strings.TrimSuffix("denied by "+v.By+": "+v.Reason, ": "))
	case machine.Expired, machine.Cancelled:
		return hookVerdict("deny", "the question is "+string(now.State)+", so the call counts as denied")
	default:
		return hookVerdict("deny", HookTaken(string(now.State)))
	}
}

// SameAgain tells the model what to do about a claim that came early.
const SameAgain = ". Make exactly the same call again then, without any other call"

// HookTaken is the reason for which a call does not run again that somebody has claimed.
func HookTaken(state string) string {
	if state == string(machine.Claimed) {
		return "this call is running, or may have run, by another request. Check the effect of this call before you repeat the call"
	}
	return "this call was " + state + " already. Check the effect of this call before you repeat the call"
}

// HookAnswered is the reason for which a call does not run if an approver answered it.
func HookAnswered(by, text string) string {
	return "not run: " + by + " answered this call in place of a yes or a no: " + text
}

// HookEdited tells the host that other arguments run than those of its call.
func HookEdited(by, arguments string) string {
	return by + " changed this call before approving it; it runs with these arguments: " + arguments
}

func (g *Gate) hookClaim(q *request, c hookcall.Call, r *machine.Record) hookAnswer {
	if q.Context().Err() != nil {
		return hookDenial("the host has closed the connection") // the host does not receive this; the approval stays valid
	}
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	taken, a, err := g.Claim(ctx, q.who, r.ID)
	switch {
	case err != nil:
		return hookDenial("the gate's store does not answer")
	case a.Code == machine.Early:
		return hookVerdict("deny", a.Text+SameAgain)
	case a.Code != machine.OK && taken.State != machine.Approved && taken.State != machine.Pending && taken.State != machine.Cancelled:
		return hookVerdict("deny", HookTaken(string(taken.State))) // others were faster
	case a.Code != machine.OK:
		return hookVerdict("deny", a.Text)
	}
	if m := taken.Why.Recalled; m != nil {
		return hookVerdict("allow", "a remembered yes of "+m.By)
	}
	v, asked := taken.Decided()
	if !asked { // a rule counts the call, but nobody has approved it
		return hookNoDecision()
	}
	if taken.Arguments != c.Arguments && taken.Why.Edit == nil {
		return hookDenial("the gate released another call than the one of the host")
	}
	if taken.Arguments == c.Arguments {
		return hookVerdict("allow", "approved by "+v.By)
	}
	return hookAnswer{Event: hookcall.Before, Verdict: "allow", Reason: "approved by " + v.By,
		Context: HookEdited(taken.Why.Edit.By, taken.Arguments), Updated: json.RawMessage(taken.Arguments)}
}

// HookOther is the report about an edited call whose host names other arguments after it.
const HookOther = "the host reports other arguments than those that an approver put into the call, so it is not known which ran"

// hookOutcome records the outcome of a call that this hook has allowed. A failure
// counts as ambiguous, because the tool may have done part of its work.
func (g *Gate) hookOutcome(q *request, c hookcall.Call) hookAnswer {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	state := machine.Executed
	if c.Event == hookcall.Failed {
		state = machine.Ambiguous
	}
	taken, err := g.Store.ClaimedInSession(ctx, q.who.Tenant, q.who.Name, c.Session, c.Tool, c.Arguments, proposal.DigestIn(c.Dir, c.Tool, c.Arguments))
	taken = slices.DeleteFunc(taken, func(r machine.Record) bool {
		digest := proposal.DigestIn(r.Why.Dir, c.Tool, c.Arguments) // the call may have changed the directory
		return r.Digest != digest && r.Root() != digest && len(proposal.Changes(r.Arguments, c.Arguments)) > 0
	})
	for i := range taken {
		if err != nil {
			break
		}
		var a machine.Answer
		state, detail := state, "reported by the host's hook"
		if taken[i].Why.Edit != nil && len(proposal.Changes(taken[i].Arguments, c.Arguments)) > 0 {
			state, detail = machine.Ambiguous, HookOther
		}
		if _, a, err = g.Report(ctx, q.who, taken[i].ID, state, detail, c.Result); err == nil && a.Code == machine.OK {
			break // one call has one outcome
		}
	}
	return hookNoDecision()
}
