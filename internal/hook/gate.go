package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// gateClient calls the gate's HTTP API as an agent.
type gateClient struct{ url, key string }

func newGateClient(address string) (gateClient, error) {
	address, err := checkAddress(address)
	if err != nil {
		return gateClient{}, err
	}
	key, err := agentKey()
	return gateClient{address, key}, err
}

// checkAddress returns a gate's address without a slash at its end. It must be whole, so that a hook with it can reach a
// gate, and have no character that needs an escape, so that the hook is found again in the host's settings.
func checkAddress(address string) (string, error) {
	address = strings.TrimSuffix(address, "/")
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.String() != address || strings.ContainsAny(address, " '\"`$") || u.Scheme != "https" && !(u.Scheme == "http" && origin.Loopback(u.Host)) {
		return "", fmt.Errorf("invalid --gate %q: want https://HOST, or http:// with a loopback address", address)
	}
	return address, nil
}

// said holds those fields of the gate's answers that the hook reads.
type said struct {
	Decision, ID, Digest, URL, Reason, Reflection string
	State, Tool, Bytes, Grant, ReplacedBy, Answer string
	RunsFrom                                      string
	Error                                         struct{ Code, Message string }
	Why                                           store.ToldWhy
	Arguments                                     json.RawMessage
	Pending                                       []said
	Votes                                         []struct {
		By      string
		Approve bool
	}
}

// sendRequest sends one request, and returns the status and the body of the answer. It
// does not follow redirects, because the key must not be sent to any other server.
func (c gateClient) sendRequest(ctx context.Context, method, path, body, idempotency string) (int, said, error) {
	var out said
	status, text, err := c.sendRaw(ctx, method, path, body, idempotency)
	if err != nil {
		return 0, out, err
	}
	if err := json.Unmarshal(text, &out); err != nil {
		return 0, out, fmt.Errorf("the gate answered with status %d and a body that is not JSON", status)
	}
	return status, out, nil
}

// sendRaw does the same, and returns the body as it came.
func (c gateClient) sendRaw(ctx context.Context, method, path, body, idempotency string) (int, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.url+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Authorization", "Bearer "+c.key)
	if idempotency != "" {
		r.Header.Set("Idempotency-Key", idempotency)
	}
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return 0, nil, err
	}
	defer w.Body.Close()
	text, err := io.ReadAll(io.LimitReader(w.Body, 32<<20))
	return w.StatusCode, text, err
}

// unexpectedStatus returns the error for an answer that the hook cannot interpret, in words: what the gate said, "" for nothing, and
// what to do. After such an answer, the call is never allowed.
func unexpectedStatus(what string, status int, message string) error {
	switch {
	case status == http.StatusUnauthorized:
		return fmt.Errorf("the gate does not know the key of %s. Set BOUNDCHECK_AGENT_KEY to the key of an agent of this gate", what)
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		return fmt.Errorf("the gate cannot take %s now (status %d). Make the call again later", what, status)
	case message == "":
		return fmt.Errorf("the gate answered %s with status %d", what, status)
	}
	return fmt.Errorf("the gate did not take %s: %s", what, proposal.Escape(message))
}

// errOtherCall means that the gate has another call under the id that the host gave to this one.
var errOtherCall = errors.New("the host gave this call the id of another call of its session, so the gate cannot tell the two apart, and this one was not run. Make the call again: it gets another id")

// askGate submits the call to a gate and returns the decision of the gate or of its
// people. It does not submit the call again if a question about the call is already
// pending.
func askGate(ctx context.Context, f *Options, c call) (*Answer, error) {
	client, err := newGateClient(f.Gate)
	if err != nil {
		return nil, err
	}
	digest := proposal.DigestIn(c.dir, c.tool, c.arguments)
	found, err := client.findPending(ctx, c, digest)
	if err != nil {
		return nil, err
	}
	if found.ID == "" {
		answer, asked, err := client.proposeCall(ctx, c, digest)
		if err != nil || asked.ID == "" {
			return answer, err
		}
		found = asked
	}
	return client.awaitDecision(ctx, f, c, digest, found)
}

// standsFor reports whether this is the question about a call: its own, or the one that an
// approver put in its place.
func (s *said) standsFor(digest string) bool {
	return s.Digest == digest || s.Why.Edit != nil && s.Why.Edit.Root == digest
}

// findPending returns the pending question about exactly this call in this session, or a
// zero value if there is none.
func (g gateClient) findPending(ctx context.Context, c call, digest string) (said, error) {
	q := url.Values{"digest": {digest}, "session": {c.session}}
	status, list, err := g.sendRequest(ctx, "GET", "/v1/proposals?"+q.Encode(), "", "")
	if err != nil || status != 200 {
		return said{}, errors.Join(err, unexpectedUnless(200, "the request for pending questions", status))
	}
	for _, s := range list.Pending {
		if s.standsFor(digest) {
			return s, nil
		}
	}
	return said{}, nil
}

func unexpectedUnless(want int, what string, status int) error {
	if status == want {
		return nil
	}
	return unexpectedStatus(what, status, "")
}

// proposeCall sends the call to the gate. It returns one of:
//
//   - an answer, if the gate denies the call
//   - the pending question, if people must decide
//   - nil and a zero value, if the gate allows the call
func (g gateClient) proposeCall(ctx context.Context, c call, digest string) (*Answer, said, error) {
	tool, _ := json.Marshal(c.tool)
	session, _ := json.Marshal(c.session)
	key := ""
	if c.id != "" {
		key = c.host + " " + strings.TrimPrefix(proposal.Digest(c.session, c.id+"\x00"+c.messages), "sha256:")
	}
	body := `{"tool":` + string(tool) + `,"session":` + string(session) + `,"elsewhere":` + strconv.FormatBool(c.elsewhere) + `,"arguments":` + c.arguments
	if c.dir != "" {
		body += `,"directory":` + jsonval.Quoted(c.dir)
	}
	if c.messages != "" {
		body += `,"messages":` + c.messages
	}
	status, s, err := g.sendRequest(ctx, "POST", "/v1/proposals", body+"}", key)
	if err == nil && status == http.StatusRequestEntityTooLarge && c.messages != "" {
		c.messages = "" // the conversation is too large for the gate, so it is left out
		return g.proposeCall(ctx, c, digest)
	}
	switch {
	case err != nil:
		return nil, said{}, err
	case status == 200 && s.Decision == proposal.Allow:
		return nil, said{}, nil
	case status == 403 && s.Decision == "deny":
		return newAnswer("deny", s.Reason), said{}, nil
	case status == 202 && s.Decision == proposal.Confirm && s.Digest == digest && s.ID != "":
		return nil, s, nil
	case status == http.StatusUnprocessableEntity && key != "":
		return nil, said{}, errOtherCall
	}
	return nil, said{}, unexpectedStatus("the proposal", status, s.Error.Message)
}

// awaitDecision waits for people's decision until two seconds before the deadline, and
// returns the answer. With the option NoWait, it asks the gate only once.
func (g gateClient) awaitDecision(ctx context.Context, f *Options, c call, digest string, s said) (*Answer, error) {
	path := "/v1/proposals/" + url.PathEscape(s.ID)
	pending := newAnswer("deny", fmt.Sprintf("approval pending at %s: nobody has decided yet. Make exactly the same call again later. A changed call needs a new approval.", s.URL))
	end, _ := ctx.Deadline()
	for {
		wait := min(25, int(time.Until(end).Seconds())-2)
		if f.NoWait || wait < 0 {
			wait = 0
		}
		status, now, err := g.sendRequest(ctx, "GET", path+"?wait="+strconv.Itoa(wait), "", "")
		if err != nil || status != 200 {
			return nil, errors.Join(err, unexpectedUnless(200, "the request for the decision", status))
		}
		switch now.State {
		case "pending":
			if wait == 0 {
				return pending, nil
			}
		case "approved":
			if left := time.Until(time.UnixMilli(store.ReadInstant(now.RunsFrom))); left > 0 && !f.NoWait && left < time.Until(end)-2*time.Second {
				time.Sleep(min(left, 5*time.Second)) // it may be taken back
				continue
			}
			return g.claimApproval(ctx, f, path, c, digest, now)
		case "superseded":
			if now.ReplacedBy == "" {
				return nil, unexpectedStatus("the request for the decision", status, now.Error.Message)
			}
			path = "/v1/proposals/" + url.PathEscape(now.ReplacedBy)
		case "answered":
			return newAnswer("deny", gate.HookAnswered(lastVoter(now), now.Answer)), nil
		case "denied":
			return newAnswer("deny", strings.TrimSuffix("denied by "+lastVoter(now)+": "+now.Reason, ": ")), nil
		case "expired", "cancelled":
			return newAnswer("deny", "the question is "+now.State+", so the call counts as denied"), nil
		default:
			return newAnswer("deny", gate.HookTaken(now.State)), nil
		}
	}
}

func lastVoter(s said) string {
	if len(s.Votes) == 0 {
		return "the gate"
	}
	return s.Votes[len(s.Votes)-1].By
}

// wasClaimed reports whether somebody has claimed the call of a proposal.
func (g gateClient) wasClaimed(ctx context.Context, path string) bool {
	status, now, err := g.sendRequest(ctx, "GET", path, "", "")
	return err == nil && status == 200 && slices.Contains([]string{"claimed", "executed", "failed", "ambiguous"}, now.State)
}

// claimApproval uses up the approval of a call, and returns the answer that lets the host
// run the call. It returns nil if no person has approved it, so that the host's own
// permission flow decides. An approval can be used once, and only if the arguments are exactly the
// approved bytes. If an approver changed them, the answer has the new ones. A host that
// cannot take them is told to make the changed call itself.
func (g gateClient) claimApproval(ctx context.Context, f *Options, path string, c call, digest string, by said) (*Answer, error) {
	edited := by.Digest != digest
	if edited && (!by.standsFor(digest) || proposal.DigestIn(c.dir, c.tool, string(by.Arguments)) != by.Digest) {
		return nil, errors.New("the gate shows another call than the one that was proposed")
	}
	if edited && !f.Host.rewrites {
		return newAnswer("deny", fmt.Sprintf("not run: %s changed this call, and %s cannot take changed arguments. To run what was approved, call %s with exactly these arguments: %s", by.Why.Edit.By, f.Host.Name, c.tool, by.Arguments)), nil
	}
	want := c.arguments
	if edited {
		want = string(by.Arguments)
	}
	status, s, err := g.sendRequest(ctx, "POST", path+"/claim", `{"digest":"`+by.Digest+`"}`, "")
	switch {
	case err != nil:
		return nil, err
	case status == 409 && s.Error.Code == gate.CodeEarly:
		return newAnswer("deny", s.Error.Message+gate.SameAgain), nil
	case status == 409 && g.wasClaimed(ctx, path):
		return newAnswer("deny", gate.HookTaken("claimed")), nil
	case status == 409 && s.Error.Message != "":
		return newAnswer("deny", "not run: "+s.Error.Message), nil
	case status == 409:
		return newAnswer("deny", "the approval was already used, or another call of the turn is still waiting; repeat the call to ask again"), nil
	case status != 200:
		return nil, unexpectedStatus("the claim of the approval", status, s.Error.Message)
	case s.Tool != c.tool || s.Bytes != want:
		return nil, errors.New("the gate released another call than the claimed call: the tool or the arguments differ")
	}
	ran := ""
	if edited {
		ran = want
	}
	if err := c.storeGrant(g.url, by.ID, s.Grant, ran); err != nil {
		return nil, err
	}
	if m := by.Why.Recalled; m != nil {
		return newAnswer("allow", "a remembered yes of "+m.By), nil
	}
	if len(by.Votes) == 0 { // nobody was asked; a rule counts the call
		return nil, nil
	}
	a := newAnswer("allow", "approved by "+lastVoter(by))
	if edited {
		a.Context, a.Updated = gate.HookEdited(by.Why.Edit.By, want), json.RawMessage(want)
	}
	return a, nil
}
