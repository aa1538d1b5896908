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

func (s *service) freeze(key, agent string, frozen bool) answer {
	body, _ := json.Marshal(map[string]any{"frozen": frozen, "agent": agent, "reason": "looks hijacked"})
	return s.call("POST", "/v1/freezes", key, string(body))
}

func (s *service) revoke(key, id string) answer {
	return s.call("POST", "/v1/proposals/"+id+"/revoke", key, `{"reason":"wrong order"}`)
}

// TestRevoke checks that an approver can revoke an approval until the call is claimed.
func TestRevoke(t *testing.T) {
	s := serve(t, "")
	id, digest := s.held("cancel_order", `{"n":1}`)
	s.revoke(aliceKey, id).want(t, 409, "not decided")
	s.decide(aliceKey, id, digest, true).want(t, 200)
	s.revoke(agentKey, id).want(t, 403)
	s.revoke(carolKey, id).want(t, 404)
	s.revoke(bobKey, id).want(t, 200, `"state":"denied"`)
	s.claim(id).want(t, 409, "denied")
	s.revoke(bobKey, id).want(t, 409)
	s.call("GET", "/v1/proposals/"+id, agentKey, "").want(t, 200, `"reason":"wrong order"`, `"revoke":true`)
	s.propose(`{"tool":"cancel_order","arguments":{"n":1}}`).want(t, 403, "bob denied this call")

	id, digest = s.held("cancel_order", `{"n":2}`)
	s.decide(aliceKey, id, digest, true).want(t, 200)
	s.claim(id).want(t, 200)
	s.revoke(aliceKey, id).want(t, 409, "claimed already")
}

// TestRevokeRace sends several requests at the same time: one revokes an approval, and
// the others claim the approved call. Exactly one of these requests must succeed.
func TestRevokeRace(t *testing.T) {
	s := serve(t, "")
	for n := range 20 {
		id, digest := s.held("cancel_order", `{"n":`+string(rune('0'+n%10))+`,"m":`+string(rune('0'+n/10))+`}`)
		s.decide(aliceKey, id, digest, true).want(t, 200)
		var wait sync.WaitGroup
		statuses := make([]int, 5)
		for i := range statuses {
			wait.Go(func() {
				if i == 2 {
					statuses[i] = s.revoke(aliceKey, id).status
				} else {
					statuses[i] = s.claim(id).status
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
		if want := map[bool]string{true: "denied", false: "claimed"}[statuses[2] == 200]; won != 1 || s.state(id) != want {
			t.Errorf("%v, state %s", statuses, s.state(id))
		}
	}
}

// TestFreeze checks that a frozen agent can neither propose nor claim until the freeze
// ends, and that other agents are not affected.
func TestFreeze(t *testing.T) {
	s := serve(t, "")
	id, digest := s.held("cancel_order", `{"n":1}`)
	s.decide(aliceKey, id, digest, true).want(t, 200)
	s.freeze(agentKey, "bot", true).want(t, 403)
	s.freeze(aliceKey, "nobody", true).want(t, 404, "nobody")
	s.freeze(carolKey, "", true).want(t, 200) // another tenant's
	s.freeze(aliceKey, "bot", true).want(t, 200, `"agent":"bot"`, `"by":"alice"`)
	s.freeze(bobKey, "bot", true).want(t, 200, `"by":"alice"`) // the freeze is unchanged
	s.claim(id).want(t, 409, "frozen by alice: looks hijacked")
	s.propose(`{"tool":"get_order","arguments":{}}`).want(t, 403, "this agent is frozen by alice")
	s.propose(`{"tool":"cancel_order","arguments":{"n":2}}`).want(t, 403, "frozen")
	s.call("POST", "/v1/hooks/claude-code", agentKey, `{"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{}}`).want(t, 200, "frozen by alice")
	s.call("POST", "/v1/proposals", otherKey, `{"tool":"get_order","arguments":{}}`).want(t, 200)
	s.freeze(aliceKey, "", true).want(t, 200)
	s.call("POST", "/v1/proposals", otherKey, `{"tool":"get_order","arguments":{}}`).want(t, 403, "all agents are frozen")
	s.freeze(aliceKey, "", false).want(t, 200, `"agent":"bot"`)
	s.claim(id).want(t, 409, "this agent is frozen")
	s.freeze(bobKey, "bot", false).want(t, 200, `{"freezes":[]}`)
	s.claim(id).want(t, 200)
	s.call("GET", "/v1/freezes", carolKey, "").want(t, 200, `"by":"carol"`)

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
	s := serve(t, "")
	id, digest := s.held("cancel_order", `{}`)
	s.decide(aliceKey, id, digest, true).want(t, 200)
	r, err := s.store.Load(t.Context(), "t", id)
	if err != nil {
		t.Fatal(err)
	}
	e := machine.Event{Kind: machine.Claim, By: machine.Principal{Tenant: "t", Name: "bot", Role: machine.Agent}, Nonce: strings.Repeat("n", 32)}
	c := machine.Step([]machine.Record{r}, 0, e, s.now.Load())
	s.freeze(aliceKey, "bot", true).want(t, 200)
	if done, err := s.store.Update(t.Context(), c); done || err != nil {
		t.Errorf("claimed: %v %v", done, err)
	}
	c.Write.Thawed = false // a program that forgets the condition
	if _, err := s.store.Update(t.Context(), c); err == nil || !strings.Contains(err.Error(), "a frozen agent claims nothing") {
		t.Errorf("the trigger: %v", err)
	}
	if _, err := raw(t, s.file).Exec(`DELETE FROM freezes`); err == nil {
		t.Error("a freeze was removed")
	}
}

// TestAcknowledgeNumbers checks a call with a number that some programs would round. As
// on the page, an approval over the API needs an explicit acknowledgement.
func TestAcknowledgeNumbers(t *testing.T) {
	s := serve(t, "")
	a := s.propose(`{"tool":"wire","arguments":{"account":9007199254740993}}`).want(t, 202, `"inexact":1`, "would run 9007199254740992")
	s.decide(aliceKey, a.str("id"), a.str("digest"), true).want(t, 409, "acknowledgement")
	body := `{"approve":true,"acknowledge":true,"digest":"` + a.str("digest") + `"}`
	s.call("POST", "/v1/proposals/"+a.str("id")+"/decision", aliceKey, body).want(t, 200, "approved")
	if got := s.claim(a.str("id")).want(t, 200).str("bytes"); got != `{"account":9007199254740993}` {
		t.Errorf("other bytes: %s", got)
	}
}
