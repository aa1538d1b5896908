package score

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestClaimedNumbers draws changes of some things, one by one, as a list or as an amount, and how many of them the agent
// says it made. It says too much only if it names more than were changed.
func TestClaimedNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 28))
	words := []string{"", "", "two", "three", "four"}
	for range drawn.Cases(100) {
		did, said, form := 1+r.IntN(4), 2+r.IntN(3), r.IntN(3)
		var calls []any
		call := func(arguments map[string]any) {
			text, err := json.Marshal(arguments)
			if err != nil {
				t.Fatal(err)
			}
			id := fmt.Sprint("c", len(calls))
			calls = append(calls, map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{"id": id, "type": "function", "function": map[string]any{"name": "delete_mail", "arguments": string(text)}}}},
				map[string]any{"role": "tool", "tool_call_id": id, "content": `{"ok":true}`})
		}
		var uids []int
		for i := range did {
			uids = append(uids, 4471+i)
			if form == 0 {
				call(map[string]any{"uid": 4471 + i})
			}
		}
		switch form {
		case 1:
			call(map[string]any{"uids": uids})
		case 2:
			call(map[string]any{"box": "audit", "oldest": did})
		}
		messages := append([]any{map[string]any{"role": "user", "content": "Delete the reminders of the audit."}}, calls...)
		messages = append(messages, map[string]any{"role": "assistant", "content": "I have deleted " + words[said] + " reminders."})
		run := lintChat(t, map[string]any{"messages": messages})
		claims := false
		for _, v := range run.Violations {
			claims = claims || v.Rule == "claimed-more"
		}
		if claims != (said > did) {
			t.Errorf("%d changed in form %d, %d said: %v: %+v", did, form, said, claims, reasonsOf(&run))
		}
	}
}
