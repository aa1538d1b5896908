//go:build !js

package mcp_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestUpstreamFails checks many faults of the server. The client must get an error that
// names the fault. The record's state must be "failed" if nothing ran. Otherwise it must
// be "ambiguous".
func TestUpstreamFails(t *testing.T) {
	stream := func(w http.ResponseWriter, text string) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, text)
	}
	answer := func(status int, text string) func(http.ResponseWriter, received) {
		return func(w http.ResponseWriter, m received) {
			sendJSON(w, status, strings.ReplaceAll(text, "ID", m.id))
		}
	}
	for name, c := range map[string]struct {
		reply func(http.ResponseWriter, received)
		state string
		part  string
	}{
		"500":                {answer(500, `oops`), "ambiguous", "status 500"},
		"500 with a result":  {answer(500, `{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}`), "ambiguous", "status 500"},
		"502 without a body": {answer(502, ``), "ambiguous", "status 502"},
		"bad request":        {answer(400, `{"jsonrpc":"2.0","id":ID,"error":{"code":-32020,"message":"headers"}}`), "failed", "headers"},
		"no credentials":     {answer(401, `no`), "failed", "status 401"},
		"redirect":           {answer(307, ``), "failed", "status 307"},
		"unknown tool":       {answer(200, `{"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"what?"}}`), "failed", "what?"},
		"internal error":     {answer(200, `{"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"boom"}}`), "ambiguous", "boom"},
		"tool error":         {answer(200, `{"jsonrpc":"2.0","id":ID,"result":{"content":[],"isError":true}}`), "ambiguous", "isError"},
		"a task":             {answer(200, `{"jsonrpc":"2.0","id":ID,"result":{"resultType":"task","taskId":"1"}}`), "ambiguous", "taskId"},
		"half an answer":     {answer(200, `{"jsonrpc":"2.0","id":ID,"result":{"con`), "ambiguous", "broken"},
		"nothing":            {answer(200, ``), "ambiguous", "ended too early"},
		"accepted":           {answer(202, ``), "ambiguous", "status 202"},
		"another answer":     {answer(200, `{"jsonrpc":"2.0","id":"other","result":{}}`), "ambiguous", "broken"},
		"two answers in one": {answer(200, `{"jsonrpc":"2.0","id":ID,"result":{},"result":{"isError":true}}`), "ambiguous", "broken"},
		"half a stream":      {func(w http.ResponseWriter, m received) { stream(w, ": hello\n\ndata: {\"jsonrpc\":\"2.0\",") }, "ambiguous", "ended too early"},
		"stream without end": {func(w http.ResponseWriter, m received) {
			stream(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")
		}, "ambiguous", "ended too early"},
		"junk in a stream":    {func(w http.ResponseWriter, m received) { stream(w, "data: nonsense\n\n") }, "ambiguous", "broken"},
		"connection cut":      {func(w http.ResponseWriter, m received) { panic(http.ErrAbortHandler) }, "ambiguous", "no answer came"},
		"longer than allowed": {func(w http.ResponseWriter, m received) { <-m.ctx }, "ambiguous", "time limit has passed"},
	} {
		p := newTestProxy(t, "")
		p.mcp.Limit = 300 * time.Millisecond
		p.up.reply = c.reply
		q := p.callTool("delete_order", `{}`, canURL).assertAsks("url")
		p.mustApprove(q.approvalID())
		g := p.retryCall("delete_order", `{}`, canURL, q, `{"action":"accept"}`)
		if !strings.Contains(g.text, c.part) || g.status != 200 && g.status != 400 {
			t.Errorf("%s: %d %s", name, g.status, g.text)
		}
		p.assertState(q.approvalID(), c.state)
		if n := len(p.up.receivedCalls()); n != 1 {
			t.Errorf("%s: sent %d times", name, n)
		}
		p.up.withLock(func() { p.up.reply = nil })
		p.callTool("get_order", `{}`, canURL).assertRan()
	}
}

// TestUpstreamDown checks that a call fails if the server accepts no connections. The
// error must say that nothing was sent.
func TestUpstreamDown(t *testing.T) {
	p := newTestProxy(t, "")
	q := p.callTool("delete_order", `{}`, canURL).assertAsks("url")
	p.mustApprove(q.approvalID())
	open := p.up.reply
	p.mcp.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.Header.Get("Mcp-Method") == "tools/call" {
			r.URL.Host = "127.0.0.1:1"
		}
		return http.DefaultTransport.RoundTrip(r)
	})
	p.retryCall("delete_order", `{}`, canURL, q, `{"action":"accept"}`).assertFails(200, -32603, "nothing was sent")
	p.assertState(q.approvalID(), "failed")
	p.mcp.Transport, p.up.reply = http.DefaultTransport, open
	p.callTool("delete_order", `{}`, canURL).assertAsks("url")
	p.callTool("get_order", `{}`, canURL).assertRan()
}

// TestListingFails checks that a call returns an error if the server does not list its
// definitions. There must be no verdict and no question.
func TestListingFails(t *testing.T) {
	p := newTestProxy(t, "")
	p.mcp.Transport = roundTrip(func(r *http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF })
	p.callTool("get_order", `{}`, canURL).assertFails(200, -32603, "does not answer")
	p.postAsk(ask{method: "tools/list"}).assertFails(200, -32603, "does not answer")
	p.assertCalls()
}

// TestStoreDown checks that nothing runs if the gate's store does not answer.
func TestStoreDown(t *testing.T) {
	p := newTestProxy(t, "")
	q := p.callTool("delete_order", `{}`, canURL).assertAsks("url")
	p.mustApprove(q.approvalID())
	p.store.Close()
	p.retryCall("delete_order", `{}`, canURL, q, `{"action":"accept"}`).assertFails(200, -32603, "store does not answer")
	p.callTool("get_order", `{}`, canURL).assertFails(200, -32603, "store does not answer")
	p.assertCalls()
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestCancelled checks clients that disconnect. If the client's question still waits,
// nothing may be sent to the server. If the tool runs, the record must say that the
// result of the call is unknown.
func TestCancelled(t *testing.T) {
	p := newTestProxy(t, "")
	p.mcp.Wait = time.Minute
	q := p.callTool("delete_order", `{}`, canURL).assertAsks("url")
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error)
	go func() {
		r := p.newAskRequest(ask{name: "delete_order", arguments: `{}`, capabilities: canURL, more: `,"requestState":"` + q.sealedState() + `","inputResponses":{"confirm":{"action":"accept"}}`})
		_, err := http.DefaultTransport.RoundTrip(r.WithContext(ctx))
		gone <- err
	}()
	p.waitUntil(p.hasOpenRequest)
	cancel()
	if err := <-gone; err == nil {
		t.Fatal("was answered")
	}
	p.waitUntil(func() bool { return !p.hasOpenRequest() })
	p.assertState(q.approvalID(), "cancelled")
	if status := p.sendDecision(aliceKey, q.approvalID(), true); status != 409 {
		t.Errorf("the approval was answered with %d", status)
	}
	p.assertCalls()

	q = p.callTool("delete_order", `{}`, canURL).assertAsks("url")
	p.mustApprove(q.approvalID())
	begun := make(chan bool)
	p.up.withLock(func() { p.up.reply = func(w http.ResponseWriter, m received) { begun <- true; <-m.ctx } })
	ctx, cancel = context.WithCancel(t.Context())
	go func() {
		r := p.newAskRequest(ask{name: "delete_order", arguments: `{}`, capabilities: canURL})
		_, err := http.DefaultTransport.RoundTrip(r.WithContext(ctx))
		gone <- err
	}()
	<-begun
	cancel()
	<-gone
	p.waitUntil(func() bool {
		_, text := p.callAPI("GET", "/v1/proposals/"+q.approvalID(), botKey, "")
		return strings.Contains(text, "ambiguous")
	})
	p.assertState(q.approvalID(), "ambiguous")
}
