package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Remote decides about calls at a gate with another address, through its API and with the
// key of an agent. It implements mcp.Decisions. Make it with NewRemote.
type Remote struct {
	client gateClient
	by     machine.Principal // as whom the records count here
	mu     sync.Mutex
	grants map[string]grantOf // by the id of the proposal
}

// grantOf is what the gate gave with a claimed call.
type grantOf struct{ grant, receipt string }

// NewRemote returns a Remote for the gate at an address. The agent's key is read from the
// environment. In the records, the proposer is by.
func NewRemote(address string, by machine.Principal) (*Remote, error) {
	c, err := newGateClient(address)
	return &Remote{client: c, by: by, grants: map[string]grantOf{}}, err
}

// Check returns an error if the gate does not answer, or does not accept the key.
func (g *Remote) Check(ctx context.Context) error {
	status, _, err := g.client.sendRequest(ctx, "GET", "/v1/proposals?limit=1", "", "")
	return errors.Join(err, unexpectedUnless(200, "the first request", status))
}

// Link returns the address of the page on which people decide a proposal.
func (g *Remote) Link(id string) string { return g.client.url + "/p/" + id }

// seen is a proposal as the API shows it.
type seen struct {
	ID, Session, Tool, Digest, Prompt, OutcomeBy string
	Created, Expires                             string
	ReplacedBy                                   string
	State                                        machine.State
	Why                                          store.ToldWhy
	Needs                                        int
	Votes                                        []store.ToldVote
	Arguments                                    json.RawMessage
}

// recordOf returns the record of a proposal. It returns an error if the bytes are not those
// of the digest.
func (s *seen) recordOf(by machine.Principal) (r machine.Record, err error) {
	r = machine.Record{
		ID: s.ID, Tenant: by.Tenant, Principal: by.Name, Session: s.Session, Tool: s.Tool, Arguments: string(s.Arguments), Digest: s.Digest, Prompt: s.Prompt,
		Why: store.ReadWhy(s.Why), Needs: s.Needs, Replaced: s.ReplacedBy, Created: store.ReadInstant(s.Created), Expires: store.ReadInstant(s.Expires), Life: machine.Life{State: s.State, Votes: store.ReadVotes(s.Votes), Claim: machine.Grant{Until: store.ReadInstant(s.OutcomeBy)}},
	}
	if s.ID == "" || !r.IsWhole() {
		return machine.Record{}, errors.New("the gate shows a proposal whose digest is not that of its call")
	}
	return r, nil
}

// fetchJSON sends a request, and reads the answer if it has the given status.
func (g *Remote) fetchJSON(ctx context.Context, method, path, body string, to any, want ...int) (int, error) {
	status, text, err := g.client.sendRaw(ctx, method, path, body, "")
	if err != nil {
		return status, err
	}
	for _, w := range want {
		if status == w {
			return status, json.Unmarshal(text, to)
		}
	}
	return status, unexpectedStatus("a request", status, "")
}

// Open returns the agent's own open proposals of exactly this call.
func (g *Remote) Open(ctx context.Context, _, _, session, digest string) (out []machine.Record, err error) {
	var list struct{ Pending []seen }
	q := url.Values{"digest": {digest}, "session": {session}}
	if _, err := g.fetchJSON(ctx, "GET", "/v1/proposals?"+q.Encode(), "", &list, 200); err != nil {
		return nil, err
	}
	for i := range list.Pending {
		r, err := list.Pending[i].recordOf(g.by)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// Propose proposes one call. The gate believes no hint of a definition, so it makes no
// difference whether it is trusted here.
func (g *Remote) Propose(ctx context.Context, a machine.Ask, trusted ...mutation.Tool) (plan machine.Plan, err error) {
	if len(a.Calls) != 1 {
		return plan, errors.New("want one call")
	}
	c := &a.Calls[0]
	var tools []string
	for _, t := range append(c.Tools[:len(c.Tools):len(c.Tools)], trusted...) {
		tools = append(tools, definitionText(&t))
	}
	body := `{"tool":` + jsonval.Quoted(c.Tool) + `,"session":` + jsonval.Quoted(a.Session) + `,"tools":[` + strings.Join(tools, ",") + `],"arguments":` + c.Arguments + `}`
	var v struct{ Decision, ID, Reason, Digest, State string }
	status, err := g.fetchJSON(ctx, "POST", "/v1/proposals", body, &v, 200, 202, 403)
	if err != nil {
		return plan, err
	}
	plan.Verdict, plan.Members = v.Decision, []machine.Member{{Verdict: v.Decision, Reason: v.Reason}}
	switch {
	case status == 403 && v.State == string(machine.Answered):
		all, err := g.Standing(ctx, "", []string{v.ID})
		if err == nil {
			plan.Members[0].Told = &all[0]
		}
		return plan, err
	case status == 200 && v.Decision == proposal.Allow, status == 403 && v.Decision == machine.Denial:
		return plan, nil
	case status == 202 && v.Decision == proposal.Confirm && v.Digest == proposal.Digest(c.Tool, c.Arguments):
		plan.Records, err = g.Standing(ctx, "", []string{v.ID})
		return plan, err
	}
	return plan, unexpectedStatus("the proposal", status, "")
}

// definitionText returns the parts of a definition that matter as JSON.
func definitionText(t *mutation.Tool) string {
	hints := map[string]bool{}
	for name, hint := range map[string]*bool{"readOnlyHint": t.Annotations.ReadOnly, "destructiveHint": t.Annotations.Destructive, "idempotentHint": t.Annotations.Idempotent, "openWorldHint": t.Annotations.OpenWorld} {
		if hint != nil {
			hints[name] = *hint
		}
	}
	about := map[string]any{"name": t.Name, "description": t.Description, "annotations": hints}
	if t.Parameters.Exists() {
		about["inputSchema"] = json.RawMessage(t.Parameters.Raw())
	}
	text, _ := json.Marshal(about)
	return string(text)
}

// Standing returns the proposals with these ids.
func (g *Remote) Standing(ctx context.Context, _ string, ids []string) ([]machine.Record, error) {
	return g.lookUp(ctx, ids, 0)
}

func (g *Remote) lookUp(ctx context.Context, ids []string, wait int) (out []machine.Record, err error) {
	for _, id := range ids {
		var s seen
		if _, err := g.fetchJSON(ctx, "GET", fmt.Sprintf("/v1/proposals/%s?wait=%d", url.PathEscape(id), wait), "", &s, 200); err != nil {
			return nil, err
		}
		r, err := s.recordOf(g.by)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// Settle waits until no proposal waits for a person, or until ctx ends.
func (g *Remote) Settle(ctx context.Context, _ string, ids []string, _ func()) ([]machine.Record, error) {
	for {
		wait := 25
		if end, ok := ctx.Deadline(); ok {
			wait = max(0, min(wait, int(time.Until(end).Seconds())))
		}
		all, err := g.lookUp(ctx, ids, wait)
		open := false
		for i := range all {
			open = open || all[i].State.Undecided()
		}
		if err == nil && !open {
			return all, nil
		}
		if err == nil && wait == 0 {
			<-ctx.Done() // the last part of a second
		}
		if err != nil || wait == 0 {
			fresh, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
			defer cancel()
			return g.Standing(fresh, "", ids)
		}
	}
}

// Ripen waits until each approved proposal may be claimed, or until ctx ends.
func (g *Remote) Ripen(ctx context.Context, _ string, ids []string, _ func()) ([]machine.Record, error) {
	for {
		all, err := g.Standing(context.WithoutCancel(ctx), "", ids)
		left := time.Duration(0)
		for i := range all {
			if all[i].State == machine.Approved {
				left = max(left, time.Duration(all[i].RunsFrom()-g.Clock())*time.Millisecond)
			}
		}
		if err != nil || left == 0 {
			return all, err
		}
		select {
		case <-ctx.Done():
			return all, nil
		case <-time.After(min(left, 5*time.Second)): // it may be taken back
		}
	}
}

// Clock returns the time of this machine.
func (g *Remote) Clock() int64 { return time.Now().UnixMilli() }

// Claim claims an approved proposal, and keeps the grant for Report.
func (g *Remote) Claim(ctx context.Context, _ machine.Principal, id string) (r machine.Record, a machine.Answer, err error) {
	all, err := g.Standing(ctx, "", []string{id})
	if err != nil {
		return r, a, err
	}
	r = all[0]
	var s struct {
		seen
		Grant, Receipt string
		Error          struct{ Code, Message string }
	}
	status, err := g.fetchJSON(ctx, "POST", "/v1/proposals/"+url.PathEscape(id)+"/claim", `{"digest":`+jsonval.Quoted(r.Digest)+`}`, &s, 200, 409)
	switch {
	case err != nil:
		return r, a, err
	case status == 409 && s.Error.Code == gate.CodeEarly:
		return r, machine.Answer{Code: machine.Early, Text: s.Error.Message}, nil
	case status == 409:
		return r, machine.Answer{Code: machine.Conflict, Text: s.Error.Message}, nil
	case s.Tool != r.Tool || string(s.Arguments) != r.Arguments || s.Grant == "":
		return r, a, errors.New("the gate released another call than the claimed call")
	}
	g.mu.Lock()
	g.grants[id] = grantOf{s.Grant, s.Receipt}
	g.mu.Unlock()
	r.State = machine.Claimed
	return r, machine.Answer{Code: machine.OK}, nil
}

// Told does nothing: the gate notes what it shows to the agent.
func (g *Remote) Told(context.Context, *machine.Record) {}

// Receipt returns the receipt that came with a claimed call; "" for none.
func (g *Remote) Receipt(r *machine.Record) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.grants[r.ID].receipt
}

// Report reports the outcome of a call that Claim has claimed.
func (g *Remote) Report(ctx context.Context, _ machine.Principal, id string, status machine.State, detail, result string) (r machine.Record, a machine.Answer, err error) {
	g.mu.Lock()
	grant := g.grants[id].grant
	delete(g.grants, id)
	g.mu.Unlock()
	code, err := g.client.sendOutcome(ctx, id, outcome{Grant: grant, Status: status, Detail: detail, Result: result})
	if err == nil && code != 200 && code != 409 {
		err = unexpectedStatus("the report of the outcome", code, "")
	}
	return r, a, err
}

// Apply cancels a proposal. An agent can do nothing else.
func (g *Remote) Apply(ctx context.Context, _, id string, e machine.Event) (r machine.Record, a machine.Answer, err error) {
	if e.Kind != machine.Cancel {
		return r, a, errors.New("the agent's key cannot decide at this gate")
	}
	var ignored any
	if _, err := g.fetchJSON(ctx, "POST", "/v1/proposals/"+url.PathEscape(id)+"/cancel", "", &ignored, 200, 409); err != nil {
		return r, a, err
	}
	all, err := g.Standing(ctx, "", []string{id})
	if err != nil {
		return r, a, err
	}
	return all[0], machine.Answer{Code: machine.OK}, nil
}
