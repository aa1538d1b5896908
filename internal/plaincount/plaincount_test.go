package plaincount_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/plaincount"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// TestShapes checks what the counter sees in each of its shapes, and what it leaves out.
func TestShapes(t *testing.T) {
	for text, want := range map[string]string{
		`{"tool_calls":[{"id":"1","function":{"name":"a","arguments":"{\"n\":1}"}},{"name":"b","args":{}}]}`: "1:a{n:1} :b{}",
		`{"tool_calls":[{"id":"1","function":"a","arguments":{}}]}`:                                          "1:a{}",
		`[{"type":"tool_use","id":"1","name":"a","input":{"x":{"name":"in","arguments":{}}}}]`:               "1:a{x:{arguments:{},name:in}}",
		`[{"type":"tool_result","tool_use_id":"1","content":[{"name":"in","arguments":{}}]}]`:                "=1",
		`{"role":"tool","tool_call_id":"1","content":"{\"name\":\"in\",\"arguments\":{}}"}`:                  "=1",
		`{"parts":[{"functionCall":{"name":"a","args":{"n":1}}},{"functionResponse":{"name":"a"}}]}`:         ":a{n:1} =",
		`{"type":"tool-a","toolCallId":"1","input":{}}`:                                                      "1:a{}",
		`{"run_type":"tool","id":"1","name":"a","inputs":{"n":1},"outputs":{"name":"in","args":{}}}`:         "1:a{n:1}",
		`{"tools":[{"name":"a","arguments":{}}],"name":"b","description":"d","parameters":{}}`:               "",
		`"[{\"tool\":\"x\",\"tool_name\":\"a\",\"tool_args\":{}}]"`:                                          ":a{}",
		`{"name":"agent","input":"Cancel W-7"}`:                                                              "",
	} {
		count, ok := plaincount.Walk([]byte(text))
		if got := showSeen(count.Seen); got != want || !ok {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if _, ok := plaincount.Walk([]byte("cancel(1)")); ok {
		t.Error("a text that is not JSON was counted")
	}
}

func showSeen(seen []plaincount.Seen) string {
	var parts []string
	for _, s := range seen {
		if s.Result {
			parts = append(parts, "="+s.ID)
		} else {
			parts = append(parts, s.ID+":"+s.Name+s.Arguments)
		}
	}
	return strings.Join(parts, " ")
}

// TestRecordsAndLines checks the numbers of records and the lines, also under gzip.
func TestRecordsAndLines(t *testing.T) {
	text := "{\"a\":1}\n{\"calls\":[\n{\"name\":\"a\",\"args\":{}}]}\n"
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write([]byte(text)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{[]byte(text), zipped.Bytes()} {
		count, ok := plaincount.Walk(data)
		seen := count.Seen
		if !ok || count.Records != 2 || len(seen) != 1 || seen[0].Record != 1 || !slices.Equal(seen[0].Lines, []int{2, 2, 3}) {
			t.Errorf("%+v", count)
		}
	}
}

// TestLawFindsLoss takes one call, or one result, from what was read of each example, and
// checks that the law finds it. Formats whose calls the counter cannot see are left out.
func TestLawFindsLoss(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(recordings.Root(), "testdata", "formats", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	tried := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		count, _ := plaincount.Walk(data)
		seen := count.Seen
		doc, err := read.Decode(data)
		if err != nil || len(doc.Trajectories) != 1 || len(seen) == 0 || doc.Trajectories[0].Reference != nil || newStatement(&doc).n > 0 {
			continue
		}
		calls := doc.Trajectories[0].Actions
		for i := range calls {
			isCall := func(s plaincount.Seen) bool { return !s.Result && s.Name == calls[i].Name }
			isResult := func(s plaincount.Seen) bool { return s.Result && s.ID != "" && s.ID == calls[i].CallID }
			mutant := doc
			if slices.ContainsFunc(seen, isCall) {
				tried++
				mutant.Trajectories = []trajectory.Trajectory{{Actions: slices.Delete(slices.Clone(calls), i, i+1)}}
				if findBreach(data, &mutant) == "" {
					t.Errorf("%s: the law does not miss call %d", file, i)
				}
			}
			if slices.ContainsFunc(seen, isResult) {
				tried++
				silent := slices.Clone(calls)
				silent[i].Observation = nil
				mutant.Trajectories = []trajectory.Trajectory{{Actions: silent}}
				if findBreach(data, &mutant) == "" {
					t.Errorf("%s: the law does not miss the result of call %d", file, i)
				}
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d mutants", tried)
	}
}

// TestLawFindsJoinedRows checks that the law finds two rows that were read as one run, a
// call that was dropped because another row has an equal one, and a call that was read twice.
func TestLawFindsJoinedRows(t *testing.T) {
	var text string
	for i := range 2 {
		text += fmt.Sprintf(`{"id":"r%d","messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"pay","arguments":"{}"}}]}],"reference":"pay()"}`+"\n", i)
	}
	doc, err := read.Decode([]byte(text))
	if err != nil || len(doc.Trajectories) != 2 || findBreach([]byte(text), &doc) != "" {
		t.Fatal(err, len(doc.Trajectories), findBreach([]byte(text), &doc))
	}
	dropped := doc
	dropped.Trajectories = slices.Clone(doc.Trajectories)
	dropped.Trajectories[1].Actions, dropped.Trajectories[1].Reference = nil, nil
	doubled := doc
	doubled.Trajectories = append(slices.Clone(doc.Trajectories), doc.Trajectories[1])
	joined := doc
	joined.Trajectories = doc.Trajectories[:1]
	for name, mutant := range map[string]trajectory.Document{"dropped": dropped, "doubled": doubled, "joined": joined} {
		if findBreach([]byte(text), &mutant) == "" {
			t.Errorf("%s: the law is not broken", name)
		}
	}
}

// TestWorldIsNoCall checks that the calls with which a task sets up its world are counted apart, and that a call of an
// agent under the same name is counted as a call.
func TestWorldIsNoCall(t *testing.T) {
	world := `{"env_type":"user","func_name":"turn_data_off","arguments":{}}`
	for text, want := range map[string][2]int{
		`{"task":{"initialization_actions":[` + world + `,` + world + `],"env_assertions":[` + world + `]}}`: {0, 3},
		`{"actions":[` + world + `]}`: {1, 0},
		`{"initialization_actions":[` + world + `,{"func_name":"pay","arguments":{}}]}`:                              {2, 0},
		`{"initialization_actions":[{"env_type":"user","id":"1","func_name":"pay","arguments":{}}]}`:                 {1, 0},
		`{"initialization_actions":[` + world + `],"tool_calls":[{"id":"1","name":"turn_data_off","arguments":{}}]}`: {1, 1},
	} {
		if count, _ := plaincount.Walk([]byte(text)); len(count.Seen) != want[0] || count.World != want[1] {
			t.Errorf("%s: %d calls and %d of the world, want %v", text, len(count.Seen), count.World, want)
		}
	}
}
