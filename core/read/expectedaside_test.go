package read

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestExpectedAside draws records whose expected calls stand members deep, in a message, or as a text in a member
// such as target. Each run has these calls as its reference, or is doubtful; without calls there, it has no reference.
func TestExpectedAside(t *testing.T) {
	random := rand.New(rand.NewSource(4155))
	read, doubted := 0, 0
	for i := range drawn.Cases(400) {
		inspect, n, calls := random.Intn(2) == 0, random.Intn(9), random.Intn(4)
		talk := []any{map[string]any{"role": "user", "content": "Cancel the order."},
			map[string]any{"role": "assistant", "content": "", "tool_calls": []any{map[string]any{"id": "c1", "type": "function", "function": map[string]any{"name": "cancel_order", "arguments": `{"id":1}`}}}},
			map[string]any{"role": "tool", "tool_call_id": "c1", "content": "cancelled"}, map[string]any{"role": "assistant", "content": "Done."}}
		record := map[string]any{"id": "a", "messages": talk}
		if inspect {
			record["epoch"], record["input"] = 1, "Cancel the order."
		}
		var list, lines []any
		var text []string
		for k := range calls {
			name := []string{"cancel_order", "refund_order"}[k%2]
			list = append(list, map[string]any{"name": name, "arguments": map[string]any{"id": n}})
			line := fmt.Sprintf("%s(id=%d)", name, n)
			lines, text = append(lines, line), append(text, line)
		}
		deep := random.Intn(3) == 0
		switch where := random.Intn(7); {
		case deep && !inspect:
			side := any(map[string]any{drawnOf(random, "expected", "reference", "ground_truth", "expectation"): map[string]any{drawnOf(random, "outputs", "data"): map[string]any{"tool_calls": list}}})
			for range random.Intn(3) {
				side = map[string]any{drawnOf(random, "metadata", "extra", "about", "more"): side}
			}
			for key, v := range side.(map[string]any) {
				record[key] = v
			}
		case deep:
			talk[random.Intn(2)].(map[string]any)["expected"] = list
		case where == 0:
			record["target"] = strings.Join(text, "\n")
		case where == 1:
			record["target"] = strings.Join(text, "; ")
		case where == 2:
			inner, _ := json.Marshal(list)
			record["target"] = string(inner)
		case where == 3:
			record["target"] = lines
		case where == 4:
			record["target"] = "The agent calls " + strings.Join(text, " and then ") + "."
		case where == 5:
			record["target"], calls = drawnOf(random, "The order is cancelled.", "Paris", "42", "(none)"), 0
		default:
			record["target"] = list
		}
		file, _ := json.Marshal(record)
		doc, err := Decode(file)
		if err != nil || len(doc.Trajectories) != 1 || len(doc.Trajectories[0].Actions) != 1 {
			t.Fatalf("%d: %v, %d runs\n%s", i, err, len(doc.Trajectories), file)
		}
		run := &doc.Trajectories[0]
		var got []string
		if run.Reference != nil {
			for _, s := range run.Reference.Steps {
				got = append(got, fmt.Sprintf("%s(id=%s)", s.Name, s.Arguments.Get("id").Text()))
			}
		}
		switch {
		case calls == 0 && len(got) == 0:
		case calls > 0 && strings.Join(got, " ") == strings.Join(text, " "):
			read++
		case calls > 0 && got == nil && run.Doubt != "" && strings.Contains(warningCodes(doc), "expected"):
			doubted++
		default:
			t.Fatalf("%d: expected %v, want %v, doubt %q\n%s", i, got, text, run.Doubt, file)
		}
	}
	if read < 4*doubted/3 || doubted == 0 {
		t.Errorf("%d references were read, %d doubted", read, doubted)
	}
}
