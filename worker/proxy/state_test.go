//go:build !js

package proxy_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/proxy"
)

// TestAtMostOnce checks that the calls are passed on only once if many requests with the
// same yes arrive at the same time. For each other request, the model is told that the
// result is unknown.
func TestAtMostOnce(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		for range 5 {
			c := s.newTalk(stream, "")
			s.model.scriptSteps(answerStep("", cancel))
			c.sendUser(fmt.Sprintf("cancel it %d", ids.Add(1))).assertAsks(t)
			c.addMessage(map[string]any{"role": "user", "content": "yes"})
			const many = 20
			for range many {
				s.model.scriptSteps(answerStep("I will look first."))
			}
			var mu sync.Mutex
			var wait sync.WaitGroup
			ran := 0
			for range many {
				wait.Go(func() {
					got := s.postChat(agentKey, c.requestBody(), stream)
					mu.Lock()
					defer mu.Unlock()
					if len(got.calls) > 0 {
						ran++
					} else if got.content != "I will look first." {
						t.Errorf("%+v", got)
					}
				})
			}
			wait.Wait()
			if ran != 1 {
				t.Errorf("handed over %d times", ran)
			}
			s.model.mu.Lock()
			s.model.script = nil
			s.model.mu.Unlock()
			if m := s.messagesToModel(); !strings.Contains(m[2]["content"].(string), "It may have run") {
				t.Errorf("%v", m)
			}
		}
	})
}

// TestCountsInMotion checks that a rule that counts decides the same while the clock goes on:
// the counts and the decision are of one moment.
func TestCountsInMotion(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, `{"rules":[{"name":"three an hour","changes":true,"atMost":{"n":3,"per":"1h","by":["agent"]},"effect":"deny"}]}`)
		s.tick.Store(1)
		for i := range 3 {
			c := s.newTalk(stream, "")
			s.model.scriptSteps(answerStep("", cancel))
			c.sendUser(fmt.Sprintf("cancel it %d", i)).assertAsks(t)
		}
	})
}

// TestCrash checks a process that ends between two of its writes for a yes and is started
// again. A call that was not claimed yet must run. A claimed call must never run again.
func TestCrash(t *testing.T) {
	bot := machine.Principal{Tenant: "t", Name: "bot", Role: machine.Agent}
	user := machine.Principal{Tenant: "t", Name: "user of bot", Role: machine.Approver}
	steps := []struct {
		after string
		runs  bool
	}{{"nothing", true}, {"the decision", true}, {"the claim", false}}
	for i, step := range steps {
		s := newTestService(t, "")
		c := s.newTalk(true, "")
		s.model.scriptSteps(answerStep("", cancel))
		c.sendUser("cancel it").assertAsks(t)
		row := s.proposalIDs()[0]
		if i >= 1 {
			if _, a, err := s.gate.Apply(t.Context(), "t", row[0], machine.Event{Kind: machine.Decide, By: user, Channel: "conversation", Approve: true, Digest: row[1]}); err != nil || a.Code != machine.OK {
				t.Fatal(a, err)
			}
		}
		if i >= 2 {
			if _, a, err := s.gate.Claim(t.Context(), bot, row[0]); err != nil || a.Code != machine.OK {
				t.Fatal(a, err)
			}
		}
		again, err := gate.New(s.gate.Options)
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		o := s.proxy.Options
		o.Gate = again
		if s.proxy, err = proxy.New(o); err != nil {
			t.Fatal(err)
		}
		s.gate = again
		if step.runs {
			c.sendUser("yes").assertCalls(t, cancel)
			continue
		}
		s.model.scriptSteps(answerStep("I look first."))
		c.sendUser("yes").assertText(t, "I look first.")
		if m := s.messagesToModel(); !strings.Contains(m[2]["content"].(string), "It may have run") {
			t.Errorf("after %s the model was told %v", step.after, m)
		}
	}
}

// TestTamperedRow checks that only the approved call can run, even if somebody changes
// the rows of the proxy's table.
func TestTamperedRow(t *testing.T) {
	for _, from := range []string{"#W1", "update_order", "9007199254740994"} {
		s := newTestService(t, "")
		c := s.newTalk(false, "")
		s.model.scriptSteps(answerStep("", cancel), answerStep("", cancel))
		c.sendUser("cancel it").assertAsks(t)
		db := s.openDatabase()
		if _, err := db.Exec(`UPDATE turns SET value = replace(value, ?, 'other')`, from); err != nil {
			t.Fatal(err)
		}
		db.Close()
		if got := c.sendUser("yes"); len(got.calls) > 0 || got.status == 200 {
			t.Errorf("%s: %+v", from, got)
		}
	}
}

// TestCodesWhenSeveralAreOpen checks two open questions in conversations that are still
// the same. The yes to the second question must contain the code that the question shows.
// In conversations that are already different, a plain yes is enough.
func TestCodesWhenSeveralAreOpen(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		one, two := s.newTalk(stream, ""), s.newTalk(stream, "")
		s.model.scriptSteps(answerStep("", refundCall("1")), answerStep("", refundCall("2")))
		first := one.sendUser("refund me").assertAsks(t, `Reply "yes" to run`)
		second := two.sendUser("refund me").assertAsks(t, "Another conversation with the same beginning")
		a, b := codeOf(t, first), codeOf(t, second)
		if a == b {
			t.Fatal("one code for two questions")
		}
		two.sendUser("yes").assertAsks(t, `"yes `+b+`"`)
		two.sendUser("yes "+a).assertAsks(t, `"yes `+b+`"`)
		two.sendUser("yes "+strings.ToLower(b)).assertCalls(t, refundCall("2"))
		one.sendUser("yes " + b).assertAsks(t)
		one.sendUser("yes").assertCalls(t, refundCall("1"))
		// other conversations with the same beginning need no code
		three, four := s.newTalk(stream, ""), s.newTalk(stream, "")
		s.model.scriptSteps(answerStep("Hello."), answerStep("Hello."), answerStep("", refundCall("3")), answerStep("", refundCall("4")))
		three.sendUser("hi")
		four.sendUser("hi")
		three.sendUser("refund three").assertAsks(t, `Reply "yes" to run`)
		four.sendUser("refund four").assertAsks(t, `Reply "yes" to run`)
		four.sendUser("yes").assertCalls(t, refundCall("4"))
		three.sendUser("yes").assertCalls(t, refundCall("3"))
	})
}

// TestSpellingDoesNotMatter checks that programs may encode messages differently: with
// content as a list of parts, another order of members, or other spaces.
func TestSpellingDoesNotMatter(t *testing.T) {
	s := newTestService(t, "")
	c := s.newTalk(true, "the time is 10:00")
	s.model.scriptSteps(answerStep("", cancel))
	c.sendUser("cancel it").assertAsks(t)
	c.messages[0]["content"] = "the time is 10:01"
	c.messages[1]["content"] = []any{map[string]any{"type": "text", "text": "cancel it"}}
	c.messages[2]["content"] = []any{map[string]any{"text": c.messages[2]["content"].(string) + "\n", "type": "text"}}
	c.messages[2]["refusal"] = nil
	c.sendUser("yes").assertCalls(t, cancel)
}

// TestPictureIsNoYes checks that a yes does not count if the message also has content
// other than text.
func TestPictureIsNoYes(t *testing.T) {
	s := newTestService(t, "")
	c := s.newTalk(true, "")
	s.model.scriptSteps(answerStep("", cancel), answerStep("What is that?"))
	c.sendUser("cancel it").assertAsks(t)
	c.addMessage(map[string]any{"role": "user", "content": []any{map[string]any{"type": "text", "text": "yes"}, map[string]any{"type": "image_url", "image_url": map[string]any{"url": "data:,"}}}})
	c.sendConversation().assertText(t, "What is that?")
}

// TestPolicyDenies checks that the model is told the reason if the policy denies a call.
// The model may then do something else.
func TestPolicyDenies(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, `{"tools":{"format_disk":{"deny":"agents do not format disks"}}}`)
		s.model.scriptSteps(answerStep("", tool{"c", "format_disk", "{}"}, look), answerStep("", look))
		s.newTalk(stream, "").sendUser("format it").assertCalls(t, look)
		m := s.messagesToModel()
		if got, want := outlineRoles(m), "user assistant+calls tool tool"; got != want || !strings.Contains(m[2]["content"].(string), "agents do not format disks") {
			t.Errorf("%s %v", got, m)
		}
		if n := s.queryCount(`SELECT count(*) FROM audit WHERE entry LIKE '%"to":"denied"%'`); n != 2 { // the denied call, and the other one of the turn
			t.Errorf("%d denials in the audit", n)
		}
	})
}

// TestToolChoiceIsFreed checks that the requirement to call a tool is removed after a
// refusal. Otherwise a model would repeat the refused call without end.
func TestToolChoiceIsFreed(t *testing.T) {
	s := newTestService(t, `{"tools":{"format_disk":{"deny":"no"}}}`)
	s.model.scriptSteps(answerStep("", tool{"c", "format_disk", "{}"}), answerStep("Fine."))
	body := `{"tool_choice": "required" ,"messages":[{"role":"user","content":"hi"}], "seed" : 7}`
	s.postChat(agentKey, body, false).assertText(t, "Fine.")
	if got := s.model.lastRequest(); !strings.HasPrefix(got, `{"tool_choice": "auto" ,"messages":[{"role":"user","content":"hi"},`) || !strings.HasSuffix(got, `], "seed" : 7}`) {
		t.Errorf("%s", got)
	}
}

// TestFrozenAgent checks that no request of a frozen agent passes, not even for a call
// that only reads. The model must not be asked.
func TestFrozenAgent(t *testing.T) {
	s := newTestService(t, "")
	s.model.scriptSteps(answerStep("", look))
	if err := s.gate.Freeze(t.Context(), machine.Principal{Tenant: "t", Name: "alice", Role: machine.Approver}, "", true, "stop", "test"); err != nil {
		t.Fatal(err)
	}
	got := s.newTalk(false, "").sendUser("look")
	if got.status != 403 || !strings.Contains(got.failure, "all agents are frozen by alice: stop") {
		t.Errorf("%+v", got)
	}
	if s.model.requestCount() != 0 {
		t.Error("the model was asked")
	}
}

// TestCooldownInConversation checks that a call that a person has just denied on the page
// causes no new question. The model must be told who denied it.
func TestCooldownInConversation(t *testing.T) {
	s := newTestService(t, "", onPage(10*time.Second))
	s.model.scriptSteps(answerStep("", cancel), answerStep("I may not."))
	wait := s.decideInBackground(false)
	s.newTalk(false, "one").sendUser("cancel it").assertText(t, "I may not.")
	wait()
	s.model.scriptSteps(answerStep("", cancel), answerStep("Then not."))
	s.newTalk(false, "two").sendUser("cancel it").assertText(t, "Then not.")
	if m := s.messagesToModel(); !strings.Contains(m[len(m)-1]["content"].(string), "denied this call") {
		t.Errorf("the model was told %v", m[len(m)-1])
	}
	if n := s.queryCount(`SELECT count(*) FROM proposals`); n != 1 {
		t.Errorf("%d proposals", n)
	}
}
