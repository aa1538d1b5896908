//go:build !js

package mcp_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/mcp"
	"github.com/boundcheck/boundcheck/worker/receipt"
)

const receiptSeed = "ed25519-seed:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

// signReceipts lets the gate of a proxy sign receipts. It returns a verifier that accepts
// each receipt as often as it comes.
func (p *proxy) signReceipts() *receipt.Verifier {
	p.t.Helper()
	var err error
	if p.gate.Receipts, err = gate.ReadReceipts(receiptSeed, "audience=mcp__shop__*=shop"); err != nil {
		p.t.Fatal(err)
	}
	_, set := p.callAPI("GET", receipt.KeysPath, "", "")
	keys, err := receipt.ReadKeys(set)
	if err != nil {
		p.t.Fatal(err)
	}
	v, err := receipt.NewVerifier(receipt.Options{Keys: keys, Issuer: p.url, Tenant: "t", Audience: "shop", Decisions: []string{receipt.Approved, receipt.Conversation},
		Spend: func(context.Context, string, time.Time) (bool, error) { return true, nil }, Now: func() time.Time { return time.UnixMilli(p.now.Load()) }})
	if err != nil {
		p.t.Fatal(err)
	}
	return v
}

// metaOf returns the receipt and the exact arguments in a call that a server received.
func metaOf(params jsonval.Value) (text, arguments string) {
	return params.At("_meta", receipt.Meta).Text(), params.At("_meta", receipt.MetaArguments).Text()
}

// TestReceiptThroughMCP checks which calls reach a server with a receipt: those that were
// claimed, with the bytes that run, also after an edit. A call that only reads passes as the
// client sent it, and what a client puts in the place of a receipt does not pass with a
// held call.
func TestReceiptThroughMCP(t *testing.T) {
	p := newTestProxy(t, editPolicy)
	v := p.signReceipts()
	last := func() received {
		p.up.mu.Lock()
		defer p.up.mu.Unlock()
		return p.up.seen[len(p.up.seen)-1]
	}
	verify := func(arguments string) *receipt.Receipt {
		t.Helper()
		m := last()
		text, exact := metaOf(m.params)
		r, err := v.Verify(t.Context(), text, receipt.MCPTool("shop", m.toolName()), []byte(m.rawArguments()))
		if err != nil || exact != arguments || m.rawArguments() != arguments || m.header.Get(receipt.Header) != text {
			t.Fatalf("%v: %s %v", err, m.body, m.header)
		}
		return r
	}
	p.callTool("get_order", `{"id":1}`, canNothing).assertRan()
	if m := last(); strings.Contains(m.body, receipt.Meta) || m.header.Get(receipt.Header) != "" {
		t.Errorf("a read has a receipt: %s", m.body)
	}
	const was = `{ "id": "W1" }`
	p.mustApprove(p.callTool("delete_order", was, canNothing).assertHeld("pending", "").approvalID())
	body := `{"jsonrpc":"2.0","id":70,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"` + version + `","io.modelcontextprotocol/clientCapabilities":{},"` + receipt.Meta + `":"forged","` + receipt.MetaArguments + `":"{}"},"name":"delete_order","arguments":` + was + `}}`
	p.postAsk(ask{name: "delete_order", body: body, header: []string{receipt.Header, "forged"}}).assertRan()
	if r := verify(was); r.Decision != receipt.Approved || r.Edited {
		t.Errorf("%+v", r)
	}
	p.mustApprove(p.editCall(p.callTool("delete_order", was, canNothing).assertHeld("pending", "").approvalID(), `{"id":"W2"}`))
	p.callTool("delete_order", was, canNothing).assertTold(`{"id":"W2"}`)
	if r := verify(`{"id":"W2"}`); !r.Edited {
		t.Errorf("%+v", r)
	}

	// A server that asks a question in the middle of its call gets the same receipt again.
	var texts []string
	p.up.withLock(func() {
		p.up.reply = func(w http.ResponseWriter, m received) {
			text, _ := metaOf(m.params)
			if texts = append(texts, text); len(texts) == 2 {
				sendDidIt(w, m)
				return
			}
			sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"result":{"resultType":"input_required","inputRequests":{"confirm":{"method":"roots/list"}},"requestState":"s"}}`)
		}
	})
	q := p.callTool("delete_order", `{"id":3}`, canURL).assertAsks("url")
	p.mustApprove(q.approvalID())
	own := p.retryCall("delete_order", `{"id":3}`, canURL, q, `{"action":"accept"}`)
	p.callTool("delete_order", `{"id":3}`, canURL, `,"requestState":"`+own.sealedState()+`","inputResponses":{"confirm":{"roots":[]}}`).assertRan()
	if len(texts) != 2 || texts[0] == "" || texts[0] != texts[1] {
		t.Errorf("%q", texts)
	}
}

// TestReceiptOfAForm checks that the receipt of a call which the client's own form decided
// does not say that an approver did.
func TestReceiptOfAForm(t *testing.T) {
	p := newTestProxy(t, "", func(s *mcp.Server) { s.Form = true })
	v := p.signReceipts()
	q := p.callTool("add_note", `{"n":1}`, canForm).assertAsks("form")
	p.retryCall("add_note", `{"n":1}`, canForm, q, `{"action":"accept","content":{"approve":true}}`).assertRan()
	text, arguments := metaOf(p.up.seen[len(p.up.seen)-1].params)
	r, err := v.Verify(t.Context(), text, receipt.MCPTool("shop", "add_note"), []byte(arguments))
	if err != nil || r.Decision != receipt.Conversation || len(r.Approvers) != 1 || r.Approvers[0].Channel != "mcp-form" {
		t.Errorf("%+v %v", r, err)
	}
}

// TestReceiptOverLines checks that a server over standard input and output gets the exact
// bytes of arguments, also those that an approver wrote on several lines, which the
// transport joins.
func TestReceiptOverLines(t *testing.T) {
	h := newHost(t, func(_ *lineServer, _ *mcp.Server, m *mcp.Handler) { m.Wait = 10 * time.Second })
	v := h.signReceipts()
	policy, err := machine.ReadPolicy(editPolicy)
	if err != nil {
		t.Fatal(err)
	}
	h.gate.SetPolicy(policy)
	h.openStream(canNothing)
	h.writeLine(lineCall("1", "delete_order", `{"id":"W1"}`))
	id := ""
	h.waitUntil(func() bool {
		_, text := h.callAPI("GET", "/v1/proposals", aliceKey, "")
		list, _ := jsonval.Parse(text)
		for _, p := range list.Get("pending").Elements() {
			id = p.Get("id").Text()
		}
		return id != ""
	})
	const exact = "{\n  \"id\": \"W2\"\n}"
	h.mustApprove(h.editCall(id, exact))
	h.awaitLine(`"id":1`, "did it")
	call, _ := jsonval.Parse(h.server.receivedLines("tools/call")[0])
	text, arguments := metaOf(call.Get("params"))
	if _, err := v.Verify(t.Context(), text, receipt.MCPTool("shop", "delete_order"), []byte(arguments)); err != nil || arguments != exact {
		t.Errorf("%v: %q", err, arguments)
	}
}
