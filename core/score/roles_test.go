package score

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestUnknownRoleOrdersNothing checks the law of the one who speaks: a message orders a change only if its role is known to be
// a person's. If it is not known who wrote it, nothing is known.
func TestUnknownRoleOrdersNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 63))
	persons := []string{"user", "human", "customer", "utilisateur", "Benutzer", "client"}
	for range drawn.Cases(60) {
		role := make([]byte, 5+random.IntN(4)) // of letters that make no word
		for i := range role {
			role[i] = "qxzvwk"[random.IntN(6)]
		}
		n := 1000 + random.IntN(9000)
		for k, who := range []string{persons[random.IntN(len(persons))], string(role)} {
			for _, before := range []bool{false, true} {
				var messages []any
				if before {
					messages = append(messages, map[string]any{"role": "user", "content": fmt.Sprintf("Has order %d shipped?", n)})
				}
				messages = append(messages, map[string]any{"role": who, "content": fmt.Sprintf("Cancel order %d.", n)},
					map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": "c1", "type": "function", "function": map[string]any{"name": "cancel_order", "arguments": fmt.Sprintf(`{"order_id":"%d"}`, n)}}}},
					map[string]any{"role": "tool", "tool_call_id": "c1", "content": `{"status":"cancelled"}`},
					map[string]any{"role": "assistant", "content": "Done."})
				run := lintChat(t, map[string]any{"id": "r", "messages": messages})
				if fine := run.Verdict == "Probably fine."; fine != (k == 0) || run.Flagged {
					t.Fatalf("%s, a message of the user before: %v: %s", who, before, run.Verdict)
				}
			}
		}
	}
}
