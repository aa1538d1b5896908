//go:build !js

package mcp_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/worker/mcp"
)

// slowGate is a gate elsewhere: a claim counts there, also if its request is cut off.
type slowGate struct{ mcp.Decisions }

func (g slowGate) Claim(ctx context.Context, by machine.Principal, id string) (machine.Record, machine.Answer, error) {
	r, a, err := g.Decisions.Claim(context.WithoutCancel(ctx), by, id)
	select {
	case <-ctx.Done():
		return r, a, ctx.Err()
	case <-time.After(2 * time.Millisecond):
		return r, a, err
	}
}

// TestCutOffClaims draws a yes and a cancellation at the same moment. No call stays claimed, a call that the server did not get is
// failed or cancelled, and one that it got is neither.
func TestCutOffClaims(t *testing.T) {
	h := newHost(t, func(_ *lineServer, _ *mcp.Server, front *mcp.Handler) { front.Wait = 20 * time.Second })
	h.front.Elsewhere = slowGate{h.gate}
	h.openStream(`{}`)
	draw := rand.New(rand.NewPCG(7, 49))
	ends := map[string]int{}
	for n := range drawn.Cases(40) {
		id := fmt.Sprint(n + 10)
		h.writeLine(lineCall(id, "delete_order", `{"n":`+id+`}`))
		var waiting []string
		h.waitUntil(func() bool { waiting = h.pendingIDs(); return len(waiting) == 1 })
		go func(after int) {
			time.Sleep(time.Duration(after) * 100 * time.Microsecond)
			h.writeLine(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
		}(draw.IntN(80))
		h.sendDecision(aliceKey, waiting[0], true)
		state := ""
		h.waitUntil(func() bool {
			_, text := h.callAPI("GET", "/v1/proposals/"+waiting[0], aliceKey, "")
			v, _ := jsonval.Parse(text)
			state = v.Get("state").Text()
			return state != "approved" && state != "claimed"
		})
		got := slices.ContainsFunc(h.server.receivedLines("tools/call"), func(line string) bool { return strings.Contains(line, `"n":`+id+`}`) })
		if ends[state]++; got != (state == "executed" || state == "ambiguous") {
			t.Errorf("call %s is %s, and the server got it: %v", id, state, got)
		}
	}
	t.Log(ends)
}
