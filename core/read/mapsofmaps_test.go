package read

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/pace"
)

// TestMapsOfMaps draws maps of models, of which each has a run for each task, and compares the runs with those of
// which the file was made: many of them are equal, and many have the ids of other runs.
func TestMapsOfMaps(t *testing.T) {
	random := rand.New(rand.NewSource(4105))
	for range drawn.Cases(150) {
		wrapped, records, deep := random.Intn(2) == 0, random.Intn(2) == 0, random.Intn(3) == 0
		want := map[string]string{} // the calls of each run
		models := map[string]any{}
		for m := range 2 + random.Intn(3) {
			tasks := map[string]any{}
			model := drawnOf(random, "gpt", "llama", "m") + fmt.Sprint(m)
			for k := range 1 + random.Intn(4) {
				task, n := fmt.Sprint("task", k), random.Intn(2)
				var calls []string
				talk := []any{map[string]any{"role": "user", "content": fmt.Sprint("Cancel the orders of customer ", n)}}
				for i := range random.Intn(3) {
					id, arguments := fmt.Sprint("c", i), fmt.Sprintf(`{"id":%d}`, n)
					talk = append(talk, map[string]any{"role": "assistant", "content": "", "tool_calls": []any{map[string]any{"id": id, "type": "function", "function": map[string]any{"name": "cancel_order", "arguments": arguments}}}},
						map[string]any{"role": "tool", "tool_call_id": id, "content": "cancelled"})
					calls = append(calls, "cancel_order"+arguments)
				}
				talk = append(talk, map[string]any{"role": "assistant", "content": "Done."})
				name := model + "/" + task
				tasks[task] = any(talk)
				if records {
					tasks[task] = map[string]any{"messages": talk}
				}
				if deep {
					tasks[task], name = map[string]any{"first": tasks[task]}, name+"/first"
				}
				want[name] = strings.Join(calls, " ")
			}
			models[model] = tasks
		}
		var file any = models
		if wrapped {
			file = map[string]any{"results": models, "date": "2026-01-01"}
		}
		text, _ := json.Marshal(file)
		doc, err := Decode(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for i := range doc.Trajectories {
			run := &doc.Trajectories[i]
			var calls []string
			for _, a := range run.Actions {
				calls = append(calls, a.Name+a.Arguments.Raw())
			}
			calls2, known := want[run.ID]
			names := strings.Split(run.ID, "/")
			if strings.Join(calls, " ") != calls2 || !known || run.Task != names[len(names)-1] {
				t.Fatalf("run %q of task %q has the calls %v, want %q\n%s", run.ID, run.Task, calls, calls2, text)
			}
			delete(want, run.ID)
		}
		if len(want) > 0 {
			t.Fatalf("not read: %v of %s\n%s", want, doc.Format, text)
		}
	}
}

// TestStatesAreNoRuns checks that the states of one conversation under the names of its steps are no runs of models.
func TestStatesAreNoRuns(t *testing.T) {
	talk := `{"role":"user","content":"x"},{"role":"assistant","content":"","tool_calls":[{"id":"1","function":{"name":"look","arguments":"{}"}}]}`
	doc := mustDecode(t, `{"first":{"planner":[`+talk+`]},"second":{"planner":[`+talk+`,{"role":"tool","tool_call_id":"1","content":"ok"}]}}`)
	if slices.ContainsFunc(doc.Trajectories[:1], func(run trajectory.Trajectory) bool { return run.ID == "first/planner" }) {
		t.Errorf("read as %d runs", len(doc.Trajectories))
	}
}

// TestLargeMapsAreQuick reads maps of many records on one line, whose references and warnings stand elsewhere: each
// record may cost as much as one of a small map.
func TestLargeMapsAreQuick(t *testing.T) {
	write := func(n int) []byte {
		var runs, expected []string
		for i := range n {
			call := fmt.Sprintf(`{"name":"cancel_order","arguments":{"id":%d}}`, i)
			runs, expected = append(runs, fmt.Sprintf(`"t%d":{"tool_calls":[%s]}`, i, call)), append(expected, fmt.Sprintf(`"t%d":[%s]`, i, call))
		}
		return []byte(`{"runs":{` + strings.Join(runs, ",") + `},"expected":{` + strings.Join(expected, ",") + `}}`)
	}
	small, large := write(500), write(8000)
	read := func(text []byte, n int) time.Duration {
		return pace.Spent(func() {
			if doc, err := Decode(text); err != nil || len(doc.Trajectories) != n || doc.Trajectories[n-1].Reference == nil {
				t.Fatalf("%v, %d runs", err, len(doc.Trajectories))
			}
		})
	}
	one := min(read(small, 500), read(small, 500))
	if all := read(large, 8000); all > 3*16*one {
		t.Errorf("16 times the records took %v instead of %v", all, 16*one)
	}
}
