//go:build !js

package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/gatefile"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
	"github.com/boundcheck/boundcheck/worker/gate/store"
	"github.com/boundcheck/boundcheck/worker/mcp"
)

// The keys of the tests. bot's approver is alice; stray has none.
const (
	botKey   = "agent-key-0123456789abcdef"
	strayKey = "stray-key-0123456789abcdef"
	spyKey   = "spy-agent-0123456789abcdef"
	aliceKey = "alice-key-0123456789abcdef"
	bobKey   = "bob-key-0123456789abcdef"
	carolKey = "carol-key-0123456789abcdef"
)

const keyFile = `
t agent    bot   ` + botKey + ` alice
t agent    stray ` + strayKey + `
t approver alice ` + aliceKey + `
t approver bob   ` + bobKey + `
u agent    bot   ` + spyKey + ` carol
u approver carol ` + carolKey + `
`

const start = 1_700_000_000_000

const version = "2026-07-28"

// upstream is an MCP server that does what a test tells it. It is a plain HTTP server:
// it receives and sends the bytes of the protocol.
type upstream struct {
	mu    sync.Mutex
	tools []string // its definitions
	ttl   int
	seen  []received // all requests except tools/list
	lists int
	// reply answers all requests except tools/list; nil echoes the call.
	reply func(w http.ResponseWriter, m received)
}

// received is one request that the server received.
type received struct {
	body   string
	header http.Header
	verb   string
	id     string
	method string
	params jsonval.Value
	ctx    <-chan struct{}
}

func (m received) toolName() string     { return m.params.Get("name").Text() }
func (m received) rawArguments() string { return m.params.Get("arguments").Raw() }

func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	m := received{body: string(body), header: r.Header, verb: r.Method, ctx: r.Context().Done()}
	if v, err := jsonval.Parse(m.body); err == nil {
		m.id, m.method, m.params = v.Get("id").Raw(), v.Get("method").Text(), v.Get("params")
	}
	u.mu.Lock()
	reply := u.reply
	if m.method == "tools/list" && m.id == `"boundcheck-list"` {
		u.lists++
		text := `{"jsonrpc":"2.0","id":"boundcheck-list","result":{"resultType":"complete","tools":[` + strings.Join(u.tools, ",") + `],"ttlMs":` + fmt.Sprint(u.ttl) + `,"cacheScope":"public"}}`
		u.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, text)
		return
	}
	u.seen = append(u.seen, m)
	u.mu.Unlock()
	if reply == nil {
		reply = sendDidIt
	}
	reply(w, m)
}

func (u *upstream) withLock(change func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	change()
}

// receivedCalls returns the calls that the server received, as "name arguments".
func (u *upstream) receivedCalls() (out []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, m := range u.seen {
		if m.method == "tools/call" {
			out = append(out, m.toolName()+" "+m.rawArguments())
		}
	}
	return out
}

func sendJSON(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	io.WriteString(w, text)
}

func sendDidIt(w http.ResponseWriter, m received) {
	sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"result":{"resultType":"complete","content":[{"type":"text","text":"did it"}]}}`)
}

// toolDefinition returns a tool's definition.
func toolDefinition(name, more string) string {
	return `{"name":"` + name + `","description":"","inputSchema":{"type":"object"}` + more + `}`
}

var standardTools = []string{toolDefinition("get_order", ""), toolDefinition("add_note", ""), toolDefinition("delete_order", ""),
	toolDefinition("frob", `,"annotations":{"readOnlyHint":true,"destructiveHint":false,"title":"Frob"}`),
	`{"name":"set_region","description":"","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}`}

// proxy is a gate with the proxy in front of one upstream.
type proxy struct {
	t      testing.TB
	gate   *gate.Gate
	mcp    *mcp.Handler
	up     *upstream
	store  *store.Store
	url    string
	behind string
	now    atomic.Int64
	ids    atomic.Int64
	open   atomic.Int64 // number of requests that are being answered

	session string // session of the older revisions; "" for none
}

// hasOpenRequest reports whether the proxy is answering a request at this moment.
func (p *proxy) hasOpenRequest() bool { return p.open.Load() > 0 }

// waitUntil waits until a condition is true.
func (p *proxy) waitUntil(so func() bool) {
	p.t.Helper()
	for range 2000 {
		if so() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	p.t.Fatal("it never became so")
}

func newTestProxy(t testing.TB, policy string, change ...func(*mcp.Server)) *proxy {
	t.Helper()
	p := &proxy{t: t, up: &upstream{tools: standardTools}}
	p.now.Store(start)
	behind := httptest.NewServer(p.up)
	t.Cleanup(behind.Close)
	var err error
	if p.store, err = sqlite.Open(t.Context(), gatefile.New(t)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.store.Close() })
	keys, err := gate.ReadKeys(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	rules := machine.Default()
	if policy != "" {
		if rules, err = machine.ReadPolicy(policy); err != nil {
			t.Fatal(err)
		}
	}
	front := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/mcp/") {
			p.open.Add(1)
			defer p.open.Add(-1)
			p.mcp.ServeHTTP(w, r)
			return
		}
		p.gate.ServeHTTP(w, r)
	}))
	p.url = "http://" + front.Listener.Addr().String()
	if p.gate, err = gate.New(gate.Options{Store: p.store, Keys: keys, Policy: rules, URL: p.url, Now: p.now.Load, Rate: -1}); err != nil {
		t.Fatal(err)
	}
	p.behind = behind.URL
	p.restart(change...)
	front.Start()
	t.Cleanup(front.Close)
	return p
}

// restart creates the proxy again. Only the store and the secret stay the same.
func (p *proxy) restart(change ...func(*mcp.Server)) {
	p.t.Helper()
	s := mcp.Server{Name: "shop", URL: p.behind + "/mcp", Header: http.Header{"Authorization": {"Bearer upstream-secret"}}}
	for _, c := range change {
		c(&s)
	}
	var err error
	if p.mcp, err = mcp.New(p.gate, http.DefaultTransport, s); err != nil {
		p.t.Fatal(err)
	}
	p.mcp.Wait = 50 * time.Millisecond
}

// capabilities of clients.
const (
	canNothing = `{}`
	canURL     = `{"elicitation":{"form":{},"url":{}}}`
	canForm    = `{"elicitation":{}}`
)

// ask is one request of a modern client.
type ask struct {
	key, capabilities string
	method, name      string
	arguments         string
	more              string // further members of params
	header            []string
	body              string // replaces all the members above
}

// got is a parsed answer.
type got struct {
	t      testing.TB
	status int
	header http.Header
	text   string
	v      jsonval.Value
}

func (p *proxy) postAsk(a ask) got {
	p.t.Helper()
	r := p.newAskRequest(a)
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer w.Body.Close()
	text, _ := io.ReadAll(w.Body)
	g := got{t: p.t, status: w.StatusCode, header: w.Header, text: string(text)}
	if strings.HasPrefix(w.Header.Get("Content-Type"), "text/event-stream") {
		var last string
		for line := range strings.Lines(g.text) {
			if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok {
				last = data
			}
		}
		text = []byte(last)
	}
	g.v, _ = jsonval.Parse(string(text))
	return g
}

func (p *proxy) newAskRequest(a ask) *http.Request {
	p.t.Helper()
	if a.key == "" {
		a.key = botKey
	}
	if a.capabilities == "" {
		a.capabilities = canNothing
	}
	if a.method == "" {
		a.method = "tools/call"
	}
	if a.body == "" {
		params := `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + version + `","io.modelcontextprotocol/clientCapabilities":` + a.capabilities + `}`
		if a.name != "" {
			params += `,"name":"` + a.name + `"`
		}
		if a.arguments != "" {
			params += `,"arguments":` + a.arguments
		}
		a.body = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":{%s%s}}`, p.ids.Add(1), a.method, params, a.more)
	}
	r, err := http.NewRequest("POST", p.url+"/mcp/shop", strings.NewReader(a.body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+a.key)
	r.Header.Set("MCP-Protocol-Version", version)
	r.Header.Set("Mcp-Method", a.method)
	if a.name != "" {
		r.Header.Set("Mcp-Name", a.name)
	}
	for i := 0; i+1 < len(a.header); i += 2 {
		if r.Header.Del(a.header[i]); a.header[i+1] != "" {
			r.Header.Set(a.header[i], a.header[i+1])
		}
	}
	return r
}

// callTool sends a tool call with the key of the agent "bot".
func (p *proxy) callTool(name, arguments, capabilities string, more ...string) got {
	p.t.Helper()
	return p.postAsk(ask{name: name, arguments: arguments, capabilities: capabilities, more: strings.Join(more, "")})
}

// retryCall makes the same call again, with the client's response to a question.
func (p *proxy) retryCall(name, arguments, capabilities string, question got, response string) got {
	p.t.Helper()
	return p.callTool(name, arguments, capabilities, `,"requestState":"`+question.sealedState()+`","inputResponses":{"confirm":`+response+`}`)
}

func (g got) resultValue() jsonval.Value { return g.v.Get("result") }
func (g got) sealedState() string        { return g.resultValue().Get("requestState").Text() }
func (g got) approvalValue() jsonval.Value {
	return g.resultValue().At("_meta", "io.github.boundcheck/approval")
}
func (g got) approvalID() string { return g.approvalValue().Get("id").Text() }
func (g got) errorCode() int64   { n, _ := g.v.At("error", "code").Int(); return n }
func (g got) questionParams() jsonval.Value {
	return g.resultValue().At("inputRequests", "confirm", "params")
}

// assertRan checks that the server ran the call.
func (g got) assertRan() got {
	g.t.Helper()
	if !strings.Contains(g.resultValue().Get("content").Raw(), "did it") {
		g.t.Fatalf("not run: %d %s", g.status, g.text)
	}
	return g
}

// assertHeld checks that the answer is a result that says why nothing ran.
func (g got) assertHeld(state, part string) got {
	g.t.Helper()
	if wrong, _ := g.resultValue().Get("isError").Bool(); !wrong || g.approvalValue().Get("state").Text() != state || !strings.Contains(g.text, part) {
		g.t.Fatalf("want %s and %q: %d %s", state, part, g.status, g.text)
	}
	return g
}

// assertAsks checks that the answer is a question in the given mode.
func (g got) assertAsks(mode string) got {
	g.t.Helper()
	if g.resultValue().Get("resultType").Text() != "input_required" || g.questionParams().Get("mode").Text() != mode || g.sealedState() == "" {
		g.t.Fatalf("want a question in mode %s: %d %s", mode, g.status, g.text)
	}
	return g
}

// assertFails checks that the answer is an error with this status and code, whose text
// contains part.
func (g got) assertFails(status int, code int64, part string) got {
	g.t.Helper()
	if g.status != status || g.errorCode() != code || !strings.Contains(g.text, part) {
		g.t.Fatalf("want %d, %d and %q: %d %s", status, code, part, g.status, g.text)
	}
	return g
}

// callAPI calls the gate's own API.
func (p *proxy) callAPI(method, path, key, body string) (int, string) {
	p.t.Helper()
	r, _ := http.NewRequest(method, p.url+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+key)
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer w.Body.Close()
	var b bytes.Buffer
	b.ReadFrom(w.Body)
	return w.StatusCode, b.String()
}

func (p *proxy) sendDecision(key, id string, approve bool) int {
	p.t.Helper()
	_, text := p.callAPI("GET", "/v1/proposals/"+id, key, "")
	var r struct{ Digest string }
	json.Unmarshal([]byte(text), &r)
	status, _ := p.callAPI("POST", "/v1/proposals/"+id+"/decision", key, fmt.Sprintf(`{"approve":%v,"digest":%q,"reason":"because"}`, approve, r.Digest))
	return status
}

func (p *proxy) mustApprove(id string) {
	p.t.Helper()
	if status := p.sendDecision(aliceKey, id, true); status != 200 {
		p.t.Fatalf("cannot approve: %d", status)
	}
}

// assertState checks the state of a proposal.
func (p *proxy) assertState(id, want string) {
	p.t.Helper()
	_, text := p.callAPI("GET", "/v1/proposals/"+id, aliceKey, "")
	var r struct{ State, Outcome string }
	json.Unmarshal([]byte(text), &r)
	if r.State != want {
		p.t.Errorf("%s is %s (%s), want %s", id, r.State, r.Outcome, want)
	}
}

// readAudit returns the tenant's audit, and checks that it is complete.
func (p *proxy) readAudit() string {
	p.t.Helper()
	var b strings.Builder
	if err := p.gate.Housekeep(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
	if _, err := p.store.Export(p.t.Context(), &b, []string{"t"}, nil); err != nil {
		p.t.Fatal(err)
	}
	all, err := p.store.VerifyStore(p.t.Context(), store.Known{})
	for _, c := range all {
		if len(c.Faults) > 0 {
			p.t.Errorf("the audit of %s: %v", c.Tenant, c.Faults)
		}
	}
	if err != nil || len(all) == 0 {
		p.t.Error(all, err)
	}
	return b.String()
}

// assertCalls checks which calls the server received.
func (p *proxy) assertCalls(want ...string) {
	p.t.Helper()
	if have := p.up.receivedCalls(); strings.Join(have, "\n") != strings.Join(want, "\n") {
		p.t.Errorf("the server behind got %q, want %q", have, want)
	}
}
