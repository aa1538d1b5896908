//go:build !js

package gate_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// The keys of the tests. carol belongs to another tenant.
const (
	agentKey = "agent-key-0123456789abcdef"
	otherKey = "other-agent-0123456789abcdef"
	aliceKey = "alice-key-0123456789abcdef"
	bobKey   = "bob-key-0123456789abcdef"
	spyKey   = "spy-agent-0123456789abcdef"
	carolKey = "carol-key-0123456789abcdef"
)

const keyFile = `
t agent    bot   ` + agentKey + `
t agent    bot2  ` + otherKey + ` alice # only alice decides for it
t approver alice ` + aliceKey + `
t approver bob   ` + bobKey + `
u agent    bot   ` + spyKey + `
u approver carol ` + carolKey + `
`

// service is a gate behind a real server, with a clock of its own.
type service struct {
	t     testing.TB
	gate  *gate.Gate
	store *store.Store
	file  string
	url   string
	now   atomic.Int64

	mu   sync.Mutex
	seen map[string]bool // "METHOD path status" as the API answered
}

func newTestService(t testing.TB, policy string, change ...func(*gate.Options)) *service {
	t.Helper()
	s := &service{t: t, seen: map[string]bool{}}
	s.store, s.file = open(t)
	s.now.Store(start)
	keys, err := gate.ReadKeys(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	p := machine.Default()
	if policy != "" {
		if p, err = machine.ReadPolicy(policy); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.gate.ServeHTTP(w, r) }))
	s.url = "http://" + server.Listener.Addr().String()
	o := gate.Options{Store: s.store, Keys: keys, Policy: p, URL: s.url, Now: s.now.Load, Rate: -1}
	for _, c := range change {
		c(&o)
	}
	if s.gate, err = gate.New(o); err != nil {
		t.Fatal(err)
	}
	server.Start()
	t.Cleanup(server.Close)
	return s
}

// answer is a response with its parsed body.
type answer struct {
	status int
	header http.Header
	text   string
	body   map[string]any
}

func (a answer) textField(name string) string { s, _ := a.body[name].(string); return s }

func (s *service) callAPI(method, path, key, body string, header ...string) answer {
	s.t.Helper()
	r, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	a := answer{status: w.StatusCode, header: w.Header, text: string(text)}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	d.Decode(&a.body)
	s.noteStatus(method, path, a.status)
	return a
}

// noteStatus records that an operation was answered with a status.
func (s *service) noteStatus(method, path string, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	path, _, _ = strings.Cut(path, "?")
	if f := strings.Split(path, "/"); len(f) > 3 && (f[2] == "proposals" || f[2] == "remembered" || f[2] == "delegations") {
		f[3] = "{id}"
		path = strings.Join(f, "/")
	}
	s.seen[method+" "+path+" "+http.StatusText(status)] = true
}

// sendDirect sends a request to the handler without a network connection. It checks the
// status and returns the body.
func (s *service) sendDirect(method, path, key, body string, status int) string {
	s.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "localhost"
	r.Header.Set("Authorization", "Bearer "+key)
	w := httptest.NewRecorder()
	s.gate.ServeHTTP(w, r)
	if w.Code != status {
		s.t.Fatalf("%s: %d, want %d: %s", path, w.Code, status, w.Body)
	}
	return w.Body.String()
}

// assertStatus fails the test if the answer has another status, or if its text lacks one
// of the parts.
func (a answer) assertStatus(t testing.TB, status int, parts ...string) answer {
	t.Helper()
	if a.status != status {
		t.Fatalf("status %d, want %d: %s", a.status, status, a.text)
	}
	for _, p := range parts {
		if !strings.Contains(a.text, p) {
			t.Errorf("no %q in %s", p, a.text)
		}
	}
	return a
}

func (s *service) sendProposal(body string) answer {
	return s.callAPI("POST", "/v1/proposals", agentKey, body)
}

// proposeHeld proposes a call that is held, and returns its id and digest.
func (s *service) proposeHeld(tool, arguments string) (id, digest string) {
	s.t.Helper()
	a := s.sendProposal(`{"tool":"`+tool+`","arguments":`+arguments+`}`).assertStatus(s.t, 202)
	return a.textField("id"), a.textField("digest")
}

func (s *service) sendDecision(key, id, digest string, approve bool) answer {
	body, _ := json.Marshal(map[string]any{"approve": approve, "digest": digest, "reason": "because"})
	return s.callAPI("POST", "/v1/proposals/"+id+"/decision", key, string(body))
}

func (s *service) sendClaim(id string) answer {
	return s.callAPI("POST", "/v1/proposals/"+id+"/claim", agentKey, "")
}

func (s *service) sendOutcome(id, grant, status string) answer {
	return s.callAPI("POST", "/v1/proposals/"+id+"/outcome", agentKey, `{"grant":"`+grant+`","status":"`+status+`"}`)
}

func (s *service) proposalState(id string) string {
	return s.callAPI("GET", "/v1/proposals/"+id, agentKey, "").assertStatus(s.t, 200).textField("state")
}
