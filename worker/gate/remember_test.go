//go:build !js

package gate_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// runCall claims a call, and reports it as executed if it was handed out. It returns the answer to the claim.
func (s *service) runCall(key, id string) answer {
	s.t.Helper()
	a := s.callAPI("POST", "/v1/proposals/"+id+"/claim", key, "")
	if a.status == 200 {
		s.callAPI("POST", "/v1/proposals/"+id+"/outcome", key, `{"grant":"`+a.textField("grant")+`","status":"executed"}`).assertStatus(s.t, 200)
	}
	return a
}

func (s *service) proposeInSession(tool, arguments, session string) (id, digest string) {
	s.t.Helper()
	a := s.sendProposal(`{"tool":"`+tool+`","arguments":`+arguments+`,"session":"`+session+`"}`).assertStatus(s.t, 202)
	return a.textField("id"), a.textField("digest")
}

// remember approves a call as alice, and lets the gate remember it for a time.
func (s *service) remember(id, digest, when string, ms int64) answer {
	s.t.Helper()
	s.sendDecision(aliceKey, id, digest, true).assertStatus(s.t, 200)
	if when != "" {
		when = `,"when":` + when
	}
	return s.callAPI("POST", "/v1/remembered", aliceKey, `{"id":"`+id+`","digest":"`+digest+`","until":"`+store.Instant(s.now.Load()+ms)+`"`+when+`}`)
}

const rememberPolicy = `{"fourEyes":["wire_x"],"groups":{"desk":["alice"]},"remember":[
	{"name":"adds","tool":"add_x","by":"desk","within":"1h"},{"name":"sends","tool":"send_x","within":"1h","destructive":true},
	{"name":"odd","tool":"frob","within":"1h"},{"name":"wires","tool":"wire_x","within":"1h","destructive":true}],
	"rules":[{"name":"no nines","tool":"add_x","when":{"n":{"equals":9}},"effect":"deny"},{"name":"big","tool":"add_x","when":{"n":{"equals":8}},"effect":"hold","people":2},
		{"name":"few","tool":"send_x","atMost":{"n":2,"per":"1h"},"effect":"deny"},{"name":"desk only","tool":"add_x","when":{"n":{"equals":7}},"effect":"hold","from":["bob"]}]}`

// TestRemember lets one yes cover more calls of its session. Each is claimed, audited and
// counted like any other.
func TestRemember(t *testing.T) {
	s := newTestService(t, rememberPolicy)
	id, digest := s.proposeInSession("send_x", `{"n":1}`, "s1")
	a := s.remember(id, digest, "", 600_000).assertStatus(t, 200, `"bounds":"{\"digest\":\"`+digest)
	s.runCall(agentKey, id).assertStatus(t, 200)
	v := s.sendProposal(`{"tool":"send_x","arguments":{"n":1},"session":"s1"}`).assertStatus(t, 202, `"state":"approved"`, "a remembered yes of alice")
	s.callAPI("GET", "/v1/proposals/"+v.textField("id"), agentKey, "").assertStatus(t, 200, `"remembered":{"id":"`+a.textField("id")+`","by":"alice"`)
	s.runCall(agentKey, v.textField("id")).assertStatus(t, 200, `"bytes":"{\"n\":1}"`)
	s.sendClaim(v.textField("id")).assertStatus(t, 409)
	if v = s.sendProposal(`{"tool":"send_x","arguments":{"n":1},"session":"s1"}`); v.status != 403 {
		t.Errorf("the third of at most two: %d %s", v.status, v.text)
	}
	for _, other := range []string{`{"tool":"send_x","arguments":{"n":1},"session":"s2"}`, `{"tool":"send_x","arguments":{"n":1}}`, `{"tool":"send_x","arguments":{"n": 1},"session":"s1"}`, `{"tool":"send_y","arguments":{"n":1},"session":"s1"}`} {
		if a := s.sendProposal(other); a.textField("state") == "approved" || a.status == 200 {
			t.Errorf("%s was let through: %s", other, a.text)
		}
	}
	s.callAPI("GET", "/v1/remembered", aliceKey, "").assertStatus(t, 200, a.textField("id"), `"agent":"bot"`, `"session":"s1"`)
	s.assertWhole()
	audit := s.callAPI("GET", "/v1/audit", aliceKey, "").text
	if strings.Count(audit, `"remembered":"`+a.textField("id")) != 4 || !strings.Contains(audit, `"event":"remember"`) {
		t.Errorf("the audit has not the yes and each of its uses: %s", audit)
	}
	s.callAPI("POST", "/v1/remembered/"+a.textField("id")+"/revoke", bobKey, `{"reason":"enough"}`).assertStatus(t, 200, `"remembered":[]`)
	s.callAPI("POST", "/v1/remembered/"+a.textField("id")+"/revoke", bobKey, "").assertStatus(t, 404)
	if s.callAPI("GET", "/v1/remembered", carolKey, "").assertStatus(t, 200).text != "{\"remembered\":[]}\n" {
		t.Error("another tenant sees it")
	}
}

// TestRememberRefused checks what is never remembered.
func TestRememberRefused(t *testing.T) {
	s := newTestService(t, rememberPolicy)
	check := func(tool, arguments, session, when string, ms int64, status int, part string) {
		t.Helper()
		id, digest := s.proposeInSession(tool, arguments, session)
		s.remember(id, digest, when, ms).assertStatus(t, status, part)
	}
	check("frob", `{"n":1}`, "s1", "", 60_000, 409, "effect of this call is not known")
	check("cancel_x", `{"n":1}`, "s1", "", 60_000, 403, "no rule in remember")
	check("add_x", `{"n":1}`, "", "", 60_000, 409, "no session")
	check("add_x", `{"n":1}`, "s1", "", 3_700_000, 400, "at most 1h")
	check("add_x", `{"n":1}`, "s1", "", -1, 400, "until")
	check("add_x", `{"n":1}`, "s1", `{"n":{"max":0}}`, 60_000, 400, "do not cover")
	check("add_x", `{"n":1}`, "s1", `{}`, 60_000, 400, "do not cover")
	check("add_x", `{"n":1}`, "s1", `{"n":{"mox":5}}`, 60_000, 400, "mox")
	id, digest := s.proposeInSession("add_x", `{"n":2}`, "s1")
	body := `{"id":"` + id + `","digest":"` + digest + `","until":"` + store.Instant(start+60_000) + `"}`
	s.callAPI("POST", "/v1/remembered", aliceKey, body).assertStatus(t, 409, "only who approved")
	s.sendDecision(bobKey, id, digest, true).assertStatus(t, 200)
	s.callAPI("POST", "/v1/remembered", aliceKey, body).assertStatus(t, 409, "only who approved")
	s.callAPI("POST", "/v1/remembered", bobKey, body).assertStatus(t, 403, "lets bob remember")
	id, digest = s.proposeInSession("wire_x", `{"n":2}`, "s1")
	s.sendDecision(bobKey, id, digest, true)
	s.remember(id, digest, "", 60_000).assertStatus(t, 409, "several people")
	s.callAPI("GET", "/v1/remembered", aliceKey, "").assertStatus(t, 200, `"remembered":[]`)
	plain := newTestService(t, "")
	id, digest = plain.proposeInSession("add_x", `{"n":1}`, "s1")
	plain.remember(id, digest, "", 60_000).assertStatus(t, 403, "lets nobody remember")
	s.assertWhole()
}

// rememberedYes is a remembered yes in the simple model of TestRememberedCoversNoMore.
type rememberedYes struct {
	id, agent, session, tool, bytes string
	low, high                       int // if bytes is ""
	definition                      string
	policy                          int
	created, until                  int64
	ended                           bool
}

// TestRememberedCoversNoMore draws calls of two agents, sessions, tools, arguments and
// definitions, and in between remembers, revokes, freezes, changes the policy, removes the
// approver's key and lets time pass. A call passes without a question exactly if a simple
// model says so, both when it is proposed and when it is claimed.
func TestRememberedCoversNoMore(t *testing.T) {
	s := newTestService(t, rememberPolicy)
	rng := rand.New(rand.NewPCG(49, 12))
	policies := []*machine.Policy{}
	for _, more := range []string{"", `,"cooldown":"2m"}`} {
		text := rememberPolicy
		if more != "" {
			text = text[:len(text)-1] + more
		}
		p, err := machine.ReadPolicy(text)
		if err != nil {
			t.Fatal(err)
		}
		policies = append(policies, p)
	}
	s.gate.SetPolicy(policies[0])
	all, _ := gate.ReadKeys(keyFile)
	unbound := strings.Replace(keyFile, otherKey+" alice", otherKey, 1)
	without, err := gate.ReadKeys(strings.Replace(unbound, "t approver alice "+aliceKey, "", 1))
	if err != nil {
		t.Fatal(err)
	}
	var yes []*rememberedYes
	policy, keyed := 0, true
	covers := func(y *rememberedYes, agent, session, tool, bytes, definition string, n int) bool {
		now := s.now.Load()
		return !y.ended && keyed && y.agent == agent && y.session == session && y.tool == tool && y.definition == definition && y.policy == policy && now < y.until &&
			(y.bytes == bytes || y.bytes == "" && n >= y.low && n <= y.high) && n < 7 // 7 needs bob, 8 two people, 9 is denied
	}
	happened := map[string]int{}
	for range drawn.Cases(1200) {
		s.now.Add(rng.Int64N(20_000))
		agent, key := "bot", agentKey
		if rng.IntN(3) == 0 {
			agent, key = "bot2", otherKey
		}
		session, tool, n := []string{"s1", "s2"}[rng.IntN(2)], []string{"add_x", "add_x", "add_x", "frob"}[rng.IntN(4)], rng.IntN(10)
		bytes, definition := fmt.Sprintf(`{"n":%d}`, n), []string{"", "", `[{"name":"add_x","description":"adds"}]`}[rng.IntN(3)]
		body := `{"tool":"` + tool + `","arguments":` + bytes + `,"session":"` + session + `"`
		if definition != "" {
			body += `,"tools":` + definition
		}
		a := s.callAPI("POST", "/v1/proposals", key, body+"}")
		want := false
		for _, y := range yes {
			want = want || covers(y, agent, session, tool, bytes, definition, n)
		}
		if got := a.textField("state") == "approved"; got != want || a.status == 200 {
			t.Fatalf("%s of %s passes: %v, want %v: %s", body, agent, got, want, a.text)
		}
		if a.status != 202 {
			happened["denied"]++
			continue
		}
		id, digest := a.textField("id"), a.textField("digest")
		var through string
		if want {
			var r struct {
				Why struct{ Remembered struct{ ID string } }
			}
			json.Unmarshal([]byte(s.callAPI("GET", "/v1/proposals/"+id, key, "").text), &r)
			through = r.Why.Remembered.ID
			happened["through"]++
		}
		switch rng.IntN(50) {
		case 0:
			s.now.Add(rng.Int64N(900_000))
		case 1:
			who, target := machine.Principal{Tenant: "t", Name: "bob", Role: machine.Approver}, []string{"", agent}[rng.IntN(2)]
			for _, on := range []bool{true, false} {
				if err := s.gate.Freeze(t.Context(), who, target, on, "", "api"); err != nil {
					t.Fatal(err)
				}
			}
			for _, y := range yes {
				y.ended = y.ended || target == "" || y.agent == target
			}
			s.now.Add(1)
			happened["freeze"]++
		case 2:
			policy = 1 - policy
			s.gate.SetPolicy(policies[policy])
			happened["policy"]++
		case 3:
			if keyed = !keyed; keyed {
				without, all = all, without
			}
			if _, err := s.gate.ReloadKeys(t.Context(), without); err != nil {
				t.Fatal(err)
			}
			if keyed {
				without, all = all, without
			}
			for _, y := range yes { // alice's, for good
				y.ended = true
			}
			happened["keys"]++
		case 4:
			if len(yes) > 0 {
				y := yes[rng.IntN(len(yes))]
				if a := s.callAPI("POST", "/v1/remembered/"+y.id+"/revoke", bobKey, ""); a.status == 200 {
					happened["revoked"]++
				}
				y.ended = true
			}
		default:
			if !want && keyed && rng.IntN(2) == 0 {
				when, y := "", &rememberedYes{agent: agent, session: session, tool: tool, bytes: bytes, definition: definition, policy: policy, created: s.now.Load(), until: s.now.Load() + 1_200_000}
				if rng.IntN(2) == 0 {
					y.bytes, y.low, y.high = "", rng.IntN(4), 3+rng.IntN(7)
					when = fmt.Sprintf(`{"n":{"min":%d,"max":%d}}`, y.low, y.high)
				}
				if s.sendDecision(aliceKey, id, digest, true).status != 200 {
					continue
				}
				a := s.remember2(id, digest, when, y.until)
				may := tool == "add_x" && n < 7 && (y.bytes != "" || n >= y.low && n <= y.high)
				if (a.status == 200) != may {
					t.Fatalf("remembering %s %s %s: %d %s", body, when, agent, a.status, a.text)
				}
				if may {
					y.id = a.textField("id")
					yes = append(yes, y)
					happened["remembered"]++
				}
			}
		}
		if want { // what let it through may have ended by now
			still := false
			for _, y := range yes {
				still = still || y.id == through && covers(y, agent, session, tool, bytes, definition, n)
			}
			c := s.runCall(key, id)
			expired := c.status == 409 && strings.Contains(c.text, "expired")
			if (c.status == 200) != still && !expired {
				t.Fatalf("a claim of %s: %d %s, want %v", body, c.status, c.text, still)
			}
			if c.status != 200 {
				happened["ended before the claim"]++
			}
		}
	}
	for _, what := range []string{"through", "remembered", "denied", "freeze", "policy", "keys", "revoked", "ended before the claim"} {
		if happened[what] < 2 {
			t.Errorf("%s happened %d times: %v", what, happened[what], happened)
		}
	}
	t.Log(happened)
	s.assertWhole()
}

func (s *service) remember2(id, digest, when string, until int64) answer {
	if when != "" {
		when = `,"when":` + when
	}
	return s.callAPI("POST", "/v1/remembered", aliceKey, `{"id":"`+id+`","digest":"`+digest+`","until":"`+store.Instant(until)+`"`+when+`}`)
}

// TestRememberedEndsWithTheKey replaces the key of an approver, in one change of the file:
// what was remembered with the old key has ended.
func TestRememberedEndsWithTheKey(t *testing.T) {
	s := newTestService(t, rememberPolicy)
	id, digest := s.proposeInSession("add_x", `{"n":1}`, "s1")
	s.remember(id, digest, "", 600_000).assertStatus(t, 200)
	waiting := s.sendProposal(`{"tool":"add_x","arguments":{"n":1},"session":"s1"}`).assertStatus(t, 202, `"approved"`)
	keys, err := gate.ReadKeys(strings.Replace(keyFile, aliceKey, "another-key-of-alice-0123456789", 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.gate.ReloadKeys(t.Context(), keys); err != nil {
		t.Fatal(err)
	}
	if state := s.proposalState(waiting.textField("id")); state != "cancelled" {
		t.Errorf("a call that the yes let through is %s", state)
	}
	s.sendClaim(waiting.textField("id")).assertStatus(t, 409, "has ended")
	s.sendProposal(`{"tool":"add_x","arguments":{"n":1},"session":"s1"}`).assertStatus(t, 202, `"pending"`)
	s.callAPI("GET", "/v1/remembered", bobKey, "").assertStatus(t, 200, `"remembered":[]`)
}

// TestRememberRace revokes a remembered yes while calls that it let through are claimed.
// After the revocation was answered, no claim succeeds.
func TestRememberRace(t *testing.T) {
	s := newTestService(t, rememberPolicy)
	for round := range 8 {
		session := fmt.Sprintf("r%d", round)
		id, digest := s.proposeInSession("add_x", `{"n":100}`, session)
		y := s.remember(id, digest, `{"n":{"min":10}}`, 600_000).assertStatus(t, 200).textField("id")
		var open []string
		for i := range 12 {
			a := s.sendProposal(fmt.Sprintf(`{"tool":"add_x","arguments":{"n":%d},"session":"%s"}`, 1000+12*round+i, session)).assertStatus(t, 202, `"approved"`)
			open = append(open, a.textField("id"))
		}
		raceCalls(7, func(i int) int {
			if i == 3 {
				return s.callAPI("POST", "/v1/remembered/"+y+"/revoke", bobKey, "").status
			}
			return s.sendClaim(open[i]).status
		})
		for _, id := range open[7:] {
			s.sendClaim(id).assertStatus(t, 409, "has ended")
			if s.proposalState(id) != "cancelled" {
				t.Error("the call still waits for a claim")
			}
		}
	}
	s.assertWhole()
}

// TestRememberOnPage lets the gate remember a yes on the page, and ends it there.
func TestRememberOnPage(t *testing.T) {
	s := newTestService(t, rememberPolicy)
	id, _ := s.proposeInSession("add_x", `{"n":1}`, "s1")
	alice, bob := s.signIn(aliceKey), s.signIn(bobKey)
	if _, page, _ := bob.doRequest("GET", "/p/"+id, nil); strings.Contains(page, "Remember this yes") {
		t.Error("who may not remember sees the form")
	}
	status, _, header := alice.doRequest("POST", "/p/"+id, withFields(alice.hiddenFields("/p/"+id), "choice", "remember", "for", "1h", "bounds", `{"n":{"max":5}}`))
	if status != 303 || header.Get("Location") != "/remembered" || s.proposalState(id) != "approved" {
		t.Fatalf("%d %v %s", status, header, s.proposalState(id))
	}
	s.sendProposal(`{"tool":"add_x","arguments":{"n":5},"session":"s1"}`).assertStatus(t, 202, `"approved"`)
	s.sendProposal(`{"tool":"add_x","arguments":{"n":6},"session":"s1"}`).assertStatus(t, 202, `"pending"`)
	_, page, _ := bob.doRequest("GET", "/remembered", nil)
	if !strings.Contains(page, "given by alice") || !strings.Contains(page, `&#34;max&#34;:5`) {
		t.Errorf("the list: %s", page)
	}
	other, _ := s.proposeInSession("add_x", `{"n":2}`, "s2")
	if status, page, _ = alice.doRequest("POST", "/p/"+other, withFields(alice.hiddenFields("/p/"+other), "choice", "remember", "for", "24h")); status != 409 || !strings.Contains(page, "The call is approved, but the yes is not remembered") {
		t.Errorf("too long a time: %d %s", status, page)
	}
	f := withFields(bob.hiddenFields("/remembered"))
	for _, name := range []string{"id", "bounds"} {
		_, page, _ := bob.doRequest("GET", "/remembered", nil)
		_, value, _ := strings.Cut(page, `name="`+name+`" value="`)
		value, _, _ = strings.Cut(value, `"`)
		f.Set(name, strings.ReplaceAll(value, "&#34;", `"`))
	}
	if status, _, _ := bob.doRequest("POST", "/remembered", withFields(f, "id", "y_other")); status != 403 {
		t.Errorf("a form that was not shown: %d", status)
	}
	if status, _, _ := bob.doRequest("POST", "/remembered", f); status != 303 {
		t.Errorf("ending it: %d", status)
	}
	s.sendProposal(`{"tool":"add_x","arguments":{"n":5},"session":"s1"}`).assertStatus(t, 202, `"pending"`)
	s.assertWhole()
}

// TestRememberedWithinOneBatch draws how the first of two equal calls of one turn under a remembered yes ends: the second is not
// handed out while the first is out without a known outcome.
func TestRememberedWithinOneBatch(t *testing.T) {
	for _, end := range []string{"", "ambiguous", "executed", "failed"} {
		s := newTestService(t, `{"cooldown":"none","remember":[{"name":"r","tool":"close_order","within":"8h","destructive":true}]}`)
		id, digest := s.proposeInSession("close_order", `{"id":"A"}`, "s")
		s.remember(id, digest, `{"id":{"equals":"A"}}`, 7*60*60*1000).assertStatus(t, 200)
		s.callAPI("POST", "/v1/proposals/"+id+"/cancel", agentKey, "").assertStatus(t, 200)
		one := `{"tool":"close_order","arguments":{"id":"A"},"session":"s"}`
		a := s.sendProposal("[" + one + "," + one + "]")
		var batch struct {
			Calls []struct{ ID, State, Reason string }
		}
		json.Unmarshal([]byte(a.text), &batch)
		if len(batch.Calls) != 2 {
			t.Fatal(a.text)
		}
		first := s.sendClaim(batch.Calls[0].ID)
		if first.status != 200 {
			continue // a person decides
		}
		s.now.Add(1000)
		if end != "" {
			s.callAPI("POST", "/v1/proposals/"+batch.Calls[0].ID+"/outcome", agentKey, `{"grant":"`+first.textField("grant")+`","status":"`+end+`"}`).assertStatus(t, 200)
		}
		second := s.sendClaim(batch.Calls[1].ID)
		if open := end == "" || end == "ambiguous"; open == (second.status == 200) {
			t.Errorf("%q: the second claim: %d %s", end, second.status, second.text)
		}
	}
}
