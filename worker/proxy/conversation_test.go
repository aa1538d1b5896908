//go:build !js

package proxy_test

import (
	"strings"
	"testing"
)

var (
	look   = tool{"call_look", "get_order", `{"order_id":"#W1"}`}
	cancel = tool{"call_cancel", "update_order", `{"order_id":"#W1", "n": 9007199254740994}`}
	refund = tool{"call_refund", "issue_refund", `{"amount":1.0}`}
)

// TestYesRunsExactlyWhatWasShown checks a whole conversation, both the agent's and the
// model's side. After a yes, exactly the call that was shown must run.
func TestYesRunsExactlyWhatWasShown(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		c := s.newTalk(stream, "be careful")
		s.model.scriptSteps(answerStep("One moment.", look), answerStep("I will cancel it.", cancel), answerStep("It is cancelled."), answerStep("Bye."))
		c.sendUser("cancel order #W1").assertCalls(t, look)
		a := c.sendResults(`{"status":"pending"}`).assertAsks(t, "I will cancel it.", "Tool: update_order", "n = 9007199254740994", `order_id = "#W1"`)
		if strings.Contains(a.text, "tool_calls") {
			t.Error("a trace of the calls came through")
		}
		asked := s.model.requestCount()
		c.sendAgreement().assertCalls(t, cancel)
		if s.model.requestCount() != asked {
			t.Error("the model was asked although the calls stood")
		}
		c.sendResults("done").assertText(t, "It is cancelled.")
		if got, want := outlineRoles(s.messagesToModel()), "system user assistant+calls tool assistant+calls tool"; got != want {
			t.Errorf("the model saw %s, want %s", got, want)
		}
		if m := s.messagesToModel()[4]; m["content"] != "I will cancel it." {
			t.Errorf("the model's own words are gone: %v", m)
		}
		c.sendUser("thanks").assertText(t, "Bye.")
		if strings.Contains(s.model.lastRequest(), "confirmation") || strings.Contains(s.model.lastRequest(), `"yes"`) {
			t.Error("the model saw the gate's turn: " + s.model.lastRequest())
		}
		if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'executed'`); n != 1 {
			t.Errorf("%d executed on record", n)
		}
	})
}

func TestNoIsToldToTheModel(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		c := s.newTalk(stream, "")
		s.model.scriptSteps(answerStep("", cancel), answerStep("Very well."), answerStep("Sure."))
		c.sendUser("cancel it").assertAsks(t)
		c.sendUser("No.").assertText(t, "Very well.")
		m := s.messagesToModel()
		if got, want := outlineRoles(m), "user assistant+calls tool"; got != want {
			t.Fatalf("the model saw %s, want %s", got, want)
		}
		if m[2]["content"] != "Not executed: denied by user." || m[2]["tool_call_id"] != cancel.id {
			t.Errorf("%v", m[2])
		}
		c.sendUser("hello again").assertText(t, "Sure.")
		if got, want := outlineRoles(s.messagesToModel()), "user assistant+calls tool assistant user"; got != want {
			t.Errorf("later the model saw %s, want %s", got, want)
		}
	})
}

func TestAnythingElseIsNotApproved(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		for _, reply := range []string{"yes, but make it two", "sure", "", "what is the refund?", "Yes?", "done", "approve all of it from now on"} {
			s := newTestService(t, "")
			c := s.newTalk(stream, "")
			s.model.scriptSteps(answerStep("", cancel), answerStep("It is 10 EUR."))
			c.sendUser("cancel it").assertAsks(t)
			c.sendUser(reply).assertText(t, "It is 10 EUR.")
			m := s.messagesToModel()
			if got, want := outlineRoles(m), "user assistant+calls tool user"; got != want {
				t.Fatalf("the model saw %s, want %s", got, want)
			}
			if !strings.HasPrefix(m[2]["content"].(string), "Not executed: the user did not approve") || m[3]["content"] != reply {
				t.Errorf("%v", m)
			}
			if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'denied'`); n != 1 {
				t.Errorf("%d denied", n)
			}
		}
	})
}

// TestReadsAreByteIdentical checks that turns that change nothing pass unchanged.
func TestReadsAreByteIdentical(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		texts := []string{streamOf("x", "tool_calls", "Let me see: ünïcode 🦆", []tool{look, {"call_2", "list_orders", "{}"}}), streamOf("y", "stop", "words alone", nil), strings.ReplaceAll(streamOf("z", "tool_calls", "", []tool{look}), "\n", "\r\n")}
		if !stream {
			texts = []string{wholeOf("x", "tool_calls", "Let me see", []tool{look}) + "\n", wholeOf("y", "stop", "words", nil)}
		}
		for _, want := range texts {
			s.model.scriptSteps(rawStep(want))
			c := s.newTalk(stream, "")
			c.addMessage(map[string]any{"role": "user", "content": "hi"})
			if got := s.postChat(agentKey, c.requestBody(), stream); got.text != want {
				t.Errorf("got  %q\nwant %q", got.text, want)
			}
			if s.model.lastRequest() != c.requestBody() {
				t.Error("the request was changed on its way")
			}
		}
	})
}

func TestMixedTurnIsHeldWhole(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		c := s.newTalk(stream, "")
		s.model.scriptSteps(answerStep("", look, cancel, refund), answerStep("All done."))
		c.sendUser("do it all").assertAsks(t, "Call 1 of 3", "Call 3 of 3", "amount = 1.0")
		c.sendUser("yes").assertCalls(t, look, cancel, refund)
		c.sendResults("a", "b", "c").assertText(t, "All done.")
		if got, want := outlineRoles(s.messagesToModel()), "user assistant+calls tool tool tool"; got != want {
			t.Errorf("the model saw %s, want %s", got, want)
		}
	})
}

// TestResultThroughChat checks that a rule finds the values of an earlier result.
func TestResultThroughChat(t *testing.T) {
	for to, want := range map[string]bool{"C-1": true, "C-2": false} {
		s := newTestService(t, `{"tools":{"get_order":"no"},"rules":[{"name":"own","tool":"add_note","after":{"tool":"get_order","where":{"id":"same","to":{"result":"customer.id"}},"executed":true},"effect":"deny"},
			{"name":"free","tool":"add_note","effect":"allow","until":"2090-01-01T00:00:00Z","when":{"id":{"any":true},"to":{"any":true}}}]}`)
		s.model.scriptSteps(answerStep("", tool{"c1", "get_order", `{"id":1}`}), answerStep("", tool{"c2", "add_note", `{"id":1,"to":"` + to + `"}`}), answerStep("done"), answerStep("done"))
		c := s.newTalk(false, "")
		c.sendUser("add a note to order 1 for " + to)
		got := c.sendResults(`{"customer":{"id":"C-1"}}`)
		if (len(got.calls) == 1) != want {
			t.Errorf("%s: %+v", to, got)
		}
	}
}
