package read

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// spanText returns an OpenTelemetry trace of model spans. Each span has the history so far as
// its input, and one answer with calls. In the history, the calls have other ids than in the
// answers if renamed is true.
func spanText(t *testing.T, answers [][]int, renamed, byNewID bool) string {
	t.Helper()
	text := func(v any) map[string]any {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return map[string]any{"stringValue": string(b)}
	}
	message := func(role string, parts ...any) any { return map[string]any{"role": role, "parts": parts} }
	history := []any{message("user", map[string]any{"type": "text", "content": "Do it."})}
	var spans []any
	n := 0
	for i, values := range answers {
		var made, kept, results []any
		for _, v := range values {
			call := func(id string) any {
				return map[string]any{"type": "tool_call", "id": id, "name": "set", "arguments": map[string]any{"v": v}}
			}
			id, again := fmt.Sprint("call_", n), fmt.Sprint("call_", n)
			if renamed {
				again = fmt.Sprint("fc_", n)
			}
			made, kept = append(made, call(id)), append(kept, call(again))
			if byNewID {
				id = again
			}
			results = append(results, map[string]any{"type": "tool_call_response", "id": id, "response": fmt.Sprint("done ", n)})
			n++
		}
		spans = append(spans, map[string]any{"traceId": "t", "spanId": fmt.Sprint(i), "name": "chat", "startTimeUnixNano": fmt.Sprint(100 + i), "attributes": []any{
			map[string]any{"key": "gen_ai.operation.name", "value": map[string]any{"stringValue": "chat"}},
			map[string]any{"key": "gen_ai.input.messages", "value": text(history)},
			map[string]any{"key": "gen_ai.output.messages", "value": text([]any{message("assistant", made...)})},
		}})
		history = append(history, message("assistant", kept...), message("tool", results...))
	}
	return text(map[string]any{"resourceSpans": []any{map[string]any{"scopeSpans": []any{map[string]any{"spans": spans}}}}})["stringValue"].(string)
}

// TestHistoryAddsNoCalls checks generated traces: each call of an answer is read once with its
// own result, also if the history names it by another id, and if equal calls were made twice.
func TestHistoryAddsNoCalls(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 4))
	for range drawn.Cases(500) {
		var answers [][]int
		for range 1 + r.IntN(4) {
			var values []int
			for range 1 + r.IntN(3) {
				values = append(values, r.IntN(2))
			}
			answers = append(answers, values)
		}
		renamed, byNewID := r.IntN(3) > 0, r.IntN(2) == 0
		doc := mustDecode(t, spanText(t, append(answers, []int{9}), renamed, byNewID))
		n := 0
		for _, values := range answers {
			for _, v := range values {
				if n >= len(doc.Trajectories[0].Actions) {
					t.Fatalf("%v renamed %v: %d calls were read", answers, renamed, n)
				}
				a := &doc.Trajectories[0].Actions[n]
				if got, _ := a.Arguments.Get("v").Int(); got != int64(v) || a.Observation == nil || a.Observation.Text != fmt.Sprint("done ", n) {
					t.Fatalf("%v renamed %v, results by the new id %v: call %d is %s with %+v", answers, renamed, byNewID, n, a.Arguments.Raw(), a.Observation)
				}
				n++
			}
		}
		if len(doc.Trajectories[0].Actions) != n+1 {
			t.Fatalf("%v renamed %v: %d calls, want %d", answers, renamed, len(doc.Trajectories[0].Actions), n+1)
		}
	}
}
