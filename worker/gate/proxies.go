package gate

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/worker/gate/fatigue"
	"github.com/boundcheck/boundcheck/worker/gate/hub"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// This file is the interface of the gate for proxies in the same process. They speak
// another protocol to the agent and leave every decision to the machine.

// Refusal is the reason why a request is not admitted. The proxy translates it into its
// own protocol.
type Refusal struct {
	Status  int
	Code    string // of the error envelope
	Message string
	Retry   int // seconds after which to try again; 0 if there is no such time

	Challenge string // the value of WWW-Authenticate; "" for that of keys with the status 401, else none
}

// SetHeaders sets the headers of an answer that refuses a request.
func (f *Refusal) SetHeaders(h http.Header) {
	if f.Challenge == "" && f.Status == 401 {
		h.Set("WWW-Authenticate", Realm)
	} else if f.Challenge != "" {
		h.Set("WWW-Authenticate", f.Challenge)
	}
	if f.Retry > 0 {
		h.Set("Retry-After", strconv.Itoa(f.Retry))
	}
}

// Realm is the challenge of an answer that demands a key.
const Realm = `Bearer realm="boundcheck gate"`

// Admit returns the principal of the key in a request's header "Authorization: Bearer
// KEY". It counts the request at the rate of the key. The Refusal is nil if the request
// is admitted. The caller must go on with the returned request: its context ends when
// the key is removed.
func (g *Gate) Admit(r *http.Request) (*http.Request, machine.Principal, *Refusal) {
	if origin.Loopback(g.home.Host) && !origin.Loopback(r.Host) {
		return r, machine.Principal{}, &Refusal{Status: http.StatusMisdirectedRequest, Code: wire.CodeInput, Message: "this gate answers only requests to localhost"}
	}
	key, r := g.bearerKey(r)
	if key == nil {
		return r, machine.Principal{}, &Refusal{Status: 401, Code: CodeUnauthorized, Message: `send a key of this gate in the header "Authorization: Bearer KEY"`}
	}
	return g.admitKey(r, key)
}

// admitKey counts the request of a key.
func (g *Gate) admitKey(r *http.Request, key *liveKey) (*http.Request, machine.Principal, *Refusal) {
	who := key.Principal
	recordPrincipal(r.Context(), who)
	if ok, wait := g.admitRequest(who); !ok {
		return r, who, &Refusal{Status: 429, Code: CodeRate, Message: "too many requests", Retry: wait}
	}
	return r, who, nil
}

// Token is what an access token of OAuth says, after every check of it.
type Token struct {
	Mark    string // names the token without revealing it
	Subject string // whom the token names, for the audit
	Until   int64  // Unix milliseconds

	// Has reports whether a claim of the token has the value, or a list with it.
	Has func(claim, value string) bool
}

// AdmitToken admits a request as the agent of the first line of the key file whose claim the
// token has. It notes each token once in the audit. A GET, which is a stream, ends with its
// token. The results are those of Admit; the Refusal has no challenge.
func (g *Gate) AdmitToken(r *http.Request, t Token) (*http.Request, machine.Principal, *Refusal) {
	keys := g.keys()
	i := slices.IndexFunc(keys, func(k *liveKey) bool {
		claim, value, is := strings.Cut(k.Claim, "=")
		return is && t.Has(claim, value)
	})
	if i < 0 {
		store.Blame(r.Context(), fmt.Errorf("access token of %.200q refused: no line of the keys has one of its claims", t.Subject))
		return r, machine.Principal{}, &Refusal{Status: 403, Code: CodeForbidden, Message: "the token is valid, but it is that of no agent of this gate"}
	}
	key := keys[i]
	if r = key.bindRequest(r); r.Method == http.MethodGet {
		ctx, cancel := context.WithTimeout(r.Context(), time.Duration(t.Until-g.Now())*time.Millisecond)
		context.AfterFunc(r.Context(), cancel)
		r = r.WithContext(ctx)
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	if err := g.noteToken(ctx, t.Mark, t.Until, key.Principal, "mcp", t.Subject); err != nil {
		store.Blame(r.Context(), err)
		return r, key.Principal, &Refusal{Status: 503, Code: CodeUnavailable, Message: "the gate's store does not answer; nothing has run", Retry: 1}
	}
	return g.admitKey(r, key)
}

// TraceOf returns the trace and the span of the agent that a request names in W3C's header
// traceparent, as Ask.Trace has them; "" if it names none.
func TraceOf(h http.Header) string {
	f := strings.Split(h.Get("Traceparent"), "-")
	if len(f) < 4 || len(f[0]) != 2 || len(f[1]) != 32 || len(f[2]) != 16 || strings.Trim(f[1], "0") == "" || strings.Trim(f[2], "0") == "" || strings.Trim(f[1]+f[2], "0123456789abcdef") != "" {
		return ""
	}
	return f[1] + "-" + f[2]
}

// Propose decides calls under the policy and stores the calls that are held. It gives the
// calls new ids and ignores a.IDs. The operator trusts the tool definitions in trusted as
// well as those of the policy. After an error no call may run.
func (g *Gate) Propose(ctx context.Context, a machine.Ask, trusted ...mutation.Tool) (machine.Plan, error) {
	a.IDs = nil
	if err := g.setFreshIDs(&a); err != nil {
		return machine.Plan{}, err
	}
	return g.decideCalls(ctx, g.policyWith(trusted), &a)
}

// policyWith returns the policy with more tool definitions that the operator trusts.
func (g *Gate) policyWith(trusted []mutation.Tool) *machine.Policy {
	p := *g.Policy()
	p.Definitions = append(p.Definitions[:len(p.Definitions):len(p.Definitions)], trusted...)
	return &p
}

// Claim claims an approved call for a proxy, which may then pass the call on once. The
// proxy needs no stored grant to report the outcome later.
func (g *Gate) Claim(ctx context.Context, by machine.Principal, id string) (machine.Record, machine.Answer, error) {
	r, err := g.Store.Load(ctx, by.Tenant, id)
	if err != nil {
		return r, machine.Answer{}, err
	}
	return g.Apply(ctx, by.Tenant, id, machine.Event{Kind: machine.Claim, By: by, Digest: r.Digest, Nonce: g.computeMAC("proxy grant", id)})
}

// Report records the outcome of a call that was claimed with Claim. Rules look for values in
// the result, which is JSON or "" and is not kept.
func (g *Gate) Report(ctx context.Context, by machine.Principal, id string, status machine.State, detail, result string) (machine.Record, machine.Answer, error) {
	return g.Apply(ctx, by.Tenant, id, machine.Event{Kind: machine.Report, By: by, Status: status, Text: detail, Result: result, Nonce: g.computeMAC("proxy grant", id)})
}

// Open returns an agent's open proposals of exactly one call.
func (g *Gate) Open(ctx context.Context, tenant, principal, session, digest string) ([]machine.Record, error) {
	return g.Store.Open(ctx, tenant, principal, session, digest)
}

// Standing returns the records with these ids, in their current state.
func (g *Gate) Standing(ctx context.Context, tenant string, ids []string) ([]machine.Record, error) {
	out := make([]machine.Record, len(ids))
	for i, id := range ids {
		var err error
		if out[i], err = g.loadCurrent(ctx, tenant, id); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Settle waits until none of the records waits for a person or until ctx ends, and
// returns the records. While it waits, it calls the function tick about every second, if
// tick is not nil. If too many requests of the agent's key are already waiting, Settle
// returns at once.
func (g *Gate) Settle(ctx context.Context, tenant string, ids []string, tick func()) ([]machine.Record, error) {
	return g.awaitRecords(ctx, tenant, ids, tick, func(r *machine.Record) (bool, int64) { return r.State.Undecided(), r.Due() })
}

// Ripen waits as Settle does, until each approved record may be claimed.
func (g *Gate) Ripen(ctx context.Context, tenant string, ids []string, tick func()) ([]machine.Record, error) {
	return g.awaitRecords(ctx, tenant, ids, tick, func(r *machine.Record) (bool, int64) { return r.Waits(g.Now()), r.RunsFrom() })
}

// Clock returns the gate's time.
func (g *Gate) Clock() int64 { return g.Now() }

// awaitRecords waits while one of the records is open. The function open also says when this may
// change without an event; 0 for never.
func (g *Gate) awaitRecords(ctx context.Context, tenant string, ids []string, tick func(), open func(*machine.Record) (bool, int64)) ([]machine.Record, error) {
	keys := make([]string, len(ids))
	for i, id := range ids {
		keys[i] = hub.Topic(tenant, id)
	}
	w := g.hub.Watch(keys...)
	defer g.hub.Leave(w)
	entered := ""
	defer func() { g.hub.Exit(entered) }()
	for {
		fresh, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		all, err := g.Standing(fresh, tenant, ids)
		cancel()
		if err != nil {
			return nil, err
		}
		waits, due := false, int64(0)
		for i := range all {
			still, at := open(&all[i])
			waits = waits || still
			if still && at != 0 && (due == 0 || at < due) {
				due = at
			}
		}
		if !waits || isContextOver(ctx, time.Now()) || g.isDrained() {
			return all, nil
		}
		if entered == "" {
			if entered = tenant + " agent " + all[0].Principal; !g.hub.Enter(entered, g.Waits) {
				entered = ""
				return all, nil
			}
		}
		g.awaitTicking(ctx, w, g.untilDue(due), tick)
	}
}

// awaitTicking waits in the same way as awaitSignal. While it waits, it calls the
// function tick about every second, if tick is not nil.
func (g *Gate) awaitTicking(ctx context.Context, w *hub.Waiter, d time.Duration, tick func()) {
	if tick == nil {
		g.awaitSignal(ctx, w, d)
		return
	}
	for end := time.Now().Add(d); ; {
		piece := min(time.Until(end), g.Poll)
		signalled := g.awaitSignal(ctx, w, piece)
		tick()
		if signalled || ctx.Err() != nil || g.isDrained() || !g.sweeping.Load() || !time.Now().Before(end) {
			return
		}
	}
}

// isContextOver reports whether ctx has ended or its deadline is not after now. It does
// not need Go's timers, which do not fire on some hosts.
func isContextOver(ctx context.Context, now time.Time) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && !now.Before(deadline)
}

// SameOrigin reports whether a request comes from one of the gate's own pages. It also
// returns true for a request without an Origin header, because programs send none.
func (g *Gate) SameOrigin(r *http.Request) bool {
	n := len(r.Header.Values("Origin"))
	return n == 0 || n == 1 && g.isOwnForm(r)
}

// MAC returns a message authentication code of the parts under the gate's secret, in
// hexadecimal digits. The parameter use names the purpose of the code, so that a code for
// one purpose is not valid for another.
func (g *Gate) MAC(use string, parts ...string) string {
	return g.computeMAC(append([]string{"use", use}, parts...)...)
}

// Page returns the address of one of the gate's own pages.
func (g *Gate) Page(path string) string { return g.home.String() + path }

// Exempt reports whether a call that the gate would hold may pass, because another
// program asks a person about it. If it may, Exempt writes an audit entry with the rule's
// name. It returns false in these cases:
//
//   - the call cannot be undone
//   - the call cannot be shown completely or exactly
//   - the call needs two people
//   - the call waits after a yes
//   - a rule of the policy holds or counts the call
//   - a remembered yes covers the call, so that nobody asks
func (g *Gate) Exempt(ctx context.Context, a machine.Ask, rule string, trusted ...mutation.Tool) (bool, error) {
	a.IDs = make([]string, len(a.Calls)) // nothing is stored under these ids
	plan, err := g.planCalls(ctx, g.policyWith(trusted), &a, true)
	if err != nil || len(plan.Records) != 1 {
		return false, err
	}
	if r := &plan.Records[0]; r.Needs != 1 || r.Why.Wait > 0 || r.Why.Counted || len(r.Why.Rules) > 0 || r.Why.AskedOnlyByData() || r.Why.Destructive || r.Why.SecondAct() || r.Why.Recalled != nil {
		return false, nil
	}
	e := plan.Entries[0]
	e.ID, e.Rev, e.To, e.Prompt, e.Expires, e.Needs, e.Rule = "", 0, machine.Allowed, "", 0, 0, rule
	g.meter.Add(a.By.Tenant, e.Tool, fatigue.Allowed, 1, g.Now())
	return true, g.Store.Note(ctx, e)
}
