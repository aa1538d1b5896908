//go:build !js

package gate_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// TestCauseOfEach503 checks that the log has the cause of every request to the API, the
// pages or the hook that fails because of the store. The client must not see the cause.
func TestCauseOfEach503(t *testing.T) {
	s := newTestService(t, "")
	id, digest := s.proposeHeld("cancel_order", `{}`)
	b := s.signIn(aliceKey)
	form := b.hiddenFields("/p/" + id)
	s.store.Close()
	var lines []gate.Line
	h := s.gate.Logged(s.gate, func(_ context.Context, l gate.Line) { lines = append(lines, l) })
	send := func(want int, method, path, key, body string, header ...string) {
		t.Helper()
		r := httptest.NewRequest(method, s.url+path, strings.NewReader(body))
		if key != "" {
			r.Header.Set("Authorization", "Bearer "+key)
		}
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		before := len(lines)
		h.ServeHTTP(w, r)
		if w.Code != want || len(lines) != before+1 {
			t.Fatalf("%s %s: %d and %d lines", method, path, w.Code, len(lines)-before)
		}
		l := lines[before]
		if l.Cause == nil || !l.Failed() || l.Status != want || l.Method != method || l.Path != path || l.ID == "" || l.ID != w.Header().Get("X-Request-Id") {
			t.Errorf("%s %s: %+v", method, path, l)
		}
		if l.Cause != nil && strings.Contains(w.Body.String(), l.Cause.Error()) {
			t.Errorf("%s %s: the cause is told to the caller", method, path)
		}
	}
	path := "/v1/proposals/" + id
	send(503, "POST", "/v1/proposals", agentKey, `{"tool":"cancel_order","arguments":{}}`)
	send(503, "POST", "/v1/proposals", agentKey, `{"tool":"get_order","arguments":{}}`)
	send(503, "GET", "/v1/proposals", agentKey, "")
	send(503, "GET", path, agentKey, "")
	send(503, "POST", path+"/decision", aliceKey, `{"approve":true,"digest":"`+digest+`"}`)
	send(503, "POST", path+"/claim", agentKey, "")
	send(503, "POST", path+"/outcome", agentKey, `{"grant":"x","status":"executed"}`)
	send(503, "POST", path+"/cancel", agentKey, "")
	for _, path := range []string{"/v1/events", "/v1/definitions", "/v1/audit", "/v1/audit/head"} {
		send(503, "GET", path, aliceKey, "")
	}
	send(503, "GET", "/healthz", "", "")
	for _, path := range []string{"/pending", "/p/" + id, "/definitions", "/fatigue"} {
		send(503, "GET", path, "", "", "Cookie", b.cookie)
	}
	for _, path := range []string{"/p/" + id, "/logout"} {
		send(503, "POST", path, "", withFields(form, "choice", "approve").Encode(), "Cookie", b.cookie, "Origin", s.url, "Content-Type", "application/x-www-form-urlencoded")
	}
	send(200, "POST", "/v1/hooks/claude-code", agentKey, `{"hook_event_name":"PreToolUse","tool_name":"cancel_order","tool_input":{}}`)
	if l := lines[0]; l.Tenant != "t" || l.Role != "agent" || l.Name != "bot" {
		t.Errorf("%+v", l)
	}
}

// TestLogged checks that a long path is shortened in the log, and that a disconnected
// client is not reported as a failure.
func TestLogged(t *testing.T) {
	s := newTestService(t, "")
	var got gate.Line
	h := s.gate.Logged(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		store.Blame(r.Context(), context.Canceled)
		if http.NewResponseController(w).Flush() != nil {
			t.Error("what is logged cannot be flushed")
		}
		w.Write([]byte("four"))
	}), func(_ context.Context, l gate.Line) { got = l })
	h.ServeHTTP(httptest.NewRecorder(), &http.Request{Method: "GET", URL: &url.URL{Path: "/" + strings.Repeat("x", 300)}, RemoteAddr: "192.0.2.1:99"})
	if got.Failed() || got.Status != 200 || got.Bytes != 4 || len(got.Path) != 200 || got.Address != "192.0.2.1" {
		t.Errorf("%+v", got)
	}
}

// TestClientThatLeft checks that a request of a client that has left is no failure of the gate, and that the same answer to a
// client that waits is one.
func TestClientThatLeft(t *testing.T) {
	s := newTestService(t, "")
	for _, left := range []bool{true, false} {
		var got gate.Line
		h := s.gate.Logged(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			store.Blame(r.Context(), context.Canceled)
			w.WriteHeader(503)
		}), func(_ context.Context, l gate.Line) { got = l })
		ctx, leave := context.WithCancel(t.Context())
		if left {
			leave()
		}
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/v1/proposals", nil).WithContext(ctx))
		if leave(); got.Failed() == left {
			t.Errorf("left %v: %+v", left, got)
		}
	}
}

// TestHealthOfDamagedStore checks that the gate is not healthy while its calls fail: with
// a store that has no place for a row of typical size, and with one whose newest rows
// cannot be read. The log must have the cause of each failed request.
func TestHealthOfDamagedStore(t *testing.T) {
	for name, damage := range map[string]string{
		"too large": `CREATE TRIGGER full BEFORE INSERT ON health WHEN length(NEW.at) > 4000 BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
		"table":     `DROP TABLE proposals`,
		"column":    `ALTER TABLE audit RENAME COLUMN entry TO lost`,
	} {
		s := newTestService(t, "")
		s.proposeHeld("cancel_order", `{}`)
		s.callAPI("GET", "/healthz", "", "").assertStatus(t, 200)
		s.execStatements(`PRAGMA writable_schema = 1`, damage)
		var cause error
		h := s.gate.Logged(s.gate, func(_ context.Context, l gate.Line) { cause = l.Cause })
		for _, path := range []string{"/healthz", "/v1/proposals"} {
			cause = nil
			w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "http://localhost"+path, nil)
			r.Header.Set("Authorization", "Bearer "+agentKey)
			if h.ServeHTTP(w, r); path == "/healthz" && w.Code != 503 || w.Code == 503 && cause == nil {
				t.Errorf("%s: %s: %d, cause %v", name, path, w.Code, cause)
			}
		}
	}
}

// TestHealthWrites checks that the gate is not healthy if its store can be read but not
// written.
func TestHealthWrites(t *testing.T) {
	s := newTestService(t, "")
	s.callAPI("GET", "/healthz", "", "").assertStatus(t, 200, `"ok":true`)
	db := openRaw(t, s.file)
	if _, err := db.Exec(`CREATE TRIGGER full BEFORE INSERT ON health BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`); err != nil {
		t.Fatal(err)
	}
	other := newTestService(t, "", func(o *gate.Options) { o.Store = s.store }) // this gate has not checked its store yet
	other.callAPI("GET", "/healthz", "", "").assertStatus(t, 503)
	other.callAPI("GET", "/v1/proposals", aliceKey, "").assertStatus(t, 200)
	if _, err := db.Exec(`DROP TRIGGER full`); err != nil {
		t.Fatal(err)
	}
	other.callAPI("GET", "/healthz", "", "").assertStatus(t, 200)
}
