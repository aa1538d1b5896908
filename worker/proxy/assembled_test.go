package proxy

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestStreamedCallsAreOne draws the pieces of a streamed call and checks the law of its name and text: what is judged is
// what each client reads, whether it joins the names of the pieces or takes the last one. Otherwise the turn is an error.
func TestStreamedCallsAreOne(t *testing.T) {
	accepted, refused := 0, 0
	for seed := range drawn.Cases(2000) {
		random := rand.New(rand.NewPCG(uint64(seed), 49))
		var a assembler
		var joined, last, text string
		isText, err := true, error(nil)
		for n := range 1 + random.IntN(4) {
			body := map[string]any{}
			if n == 0 || random.IntN(6) == 0 {
				name := []string{"get_weather", "get_weather", "cancel_order", ""}[random.IntN(4)]
				body["name"], joined = name, joined+name
				if name != "" {
					last = name
				}
			}
			switch random.IntN(8) {
			case 0:
				body["arguments"], isText = map[string]any{"delete": true}, false
			case 1:
				body["arguments"] = nil
			default:
				piece := []string{`{`, `"a":1`, `}`, ""}[random.IntN(4)]
				body["arguments"], text = piece, text+piece
			}
			delta := map[string]any{"tool_calls": []any{map[string]any{"index": 0, "id": "a", "type": "function", "function": body}}}
			if seed%2 == 1 {
				delta = map[string]any{"function_call": body}
			}
			event, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta}}})
			if _, err = a.addEvent(string(event)); err != nil {
				break
			}
		}
		if err != nil {
			if refused++; isText && joined == last {
				t.Fatalf("seed %d: %v", seed, err)
			}
			continue
		}
		accepted++
		got := a.legacy
		if got == nil {
			got = a.parts[0]
		}
		if !isText || got.name != joined || got.name != last || got.text.String() != text {
			t.Fatalf("seed %d: judged as %q with %q; clients read %q or %q with %q", seed, got.name, &got.text, joined, last, text)
		}
	}
	if accepted < 100 || refused < 100 {
		t.Errorf("%d accepted and %d refused: too few to show anything", accepted, refused)
	}
}
