//go:build !js

package proxy_test

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/worker/proxy"
)

// TestQuestionNamesSources checks that the question about a call names the sources of
// its values in the conversation. The model's own text is not a source.
func TestQuestionNamesSources(t *testing.T) {
	both(t, func(t *testing.T, stream bool) {
		s := serve(t, "")
		c := s.talk(stream, "be careful")
		pay := tool{"call_pay", "update_order", `{"order_id":"#W-4410","payment_id":"card_5637","fee_id":"fee_9901"}`}
		s.model.plays(says("I look.", tool{"call_look", "get_order", `{"order_id":"#W-4410"}`}), says("I will charge fee_9901.", pay), says("Sorry."))
		c.user("change the payment of #W-4410").runs(t, tool{"call_look", "get_order", `{"order_id":"#W-4410"}`})
		c.results(`{"payment":{"id":"card_5637"}}`).asks(t, `order_id = "#W-4410"`, "  ^ from the user, message 2", "  ^ from get_order, call 1, payment.id", "  ^ from nowhere: the model made it up")
		if n := s.count(`SELECT count(*) FROM proposals WHERE instr(sources, 'get_order, call 1, payment.id')`); n != 1 {
			t.Errorf("%d rows have their sources", n)
		}
	})
}

// TestUngroundedIsDenied checks the policy that denies ungrounded values: the model is
// told which value has no source, and there is no question.
func TestUngroundedIsDenied(t *testing.T) {
	both(t, func(t *testing.T, stream bool) {
		s := serve(t, `{"ungrounded":"deny"}`)
		c := s.talk(stream, "")
		s.model.plays(says("", tool{"c1", "update_order", `{"order_id":"W-9901"}`}), says("Which order?"), says("", tool{"c2", "update_order", `{"order_id":"W-4410"}`}))
		c.user("change my order").tells(t, "Which order?")
		if !strings.Contains(s.model.last(), "contain order_id: look it up, or ask the user") {
			t.Error(s.model.last())
		}
		c.user("W-4410").asks(t, "  ^ from the user, message 3")
	})
}

// TestReflectionNamesUngrounded checks that the reminder before a change names the
// values that only the model has mentioned.
func TestReflectionNamesUngrounded(t *testing.T) {
	s := serve(t, "", func(o *proxy.Options) { o.Reflect = "think" })
	c := s.talk(false, "")
	call := tool{"c1", "update_order", `{"order_id":"W-9901"}`}
	s.model.plays(says("", call), says("", call))
	c.user("change my order").asks(t)
	if !strings.Contains(s.model.last(), `These values occur only in your own words:\u000a- order_id: nowhere: the model made it up`) {
		t.Error(s.model.last())
	}
}
