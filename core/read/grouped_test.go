package read

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/made"
)

// drawGroup makes a group with tests of its own beside further groups, at most deep levels. It adds to want
// what must be read of each test, in the order of the text.
func drawGroup(r *rand.Rand, names [2]string, deep int, want *[]string) map[string]any {
	group := map[string]any{"title": "some part"}
	var tests, groups []any
	for range r.IntN(3) + 1 {
		n := len(*want)
		var calls []any
		line := fmt.Sprint("case", n)
		for k := range r.IntN(3) {
			calls = append(calls, map[string]any{"tool": "pay", "args": map[string]any{"n": n, "k": k}})
			line += fmt.Sprintf(" pay%d%d", n, k)
		}
		if calls == nil {
			calls = []any{}
		}
		tests = append(tests, map[string]any{"id": fmt.Sprint("case", n), "actual": calls, "expected": []any{map[string]any{"tool": "pay", "args": map[string]any{"n": n}}}, "status": "passed"})
		*want = append(*want, line)
	}
	group[names[0]] = tests
	for range r.IntN(3) {
		if deep > 0 {
			groups = append(groups, drawGroup(r, names, deep-1, want))
		}
	}
	if groups != nil {
		group[names[1]] = groups
	}
	return group
}

// readAgain returns what was read of a text: of each run its id and its calls, nil for a text that is
// refused, and whether anything says that it may be wrong.
func readAgain(text string) (runs []string, doubtful bool) {
	doc, err := Decode([]byte(text))
	if err != nil {
		return nil, true
	}
	doubtful = len(doc.Warnings) > 0
	for i := range doc.Trajectories {
		t := &doc.Trajectories[i]
		line := t.ID
		for k := range t.Actions {
			line += fmt.Sprint(" pay", t.Actions[k].Arguments.Get("n").Text(), t.Actions[k].Arguments.Get("k").Text())
		}
		runs, doubtful = append(runs, line), doubtful || t.ByShape || t.Doubt != ""
	}
	return runs, doubtful
}

// TestTreesOfGroups checks groups that have tests of their own beside further groups, under any names: each
// test is one run, in the order of the text, alone, in a list and as lines.
// The members of made.JSON are sorted, so the list of the tests has the name that comes first.
func TestTreesOfGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 30))
	for range drawn.Cases(25) {
		names := [][2]string{{"tests", "ztests"}, {"cases", "groups"}, {"checks", "suites"}, {"eintraege", "gruppen"}, {"aufgaben", "teile"}}[r.IntN(5)]
		var want []string
		tree := map[string]any{"name": "all", names[1]: []any{drawGroup(r, names, 2, &want), drawGroup(r, names, 2, &want)}}
		if !strings.Contains(strings.Join(want, ""), "pay") {
			continue // a text without a call is refused
		}
		for i, text := range []string{made.JSON(tree), made.JSON(map[string]any{"report": tree}), made.JSON(tree[names[1]]), writeRows(tree[names[1]].([]any))} {
			got, doubtful := readAgain(text)
			if strings.Join(got, "|") != strings.Join(want, "|") && (i == 0 || !doubtful) {
				t.Fatalf("%v: %q, want %q\n%s", names, got, want, text)
			}
		}
	}
}

// TestCasesWithSeveralRuns checks cases that were each run by several arms: each run is one, with what its case
// expects, whatever the list of the cases is called.
func TestCasesWithSeveralRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 36))
	for range drawn.Cases(25) {
		var cases []any
		var want []string
		for i := range 2 + r.IntN(3) {
			var runs []any
			for arm := range 1 + r.IntN(3) {
				steps := []any{}
				line := fmt.Sprint("arm", arm, "-case", i)
				for k := range r.IntN(3) {
					steps = append(steps, map[string]any{"tool_name": "pay", "tool_args": map[string]any{"n": i, "k": k}, "tool_result": "ok"})
					line += fmt.Sprintf(" pay%d%d", i, k)
				}
				runs = append(runs, map[string]any{"run_id": fmt.Sprint("arm", arm, "-case", i), "arm": arm, "steps": steps, "score": 0.5})
				want = append(want, line)
			}
			cases = append(cases, map[string]any{"task_id": fmt.Sprint("case", i), "prompt": fmt.Sprint("Pay the bill ", i, "."), "gold": []any{"pay"}, "runs": runs})
		}
		name := []string{"tasks", "cases", "questions", "aufgaben", "items"}[r.IntN(5)]
		text := made.JSON(map[string]any{"experiment": "old against new", name: cases})
		got, _ := readAgain(text)
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Fatalf("%q, want %q\n%s", got, want, text)
		}
	}
}
