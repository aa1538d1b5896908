package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

func TestCheck(t *testing.T) {
	check := func(body, decision, mutating string) proposal.Decision {
		t.Helper()
		answer, ok := Handle("check", []byte(body))
		var d struct {
			proposal.Decision
			Mutating string `json:"mutating"`
		}
		if err := json.Unmarshal(answer, &d); err != nil || !ok {
			t.Fatalf("check %s gave %s", body, answer)
		}
		if d.Decision.Decision != decision || d.Mutating != mutating {
			t.Errorf("check %s gave %s, mutating %s; want %s, %s", body, d.Decision.Decision, d.Mutating, decision, mutating)
		}
		return d.Decision
	}
	held := check(`{"tool":"cancel_order","arguments":{"order_id":9007199254740993}}`, "confirm", "yes")
	if !strings.Contains(held.Confirmation, "9007199254740993") || held.Digest == "" || held.Reflection == "" {
		t.Errorf("an incomplete decision: %+v", held)
	}
	check(`{"tool":"get_order","arguments":{"order_id":1}}`, "allow", "no")
	check(`{"tool":"frobnicate","arguments":{}}`, "confirm", "unknown")
	other := check(`{"tool":"cancel_order","arguments":{"order_id":9007199254740992}}`, "confirm", "yes")
	if other.Digest == held.Digest {
		t.Error("two calls have one digest")
	}
}
