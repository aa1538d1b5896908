package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/hookcall"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// maxCalls is the largest size of a batch: nobody decides more calls at once.
const maxCalls = 64

// verdict is the answer to POST /v1/proposals. For one call its members are those of
// the call. For a batch, Calls has the members of each call.
type verdict struct {
	Decision      string `json:"decision"`
	Index         *int   `json:"index,omitempty"`
	ID            string `json:"id,omitempty"`
	Reason        string `json:"reason,omitempty"`
	Prompt        string `json:"prompt,omitempty"`
	Digest        string `json:"digest,omitempty"`
	Expires       string `json:"expires,omitempty"`
	URL           string `json:"url,omitempty"`
	State         string `json:"state,omitempty"`
	Mutating      string `json:"mutating,omitempty"`
	Uninspectable bool   `json:"uninspectable,omitempty"`
	Inexact       int    `json:"inexact,omitempty"`   // number of numbers that not every program reads in the same way
	Approvals     int    `json:"approvals,omitempty"` // number of approvals that it needs
	Reflection    string `json:"reflection,omitempty"`
	Rule          string `json:"rule,omitempty"`   // of the policy that decided
	Line          int    `json:"line,omitempty"`   // of the rule in the policy
	Answer        string `json:"answer,omitempty"` // of an approver to an equal call, which the agent had not been told
	Run           string `json:"run,omitempty"`    // of an allowed call: the one Idempotency-Run that may run it

	Asked *proposal.Asker `json:"asked,omitempty"` // who asked for the call, if the conversation is known
	Calls []verdict       `json:"calls,omitempty"`
}

func (g *Gate) handlePropose(_ http.ResponseWriter, q *request) reply {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	a, batch, err := readAsk(q.json, string(q.body))
	if err != nil {
		return reply{status: 400, body: wire.FailWith(err)}
	}
	k, invalid := readKeyed(q, batch)
	if invalid != "" {
		return errorReply(400, wire.CodeInput, invalid)
	}
	a.By, a.Trace, a.Tells = q.who, TraceOf(q.Header), true
	if k.key != "" {
		if old, found, err := g.Store.Kept(ctx, q.who.Tenant, q.who.Name, k.key); err != nil || found {
			return g.answerRepeat(ctx, &a, k, old, err)
		}
	}
	if err := g.setFreshIDs(&a); err != nil {
		return storeErrorReply(err)
	}
	if k.key == "" {
		plan, err := g.decideCalls(ctx, g.Policy(), &a)
		if err != nil {
			return storeErrorReply(err)
		}
		return g.planReply(&a, plan, batch)
	}
	return g.proposeOnce(ctx, &a, k)
}

// proposeOnce answers the first request with an idempotency key.
func (g *Gate) proposeOnce(ctx context.Context, a *machine.Ask, k keyed) reply {
	plan, err := g.planCalls(ctx, g.Policy(), a, true)
	if err == nil {
		if answer, told, broken := g.tellAnswer(ctx, a, &plan); told || broken != nil {
			plan, err = answer, broken
		}
	}
	if err != nil {
		return storeErrorReply(err)
	}
	out := g.planReply(a, plan, k.batch)
	if k.run != "" && mayRunOnce(&plan) {
		out.body = withRun(string(out.body), k.run)
	}
	kept := store.Kept{Digest: k.digest, Status: out.status, Answer: string(out.body)}
	for _, r := range plan.Records {
		kept.IDs = append(kept.IDs, r.ID)
	}
	if old, fresh, err := g.Store.Keep(ctx, a.By.Tenant, a.By.Name, k.key, kept, g.Now()); err != nil || !fresh {
		return g.answerRepeat(ctx, a, k, old, err)
	}
	if err := g.savePlan(ctx, a, plan, true); err != nil {
		if errors.Is(err, store.ErrFull) || errors.Is(err, store.ErrAssumed) { // the same request may be sent again
			err = errors.Join(err, g.Store.Unkeep(ctx, a.By.Tenant, a.By.Name, k.key))
		}
		return storeErrorReply(err)
	}
	return out
}

// savePlan stores a plan with its audit entries, unless its agent was frozen meanwhile or,
// if look is false, what planCalls assumed is not so: then the error is store.ErrAssumed. A
// call that waits is checked again when it is claimed. Call savePlan before the answer is sent.
func (g *Gate) savePlan(ctx context.Context, a *machine.Ask, plan machine.Plan, look bool) error {
	if err := g.Store.NoteAssumed(ctx, store.Assumed{Thawed: a.Frozen == nil}, plan.Notes...); err != nil {
		return err
	}
	var assumed store.Assumed
	if !look {
		assumed = store.Assumed{Thawed: true, Tools: toolsOf(a), Since: g.Now() - machine.Recall - oldest}
	}
	if err := g.Store.InsertWithin(ctx, plan.Records, plan.Entries, g.agentQuota(a.By), assumed); err != nil {
		return err
	}
	if len(plan.Records)+len(plan.Notes) > 0 {
		g.hub.Wake(plan.Records...)
	}
	g.meter.Proposed(a, plan, g.Now())
	return nil
}

// runHeader names one attempt to run a call. The answers to all requests with one
// Idempotency-Key name the same attempt, so a call that nobody has to claim runs once.
const runHeader = "Idempotency-Run"

// keyed is what a request says of its repetition. The key and the run are "" without their
// headers. The digest is that of the body.
type keyed struct {
	key, run, digest string
	batch            bool // the body is a list of calls
}

// readKeyed reads the headers of a request. The result invalid is not "" for invalid ones.
func readKeyed(q *request, batch bool) (k keyed, invalid string) {
	hash := sha256.Sum256(q.body)
	k = keyed{q.Header.Get("Idempotency-Key"), q.Header.Get(runHeader), hex.EncodeToString(hash[:]), batch}
	if len(k.key) > 255 || !hookcall.IsPrintable(k.key) {
		return k, "invalid Idempotency-Key: want at most 255 printable characters"
	}
	if k.run != "" && (k.key == "" || batch || len(k.run) > 64 || !hookcall.IsPrintable(k.run)) {
		return k, "invalid " + runHeader + ": it names an attempt to run one call, so want at most 64 printable characters, one call in the body (no list), and an Idempotency-Key beside it"
	}
	return k, ""
}

// mayRunOnce reports whether a plan allows one call that is not known to change nothing.
func mayRunOnce(plan *machine.Plan) bool {
	return plan.Verdict == proposal.Allow && len(plan.Notes) == 1 && plan.Notes[0].Verdict != mutation.No.String()
}

// withRun returns an answer with the attempt that may run its call.
func withRun(answer, run string) []byte {
	var v verdict
	json.Unmarshal([]byte(answer), &v) // it was encoded from one
	v.Run = run
	return wire.Marshal(v)
}

// unnamedRun is the attempt of a client that sent none, and that may have run the call: no later attempt may.
const unnamedRun = "(a request without Idempotency-Run)"

// ownRun returns a repeated answer that allows a call, with the attempt that may run it: that of the first request. A client
// that sends no attempt does not look for one.
func ownRun(k keyed, answer string) string {
	var v verdict
	if json.Unmarshal([]byte(answer), &v); v.Run != "" || k.run == "" {
		return answer
	}
	return string(withRun(answer, unnamedRun))
}

// answerRepeat answers a request whose idempotency key was used before. If the request is
// the same, the answer is the stored answer old. Otherwise it is an error. If old allowed
// the call, the call is decided again, because the rule may have ended. The parameter
// err is the error of loading old.
func (g *Gate) answerRepeat(ctx context.Context, a *machine.Ask, k keyed, old store.Kept, err error) reply {
	if err != nil {
		return storeErrorReply(err)
	}
	if old.Digest != k.digest {
		return errorReply(422, CodeKey, "the Idempotency-Key was used for another request. Use a new Idempotency-Key for a changed call")
	}
	if len(old.IDs) > 0 {
		if _, err := g.Store.Load(ctx, a.By.Tenant, old.IDs[0]); err == store.ErrNone {
			if old.WasInterrupted(g.Now()) {
				a.IDs = nil
				if err := errors.Join(g.Store.UnkeepOld(ctx, a.By.Tenant, a.By.Name, k.key, old.At), g.setFreshIDs(a)); err != nil {
					return storeErrorReply(err)
				}
				return g.proposeOnce(ctx, a, k) // of several such requests, one is the first
			}
			return errorReply(409, CodeKey, "the request with this Idempotency-Key is running or was interrupted. Send it again: after a minute it counts as a new one if its calls are not in the list of proposals")
		} else if err != nil {
			return storeErrorReply(err)
		}
	}
	if old.Status == 200 {
		a.IDs = make([]string, len(a.Calls)) // nothing is stored under these ids
		plan, err := g.planCalls(ctx, g.Policy(), a, true)
		if err != nil {
			return storeErrorReply(err)
		}
		if plan.Verdict != proposal.Allow {
			return errorReply(409, CodeConflict, "this call was allowed before, and may have run; it is not allowed now. Check its effect before you make it again as a new call") // the same request cannot succeed
		}
		if err := g.savePlan(ctx, a, plan, true); err != nil {
			return storeErrorReply(err)
		}
		if mayRunOnce(&plan) {
			old.Answer = ownRun(k, old.Answer)
		}
	}
	return reply{status: old.Status, body: []byte(old.Answer)}
}

// setFreshIDs sets fresh random ids for the calls and for the batch.
func (g *Gate) setFreshIDs(a *machine.Ask) (err error) {
	for range a.Calls {
		id, err := g.Fresh("p_")
		if err != nil {
			return err
		}
		a.IDs = append(a.IDs, id)
	}
	a.Batch, err = g.Fresh("b_")
	return err
}

// readAsk parses the body of a request that proposes calls. The result batch is true for
// an array and for {"calls":[…]}. The body has one of these forms:
//
//   - one proposal
//   - an array of proposals
//   - {"calls":[…]}, with members that all calls share
//
// It relies on checkStrict: a member "table" would say what a tool may do, and only the
// operator says that.
func readAsk(v jsonval.Value, body string) (a machine.Ask, batch bool, err error) {
	list := v
	if calls := v.Get("calls"); v.Kind() == jsonval.Object && calls.Exists() {
		if a.Session, err = readSession(v); err != nil {
			return a, true, err
		}
		list = calls
	}
	shared := proposal.Proposal{}
	if list.Kind() == jsonval.Array && v.Kind() == jsonval.Object {
		if shared, err = readShared(v); err != nil {
			return a, true, err
		}
	}
	if list.Kind() != jsonval.Array {
		return a, false, readCall(&a, v, body)
	}
	if n := list.Len(); n == 0 || n > maxCalls {
		return a, true, fmt.Errorf("invalid batch: want 1 to %d calls, saw %d", maxCalls, n)
	}
	for i, m := range list.Elements() {
		if err := readCall(&a, m, m.Raw()); err != nil {
			return a, true, fmt.Errorf("call %d: %w", i, err)
		}
		c := &a.Calls[i]
		c.Tools = append(c.Tools, shared.Tools...)
		if c.Policy == "" {
			c.Policy = shared.Policy
		}
		if !c.Conversation.Speaks() {
			c.Conversation = shared.Conversation
		}
	}
	return a, true, nil
}

// readShared reads the members that all calls of a batch share: tools, policy text and
// messages.
func readShared(v jsonval.Value) (p proposal.Proposal, err error) {
	if m := v.Get("tools"); m.Exists() {
		if p.Tools, err = mutation.ReadTools(m); err != nil {
			return p, err
		}
	}
	if m := v.Get("messages"); m.Exists() && m.Kind() != jsonval.Null {
		if p.Conversation, err = proposal.ReadConversation(m); err != nil {
			return p, err
		}
	}
	p.Policy, err = textMember(map[string]jsonval.Value{"policy": v.Get("policy")}, "policy")
	return p, err
}

func readCall(a *machine.Ask, v jsonval.Value, body string) error {
	c, err := proposal.Read(body)
	if err != nil {
		return err
	}
	session, err := readSession(v)
	if err != nil {
		return err
	}
	if a.Session == "" {
		a.Session = session
	}
	a.Calls = append(a.Calls, c)
	return nil
}

func readSession(v jsonval.Value) (string, error) {
	m := v.Get("session")
	if !m.Exists() || m.Kind() == jsonval.Null {
		return "", nil
	}
	s, ok := m.Str()
	if !ok || len(s) > 200 || !hookcall.IsPrintable(s) {
		return "", fmt.Errorf("invalid session: want a string of at most 200 bytes of printable characters")
	}
	return s, nil
}

// planReply returns the answer for a plan.
func (g *Gate) planReply(a *machine.Ask, plan machine.Plan, batch bool) reply {
	status := map[string]int{proposal.Allow: 200, proposal.Confirm: 202, machine.Denial: 403}[plan.Verdict]
	if !batch {
		return reply{status: status, body: wire.Marshal(g.callVerdict(plan, 0))}
	}
	out := verdict{Decision: plan.Verdict}
	for i, m := range plan.Members {
		v := g.callVerdict(plan, i)
		if plan.Verdict == machine.Denial && m.Verdict != machine.Denial { // a client that looks at one call must not run it
			v = verdict{Decision: machine.Denial, Reason: machine.SiblingDenied}
		}
		v.Index = &i
		out.Calls = append(out.Calls, v)
		if m.Verdict == machine.Denial && out.Reason == "" {
			out.Reason = "call " + strconv.Itoa(i) + ": " + m.Reason
		}
	}
	if len(plan.Records) > 0 {
		r := plan.Records[0]
		out.ID, out.URL, out.Expires = r.Batch, g.Link(r.Batch), store.Instant(r.Expires)
		if r.Batch == "" {
			out.ID, out.URL = r.ID, g.Link(r.ID)
		}
	}
	return reply{status: status, body: wire.Marshal(out)}
}

func (g *Gate) callVerdict(plan machine.Plan, i int) verdict {
	m := plan.Members[i]
	v := verdict{Decision: m.Verdict, Reason: m.Reason, Reflection: m.Reflection, Rule: m.Rule, Line: m.Line}
	if r := m.Told; r != nil {
		answer, _ := r.Decided()
		v.ID, v.Digest, v.URL, v.State, v.Answer = r.ID, r.Digest, g.Link(r.ID), string(r.State), answer.Reason
	}
	if len(plan.Records) == 0 {
		return v
	}
	r := &plan.Records[i]
	v.ID, v.Prompt, v.Digest, v.Expires, v.URL, v.State = r.ID, r.Prompt, r.Digest, store.Instant(r.Expires), g.Link(r.ID), string(r.State)
	v.Mutating, v.Uninspectable, v.Inexact, v.Approvals = r.Why.Verdict, r.Why.Uninspectable, r.Why.Inexact, r.Needs
	v.Asked = r.Why.Asked
	return v
}
