//go:build !js

package mcp_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/mcp"
)

const editPolicy = `{"edit":[{"name":"all","arguments":["*"],"counts":true}]}`

// editCall puts other arguments in the place of a call, and returns the new proposal's id.
func (p *proxy) editCall(id, arguments string) string {
	p.t.Helper()
	_, text := p.callAPI("GET", "/v1/proposals/"+id, aliceKey, "")
	v, _ := jsonval.Parse(text)
	status, text := p.callAPI("POST", "/v1/proposals/"+id+"/edit", aliceKey, `{"digest":"`+v.Get("digest").Text()+`","arguments":`+arguments+`}`)
	if v, _ = jsonval.Parse(text); status != 200 {
		p.t.Fatalf("%d %s", status, text)
	}
	return v.Get("id").Text()
}

// assertTold checks that a result says what ran before the server's own content.
func (g got) assertTold(arguments string) {
	g.t.Helper()
	parts := g.resultValue().Get("content").Elements()
	if len(parts) != 2 || parts[0].Get("text").Text() != "[gate] An approver changed this call. The client's arguments did not run; these did: "+arguments || parts[1].Get("text").Text() != "did it" ||
		g.approvalValue().Get("arguments").Raw() != arguments {
		g.t.Errorf("the client was told %s", g.text)
	}
}

// TestEditThroughMCP edits calls of clients of every kind: the server gets the edited call
// once, and the client is told what ran.
func TestEditThroughMCP(t *testing.T) {
	p := newTestProxy(t, editPolicy)
	const was, is = `{"id":"W1"}`, `{ "id" : "W2" }`

	first := p.callTool("delete_order", was, canURL).assertAsks("url")
	next := p.editCall(first.approvalID(), is)
	second := p.retryCall("delete_order", was, canURL, first, `{"action":"accept"}`).assertAsks("url")
	if second.approvalID() != next {
		t.Errorf("the question is about %s, want %s", second.approvalID(), next)
	}
	p.assertCalls()
	p.mustApprove(next)
	p.retryCall("delete_order", was, canURL, second, `{"action":"accept"}`).assertTold(is)
	p.assertState(first.approvalID(), "superseded")
	p.assertState(next, "executed")

	held := p.callTool("delete_order", was, canNothing).assertHeld("pending", "")
	next = p.editCall(held.approvalID(), is)
	if again := p.callTool("delete_order", was, canNothing).assertHeld("pending", ""); again.approvalID() != next {
		t.Errorf("the same call has the question %s, want %s", again.approvalID(), next)
	}
	p.mustApprove(next)
	p.callTool("delete_order", was, canNothing).assertTold(is)
	p.assertCalls("delete_order "+is, "delete_order "+is)
	p.callTool("delete_order", was, canNothing).assertHeld("pending", "") // once

	p.up.reply = func(w http.ResponseWriter, m received) {
		sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"error":{"code":-32000,"message":"no such order"}}`)
	}
	held = p.callTool("delete_order", `{"id":"W5"}`, canNothing).assertHeld("pending", "")
	p.mustApprove(p.editCall(held.approvalID(), is))
	if g := p.callTool("delete_order", `{"id":"W5"}`, canNothing); !strings.Contains(g.v.At("error", "message").Text(), "these did: "+is+"\n\nno such order") {
		t.Errorf("an error: %s", g.text)
	}
}

// TestEditMirrorsHeaders checks that the headers that repeat arguments are those of the
// edited call.
func TestEditMirrorsHeaders(t *testing.T) {
	p := newTestProxy(t, editPolicy)
	a := ask{name: "set_region", arguments: `{"region":"eu"}`, capabilities: canNothing, header: []string{"Mcp-Param-Region", "eu"}}
	for _, c := range [][2]string{{`{"region":"us"}`, "us"}, {`{"region":"zürich "}`, "=?base64?esO8cmljaCA=?="}, {`{}`, ""}} {
		held := p.postAsk(a).assertHeld("pending", "")
		p.mustApprove(p.editCall(held.approvalID(), c[0]))
		p.postAsk(a).assertTold(c[0])
		if got := p.up.seen[len(p.up.seen)-1].header.Get("Mcp-Param-Region"); got != c[1] {
			t.Errorf("%s: the header says %q, want %q", c[0], got, c[1])
		}
	}
}

// TestEditOverLines edits a call of a client over standard input and output, which is
// asked by a form: the form no longer decides, and the answer comes from the page.
func TestEditOverLines(t *testing.T) {
	h := newHost(t, func(_ *lineServer, s *mcp.Server, _ *mcp.Handler) { s.Form = true })
	rules, err := machine.ReadPolicy(`{"conversation":["mcp__shop__add_note"],` + editPolicy[1:])
	if err != nil {
		t.Fatal(err)
	}
	h.gate.SetPolicy(rules)
	h.openStream(`{"elicitation":{"form":{}}}`)
	h.writeLine(lineCall("1", "add_note", `{"text":"hi"}`))
	h.awaitLine("elicitation/create")
	_, text := h.callAPI("GET", "/v1/proposals", aliceKey, "")
	v, _ := jsonval.Parse(text)
	next := h.editCall(v.Get("pending").Elements()[0].Get("id").Text(), `{"text":"hello"}`)
	h.awaitLine("notifications/cancelled")
	h.mustApprove(next)
	h.writeLine(lineCall("2", "add_note", `{"text":"hi"}`))
	h.awaitLine(`these did: {\"text\":\"hello\"}`, "did it")
	if all := h.server.receivedLines("tools/call"); len(all) != 1 || !strings.Contains(all[0], `"arguments":{"text":"hello"}`) {
		t.Errorf("the server got %q", all)
	}
}

// TestAnswerThroughMCP checks that an approver's answer reaches the client.
func TestAnswerThroughMCP(t *testing.T) {
	p := newTestProxy(t, "")
	q := p.callTool("delete_order", `{}`, canURL).assertAsks("url")
	_, text := p.callAPI("GET", "/v1/proposals/"+q.approvalID(), aliceKey, "")
	v, _ := jsonval.Parse(text)
	if status, text := p.callAPI("POST", "/v1/proposals/"+q.approvalID()+"/answer", aliceKey, `{"digest":"`+v.Get("digest").Text()+`","answer":"ask first"}`); status != 200 {
		t.Fatal(text)
	}
	p.retryCall("delete_order", `{}`, canURL, q, `{"action":"accept"}`).assertHeld("answered", "They wrote: ask first")
	p.assertCalls()
}

// TestRememberedThroughMCP remembers a yes to a call of a server's tool. It ends when the
// tool's definition changes, also after the new one was accepted.
func TestRememberedThroughMCP(t *testing.T) {
	p := newTestProxy(t, `{"remember":[{"name":"notes","tool":"mcp__shop__add_note","within":"1h"}]}`)
	q := p.callTool("add_note", `{"text":"a"}`, canURL).assertAsks("url")
	p.mustApprove(q.approvalID())
	_, text := p.callAPI("GET", "/v1/proposals/"+q.approvalID(), aliceKey, "")
	v, _ := jsonval.Parse(text)
	until := time.UnixMilli(start + 600_000).UTC().Format(time.RFC3339)
	if status, text := p.callAPI("POST", "/v1/remembered", aliceKey, `{"id":"`+q.approvalID()+`","digest":"`+v.Get("digest").Text()+`","until":"`+until+`","when":{"text":{"any":true}}}`); status != 200 {
		t.Fatal(text)
	}
	p.retryCall("add_note", `{"text":"a"}`, canURL, q, `{"action":"accept"}`).assertRan()
	p.callTool("add_note", `{"text":"b"}`, canURL).assertRan()
	p.callTool("add_note", `{"text":"b","to":"x"}`, canURL).assertAsks("url")
	p.assertCalls(`add_note {"text":"a"}`, `add_note {"text":"b"}`)
	p.up.withLock(func() {
		p.up.tools = append([]string{toolDefinition("add_note", `,"title":"New"`)}, p.up.tools...)
		p.up.tools = append(p.up.tools[:2], p.up.tools[3:]...)
	})
	p.now.Add(3600_000)
	p.now.Add(-3590_000)
	p.callTool("get_order", `{}`, canURL)
	p.restart()
	p.callTool("add_note", `{"text":"c"}`, canURL).assertHeld("held", "changed")
	_, text = p.callAPI("GET", "/v1/definitions", aliceKey, "")
	v, _ = jsonval.Parse(text)
	for _, d := range v.Get("definitions").Elements() {
		if d.Get("tool").Text() == "add_note" {
			p.callAPI("POST", "/v1/definitions", aliceKey, `{"server":"shop","tool":"add_note","hash":"`+d.Get("hash").Text()+`"}`)
		}
	}
	p.callTool("add_note", `{"text":"c"}`, canURL).assertAsks("url")
}

// TestRememberedWhereTheHostAsks checks that a call that a remembered yes covers is claimed,
// although the host of the server asks in the gate's place.
func TestRememberedWhereTheHostAsks(t *testing.T) {
	p := newTestProxy(t, `{"remember":[{"name":"notes","tool":"mcp__shop__delete_order","within":"1h","destructive":true}]}`, func(s *mcp.Server) { s.Ask = mcp.AskHost })
	q := p.callTool("delete_order", `{"id":1}`, canURL).assertAsks("url")
	p.mustApprove(q.approvalID())
	_, text := p.callAPI("GET", "/v1/proposals/"+q.approvalID(), aliceKey, "")
	v, _ := jsonval.Parse(text)
	until := time.UnixMilli(start + 600_000).UTC().Format(time.RFC3339)
	if status, text := p.callAPI("POST", "/v1/remembered", aliceKey, `{"id":"`+q.approvalID()+`","digest":"`+v.Get("digest").Text()+`","until":"`+until+`"}`); status != 200 {
		t.Fatal(text)
	}
	p.retryCall("delete_order", `{"id":1}`, canURL, q, `{"action":"accept"}`).assertRan()
	p.callTool("delete_order", `{"id":1}`, canURL).assertRan()
	p.callTool("delete_order", `{"id":2}`, canURL).assertAsks("url")
	if audit := p.readAudit(); strings.Count(audit, "remembered") < 3 {
		t.Errorf("the audit does not name the remembered yes: %s", audit)
	}
}
