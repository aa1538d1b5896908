//go:build !js

package mcp_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/waiting"
	"github.com/boundcheck/boundcheck/worker/mcp"
)

// waitDoor returns a door to the gate of p.
func (p *proxy) waitDoor(call func(arguments string) string) waiting.Door {
	return waiting.Door{
		Call: func(arguments string) (bool, string) {
			told := call(arguments)
			return strings.Contains(told, "did it"), told
		},
		Send: func(method, path, body string) (int, string) { return p.callAPI(method, path, aliceKey, body) },
		Now:  p.now.Load, Pass: func(ms int64) { p.now.Add(ms) },
	}
}

// TestWaitWhereTheHostAsks checks that a call of a tool with a wait is the gate's, although the
// host of the server asks about other calls.
func TestWaitWhereTheHostAsks(t *testing.T) {
	p := newTestProxy(t, `{"tools":{"mcp__shop__add_note":{"wait":"40s"}}}`, func(s *mcp.Server) { s.Ask = mcp.AskHost })
	p.callTool("add_note", `{"text":"x"}`, canURL).assertAsks("url")
	p.assertCalls()
}

// TestWaitThroughMCP is the law of the wait over HTTP, and over standard input and output.
func TestWaitThroughMCP(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 2))
	overHTTP := newTestProxy(t, waiting.Policy)
	overHTTP.mcp.Wait = 0
	asks := newTestProxy(t, waiting.Policy, func(s *mcp.Server) { s.Ask = mcp.AskHost })
	asks.mcp.Wait = 0
	h := newHost(t)
	rules, err := machine.ReadPolicy(waiting.Policy)
	if err != nil {
		t.Fatal(err)
	}
	h.gate.SetPolicy(rules)
	h.front.Wait = 0
	h.openStream(`{}`)
	sent := 0
	doors := map[string]waiting.Door{
		"http":                overHTTP.waitDoor(func(arguments string) string { return overHTTP.callTool("delete_order", arguments, canNothing).text }),
		"http, the host asks": asks.waitDoor(func(arguments string) string { return asks.callTool("add_note", arguments, canNothing).text }),
		"lines": h.waitDoor(func(arguments string) string {
			sent++
			h.writeLine(lineCall(fmt.Sprintf(`"c%d"`, sent), "delete_order", arguments))
			return h.awaitLine(fmt.Sprintf(`"id":"c%d"`, sent))
		}),
	}
	for _, name := range slices.Sorted(maps.Keys(doors)) {
		d := doors[name]
		d.Others = 2
		runs, early := 0, 0
		for i := range drawn.Cases(6) {
			n, e, _ := waiting.Play(t, rng, d, fmt.Sprintf("%s %d", name, i), 24)
			runs, early = runs+n, early+e
		}
		if runs == 0 || early == 0 {
			t.Errorf("%s: %d ran, %d came early", name, runs, early)
		}
		t.Log(name, runs, early)
	}
}
