package read

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/made"
)

// TestOnlyExpectedIsNeverARun checks that a text with only expected sides is refused, and
// that the error says how to use it. A text with more is not called so.
func TestOnlyExpectedIsNeverARun(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`[{"query":"Cancel A","expected_tool_use":[{"tool_name":"cancel","tool_input":{"id":"A"}}],"reference":"Done."}]`, ""},
		{`[{"name":"a","data":[{"query":"x","expected_tool_use":[]}]},{"name":"b","data":[{"query":"x","expected_tool_use":[]}]}]`, ""},
		{`{"query":"x","expected_tool_use":[{"tool_name":"cancel","tool_input":{}}]}`, "1: cancel{}"},
		{`[{"id":"a","input":"x","expected_tools":[{"name":"cancel","input_parameters":{"n":1}}]},{"id":"b","input":"y","expected_tools":["drop"]}]`, `a: cancel{"n":1} | b: drop`},
		{`{"id":"a","inputs":{"question":"x"},"expectations":{"expected_tool_calls":[{"name":"cancel","arguments":{}}]}}` + "\n" + `{"inputs":{"id":"b"},"expectations":{"expected_tool_calls":[{"name":"drop","arguments":{}}]}}`, `a: cancel{} | b: drop{}`},
		{`{"item":{"id":"a","question":"x","expected_tool_calls":[{"type":"function","function":{"name":"cancel","arguments":"{}"}}]}}`, `a: cancel{}`},
		{`{"id":"a","inputs":{"question":"x"},"outputs":{"response":"Done.","trajectory":["find","cancel"]},"metadata":{"dataset_split":["base"]}}` + "\n" + `{"id":"b","inputs":{"question":"x"},"outputs":{"trajectory":["drop"]},"metadata":{"dataset_split":["base"]}}`, `a: find cancel | b: drop`},
	} {
		_, err := Decode([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), "--reference FILE") {
			t.Errorf("%s: %v", c.text, err)
		}
		var got []string
		for i, e := range Expectations([]byte(c.text)) {
			id := e.ID
			if id == "" {
				id = fmt.Sprint(i + 1)
			}
			var steps []string
			for _, s := range e.Reference.Steps {
				steps = append(steps, s.Name+s.Arguments.Raw())
			}
			got = append(got, id+": "+strings.Join(steps, " "))
		}
		if c.want != "" && strings.Join(got, " | ") != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
		if n := len(Expectations(made.TarGz(map[string][]byte{"e.jsonl": []byte(c.text)}, []string{"e.jsonl"}))); n != len(got) {
			t.Errorf("%s in an archive: %d expected sides, want %d", c.text, n, len(got))
		}
	}
	for _, text := range []string{`[{"input":"x","expected":"yes"}]`, `[{"input":"x","expected_tools":["cancel"],"actual_output":{"unknown":1}}]`, `{"hello":1}`} {
		var e *trajectory.Error
		if _, err := Decode([]byte(text)); !errors.As(err, &e) || strings.Contains(e.Msg, "--reference") || len(e.Formats) == 0 {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestTurnsSayWhatTheyExpect draws dialogues in which each turn says which calls it expects: the reference has
// all of them in order, each with its turn, and no turn is lost that expects none.
func TestTurnsSayWhatTheyExpect(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 25))
	for range drawn.Cases(100) {
		list, side := []string{"turns", "rounds"}[r.IntN(2)], []string{"expected_calls", "expected_tools", "reference_tool_calls"}[r.IntN(3)]
		var records []any
		var want []string
		for i := range 2 + r.IntN(3) {
			var turns []any
			steps := ""
			for k := range 2 + r.IntN(3) {
				expected, calls := []any{}, []any{}
				for range r.IntN(3) {
					name := fmt.Sprint("tool_", r.IntN(4))
					expected, calls = append(expected, name), append(calls, map[string]any{"name": name, "arguments": map[string]any{"n": i}, "result": "ok"})
					steps += fmt.Sprint(k+1, name, " ")
				}
				calls = append(calls, map[string]any{"name": "more", "arguments": map[string]any{"k": k}, "result": "ok"})
				turns = append(turns, map[string]any{"user": fmt.Sprint("Please do ", k), side: expected, "calls": calls, "agent": "Done."})
			}
			records = append(records, map[string]any{"id": fmt.Sprint("d", i), list: turns})
			want = append(want, fmt.Sprint("d", i, " ", len(turns), " ", steps))
		}
		text := asText(records)
		doc, err := Decode([]byte(text))
		var got []string
		for i := range doc.Trajectories {
			run := &doc.Trajectories[i]
			line := run.ID
			if ref := run.Reference; ref != nil {
				line += fmt.Sprint(" ", ref.Turns, " ")
				for _, s := range ref.Steps {
					line += fmt.Sprint(s.Turn, s.Name, " ")
				}
			}
			got = append(got, line)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v\n got %q\nwant %q\n%s", err, got, want, text)
		}
	}
}

// TestAScoreThatDoesNotApplySaysNothing draws the columns of evaluators: the word for pass or fail counts, also
// beside a score that was not given.
func TestAScoreThatDoesNotApplySaysNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 26))
	for range drawn.Cases(60) {
		var rows, want []string
		for i := range 2 + r.IntN(4) {
			passed, score := r.IntN(2) == 0, []string{"5.0", `"not applicable"`, `"Not available"`, `"n/a"`}[r.IntN(4)]
			rows = append(rows, fmt.Sprintf(`{"inputs.query":"Do job %d","inputs.response":[{"role":"assistant","tool_calls":[{"id":"c%d","type":"function","function":{"name":"do_job","arguments":"{}"}}]}],"outputs.accuracy.accuracy":%s,"outputs.accuracy.accuracy_result":%q}`,
				i, i, score, map[bool]string{true: "pass", false: "fail"}[passed]))
			want = append(want, fmt.Sprint(passed))
		}
		doc, err := Decode([]byte(`{"rows":[` + strings.Join(rows, ",") + `],"metrics":{}}`))
		var got []string
		for i := range doc.Trajectories {
			said := "unknown"
			if s := doc.Trajectories[i].Success; s != nil {
				said = fmt.Sprint(*s)
			}
			got = append(got, said)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v\n got %q\nwant %q\n%s", err, got, want, strings.Join(rows, "\n"))
		}
	}
}

// TestKeyedCallsAreOfEachTrial checks that each trial of a case is compared with all that the case expects, written
// under the names of the tools, also if there are as many calls as trials.
func TestKeyedCallsAreOfEachTrial(t *testing.T) {
	for calls := 1; calls < 5; calls++ {
		for trials := 1; trials < 5; trials++ {
			var expected, runs []string
			for k := range calls {
				expected = append(expected, fmt.Sprintf(`{"get_thing":{"n":%d}}`, k))
			}
			for k := range trials {
				runs = append(runs, fmt.Sprintf(`{"trial":%d,"success":true,"calls":[{"get_thing":{"n":0}}]}`, k+1))
			}
			doc, err := Decode([]byte(`{"tasks":[{"task_id":"a","user":"Look","expected_calls":[` + strings.Join(expected, ",") + `],"trials":[` + strings.Join(runs, ",") + `]}]}`))
			if err != nil || len(doc.Trajectories) != trials {
				t.Fatal(calls, trials, err)
			}
			for _, run := range doc.Trajectories {
				if run.Reference == nil || len(run.Reference.Steps) != calls || len(run.Actions) != 1 {
					t.Errorf("%d calls, %d trials: %+v", calls, trials, run.Reference)
				}
			}
		}
	}
}

// TestSampleFieldsAreExpected checks that a sample of Inspect has the expected calls in the fields of its data set.
func TestSampleFieldsAreExpected(t *testing.T) {
	const sample = `{"id":1,"epoch":1,"input":"Look","target":"Seven.","messages":[{"role":"user","content":"Look"},{"role":"assistant","content":"","tool_calls":[{"id":"c","function":"get_thing","arguments":{"n":1},"type":"function"}]},{"role":"tool","tool_call_id":"c","content":"7"}],"scores":{"m":{"value":"C"}},"metadata":%s}`
	for metadata, want := range map[string]int{`{"expected_calls":[{"function":"get_thing","arguments":{"n":1}}]}`: 1, `{"expected_tools":["get_thing","get_other"]}`: 2, `{"expected_calls":[]}`: 0, `{"level":"easy"}`: -1} {
		doc, err := Decode([]byte(`{"version":2,"status":"success","eval":{"task":"x","model":"m"},"samples":[` + fmt.Sprintf(sample, metadata) + `]}`))
		if err != nil || len(doc.Trajectories) != 1 {
			t.Fatal(metadata, err)
		}
		got := -1
		if ref := doc.Trajectories[0].Reference; ref != nil {
			got = len(ref.Steps)
		}
		if got != want || len(doc.Trajectories[0].Actions) != 1 {
			t.Errorf("%s: %d steps, want %d", metadata, got, want)
		}
	}
}
