//go:build !js

package proxy_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/store"
	"github.com/boundcheck/boundcheck/worker/proxy"
)

// refundCall returns the n-th variant of one call.
func refundCall(n string) tool { return tool{"call_" + n, "issue_refund", `{"amount":` + n + `}`} }

// TestStrictAsksOnceMore checks that a revised call causes one more question in mode
// strict. Further revised calls must be refused until the model talks to the user.
func TestStrictAsksOnceMore(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		c := s.newTalk(stream, "")
		s.model.scriptSteps(answerStep("", refundCall("1")), answerStep("", refundCall("2")), answerStep("", refundCall("3")), answerStep("What amount do you want?"), answerStep("", refundCall("4")), answerStep("Done."))
		if a := c.sendUser("refund me").assertAsks(t, "amount = 1"); strings.Contains(a.content, "once more") {
			t.Error("the first question says that it is another one")
		}
		c.sendUser("make it more").assertAsks(t, "amount = 2", "differs from the one that was shown before")
		c.sendUser("still more").assertText(t, "What amount do you want?")
		m := s.messagesToModel()
		if why := m[len(m)-1]["content"].(string); !strings.Contains(why, "asked twice already") {
			t.Errorf("the model was told %q", why)
		}
		c.sendUser("four").assertAsks(t, "amount = 4")
		c.sendUser("yes").assertCalls(t, refundCall("4"))
		c.sendResults("ok").assertText(t, "Done.")
		if n := s.queryCount(`SELECT count(*) FROM audit WHERE entry LIKE '%"event":"refused"%' AND entry LIKE '%"mode":"strict"%'`); n != 1 {
			t.Errorf("%d refusals in the audit", n)
		}
	})
}

// TestStrictRefusesTheSameAgain checks that a call that was just refused causes no new
// question.
func TestStrictRefusesTheSameAgain(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		for _, reply := range []string{"no", "hm, rather not"} {
			s := newTestService(t, "")
			c := s.newTalk(stream, "")
			s.model.scriptSteps(answerStep("", refundCall("1")), answerStep("", tool{"again", "issue_refund", `{"amount":1}`}), answerStep("As you like."))
			c.sendUser("refund me").assertAsks(t)
			c.sendUser(reply).assertText(t, "As you like.")
			m := s.messagesToModel()
			if why := m[len(m)-1]["content"].(string); !strings.Contains(why, "the user was just asked about this exact call and did not approve it") {
				t.Errorf("the model was told %q", why)
			}
		}
	})
}

// TestStallIsCutOff checks that the gate ends the turn of a model that repeats a refused
// call. The gate must record this in the audit.
func TestStallIsCutOff(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		c := s.newTalk(stream, "")
		s.model.scriptSteps(answerStep("", refundCall("1")))
		c.sendUser("refund me").assertAsks(t)
		s.model.scriptSteps(answerStep("", refundCall("1")), answerStep("Please!", refundCall("1")), answerStep("", refundCall("1")), answerStep("", refundCall("1")))
		got := c.sendUser("no")
		if got.status != 200 || got.finish != "stop" || len(got.calls) > 0 || !strings.Contains(got.content, "Its turn was stopped") {
			t.Fatalf("%+v", got)
		}
		if n := s.queryCount(`SELECT count(*) FROM audit WHERE entry LIKE '%"event":"cut-off"%'`); n != 1 {
			t.Errorf("%d reports in the audit", n)
		}
		if err := s.gate.Housekeep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if all, err := s.store.VerifyStore(t.Context(), store.Known{}); err != nil || len(all) != 1 || len(all[0].Faults) != 0 {
			t.Errorf("the audit does not verify: %+v %v", all, err)
		}
		s.model.scriptSteps(answerStep("What else?"))
		c.sendUser("sorry, what now?").assertText(t, "What else?")
		if strings.Contains(s.model.lastRequest(), "[gate]") {
			t.Error("the model sees the gate's words: " + s.model.lastRequest())
		}
	})
}

// TestFaithful checks the paper's rule that the first action after feedback runs. The
// audit must record the reason. A call that was just refused must not run.
func TestFaithful(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, `{"mode":"faithful"}`)
		c := s.newTalk(stream, "")
		s.model.scriptSteps(answerStep("", refundCall("1")), answerStep("Two then.", refundCall("2")), answerStep("Done."), answerStep("", refundCall("3")), answerStep("", refundCall("3")), answerStep("No."))
		c.sendUser("refund me").assertAsks(t, "amount = 1")
		c.sendUser("make it two").assertCalls(t, refundCall("2"))
		c.sendResults("ok").assertText(t, "Done.")
		if got, want := outlineRoles(s.messagesToModel()), "user assistant+calls tool user assistant+calls tool"; got != want {
			t.Errorf("the model saw %s, want %s", got, want)
		}
		if n := s.queryCount(`SELECT count(*) FROM audit WHERE entry LIKE '%"channel":"faithful"%' AND entry LIKE '%"mode":"faithful"%'`); n != 1 {
			t.Errorf("%d approvals by feedback in the audit", n)
		}
		if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'executed'`); n != 1 {
			t.Errorf("%d executed", n)
		}
		c.sendUser("and again").assertAsks(t, "amount = 3")
		c.sendUser("no").assertText(t, "No.")
	})
}

// decideWaiting decides all waiting calls through the gate's API, as a person would.
func (s *service) decideWaiting(approve bool) (n int) {
	s.t.Helper()
	call := func(method, path, body string) []byte {
		r, _ := http.NewRequest(method, s.url+path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+aliceKey)
		w, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			s.t.Error(err)
			return nil
		}
		defer w.Body.Close()
		text, _ := io.ReadAll(w.Body)
		return text
	}
	var list struct {
		Pending []struct {
			ID, Digest string
			Why        struct{ Uninspectable bool }
		}
	}
	json.Unmarshal(call("GET", "/v1/proposals", ""), &list)
	for _, p := range list.Pending {
		body, _ := json.Marshal(map[string]any{"approve": approve, "digest": p.Digest, "reason": "because", "acknowledge": p.Why.Uninspectable})
		call("POST", "/v1/proposals/"+p.ID+"/decision", string(body))
		n++
	}
	return n
}

// decideInBackground starts a goroutine that waits for a pending call and then decides
// it. The returned function waits until the goroutine has finished.
func (s *service) decideInBackground(approve bool) (wait func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		for range 6000 {
			if s.decideWaiting(approve) > 0 {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	return func() { <-done }
}

func onPage(wait time.Duration) func(*proxy.Options) {
	return func(o *proxy.Options) { o.Page, o.Wait = true, wait }
}

// TestFreezeWhileTheClientWaits freezes the agent while a question waits, and approves the call:
// nothing runs, also later, the model is not asked again, and the client is told why.
func TestFreezeWhileTheClientWaits(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		for _, approve := range []bool{true, false} {
			s := newTestService(t, "", onPage(10*time.Second))
			s.model.free = func(string) step { return answerStep("", cancel) }
			frozen := make(chan bool)
			go func() {
				defer close(frozen)
				for range 2000 {
					if s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'pending'`) > 0 {
						break
					}
					time.Sleep(5 * time.Millisecond)
				}
				who := machine.Principal{Tenant: "t", Name: "alice", Role: machine.Approver}
				if err := s.gate.Freeze(context.Background(), who, "", true, "stop it", "api"); err != nil {
					t.Error(err)
				}
				s.decideWaiting(approve)
			}()
			got := s.newTalk(stream, "").sendUser("cancel it")
			<-frozen
			if n := s.model.requestCount(); n != 1 || len(got.calls) > 0 || !strings.Contains(got.failure, "all agents are frozen by alice: stop it") {
				t.Errorf("approved %v: %d requests to the model, %+v", approve, n, got)
			}
			if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state IN ('pending', 'approved')`); n != 0 {
				t.Errorf("approved %v: a call still waits, and no request continues it", approve)
			}
		}
	})
}

// TestPageWhileTheClientWaits checks that the answer waits for the decision on the page.
// After an approval, the answer is the model's own answer, byte for byte.
func TestPageWhileTheClientWaits(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "", onPage(10*time.Second))
		want := wholeOf("x", "tool_calls", "I will.", []tool{look, cancel})
		if stream {
			want = streamOf("x", "tool_calls", "I will.", []tool{look, cancel})
		}
		s.model.scriptSteps(rawStep(want), answerStep("Done."))
		c := s.newTalk(stream, "")
		wait := s.decideInBackground(true)
		got := c.sendUser("cancel it").assertCalls(t, look, cancel)
		wait()
		if text := strings.ReplaceAll(got.text, ": waiting for a decision\n\n", ""); text != want {
			t.Errorf("got %q\nwant %q", text, want)
		}
		if stream && !strings.Contains(got.text, ": waiting for a decision") {
			t.Error("the stream did not say that it waits")
		}
		c.sendResults("a", "b").assertText(t, "Done.")
		if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'executed'`); n != 2 {
			t.Errorf("%d executed", n)
		}
		if got, want := outlineRoles(s.messagesToModel()), "user assistant+calls tool tool"; got != want {
			t.Errorf("the model saw %s, want %s", got, want)
		}
	})
}

// TestPageDenies checks that the model is told of a denial on the page, with its
// reason, while the client waits.
func TestPageDenies(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "", onPage(10*time.Second))
		s.model.scriptSteps(answerStep("", cancel), answerStep("I may not."))
		wait := s.decideInBackground(false)
		s.newTalk(stream, "").sendUser("cancel it").assertText(t, "I may not.")
		wait()
		m := s.messagesToModel()
		if why := m[len(m)-1]["content"].(string); why != "Not executed: denied by the approver alice. They said: because" {
			t.Errorf("the model was told %q", why)
		}
	})
}

// TestPageLater checks that the answer ends with the page's address if nobody has decided
// in time. Calls that are approved later on the page must run with the client's next
// message.
func TestPageLater(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "", onPage(0))
		c := s.newTalk(stream, "")
		s.model.scriptSteps(answerStep("", cancel), answerStep("Done."))
		c.sendUser("cancel it").assertAsks(t, "Pending: "+s.url+"/p/")
		c.sendUser("yes").assertAsks(t, "Pending: ") // a yes in the conversation decides nothing
		c.sendUser("done").assertAsks(t, "Pending: ")
		if s.decideWaiting(true) != 1 {
			t.Fatal("nothing waits")
		}
		c.sendUser("done").assertCalls(t, cancel)
		c.sendResults("ok").assertText(t, "Done.")
		if got, want := outlineRoles(s.messagesToModel()), "user assistant+calls tool"; got != want {
			t.Errorf("the model saw %s, want %s", got, want)
		}

		c = s.newTalk(stream, "")
		s.model.scriptSteps(answerStep("", cancel), answerStep("Never mind."))
		c.sendUser("cancel it, please").assertAsks(t, "Pending: ")
		c.sendUser("forget it").assertText(t, "Never mind.")
		if n := s.decideWaiting(true); n != 0 {
			t.Errorf("%d still wait", n)
		}
		if got, want := outlineRoles(s.messagesToModel()), "user assistant+calls tool user"; got != want {
			t.Errorf("the model saw %s, want %s", got, want)
		}
	})
}

// TestPageAndConversationDisagree checks that a call that was approved on the page does
// not run if the person in the conversation says no.
func TestPageAndConversationDisagree(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		for _, change := range []func(*proxy.Options){onPage(0), func(*proxy.Options) {}} {
			for reply, why := range map[string]string{"no": "denied by user", "something else": "did not approve"} {
				s := newTestService(t, "", change)
				c := s.newTalk(stream, "")
				s.model.scriptSteps(answerStep("", look, cancel), answerStep("As you like."))
				c.sendUser("cancel it").assertAsks(t)
				s.decideWaiting(true)
				c.sendUser(reply).assertText(t, "As you like.")
				m := s.messagesToModel()
				if !strings.Contains(m[2]["content"].(string), "another call of the same turn") || !strings.Contains(m[3]["content"].(string), why) {
					t.Errorf("%q: %v", reply, m)
				}
				if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'cancelled'`); n != 2 {
					t.Errorf("%q: %d cancelled", reply, n)
				}
			}
		}
	})
}

// TestV32TimeOutsDeny checks that the end of the time for a decision counts as a no, in
// the conversation and on the page (threat V32). The model must be told.
func TestV32TimeOutsDeny(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, `{"expiry":"5s"}`)
		c := s.newTalk(stream, "")
		s.model.scriptSteps(answerStep("", cancel), answerStep("", tool{"again", cancel.name, cancel.args}))
		c.sendUser("cancel it").assertAsks(t)
		s.now.Add(5000)
		c.sendUser("yes").assertAsks(t) // too late: the model is told, and proposes the call again
		if m := s.messagesToModel(); !strings.Contains(m[2]["content"].(string), "in time") {
			t.Errorf("the model was told %v", m[2])
		}

		s = newTestService(t, `{"expiry":"5s"}`, onPage(time.Minute))
		s.model.scriptSteps(answerStep("", cancel), answerStep("Nobody was there."))
		go func() {
			for s.queryCount(`SELECT count(*) FROM proposals`) == 0 {
				time.Sleep(5 * time.Millisecond)
			}
			s.now.Add(5000)
		}()
		s.newTalk(stream, "").sendUser("cancel it").assertText(t, "Nobody was there.")
	})
}

// TestV12MixedTurn checks a turn of several calls that are decided separately on the page
// (threat V12). The approved calls must be passed on together. The model must be told the
// result of each call, in order.
func TestV12MixedTurn(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "", onPage(0))
		c := s.newTalk(stream, "")
		s.model.scriptSteps(answerStep("Both.", cancel, look, refund), answerStep("One of them."))
		c.sendUser("both").assertAsks(t, "Pending: ")
		rows := s.proposalIDs()
		s.sendVote(rows[0], false)
		s.sendVote(rows[2], true)
		c.sendUser("done").assertCalls(t, look, refund)
		c.sendResults("seen", "paid").assertText(t, "One of them.")
		m := s.messagesToModel()
		if got, want := outlineRoles(m), "user assistant+calls tool tool tool"; got != want {
			t.Fatalf("the model saw %s, want %s", got, want)
		}
		if m[1]["content"] != "Both." || len(m[1]["tool_calls"].([]any)) != 3 || m[4]["tool_call_id"] != cancel.id || !strings.Contains(m[4]["content"].(string), "denied by the approver alice") {
			t.Errorf("%v", m)
		}
	})
}

// proposalIDs returns the id and the digest of each proposal, in order.
func (s *service) proposalIDs() (out [][2]string) {
	s.t.Helper()
	db := s.openDatabase()
	defer db.Close()
	rows, err := db.Query(`SELECT id, digest FROM proposals ORDER BY created, place`)
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, digest string
		if err := rows.Scan(&id, &digest); err != nil {
			s.t.Fatal(err)
		}
		out = append(out, [2]string{id, digest})
	}
	return out
}

func (s *service) sendVote(row [2]string, approve bool) {
	s.t.Helper()
	body, _ := json.Marshal(map[string]any{"approve": approve, "digest": row[1]})
	r, _ := http.NewRequest("POST", s.url+"/v1/proposals/"+row[0]+"/decision", strings.NewReader(string(body)))
	r.Header.Set("Authorization", "Bearer "+aliceKey)
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || w.StatusCode != 200 {
		s.t.Fatal(err, w)
	}
	w.Body.Close()
}
