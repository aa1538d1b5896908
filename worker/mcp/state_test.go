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
	p := serve(t, "", func(s *mcp.Server) { s.Form = true })
	yes := `{"action":"accept","content":{"approve":true}}`
	first := p.call("add_note", `{"n":1}`, canForm).asks("form")
	send := func(key, name, arguments string) got {
		return p.post(ask{key: key, name: name, arguments: arguments, capabilities: canForm, more: `,"requestState":"` + first.state() + `","inputResponses":{"confirm":` + yes + `}`})
	}
	send(botKey, "add_note", `{"n":2}`).fails(400, -32602, "another call")
	send(botKey, "add_note", `{"n": 1}`).fails(400, -32602, "another call")
	send(botKey, "set_region", `{"n":1}`).fails(400, -32602, "another call")
	send(strayKey, "add_note", `{"n":1}`).fails(400, -32602, "another client")
	send(spyKey, "add_note", `{"n":1}`).fails(400, -32602, "another client")
	p.stands(first.id(), "pending")
	send(botKey, "add_note", `{"n":1}`).did()
	send(botKey, "add_note", `{"n":1}`).fails(400, -32602, "already used")
	late := p.call("add_note", `{"n":3}`, canForm).asks("form")
	p.now.Add(15 * 60_000)
	p.retry("add_note", `{"n":3}`, canForm, late, yes).fails(400, -32602, "has expired")
	p.stands(late.id(), "expired")
	p.ran(`add_note {"n":1}`)
}

// TestStateFlips checks that a requestState is refused if one of its bits is changed or
// if its end is missing.
func TestStateFlips(t *testing.T) {
	p := serve(t, "", func(s *mcp.Server) { s.Form = true })
	q := p.call("add_note", `{}`, canForm).asks("form")
	state := q.state()
	try := func(bent string) {
		t.Helper()
		if strings.ContainsAny(bent, "\"\\") {
			return
		}
		g := p.call("add_note", `{}`, canForm, `,"requestState":"`+bent+`","inputResponses":{"confirm":{"action":"accept","content":{"approve":true}}}`)
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
	p.stands(q.id(), "pending")
	p.ran()
}

// TestOnce checks that the tool runs once if there is one approval and many retries
// arrive at the same time.
func TestOnce(t *testing.T) {
	p := serve(t, "")
	for round := range 5 {
		arguments := fmt.Sprintf(`{"round":%d}`, round)
		q := p.call("delete_order", arguments, canURL).asks("url")
		var states []got
		for range 4 {
			states = append(states, p.call("delete_order", arguments, canURL).asks("url"))
		}
		p.approve(q.id())
		var wait sync.WaitGroup
		for i := range 24 {
			wait.Go(func() {
				if i%3 == 0 {
					p.call("delete_order", arguments, canNothing)
					return
				}
				p.retry("delete_order", arguments, canURL, states[i%4], `{"action":"accept"}`)
			})
		}
		wait.Wait()
		ran := 0
		for _, c := range p.up.calls() {
			if c == "delete_order "+arguments {
				ran++
			}
		}
		if ran != 1 {
			t.Errorf("ran %d times", ran)
		}
		p.stands(q.id(), "executed")
	}
}

// TestServerAsks checks a question that the server asks during a call. It reaches the
// client with the server's state wrapped in a state of the gate. The call still runs with
// the bytes that were approved.
func TestServerAsks(t *testing.T) {
	p := serve(t, "")
	asking := func(w http.ResponseWriter, m received) {
		if m.params.Get("requestState").Text() == `inner "state" <é>` {
			echo(w, m)
			return
		}
		sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"result":{"resultType":"input_required","inputRequests":{"confirm":{"method":"roots/list"}},"requestState":"inner \"state\" <é>"}}`)
	}
	p.up.reply = asking
	goOn := func(name, arguments string, q got) got {
		return p.call(name, arguments, canURL, `,"requestState":"`+q.state()+`","inputResponses":{"confirm":{"roots":[]}}`)
	}
	// A call that was approved.
	arguments := `{ "id":1 }`
	q := p.call("delete_order", arguments, canURL).asks("url")
	p.approve(q.id())
	own := p.retry("delete_order", arguments, canURL, q, `{"action":"accept"}`)
	if own.result().Get("resultType").Text() != "input_required" || strings.Contains(own.text, "inner") || own.result().At("inputRequests", "confirm", "method").Text() != "roots/list" {
		t.Fatalf("%s", own.text)
	}
	p.stands(q.id(), "claimed")
	goOn("delete_order", `{"id":2}`, own).fails(400, -32602, "another call")
	goOn("delete_order", arguments, own).did()
	p.stands(q.id(), "executed")
	goOn("delete_order", arguments, own).fails(400, -32602, "already used")
	last := p.up.seen[len(p.up.seen)-1]
	if last.arguments() != arguments || last.params.At("inputResponses", "confirm").Raw() != `{"roots":[]}` {
		t.Errorf("sent on %s", last.body)
	}
	// A call that changes nothing.
	own = p.call("get_order", `{}`, canURL)
	if own.result().Get("resultType").Text() != "input_required" || own.state() == "" || strings.Contains(own.state(), "inner") {
		t.Fatalf("%s", own.text)
	}
	goOn("get_order", `{}`, own).did()
	// A state of the server's own is not accepted.
	p.call("get_order", `{}`, canURL, `,"requestState":"inner"`).fails(400, -32602, "this gate did not issue it")
	// Without a state of the server nothing is wrapped.
	p.up.set(func() {
		p.up.reply = func(w http.ResponseWriter, m received) {
			sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"result":{"resultType":"input_required","inputRequests":{}}}`)
		}
	})
	if g := p.call("get_order", `{}`, canURL); strings.Contains(g.text, "requestState") {
		t.Errorf("%s", g.text)
	}
}

// TestHeldCallIsWhatWasShown checks that a held call is sent without the parts of the
// request that were shown to nobody.
func TestHeldCallIsWhatWasShown(t *testing.T) {
	p := serve(t, "")
	body := func(id string) string {
		return `{"jsonrpc":"2.0","id":"` + id + `","method":"tools/call","params":{"arguments":{"a": 1},"name":"delete_order","_meta":{"vendor/mode":"force","progressToken":"p1","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	}
	q := p.post(ask{name: "delete_order", body: body("a")}).held("pending", "")
	p.approve(q.id())
	p.post(ask{name: "delete_order", body: body("b")}).did()
	want := `{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"progressToken":"p1"},"name":"delete_order","arguments":{"a": 1}}}`
	if have := p.up.seen[0].body; have != want {
		t.Errorf("sent on %s", have)
	}
}
