//go:build !js

package mcp_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/pace"
	"github.com/boundcheck/boundcheck/worker/mcp"
)

// waiter is a client over HTTP whose call waits.
type waiter struct {
	id     int64
	header []string
	hangUp context.CancelFunc
	ended  chan string // its answer
}

// startWaiting makes a call that waits for the question about the same call. The call of a modern client is a
// retry with the state of its question.
func (p *proxy) startWaiting(arguments, state string) *waiter {
	p.t.Helper()
	before := p.mcp.WaitingRequests()
	w := &waiter{id: p.ids.Add(1), ended: make(chan string, 1)}
	a := ask{name: "delete_order", arguments: arguments, capabilities: canURL}
	if state != "" {
		a.more = `,"requestState":"` + state + `","inputResponses":{"confirm":{"action":"accept"}}`
		w.id++
	} else {
		w.header = []string{"MCP-Protocol-Version", "2025-11-25", "Mcp-Method", ""}
		a = ask{header: w.header, body: fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"delete_order","arguments":%s}}`, w.id, arguments)}
	}
	ctx, stop := context.WithCancel(p.t.Context())
	w.hangUp = stop
	r := p.newAskRequest(a).WithContext(ctx)
	go func() {
		text := ""
		if got, err := http.DefaultTransport.RoundTrip(r); err == nil {
			b, _ := io.ReadAll(got.Body)
			got.Body.Close()
			text = string(b)
		}
		w.ended <- text
	}()
	p.waitUntil(func() bool { return p.mcp.WaitingRequests() == before+1 })
	return w
}

// leaveCall ends a waiting call as its client does: it disconnects, or it cancels the request.
func (p *proxy) leaveCall(w *waiter, notify bool) {
	p.t.Helper()
	before := p.mcp.WaitingRequests()
	if notify && w.header != nil {
		g := p.postAsk(ask{method: "notifications/cancelled", header: w.header, body: fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":"x"}}`, w.id)})
		if g.status != 202 {
			p.t.Fatalf("the notification: %d %s", g.status, g.text)
		}
	} else {
		w.hangUp()
	}
	if text := <-w.ended; strings.Contains(text, "did it") {
		p.t.Fatal("it ran: " + text)
	}
	p.waitUntil(func() bool { return p.mcp.WaitingRequests() < before && p.open.Load() == int64(before-1) })
}

// TestLeaversEndTheirQuestion draws clients that wait for one question and leave in some way, and
// then an approval. The question is cancelled with the last client that waited for it, and the call
// never runs; a question for which another client waits, or none ever did, is answered as before.
func TestLeaversEndTheirQuestion(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 41))
	cancelled, ran := 0, 0
	p := newTestProxy(t, "")
	p.mcp.Wait = 20 * time.Second
	for n := range drawn.Cases(20) {
		arguments := fmt.Sprintf(`{"n":%d}`, n)
		before := len(p.up.receivedCalls())
		state := ""
		var id string
		if rng.IntN(2) == 0 {
			g := p.callTool("delete_order", arguments, canURL).assertAsks("url")
			state, id = g.sealedState(), g.approvalID()
		} else {
			id = p.callTool("delete_order", arguments, canNothing).assertHeld("pending", "nobody has decided").approvalID()
		}
		var all []*waiter
		for range rng.IntN(4) {
			all = append(all, p.startWaiting(arguments, state))
			state = ""
		}
		stay := len(all)
		for range rng.IntN(len(all) + 1) {
			i := rng.IntN(len(all))
			p.leaveCall(all[i], rng.IntN(2) == 0)
			all = append(all[:i], all[i+1:]...)
		}
		gone := stay > 0 && len(all) == 0
		if gone {
			p.assertState(id, "cancelled")
			cancelled++
		}
		if status := p.sendDecision(aliceKey, id, true); (status == 200) == gone {
			t.Fatalf("%d: %d clients waited, %d stayed: the approval was answered with %d", n, stay, len(all), status)
		}
		for _, w := range all {
			<-w.ended
			w.hangUp()
		}
		want := 1
		if gone {
			want = 0
		} else if len(all) == 0 {
			p.callTool("delete_order", arguments, canNothing).assertRan()
		}
		if got := len(p.up.receivedCalls()) - before; got != want {
			t.Fatalf("%d: %d clients waited, %d stayed: it ran %d times, want %d", n, stay, len(all), got, want)
		}
		if ran += want; gone {
			if next := p.callTool("delete_order", arguments, canNothing).assertHeld("pending", "nobody has decided"); next.approvalID() == id {
				t.Fatal("the next call got the cancelled question")
			}
		}
	}
	if cancelled == 0 || ran == 0 {
		t.Errorf("%d cancelled, %d ran: the test looks at nothing", cancelled, ran)
	}
}

// TestCancelWhileItRuns checks that a client's cancellation of a call that the server has got goes to the server, which
// answers for it, and that another client's does not concern it.
func TestCancelWhileItRuns(t *testing.T) {
	p := newTestProxy(t, "")
	release := make(chan struct{})
	p.up.reply = func(w http.ResponseWriter, m received) {
		if m.method != "tools/call" {
			w.WriteHeader(202)
			return
		}
		<-release
		sendDidIt(w, m)
	}
	legacy := []string{"MCP-Protocol-Version", "2025-11-25", "Mcp-Method", ""}
	done := make(chan got, 1)
	go func() {
		done <- p.postAsk(ask{header: legacy, body: `{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"get_order","arguments":{}}}`})
	}()
	p.waitUntil(func() bool { return len(p.up.receivedCalls()) == 1 })
	cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`
	p.postAsk(ask{header: legacy, body: cancel})
	p.postAsk(ask{key: strayKey, header: legacy, body: cancel})
	if n := strings.Count(p.up.seenMethods(), "notifications/cancelled"); n != 2 {
		t.Errorf("the server got %d of 2 notifications", n)
	}
	close(release)
	(<-done).assertRan()

	p.mcp.Wait = 20 * time.Second
	p.callTool("delete_order", `{}`, canNothing)
	w := p.startWaiting(`{}`, "")
	p.postAsk(ask{key: strayKey, header: legacy, body: strings.Replace(cancel, "77", fmt.Sprint(w.id), 1)})
	if p.mcp.WaitingRequests() != 1 {
		t.Error("another agent has cancelled the call")
	}
	p.leaveCall(w, true)
}

func (u *upstream) seenMethods() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	var all []string
	for _, m := range u.seen {
		all = append(all, m.method)
	}
	return strings.Join(all, " ")
}

// TestLeftStreams draws calls that wait over lines, and cancellations of some. When the stream ends, so do the questions of
// all that wait, at once, and nothing is sent to the server.
func TestLeftStreams(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 42))
	for range drawn.Cases(6) {
		asks := rng.IntN(2) == 0
		h := newHost(t, func(_ *lineServer, _ *mcp.Server, h *mcp.Handler) { h.Wait = 10 * time.Minute })
		h.mcp = h.front
		if asks {
			h.openStream(`{"elicitation":{"url":{}}}`)
		} else {
			h.openStream(`{}`)
		}
		h.writeLine(lineCall("1", "get_order", `{}`))
		h.awaitLine(`"id":1`)
		calls := 1 + rng.IntN(4)
		for i := range calls {
			h.writeLine(lineCall(fmt.Sprint(10+i), "delete_order", fmt.Sprintf(`{"n":%d}`, i)))
		}
		h.waitUntil(func() bool { return h.front.WaitingRequests() == calls })
		pending := h.pendingIDs()
		if len(pending) != calls {
			t.Fatalf("%d calls wait, %d are listed", calls, len(pending))
		}
		stopped := rng.IntN(calls)
		for i := range stopped {
			h.writeLine(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, 10+i))
		}
		h.waitUntil(func() bool { return h.front.WaitingRequests() == calls-stopped && len(h.pendingIDs()) == calls-stopped })
		began := time.Now()
		h.in.Close()
		<-h.served
		if took := time.Since(began); took > pace.Within(1500*time.Millisecond) {
			t.Errorf("the end took %v", took)
		}
		for _, id := range pending {
			h.assertState(id, "cancelled")
			if status := h.sendDecision(aliceKey, id, true); status == 200 {
				t.Error("it can be approved after its client has left")
			}
		}
		if n := len(h.server.receivedLines("tools/call")); n != 1 {
			t.Errorf("the server got %d calls", n)
		}
	}
}

// pendingIDs returns the ids of the calls that wait for a person.
func (p *proxy) pendingIDs() (ids []string) {
	p.t.Helper()
	all, err := p.store.Pending(p.t.Context(), "t", 100)
	if err != nil {
		p.t.Fatal(err)
	}
	for i := range all {
		if all[i].State == machine.Pending {
			ids = append(ids, all[i].ID)
		}
	}
	return ids
}

// TestLeftStreamWithCallUnderWay checks that a call at the server may end shortly after its client has left, and no later.
func TestLeftStreamWithCallUnderWay(t *testing.T) {
	for _, takes := range []time.Duration{100 * time.Millisecond, time.Hour} {
		h := newHost(t)
		h.server.answer = func(v jsonval.Value) []string {
			if v.Get("method").Text() == "tools/call" {
				if takes == time.Hour {
					return []string{}
				}
				time.Sleep(takes)
			}
			return nil
		}
		h.openStream(`{}`)
		h.writeLine(lineCall("1", "get_order", `{}`))
		h.waitUntil(func() bool { return len(h.server.receivedLines("tools/call")) == 1 })
		began := time.Now()
		h.in.Close()
		<-h.served
		took := time.Since(began)
		if answered := strings.Contains(strings.Join(h.lines, "\n"), "did it"); answered != (takes < time.Second) || took > pace.Within(4*time.Second) {
			t.Errorf("%v: answered %v after %v", takes, answered, took)
		}
	}
}
