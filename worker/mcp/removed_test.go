//go:build !js

package mcp_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate"
)

// soon is the time within which everything of a removed key must end.
const soon = time.Second

// TestRemovedKey checks what ends within a second after an agent's key was removed: a
// call that waits for a decision, a call that runs at the server, and the long-lived
// stream of a session. The waiting call must not run after a later approval.
func TestRemovedKey(t *testing.T) {
	p := newTestProxy(t, "")
	p.mcp.Wait = time.Minute
	running := make(chan bool, 2)
	p.up.reply = func(w http.ResponseWriter, m received) {
		if m.method == "initialize" {
			answerInitialize(w, m)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(200)
		http.NewResponseController(w).Flush()
		running <- true
		<-m.ctx
	}
	p.openSession()
	q := p.callTool("delete_order", `{}`, canURL).assertAsks("url")
	stream := p.newAskRequest(ask{method: "ping", header: []string{"MCP-Protocol-Version", "2025-06-18", "Mcp-Session-Id", p.session}})
	stream.Method, stream.Body, stream.ContentLength = "GET", nil, 0
	requests := map[string]*http.Request{
		"the stream":         stream,
		"the call that runs": p.newAskRequest(ask{name: "get_order", arguments: `{}`}),
		"the call that waits": p.newAskRequest(ask{name: "delete_order", arguments: `{}`, capabilities: canURL,
			more: `,"requestState":"` + q.sealedState() + `","inputResponses":{"confirm":{"action":"accept"}}`}),
	}
	type end struct{ what, text string }
	ends := make(chan end, len(requests))
	for what, r := range requests {
		go func() {
			w, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				ends <- end{what, err.Error()}
				return
			}
			defer w.Body.Close()
			text, _ := io.ReadAll(w.Body)
			ends <- end{what, w.Status + " " + string(text)}
		}()
	}
	<-running
	<-running
	p.waitUntil(func() bool { return p.open.Load() == 3 })
	keys, err := gate.ReadKeys(strings.Replace(keyFile, botKey, "another-key-0123456789abcdef", 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.gate.ReloadKeys(t.Context(), keys); err != nil {
		t.Fatal(err)
	}
	late := time.After(soon)
	for range requests {
		select {
		case e := <-ends:
			if e.what == "the call that waits" && !isRefusedForKey(e.text) {
				t.Errorf("%s: %s", e.what, e.text)
			}
		case <-late:
			t.Fatal("not all requests have ended")
		}
	}
	p.mustApprove(q.approvalID())
	p.callTool("delete_order", `{}`, canURL).assertFails(401, -32600, "send a key")
	_, text := p.callAPI("GET", "/v1/proposals/"+q.approvalID(), aliceKey, "")
	if !strings.Contains(text, `"state":"approved"`) {
		t.Errorf("the call ran: %s", text)
	}
}

// isRefusedForKey reports whether an answer says that the key is not valid: it was removed
// while the request waited, or before the gate admitted the request.
func isRefusedForKey(answer string) bool {
	return strings.HasPrefix(answer, "401 ") && (strings.Contains(answer, "was removed") || strings.Contains(answer, "send a key"))
}
