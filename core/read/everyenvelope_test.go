package read

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/made"
)

// drawRecord makes a record with an id, the run in one of several places, and perhaps what was
// expected, beside the run or in an inner object. It returns what must be read of it.
func drawRecord(r *rand.Rand, i, form, side int) (record map[string]any, want string) {
	var steps, called []any
	var names []string
	for range 1 + r.IntN(3) {
		n := r.IntN(3)
		names = append(names, fmt.Sprint("pay", n))
		called = append(called, map[string]any{"name": "pay", "arguments": map[string]any{"n": n}})
		steps = append(steps, map[string]any{"action": map[string]any{"tool": "pay", "toolInput": map[string]any{"n": n}}, "observation": "ok"})
	}
	record = map[string]any{"id": fmt.Sprint("case", i)}
	switch form {
	case 0:
		record["output"] = map[string]any{"tools_called": called}
	case 1:
		record["evaluation_output"] = map[string]any{"text": "done", "tools_called": called}
	case 2:
		record["execution"] = map[string]any{"nodes": map[string]any{"agent": map[string]any{"intermediateSteps": steps}}}
	}
	want = fmt.Sprint("case", i, " ", strings.Join(names, " "))
	expected := []any{"drop"}
	switch side {
	case 0:
		record["expected_tools"] = expected
	case 1:
		record["data"] = map[string]any{"input": "Pay.", "expected_tools": expected}
	case 2:
		record["dataset_item"] = map[string]any{"question": "Pay.", "reference_trajectory": expected}
	case 3:
		record["reference.trajectory"] = expected
	default:
		return record, want
	}
	return record, want + " < drop"
}

// TestEveryEnvelopeIsRead checks generated records in every envelope: each record is one run
// with its id, its calls and its reference, wherever the list of the records is.
func TestEveryEnvelopeIsRead(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 12))
	for range drawn.Cases(100) {
		form, side := r.IntN(3), r.IntN(5)
		var rows []any
		var want []string
		for i := range 2 + r.IntN(4) {
			record, kept := drawRecord(r, i, form, side)
			rows, want = append(rows, record), append(want, kept)
		}
		half := 1 + r.IntN(len(rows)-1)
		suites := []any{map[string]any{"name": "a", "tests": rows[:half]}, map[string]any{"name": "b", "tests": rows[half:]}}
		deep := any(map[string]any{"name": "b", "tests": rows[half:]})
		for range r.IntN(4) {
			deep = map[string]any{"name": "c", "suites": []any{deep}}
		}
		nested := map[string]any{"suite": "all", "suites": []any{suites[0], deep}}
		for name, text := range map[string]string{
			"nested suites": made.JSON(nested),
			"list":          made.JSON(rows), "items": made.JSON(map[string]any{"items": rows, "version": 1}), "data": made.JSON(map[string]any{"data": rows, "next": nil}),
			"inside": made.JSON(map[string]any{"run": map[string]any{"results": rows}}), "suites": made.JSON(map[string]any{"suites": suites}),
			"list of suites": made.JSON(suites), "lines": writeRows(rows), "lines of suites": writeRows(suites),
		} {
			doc, err := Decode([]byte(text))
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, text)
			}
			if out := OutlineOf([]byte(text)); out.Records != len(rows) {
				t.Fatalf("%s: the outline has %d records\n%s", name, out.Records, text)
			}
			var got []string
			for i := range doc.Trajectories {
				run := &doc.Trajectories[i]
				line := run.ID
				for _, a := range run.Actions {
					line += fmt.Sprint(" ", a.Name, a.Arguments.Get("n").Text())
				}
				if run.Reference != nil {
					line += " < " + run.Reference.Steps[0].Name
				}
				got = append(got, line)
			}
			if strings.Join(got, "|") != strings.Join(want, "|") {
				t.Fatalf("%s: %q, want %q\n%s", name, got, want, text)
			}
		}
	}
}

// writeRows writes each row as a line.
func writeRows(rows []any) string {
	var lines []string
	for _, row := range rows {
		lines = append(lines, made.JSON(row))
	}
	return strings.Join(lines, "\n")
}

// TestTracesAreApart checks spans of several traces: each trace is a run, in every spelling of
// the types.
func TestTracesAreApart(t *testing.T) {
	for _, c := range []struct{ member, tool, model, other string }{
		{"type", "tool", "llm", "general"}, {"type", "TOOL", "GENERATION", "SPAN"}, {"type", "Tool", "LLM", "agent"}, {"span_type", "tool", "llm", "chain"},
	} {
		var spans []any
		for i := range 6 {
			trace := fmt.Sprint("t", i/3)
			kind := []string{c.other, c.tool, c.model}[i%3]
			spans = append(spans, map[string]any{"id": fmt.Sprint("s", i), "trace_id": trace, "parent_span_id": nil, c.member: kind, "name": fmt.Sprint("pay", i),
				"start_time": fmt.Sprintf("2026-01-01T00:00:0%dZ", i), "input": map[string]any{"n": i}, "output": map[string]any{"output": "ok"}})
		}
		for _, text := range []string{made.JSON(spans), writeRows(spans)} {
			doc, err := Decode([]byte(text))
			if err != nil || len(doc.Trajectories) != 2 {
				t.Fatalf("%v, %d runs\n%s", err, len(doc.Trajectories), text)
			}
			for i, run := range doc.Trajectories {
				if want := fmt.Sprint("pay", 3*i+1); run.ID != fmt.Sprint("t", i) || len(run.Actions) != 1 || run.Actions[0].Name != want {
					t.Errorf("run %s: %+v, want only %s\n%s", run.ID, run.Actions, want, text)
				}
			}
		}
	}
	steps := `[{"trace_id":"a","name":"pay","args":{"n":1}},{"trace_id":"b","name":"pay","args":{"n":1}},{"trace_id":"a","name":"ask","args":{}}]`
	doc, err := Decode([]byte(steps))
	if err != nil || len(doc.Trajectories) != 2 || len(doc.Trajectories[0].Actions) != 2 || doc.Trajectories[1].ID != "b" {
		t.Errorf("%v: %+v", err, doc.Trajectories)
	}
}

// TestRoundsAreNoHistory checks that equal calls in two rounds are two calls, and that a round
// which repeats the one before adds only what is new.
func TestRoundsAreNoHistory(t *testing.T) {
	call := `{"role":"assistant","tool_calls":[{"function":{"name":"pay","arguments":"{\"n\":1}"}}]}`
	user := `{"role":"user","content":"Pay."}`
	for _, name := range []string{"turns", "rounds", "episodes"} {
		for text, want := range map[string]int{
			`{"` + name + `":[[` + user + `,` + call + `],[` + user + `,` + call + `]]}`:                           2,
			`{"` + name + `":[{"messages":[` + user + `,` + call + `]},{"messages":[` + user + `,` + call + `]}]}`: 2,
			`{"` + name + `":[[` + user + `,` + call + `],[` + user + `,` + call + `,` + user + `,` + call + `]]}`: 2,
		} {
			doc, err := Decode([]byte(text))
			n := 0
			for i := range doc.Trajectories {
				n += len(doc.Trajectories[i].Actions)
			}
			if err != nil || n != want {
				t.Errorf("%s: %v, %d calls, want %d", text, err, n, want)
			}
		}
	}
}

// TestJoinedElementsAreSaid checks records that are read as one run because the object around
// their list has calls, too: the run is doubtful, and a warning has the number of records.
func TestJoinedElementsAreSaid(t *testing.T) {
	const rows = `[{"id":"a","output":{"tools_called":[{"name":"pay","args":{"n":1}}]}},{"id":"b","output":{"tools_called":[{"name":"pay","args":{"n":2}}]}}]`
	for _, list := range []string{"items", "results", "data", "records"} {
		for _, text := range []string{
			`{"setup":{"messages":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"start","arguments":"{}"}}]}]},"` + list + `":` + rows + `}`,
			`{"final":{"toolCalls":[{"toolName":"start","args":{"n":1}}]},"wrap":{"` + list + `":` + rows + `}}`,
		} {
			doc, err := Decode([]byte(text))
			if err != nil || len(doc.Trajectories) != 1 {
				t.Errorf("%v, %d runs\n%s", err, len(doc.Trajectories), text)
				continue
			}
			said := false
			for _, w := range doc.Warnings {
				said = said || w.Code == "rows-joined" && strings.HasPrefix(w.Message, "2 elements of")
			}
			if !said || doc.Trajectories[0].Doubt == "" {
				t.Errorf("joined without a word: %+v\n%s", doc.Warnings, text)
			}
		}
	}
}
