package gate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/proposal"
	"github.com/boundcheck/boundcheck/core/wire"
)

// hookPath is where a host's HTTP hook asks.
const hookPath = "/v1/hooks/claude-code"

// hookAnswer is what the host is told. It never changes the call's arguments.
type hookAnswer struct {
	Event   string `json:"hookEventName"`
	Verdict string `json:"permissionDecision"` // allow or deny
	Reason  string `json:"permissionDecisionReason"`
	Context string `json:"additionalContext,omitempty"`
}

// hooked is a decision. A host lets the call pass on any status but a 2xx, so
// whatever went wrong is told with one.
func hooked(verdict, reason string) reply {
	return reply{status: 200, body: wire.Marshal(hookedMessage{hookAnswer{Event: HookBefore, Verdict: verdict, Reason: reason}})}
}

func blocked(format string, a ...any) reply {
	return hooked("deny", "blocked: "+fmt.Sprintf(format, a...))
}

// unasked leaves the call to the host's own permission flow.
func unasked() reply { return reply{status: 200, body: []byte("{}\n")} }

// longestHook is how long a hook may wait, in seconds: below the ten minutes that
// hosts give it, because running out of them lets the call pass.
const longestHook = 540

// hook answers a host's HTTP hook. ?wait=SECONDS waits for a decision; 25 without.
func (g *Gate) hook(w http.ResponseWriter, q *request) (out reply) {
	defer func() {
		if p := recover(); p != nil {
			out = blocked("internal error: %v", p)
		}
	}()
	who, refusal := g.Admit(q.Request)
	switch {
	case refusal != nil:
		return blocked("%s", refusal.Message)
	case who.Role != machine.Agent:
		return blocked("this takes the key of an agent, not of an approver")
	}
	q.who = who
	if refused := g.read(q); refused != nil {
		return blocked("the input cannot be read, or is over %d bytes", g.Limit)
	}
	c, err := ReadHook(string(q.body))
	if err != nil {
		return blocked("%v", err)
	}
	wait := 25
	if s := q.URL.Query().Get("wait"); s != "" {
		if wait, err = strconv.Atoi(s); err != nil || wait < 0 || wait > longestHook {
			return blocked("invalid wait: want 0 to %d seconds, saw %q", longestHook, s)
		}
	}
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Duration(wait)*time.Second + 2*patience))
	if c.Event != HookBefore {
		return g.hookOutcome(q, c)
	}
	return g.hookAsk(q, c, time.Duration(wait)*time.Second)
}

// hookAsk finds the question that this very call has raised, or raises it.
func (g *Gate) hookAsk(q *request, c HookCall, wait time.Duration) reply {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	const down = "the gate's store does not answer"
	open, err := g.Store.Open(ctx, q.who.Tenant, q.who.Name, c.Session, proposal.Digest(c.Tool, c.Arguments))
	if err != nil {
		return blocked(down)
	}
	for i := range open {
		r, err := g.current(ctx, q.who.Tenant, open[i].ID)
		if err != nil {
			return blocked(down)
		}
		if r.State == machine.Pending || r.State == machine.Approved {
			return g.hookAwait(q, &r, wait)
		}
	}
	plan, err := g.Propose(ctx, machine.Ask{By: q.who, Session: c.Session, Calls: []proposal.Proposal{{Tool: c.Tool, Arguments: c.Arguments}}})
	switch {
	case errors.Is(err, ErrFull):
		return blocked("%v", err)
	case err != nil:
		return blocked(down)
	case plan.Verdict == proposal.Allow:
		return unasked()
	case plan.Verdict == proposal.Confirm:
		return g.hookAwait(q, &plan.Records[0], wait)
	}
	return hooked("deny", plan.Members[0].Reason)
}

// hookAwait waits for people, and allows the call only after it has taken up
// exactly these bytes.
func (g *Gate) hookAwait(q *request, r *machine.Record, wait time.Duration) reply {
	ctx, cancel := context.WithTimeout(q.Context(), wait)
	defer cancel()
	all, err := g.Settle(ctx, r.Tenant, []string{r.ID}, nil)
	if err != nil {
		return blocked("the gate's store does not answer")
	}
	switch now := &all[0]; now.State {
	case machine.Pending:
		return hooked("deny", fmt.Sprintf("approval pending at %s: nobody has decided yet. Make exactly the same call again later; a changed call is a new question.", g.Link(r.ID)))
	case machine.Approved:
		return g.hookClaim(q, now)
	case machine.Denied:
		v, _ := now.Decided()
		return hooked("deny", strings.TrimSuffix("denied by "+v.By+": "+v.Reason, ": "))
	case machine.Expired, machine.Cancelled:
		return hooked("deny", "the question is "+string(now.State)+": it counts as denied")
	default:
		return hooked("deny", "this call was "+string(now.State)+" already; do not repeat it without looking at what it did")
	}
}

func (g *Gate) hookClaim(q *request, r *machine.Record) reply {
	if q.Context().Err() != nil {
		return blocked("the host has gone") // and hears nothing; the approval stays
	}
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	taken, a, err := g.Claim(ctx, q.who, r.ID)
	switch {
	case err != nil:
		return blocked("the gate's store does not answer")
	case a.Code != machine.OK:
		return hooked("deny", a.Text)
	}
	v, _ := taken.Decided()
	return hooked("allow", "approved by "+v.By)
}

// hookOutcome takes down how a call went that this hook has allowed. A failure
// counts as ambiguous: the tool may have done part of its work.
func (g *Gate) hookOutcome(q *request, c HookCall) reply {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	state := machine.Executed
	if c.Event == HookFailed {
		state = machine.Ambiguous
	}
	taken, err := g.Store.ClaimedInSession(ctx, q.who.Tenant, q.who.Name, c.Session, proposal.Digest(c.Tool, c.Arguments))
	for i := range taken {
		if err != nil {
			break
		}
		var a machine.Answer
		if _, a, err = g.Report(ctx, q.who, taken[i].ID, state, "told by the host's hook"); err == nil && a.Code == machine.OK {
			break // one call, one outcome
		}
	}
	return unasked()
}
