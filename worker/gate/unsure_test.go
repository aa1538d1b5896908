//go:build !js

package gate_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestMayHaveRun draws calls that are approved, claimed, and reported or not. A question says
// that its call may have run already if and only if the same call was handed out within the
// last day and nobody has said whether it ran. It says so to the agent, in the text that is
// approved, and on the page.
func TestMayHaveRun(t *testing.T) {
	const says = "the same call was handed out at "
	for seed := range uint64(drawn.Cases(6)) {
		draw := rand.New(rand.NewPCG(seed, 62))
		s := newTestService(t, `{"cooldown":"none"}`)
		open := map[int][]int64{} // by call: when the claims without an outcome last changed
		warned := 0
		for range 40 {
			s.now.Add(draw.Int64N(8 * 60 * 60 * 1000))
			n := draw.IntN(3)
			arguments := []string{`{"n":%d,"why":"x"}`, `{ "why": "\u0078", "n": %d }`}[draw.IntN(2)]
			a := s.sendProposal(`{"tool":"cancel_order","arguments":`+fmt.Sprintf(arguments, n)+`}`).assertStatus(t, 202)
			want := false
			for _, at := range open[n] {
				want = want || s.now.Load()-at <= machine.Recall
			}
			_, page, _ := s.signIn(aliceKey).doRequest("GET", "/p/"+a.textField("id"), nil)
			for where, text := range map[string]string{"reason": a.textField("reason"), "prompt": a.textField("prompt"), "page": page} {
				if strings.Contains(text, says) != want {
					t.Fatalf("seed %d: the %s of call %d says that it may have run: %v, want %v: %s", seed, where, n, !want, want, text)
				}
			}
			if want {
				warned++
			}
			end := []string{"", "executed", "failed", "ambiguous", "none", "none"}[draw.IntN(6)]
			if end == "" {
				continue // nobody decides
			}
			id := a.textField("id")
			s.sendDecision(aliceKey, id, a.textField("digest"), true).assertStatus(t, 200)
			grant := s.callAPI("POST", "/v1/proposals/"+id+"/claim", agentKey, "").assertStatus(t, 200).textField("grant")
			if end != "none" {
				s.callAPI("POST", "/v1/proposals/"+id+"/outcome", agentKey, `{"grant":"`+grant+`","status":"`+end+`"}`).assertStatus(t, 200)
			}
			if end == "none" || end == "ambiguous" {
				open[n] = append(open[n], s.now.Load())
			}
		}
		t.Logf("seed %d: %d of 40 warned", seed, warned)
	}
}
