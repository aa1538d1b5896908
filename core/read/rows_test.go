package read

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// kept is one generated run: its calls by name and argument, and how its row is written.
type kept struct {
	calls []string
	row   map[string]any
}

// rowForms are the ways in which people keep a run in a row.
var rowForms = map[string]func(talk []any, i int) map[string]any{
	"messages": func(talk []any, i int) map[string]any { return map[string]any{"messages": talk} },
	"trace": func(talk []any, i int) map[string]any {
		return map[string]any{"trace": map[string]any{"messages": talk}}
	},
	"inputs, outputs": func(talk []any, i int) map[string]any {
		return map[string]any{"inputs": map[string]any{"messages": talk[:1]}, "outputs": map[string]any{"messages": talk[1:]}}
	},
	"prompt, response": func(talk []any, i int) map[string]any {
		return map[string]any{"prompt": fmt.Sprint("Do ", i), "result": map[string]any{"conversation": talk[1:]}}
	},
}

// ownMembers are the members of which a row has one, so that it is a record.
var ownMembers = []func(row map[string]any, i int){
	func(row map[string]any, i int) { row["id"] = fmt.Sprint("case-", i) },
	func(row map[string]any, i int) { row["reference"] = []any{"pay()"} },
	func(row map[string]any, i int) { row["success"] = i%2 == 0 },
	func(row map[string]any, i int) { row["profile"] = "outcome" },
	func(row map[string]any, i int) { row["trial"] = i },
	func(row map[string]any, i int) { row["expected_tools"] = []any{map[string]any{"name": "pay"}} },
	func(row map[string]any, i int) { row["score"] = 0.5 },
	func(row map[string]any, i int) { row["_id"] = fmt.Sprint("case-", i) },
	func(row map[string]any, i int) { row["problem_id"] = i },
	func(row map[string]any, i int) { row["index"] = i },
	func(row map[string]any, i int) { row["request_id"] = fmt.Sprint("r-", i) },
	func(row map[string]any, i int) { row["attempt"] = i },
	func(row map[string]any, i int) { row["epoch"], row["task_id"] = i, "task" },
	func(row map[string]any, i int) { row["rollout"], row["conversation_id"] = i, "talk" },
	func(row map[string]any, i int) { row["config"] = map[string]any{"temperature": i} },
	func(row map[string]any, i int) { row["settings"] = map[string]any{"seed": i} },
}

// keptRuns returns generated runs. Some of them continue the run before, have equal calls or
// equal ids of calls, as the runs of a file may.
func keptRuns(r *rand.Rand, n int, form func([]any, int) map[string]any) []kept {
	ids := r.IntN(3) // none, counted in each run, counted in the file
	next := 0
	var all []kept
	var talk []any
	var calls []string
	for i := range n {
		if i == 0 || r.IntN(3) > 0 {
			talk, calls = []any{map[string]any{"role": "user", "content": fmt.Sprint("Order ", r.IntN(3))}}, nil
		}
		talk, calls = talk[:len(talk):len(talk)], calls[:len(calls):len(calls)]
		for range 1 + r.IntN(3) {
			name, argument := fmt.Sprint("tool_", r.IntN(4)), r.IntN(3)
			call := map[string]any{"type": "function", "function": map[string]any{"name": name, "arguments": fmt.Sprintf(`{"n":%d}`, argument)}}
			if ids > 0 {
				id := len(calls)
				if ids == 2 {
					id, next = next, next+1
				}
				call["id"] = fmt.Sprint("call_", id)
			}
			talk = append(talk, map[string]any{"role": "assistant", "tool_calls": []any{call}})
			calls = append(calls, fmt.Sprint(name, argument))
		}
		all = append(all, kept{calls, form(talk, i)})
	}
	return all
}

// writeKept writes rows as lines, or as one list.
func writeKept(t *testing.T, runs []kept, lines bool) string {
	t.Helper()
	var rows []string
	for _, k := range runs {
		b, err := json.Marshal(k.row)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, string(b))
	}
	if lines {
		return strings.Join(rows, "\n")
	}
	return "[" + strings.Join(rows, ",\n") + "]"
}

func keptCalls(run *trajectory.Trajectory) (calls []string) {
	for _, a := range run.Actions {
		n, _ := a.Arguments.Get("n").Int()
		calls = append(calls, fmt.Sprint(a.Name, n))
	}
	return calls
}

// TestRecordsAreNeverJoined checks the law of GroupRows on generated files: a row with
// something of its own is one run with exactly its calls.
func TestRecordsAreNeverJoined(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 1))
	for range drawn.Cases(300) {
		for _, name := range slices.Sorted(maps.Keys(rowForms)) {
			form := rowForms[name]
			runs := keptRuns(r, 1+r.IntN(8), form)
			own := ownMembers[r.IntN(len(ownMembers))]
			for i, k := range runs {
				own(k.row, i)
			}
			text := writeKept(t, runs, r.IntN(2) == 0)
			doc, err := Decode([]byte(text))
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, text)
			}
			if len(doc.Trajectories) != len(runs) || countJoined(&doc) != 0 {
				t.Fatalf("%s: %d rows were read as %d runs, %d of them joined\n%s", name, len(runs), len(doc.Trajectories), countJoined(&doc), text)
			}
			for i := range runs {
				if got := keptCalls(&doc.Trajectories[i]); fmt.Sprint(got) != fmt.Sprint(runs[i].calls) {
					t.Fatalf("%s: run %d has the calls %v, want %v\n%s", name, i+1, got, runs[i].calls, text)
				}
			}
		}
	}
}

// TestJoiningIsSaid checks rows with nothing of their own. They may be joined only with a
// warning and a doubt. Each row that is not joined is a run with exactly its calls.
func TestJoiningIsSaid(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 2))
	joined, apart := 0, 0
	for range 300 {
		for _, name := range slices.Sorted(maps.Keys(rowForms)) {
			form := rowForms[name]
			runs := keptRuns(r, 2+r.IntN(6), form)
			text := writeKept(t, runs, r.IntN(2) == 0)
			doc, err := Decode([]byte(text))
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, text)
			}
			n := countJoined(&doc)
			if len(doc.Trajectories) > len(runs) || n < 0 || n == 0 && len(doc.Trajectories) != len(runs) {
				t.Fatalf("%s: %d rows were read as %d runs, %d of them joined\n%s", name, len(runs), len(doc.Trajectories), n, text)
			}
			for i := range doc.Trajectories {
				if n == 0 && fmt.Sprint(keptCalls(&doc.Trajectories[i])) != fmt.Sprint(runs[i].calls) {
					t.Fatalf("%s: run %d has the calls %v, want %v\n%s", name, i+1, keptCalls(&doc.Trajectories[i]), runs[i].calls, text)
				}
			}
			joined += n
			apart += shape.IfElse(n == 0, 1, 0)
		}
	}
	if joined < 50 || apart < 50 {
		t.Errorf("%d runs were joined, and %d files had none; want many of both", joined, apart)
	}
}
