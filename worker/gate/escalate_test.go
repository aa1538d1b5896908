//go:build !js

package gate_test

import (
	"strings"
	"testing"
)

// TestEscalated checks that a call which waits for one approver is, after the policy's time,
// decided by others, with an entry in the audit, once, and a word on the page.
func TestEscalated(t *testing.T) {
	s := newTestService(t, `{"escalate":{"after":"5m","to":["bob"]}}`)
	a := s.callAPI("POST", "/v1/proposals", otherKey, `{"tool":"cancel_x","arguments":{"a":1}}`).assertStatus(t, 202)
	id, digest := a.textField("id"), a.textField("digest")
	s.now.Add(299_000)
	s.sendDecision(bobKey, id, digest, true).assertStatus(t, 403, "different approver")
	s.now.Add(1000)
	for range 3 {
		if err := s.gate.Housekeep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	s.callAPI("GET", "/v1/proposals", aliceKey, "").assertStatus(t, 200, id)
	if _, text, _ := s.signIn(bobKey).doRequest("GET", "/p/"+id, nil); !strings.Contains(text, "escalated at 22:18:20 UTC to bob") || !strings.Contains(text, `value="approve"`) {
		t.Error(text)
	}
	audit := s.callAPI("GET", "/v1/audit", aliceKey, "").text
	if strings.Count(audit, `"event":"escalate"`) != 1 || !strings.Contains(audit, "nobody has decided; also asked: bob") {
		t.Error(audit)
	}
	s.sendDecision(bobKey, id, digest, true).assertStatus(t, 200)
	s.assertWhole()
}

// TestWaitedFor checks that an approved call is handed out only after the policy's wait, that
// the audit says from when on, and that the approval can be taken back until then.
func TestWaitedFor(t *testing.T) {
	s := newTestService(t, `{"tools":{"cancel_*":{"wait":"10m"}}}`)
	id, digest := s.proposeHeld("cancel_x", `{"a":1}`)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	s.now.Add(599_999)
	for range 2 {
		if a := s.sendClaim(id).assertStatus(t, 409, `"early"`, "run only from 2023-11-14 22:23:20 UTC on"); a.header.Get("Retry-After") != "1" {
			t.Error(a.header)
		}
	}
	if err := s.gate.Housekeep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if audit := s.callAPI("GET", "/v1/audit", aliceKey, "").text; strings.Count(audit, `"runsFrom":"2023-11-14T22:23:20`) != 1 || strings.Contains(audit, `"event":"stopped"`) {
		t.Error(audit)
	}
	if _, text, _ := s.signIn(bobKey).doRequest("GET", "/p/"+id, nil); !strings.Contains(text, "may claim the call from 22:23:20 UTC on") || !strings.Contains(text, `value="revoke"`) {
		t.Error(text)
	}
	s.now.Add(1)
	s.sendClaim(id).assertStatus(t, 200)
	id, digest = s.proposeHeld("cancel_x", `{"a":2}`)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	s.callAPI("POST", "/v1/proposals/"+id+"/revoke", bobKey, `{"reason":"wrong"}`).assertStatus(t, 200)
	s.now.Add(600_000)
	s.sendClaim(id).assertStatus(t, 409)
	s.assertWhole()
}

// TestBypassed checks a bypass by the API and by the page: with a reason only, by whom the
// policy names, and the audit and the page say so.
func TestBypassed(t *testing.T) {
	s := newTestService(t, `{"fourEyes":["wire_x"],"bypass":["alice"]}`)
	id, digest := s.proposeHeld("wire_x", `{"a":1}`)
	decide := func(key, reason string) answer {
		return s.callAPI("POST", "/v1/proposals/"+id+"/decision", key, `{"approve":true,"bypass":true,"digest":"`+digest+`","reason":"`+reason+`"}`)
	}
	decide(bobKey, "it burns").assertStatus(t, 403, "does not let bob")
	decide(aliceKey, "").assertStatus(t, 400, "write a reason", `want \"approve\": true`)
	s.sendClaim(id).assertStatus(t, 409)
	decide(aliceKey, "it burns").assertStatus(t, 200, `"state":"approved"`)
	s.sendClaim(id).assertStatus(t, 200)
	id, _ = s.proposeHeld("wire_x", `{"a":2}`)
	if _, text, _ := s.signIn(bobKey).doRequest("GET", "/p/"+id, nil); strings.Contains(text, `value="bypass"`) {
		t.Error("bob gets the button")
	}
	b := s.signIn(aliceKey)
	f := b.hiddenFields("/p/" + id)
	if status, text, _ := b.doRequest("POST", "/p/"+id, withFields(f, "choice", "bypass", "reason", "")); status != 409 || !strings.Contains(text, "Not stored: write a reason: whoever approves alone what needs other people says why.</p>") {
		t.Errorf("%d %s", status, text)
	}
	if status, _, _ := b.doRequest("POST", "/p/"+id, withFields(f, "choice", "bypass", "reason", "still burning")); status != 303 {
		t.Error(status)
	}
	if _, text, _ := b.doRequest("GET", "/p/"+id, nil); !strings.Contains(text, "alice approved alone, by a bypass, at") || !strings.Contains(text, "still burning") {
		t.Error(text)
	}
	if err := s.gate.Housekeep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if audit := s.callAPI("GET", "/v1/audit", aliceKey, "").text; strings.Count(audit, `"event":"bypass"`) != 2 || !strings.Contains(audit, "it burns") {
		t.Error(audit)
	}
	s.assertWhole()
}

// TestWaitRemembered checks that a claim that comes early changes nothing of a call that a
// remembered yes lets through, that it runs once at its time, and that the end of the yes
// stops it.
func TestWaitRemembered(t *testing.T) {
	s := newTestService(t, `{"tools":{"add_x":{"wait":"10m"}},"remember":[{"name":"adds","tool":"add_x","within":"8h"}]}`)
	id, digest := s.proposeInSession("add_x", `{"n":1}`, "s1")
	yes := s.remember(id, digest, `{"n":{"max":9}}`, 3_600_000).assertStatus(t, 200).textField("id")
	covered := func(n string) string {
		a := s.sendProposal(`{"tool":"add_x","arguments":{"n":`+n+`},"session":"s1"}`).assertStatus(t, 202, `"state":"approved"`)
		s.sendClaim(a.textField("id")).assertStatus(t, 409, `"early"`)
		s.callAPI("GET", "/v1/proposals/"+a.textField("id"), agentKey, "").assertStatus(t, 200, `"state":"approved"`, `"runsFrom":`)
		return a.textField("id")
	}
	runs, stops := covered("2"), covered("3")
	s.now.Add(600_000)
	s.sendClaim(runs).assertStatus(t, 200)
	s.sendClaim(runs).assertStatus(t, 409, "claimed already")
	s.callAPI("POST", "/v1/remembered/"+yes+"/revoke", bobKey, "").assertStatus(t, 200)
	s.sendClaim(stops).assertStatus(t, 409, "has ended")
	s.callAPI("GET", "/v1/proposals/"+stops, agentKey, "").assertStatus(t, 200, `"state":"cancelled"`)
	s.assertWhole()
}

// TestBypassCountsOnce checks that somebody who has approved and then bypasses the others is
// one person, at the API and in the audit.
func TestBypassCountsOnce(t *testing.T) {
	s := newTestService(t, `{"fourEyes":["wire_x"],"bypass":["alice"]}`)
	id, digest := s.proposeHeld("wire_x", `{"a":1}`)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200, `"approvals":1`)
	s.callAPI("POST", "/v1/proposals/"+id+"/decision", aliceKey, `{"approve":true,"bypass":true,"digest":"`+digest+`","reason":"it burns"}`).assertStatus(t, 200, `"state":"approved"`, `"approvals":1`)
	if err := s.gate.Housekeep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if audit := s.callAPI("GET", "/v1/audit", aliceKey, "").text; strings.Contains(audit, `"approvals":2`) {
		t.Error(audit)
	}
}
