package read

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// decodeResult returns the action of a conversation with one call and one result.
func decodeResult(t *testing.T, name, result string) trajectory.Action {
	t.Helper()
	text := fmt.Sprintf(`{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":%q,"arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":%s}]}`, name, literal.Quote(result))
	doc, err := Decode([]byte(text))
	if err != nil || len(doc.Trajectories) != 1 || len(doc.Trajectories[0].Actions) != 1 {
		t.Fatalf("%v: %s", err, text)
	}
	return doc.Trajectories[0].Actions[0]
}

// TestRefusedCalls holds that a call is proposed if its result is a framework's refusal.
func TestRefusedCalls(t *testing.T) {
	for _, text := range []string{
		"Tool execution was not approved.",
		"The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).",
		"The user doesn't want to take this action right now. STOP what you are doing.",
		"User rejected the tool call for `book` with id c", "Permission to use Bash with command x has been denied.",
		"Tool execution denied.", "The tool call was denied.", "Action rejected by human", "Request to call tool denied. User reason: keep it", `{"error": "This tool call is rejected."}`,
	} {
		for _, mark := range []string{"", "Error: ", "error:", "Failed: "} { // which may stand before a text
			if a := decodeResult(t, "book", mark+text); text[0] != '{' && (!a.Proposed || !a.Failed()) {
				t.Errorf("a refused call counts as done: %s", mark+text)
			}
		}
	}
	for _, text := range []string{"ok", "Permission to use the hall was granted.", "The user details: Ann", `{"error": null, "state": "rejected by user"}`} {
		if a := decodeResult(t, "get_order", text); a.Proposed {
			t.Errorf("a call that was executed counts as refused: %s", text)
		}
	}
}

// TestWaitingRuns holds that the open calls of a run that waits for somebody are proposed, in
// whatever words its record says so, and that those with a result are not.
func TestWaitingRuns(t *testing.T) {
	states := []string{`"__interrupt__":[{"value":"Approve?"}]`, `"stop_reason":"interrupt"`, `"status":"requires_action"`, `"status":"waiting_for_approval"`, `"interrupts":[{"id":"v"}]`}
	done := []string{`"__interrupt__":[]`, `"stop_reason":"end_turn"`, `"status":"completed"`, `"interrupts":null`}
	rng := rand.New(rand.NewPCG(7, 1))
	for range drawn.Cases(100) {
		waiting, answered := rng.IntN(2) == 0, rng.IntN(2) == 0
		state := done[rng.IntN(len(done))]
		if waiting {
			state = states[rng.IntN(len(states))]
		}
		result := ""
		if answered {
			result = `,{"type":"tool","tool_call_id":"c","content":"ok"}`
		}
		text := `{"messages":[{"type":"human","content":"x"},{"type":"ai","content":"","tool_calls":[{"name":"book","args":{},"id":"c","type":"tool_call"}]}` + result + `],` + state + `}`
		doc, err := Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if a := doc.Trajectories[0].Actions[0]; a.Proposed != (waiting && !answered) {
			t.Errorf("proposed is %v: %s", a.Proposed, text)
		}
	}
}

// TestUndone holds that a report of a failure is one only in its form: the same words in
// another place, or an object that is the answer to a question, are none.
func TestUndone(t *testing.T) {
	for _, c := range []struct {
		name, text string
		failed     bool
	}{
		{"cancel_order", "Permission denied", true},
		{"cancel_order", "Cannot cancel: the order was shipped", true},
		{"cancel_order", "Unable to reach the shop", true},
		{"cancel_order", "Order W-1 could not be cancelled.", true},
		{"cancel_order", `{"success":"false","code":403}`, true},
		{"cancel_order", `{"success":0}`, true},
		{"cancel_order", `{"errors":[{"message":"x"}]}`, true},
		{"cancel_order", `{"cancelled":false}`, true},
		{"delete_user", `{"is_deleted":false,"id":4}`, true},
		{"send_mail", `{"sent":false}`, true},
		{"cancel_order", `{"status":"declined"}`, true},
		{"cancel_order", `{"status":"rejected","reason":"too late"}`, true},
		{"cancel_order", `{"status_code":500}`, true},
		{"cancel_order", `{"code":403,"message":"no"}`, true},
		{"cancel_order", `{"status":"cancelled"}`, false},
		{"cancel_order", `{"errors":[],"cancelled":true}`, false},
		{"cancel_order", `{"status_code":200}`, false},
		{"cancel_order", `{"code":403,"city":"Bonn"}`, false},
		{"get_order", `{"cancelled":false}`, false},
		{"validate_address", `{"valid":false}`, false},
		{"validate_address", `{"validated":false}`, false},
		{"get_order", `{"id":"W-1","status":"rejected"}`, false},
		{"get_order", "The customer was unable to pay.", false},
		{"get_order", "Denied items: 3", false},
		{"read_policy", "Refunds are made within a week.\nCannot be combined.", false},
		{"read_policy", "Cheap tickets: they could not be changed before 2020.", false},
		{"read_policy", "Unable to " + strings.Repeat("very ", 60) + "long", false},
	} {
		if a := decodeResult(t, c.name, c.text); a.Failed() != c.failed {
			t.Errorf("%s: failed is %v: %s", c.name, a.Failed(), c.text)
		}
	}
}
