//go:build !js

package gate_test

import (
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestRememberedNeverRepeats draws equal calls under a remembered yes, and how each of them
// ends. The yes lets a call through if and only if no equal call is out without a known
// outcome: also if both were let through before either was claimed. Otherwise a person is
// asked, and the reason says why.
func TestRememberedNeverRepeats(t *testing.T) {
	for seed := range uint64(drawn.Cases(8)) {
		draw := rand.New(rand.NewPCG(seed, 63))
		s := newTestService(t, `{"cooldown":"none","remember":[{"name":"r","tool":"close_order","within":"8h","destructive":true}]}`)
		id, digest := s.proposeInSession("close_order", `{"id":"A"}`, "s")
		s.remember(id, digest, "", 7*60*60*1000).assertStatus(t, 200)
		s.callAPI("POST", "/v1/proposals/"+id+"/cancel", agentKey, "").assertStatus(t, 200)
		var passed []string // let through and not claimed
		open, handed := false, 0
		for range 25 {
			s.now.Add(draw.Int64N(10_000))
			if len(passed) == 0 || draw.IntN(2) == 0 {
				a := s.sendProposal(`{"tool":"close_order","arguments":{"id":"A"},"session":"s"}`).assertStatus(t, 202)
				if ok := a.textField("state") == "approved"; ok == open || open && !strings.Contains(a.textField("reason"), "may have run already") {
					t.Fatalf("seed %d: one is open: %v: %s", seed, open, a.text)
				}
				passed = append(passed, a.textField("id"))
				continue
			}
			id, passed = passed[0], passed[1:]
			a := s.sendClaim(id)
			if open {
				a.assertStatus(t, 409)
				continue
			}
			if a.status != 200 {
				continue // it ended because another one was open
			}
			handed++
			end := []string{"executed", "executed", "failed", "ambiguous", ""}[draw.IntN(5)]
			if open = end == "" || end == "ambiguous"; end != "" {
				s.callAPI("POST", "/v1/proposals/"+id+"/outcome", agentKey, `{"grant":"`+a.textField("grant")+`","status":"`+end+`"}`).assertStatus(t, 200)
			}
		}
		if handed == 0 {
			t.Errorf("seed %d: nothing was handed out", seed)
		}
		s.assertWhole()
	}
}

// TestRememberedRepeatRace claims equal calls of one remembered yes at once: one is handed out.
func TestRememberedRepeatRace(t *testing.T) {
	s := newTestService(t, `{"remember":[{"name":"r","tool":"close_order","within":"8h","destructive":true}]}`)
	id, digest := s.proposeInSession("close_order", `{"id":"A"}`, "s")
	s.remember(id, digest, "", 60*60*1000).assertStatus(t, 200)
	s.callAPI("POST", "/v1/proposals/"+id+"/cancel", agentKey, "").assertStatus(t, 200)
	var ids []string
	for range 16 {
		ids = append(ids, s.sendProposal(`{"tool":"close_order","arguments":{"id":"A"},"session":"s"}`).assertStatus(t, 202, `"state":"approved"`).textField("id"))
	}
	var all sync.WaitGroup
	var handed atomic.Int64
	for _, id := range ids {
		all.Go(func() {
			if s.sendClaim(id).status == 200 {
				handed.Add(1)
			}
		})
	}
	if all.Wait(); handed.Load() != 1 {
		t.Errorf("%d of 16 were handed out", handed.Load())
	}
}
