package read

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/made"
)

// runSideNames are names that evaluators give to the list of what was done.
var runSideNames = []string{
	"tools_called", "toolsCalled", "spans", "tool_spans", "predicted_trajectory", "actual_trajectory", "actualTrajectory",
	"actual_tool_calls", "agent_actions", "executedCalls", "predicted_tools", "trajectory_actual", "observed_steps", "tools_used",
}

// sideRecord is a generated record, with the calls that are in it.
type sideRecord struct {
	row          map[string]any
	calls, wants string
}

// drawSides makes records of one shape. Many have no call. Each has an id of its own, an
// expected side, or a question that is a text or an object.
func drawSides(r *rand.Rand, name string) []sideRecord {
	records := make([]sideRecord, 1+r.IntN(4))
	titled, spoken := r.IntN(2) == 0, r.IntN(2) == 0
	for i := range records {
		calls := []any{}
		for range r.IntN(3) {
			n := r.IntN(3)
			calls = append(calls, map[string]any{"name": "pay", "input_parameters": map[string]any{"n": n}, "output": "ok"})
			records[i].calls += fmt.Sprintf("pay%d ", n)
		}
		row := map[string]any{"id": fmt.Sprint("case", i), name: calls, "input": any(map[string]any{"question": "x"})}
		if spoken {
			row["input"] = "Pay."
		}
		if titled {
			row["name"] = fmt.Sprint("title ", i)
		}
		if r.IntN(2) == 0 {
			row["expected_tools"] = []any{map[string]any{"name": "drop", "arguments": map[string]any{"n": 7}}}
			records[i].wants = "drop7 "
		}
		records[i].row = row
	}
	return records
}

// writeSides writes records as lines, a list, an object around one, a list inside, or a map.
func writeSides(records []sideRecord, form int) string {
	var rows []any
	named := map[string]any{}
	var lines strings.Builder
	for i := range records {
		rows = append(rows, records[i].row)
		named[fmt.Sprint("key", i)] = records[i].row
		lines.WriteString(made.JSON(records[i].row) + "\n")
	}
	switch form {
	case 0:
		return lines.String()
	case 1:
		return made.JSON(rows)
	case 2:
		return made.JSON(map[string]any{"version": 2, "rows": rows})
	}
	return made.JSON(named)
}

// TestEmptyListsAreRuns checks the law of isRunSide: a record whose list of calls is empty is
// a run without a call, beside records with calls and alone, and keeps its expected side.
func TestEmptyListsAreRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 11))
	for range drawn.Cases(20) {
		for _, name := range runSideNames {
			records := drawSides(r, name)
			text := writeSides(records, r.IntN(4))
			doc, err := Decode([]byte(text))
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if len(doc.Trajectories) != len(records) {
				t.Fatalf("%d runs of %d records\n%s", len(doc.Trajectories), len(records), text)
			}
			for i := range records {
				run, calls, wants := &doc.Trajectories[i], "", ""
				for _, a := range run.Actions {
					calls += a.Name + a.Arguments.Get("n").Text() + " "
				}
				if run.Reference != nil {
					wants = run.Reference.Steps[0].Name + run.Reference.Steps[0].Arguments.Get("n").Text() + " "
				}
				if calls != records[i].calls || wants != records[i].wants {
					t.Fatalf("run %d: %q, expected %q; want %q, %q\n%s", i, calls, wants, records[i].calls, records[i].wants, text)
				}
			}
		}
	}
}

// TestLeavesAreCalls checks that a thing with an empty list is a call where its type or its
// arguments say so, or where its list is that of its parts.
func TestLeavesAreCalls(t *testing.T) {
	for _, text := range []string{
		`[{"name":"pay","input":{"n":1},"output":"ok","children":[]},{"name":"pay","input":{"n":2},"output":"ok","children":[]}]`,
		`[{"name":"pay","type":"tool","input":{"n":1},"output":"ok","spans":[]},{"name":"pay","type":"tool","input":{"n":2},"output":"ok","spans":[]}]`,
		`{"name":"agent","input":"x","spans":[{"name":"pay","input":{"n":1},"spans":[]},{"name":"part","input":{"q":1},"spans":[{"name":"pay","input":{"n":2},"spans":[]}]}]}`,
	} {
		doc := mustDecode(t, text)
		if len(doc.Trajectories) != 1 || len(doc.Trajectories[0].Actions) != 2 {
			t.Errorf("%s\n%s", showRuns(&doc), text)
		}
	}
}

// TestAroundOneRecord checks that what an object says beside its only record is of the
// record's run.
func TestAroundOneRecord(t *testing.T) {
	const talk = `"messages":[{"role":"user","content":"go"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"pay","arguments":"{}"}}]}]`
	for _, text := range []string{
		`{"key":{"id":"a",` + talk + `,"expected_tools":["pay"]}}`,
		`{"data":{"id":"a",` + talk + `,"reference":[{"name":"pay","arguments":{}}]},"version":1}`,
		`{"data":{"id":"a",` + talk + `},"expected_tools":["pay"],"success":true}`,
		`{"result":{"data":{"id":"a",` + talk + `,"success":true}},"expected_tools":["pay"]}`,
	} {
		doc := mustDecode(t, text)
		if run := &doc.Trajectories[0]; len(doc.Trajectories) != 1 || run.ID != "a" || len(run.Actions) != 1 || run.Reference == nil {
			t.Errorf("%s: %s, %+v", text, showRuns(&doc), doc.Warnings)
		}
	}
}

// TestCasesElsewhere checks that a run gets what the case with its id should have done, in a known
// format and in none, and that a case of no run is said.
func TestCasesElsewhere(t *testing.T) {
	for _, c := range [...]struct{ text, want, warning string }{
		{`{"cases":[{"id":"c1","expected_tools":[{"name":"find_it","arguments":{"n":1}}]},{"id":"z2","expected_tools":[{"name":"drop_it","arguments":{"n":2}}]}],"results":[{"case_id":"c1","messages":[{"role":"user","content":"Do it"},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"find_it","arguments":"{\"n\":1}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"}]},{"case_id":"c2","messages":[{"role":"user","content":"Do that"},{"role":"assistant","content":"Done."}]}]}`,
			"1 0", "expected-not-used"},
		{`{"cases":[{"id":"c1","golden":[{"skill":"find_it","slots":{"n":1}}]},{"id":"z2","golden":[{"skill":"drop_it","slots":{"n":2}}]}],"results":[{"case":"c1","did":[{"skill":"find_it","slots":{"n":1}}]},{"case":"c2","did":[{"skill":"drop_it","slots":{"n":2}}]}]}`,
			"1 0", "expected-not-used"},
	} {
		doc, err := Decode([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		var steps []string
		for _, run := range doc.Trajectories {
			n := 0
			if run.Reference != nil {
				n = len(run.Reference.Steps)
			}
			steps = append(steps, fmt.Sprint(n))
		}
		said := slices.ContainsFunc(doc.Warnings, func(w trajectory.Warning) bool { return w.Code == c.warning })
		if got := strings.Join(steps, " "); got != c.want || !said {
			t.Errorf("%s\nsteps %s, want %s; warnings %v", c.text, got, c.want, doc.Warnings)
		}
	}
}
