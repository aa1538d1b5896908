//go:build !js

package gate_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

func (s *service) sendFreeze(key, agent string, frozen bool) answer {
	body, _ := json.Marshal(map[string]any{"frozen": frozen, "agent": agent, "reason": "looks hijacked"})
	return s.callAPI("POST", "/v1/freezes", key, string(body))
}

func (s *service) sendRevoke(key, id string) answer {
	return s.callAPI("POST", "/v1/proposals/"+id+"/revoke", key, `{"reason":"wrong order"}`)
}

// TestRevoke checks that an approver can revoke an approval until the call is claimed.
func TestRevoke(t *testing.T) {
	s := newTestService(t, "")
	id, digest := s.proposeHeld("cancel_order", `{"n":1}`)
	s.sendRevoke(aliceKey, id).assertStatus(t, 409, "not decided")
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	s.sendRevoke(agentKey, id).assertStatus(t, 403)
	s.sendRevoke(carolKey, id).assertStatus(t, 404)
	s.sendRevoke(bobKey, id).assertStatus(t, 200, `"state":"denied"`)
	s.sendClaim(id).assertStatus(t, 409, "denied")
	s.sendRevoke(bobKey, id).assertStatus(t, 409)
	s.callAPI("GET", "/v1/proposals/"+id, agentKey, "").assertStatus(t, 200, `"reason":"wrong order"`, `"revoke":true`)
	s.sendProposal(`{"tool":"cancel_order","arguments":{"n":1}}`).assertStatus(t, 403, "bob denied this call")

	id, digest = s.proposeHeld("cancel_order", `{"n":2}`)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	s.sendClaim(id).assertStatus(t, 200)
	s.sendRevoke(aliceKey, id).assertStatus(t, 409, "claimed already")
}

// TestRevokeRace checks that exactly one of several simultaneous requests succeeds. One
// request revokes an approval, and the others claim the approved call.
func TestRevokeRace(t *testing.T) {
	s := newTestService(t, "")
	for n := range 20 {
		id, digest := s.proposeHeld("cancel_order", `{"n":`+string(rune('0'+n%10))+`,"m":`+string(rune('0'+n/10))+`}`)
		s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
		var wait sync.WaitGroup
		statuses := make([]int, 5)
		for i := range statuses {
			wait.Go(func() {
				if i == 2 {
					statuses[i] = s.sendRevoke(aliceKey, id).status
				} else {
					statuses[i] = s.sendClaim(id).status
				}
			})
		}
		wait.Wait()
		won := 0
		for _, status := range statuses {
			if status == 200 {
				won++
			}
		}
		if want := map[bool]string{true: "denied", false: "claimed"}[statuses[2] == 200]; won != 1 || s.proposalState(id) != want {
			t.Errorf("%v, state %s", statuses, s.proposalState(id))
		}
	}
}

// TestFreeze checks that a frozen agent cannot propose or claim until the freeze ends.
// Other agents must not be affected.
func TestFreeze(t *testing.T) {
	s := newTestService(t, "")
	id, digest := s.proposeHeld("cancel_order", `{"n":1}`)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	s.sendFreeze(agentKey, "bot", true).assertStatus(t, 403)
	s.sendFreeze(aliceKey, "nobody", true).assertStatus(t, 404, "nobody")
	s.sendFreeze(carolKey, "", true).assertStatus(t, 200) // another tenant's
	s.sendFreeze(aliceKey, "bot", true).assertStatus(t, 200, `"agent":"bot"`, `"by":"alice"`)
	s.sendFreeze(bobKey, "bot", true).assertStatus(t, 200, `"by":"alice"`) // the freeze is unchanged
	s.sendClaim(id).assertStatus(t, 409, "frozen by alice: looks hijacked")
	s.sendProposal(`{"tool":"get_order","arguments":{}}`).assertStatus(t, 403, "this agent is frozen by alice")
	s.sendProposal(`{"tool":"cancel_order","arguments":{"n":2}}`).assertStatus(t, 403, "frozen")
	s.callAPI("POST", "/v1/hooks/claude-code", agentKey, `{"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{}}`).assertStatus(t, 200, "frozen by alice")
	s.callAPI("POST", "/v1/proposals", otherKey, `{"tool":"get_order","arguments":{}}`).assertStatus(t, 200)
	s.sendFreeze(aliceKey, "", true).assertStatus(t, 200)
	s.callAPI("POST", "/v1/proposals", otherKey, `{"tool":"get_order","arguments":{}}`).assertStatus(t, 403, "all agents are frozen")
	s.sendFreeze(aliceKey, "", false).assertStatus(t, 200, `"agent":"bot"`)
	s.sendClaim(id).assertStatus(t, 409, "this agent is frozen")
	s.sendFreeze(bobKey, "bot", false).assertStatus(t, 200, `{"freezes":[]}`)
	s.sendClaim(id).assertStatus(t, 200)
	s.callAPI("GET", "/v1/freezes", carolKey, "").assertStatus(t, 200, `"by":"carol"`)

	var events []string
	if err := s.store.Seal(context.Background()); err != nil {
		t.Fatal(err)
	}
	err := s.store.Chain(context.Background(), "t", func(l machine.Link) error {
		var e machine.Entry
		json.Unmarshal([]byte(l.Entry), &e)
		if strings.Contains(e.Event, "freeze") {
			events = append(events, e.Event+" "+e.Agent+" "+e.By)
		}
		return nil
	})
	if got := strings.Join(events, ", "); err != nil || got != "freeze bot alice, freeze  alice, unfreeze  alice, unfreeze bot bob" {
		t.Errorf("audit: %q %v", got, err)
	}
}

// TestFreezeInTheStore checks that the database refuses a frozen agent's claim even if
// the program has not seen the freeze.
func TestFreezeInTheStore(t *testing.T) {
	s := newTestService(t, "")
	id, digest := s.proposeHeld("cancel_order", `{}`)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	r, err := s.store.Load(t.Context(), "t", id)
	if err != nil {
		t.Fatal(err)
	}
	e := machine.Event{Kind: machine.Claim, By: machine.Principal{Tenant: "t", Name: "bot", Role: machine.Agent}, Nonce: strings.Repeat("n", 32)}
	c := machine.Step([]machine.Record{r}, 0, e, s.now.Load())
	s.sendFreeze(aliceKey, "bot", true).assertStatus(t, 200)
	if done, err := s.store.Update(t.Context(), c); done || err != nil {
		t.Errorf("claimed: %v %v", done, err)
	}
	c.Write.Thawed = false // a program that forgets the condition
	if _, err := s.store.Update(t.Context(), c); err == nil || !strings.Contains(err.Error(), "a frozen agent claims nothing") {
		t.Errorf("the trigger: %v", err)
	}
	if _, err := openRaw(t, s.file).Exec(`DELETE FROM freezes`); err == nil {
		t.Error("a freeze was removed")
	}
}

// TestAcknowledgeNumbers checks that an approval over the API needs an explicit
// acknowledgement if the call has a number that some programs would round.
func TestAcknowledgeNumbers(t *testing.T) {
	s := newTestService(t, "")
	a := s.sendProposal(`{"tool":"wire","arguments":{"account":9007199254740993}}`).assertStatus(t, 202, `"inexact":1`, "would use 9007199254740992")
	s.sendDecision(aliceKey, a.textField("id"), a.textField("digest"), true).assertStatus(t, 409, "acknowledgement")
	body := `{"approve":true,"acknowledge":true,"digest":"` + a.textField("digest") + `"}`
	s.callAPI("POST", "/v1/proposals/"+a.textField("id")+"/decision", aliceKey, body).assertStatus(t, 200, "approved")
	if got := s.sendClaim(a.textField("id")).assertStatus(t, 200).textField("bytes"); got != `{"account":9007199254740993}` {
		t.Errorf("other bytes: %s", got)
	}
}
