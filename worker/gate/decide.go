package gate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// standing is the answer to a request that changed a proposal.
type standing struct {
	ID        string        `json:"id"`
	State     machine.State `json:"state"`
	Needs     int           `json:"needs"`
	Approvals int           `json:"approvals"`
}

func standingOf(r *machine.Record) standing {
	return standing{ID: r.ID, State: r.State, Needs: r.Needs, Approvals: len(r.Approvals())}
}

// applyEvent applies an event to the proposal that the request names. The answer is the
// result of the function show. If show is nil, the answer is the proposal's state.
func (g *Gate) applyEvent(q *request, e machine.Event, show func(*machine.Record) []byte) reply {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	e.By = q.who
	r, a, err := g.Apply(ctx, q.who.Tenant, q.id, e)
	switch {
	case err != nil:
		return storeErrorReply(err)
	case a.Code != machine.OK:
		if a.Code == machine.Unavailable {
			store.Blame(ctx, errors.New(a.Text))
		}
		return refusalReply(a)
	case show == nil:
		return reply{status: 200, body: wire.Marshal(standingOf(&r))}
	}
	return reply{status: 200, body: show(&r)}
}

// handleDecisions decides several calls, one after the other. Each is bound to its own
// digest, and a refusal of one changes nothing for the others.
func (g *Gate) handleDecisions(_ http.ResponseWriter, q *request) reply {
	f, err := q.readMembers()
	list := f["decisions"].Elements()
	if err == nil && (len(list) == 0 || len(list) > maxCalls) {
		err = fmt.Errorf("invalid decisions: want 1 to %d of them, saw %d", maxCalls, len(list))
	}
	events, ids := make([]machine.Event, len(list)), make([]string, len(list))
	for i := 0; i < len(list) && err == nil; i++ {
		m := map[string]jsonval.Value{}
		list[i].Each(func(key string, v jsonval.Value) bool { m[key] = v; return true })
		if ids[i], err = textMember(m, "id"); err == nil && ids[i] == "" {
			err = errors.New("missing id: want the id of the call to decide")
		}
		if err == nil {
			events[i], err = readDecision(m, "")
		}
		if err != nil {
			err = fmt.Errorf("decision %d: %w", i, err)
		}
	}
	if err != nil {
		return reply{status: 400, body: wire.FailWith(err)}
	}
	out := decidedMessage{Results: make([]oneDecidedMessage, len(list))}
	for i := range events {
		out.Results[i] = g.decideOne(q, ids[i], events[i])
	}
	return reply{status: 200, body: wire.Marshal(out)}
}

func (g *Gate) decideOne(q *request, id string, e machine.Event) oneDecidedMessage {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	e.By = q.who
	r, a, err := g.Apply(ctx, q.who.Tenant, id, e)
	out := oneDecidedMessage{ID: id, Status: 200}
	refused := reply{}
	switch {
	case err != nil:
		refused = storeErrorReply(err)
		store.Blame(ctx, refused.cause)
	case a.Code != machine.OK:
		refused = refusalReply(a)
	default:
		s := standingOf(&r)
		out.State, out.Needs, out.Approvals = s.State, s.Needs, s.Approvals
		return out
	}
	v, _ := jsonval.Parse(string(refused.body))
	out.Status, out.Error = refused.status, &errorText{v.At("error", "code").Text(), v.At("error", "message").Text()}
	return out
}

func (g *Gate) handleDecision(_ http.ResponseWriter, q *request) reply {
	f, err := q.readMembers()
	e := machine.Event{}
	if err == nil {
		e, err = readDecision(f, strings.Trim(q.Header.Get("If-Match"), `"`))
	}
	if err != nil {
		return reply{status: 400, body: wire.FailWith(err)}
	}
	if tag := strings.Trim(q.Header.Get("If-Match"), `"`); tag != "" && tag != e.Digest {
		return errorReply(409, CodeConflict, "the digest in the header If-Match differs from the digest in the body; want the same in both, or in one of them")
	}
	return g.applyEvent(q, e, nil)
}

// readDecision reads a decision from the members of an object
// {"approve","digest","reason"?,"acknowledge"?,"seen"?,"bypass"?,"for"?}. The parameter header is a digest
// that counts if the object has none.
func readDecision(f map[string]jsonval.Value, header string) (e machine.Event, err error) {
	e = machine.Event{Kind: machine.Decide, Channel: "api"}
	approve, ok := f["approve"].Bool()
	if !ok {
		return e, errors.New(`missing decision: want {"approve": true or false, "digest": …, "reason"?: …}`)
	}
	e.Approve = approve
	if e.Digest, err = textMember(f, "digest"); err != nil {
		return e, err
	}
	if e.Digest == "" {
		e.Digest = header
	}
	if e.Digest == "" {
		return e, errors.New("missing digest: send the digest of the call that you approve or deny")
	}
	if e.Text, err = textMember(f, "reason"); err != nil {
		return e, err
	}
	if e.Seen, err = textMember(f, "seen"); err != nil {
		return e, err
	}
	if e.Giver, err = textMember(f, "for"); err != nil {
		return e, err
	}
	for name, to := range map[string]*bool{"acknowledge": &e.Acknowledge, "bypass": &e.Bypass} {
		if m := f[name]; m.Exists() {
			if *to, ok = m.Bool(); !ok {
				return e, fmt.Errorf("invalid %s: want true or false, saw %s", name, m.Kind())
			}
		}
	}
	return e, nil
}

// grant is the answer to a claim; it is issued once. Bytes has the arguments as a string,
// to check the digest. The answer also has the member "arguments": the same bytes as a
// JSON value, which spliceMember adds.
type grant struct {
	ID        string        `json:"id"`
	State     machine.State `json:"state"`
	Grant     string        `json:"grant"`
	Tool      string        `json:"tool"`
	Directory string        `json:"directory,omitempty"` // in which it must run; the digest covers it
	Digest    string        `json:"digest"`
	OutcomeBy string        `json:"outcomeBy"`
	Bytes     string        `json:"bytes"`
	Receipt   string        `json:"receipt,omitempty"` // for a tool server that demands one
}

func (g *Gate) handleClaim(_ http.ResponseWriter, q *request) reply {
	f, err := q.readMembers()
	e := machine.Event{Kind: machine.Claim}
	if err == nil {
		e.Digest, err = textMember(f, "digest")
	}
	if err != nil {
		return reply{status: 400, body: wire.FailWith(err)}
	}
	if e.Nonce, err = g.newNonce(); err != nil {
		return storeErrorReply(err)
	}
	return g.applyEvent(q, e, func(r *machine.Record) []byte {
		return spliceMember(grant{r.ID, r.State, e.Nonce, r.Tool, r.Why.Dir, r.Digest, store.Instant(r.Claim.Until), r.Arguments, g.Receipt(r)}, "arguments", r.Arguments)
	})
}

// handleOutcome handles the report of an agent that has run a claimed call. The body has
// the form {"grant","status","detail"?,"result"?}. The result is the JSON of what the tool
// returned, as text. Rules look for values in it, and it is not kept.
func (g *Gate) handleOutcome(_ http.ResponseWriter, q *request) reply {
	f, err := q.readMembers()
	e := machine.Event{Kind: machine.Report}
	status := ""
	for name, to := range map[string]*string{"grant": &e.Nonce, "status": &status, "detail": &e.Text} {
		if err == nil {
			*to, err = textMember(f, name)
		}
	}
	if m := f["result"]; err == nil && m.Exists() && m.Kind() != jsonval.Null {
		var ok bool
		if e.Result, ok = m.Str(); !ok || len(e.Result) > machine.MostResult {
			err = fmt.Errorf("invalid result: want the JSON of the result as a string of at most %d bytes, saw %s", machine.MostResult, m.Kind())
		}
	}
	e.Status = machine.State(status)
	if err == nil && (e.Nonce == "" || status == "") {
		err = errors.New(`missing grant or status. Send {"grant": …, "status": …}, where the status is "executed", "failed" or "ambiguous"; "detail" and "result" are optional`)
	}
	if err != nil {
		return reply{status: 400, body: wire.FailWith(err)}
	}
	return g.applyEvent(q, e, nil)
}

func (g *Gate) handleCancel(_ http.ResponseWriter, q *request) reply {
	return g.applyEvent(q, machine.Event{Kind: machine.Cancel}, nil)
}
