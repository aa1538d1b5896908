//go:build !js

package mcp_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestOthersHearThatItRuns draws numbers of equal calls that come while an approved one runs. One runs; each other is told that
// it runs, or may have run, and never that it did not; and no question opens for it.
func TestOthersHearThatItRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 7))
	p := newTestProxy(t, "")
	for n := range drawn.Cases(8) {
		arguments := fmt.Sprintf(`{"n":%d}`, n)
		p.mustApprove(p.callTool("delete_order", arguments, canNothing).assertHeld("pending", "nobody has decided").approvalID())
		others := 1 + rng.IntN(6)
		late := rng.IntN(others + 1)
		reached, release := make(chan bool, 20), make(chan bool)
		p.up.withLock(func() {
			p.up.reply = func(w http.ResponseWriter, m received) { reached <- true; <-release; sendDidIt(w, m) }
		})
		before, answers := len(p.up.receivedCalls()), make(chan got, others+1)
		var all sync.WaitGroup
		call := func() { answers <- p.callTool("delete_order", arguments, canNothing) }
		for range 1 + others - late {
			all.Go(call)
		}
		<-reached
		for range late {
			all.Go(call)
		}
		for range others {
			(<-answers).assertHeld("claimed", "It is running, or may have run, by another request")
		}
		if open := p.pendingIDs(); len(open) > 0 {
			t.Fatalf("%d questions opened while it runs", len(open))
		}
		close(release)
		all.Wait()
		(<-answers).assertRan()
		if ran := len(p.up.receivedCalls()) - before; ran != 1 {
			t.Fatalf("it ran %d times", ran)
		}
	}
}

// TestOneResultForATask draws requests for the result of one held task, before and after its decision, and how its call ends. All get
// the same answer, which names the task, and the call runs at most once.
func TestOneResultForATask(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 71))
	p := newTestProxy(t, "")
	p.mcp.Wait = 20 * time.Second
	p.up.tools = taskTools
	ends := []func(w http.ResponseWriter, m received){sendDidIt,
		func(w http.ResponseWriter, m received) {
			sendJSON(w, 200, `{"jsonrpc":"2.0","id":`+m.id+`,"error":{"code":-32603,"message":"broken"}}`)
		},
		func(w http.ResponseWriter, m received) { w.WriteHeader(500) }}
	for n := range drawn.Cases(9) {
		end, calls := ends[n%3], 0
		p.up.withLock(func() {
			p.up.reply = func(w http.ResponseWriter, m received) {
				calls++
				time.Sleep(30 * time.Millisecond)
				end(w, m)
			}
		})
		g := p.sendAs(botKey, false, "tools/call", fmt.Sprintf(`"name":"delete_order","arguments":{"n":%d},"task":{}`, n))
		id := g.createdID()
		var all sync.WaitGroup
		var mu sync.Mutex
		var answers []got
		ask := func() {
			g := p.sendAs(botKey, false, "tasks/result", `"taskId":"`+id+`"`)
			mu.Lock()
			defer mu.Unlock()
			answers = append(answers, g)
		}
		for range rng.IntN(4) {
			all.Go(ask)
		}
		time.Sleep(10 * time.Millisecond)
		approve := rng.IntN(4) > 0
		if status := p.sendDecision(aliceKey, p.pendingIDs()[0], approve); status != 200 {
			t.Fatal(status)
		}
		for range 1 + rng.IntN(4) {
			all.Go(ask)
		}
		all.Wait()
		ask()
		for _, g := range answers {
			result := g.resultValue()
			if result.Raw() != answers[0].resultValue().Raw() || g.v.Get("error").Raw() != answers[0].v.Get("error").Raw() {
				t.Fatalf("two results of one task: %s and %s", g.text, answers[0].text)
			}
			if result.Exists() && result.At("_meta", "io.modelcontextprotocol/related-task", "taskId").Text() != id {
				t.Fatalf("the result does not name its task: %s", g.text)
			}
			if !approve && !strings.Contains(g.text, "Denied by alice") || approve && n%3 == 0 && !strings.Contains(g.text, "did it") {
				t.Fatal(g.text)
			}
		}
		if calls > 1 || (calls == 1) != approve {
			t.Fatalf("it ran %d times, approved %v", calls, approve)
		}
	}
}
