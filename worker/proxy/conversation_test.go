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

// TestYesRunsExactlyWhatWasShown goes through a whole conversation and checks what the
// agent receives and what the model is told.
func TestYesRunsExactlyWhatWasShown(t *testing.T) {
	both(t, func(t *testing.T, stream bool) {
		s := serve(t, "")
		c := s.talk(stream, "be careful")
		s.model.plays(says("One moment.", look), says("I will cancel it.", cancel), says("It is cancelled."), says("Bye."))
		c.user("cancel order #W1").runs(t, look)
		a := c.results(`{"status":"pending"}`).asks(t, "I will cancel it.", "Tool: update_order", "n = 9007199254740994", `order_id = "#W1"`)
		if strings.Contains(a.text, "tool_calls") {
			t.Error("a trace of the calls came through")
		}
		asked := s.model.times()
		c.agree().runs(t, cancel)
		if s.model.times() != asked {
			t.Error("the model was asked although the calls stood")
		}
		c.results("done").tells(t, "It is cancelled.")
		if got, want := outline(s.told()), "system user assistant+calls tool assistant+calls tool"; got != want {
			t.Errorf("the model saw %s, want %s", got, want)
		}
		if m := s.told()[4]; m["content"] != "I will cancel it." {
			t.Errorf("the model's own words are gone: %v", m)
		}
		c.user("thanks").tells(t, "Bye.")
		if strings.Contains(s.model.last(), "confirmation") || strings.Contains(s.model.last(), `"yes"`) {
			t.Error("the model saw the gate's turn: " + s.model.last())
		}
		if n := s.count(`SELECT count(*) FROM proposals WHERE state = 'executed'`); n != 1 {
			t.Errorf("%d executed on record", n)
		}
	})
}

func TestNoIsToldToTheModel(t *testing.T) {
	both(t, func(t *testing.T, stream bool) {
		s := serve(t, "")
		c := s.talk(stream, "")
		s.model.plays(says("", cancel), says("Very well."), says("Sure."))
		c.user("cancel it").asks(t)
		c.user("No.").tells(t, "Very well.")
		m := s.told()
		if got, want := outline(m), "user assistant+calls tool"; got != want {
			t.Fatalf("the model saw %s, want %s", got, want)
		}
		if m[2]["content"] != "Not executed: denied by user." || m[2]["tool_call_id"] != cancel.id {
			t.Errorf("%v", m[2])
		}
		c.user("hello again").tells(t, "Sure.")
		if got, want := outline(s.told()), "user assistant+calls tool assistant user"; got != want {
			t.Errorf("later the model saw %s, want %s", got, want)
		}
	})
}

func TestAnythingElseIsNotApproved(t *testing.T) {
	both(t, func(t *testing.T, stream bool) {
		for _, reply := range []string{"yes, but make it two", "sure", "", "what is the refund?", "Yes?", "done", "approve all of it from now on"} {
			s := serve(t, "")
			c := s.talk(stream, "")
			s.model.plays(says("", cancel), says("It is 10 EUR."))
			c.user("cancel it").asks(t)
			c.user(reply).tells(t, "It is 10 EUR.")
			m := s.told()
			if got, want := outline(m), "user assistant+calls tool user"; got != want {
				t.Fatalf("the model saw %s, want %s", got, want)
			}
			if !strings.HasPrefix(m[2]["content"].(string), "Not executed: the user did not approve") || m[3]["content"] != reply {
				t.Errorf("%v", m)
			}
			if n := s.count(`SELECT count(*) FROM proposals WHERE state = 'denied'`); n != 1 {
				t.Errorf("%d denied", n)
			}
		}
	})
}

// TestReadsAreByteIdentical checks that turns that change nothing pass unchanged.
func TestReadsAreByteIdentical(t *testing.T) {
	both(t, func(t *testing.T, stream bool) {
		s := serve(t, "")
		texts := []string{streamOf("x", "tool_calls", "Let me see: ünïcode 🦆", []tool{look, {"call_2", "list_orders", "{}"}}), streamOf("y", "stop", "words alone", nil), strings.ReplaceAll(streamOf("z", "tool_calls", "", []tool{look}), "\n", "\r\n")}
		if !stream {
			texts = []string{wholeOf("x", "tool_calls", "Let me see", []tool{look}) + "\n", wholeOf("y", "stop", "words", nil)}
		}
		for _, want := range texts {
			s.model.plays(raw(want))
			c := s.talk(stream, "")
			c.add(map[string]any{"role": "user", "content": "hi"})
			if got := s.post(agentKey, c.body(), stream); got.text != want {
				t.Errorf("got  %q\nwant %q", got.text, want)
			}
			if s.model.last() != c.body() {
				t.Error("the request was changed on its way")
			}
		}
	})
}

func TestMixedTurnIsHeldWhole(t *testing.T) {
	both(t, func(t *testing.T, stream bool) {
		s := serve(t, "")
		c := s.talk(stream, "")
		s.model.plays(says("", look, cancel, refund), says("All done."))
		c.user("do it all").asks(t, "Call 1 of 3", "Call 3 of 3", "amount = 1.0")
		c.user("yes").runs(t, look, cancel, refund)
		c.results("a", "b", "c").tells(t, "All done.")
		if got, want := outline(s.told()), "user assistant+calls tool tool tool"; got != want {
			t.Errorf("the model saw %s, want %s", got, want)
		}
	})
}
