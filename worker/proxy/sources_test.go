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
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		c := s.newTalk(stream, "be careful")
		pay := tool{"call_pay", "update_order", `{"order_id":"#W-4410","payment_id":"card_5637","fee_id":"fee_9901"}`}
		s.model.scriptSteps(answerStep("I look.", tool{"call_look", "get_order", `{"order_id":"#W-4410"}`}), answerStep("I will charge fee_9901.", pay), answerStep("Sorry."))
		c.sendUser("change the payment of #W-4410").assertCalls(t, tool{"call_look", "get_order", `{"order_id":"#W-4410"}`})
		c.sendResults(`{"payment":{"id":"card_5637"}}`).assertAsks(t, `order_id = "#W-4410"`, "  ^ from the user, message 2", "  ^ from get_order, call 1, payment.id", "  ^ from nowhere: the model made it up")
		if n := s.queryCount(`SELECT count(*) FROM proposals WHERE instr(sources, 'get_order, call 1, payment.id')`); n != 1 {
			t.Errorf("%d rows have their sources", n)
		}
	})
}

// TestUngroundedIsDenied checks the policy that denies values without a source. The model
// must be told which value has no source. There must be no question.
func TestUngroundedIsDenied(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, `{"ungrounded":"deny"}`)
		c := s.newTalk(stream, "")
		s.model.scriptSteps(answerStep("", tool{"c1", "update_order", `{"order_id":"W-9901"}`}), answerStep("Which order?"), answerStep("", tool{"c2", "update_order", `{"order_id":"W-4410"}`}))
		c.sendUser("change my order").assertText(t, "Which order?")
		if !strings.Contains(s.model.lastRequest(), "contain order_id: look it up, or ask the user") {
			t.Error(s.model.lastRequest())
		}
		c.sendUser("W-4410").assertAsks(t, "  ^ from the user, message 3")
	})
}

// TestReflectionNamesUngrounded checks that the reminder before a change names the
// values that only the model has mentioned.
func TestReflectionNamesUngrounded(t *testing.T) {
	s := newTestService(t, "", func(o *proxy.Options) { o.Reflect = "think" })
	c := s.newTalk(false, "")
	call := tool{"c1", "update_order", `{"order_id":"W-9901"}`}
	s.model.scriptSteps(answerStep("", call), answerStep("", call))
	c.sendUser("change my order").assertAsks(t)
	if !strings.Contains(s.model.lastRequest(), `These values occur only in your own words:\u000a- order_id: nowhere: the model made it up`) {
		t.Error(s.model.lastRequest())
	}
}
