//go:build !js

package sse

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/gatefile"
	"github.com/boundcheck/boundcheck/internal/pace"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
	"github.com/boundcheck/boundcheck/worker/mcp"
)

const (
	agentKey = "agent-key-0123456789abcdef"
	otherKey = "other-key-0123456789abcdef"
	aliceKey = "alice-key-0123456789abcdef"
	allKeys  = "t agent bot " + agentKey + "\nt agent bot2 " + otherKey + "\nt approver alice " + aliceKey
)

// shop is an MCP server that speaks Streamable HTTP and the old transport.
type shop struct {
	*httptest.Server
	mu       sync.Mutex
	ran      []string
	streams  map[string]chan string
	endpoint string // in place of the right one
	accept   int    // status of posted calls; 0 for 202
	open     int    // sessions of clients, over both transports

	tasks map[string]string // status by id; nil for a shop without tasks
	asked []string          // requests about tasks
}

func newShop(t *testing.T) *shop {
	s := &shop{streams: map[string]chan string{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

// respondTo returns the answer to a message; "" for none.
func (s *shop) respondTo(text []byte) string {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Name      string
			Arguments json.RawMessage
		}
	}
	json.Unmarshal(text, &m)
	if m.ID == nil || m.Method == "" {
		return ""
	}
	if s.tasks != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		return `{"jsonrpc":"2.0","id":` + string(m.ID) + `,` + s.respondWithTasks(mustParse(string(text))) + `}`
	}
	result := `{}`
	switch m.Method {
	case "initialize":
		result = `{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"shop","version":"1"}}`
	case "tools/list":
		result = `{"tools":[{"name":"get_order","inputSchema":{"type":"object"}},{"name":"delete_order","inputSchema":{"type":"object"}}]}`
	case "tools/call":
		s.mu.Lock()
		s.ran = append(s.ran, m.Params.Name+string(m.Params.Arguments))
		s.mu.Unlock()
		result = `{"content":[{"type":"text","text":"done"}]}`
	}
	return `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + result + `}`
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	switch {
	case r.Header.Get("Authorization") != "Bearer the-operator":
		w.WriteHeader(401)
	case r.URL.Path == "/sse":
		id, out := fmt.Sprint(time.Now().UnixNano()), make(chan string, 100)
		s.mu.Lock()
		s.streams[id] = out
		to := s.endpoint
		s.open++
		s.mu.Unlock()
		defer s.countSession(-1)
		if to == "" {
			to = "/messages?id=" + id
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: endpoint\ndata: %s\n\n", to)
		for w.(http.Flusher).Flush(); ; w.(http.Flusher).Flush() {
			select {
			case m := <-out:
				if m == "" {
					return
				}
				fmt.Fprintf(w, "event: message\ndata: %s\n\n", m)
			case <-r.Context().Done():
				return
			}
		}
	case r.URL.Path == "/messages":
		s.mu.Lock()
		out, accept := s.streams[r.URL.Query().Get("id")], s.accept
		s.mu.Unlock()
		if accept != 0 && bytes.Contains(body, []byte("tools/call")) {
			w.WriteHeader(accept)
			return
		}
		w.WriteHeader(202)
		if answer := s.respondTo(body); answer != "" {
			out <- answer
		}
	case r.Method == "DELETE" && r.Header.Get(sessionHeader) == "shop's":
		s.countSession(-1)
	case r.Method != "POST":
		w.WriteHeader(405)
	default:
		answer := s.respondTo(body)
		if bytes.Contains(body, []byte(`"initialize"`)) {
			w.Header().Set(sessionHeader, "shop's")
			s.countSession(1)
		}
		if w.Header().Set("Content-Type", "application/json"); answer == "" {
			w.WriteHeader(202)
		}
		io.WriteString(w, answer)
	}
}

func (s *shop) countSession(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open += n
}

// site is a gate before a shop.
type site struct {
	t     *testing.T
	g     *gate.Gate
	up    *Upstream
	front *Front
	*httptest.Server
}

func newSite(t *testing.T, server *shop, old bool) *site {
	t.Helper()
	store, err := sqlite.Open(t.Context(), gatefile.New(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	keys, err := gate.ReadKeys(allKeys)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/mcp/") {
			s.front.ServeHTTP(w, r)
			return
		}
		s.g.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	if s.g, err = gate.New(gate.Options{Store: store, Keys: keys, URL: s.URL, Rate: -1}); err != nil {
		t.Fatal(err)
	}
	up := mcp.Server{Name: "up", URL: server.URL, Header: http.Header{"Authorization": {"Bearer the-operator"}}}
	if old {
		if s.up, err = NewUpstream(server.URL+"/sse", up.Header, http.DefaultTransport); err != nil {
			t.Fatal(err)
		}
		up.Transport = s.up
	}
	h, err := mcp.New(s.g, http.DefaultTransport, up)
	if err != nil {
		t.Fatal(err)
	}
	h.Wait = 100 * time.Millisecond
	s.front = NewFront(h)
	return s
}

func (s *site) sendRequest(ctx context.Context, method, path, key, body string, header ...string) *http.Response {
	s.t.Helper()
	r, _ := http.NewRequestWithContext(ctx, method, s.URL+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	return w
}

// caller sends a message, and returns the answer; "" for a message that has none.
type caller func(message string, answered bool) string

// overHTTP is a client of Streamable HTTP.
func (s *site) overHTTP() caller {
	return func(message string, _ bool) string {
		w := s.sendRequest(s.t.Context(), "POST", "/mcp/up", agentKey, message)
		defer w.Body.Close()
		text, _ := io.ReadAll(w.Body)
		return string(text)
	}
}

// stream is a client of the old transport.
type stream struct {
	s    *site
	key  string
	to   string
	in   *bufio.Reader
	shut context.CancelFunc
}

func (s *site) openStream() *stream { s.t.Helper(); return s.openStreamOf(agentKey) }

func (s *site) openStreamOf(key string) *stream {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	s.t.Cleanup(cancel)
	w := s.sendRequest(ctx, "GET", "/mcp/up/sse", key, "")
	c := &stream{s: s, key: key, in: bufio.NewReader(w.Body), shut: cancel}
	name, data, err := nextEvent(c.in)
	if err != nil || name != "endpoint" || !strings.HasPrefix(data, "/mcp/up/messages?sessionId=") {
		s.t.Fatalf("%d %s %s %v", w.StatusCode, name, data, err)
	}
	c.to = data
	return c
}

func (c *stream) callServer(message string, answered bool) string {
	c.s.t.Helper()
	w := c.s.sendRequest(c.s.t.Context(), "POST", c.to, c.key, message)
	w.Body.Close()
	if w.StatusCode != 202 {
		c.s.t.Fatalf("%d for %s", w.StatusCode, message)
	}
	if !answered {
		return ""
	}
	_, data, err := nextEvent(c.in)
	if err != nil {
		c.s.t.Fatal(err)
	}
	return data
}

// decideAll decides what waits.
func (s *site) decideAll(approve bool) {
	s.t.Helper()
	w := s.sendRequest(s.t.Context(), "GET", "/v1/proposals", aliceKey, "", "Accept", "application/json")
	var all struct{ Pending []struct{ ID, Digest string } }
	json.NewDecoder(w.Body).Decode(&all)
	w.Body.Close()
	for _, p := range all.Pending {
		s.sendRequest(s.t.Context(), "POST", "/v1/proposals/"+p.ID+"/decision", aliceKey, fmt.Sprintf(`{"approve":%v,"digest":%q}`, approve, p.Digest)).Body.Close()
	}
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`

var ownIDs = regexp.MustCompile(`http://127\.0\.0\.1:\d+|p_[a-z2-7]{20,}|20\d\d-\d\d-\d\dT[\d:.]+Z|\d\d:\d\d:\d\d UTC|\d+ seconds? ago`)

// hideIDs hides what differs between two sites: their addresses, ids and times.
func hideIDs(text string) string { return strings.TrimSpace(ownIDs.ReplaceAllString(text, "X")) }

// TestSameAsHTTP draws messages and decisions. Over the old transport on both sides, each
// message gets the answer that it gets over Streamable HTTP, and the same calls run.
func TestSameAsHTTP(t *testing.T) {
	plainShop, oldShop := newShop(t), newShop(t)
	plain, old := newSite(t, plainShop, false), newSite(t, oldShop, true)
	a, b := plain.overHTTP(), old.openStream().callServer
	draw := rand.New(rand.NewPCG(49, 2))
	same := hideIDs
	if x, y := same(a(hello, true)), same(b(hello, true)); x != y || !strings.Contains(x, "2024-11-05") {
		t.Fatalf("%s\n%s", x, y)
	}
	b(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, false)
	held, n := 0, 0
	for i := range 200 {
		m, answered := "", true
		switch draw.IntN(9) {
		case 0, 1:
			m = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"get_order","arguments":{"n":%d}}}`, i+1, i)
		case 2, 3, 4:
			if draw.IntN(2) == 0 { // else the same call again
				n = i
			}
			m = fmt.Sprintf(`{"jsonrpc":"2.0","id":"x%d","method":"tools/call","params":{"name":"delete_order","arguments":{"n":%d}}}`, i+1, n)
		case 5:
			m = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, i+1)
		case 6:
			m, answered = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, false
		case 7:
			m = []string{`{`, `[]`, `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/run"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_order","task":{}}}`, "{\"jsonrpc\":\"2.0\",\n\"id\":1,\"method\":\"ping\"}"}[draw.IntN(6)]
		case 8:
			approve := draw.IntN(4) > 0
			plain.decideAll(approve)
			old.decideAll(approve)
			continue
		}
		x, y := same(a(m, answered)), same(b(m, answered))
		if x != y {
			t.Fatalf("%s\n%s\n%s", m, x, y)
		}
		if strings.Contains(x, "Held for approval") {
			held++
		}
	}
	if x, y := strings.Join(plainShop.ran, " "), strings.Join(oldShop.ran, " "); x != y || strings.Count(x, "delete") < 5 || held < 20 {
		t.Errorf("held %d\n%s\n%s", held, x, y)
	}
}

// TestSessionsAreApart checks that only the key that opened a stream may send to it, that the
// stream ends with the key, and that the server's session ends with the stream.
func TestSessionsAreApart(t *testing.T) {
	s := newSite(t, newShop(t), true)
	for path, want := range map[string]int{"/mcp/up/sse": 401, "/mcp/none/sse": 404, "/mcp/up/messages": 405} {
		if w := s.sendRequest(t.Context(), "GET", path, "wrong-key-0123456789abcdef", ""); w.StatusCode != want {
			t.Errorf("%s: %d", path, w.StatusCode)
		}
	}
	if w := s.sendRequest(t.Context(), "GET", "/mcp/up/sse", aliceKey, ""); w.StatusCode != 403 {
		t.Errorf("an approver: %d", w.StatusCode)
	}
	if w := s.sendRequest(t.Context(), "GET", "/mcp/up/sse", agentKey, "", "Origin", "https://evil.example"); w.StatusCode != 403 {
		t.Errorf("a page of another site: %d", w.StatusCode)
	}
	c := s.openStream()
	c.callServer(hello, true)
	for key, to := range map[string]string{otherKey: c.to, agentKey: "/mcp/up/messages?sessionId=x", "": c.to} {
		if w := s.sendRequest(t.Context(), "POST", to, key, hello); w.StatusCode != 404 && w.StatusCode != 401 {
			t.Errorf("%s at %s: %d", key, to, w.StatusCode)
		}
	}
	keys, _ := gate.ReadKeys(strings.Replace(allKeys, agentKey, "new-"+agentKey, 1))
	if _, err := s.g.ReloadKeys(t.Context(), keys); err != nil {
		t.Fatal(err)
	}
	if _, _, err := nextEvent(c.in); err == nil {
		t.Error("the stream goes on after its key was removed")
	}
	if !waitUntil(func() bool { return s.front.countSessions() == 0 }) {
		t.Error("a session goes on after its key was removed")
	}
	other := newSite(t, newShop(t), true)
	c = other.openStream()
	c.callServer(hello, true)
	c.shut()
	if !waitUntil(func() bool {
		other.up.mu.Lock()
		defer other.up.mu.Unlock()
		return len(other.up.conns) == 0 && other.front.countSessions() == 0
	}) {
		t.Error("a session goes on after its client has left")
	}
}

// TestServerSessionEndsWithKey checks that the server's session ends within a second after the key
// of its client was removed, for each transport of the client and of the server.
func TestServerSessionEndsWithKey(t *testing.T) {
	for _, c := range []struct{ oldClient, oldServer bool }{{true, true}, {true, false}, {false, true}} {
		shop := newShop(t)
		s := newSite(t, shop, c.oldServer)
		call := s.overHTTP()
		if c.oldClient {
			call = s.openStream().callServer
		}
		call(hello, true)
		count := func(want int) func() bool {
			return func() bool { shop.mu.Lock(); defer shop.mu.Unlock(); return shop.open == want }
		}
		if !waitUntil(count(1)) {
			t.Fatalf("%+v: no session", c)
		}
		keys, err := gate.ReadKeys(strings.Replace(allKeys, agentKey, "new-"+agentKey, 1))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.g.ReloadKeys(t.Context(), keys); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		if !waitUntil(count(0)) || time.Since(begun) > pace.Within(time.Second) {
			t.Errorf("%+v: after %v, the server has %d sessions of the removed key", c, time.Since(begun), shop.open)
		}
		if s.up != nil && !waitUntil(func() bool { s.up.mu.Lock(); defer s.up.mu.Unlock(); return len(s.up.conns) == 0 }) {
			t.Errorf("%+v: the gate keeps the connection", c)
		}
	}
}

func (f *Front) countSessions() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.sessions)
}

func waitUntil(done func() bool) bool {
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if done() {
			return true
		}
	}
	return false
}

// readStates returns what was decided, as the API lists it.
func (s *site) readStates() string {
	w := s.sendRequest(s.t.Context(), "GET", "/v1/history", aliceKey, "", "Accept", "application/json")
	defer w.Body.Close()
	text, _ := io.ReadAll(w.Body)
	return string(text)
}

// TestServerMisbehaves checks servers that send messages elsewhere, take none, or end in the
// middle of a call: nothing goes to another host, and the call is ambiguous.
func TestServerMisbehaves(t *testing.T) {
	shop := newShop(t)
	s := newSite(t, shop, true)
	for _, to := range []string{"https://evil.example/messages", "//evil.example/messages", "http://127.0.0.1:1/messages", "http://x:y@" + strings.TrimPrefix(shop.URL, "http://") + "/messages"} {
		shop.endpoint = to
		if text := s.openStream().callServer(hello, true); !strings.Contains(text, "does not answer") {
			t.Errorf("%s: %s", to, text)
		}
	}
	shop.endpoint = ""
	c := s.openStream()
	c.callServer(hello, true)
	const call = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"delete_order","arguments":{"n":1}}}`
	if text := c.callServer(call, true); !strings.Contains(text, "Held for approval") {
		t.Fatal(text)
	}
	s.decideAll(true)
	shop.mu.Lock()
	shop.accept = 500
	shop.mu.Unlock()
	c.callServer(call, true)
	shop.mu.Lock()
	shop.accept = 0
	shop.mu.Unlock()
	c = s.openStream()
	c.callServer(hello, true)
	if text := c.callServer(call, true); !strings.Contains(text, "Held for approval") {
		t.Errorf("a lost call: %s", text)
	}
	if status := s.readStates(); !strings.Contains(status, "ambiguous") {
		t.Errorf("the lost call: %s", status)
	}
	if len(shop.ran) != 0 {
		t.Errorf("ran %v", shop.ran)
	}
	for _, address := range []string{"http://shop.example/sse", "ftp://x", "https://a:b@x/sse", ""} {
		if _, err := NewUpstream(address, nil, nil); err == nil {
			t.Errorf("%q is an address", address)
		}
	}
}

// TestCutStreams cuts a stream at each byte: an event counts only if it is complete.
func TestCutStreams(t *testing.T) {
	const all = ": hello\n\nevent: endpoint\r\ndata: /m\r\n\r\nevent: message\ndata: {\"a\":\ndata: 1}\n\n"
	for i := range len(all) {
		in, n := bufio.NewReader(bytes.NewReader([]byte(all[:i]))), 0
		for {
			_, _, err := nextEvent(in)
			if err != nil {
				if !errors.Is(err, io.EOF) {
					t.Fatal(err)
				}
				break
			}
			n++
		}
		if want := strings.Count(all[:i], "\r\n\r\n"); n != want {
			t.Errorf("%d events in %q", n, all[:i])
		}
	}
}
