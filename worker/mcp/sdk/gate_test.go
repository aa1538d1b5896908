package sdk

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
	"github.com/boundcheck/boundcheck/worker/mcp"
	"github.com/boundcheck/boundcheck/worker/mcp/sse"
)

const (
	agentKey = "agent-key-0123456789abcdef"
	aliceKey = "alice-key-0123456789abcdef"
)

// proxied is a gate in front of one MCP server. A request without a key gets the
// agent's, because the conformance suite cannot send one.
type proxied struct {
	t   *testing.T
	url string
	mcp *mcp.Handler
}

func before(t *testing.T, server, policy string, change ...func(*mcp.Server)) *proxied {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "gate.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	keys, err := gate.ReadKeys("t agent bot " + agentKey + " alice\nt approver alice " + aliceKey)
	if err != nil {
		t.Fatal(err)
	}
	p := machine.Default()
	if policy != "" {
		if p, err = machine.ReadPolicy(policy); err != nil {
			t.Fatal(err)
		}
	}
	var g *gate.Gate
	var h *mcp.Handler
	var front *sse.Front
	listener := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "" {
			r.Header.Set("Authorization", "Bearer "+agentKey)
		}
		if strings.HasPrefix(r.URL.Path, "/mcp/") {
			front.ServeHTTP(w, r)
			return
		}
		g.ServeHTTP(w, r)
	}))
	url := "http://" + listener.Listener.Addr().String()
	if g, err = gate.New(gate.Options{Store: store, Keys: keys, Policy: p, URL: url, Rate: -1}); err != nil {
		t.Fatal(err)
	}
	s := mcp.Server{Name: "up", URL: server}
	for _, c := range change {
		c(&s)
	}
	if h, err = mcp.New(g, http.DefaultTransport, s); err != nil {
		t.Fatal(err)
	}
	h.Wait = 200 * time.Millisecond
	front = sse.NewFront(h)
	listener.Start()
	t.Cleanup(listener.Close)
	return &proxied{t, url, h}
}

func (p *proxied) api(method, path, key, body string) (status int, text string) {
	p.t.Helper()
	r, _ := http.NewRequest(method, p.url+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+key)
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer w.Body.Close()
	b, _ := io.ReadAll(w.Body)
	return w.StatusCode, string(b)
}

// pendingID returns the id of the only waiting question.
func (p *proxied) pendingID() string {
	p.t.Helper()
	_, text := p.api("GET", "/v1/proposals", aliceKey, "")
	_, id, _ := strings.Cut(text, `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	return id
}

// decide decides the only waiting question and returns the id of the question.
func (p *proxied) decide(approve bool) string {
	p.t.Helper()
	var all struct {
		Pending []struct{ ID, Digest string }
	}
	_, text := p.api("GET", "/v1/proposals", aliceKey, "")
	if err := json.Unmarshal([]byte(text), &all); err != nil || len(all.Pending) != 1 {
		p.t.Fatalf("%d questions wait: %s", len(all.Pending), text)
	}
	id := all.Pending[0].ID
	if status, text := p.api("POST", "/v1/proposals/"+id+"/decision", aliceKey, fmt.Sprintf(`{"approve":%v,"digest":%q}`, approve, all.Pending[0].Digest)); status != 200 {
		p.t.Fatalf("%d %s", status, text)
	}
	return id
}

func (p *proxied) state(id string) string {
	p.t.Helper()
	_, text := p.api("GET", "/v1/proposals/"+id, agentKey, "")
	var r struct{ State string }
	json.Unmarshal([]byte(text), &r)
	return r.State
}
