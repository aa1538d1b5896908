//go:build !js

package gate_test

import (
	"fmt"
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

// TestTwinsAreSeen draws equal calls that wait beside each other, and what happens to them.
// An approval needs an acknowledgement if and only if the same call was handed out since this
// one was proposed, and has not failed. Whoever reads the call learns it, on each way, and how
// many equal calls wait.
func TestTwinsAreSeen(t *testing.T) {
	type twin struct {
		id, digest, grant, state string
		n                        int
		created, claimed         int64
	}
	for seed := range uint64(drawn.Cases(6)) {
		draw := rand.New(rand.NewPCG(seed, 64))
		s := newTestService(t, `{"cooldown":"none"}`)
		var all []*twin
		refused := 0
		for range 60 {
			s.now.Add(1 + draw.Int64N(20_000))
			if len(all) < 2 || draw.IntN(4) == 0 {
				n := draw.IntN(2)
				a := s.sendProposal(fmt.Sprintf(`{"tool":"update_acct","arguments":{"a":%d}}`, n)).assertStatus(t, 202)
				all = append(all, &twin{id: a.textField("id"), digest: a.textField("digest"), state: "pending", n: n, created: s.now.Load()})
				continue
			}
			x := all[draw.IntN(len(all))]
			switch x.state = s.proposalState(x.id); x.state {
			case "pending":
				ran, equal := false, 0
				for _, o := range all {
					if o.state = s.proposalState(o.id); o == x || o.n != x.n {
						continue
					}
					ran = ran || o.claimed >= x.created && (o.state == "claimed" || o.state == "ambiguous" || o.state == "executed")
					if o.state == "pending" {
						equal++
					}
				}
				_, page, _ := s.signIn(aliceKey).doRequest("GET", "/p/"+x.id, nil)
				one, list := s.callAPI("GET", "/v1/proposals/"+x.id, aliceKey, "").text, ""
				_, list, _ = strings.Cut(s.callAPI("GET", "/v1/proposals?limit=200", aliceKey, "").text, `{"id":"`+x.id)
				list, _, _ = strings.Cut(list, `"url":`)
				for where, text := range map[string]string{"one": one, "list": list} {
					if strings.Contains(text, `"sinceAsked":true`) != ran || strings.Contains(text, `"equalWaiting":`) != (equal > 0) || equal > 0 && !strings.Contains(text, fmt.Sprintf(`"equalWaiting":%d`, equal)) {
						t.Fatalf("seed %d: %s: ran %v, %d equal: %s", seed, where, ran, equal, text)
					}
				}
				if strings.Contains(page, "handed out since it was proposed") != ran || strings.Contains(page, fmt.Sprintf("Equal calls wait, too: %d.", equal)) != (equal > 0) {
					t.Fatalf("seed %d: the page: ran %v, %d equal: %s", seed, ran, equal, page)
				}
				a := s.sendDecision(aliceKey, x.id, x.digest, true)
				if want := map[bool]int{true: 409, false: 200}[ran]; a.status != want || ran && !strings.Contains(a.text, "since this call was proposed, the same call was handed out at") {
					t.Fatalf("seed %d: ran %v: %d %s", seed, ran, a.status, a.text)
				}
				if refused++; ran && draw.IntN(2) == 0 {
					s.callAPI("POST", "/v1/proposals/"+x.id+"/decision", aliceKey, `{"approve":true,"acknowledge":true,"digest":"`+x.digest+`"}`).assertStatus(t, 200)
				}
			case "approved":
				x.grant, x.claimed = s.sendClaim(x.id).assertStatus(t, 200).textField("grant"), s.now.Load()
			case "claimed":
				if end := []string{"executed", "failed", "ambiguous", ""}[draw.IntN(4)]; end != "" {
					s.sendOutcome(x.id, x.grant, end).assertStatus(t, 200)
				}
			}
		}
		if s.assertWhole(); refused == 0 {
			t.Errorf("seed %d: nothing was refused", seed)
		}
	}
}
