package read

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/made"
)

// TestOtherArgumentsAreAnotherCall checks generated records in which calls of one tool have
// equal ids: each pair of an id and arguments is read as a call, or the run is doubtful.
func TestOtherArgumentsAreAnotherCall(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 24))
	for range drawn.Cases(300) {
		want := map[string]bool{}
		talk := func() []any {
			list := []any{map[string]any{"role": "user", "content": "Pay."}}
			for range 1 + r.IntN(3) {
				id, n := fmt.Sprint("c", r.IntN(2)), r.IntN(3)
				want[fmt.Sprint(id, n)] = true
				list = append(list, map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{"id": id, "type": "function",
					"function": map[string]any{"name": "pay", "arguments": fmt.Sprintf(`{"n":%d}`, n)}}}},
					map[string]any{"role": "tool", "tool_call_id": id, "content": "ok"})
			}
			return list
		}
		first := talk()
		row := map[string]any{"id": "a", "messages": first}
		switch id, n := fmt.Sprint("c", r.IntN(2)), r.IntN(3); r.IntN(3) {
		case 0:
			row["previous_messages"] = talk()
		case 1:
			row = map[string]any{"rounds": []any{map[string]any{"messages": first}, map[string]any{"messages": talk()}}}
		case 2:
			row["log"] = []any{map[string]any{"tool_call": map[string]any{"id": id, "name": "pay", "arguments": map[string]any{"n": n}}}}
			want[fmt.Sprint(id, n)] = true
		}
		text := made.JSON(row)
		doc, err := Decode([]byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		doubtful := false
		for i := range doc.Trajectories {
			doubtful = doubtful || doc.Trajectories[i].Doubt != ""
			for _, a := range doc.Trajectories[i].Actions {
				delete(want, a.CallID+a.Arguments.Get("n").Text())
			}
		}
		if len(want) > 0 && !doubtful {
			t.Fatalf("not read and not stated: %v\n%s", want, text)
		}
	}
}
