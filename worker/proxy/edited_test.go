//go:build !js

package proxy_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

const editPolicy = `{"edit":[{"name":"all","arguments":["*"],"counts":true}]}`

var approver = machine.Principal{Tenant: "t", Name: "alice", Role: machine.Approver}

// editWaiting waits until a call waits for a person, puts other arguments in the place of
// the first one of a tool, and approves what waits then.
func (s *service) editWaiting(toolName, arguments string, approve bool) {
	for range 6000 {
		list, err := s.store.Pending(s.t.Context(), "t", 10)
		if err != nil {
			s.t.Error(err)
			return
		}
		if len(list) == 0 {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		for _, r := range list {
			if r.Tool == toolName {
				_, next, a, err := s.gate.Edit(s.t.Context(), "t", r.ID, machine.Event{By: approver, Channel: "page", Digest: r.Digest, Arguments: arguments})
				if err != nil || next == nil {
					s.t.Error(a.Text, err)
					return
				}
				r = *next
			}
			if approve {
				s.gate.Apply(s.t.Context(), "t", r.ID, machine.Event{Kind: machine.Decide, By: approver, Channel: "page", Approve: true, Acknowledge: true, Digest: r.Digest})
			}
		}
		return
	}
	s.t.Error("nothing waits")
}

// told returns the last request to the model, with one notation for the ends of lines.
func (s *service) told() string {
	return strings.ReplaceAll(s.model.lastRequest(), `\u000a`, `\n`)
}

// TestEditedCallRuns edits a call on the page, while the client waits and after it went
// away, over chat completions and messages. The client gets the edited call, and the model
// is told what ran.
func TestEditedCallRuns(t *testing.T) {
	const args = `{"order_id": "W2",  "reason": "moved"}`
	edited := tool{cancel.id, cancel.name, args}
	for name, native := range map[string]bool{"chat": false, "messages": true} {
		t.Run(name, func(t *testing.T) {
			runBothWays(t, func(t *testing.T, stream bool) {
				for _, later := range []bool{false, true} {
					wait := 10 * time.Second
					if later {
						wait = 0
					}
					s := newTestService(t, editPolicy, onPage(wait))
					s.native = native
					s.model.scriptSteps(answerStep("I will.", look, cancel), answerStep("Done."), answerStep("Still done."))
					c := s.newTalk(stream, "")
					if later {
						c.sendUser("cancel it").assertAsks(t, "Pending: ")
						s.editWaiting(cancel.name, args, false)
						c.sendUser("yes").assertAsks(t, "Pending: ") // the words of the conversation decide nothing
						s.decideWaiting(true)
						c.sendUser("done").assertCalls(t, look, edited)
					} else {
						go s.editWaiting(cancel.name, args, true)
						if got := c.sendUser("cancel it").assertCalls(t, look, edited); got.content != "I will." {
							t.Errorf("the model's text became %q", got.content)
						}
					}
					c.sendResults("a", "b").assertText(t, "Done.")
					for _, after := range []string{"", "and?"} {
						if after != "" {
							c.sendUser(after).assertText(t, "Still done.")
						}
						told := s.told()
						note := `[gate] An approver changed this call. Your arguments did not run; these did: {\"order_id\": \"W2\",  \"reason\": \"moved\"}\n\nb`
						if strings.Count(told, note) != 1 || strings.Count(told, "[gate]") != 1 {
							t.Errorf("the model was told %s", told)
						}
						if own := strings.ReplaceAll(told, `\`, ""); !strings.Contains(own, strings.ReplaceAll(cancel.args, " ", "")) && !strings.Contains(own, cancel.args) {
							t.Errorf("the model does not see its own call %s: %s", cancel.args, told)
						}
						if native && !strings.Contains(told, `"signature":"c2lnbmVk"`) {
							t.Errorf("the thinking of the turn is lost: %s", told)
						}
					}
					if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'executed'`); n != 2 {
						t.Errorf("%d executed", n)
					}
					if n := s.queryCount(`SELECT count(*) FROM proposals WHERE replaced <> '' AND state = 'denied'`); n != 1 {
						t.Errorf("%d calls before an edit", n)
					}
				}
			})
		})
	}
}

// TestEditedCallInResponses edits a call of a client of the Responses API.
func TestEditedCallInResponses(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, editPolicy, onPage(10*time.Second))
		s.model.scriptSteps(answerStep("", refundCall("9")), answerStep("Done."))
		c := &responding{s: s, stream: stream}
		go s.editWaiting("issue_refund", `{"amount": 4}`, true)
		got := c.sendInput(map[string]any{"role": "user", "content": "refund 9"}).outputCalls()
		if len(got) != 1 || got[0] != (tool{"call_9", "issue_refund", `{"amount": 4}`}) {
			t.Fatalf("the client got %v", got)
		}
		c.sendInput(map[string]any{"type": "function_call_output", "call_id": "call_9", "output": "ok"})
		if told := s.told(); !strings.Contains(told, `these did: {\"amount\": 4}\n\nok`) || !strings.Contains(told, `{\"amount\":9}`) {
			t.Errorf("the model was told %s", told)
		}
	})
}

// TestEditAndConversation checks what a person's words in the conversation do about a call
// that an approver edited: a no ends it, and words that are no decision do, too.
func TestEditAndConversation(t *testing.T) {
	for _, reply := range []string{"no", "something else"} {
		s := newTestService(t, editPolicy)
		s.model.scriptSteps(answerStep("", cancel), answerStep("As you like."))
		c := s.newTalk(false, "")
		c.sendUser("cancel it").assertAsks(t)
		s.editWaiting(cancel.name, `{"order_id":"W2"}`, true)
		c.sendUser(reply).assertText(t, "As you like.")
		if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state IN ('pending','approved','claimed')`); n != 0 {
			t.Errorf("%q: %d calls still stand", reply, n)
		}
	}
}

// TestEditOfATextCall checks that an edited call never runs in its old form if it cannot
// be written again: the model is told to make it itself.
func TestEditOfATextCall(t *testing.T) {
	s := newTestService(t, editPolicy, onPage(10*time.Second))
	s.model.scriptSteps(answerStep("<tool_call>\n{\"name\": \"cancel_order\", \"arguments\": {\"order_id\": \"W1\"}}\n</tool_call>"), answerStep("I will call it again."))
	go s.editWaiting("cancel_order", `{"order_id":"W2"}`, true)
	s.newTalk(false, "").sendUser("cancel it").assertText(t, "I will call it again.")
	if told := s.told(); !strings.Contains(told, "a call in this form cannot be changed") || !strings.Contains(told, `{\"order_id\":\"W2\"}`) {
		t.Errorf("the model was told %s", told)
	}
	if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state IN ('pending','approved','claimed','executed')`); n != 0 {
		t.Errorf("%d calls may run", n)
	}
}

// TestAnswerReachesTheModel checks that an approver's answer goes back to the model.
func TestAnswerReachesTheModel(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "", onPage(10*time.Second))
		s.model.scriptSteps(answerStep("", cancel), answerStep("I ask first."))
		go func() {
			for range 6000 {
				if list, _ := s.store.Pending(t.Context(), "t", 10); len(list) > 0 {
					s.gate.Apply(t.Context(), "t", list[0].ID, machine.Event{Kind: machine.Respond, By: approver, Channel: "page", Digest: list[0].Digest, Text: "Ask the customer first."})
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		}()
		s.newTalk(stream, "").sendUser("cancel it").assertText(t, "I ask first.")
		m := s.messagesToModel()
		if why := m[len(m)-1]["content"].(string); why != "Not executed: an approver answered this call in place of a yes or a no. They wrote: Ask the customer first." {
			t.Errorf("the model was told %q", why)
		}
	})
}

// TestEditedTurnsRandom draws turns of several calls, edits some of them, and checks for
// each call that the client gets exactly the arguments that were approved last.
func TestEditedTurnsRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 9))
	for round := range drawn.Cases(12) {
		s := newTestService(t, editPolicy, onPage(10*time.Second))
		s.native = rng.IntN(2) == 0
		var calls, want []tool
		for i := range 1 + rng.IntN(4) {
			c := tool{fmt.Sprintf("call_%d_%d", round, i), fmt.Sprintf("update_%d", i), fmt.Sprintf(`{"n":%d}`, rng.IntN(100))}
			calls, want = append(calls, c), append(want, c)
		}
		at := rng.IntN(len(calls))
		want[at].args = fmt.Sprintf(`{"n":%d}`, 100+rng.IntN(100))
		s.model.scriptSteps(answerStep("So:", calls...), answerStep("Done."))
		c := s.newTalk(rng.IntN(2) == 0, "")
		go s.editWaiting(calls[at].name, want[at].args, true)
		c.sendUser("go").assertCalls(t, want...)
		results := make([]string, len(calls))
		for i := range results {
			results[i] = fmt.Sprintf("result %d", i)
		}
		c.sendResults(results...).assertText(t, "Done.")
		told := s.told()
		if strings.Count(told, "[gate]") != 1 || !strings.Contains(told, fmt.Sprintf(`\n\nresult %d"`, at)) {
			t.Fatalf("the model was told %s", told)
		}
	}
}

// TestRememberedInChat remembers a yes to a call of a conversation: the next calls within
// the bounds pass without a question in this conversation, are claimed, and in another
// conversation a person is asked.
func TestRememberedInChat(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, `{"remember":[{"name":"refunds","tool":"issue_refund","within":"1h","destructive":true}]}`, onPage(10*time.Second))
		s.model.scriptSteps(answerStep("", refundCall("1")), answerStep("", refundCall("2")), answerStep("Done."), answerStep("", refundCall("9")), answerStep("I see."))
		c := s.newTalk(stream, "")
		wait := s.decideInBackground(true)
		c.sendUser("refund 1").assertCalls(t, refundCall("1"))
		wait()
		row := s.proposalIDs()[0]
		_, a, err := s.gate.Remember(t.Context(), approver, "page", row[0], row[1], `{"when":{"amount":{"max":5}}}`, s.now.Load()+600_000)
		if err != nil || a.Code != machine.OK {
			t.Fatal(a, err)
		}
		c.sendResults("ok").assertCalls(t, refundCall("2"))
		if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'claimed'`); n != 1 {
			t.Errorf("%d calls are claimed", n)
		}
		c.sendResults("ok").assertText(t, "Done.")
		wait = s.decideInBackground(false)
		c.sendUser("refund 9").assertText(t, "I see.") // out of its bounds
		wait()
		s.model.scriptSteps(answerStep("", refundCall("3")), answerStep("No."))
		wait = s.decideInBackground(false)
		s.newTalk(stream, "").sendUser("another conversation").assertText(t, "No.")
		wait()
	})
}
