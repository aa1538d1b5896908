//go:build !js

package mcp_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/boundcheck/boundcheck/worker/mcp"
)

// TestStateIsBound checks that a requestState is valid for one principal, one call and a
// limited time, and only once.
func TestStateIsBound(t *testing.T) {
	p := newTestProxy(t, "", func(s *mcp.Server) { s.Form = true })
	yes := `{"action":"accept","content":{"approve":true}}`
	first := p.callTool("add_note", `{"n":1}`, canForm).assertAsks("form")
	send := func(key, name, arguments string) got {
		return p.postAsk(ask{key: key, name: name, arguments: arguments, capabilities: canForm, more: `,"requestState":"` + first.sealedState() + `","inputResponses":{"confirm":` + yes + `}`})
	}
	send(botKey, "add_note", `{"n":2}`).assertFails(400, -32602, "the call differs from the call in requestState")
	send(botKey, "add_note", `{"n": 1}`).assertFails(400, -32602, "the call differs from the call in requestState")
	send(botKey, "set_region", `{"n":1}`).assertFails(400, -32602, "the call differs from the call in requestState")
	send(strayKey, "add_note", `{"n":1}`).assertFails(400, -32602, "another client")
	send(spyKey, "add_note", `{"n":1}`).assertFails(400, -32602, "another client")
	p.assertState(first.approvalID(), "pending")
	send(botKey, "add_note", `{"n":1}`).assertRan()
	send(botKey, "add_note", `{"n":1}`).assertFails(400, -32602, "already used")
	late := p.callTool("add_note", `{"n":3}`, canForm).assertAsks("form")
	p.now.Add(15 * 60_000)
	p.retryCall("add_note", `{"n":3}`, canForm, late, yes).assertFails(400, -32602, "has expired")
	p.assertState(late.approvalID(), "expired")
	p.assertCalls(`add_note {"n":1}`)
}

// TestStateFlips checks that a requestState is refused if one of its bits is changed or
// if its end is missing.
func TestStateFlips(t *testing.T) {
	p := newTestProxy(t, "", func(s *mcp.Server) { s.Form = true })
	q := p.callTool("add_note", `{}`, canForm).assertAsks("form")
	state := q.sealedState()
	try := func(bent string) {
		t.Helper()
		if strings.ContainsAny(bent, "\"\\") {
			return
		}
		g := p.callTool("add_note", `{}`, canForm, `,"requestState":"`+bent+`","inputResponses":{"confirm":{"action":"accept","content":{"approve":true}}}`)
		if g.status != 400 {
			t.Fatalf("%q passes for %q: %d %s", bent, state, g.status, g.text)
		}
	}
	for i := range state {
		for bit := range 7 {
			bent := []byte(state)
			if bent[i] ^= 1 << bit; bent[i] >= ' ' && bent[i] < 127 {
				try(string(bent))
			}
		}
		try(state[:i])
	}
	try(state + "0")
	try(strings.ToUpper(state))
	p.assertState(q.approvalID(), "pending")
	p.assertCalls()
}

// TestOnce checks that the tool runs once if there is one approval and many retries
// arrive at the same time.
func TestOnce(t *testing.T) {
	p := newTestProxy(t, "")
	for round := range 5 {
		arguments := fmt.Sprintf(`{"round":%d}`, round)
		q := p.callTool("delete_order", arguments, canURL).assertAsks("url")
		var states []got
		for range 4 {
			states = append(states, p.callTool("delete_order", arguments, canURL).assertAsks("url"))
		}
		p.mustApprove(q.approvalID())
		var wait sync.WaitGroup
		for i := range 24 {
			wait.Go(func() {
				if i%3 == 0 {
					p.callTool("delete_order", arguments, canNothing)
					return
				}
				p.retryCall("delete_order", arguments, canURL, states[i%4], `{"action":"accept"}`)
			})
		}
		wait.Wait()
		ran := 0
		for _, c := range p.up.receivedCalls() {
			if c == "delete_order "+arguments {
				ran++
			}
		}
		if ran != 1 {
			t.Errorf("ran %d times", ran)
		}
		p.assertState(q.approvalID(), "executed")
	}
}

// TestServerAsks checks a question that the server asks during a call. The client must
// get a state of the gate that contains the server's state. The call must still run with
// the approved bytes.
func TestServerAsks(t *testing.T) {
	p := newTestProxy(t, "")
	asking := func(w http.ResponseWriter, m received) {
		if m.params.Get("requestState").Text() == `inner "state" <é>` {
			sendDidIt(w, m)
			return
		}
		sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"result":{"resultType":"input_required","inputRequests":{"confirm":{"method":"roots/list"}},"requestState":"inner \"state\" <é>"}}`)
	}
	p.up.reply = asking
	goOn := func(name, arguments string, q got) got {
		return p.callTool(name, arguments, canURL, `,"requestState":"`+q.sealedState()+`","inputResponses":{"confirm":{"roots":[]}}`)
	}
	// A call that was approved.
	arguments := `{ "id":1 }`
	q := p.callTool("delete_order", arguments, canURL).assertAsks("url")
	p.mustApprove(q.approvalID())
	own := p.retryCall("delete_order", arguments, canURL, q, `{"action":"accept"}`)
	if own.resultValue().Get("resultType").Text() != "input_required" || strings.Contains(own.text, "inner") || own.resultValue().At("inputRequests", "confirm", "method").Text() != "roots/list" {
		t.Fatalf("%s", own.text)
	}
	p.assertState(q.approvalID(), "claimed")
	goOn("delete_order", `{"id":2}`, own).assertFails(400, -32602, "the call differs from the call in requestState")
	goOn("delete_order", arguments, own).assertRan()
	p.assertState(q.approvalID(), "executed")
	goOn("delete_order", arguments, own).assertFails(400, -32602, "already used")
	last := p.up.seen[len(p.up.seen)-1]
	if last.rawArguments() != arguments || last.params.At("inputResponses", "confirm").Raw() != `{"roots":[]}` {
		t.Errorf("sent on %s", last.body)
	}
	// A call that changes nothing.
	own = p.callTool("get_order", `{}`, canURL)
	if own.resultValue().Get("resultType").Text() != "input_required" || own.sealedState() == "" || strings.Contains(own.sealedState(), "inner") {
		t.Fatalf("%s", own.text)
	}
	goOn("get_order", `{}`, own).assertRan()
	// A state of the server's own is not accepted.
	p.callTool("get_order", `{}`, canURL, `,"requestState":"inner"`).assertFails(400, -32602, "this gate did not issue it")
	// Without a state of the server nothing is wrapped.
	p.up.withLock(func() {
		p.up.reply = func(w http.ResponseWriter, m received) {
			sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"result":{"resultType":"input_required","inputRequests":{}}}`)
		}
	})
	if g := p.callTool("get_order", `{}`, canURL); strings.Contains(g.text, "requestState") {
		t.Errorf("%s", g.text)
	}
}

// TestHeldCallIsWhatWasShown checks that a held call is sent without the parts of the
// request that were shown to nobody.
func TestHeldCallIsWhatWasShown(t *testing.T) {
	p := newTestProxy(t, "")
	body := func(id string) string {
		return `{"jsonrpc":"2.0","id":"` + id + `","method":"tools/call","params":{"arguments":{"a": 1},"name":"delete_order","_meta":{"vendor/mode":"force","progressToken":"p1","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	}
	q := p.postAsk(ask{name: "delete_order", body: body("a")}).assertHeld("pending", "")
	p.mustApprove(q.approvalID())
	p.postAsk(ask{name: "delete_order", body: body("b")}).assertRan()
	want := `{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"progressToken":"p1"},"name":"delete_order","arguments":{"a": 1}}}`
	if have := p.up.seen[0].body; have != want {
		t.Errorf("sent on %s", have)
	}
}
