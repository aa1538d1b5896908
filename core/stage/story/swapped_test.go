package story_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestQuoteOfAnotherChange draws two changes on two orders. The agent takes the orders the wrong way round, or
// makes only one of the changes, on the wrong order. What the user said of an order on which the agent made
// the other change asked for that change: it is no reason for the one that went wrong.
func TestQuoteOfAnotherChange(t *testing.T) {
	quoted := map[bool]int{}
	for seed := range drawn.Cases(200) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 4821))}
		right, wrong := fmt.Sprintf("#W%d", 1000000+d.IntN(4000000)), fmt.Sprintf("#W%d", 5000000+d.IntN(4000000))
		first, second := d.pickText("cancel_pending_order", "archive_order"), d.pickText("modify_order_address", "update_order_note")
		asked := d.pickText("Please take care of order "+right+" now.", "Let's go ahead with order "+right+".")
		call := func(name, order string) map[string]any {
			return map[string]any{"name": name, "kwargs": map[string]any{"order_id": order, "text": "as agreed"}}
		}
		swapped := d.IntN(2) == 0
		gold, did := []any{call(second, right)}, []map[string]any{call(second, wrong)}
		if swapped { // the agent did the first change on the order of the second
			gold, did = append([]any{call(first, wrong)}, gold...), append([]map[string]any{call(first, right)}, did...)
		}
		row := drawDesk([]any{}, gold, asked, "Gladly.")
		messages := row["traj"].([]any)
		for i, c := range did {
			arguments, _ := json.Marshal(c["kwargs"])
			id := fmt.Sprint("c", i)
			messages = append(messages, map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": id, "type": "function", "function": map[string]any{"name": c["name"], "arguments": string(arguments)}}}},
				map[string]any{"role": "tool", "tool_call_id": id, "name": c["name"], "content": `{"status":"ok"}`})
		}
		row["traj"] = append(messages, map[string]any{"role": "user", "content": "Thanks. ###STOP###"})
		all := strings.Join(allSentences(evaluate(t, row)), " | ")
		if !strings.Contains(all, second+" with order id "+wrong) || !strings.Contains(all, "The reference has "+right) {
			t.Fatalf("seed %d: the change is not told: %s", seed, all)
		}
		if strings.Contains(all, "“"+asked+"”") == swapped {
			t.Fatalf("seed %d, swapped %v: %s", seed, swapped, all)
		}
		quoted[swapped]++
	}
	if quoted[true] < 20 || quoted[false] < 20 {
		t.Error(quoted)
	}
}

// TestListsOfMissingChanges draws a missing change with a list of things, as flights have it. Up to four are
// named, and of more none.
func TestListsOfMissingChanges(t *testing.T) {
	seen := map[bool]int{}
	for seed := range drawn.Cases(200) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 4822))}
		var flights, want []any
		for range 1 + d.IntN(7) {
			number := fmt.Sprintf("HAT%03d", d.IntN(1000))
			flights = append(flights, map[string]any{"flight_number": number, "date": fmt.Sprintf("2024-05-%02d", 1+d.IntN(28)), "price": 100 + d.IntN(900)})
			want = append(want, number)
		}
		told := len(flights) <= 4
		gold := []any{map[string]any{"name": "update_reservation_flights", "kwargs": map[string]any{"reservation_id": "VA5SGQ", "cabin": "economy", "flights": flights}}}
		all := strings.Join(allSentences(evaluate(t, drawDesk([]any{}, gold, "Please change my flights.", "I cannot do that.", "Thanks. ###STOP###"))), " | ")
		if !strings.Contains(all, "did not carry out update_reservation_flights for reservation VA5SGQ with ") {
			t.Fatalf("seed %d: %s", seed, all)
		}
		for _, number := range want {
			if strings.Contains(all, number.(string)) != told && len(flights) > 1 {
				t.Fatalf("seed %d, %d flights: %s", seed, len(flights), all)
			}
		}
		seen[told]++
	}
	if seen[true] < 20 || seen[false] < 20 {
		t.Error(seen)
	}
}
