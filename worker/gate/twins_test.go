//go:build !js

package gate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// TestRememberedNeverRepeats draws equal calls under a remembered yes, and how each of them
// ends. The yes lets a call through if and only if no equal call is out without a known
// outcome: also if both were let through before either was claimed. Otherwise a person is
// asked, and the reason says why.
func TestRememberedNeverRepeats(t *testing.T) {
	for seed := range uint64(drawn.Cases(8)) {
		draw := rand.New(rand.NewPCG(seed, 63))
		spelled := []string{`{"id":"A"}`, `{ "id" : "\u0041" }`}
		s := newTestService(t, `{"cooldown":"none","remember":[{"name":"r","tool":"close_order","within":"8h","destructive":true}]}`)
		id, digest := s.proposeInSession("close_order", `{"id":"A"}`, "s")
		s.remember(id, digest, `{"id":{"equals":"A"}}`, 7*60*60*1000).assertStatus(t, 200)
		s.callAPI("POST", "/v1/proposals/"+id+"/cancel", agentKey, "").assertStatus(t, 200)
		var passed []string // let through and not claimed
		open, handed := false, 0
		for range 25 {
			s.now.Add(draw.Int64N(10_000))
			if len(passed) == 0 || draw.IntN(2) == 0 {
				a := s.sendProposal(`{"tool":"close_order","arguments":`+spelled[draw.IntN(2)]+`,"session":"s"}`).assertStatus(t, 202)
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

// spellings are ways to write one call's arguments; %d is its number.
var spellings = []string{`{"a":%d,"b":1}`, `{ "b" : 1.0, "a" : %d }`, `{"a":%de0,"\u0062":10E-1}`, `{"a":%d.0,"b":1}`}

// drawCall returns a proposal of one of four calls, which n counts: of two numbers and two
// directories, in a drawn spelling. Two calls are equal if and only if they have one n.
func drawCall(draw *rand.Rand) (body string, n int) {
	n = draw.IntN(4)
	arguments := fmt.Sprintf(spellings[draw.IntN(len(spellings))], 3+n%2)
	return fmt.Sprintf(`{"tool":"update_acct","arguments":%s,"directory":%q}`, arguments, []string{"/a", "/b"}[n/2]), n
}

// TestTwinsAreSeen draws calls that wait beside each other, in several spellings and directories, and what happens to them.
// An approval needs an acknowledgement if and only if the same call was handed out since this
// one was proposed, and has not failed. Whoever reads the call learns it, on each way, and how
// many equal calls wait or are approved. An approved call is handed out if and only if no equal
// one was since it was proposed, or its approval acknowledged that there are others; else it
// ends, and the agent is told why.
func TestTwinsAreSeen(t *testing.T) {
	type twin struct {
		id, digest, grant, state string
		n                        int
		created, claimed         int64
		again                    bool
	}
	ended := 0
	for seed := range uint64(drawn.Cases(6)) {
		draw := rand.New(rand.NewPCG(seed, 64))
		s := newTestService(t, `{"cooldown":"none"}`)
		var all []*twin
		refused := 0
		for range 80 {
			s.now.Add(1 + draw.Int64N(20_000))
			if len(all) < 2 || draw.IntN(4) == 0 {
				body, n := drawCall(draw)
				a := s.sendProposal(body).assertStatus(t, 202)
				all = append(all, &twin{id: a.textField("id"), digest: a.textField("digest"), state: "pending", n: n, created: s.now.Load()})
				continue
			}
			x := all[draw.IntN(len(all))]
			ran, equal := false, 0
			for _, o := range all {
				if o.state = s.proposalState(o.id); o == x || o.n != x.n {
					continue
				}
				ran = ran || o.claimed >= x.created && (o.state == "claimed" || o.state == "ambiguous" || o.state == "executed")
				if o.state == "pending" || o.state == "approved" {
					equal++
				}
			}
			switch x.state = s.proposalState(x.id); x.state {
			case "pending":
				_, page, _ := s.signIn(aliceKey).doRequest("GET", "/p/"+x.id, nil)
				one, list := s.callAPI("GET", "/v1/proposals/"+x.id, aliceKey, "").text, ""
				_, list, _ = strings.Cut(s.callAPI("GET", "/v1/proposals?limit=200", aliceKey, "").text, `{"id":"`+x.id)
				list, _, _ = strings.Cut(list, `"url":`)
				for where, text := range map[string]string{"one": one, "list": list} {
					if strings.Contains(text, `"sinceAsked":true`) != ran || strings.Contains(text, `"equalWaiting":`) != (equal > 0) || equal > 0 && !strings.Contains(text, fmt.Sprintf(`"equalWaiting":%d`, equal)) {
						t.Fatalf("seed %d: %s: ran %v, %d equal: %s", seed, where, ran, equal, text)
					}
				}
				if strings.Contains(page, "handed out since it was proposed") != ran || strings.Contains(page, fmt.Sprintf("Equal calls wait or are approved, too: %d.", equal)) != (equal > 0) {
					t.Fatalf("seed %d: the page: ran %v, %d equal: %s", seed, ran, equal, page)
				}
				if draw.IntN(4) == 0 {
					s.callAPI("POST", "/v1/decisions", aliceKey, `{"decisions":[{"id":"`+x.id+`","approve":true,"acknowledge":true,"digest":"`+x.digest+`"}]}`).assertStatus(t, 200, `"state":"approved"`)
					x.again = equal > 0 || ran
					continue
				}
				a := s.sendDecision(aliceKey, x.id, x.digest, true)
				if want := map[bool]int{true: 409, false: 200}[ran]; a.status != want || ran && !strings.Contains(a.text, "since this call was proposed, the same call was handed out at") {
					t.Fatalf("seed %d: ran %v: %d %s", seed, ran, a.status, a.text)
				}
				if refused++; ran && draw.IntN(2) == 0 {
					s.callAPI("POST", "/v1/proposals/"+x.id+"/decision", aliceKey, `{"approve":true,"acknowledge":true,"digest":"`+x.digest+`"}`).assertStatus(t, 200)
					x.again = true
				}
			case "approved":
				if ran && !x.again {
					s.sendClaim(x.id).assertStatus(t, 409, "since this call was proposed, the same call was handed out at", "Propose the call again, so that a person looks")
					s.callAPI("GET", "/v1/proposals/"+x.id, agentKey, "").assertStatus(t, 200, `"state":"cancelled"`, `"stopped":"since this call`)
					ended++
					continue
				}
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
	if ended == 0 {
		t.Error("no approved call ended because of an equal one")
	}
}

// TestTwinsRace approves equal calls, also in another spelling, and then claims them all at once:
// one is handed out. Those that were acknowledged are handed out as well.
func TestTwinsRace(t *testing.T) {
	for known := range 3 {
		s := newTestService(t, "")
		var ids, body []string
		for i := range 12 {
			arguments := []string{`{"a":1,"b":2}`, `{"b":2, "a":1}`}[i%2]
			a := s.sendProposal(`{"tool":"update_acct","arguments":`+arguments+`}`).assertStatus(t, 202)
			ids = append(ids, a.textField("id"))
			body = append(body, fmt.Sprintf(`{"id":%q,"digest":%q,"approve":true,"acknowledge":%v}`, a.textField("id"), a.textField("digest"), i < known))
		}
		if a := s.callAPI("POST", "/v1/decisions", aliceKey, `{"decisions":[`+strings.Join(body, ",")+`]}`).assertStatus(t, 200); strings.Count(a.text, `"approved"`) != len(ids) {
			t.Fatal(a.text)
		}
		var all sync.WaitGroup
		var handed, blind atomic.Int64
		for i, id := range ids {
			all.Go(func() {
				if s.sendClaim(id).status != 200 {
					return
				}
				if handed.Add(1); i >= known {
					blind.Add(1)
				}
			})
		}
		if all.Wait(); blind.Load() > 1 || handed.Load() < int64(max(1, known)) {
			t.Errorf("%d of 12 were handed out, %d of them by a yes that knew of no other one; %d knew", handed.Load(), blind.Load(), known)
		}
		s.assertWhole()
	}
}

// TestNumbersAreNoTwins approves equal calls that need an acknowledgement because of their numbers, which says nothing of
// the other call: one of them runs.
func TestNumbersAreNoTwins(t *testing.T) {
	s := newTestService(t, "")
	var ids []string
	for range 2 {
		id, digest := s.proposeHeld("update_acct", `{"a":12345678901234567891}`)
		s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 409, "needs an explicit acknowledgement")
		s.callAPI("POST", "/v1/proposals/"+id+"/decision", aliceKey, `{"approve":true,"acknowledge":true,"digest":"`+digest+`"}`).assertStatus(t, 200)
		ids = append(ids, id)
	}
	s.sendClaim(ids[0]).assertStatus(t, 200)
	s.sendClaim(ids[1]).assertStatus(t, 409, "the same call was handed out at")
}

// TestTickIsOfOneRun draws equal calls that need an acknowledgement for their numbers or their size, or for nothing else, and when
// some of them run: before the approver looks at another, between this and the yes, or not at all. By the API and on the page, a yes
// is accepted exactly if the approver was shown the latest run, or there is none.
func TestTickIsOfOneRun(t *testing.T) {
	for seed := range uint64(drawn.Cases(40)) {
		draw := rand.New(rand.NewPCG(seed, 66))
		s := newTestService(t, "")
		arguments := []string{`{"a":12345678901234567891}`, `{"a":"` + strings.Repeat("a ", 9000) + `"}`, `{"a":1}`}[draw.IntN(3)]
		plain := arguments == `{"a":1}`
		page, before, after := draw.IntN(2) == 0, draw.IntN(2) == 0, draw.IntN(2) == 0
		run := func(id, digest, seen string) string {
			s.now.Add(1000)
			s.callAPI("POST", "/v1/proposals/"+id+"/decision", aliceKey, fmt.Sprintf(`{"approve":true,"acknowledge":true,"digest":%q,"seen":%q}`, digest, seen)).assertStatus(t, 200)
			s.sendClaim(id).assertStatus(t, 200)
			s.now.Add(1000)
			return id
		}
		var ids, digests []string
		for range 3 {
			id, digest := s.proposeHeld("update_acct", arguments)
			ids, digests = append(ids, id), append(digests, digest)
		}
		last := ""
		if before {
			last = run(ids[0], digests[0], "")
		}
		b := s.signIn(bobKey)
		form := b.hiddenFields("/p/" + ids[2])
		form.Set("choice", "approve")
		form.Set("acknowledge", "yes")
		if seen := form.Get("seen"); seen != last {
			t.Fatalf("seed %d: the form names the run %q, want %q", seed, seen, last)
		}
		if after {
			run(ids[1], digests[1], last)
		}
		accepted := !after || plain && last == "" // the tick of a call that needs no other is of equal calls
		status, shown := 0, ""
		if page {
			status, shown, _ = b.doRequest("POST", "/p/"+ids[2], form)
		} else {
			a := s.callAPI("POST", "/v1/proposals/"+ids[2]+"/decision", bobKey, fmt.Sprintf(`{"approve":true,"acknowledge":true,"digest":%q,"seen":%q}`, digests[2], last))
			status, shown = a.status, a.text
		}
		if state := s.proposalState(ids[2]); (state == "approved") != accepted || !accepted && !strings.Contains(shown, "the same call was handed out at") {
			t.Fatalf("seed %d, page %v, before %v, after %v, %.20s: %d, it is %s: %s", seed, page, before, after, arguments, status, state, shown)
		}
	}
}

// TestEditedTwins draws two arguments, and a call that is edited from one into the other, and what
// ran before and meanwhile. Whatever the editor makes of it, the question says if the same call may
// have run, or was denied, and an approval needs an acknowledgement; so it does for the call of
// which an edited form may have run.
func TestEditedTwins(t *testing.T) {
	const policy = `{"cooldown":"none","edit":[{"name":"e","tool":"*","arguments":["*"]}]}`
	arguments := func(n int) string { return fmt.Sprintf(`{"a":%d}`, n) }
	for seed := range uint64(drawn.Cases(24)) {
		draw := rand.New(rand.NewPCG(seed, 65))
		s := newTestService(t, policy)
		run := func(id, digest, end string) {
			s.now.Add(1000)
			s.sendDecision(bobKey, id, digest, true).assertStatus(t, 200)
			grant := s.sendClaim(id).assertStatus(t, 200).textField("grant")
			if s.now.Add(1000); end != "" {
				s.sendOutcome(id, grant, end).assertStatus(t, 200)
			}
			s.now.Add(1000)
		}
		end := []string{"", "ambiguous", "executed", "failed"}[draw.IntN(4)]
		open := end == "" || end == "ambiguous"
		switch draw.IntN(4) {
		case 0: // an edit into a call that ran before
			id, digest := s.proposeHeld("update_acct", arguments(1))
			run(id, digest, end)
			id, digest = s.proposeHeld("update_acct", arguments(2))
			e := s.sendEdit(aliceKey, id, digest, arguments(1)).assertStatus(t, 200)
			a := s.callAPI("GET", "/v1/proposals/"+e.textField("id"), aliceKey, "").assertStatus(t, 200)
			if strings.Contains(a.text, "MAY HAVE RUN ALREADY") != open || strings.Contains(a.text, `"mayHaveRun"`) != open {
				t.Fatalf("seed %d, %q: %s", seed, end, a.text)
			}
			assertNeedsAcknowledge(s, e.textField("id"), e.textField("digest"), open)
		case 1: // an edit into one that runs while the question waits
			twin, same := s.proposeHeld("update_acct", arguments(1))
			id, digest := s.proposeHeld("update_acct", arguments(2))
			run(twin, same, end)
			e := s.sendEdit(aliceKey, id, digest, arguments(1)).assertStatus(t, 200)
			assertNeedsAcknowledge(s, e.textField("id"), e.textField("digest"), end != "failed")
		case 2: // the call again, of which an edited form ran
			id, digest := s.proposeHeld("update_acct", arguments(1))
			e := s.sendEdit(aliceKey, id, digest, arguments(2)).assertStatus(t, 200)
			waiting, same := s.proposeHeld("update_acct", arguments(1))
			run(e.textField("id"), e.textField("digest"), end)
			again, _ := s.proposeHeld("update_acct", arguments(1))
			a := s.callAPI("GET", "/v1/proposals/"+again, aliceKey, "").assertStatus(t, 200)
			if strings.Contains(a.text, "MAY HAVE RUN ALREADY: the same call, but for an approver's edit, was handed out") != open {
				t.Fatalf("seed %d, %q: %s", seed, end, a.text)
			}
			assertNeedsAcknowledge(s, waiting, same, end != "failed")
		case 3: // an edit into a denied one
			id, digest := s.proposeHeld("update_acct", arguments(1))
			s.sendDecision(bobKey, id, digest, false).assertStatus(t, 200)
			id, digest = s.proposeHeld("update_acct", arguments(2))
			e := s.sendEdit(aliceKey, id, digest, arguments(1)).assertStatus(t, 200)
			s.callAPI("GET", "/v1/proposals/"+e.textField("id"), aliceKey, "").assertStatus(t, 200, `"deniedBefore":{"by":"bob"`)
		}
		s.assertWhole()
	}
}

// assertNeedsAcknowledge checks whether bob's approval needs an acknowledgement, also on the page.
func assertNeedsAcknowledge(s *service, id, digest string, needs bool) {
	s.t.Helper()
	_, page, _ := s.signIn(bobKey).doRequest("GET", "/p/"+id, nil)
	if strings.Contains(page, `name="acknowledge"`) != needs {
		s.t.Fatalf("a tick is wanted: %v: %s", needs, page)
	}
	if a := s.sendDecision(bobKey, id, digest, true); a.status != map[bool]int{true: 409, false: 200}[needs] {
		s.t.Fatalf("an acknowledgement is needed: %v: %d %s", needs, a.status, a.text)
	} else if !needs {
		return
	}
	s.callAPI("POST", "/v1/proposals/"+id+"/decision", bobKey, `{"approve":true,"acknowledge":true,"digest":"`+digest+`"}`).assertStatus(s.t, 200)
	s.sendClaim(id).assertStatus(s.t, 200)
}

// TestTwinsAreDenied denies or answers one of two equal calls that wait: whoever looks at the
// other one is told.
func TestTwinsAreDenied(t *testing.T) {
	s := newTestService(t, "")
	for i, how := range []string{"denied", "answered"} {
		a := s.sendProposal(fmt.Sprintf(`{"tool":"update_acct","arguments":{"a":%d}}`, i)).assertStatus(t, 202)
		twin := s.sendProposal(fmt.Sprintf(`{"tool":"update_acct","arguments":{ "a":%d}}`, i)).assertStatus(t, 202).textField("id")
		s.now.Add(1000)
		want, path := "Denied 10 s ago by alice: not now", "/decision"
		body := `{"digest":"` + a.textField("digest") + `","approve":false,"reason":"not now"}`
		if how == "answered" {
			want, path, body = "Answered 10 s ago by alice, without a yes or a no: not now", "/answer", `{"digest":"`+a.textField("digest")+`","answer":"not now"}`
		}
		s.callAPI("POST", "/v1/proposals/"+a.textField("id")+path, aliceKey, body).assertStatus(t, 200)
		s.now.Add(1000)
		_, page, _ := s.signIn(bobKey).doRequest("GET", "/p/"+twin, nil)
		if !strings.Contains(page, want) {
			t.Errorf("%s: the page does not say %q: %s", how, want, page)
		}
		s.callAPI("GET", "/v1/proposals/"+twin, bobKey, "").assertStatus(t, 200, `"deniedBefore":{"by":"alice"`, `"reason":"not now"`)
	}
}

// TestAnswersReachBatches answers a call and proposes it again among others, or answers one of a
// batch and proposes it again alone: the agent is told the answer once, and nobody is asked.
func TestAnswersReachBatches(t *testing.T) {
	for _, key := range []string{"", "k"} {
		for _, within := range []bool{false, true} {
			s := newTestService(t, "")
			one, two := `{"tool":"update_acct","arguments":{"a":1},"session":"s"}`, `[{"tool":"get_acct","arguments":{},"session":"s"},{"tool":"update_acct","arguments":{"a":1},"session":"s"}]`
			id, digest := "", ""
			if within {
				one, two = two, one
				call := s.sendProposal(one).assertStatus(t, 202).body["calls"].([]any)[1].(map[string]any)
				id, digest = call["id"].(string), call["digest"].(string)
			} else {
				id, digest = s.proposeInSession("update_acct", `{"a":1}`, "s")
			}
			s.callAPI("POST", "/v1/proposals/"+id+"/answer", aliceKey, `{"digest":"`+digest+`","answer":"use two"}`).assertStatus(t, 200)
			var header []string
			if key != "" {
				header = []string{"Idempotency-Key", key}
			}
			a := s.callAPI("POST", "/v1/proposals", agentKey, two, header...).assertStatus(t, 403, "use two", `"answer":"use two"`, `"state":"answered"`)
			if !strings.HasPrefix(a.text, `{"decision":"deny"`) {
				t.Error(a.text)
			}
			if b := s.callAPI("POST", "/v1/proposals", agentKey, two).assertStatus(t, 202); strings.Contains(b.text, "use two") {
				t.Errorf("told twice: %s", b.text)
			}
			s.assertWhole()
		}
	}
}

// TestDenialsAreOfOneCall draws calls in several spellings and directories, and denies or answers some. The next call is
// denied, and told the reason, if and only if an equal one was denied or answered.
func TestDenialsAreOfOneCall(t *testing.T) {
	for seed := range uint64(drawn.Cases(6)) {
		draw := rand.New(rand.NewPCG(seed, 66))
		s := newTestService(t, "")
		var answered, denied [4]bool
		for range 24 {
			s.now.Add(1000)
			body, n := drawCall(draw)
			a := s.sendProposal(body)
			switch {
			case denied[n]:
				a.assertStatus(t, 403, "alice denied this call")
				continue
			case answered[n]: // it is told once
				a.assertStatus(t, 403, `"answer":"use two"`)
				answered[n] = false
				continue
			}
			a.assertStatus(t, 202)
			switch path := "/v1/proposals/" + a.textField("id"); draw.IntN(4) {
			case 0:
				s.sendDecision(aliceKey, a.textField("id"), a.textField("digest"), false).assertStatus(t, 200)
				denied[n] = true
			case 1:
				s.callAPI("POST", path+"/answer", aliceKey, `{"digest":"`+a.textField("digest")+`","answer":"use two"}`).assertStatus(t, 200)
				answered[n] = true
			default:
				s.callAPI("POST", path+"/cancel", agentKey, "").assertStatus(t, 200)
			}
		}
		s.assertWhole()
	}
}

// TestTakenIsEnough hands out drawn calls, some of them edited, and makes some rows like those of
// an older version, which have no keys. What a claim reads of each says the same as its whole
// record does: the id, the turn, the keys, the state and the times.
func TestTakenIsEnough(t *testing.T) {
	edited, old := 0, 0
	for seed := range uint64(drawn.Cases(4)) {
		draw := rand.New(rand.NewPCG(seed, 71))
		s := newTestService(t, `{"cooldown":"none","edit":[{"name":"e","tool":"update_acct","arguments":["*"],"by":["alice"]}]}`)
		raw := openRaw(t, s.file)
		if _, err := raw.Exec(`DROP TRIGGER proposals_same; DROP TRIGGER proposals_fixed`); err != nil {
			t.Fatal(err)
		}
		var ids []string
		for range 24 {
			s.now.Add(1 + draw.Int64N(5000))
			body, _ := drawCall(draw)
			a := s.sendProposal(body).assertStatus(t, 202)
			id, digest := a.textField("id"), a.textField("digest")
			if draw.IntN(4) == 0 {
				a := s.callAPI("POST", "/v1/proposals/"+id+"/edit", aliceKey, fmt.Sprintf(`{"digest":%q,"arguments":{"a":%d,"b":2}}`, digest, draw.IntN(3)))
				a.assertStatus(t, 200)
				id, digest = a.textField("id"), a.textField("digest")
				edited++
			}
			if draw.IntN(3) == 0 {
				if _, err := raw.Exec(`UPDATE proposals SET same = '', same_root = '' WHERE id = ?`, id); err != nil {
					t.Fatal(err)
				}
				old++
			}
			s.callAPI("POST", "/v1/proposals/"+id+"/decision", aliceKey, `{"approve":true,"acknowledge":true,"digest":"`+digest+`"}`)
			if a := s.sendClaim(id); a.status == 200 {
				if ids = append(ids, id); draw.IntN(2) == 0 {
					s.sendOutcome(id, a.textField("grant"), "executed").assertStatus(t, 200)
				}
			}
		}
		for _, id := range ids {
			whole, err := s.store.Load(t.Context(), "t", id)
			if err != nil {
				t.Fatal(err)
			}
			taken, err := s.store.Taken(t.Context(), store.LikeOf(&whole), 0)
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(taken, func(r machine.Record) bool { return r.ID == id })
			if at < 0 {
				t.Fatalf("seed %d: %s is not among %d", seed, id, len(taken))
			}
			r := &taken[at]
			if r.Key() != whole.Key() || r.RootKey() != whole.RootKey() || r.State != whole.State || r.Batch != whole.Batch || r.Created != whole.Created || r.Claim != whole.Claim || r.Outcome != whole.Outcome {
				t.Fatalf("seed %d:\n%+v\n%+v", seed, r, whole)
			}
		}
	}
	if edited == 0 || old == 0 {
		t.Errorf("%d edited, %d old", edited, old)
	}
}
