package read

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestNamedRecordsStayApart draws maps of records with equal questions, which nothing but their names tells apart.
// Each is one run with its own calls.
func TestNamedRecordsStayApart(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 91))
	for range drawn.Cases(200) {
		records, want := map[string]any{}, ""
		n := 2 + r.IntN(4)
		for i := range n {
			calls := []any{}
			for k := range 1 + r.IntN(3) {
				calls = append(calls, map[string]any{"name": fmt.Sprintf("set_thing_%d", i), "arguments": map[string]any{"n": k}})
			}
			name := fmt.Sprintf("entry %c", 'a'+i)
			records[name] = map[string]any{"input": "Set it", "calls": calls}
			want += fmt.Sprintln(name, len(calls))
		}
		text := noted(records)
		doc, err := Decode([]byte(text))
		got := ""
		for _, run := range doc.Trajectories {
			got += fmt.Sprintln(run.ID, len(run.Actions))
		}
		if err != nil || got != want {
			t.Fatalf("%v\n%s\ngot\n%swant\n%s", err, text, got, want)
		}
	}
}
