//go:build !js

package gate_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/pace"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/notify"
)

// TestRound checks the steps of one call through the API: propose, look, approve, claim,
// report the outcome. It also checks that a read is allowed at once.
func TestRound(t *testing.T) {
	s := newTestService(t, "")
	s.sendProposal(`{"tool":"get_order","arguments":{"id":1}}`).assertStatus(t, 200, `"decision":"allow"`)
	arguments := `{ "id" : 9007199254740994, "note":"<b>" }`
	a := s.sendProposal(`{"tool":"cancel_order","arguments":`+arguments+`,"session":"s1"}`).assertStatus(t, 202, `"decision":"confirm"`)
	id, digest := a.textField("id"), a.textField("digest")
	if digest != proposal.Digest("cancel_order", arguments) || a.textField("url") != s.url+"/p/"+id || len(id) < 26 || !strings.Contains(a.textField("prompt"), "9007199254740994") {
		t.Errorf("%+v", a.body)
	}
	if at, err := time.Parse(time.RFC3339, a.textField("expires")); err != nil || at.UnixMilli() != start+15*60_000 {
		t.Errorf("expires %q: %v", a.textField("expires"), err)
	}
	s.sendClaim(id).assertStatus(t, 409, "not decided")
	got := s.callAPI("GET", "/v1/proposals/"+id, agentKey, "").assertStatus(t, 200, `"state":"pending"`, `"arguments":`+arguments)
	if got.textField("session") != "s1" || got.textField("prompt") != a.textField("prompt") {
		t.Errorf("%+v", got.body)
	}
	s.sendDecision(aliceKey, id, "sha256:00", true).assertStatus(t, 409, "digest")
	s.sendDecision(agentKey, id, digest, true).assertStatus(t, 403)
	s.sendDecision(carolKey, id, digest, true).assertStatus(t, 404)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200, `"state":"approved"`)
	s.sendDecision(bobKey, id, digest, false).assertStatus(t, 409)
	s.callAPI("POST", "/v1/proposals/"+id+"/claim", aliceKey, "").assertStatus(t, 403)
	s.callAPI("POST", "/v1/proposals/"+id+"/claim", otherKey, "").assertStatus(t, 404)
	s.callAPI("POST", "/v1/proposals/"+id+"/claim", spyKey, "").assertStatus(t, 404)
	s.callAPI("POST", "/v1/proposals/"+id+"/claim", agentKey, `{"digest":"sha256:00"}`).assertStatus(t, 409)
	c := s.sendClaim(id).assertStatus(t, 200, `"arguments":`+arguments)
	if c.textField("bytes") != arguments || proposal.Digest(c.textField("tool"), c.textField("bytes")) != digest || len(c.textField("grant")) != 64 {
		t.Errorf("%+v", c.body)
	}
	s.sendClaim(id).assertStatus(t, 409, "claimed already")
	s.sendOutcome(id, "x"+c.textField("grant")[1:], "executed").assertStatus(t, 409, "grant")
	s.sendOutcome(id, c.textField("grant"), "done").assertStatus(t, 400)
	s.sendOutcome(id, c.textField("grant"), "executed").assertStatus(t, 200, `"state":"executed"`)
	s.sendOutcome(id, c.textField("grant"), "failed").assertStatus(t, 409)
	if s.proposalState(id) != "executed" {
		t.Error(s.proposalState(id))
	}
}

func TestDenyAndCancel(t *testing.T) {
	s := newTestService(t, `{"tools":{"format_disk":{"deny":"agents do not format disks"}}}`)
	s.sendProposal(`{"tool":"format_disk","arguments":{}}`).assertStatus(t, 403, `"decision":"deny"`, `"reason":"agents do not format disks"`)
	id, digest := s.proposeHeld("cancel_order", `{}`)
	s.sendDecision(aliceKey, id, digest, false).assertStatus(t, 200, `"state":"denied"`)
	s.sendClaim(id).assertStatus(t, 409, "denied")
	s.callAPI("GET", "/v1/proposals/"+id, agentKey, "").assertStatus(t, 200, `"reason":"because"`)
	id, _ = s.proposeHeld("cancel_order", `{"again":1}`)
	s.callAPI("POST", "/v1/proposals/"+id+"/cancel", otherKey, "").assertStatus(t, 404)
	s.callAPI("POST", "/v1/proposals/"+id+"/cancel", agentKey, "").assertStatus(t, 200, `"state":"cancelled"`)
	s.callAPI("POST", "/v1/proposals/"+id+"/cancel", agentKey, "").assertStatus(t, 409)
}

func TestBatch(t *testing.T) {
	s := newTestService(t, `{"tools":{"format_disk":{"deny":"no"}}}`)
	s.sendProposal(`[{"tool":"get_a","arguments":{}},{"tool":"get_b","arguments":{}}]`).assertStatus(t, 200, `"decision":"allow"`)
	s.sendProposal(`[{"tool":"cancel_a","arguments":{}},{"tool":"format_disk","arguments":{}}]`).assertStatus(t, 403, `"decision":"deny"`, "call 1: no")
	a := s.sendProposal(`{"session":"s","calls":[{"tool":"get_a","arguments":{}},{"tool":"cancel_a","arguments":{}},{"tool":"cancel_b","arguments":{}}]}`).assertStatus(t, 202)
	var v struct {
		ID    string
		Calls []struct{ ID, Decision, Digest, State string }
	}
	if err := json.Unmarshal([]byte(a.text), &v); err != nil || len(v.Calls) != 3 || !strings.HasPrefix(v.ID, "b_") {
		t.Fatal(a.text)
	}
	read, one, two := v.Calls[0], v.Calls[1], v.Calls[2]
	if read.Decision != "allow" || read.State != "approved" || one.Decision != "confirm" || two.State != "pending" {
		t.Errorf("%+v", v)
	}
	s.sendClaim(read.ID).assertStatus(t, 409, "another call of the batch")
	s.sendDecision(aliceKey, one.ID, one.Digest, true).assertStatus(t, 200)
	s.sendClaim(one.ID).assertStatus(t, 409, "another call of the batch")
	s.callAPI("GET", "/v1/proposals/"+v.ID, agentKey, "").assertStatus(t, 200, `"state":"pending"`)
	s.sendDecision(bobKey, two.ID, two.Digest, false).assertStatus(t, 200)
	s.sendClaim(two.ID).assertStatus(t, 409, "denied")
	s.sendClaim(one.ID).assertStatus(t, 200)
	s.sendClaim(read.ID).assertStatus(t, 200)
	got := s.callAPI("GET", "/v1/proposals/"+v.ID, agentKey, "").assertStatus(t, 200, `"state":"decided"`)
	if i, j := strings.Index(got.text, read.ID), strings.Index(got.text, two.ID); i < 0 || j < i {
		t.Errorf("not in order: %s", got.text)
	}
}

func TestIdempotency(t *testing.T) {
	s := newTestService(t, "")
	post := func(key, body string) answer {
		return s.callAPI("POST", "/v1/proposals", agentKey, body, "Idempotency-Key", key)
	}
	body := `{"tool":"cancel_order","arguments":{"id":1}}`
	first := post("k", body).assertStatus(t, 202)
	if again := post("k", body).assertStatus(t, 202); again.text != first.text {
		t.Errorf("%s\n%s", first.text, again.text)
	}
	post("k", `{"tool":"cancel_order","arguments":{"id":2}}`).assertStatus(t, 422, `"code":"idempotency"`)
	post("k2", body).assertStatus(t, 202)
	post("r", `{"tool":"get_order","arguments":{}}`).assertStatus(t, 200)
	post("r", `{"tool":"get_order","arguments":{"x":1}}`).assertStatus(t, 422)
	post(strings.Repeat("k", 256), body).assertStatus(t, 400)
	if n := strings.Count(s.callAPI("GET", "/v1/proposals", aliceKey, "").assertStatus(t, 200).text, `"state":"pending"`); n != 2 {
		t.Errorf("%d wait, want 2", n)
	}
}

// TestIdempotentAllow checks requests that repeat an allowed call with the same
// Idempotency-Key. Each repetition must get its own audit entry. It must be refused when
// the rule that allowed the call has ended.
func TestIdempotentAllow(t *testing.T) {
	s := newTestService(t, `{"allow":[{"name":"notes","tool":"add_note","until":"2023-11-15T00:00:00Z","when":{}}]}`)
	post := func(status int) {
		t.Helper()
		s.callAPI("POST", "/v1/proposals", agentKey, `{"tool":"add_note","arguments":{}}`, "Idempotency-Key", "k").assertStatus(t, status)
	}
	post(200)
	post(200)
	n := 0
	openRaw(t, s.file).QueryRow(`SELECT count(*) FROM audit WHERE entry LIKE '%"rule":"notes"%'`).Scan(&n)
	if n != 2 {
		t.Errorf("%d exemptions noted, want 2", n)
	}
	s.now.Add(48 * time.Hour.Milliseconds())
	post(409)
}

func TestBadRequests(t *testing.T) {
	s := newTestService(t, "", func(o *gate.Options) { o.Limit = 2000; o.Waiting = 2 })
	for body, part := range map[string]string{
		``: "", `{`: "", `[]`: "1 to 64 calls", `{"arguments":{}}`: "unknown proposal",
		`{"tool":"x","arguments":{"a":1,"a":2}}`:                    "twice",
		`{"tool":"x","arguments":{},"table":{"tools":{"x":"no"}}}`:  "policy",
		`{"calls":[{"tool":"x","arguments":{}}],"table":{}}`:        "policy",
		`[{"tool":"x","arguments":{}},{"tool":"y"}]`:                "call 1: ",
		`{"tool":"x","arguments":{},"session":"a\u202eb"}`:          "invalid session",
		`[` + strings.Repeat(`{"tool":"a"},`, 65) + `{"tool":"a"}]`: "1 to 64 calls",
		`{"calls":[{"tool":"x","arguments":{}}],"tools":"none"}`:    "invalid tools",
	} {
		s.sendProposal(body).assertStatus(t, 400, part)
	}
	id, digest := s.proposeHeld("cancel_order", `{}`)
	path := "/v1/proposals/" + id
	for _, body := range []string{``, `{`, `[]`, `{"approve":"true","digest":"` + digest + `"}`, `{"approve":true}`, `{"approve":true,"approve":false,"digest":"x"}`,
		`{"approve":true,"digest":"` + digest + `","acknowledge":1}`, `{"approve":true,"digest":"x","reason":7}`} {
		s.callAPI("POST", path+"/decision", aliceKey, body).assertStatus(t, 400)
	}
	s.callAPI("POST", path+"/decision", aliceKey, `{"approve":true,"digest":"`+digest+`"}`, "If-Match", `"sha256:1"`).assertStatus(t, 409)
	s.callAPI("GET", path+"?wait=x", agentKey, "").assertStatus(t, 400)
	s.callAPI("GET", path+"?wait=51", agentKey, "").assertStatus(t, 400)
	s.callAPI("GET", "/v1/proposals/p_none", agentKey, "").assertStatus(t, 404)
	s.callAPI("GET", "/v1/proposals/b_none", agentKey, "").assertStatus(t, 404)
	s.callAPI("GET", path, spyKey, "").assertStatus(t, 404)
	s.callAPI("DELETE", path, agentKey, "").assertStatus(t, 405)
	s.callAPI("GET", "/v2", agentKey, "").assertStatus(t, 404)
	s.callAPI("GET", path, "", "").assertStatus(t, 401)
	s.callAPI("GET", path, agentKey+"x", "").assertStatus(t, 401)
	s.sendProposal(`{"tool":"x","arguments":{"a":"`+strings.Repeat("a", 2000)+`"}}`).assertStatus(t, 413)
	s.callAPI("POST", "/v1/proposals", agentKey, "x", "Content-Encoding", "gzip").assertStatus(t, 415)
	s.callAPI("POST", "/v1/proposals", aliceKey, `{"tool":"x","arguments":{}}`).assertStatus(t, 403)
	s.proposeHeld("cancel_order", `{}`)
	if a := s.sendProposal(`{"tool":"cancel_order","arguments":{}}`).assertStatus(t, 429); a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	s.sendProposal(`{"tool":"get_order","arguments":{}}`).assertStatus(t, 200)
}

func TestRate(t *testing.T) {
	s := newTestService(t, "", func(o *gate.Options) { o.Rate, o.Burst = 1, 3 })
	for range 3 {
		s.callAPI("GET", "/v1/proposals", agentKey, "").assertStatus(t, 200)
	}
	if a := s.callAPI("GET", "/v1/proposals", agentKey, "").assertStatus(t, 429); a.header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After %q", a.header.Get("Retry-After"))
	}
	s.callAPI("GET", "/v1/proposals", aliceKey, "").assertStatus(t, 200)
	s.now.Add(1000)
	s.callAPI("GET", "/v1/proposals", agentKey, "").assertStatus(t, 200)
}

// TestLongPoll checks that a request that waits for a decision is answered as soon as
// somebody decides. If nobody does, it is answered at the end of its waiting time.
func TestLongPoll(t *testing.T) {
	s := newTestService(t, "", func(o *gate.Options) { o.Poll = time.Minute })
	id, digest := s.proposeHeld("cancel_order", `{}`)
	begun := time.Now()
	s.callAPI("GET", "/v1/proposals/"+id+"?wait=1", agentKey, "").assertStatus(t, 200, `"state":"pending"`)
	if d := time.Since(begun); d < 900*time.Millisecond || d > pace.Within(20*time.Second) {
		t.Errorf("waited %v", d)
	}
	got := make(chan answer)
	go func() { got <- s.callAPI("GET", "/v1/proposals/"+id+"?wait=50", agentKey, "") }()
	time.Sleep(100 * time.Millisecond)
	begun = time.Now()
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	(<-got).assertStatus(t, 200, `"state":"approved"`)
	if d := time.Since(begun); d > 30*time.Second {
		t.Errorf("told after %v", d)
	}
}

// TestStoreDown checks that no call is allowed, decided or claimed while the store fails.
// The answer must not tell the cause.
func TestStoreDown(t *testing.T) {
	s := newTestService(t, "")
	id, digest := s.proposeHeld("cancel_order", `{}`)
	s.store.Close()
	s.sendProposal(`{"tool":"cancel_order","arguments":{}}`).assertStatus(t, 503, "not allowed")
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 503)
	s.sendClaim(id).assertStatus(t, 503)
	s.sendOutcome(id, "x", "executed").assertStatus(t, 503)
	s.callAPI("GET", "/healthz", "", "").assertStatus(t, 503)
	if a := s.sendClaim(id); strings.Contains(a.text, "sql") || strings.Contains(a.text, "database") {
		t.Errorf("the cause is told: %s", a.text)
	}
}

func TestNew(t *testing.T) {
	keys, _ := gate.ReadKeys(keyFile)
	store, _ := open(t)
	ok := gate.Options{Store: store, Keys: keys, URL: "https://gate.example"}
	if _, err := gate.New(ok); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*gate.Options){
		"no keys":      func(o *gate.Options) { o.Keys = nil },
		"no store":     func(o *gate.Options) { o.Store = nil },
		"plain http":   func(o *gate.Options) { o.URL = "http://gate.example" },
		"a path":       func(o *gate.Options) { o.URL = "https://gate.example/x" },
		"short secret": func(o *gate.Options) { o.Secret = []byte("short") },
		"plain hook": func(o *gate.Options) {
			o.Hooks = []notify.Hook{{Tenant: "t", URL: "http://x.example", Secrets: []string{"whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"}}}
		},
		"weak hook": func(o *gate.Options) {
			o.Hooks = []notify.Hook{{Tenant: "t", URL: "https://x.example", Secrets: []string{"whsec_MDEy"}}}
		},
		"same key": func(o *gate.Options) { o.Keys = append(append([]gate.Key{}, keys...), keys[0]) },
	} {
		o := ok
		change(&o)
		if _, err := gate.New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, text := range []string{"t agent bot", "t agent bot short", "t boss bot " + agentKey, "t agent bot sha256:12", "t agent bot " + agentKey + " nobody", "t agent a " + agentKey + "\nt approver b " + agentKey} {
		if _, err := gate.ReadKeys(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
	hashed, err := gate.ReadKeys("t agent bot sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
	if plain, _ := gate.ReadKeys("t agent bot " + agentKey); err != nil || len(hashed) != 1 || len(plain) != 1 {
		t.Error(err)
	}
}
