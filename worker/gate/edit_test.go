//go:build !js

package gate_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

func (s *service) sendEdit(key, id, digest, arguments string) answer {
	s.t.Helper()
	return s.callAPI("POST", "/v1/proposals/"+id+"/edit", key, `{"digest":"`+digest+`","arguments":`+arguments+`,"reason":"too much"}`)
}

const editPolicy = `{"expiry":"10m","groups":{"desk":["alice"]},"fourEyes":["wire_x"],"edit":[
	{"name":"amounts","tool":"create_refund","by":"desk","arguments":["amount","items.#.price"]},
	{"name":"wires","tool":"wire_x","arguments":["*"]},
	{"name":"own","tool":"send_*","by":["alice","bob"],"arguments":["*"],"counts":true}],
	"rules":[{"name":"large","tool":"create_refund","when":{"amount":{"min":1000}},"effect":"deny","reason":"over the limit"},
		{"name":"two","tool":"create_refund","when":{"amount":{"min":500}},"effect":"hold","people":2}]}`

// TestEdit edits a call over the API. The new call waits for a decision of its own, the
// one before never runs, and both versions are in the audit.
func TestEdit(t *testing.T) {
	s := newTestService(t, editPolicy)
	id, digest := s.proposeHeld("create_refund", `{"order": "#W1", "amount": 100}`)
	a := s.sendEdit(aliceKey, id, digest, `{"order": "#W1",  "amount": 90}`).assertStatus(t, 200, `"state":"pending"`, `"replaces":"`+id+`"`, `"changes":[{"path":"amount","was":"100","is":"90"}]`)
	next, nextDigest := a.textField("id"), a.textField("digest")
	if nextDigest != proposal.Digest("create_refund", `{"order": "#W1",  "amount": 90}`) || !strings.Contains(a.textField("prompt"), "EDITED by the approver alice: 1 change of the call "+digest+"\n  amount: was 100, now 90\n") ||
		!strings.Contains(a.textField("prompt"), "amount = 90\n  ^ from the approver alice\n") {
		t.Errorf("the edited call: %s", a.text)
	}
	s.callAPI("GET", "/v1/proposals/"+id+"?wait=5", agentKey, "").assertStatus(t, 200, `"state":"superseded"`, `"replacedBy":"`+next+`"`)
	s.sendDecision(bobKey, id, digest, true).assertStatus(t, 409, "the edited call stands in its place")
	s.sendEdit(aliceKey, id, digest, `{"order": "#W1", "amount": 80}`).assertStatus(t, 409, "cannot be edited")
	s.sendClaim(id).assertStatus(t, 409)
	s.sendClaim(next).assertStatus(t, 409, "not decided")
	s.sendDecision(bobKey, next, digest, true).assertStatus(t, 409, "digest")
	s.sendDecision(aliceKey, next, nextDigest, true).assertStatus(t, 403, "does not count the approval of who edited")
	s.sendDecision(bobKey, next, nextDigest, true).assertStatus(t, 200, `"state":"approved"`)
	s.sendEdit(aliceKey, next, nextDigest, `{"order": "#W1", "amount": 80}`).assertStatus(t, 409, "approved already, so it cannot be edited")
	s.sendClaim(id).assertStatus(t, 409)
	if c := s.sendClaim(next).assertStatus(t, 200); c.textField("bytes") != `{"order": "#W1",  "amount": 90}` {
		t.Errorf("claimed %s", c.text)
	}
	s.sendEdit(aliceKey, next, nextDigest, `{"order": "#W1", "amount": 80}`).assertStatus(t, 409, "cannot be edited")
	s.assertWhole()
	audit := s.callAPI("GET", "/v1/audit", aliceKey, "").text
	for _, part := range []string{`\"event\":\"edit\"`, `\"to\":\"superseded\"`, `\"next\":\"` + next, `\"event\":\"edited\"`, `\"of\":\"` + id, `\"was\":\"` + digest, `\"changed\":\"amount\"`, `\"text\":\"too much\"`} {
		if !strings.Contains(audit, part) && !strings.Contains(audit, strings.ReplaceAll(part, `\`, "")) {
			t.Errorf("the audit lacks %s: %s", part, audit)
		}
	}
	s.assertWhole()
}

// assertWhole checks that the audit and the table of proposals agree.
func (s *service) assertWhole() {
	s.t.Helper()
	if err := s.store.Seal(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	all, err := s.store.VerifyStore(s.t.Context(), store.Known{})
	for _, c := range all {
		if len(c.Faults) > 0 {
			s.t.Errorf("%s: %v", c.Tenant, c.Faults)
		}
	}
	if err != nil || len(all) == 0 {
		s.t.Errorf("%d chains, %v", len(all), err)
	}
}

// TestEditRefused checks who may not edit what.
func TestEditRefused(t *testing.T) {
	s := newTestService(t, editPolicy)
	id, digest := s.proposeHeld("create_refund", `{"order":"#W1","amount":100,"items":[{"price":1,"n":1}]}`)
	check := func(key, digest, arguments string, status int, part string) {
		t.Helper()
		s.sendEdit(key, id, digest, arguments).assertStatus(t, status, part)
	}
	check(bobKey, digest, `{"order":"#W1","amount":1,"items":[{"price":1,"n":1}]}`, 403, "no rule in edit that lets bob")
	check(agentKey, digest, `{"order":"#W1","amount":1,"items":[{"price":1,"n":1}]}`, 403, "approver")
	check(carolKey, digest, `{"order":"#W1","amount":1,"items":[{"price":1,"n":1}]}`, 404, "")
	check(aliceKey, "sha256:00", `{"order":"#W1","amount":1,"items":[{"price":1,"n":1}]}`, 409, "digest")
	check(aliceKey, digest, `{"order":"#W2","amount":1,"items":[{"price":1,"n":1}]}`, 403, "does not let alice change order")
	check(aliceKey, digest, `{"amount":1,"items":[{"price":1,"n":1}]}`, 403, "change order")
	check(aliceKey, digest, `{"order":"#W1","amount":1,"items":[{"price":1,"n":1}],"to":"x"}`, 403, "change to")
	check(aliceKey, digest, `{"order":"#W1","amount":1,"items":[{"price":1,"n":2}]}`, 403, "change items[0].n")
	check(aliceKey, digest, `{"order":"#W1","amount":1,"items":[]}`, 403, "change items")
	check(aliceKey, digest, `{"items":[{"n":1,"price":1}], "amount":100,"order":"\u0023W1"}`, 400, "changes no value")
	check(aliceKey, digest, `[]`, 400, "want")
	check(aliceKey, digest, `{"amount":1,"amount":2}`, 400, "appears twice")
	check(aliceKey, digest, `{"order":"#W1","amount":1000,"items":[{"price":1,"n":1}]}`, 403, "over the limit")
	if s.proposalState(id) != "pending" {
		t.Errorf("a refused edit made the call %s", s.proposalState(id))
	}
	s.assertWhole()
	if audit := s.callAPI("GET", "/v1/audit", aliceKey, "").text; !strings.Contains(audit, "edit-denied") {
		t.Error("the audit has no row for the edit that the policy denied")
	}
	a := s.sendEdit(aliceKey, id, digest, `{"order":"#W1","amount":500,"items":[{"price":2,"n":1}]}`).assertStatus(t, 200, `"needs":2`)
	next, nextDigest := a.textField("id"), a.textField("digest")
	s.sendDecision(bobKey, next, nextDigest, true).assertStatus(t, 200, `"state":"pending"`)
	s.sendDecision(aliceKey, next, nextDigest, true).assertStatus(t, 403)
	s.now.Add(11 * 60 * 1000)
	s.sendEdit(aliceKey, next, nextDigest, `{"order":"#W1","amount":4,"items":[{"price":2,"n":1}]}`).assertStatus(t, 409, "expired")
	s.assertWhole()

	plain := newTestService(t, "")
	id, digest = plain.proposeHeld("cancel_x", `{"a":1}`)
	plain.sendEdit(aliceKey, id, digest, `{"a":2}`).assertStatus(t, 403, "lets nobody edit")
}

// TestEditIsAlwaysShown edits a call so that it changes nothing, or so that a rule allows
// it. People still decide: nobody has seen these bytes.
func TestEditIsAlwaysShown(t *testing.T) {
	s := newTestService(t, `{"edit":[{"name":"all","arguments":["*"],"counts":true}],"tools":{"sql":{"shell":"posix"}},
		"allow":[{"name":"small","tool":"update_x","until":"2033-01-01T00:00:00Z","when":{"n":{"max":5}}}]}`)
	for _, c := range [][3]string{{"sql", `{"command":"rm x"}`, `{"command":"ls"}`}, {"update_x", `{"n":9}`, `{"n":1}`}} {
		id, digest := s.proposeHeld(c[0], c[1])
		a := s.sendEdit(aliceKey, id, digest, c[2]).assertStatus(t, 200, `"state":"pending"`, `"needs":1`)
		s.sendClaim(a.textField("id")).assertStatus(t, 409, "not decided")
		s.sendDecision(aliceKey, a.textField("id"), a.textField("digest"), true).assertStatus(t, 200, `"approved"`)
		s.sendClaim(a.textField("id")).assertStatus(t, 200)
	}
}

// TestEditBound checks an agent whose calls only alice decides: her edit needs a rule that
// counts her own approval, because nobody else could approve it.
func TestEditBound(t *testing.T) {
	s := newTestService(t, editPolicy)
	propose := func(tool string) (id, digest string) {
		a := s.callAPI("POST", "/v1/proposals", otherKey, `{"tool":"`+tool+`","arguments":{"amount":1}}`).assertStatus(t, 202)
		return a.textField("id"), a.textField("digest")
	}
	id, digest := propose("create_refund")
	s.sendEdit(aliceKey, id, digest, `{"amount":2}`).assertStatus(t, 403, "nobody could approve")
	id, digest = propose("send_x")
	s.sendEdit(bobKey, id, digest, `{"amount":2}`).assertStatus(t, 403, "a different approver")
	a := s.sendEdit(aliceKey, id, digest, `{"amount":2}`).assertStatus(t, 200)
	s.sendDecision(aliceKey, a.textField("id"), a.textField("digest"), true).assertStatus(t, 200, "approved")
}

// TestAnswer answers a call with a text in place of yes or no. Nothing runs.
func TestAnswer(t *testing.T) {
	s := newTestService(t, "")
	id, digest := s.proposeHeld("cancel_x", `{"a":1}`)
	post := func(key, digest, text string) answer {
		b, _ := json.Marshal(map[string]string{"digest": digest, "answer": text})
		return s.callAPI("POST", "/v1/proposals/"+id+"/answer", key, string(b))
	}
	post(agentKey, digest, "go").assertStatus(t, 403)
	post(aliceKey, "sha256:00", "go").assertStatus(t, 409)
	post(aliceKey, digest, " ").assertStatus(t, 400)
	post(aliceKey, digest, strings.Repeat("x", 4001)).assertStatus(t, 400)
	post(aliceKey, digest, "ask the customer first").assertStatus(t, 200, `"state":"answered"`)
	s.callAPI("GET", "/v1/proposals/"+id, agentKey, "").assertStatus(t, 200, `"state":"answered"`, `"answer":"ask the customer first"`, `"by":"alice"`)
	s.sendClaim(id).assertStatus(t, 409, "answered the call with a text")
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 409)
	post(bobKey, digest, "go").assertStatus(t, 409)
	s.proposeHeld("cancel_x", `{"a":1}`) // an answer is no refusal: the agent may ask again
	s.assertWhole()
}

// TestEditInBatch edits one call of a turn. The turn waits for the new call, which has the
// old one's place.
func TestEditInBatch(t *testing.T) {
	s := newTestService(t, editPolicy)
	a := s.sendProposal(`{"calls":[{"tool":"get_x","arguments":{}},{"tool":"send_x","arguments":{"a":1}},{"tool":"cancel_x","arguments":{}}]}`).assertStatus(t, 202)
	calls := batchMembers(t, a)
	s.sendDecision(aliceKey, calls[2].ID, calls[2].Digest, true).assertStatus(t, 200)
	e := s.sendEdit(aliceKey, calls[1].ID, calls[1].Digest, `{"a":2}`).assertStatus(t, 200, `"index":1`)
	s.sendClaim(calls[2].ID).assertStatus(t, 409, "another call of the batch")
	s.sendClaim(calls[1].ID).assertStatus(t, 409)
	s.callAPI("GET", "/v1/proposals/"+a.textField("id"), agentKey, "").assertStatus(t, 200, `"state":"pending"`, e.textField("id"))
	if text := s.callAPI("GET", "/v1/proposals/"+a.textField("id"), agentKey, "").text; strings.Contains(text, `"id":"`+calls[1].ID) || strings.Count(text, `"index":`) != 3 {
		t.Errorf("the turn has another number of calls: %s", text)
	}
	s.sendDecision(aliceKey, e.textField("id"), e.textField("digest"), true).assertStatus(t, 200)
	for _, id := range []string{calls[0].ID, e.textField("id"), calls[2].ID} {
		s.sendClaim(id).assertStatus(t, 200)
	}
	s.assertWhole()
}

// heldCall is a call in the simple model of TestEditedNeverRuns.
type heldCall struct {
	id, digest, bytes string
	tool              string
	editors, yes      []string
	state             string // pending, approved, gone (it can never run), ran
}

// TestEditedNeverRuns plays drawn sequences of edits, decisions, answers, revocations and
// claims of several people, and compares every claim with a simple model: what runs is
// the bytes that enough people approved last, and a call that was edited never runs.
func TestEditedNeverRuns(t *testing.T) {
	s := newTestService(t, editPolicy)
	rng := rand.New(rand.NewPCG(49, 7))
	names, keys := []string{"alice", "bob"}, []string{aliceKey, bobKey}
	ran, edited, refused := 0, 0, 0
	for range drawn.Cases(60) {
		tool := []string{"send_x", "wire_x", "create_refund"}[rng.IntN(3)]
		first := fmt.Sprintf(`{"amount":%d,"n":%d}`, rng.IntN(400), rng.IntN(1<<30))
		id, digest := s.proposeHeld(tool, first)
		calls := []*heldCall{{id: id, digest: digest, bytes: first, tool: tool, state: "pending"}}
		for range 14 {
			c, who := calls[rng.IntN(len(calls))], rng.IntN(2)
			if rng.IntN(2) == 0 {
				c = calls[len(calls)-1]
			}
			told := c.digest
			if rng.IntN(8) == 0 {
				told = calls[rng.IntN(len(calls))].digest
			}
			counts := tool == "send_x" || !slices.Contains(c.editors, names[who])
			switch rng.IntN(8) {
			case 0, 1:
				bytes := fmt.Sprintf(`{"amount":%d,%s`, rng.IntN(400), c.bytes[strings.Index(c.bytes, `"n"`):])
				a := s.sendEdit(keys[who], c.id, told, bytes)
				may := c.state == "pending" && told == c.digest && bytes != c.bytes && (tool != "create_refund" || who == 0)
				if (a.status == 200) != may {
					t.Fatalf("an edit of %+v by %s to %s: %d %s", c, names[who], bytes, a.status, a.text)
				}
				if may {
					edited++
					c.state = "gone"
					calls = append(calls, &heldCall{id: a.textField("id"), digest: a.textField("digest"), bytes: bytes, tool: tool, editors: append(slices.Clone(c.editors), names[who]), state: "pending"})
				}
			case 2, 3, 4:
				a := s.sendDecision(keys[who], c.id, told, true)
				may := c.state == "pending" && told == c.digest && counts && !slices.Contains(c.yes, names[who])
				if (a.status == 200) != may {
					t.Fatalf("a yes to %+v by %s: %d %s", c, names[who], a.status, a.text)
				}
				if may {
					if c.yes = append(c.yes, names[who]); tool != "wire_x" || len(c.yes) == 2 {
						c.state = "approved"
					}
				} else {
					refused++
				}
			case 5:
				if rng.IntN(4) == 0 {
					b := fmt.Sprintf(`{"digest":%q,"answer":"wait"}`, told)
					if a := s.callAPI("POST", "/v1/proposals/"+c.id+"/answer", keys[who], b); (a.status == 200) != (c.state == "pending" && told == c.digest) {
						t.Fatalf("an answer to %+v: %d", c, a.status)
					} else if a.status == 200 {
						c.state = "gone"
					}
				}
			default:
				a := s.sendClaim(c.id)
				if (a.status == 200) != (c.state == "approved") {
					t.Fatalf("a claim of %+v: %d %s", c, a.status, a.text)
				}
				if a.status == 200 {
					if c.state = "ran"; a.textField("bytes") != c.bytes || c != calls[len(calls)-1] {
						t.Fatalf("%s ran in place of %+v", a.textField("bytes"), calls[len(calls)-1])
					}
					ran++
				}
			}
		}
	}
	if ran < 10 || edited < 50 || refused < 20 {
		t.Errorf("%d ran, %d edits, %d refused approvals: the test does not reach them", ran, edited, refused)
	}
	s.assertWhole()
}

// TestEditRace lets edits, approvals and claims of one call run at the same time. Exactly
// one version of it may run, and an edit that succeeded leaves nothing of the one before.
func TestEditRace(t *testing.T) {
	s := newTestService(t, `{"edit":[{"name":"all","arguments":["*"],"counts":true}]}`)
	for round := range 12 {
		id, digest := s.proposeHeld("send_x", fmt.Sprintf(`{"n":%d}`, round))
		got := raceCalls(12, func(i int) int {
			switch i % 3 {
			case 0:
				return 1000 + s.sendEdit(aliceKey, id, digest, fmt.Sprintf(`{"n":%d}`, 1000+i)).status
			case 1:
				return 2000 + s.sendDecision(bobKey, id, digest, true).status
			}
			return 3000 + s.sendClaim(id).status
		})
		if got[1200]+got[2200] != 1 || got[1200] == 1 && got[3200] > 0 || got[3200] > 1 {
			t.Fatalf("edits, approvals and claims together: %v", got)
		}
	}
	s.assertWhole()
}

// TestEditedRecordKept checks that the database itself refuses what an edit must never do.
func TestEditedRecordKept(t *testing.T) {
	s := newTestService(t, editPolicy)
	id, digest := s.proposeHeld("send_x", `{"a":1}`)
	next := s.sendEdit(aliceKey, id, digest, `{"a":2}`).assertStatus(t, 200).textField("id")
	db := openRaw(t, s.file)
	defer db.Close()
	for _, bad := range []string{
		`UPDATE proposals SET state = 'approved', entry = 'x' WHERE id = '` + id + `'`,
		`UPDATE proposals SET replaced = '', entry = 'x' WHERE id = '` + id + `'`,
		`UPDATE proposals SET edit_of = '', entry = 'x' WHERE id = '` + next + `'`,
		`UPDATE proposals SET stands_for = 'y', entry = 'x' WHERE id = '` + next + `'`,
		`UPDATE proposals SET replaced = 'p_x', state = 'denied', entry = 'x' WHERE id = '` + next + `'`,
	} {
		if _, err := db.Exec(bad); err == nil {
			t.Errorf("the database accepted %s", bad)
		}
	}
	var state string
	if err := db.QueryRow(`SELECT state FROM proposals WHERE id = '` + id + `'`).Scan(&state); err != nil || state != string(machine.Denied) {
		t.Errorf("a program of an older version sees the state %q, %v", state, err)
	}
}

// TestEditOnPage edits and answers calls on the page: the changed call is shown with its
// difference before it can be approved.
func TestEditOnPage(t *testing.T) {
	s := newTestService(t, editPolicy)
	id, _ := s.proposeHeld("create_refund", `{"order":"#W1","amount":100,"note":"a\nb"}`)
	bob, alice := s.signIn(bobKey), s.signIn(aliceKey)
	if _, page, _ := bob.doRequest("GET", "/p/"+id, nil); strings.Contains(page, "Change the arguments") {
		t.Error("who may not edit sees the form")
	}
	_, page, _ := alice.doRequest("GET", "/p/"+id, nil)
	if !strings.Contains(page, "Change the arguments") || !strings.Contains(page, "  &#34;amount&#34;: 100,\n") {
		t.Fatalf("no form: %s", page)
	}
	form := withFields(alice.hiddenFields("/p/"+id), "choice", "edit", "arguments", "{\r\n  \"order\": \"#W1\",\r\n  \"amount\": 90,\r\n  \"note\": \"a\\nb\"\r\n}", "reason", "too much")
	status, _, header := alice.doRequest("POST", "/p/"+id, form)
	next := strings.TrimPrefix(header.Get("Location"), "/p/")
	if status != 303 || next == id || next == "" {
		t.Fatalf("%d %v", status, header)
	}
	_, page, _ = alice.doRequest("GET", "/p/"+next, nil)
	for _, part := range []string{"Edited by alice", "- 100", "+ 90", `href="/p/` + id, "another approver must approve it", "EDITED by the approver alice"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %q: %s", part, page)
		}
	}
	if strings.Contains(page, `value="approve"`) {
		t.Error("who edited sees the button to approve")
	}
	if _, page, _ = alice.doRequest("GET", "/p/"+id, nil); !strings.Contains(page, "never runs") || !strings.Contains(page, `href="/p/`+next) || strings.Contains(page, "<button class=\"yes\"") {
		t.Errorf("the call before: %s", page)
	}
	if status, _, _ = alice.doRequest("POST", "/p/"+id, form); status != 409 {
		t.Errorf("a second edit with the old form: %d", status)
	}
	if status, _, _ = alice.doRequest("POST", "/p/"+next, withFields(alice.hiddenFields("/p/"+next), "choice", "approve")); status != 409 {
		t.Errorf("her own approval: %d", status)
	}
	if status, _, _ = bob.doRequest("POST", "/p/"+next, withFields(bob.hiddenFields("/p/"+next), "choice", "approve")); status != 303 {
		t.Errorf("bob's approval: %d", status)
	}
	if c := s.sendClaim(next).assertStatus(t, 200); c.textField("bytes") != `{"order":"#W1","amount":90,"note":"a\nb"}` || s.proposalState(id) != "superseded" {
		t.Errorf("claimed %s", c.text)
	}
	id, _ = s.proposeHeld("create_refund", `{"order":"#W2"}`)
	if status, page, _ = alice.doRequest("POST", "/p/"+id, withFields(alice.hiddenFields("/p/"+id), "choice", "edit", "arguments", `{"order":"#W3"}`)); status != 409 || !strings.Contains(page, "does not let alice change order") {
		t.Errorf("a change that is not allowed: %d %s", status, page)
	}
	if status, _, _ = bob.doRequest("POST", "/p/"+id, withFields(bob.hiddenFields("/p/"+id), "choice", "answer", "reason", "ask first")); status != 303 || s.proposalState(id) != "answered" {
		t.Errorf("an answer: %d %s", status, s.proposalState(id))
	}
	if _, page, _ = bob.doRequest("GET", "/p/"+id, nil); !strings.Contains(page, "bob answered") || !strings.Contains(page, "ask first") {
		t.Errorf("an answered call: %s", page)
	}
}

// TestEditBatchOnPage edits a call of a turn on the page of the turn.
func TestEditBatchOnPage(t *testing.T) {
	s := newTestService(t, editPolicy)
	a := s.sendProposal(`{"calls":[{"tool":"send_x","arguments":{"a":1}},{"tool":"cancel_x","arguments":{}}]}`).assertStatus(t, 202)
	calls, alice, turn := batchMembers(t, a), s.signIn(aliceKey), "/p/"+a.textField("id")
	one := alice.hiddenFields("/p/" + calls[0].ID)
	status, _, header := alice.doRequest("POST", "/p/"+calls[0].ID, withFields(one, "choice", "edit", "arguments", `{"a":2}`))
	if status != 303 || header.Get("Location") != turn {
		t.Fatalf("%d %v", status, header)
	}
	_, page, _ := alice.doRequest("GET", turn, nil)
	if strings.Count(page, `<article class="card">`) != 2 || !strings.Contains(page, "Edited by alice") || strings.Contains(page, calls[0].ID+" ") {
		t.Errorf("the page of the turn: %s", page)
	}
}

// TestEditRetention empties both versions of an edited call, and the reasons, after their
// time. The audit still agrees with what is left.
func TestEditRetention(t *testing.T) {
	s := newTestService(t, `{"retention":{"arguments":"48h"},`+editPolicy[1:])
	id, digest := s.proposeHeld("send_x", `{"secret":1}`)
	a := s.callAPI("POST", "/v1/proposals/"+id+"/edit", aliceKey, `{"digest":"`+digest+`","arguments":{"secret":2},"reason":"the secret is wrong"}`).assertStatus(t, 200)
	s.callAPI("POST", "/v1/proposals/"+a.textField("id")+"/answer", aliceKey, `{"digest":"`+a.textField("digest")+`","answer":"no secret now"}`).assertStatus(t, 200)
	s.now.Add(49 * 3600_000)
	for range 3 {
		if err := s.gate.Housekeep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	left := -1
	db := openRaw(t, s.file)
	defer db.Close()
	err := db.QueryRow(`SELECT count(*) FROM proposals WHERE arguments <> '' OR instr(prompt || life || supersede || sources, 'secret') OR supersede <> ''`).Scan(&left)
	if err != nil || left != 0 {
		t.Errorf("%d calls are not empty: %v", left, err)
	}
	s.callAPI("GET", "/v1/proposals/"+id, agentKey, "").assertStatus(t, 200, `"state":"superseded"`)
	s.assertWhole()
}

// TestEditOfAnOlderCall edits a call that waits in a database of before the edits.
func TestEditOfAnOlderCall(t *testing.T) {
	from := newTestService(t, editPolicy)
	id, digest := from.proposeHeld("send_x", `{"a":1}`)
	db, exec := openBefore(t, "0013")
	exec(`ATTACH ? AS src`, from.file)
	const columns = `id, tenant, batch, place, size, session, principal, approver, tool, arguments, digest, prompt, prompt_hash, needs, why, created, expires, grace, state, rev, life, due, entry, sources, marks`
	exec(`INSERT INTO proposals (` + columns + `) SELECT ` + columns + ` FROM src.proposals`)
	exec(`DETACH src`)
	if err := store.Migrate(t.Context(), db, false); err != nil {
		t.Fatal(err)
	}
	before := open
	defer func() { open = before }()
	open = func(testing.TB) (*store.Store, string) { return store.NewStore(db, db), "" }
	s := newTestService(t, editPolicy)
	a := s.sendEdit(aliceKey, id, digest, `{"a":2}`).assertStatus(t, 200)
	s.sendDecision(aliceKey, a.textField("id"), a.textField("digest"), true).assertStatus(t, 200)
	s.sendClaim(id).assertStatus(t, 409)
	s.sendClaim(a.textField("id")).assertStatus(t, 200)
	s.assertWhole()
}

// TestEditHint draws rules, keys and agents. Before an approver changes a call, the page says who can approve it afterwards: nothing if the
// same person can, another approver, or nobody. Then the call is changed, and all of them try.
func TestEditHint(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 13))
	for range drawn.Cases(12) {
		counts, alone, bound := rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0
		rules := []string{"", `,{"name":"other","tool":"delete_*","arguments":["*"],"counts":true}`}
		if counts {
			rules[0] = `,"counts":true`
		}
		s := newTestService(t, fmt.Sprintf(`{"edit":[{"name":"own","tool":"send_x","arguments":["*"]%s}%s]}`, rules[0], rules[1]), func(o *gate.Options) {
			if alone {
				o.Keys = slices.DeleteFunc(o.Keys, func(k gate.Key) bool { return k.Role == machine.Approver && k.Tenant == "t" && k.Name != "alice" })
			}
		})
		agent := agentKey
		if bound {
			agent = otherKey
		}
		id := s.callAPI("POST", "/v1/proposals", agent, `{"tool":"`+[]string{"send_x", "delete_y"}[rng.IntN(2)]+`","arguments":{"a":1}}`).assertStatus(t, 202).textField("id")
		alice := s.signIn(aliceKey)
		_, page, _ := alice.doRequest("GET", "/p/"+id, nil)
		_, _, header := alice.doRequest("POST", "/p/"+id, withFields(alice.hiddenFields("/p/"+id), "choice", "edit", "arguments", `{"a":2}`))
		next := strings.TrimPrefix(header.Get("Location"), "/p/")
		digest := s.callAPI("GET", "/v1/proposals/"+next, aliceKey, "").textField("digest")
		want := "nobody could approve it then"
		if s.sendDecision(aliceKey, next, digest, true).status == 200 {
			want = ""
		} else if !alone && s.sendDecision(bobKey, next, digest, true).status == 200 {
			want = "another approver must approve it"
		}
		if !strings.Contains(page, want) || strings.Contains(page, "After your change you cannot approve") != (want != "") {
			t.Errorf("counts %v, alone %v, bound %v: the page lacks %q", counts, alone, bound, want)
		}
	}
}
