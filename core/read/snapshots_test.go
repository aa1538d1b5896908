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
		id, more := []string{"session_id", "conversation_id", "thread_id"}[r.IntN(3)], []string{"turn", "n_messages", ""}[r.IntN(3)]
		write := func(s int) {
			rows[s]++
			row := map[string]any{id: fmt.Sprint("web-", s), "messages": talks[s]}
			switch more {
			case "turn":
				row[more] = rows[s]
			case "n_messages":
				row[more], row["ts"] = len(talks[s]), fmt.Sprintf("2026-02-03T12:00:%02dZ", rows[s])
			}
			fmt.Fprintln(&text, made.JSON(row))
		}
		for range 3 * n {
			s := r.IntN(n)
			talks[s] = append(talks[s], map[string]any{"role": "user", "content": fmt.Sprint("Do ", s, " ", rows[s])})
			for range r.IntN(3) {
				id := fmt.Sprint("call_", calls[s])
				talks[s] = append(talks[s], map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{"id": id, "type": "function",
					"function": map[string]any{"name": "pay", "arguments": fmt.Sprintf(`{"n":%d,"s":%d}`, calls[s], s)}}}})
				calls[s]++
				if r.IntN(4) == 0 {
					write(s) // before the result
				}
				talks[s] = append(talks[s], map[string]any{"role": "tool", "tool_call_id": id, "content": "ok"})
			}
			talks[s] = append(talks[s], map[string]any{"role": "assistant", "content": "Done."})
			write(s)
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
