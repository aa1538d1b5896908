//go:build !js

package mcp_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestSessionsAreTheirKeys checks that only the key that opened a session can use it. A
// request with another key, or with another spelling of the id, must not reach the
// server.
func TestSessionsAreTheirKeys(t *testing.T) {
	p := newTestProxy(t, "")
	p.up.reply = func(w http.ResponseWriter, m received) {
		if m.method == "initialize" {
			answerInitialize(w, m)
			return
		}
		sendDidIt(w, m)
	}
	p.openSession()
	check := func(status int, verb, key string, sessions ...string) {
		t.Helper()
		heard := len(p.up.seen)
		r := p.newAskRequest(ask{key: key, body: `{"jsonrpc":"2.0","id":7,"method":"ping"}`, header: []string{"MCP-Protocol-Version", "2025-06-18", "Mcp-Method", ""}})
		if r.Method = verb; verb != "POST" {
			r.Body, r.ContentLength = nil, 0
		}
		r.Header["Mcp-Session-Id"] = sessions
		w, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Body.Close()
		text, _ := io.ReadAll(w.Body)
		if w.StatusCode != status {
			t.Errorf("%s %q by %s: %d %s, want %d", verb, sessions, key, w.StatusCode, text, status)
		}
		if status != 200 && len(p.up.seen) != heard {
			t.Errorf("%s %q by %s reached the server", verb, sessions, key)
		}
		if verb == "POST" && status == 404 && !strings.Contains(string(text), `"id":7`) {
			t.Errorf("the answer is not to the request: %s", text)
		}
	}
	for _, verb := range []string{"POST", "GET", "DELETE"} {
		check(200, verb, botKey, p.session)
		check(404, verb, strayKey, p.session)
		check(404, verb, spyKey, p.session)
		check(404, verb, botKey, "s1")
		check(404, verb, botKey, p.session+"2")
		check(404, verb, botKey, strings.ToUpper(p.session))
	}
	check(404, "POST", botKey, p.session, p.session)
	p.restart()
	check(200, "POST", botKey, p.session)
	if m := p.up.seen[len(p.up.seen)-1]; m.header.Get("Mcp-Session-Id") != "s1" {
		t.Errorf("the server does not get its own id: %v", m.header)
	}
}
