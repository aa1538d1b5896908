package batch

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/wire"
)

func rows(t *testing.T) []json.RawMessage {
	t.Helper()
	text, err := os.ReadFile("../../testdata/traces/tau-bench.json")
	var all []json.RawMessage
	if err != nil || json.Unmarshal(text, &all) != nil || len(all) < 3 {
		t.Fatal("no rows in the τ-bench example", err)
	}
	return all
}

func compact(t *testing.T, row json.RawMessage) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(row, &v); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// However a batch is cut into chunks, its figures are those of one report over all
// of it, and every trajectory has its own result.
func TestChunksMakeOneReport(t *testing.T) {
	var lines []string
	for _, row := range rows(t) {
		lines = append(lines, compact(t, row))
	}
	whole, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: []byte("[" + strings.Join(lines, ",") + "]")}}})
	if err != nil {
		t.Fatal(err)
	}
	for size := 1; size <= len(lines); size++ {
		var tally Tally
		results := 0
		for from := 0; from < len(lines); from += size {
			var summaries []string
			for _, r := range Score([]byte(strings.Join(lines[from:min(from+size, len(lines))], "\n"))) {
				var body struct{ Trajectory core.Trajectory }
				if err := json.Unmarshal([]byte(r.Body), &body); err != nil || r.Summary == "" {
					t.Fatalf("%v in %.200s", err, r.Body)
				}
				want := whole.Trajectories[results]
				if from+r.Line != results || r.N != 0 || body.Trajectory.Task != want.Task || body.Trajectory.Flagged != want.Flagged {
					t.Errorf("chunks of %d: result %d is %d of %+v", size, results, r.Line, body.Trajectory)
				}
				summaries = append(summaries, r.Summary)
				results++
			}
			if err := tally.Add([]byte("[" + strings.Join(summaries, ",") + "]")); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := string(tally.Corpus(0))+"\n", string(wire.Marshal(whole.Corpus)); got != want || results != len(lines) {
			t.Errorf("chunks of %d: %d results\n%s%s", size, results, got, want)
		}
	}
}

func TestEveryLineHasAResult(t *testing.T) {
	good := `{"trace":[{"name":"get_a"}],"reference":["get_a"]}`
	two := `{"simulations":[{"task_id":"1","messages":[]},{"task_id":"2","messages":[]}],"tasks":[]}`
	long := `{"trace":"` + strings.Repeat("x", LineLimit) + `"}`
	chunk := strings.Join([]string{good, "", "nonsense", `{"broken`, two, long, `{"a":1}`, "  ", good}, "\r\n")
	var got []string
	for _, r := range Score([]byte(chunk)) {
		var body struct {
			Trajectory *core.Trajectory
			Error      *wire.Error
		}
		if err := json.Unmarshal([]byte(r.Body), &body); err != nil || (body.Trajectory == nil) == (body.Error == nil) || (r.Summary == "") != (body.Error != nil) {
			t.Errorf("%+v: %v", r, err)
		}
		word := "ok"
		if body.Error != nil {
			word = body.Error.Code
			if body.Error.Message == "" {
				t.Error("an error that says nothing")
			}
		}
		got = append(got, fmt.Sprint(r.Line, ".", r.N, " ", word))
	}
	want := "0.0 ok, 2.0 invalid-input, 3.0 invalid-input, 4.0 ok, 4.1 ok, 5.0 invalid-input, 6.0 invalid-input, 8.0 ok"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
	if len(Score(nil)) != 0 || len(Score([]byte("\n\n"))) != 0 {
		t.Error("nothing has no result")
	}
}

func TestResultsAreBounded(t *testing.T) {
	big := `[{"name":"get_a","arguments":{"x":"` + strings.Repeat("y", ResultLimit) + `"}}]`
	all := Score([]byte(big))
	if len(all) != 1 || all[0].Summary != "" || !strings.Contains(all[0].Body, wire.CodeTooLarge) {
		t.Errorf("%.300v", all)
	}
	var tally Tally
	if err := tally.Add([]byte(`{"not":"a list"}`)); err == nil {
		t.Error("an object was taken for a list")
	}
}
