package took_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestRetriesOfPrograms attacks the law that a command or a piece of code tries the failed one
// directly before it again only if it is that one with a small edit. It draws both, and knows
// what it changed.
func TestRetriesOfPrograms(t *testing.T) {
	told := map[bool]int{}
	for seed := range drawn.Cases(400) {
		d := rand.New(rand.NewPCG(uint64(seed), 4817))
		pick := func(all ...string) string { return all[d.IntN(len(all))] }
		var lines []string
		for i := range 3 + d.IntN(6) {
			lines = append(lines, fmt.Sprintf("value_%d = load(%q, %d)", i, pick("a.csv", "b.csv"), d.IntN(99)))
		}
		first, then, again := strings.Join(lines, "\n"), "", d.IntN(2) == 0
		switch at := d.IntN(len(lines)); {
		case d.IntN(2) == 0: // a command
			first = pick("go test ./sum", "pytest tests/test_sum.py -v", "make -j 4 sum")
			then = pick("cd src && "+first, "A=1 "+first, first+" 2>&1 | tail", first+" --quiet")
			if !again {
				then = pick("ls -la", "cat sum.go", "git status", "cd src && git log", "")
			}
		case again:
			lines[at] = pick("print(1)", lines[at]+" # again")
			then = strings.Join(lines, "\n")
		default:
			then = pick("import os\nfor name in os.listdir():\n    print(name)", "total = 3", "query = 'sum of csv'\nresults = search(query)\nprint(results)\nprint(len(results))")
		}
		key := pick("command", "code", "script", "cmd")
		call := func(id, text, status string) []any {
			arguments, _ := json.Marshal(map[string]any{key: text})
			return []any{map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": id, "type": "function", "function": map[string]any{"name": "run", "arguments": string(arguments)}}}},
				map[string]any{"role": "tool", "tool_call_id": id, "content": "result of " + id, "status": status}}
		}
		body, _ := json.Marshal(map[string]any{"trace": map[string]any{"messages": append(append([]any{map[string]any{"role": "user", "content": "Fix the sum."}}, call("c1", first, "error")...), call("c2", then, pick("error", "success"))...)}})
		request, err := core.ReadRequest(body)
		if err != nil {
			t.Fatal(err)
		}
		r, err := core.Evaluate(request)
		if err != nil {
			t.Fatal(err)
		}
		retry := r.Trajectories[0].Observed[1].Retry
		if told[again]++; (retry != nil) != again || again && *retry != 0 {
			t.Fatalf("seed %d: tried again: %v, want %v\n%s\n--\n%s", seed, retry != nil, again, first, then)
		}
	}
	if told[true] < 100 || told[false] < 100 {
		t.Errorf("%v: too few to show anything", told)
	}
}
