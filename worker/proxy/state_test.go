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
	both(t, func(t *testing.T, stream bool) {
		s := serve(t, "")
		for range 5 {
			c := s.talk(stream, "")
			s.model.plays(says("", cancel))
			c.user(fmt.Sprintf("cancel it %d", ids.Add(1))).asks(t)
			c.add(map[string]any{"role": "user", "content": "yes"})
			const many = 20
			for range many {
				s.model.plays(says("I will look first."))
			}
			var mu sync.Mutex
			var wait sync.WaitGroup
			ran := 0
			for range many {
				wait.Go(func() {
					got := s.post(agentKey, c.body(), stream)
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
			if m := s.told(); !strings.Contains(m[2]["content"].(string), "It may have run") {
				t.Errorf("%v", m)
			}
		}
	})
}

// TestCrash checks what happens if the process ends between two of its writes for a yes
// and is started again. A call that was not claimed yet runs. A claimed call never runs
// again.
func TestCrash(t *testing.T) {
	bot := machine.Principal{Tenant: "t", Name: "bot", Role: machine.Agent}
	user := machine.Principal{Tenant: "t", Name: "user of bot", Role: machine.Approver}
	steps := []struct {
		after string
		runs  bool
	}{{"nothing", true}, {"the decision", true}, {"the claim", false}}
	for i, step := range steps {
		s := serve(t, "")
		c := s.talk(true, "")
		s.model.plays(says("", cancel))
		c.user("cancel it").asks(t)
		row := s.ids()[0]
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
			c.user("yes").runs(t, cancel)
			continue
		}
		s.model.plays(says("I look first."))
		c.user("yes").tells(t, "I look first.")
		if m := s.told(); !strings.Contains(m[2]["content"].(string), "It may have run") {
			t.Errorf("after %s the model was told %v", step.after, m)
		}
	}
}

// TestTamperedRow checks that only the approved call can run, even if somebody changes
// the rows of the proxy's table.
func TestTamperedRow(t *testing.T) {
	for _, from := range []string{"#W1", "update_order", "9007199254740994"} {
		s := serve(t, "")
		c := s.talk(false, "")
		s.model.plays(says("", cancel), says("", cancel))
		c.user("cancel it").asks(t)
		db := s.open()
		if _, err := db.Exec(`UPDATE turns SET value = replace(value, ?, 'other')`, from); err != nil {
			t.Fatal(err)
		}
		db.Close()
		if got := c.user("yes"); len(got.calls) > 0 || got.status == 200 {
			t.Errorf("%s: %+v", from, got)
		}
	}
}

// TestCodesWhenSeveralAreOpen checks two open questions in conversations that began
// alike. A plain yes to the second question is not enough, because it could mean either
// question, so the person must type the code that the question shows. Questions in
// conversations that have already become different need no code.
func TestCodesWhenSeveralAreOpen(t *testing.T) {
	both(t, func(t *testing.T, stream bool) {
		s := serve(t, "")
		one, two := s.talk(stream, ""), s.talk(stream, "")
		s.model.plays(says("", change("1")), says("", change("2")))
		first := one.user("refund me").asks(t, `Reply "yes" to run`)
		second := two.user("refund me").asks(t, "Another conversation that began like this one")
		a, b := codeOf(t, first), codeOf(t, second)
		if a == b {
			t.Fatal("one code for two questions")
		}
		two.user("yes").asks(t, `"yes `+b+`"`)
		two.user("yes "+a).asks(t, `"yes `+b+`"`)
		two.user("yes "+strings.ToLower(b)).runs(t, change("2"))
		one.user("yes " + b).asks(t)
		one.user("yes").runs(t, change("1"))
		// other conversations with the same beginning need no code
		three, four := s.talk(stream, ""), s.talk(stream, "")
		s.model.plays(says("Hello."), says("Hello."), says("", change("3")), says("", change("4")))
		three.user("hi")
		four.user("hi")
		three.user("refund three").asks(t, `Reply "yes" to run`)
		four.user("refund four").asks(t, `Reply "yes" to run`)
		four.user("yes").runs(t, change("4"))
		three.user("yes").runs(t, change("3"))
	})
}

// TestSpellingDoesNotMatter checks that programs may encode messages in another way:
// content as a list of parts, members in another order, other spaces.
func TestSpellingDoesNotMatter(t *testing.T) {
	s := serve(t, "")
	c := s.talk(true, "the time is 10:00")
	s.model.plays(says("", cancel))
	c.user("cancel it").asks(t)
	c.messages[0]["content"] = "the time is 10:01"
	c.messages[1]["content"] = []any{map[string]any{"type": "text", "text": "cancel it"}}
	c.messages[2]["content"] = []any{map[string]any{"text": c.messages[2]["content"].(string) + "\n", "type": "text"}}
	c.messages[2]["refusal"] = nil
	c.user("yes").runs(t, cancel)
}

// TestPictureIsNoYes checks that a yes together with content other than text does not
// count.
func TestPictureIsNoYes(t *testing.T) {
	s := serve(t, "")
	c := s.talk(true, "")
	s.model.plays(says("", cancel), says("What is that?"))
	c.user("cancel it").asks(t)
	c.add(map[string]any{"role": "user", "content": []any{map[string]any{"type": "text", "text": "yes"}, map[string]any{"type": "image_url", "image_url": map[string]any{"url": "data:,"}}}})
	c.send().tells(t, "What is that?")
}

// TestPolicyDenies checks that, if the policy denies a call, the model is told the reason
// and may do something else.
func TestPolicyDenies(t *testing.T) {
	both(t, func(t *testing.T, stream bool) {
		s := serve(t, `{"tools":{"format_disk":{"deny":"agents do not format disks"}}}`)
		s.model.plays(says("", tool{"c", "format_disk", "{}"}, look), says("", look))
		s.talk(stream, "").user("format it").runs(t, look)
		m := s.told()
		if got, want := outline(m), "user assistant+calls tool tool"; got != want || !strings.Contains(m[2]["content"].(string), "agents do not format disks") {
			t.Errorf("%s %v", got, m)
		}
		if n := s.count(`SELECT count(*) FROM audit WHERE entry LIKE '%"to":"denied"%'`); n != 2 { // the denied call, and the other one of the turn
			t.Errorf("%d denials in the audit", n)
		}
	})
}

// TestToolChoiceIsFreed checks that the requirement to call a tool is removed after a
// refusal: with it, a model would repeat the refused call for ever.
func TestToolChoiceIsFreed(t *testing.T) {
	s := serve(t, `{"tools":{"format_disk":{"deny":"no"}}}`)
	s.model.plays(says("", tool{"c", "format_disk", "{}"}), says("Fine."))
	body := `{"tool_choice": "required" ,"messages":[{"role":"user","content":"hi"}], "seed" : 7}`
	s.post(agentKey, body, false).tells(t, "Fine.")
	if got := s.model.last(); !strings.HasPrefix(got, `{"tool_choice": "auto" ,"messages":[{"role":"user","content":"hi"},`) || !strings.HasSuffix(got, `], "seed" : 7}`) {
		t.Errorf("%s", got)
	}
}

// TestFrozenAgent checks that no request of a frozen agent passes, not even for a call
// that only reads, and that the model is not asked.
func TestFrozenAgent(t *testing.T) {
	s := serve(t, "")
	s.model.plays(says("", look))
	if err := s.gate.Freeze(t.Context(), machine.Principal{Tenant: "t", Name: "alice", Role: machine.Approver}, "", true, "stop", "test"); err != nil {
		t.Fatal(err)
	}
	got := s.talk(false, "").user("look")
	if got.status != 403 || !strings.Contains(got.failure, "all agents are frozen by alice: stop") {
		t.Errorf("%+v", got)
	}
	if s.model.times() != 0 {
		t.Error("the model was asked")
	}
}

// TestCooldownInConversation checks that a call that a person denied on the page causes
// no new question shortly after, and that the model is told who denied it.
func TestCooldownInConversation(t *testing.T) {
	s := serve(t, "", onPage(10*time.Second))
	s.model.plays(says("", cancel), says("I may not."))
	wait := s.decides(false)
	s.talk(false, "one").user("cancel it").tells(t, "I may not.")
	wait()
	s.model.plays(says("", cancel), says("Then not."))
	s.talk(false, "two").user("cancel it").tells(t, "Then not.")
	if m := s.told(); !strings.Contains(m[len(m)-1]["content"].(string), "denied this call") {
		t.Errorf("the model was told %v", m[len(m)-1])
	}
	if n := s.count(`SELECT count(*) FROM proposals`); n != 1 {
		t.Errorf("%d proposals", n)
	}
}
