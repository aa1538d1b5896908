//go:build !js

package gate_test

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// TestRemovedKeyEndsForGood removes an approver's key and adds it again: neither her page
// session, nor what she delegated, nor what is remembered for her comes back, and what she had
// approved is not handed out. Her half of an approval by two does not count.
func TestRemovedKeyEndsForGood(t *testing.T) {
	for _, back := range []bool{false, true} {
		s := newTestService(t, `{"delegate":{"within":"2h"},"fourEyes":["wire_x"],"remember":[{"name":"r","tool":"add_x","within":"1h"}]}`)
		alice, bob := s.signIn(aliceKey), s.signIn(bobKey)
		until := store.Instant(s.now.Load() + 3600_000)
		s.callAPI("POST", "/v1/delegations", aliceKey, `{"to":"bob","until":"`+until+`"}`).assertStatus(t, 200)
		propose := func(tool string) (id, digest string) {
			a := s.sendProposal(`{"tool":"`+tool+`","arguments":{"n":1},"session":"s"}`).assertStatus(t, 202)
			return a.textField("id"), a.textField("digest")
		}
		hers, d1 := propose("cancel_x")
		s.sendDecision(aliceKey, hers, d1, true).assertStatus(t, 200)
		his, d2 := propose("delete_x")
		s.sendDecision(bobKey, his, d2, true).assertStatus(t, 200)
		both, d3 := propose("wire_x")
		s.sendDecision(aliceKey, both, d3, true).assertStatus(t, 200)
		adds, d4 := propose("add_x")
		s.remember(adds, d4, "", 600_000).assertStatus(t, 200)
		s.now.Add(1000)
		file := keyFile
		all, err := gate.ReadKeys(file)
		if err != nil {
			t.Fatal(err)
		}
		without, err := gate.ReadKeys(strings.Replace(strings.Replace(file, otherKey+" alice", otherKey, 1), "t approver alice "+aliceKey, "", 1))
		if err != nil {
			t.Fatal(err)
		}
		reload := func(keys []gate.Key) {
			if _, err := s.gate.ReloadKeys(t.Context(), keys); err != nil {
				t.Fatal(err)
			}
		}
		if reload(without); back {
			reload(all)
		}
		if status, _, _ := alice.doRequest("GET", "/pending", nil); status == 200 {
			t.Errorf("back %v: her session is signed in", back)
		}
		if status, _, _ := bob.doRequest("GET", "/pending", nil); status != 200 {
			t.Errorf("back %v: his session has ended: %d", back, status)
		}
		for _, path := range []string{"/v1/delegations", "/v1/remembered"} {
			if a := s.callAPI("GET", path, bobKey, ""); strings.Contains(a.text, `"alice"`) {
				t.Errorf("back %v: %s", back, a.text)
			}
		}
		s.sendClaim(hers).assertStatus(t, 409)
		s.sendClaim(adds).assertStatus(t, 409)
		s.sendDecision(bobKey, both, d3, true)
		s.sendClaim(both).assertStatus(t, 409)
		s.sendClaim(his).assertStatus(t, 200)
		if a := s.callAPI("GET", "/v1/proposals/"+hers, agentKey, ""); !strings.Contains(a.text, "a key of alice, who had approved the call, was removed: propose the call again") {
			t.Errorf("back %v: %s", back, a.text)
		}
		propose("cancel_x")
		if back {
			s.now.Add(1)
			if status, _, _ := s.signIn(aliceKey).doRequest("GET", "/pending", nil); status != 200 {
				t.Errorf("she cannot sign in again: %d", status)
			}
		}
		s.assertWhole()
	}
}
