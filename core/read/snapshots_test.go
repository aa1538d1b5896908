package read

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/made"
)

// TestSnapshotsInTurns checks generated logs in which several sessions grow in turns: each session is one run
// with the calls of its last snapshot, and the report says that rows were joined.
func TestSnapshotsInTurns(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 67))
	for range drawn.Cases(100) {
		n := 2 + r.IntN(3)
		talks, calls, rows := make([][]any, n), make([]int, n), make([]int, n)
		var text strings.Builder
		for range 3 * n {
			s := r.IntN(n)
			talks[s] = append(talks[s], map[string]any{"role": "user", "content": fmt.Sprint("Do ", s, " ", rows[s])})
			for range r.IntN(3) {
				id := fmt.Sprint("call_", calls[s])
				talks[s] = append(talks[s], map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{"id": id, "type": "function",
					"function": map[string]any{"name": "pay", "arguments": fmt.Sprintf(`{"n":%d,"s":%d}`, calls[s], s)}}}},
					map[string]any{"role": "tool", "tool_call_id": id, "content": "ok"})
				calls[s]++
			}
			talks[s] = append(talks[s], map[string]any{"role": "assistant", "content": "Done."})
			rows[s]++
			fmt.Fprintln(&text, made.JSON(map[string]any{"session_id": fmt.Sprint("web-", s), "turn": rows[s], "messages": talks[s]}))
		}
		doc, err := Decode([]byte(text.String()))
		if err != nil {
			t.Fatal(err, text.String())
		}
		runs, total := 0, 0
		for s := range n {
			runs, total = runs+min(rows[s], 1), total+calls[s]
		}
		joined := 0
		for _, w := range doc.Warnings {
			if w.Code == "conversation-joined" {
				joined++
			}
		}
		read := 0
		for i := range doc.Trajectories {
			read += len(doc.Trajectories[i].Actions)
		}
		grown := 0
		for s := range n {
			if rows[s] > 1 {
				grown++
			}
		}
		if len(doc.Trajectories) != runs || read != total || joined != grown {
			t.Fatalf("%d runs, %d calls, %d joined; want %d, %d, %d\n%s", len(doc.Trajectories), read, joined, runs, total, grown, text.String())
		}
	}
}
