package webarena

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/recordings"
	"github.com/boundcheck/boundcheck/plugins/abi"
)

// readRecording reads a file of real runs.
func readRecording(t testing.TB, name string) []byte {
	t.Helper()
	return recordings.Read(t, "webarena/"+name)
}

func realRuns(t testing.TB) []trajectory.Trajectory {
	t.Helper()
	doc, err := read.Decode(readRecording(t, "colorbrowseragent_gpt5_webarena812.slim.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return doc.Trajectories
}

// realTasks returns the benchmark's own tasks with their checks.
func realTasks(t testing.TB) map[string]*task {
	t.Helper()
	s := &store{}
	if _, err := s.loadTasks("tasks", []abi.File{{Name: "test.raw.json", Data: readRecording(t, "test.raw.json")}}); err != nil {
		t.Fatal(err)
	}
	tasks, err := s.Get("tasks")
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

// requestOf returns the request that a host sends to replay a run.
func requestOf(r *trajectory.Trajectory) *abi.ReplayRequest {
	out := &abi.ReplayRequest{Task: r.Task, Recorded: r.Success, Observed: make([]abi.Action, len(r.Actions))}
	for i := range r.Actions {
		a := &r.Actions[i]
		out.Observed[i] = abi.Action{Name: a.Name, Text: a.Text, Arguments: []byte(a.Arguments.Raw()), Failed: a.Failed()}
		if a.Observation != nil {
			out.Observed[i].Observation = &a.Observation.Text
		}
	}
	return out
}

// TestRealActions checks that almost all actions of real runs are read. At most 1 in 80
// may be an action that only the recorded agent has. At most 10 in all runs may be texts
// that are not Python.
func TestRealActions(t *testing.T) {
	all, own, broken := 0, 0, 0
	for _, r := range realRuns(t) {
		for i := range r.Actions {
			all++
			_, err := parseActions(r.Actions[i].Text)
			switch {
			case err == nil:
				continue
			case strings.Contains(err.Error(), "unknown action"):
				own++
			default:
				broken++
			}
			t.Logf("not read: task %s: %.70q: %v", r.Task, r.Actions[i].Text, err)
		}
	}
	if t.Logf("%d of %d actions are read; %d are the agent's own, %d are no Python", all-own-broken, all, own, broken); all < 5000 || broken > 10 || own > all/80 {
		t.Error("too few are read")
	}
}

// TestRealOutcomes makes the task's own checks on each recorded run. No run that passes
// the checks may be recorded as a failure. A run that fails them may be recorded as a
// success, because the recorded scorer was more tolerant and some tasks have been
// corrected since.
func TestRealOutcomes(t *testing.T) {
	tasks := realTasks(t)
	cells := map[string]int{}
	decided, agree := 0, 0
	for _, r := range realRuns(t) {
		request := requestOf(&r)
		tk := tasks[r.Task]
		got := replayRuns(tk, request)
		verdict := got.judged.verdict
		cells[fmt.Sprintf("%-40s recorded %-5t checks %s", strings.Join(append(tk.Eval.Types, slices.Sorted(maps.Keys(tk.Eval.Answers))...), "+"), *r.Success, verdictNames[verdict])]++
		if verdict == undecided {
			if got.Contradicted || got.Success != *r.Success {
				t.Errorf("task %s: undecided, and not as recorded", r.Task)
			}
			continue
		}
		decided++
		if !got.Contradicted {
			agree++
			continue
		}
		t.Logf("differs: task %s: recorded %t: %.200q; said %.60q", r.Task, *r.Success, got.Notes, got.obs.said)
		if verdict == passed {
			t.Errorf("task %s passes its own checks, and is recorded as failed", r.Task)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(cells)) {
		t.Logf("%4d %s", cells[k], k)
	}
	if t.Logf("%d of %d decided outcomes agree", agree, decided); decided < 300 || agree*100 < decided*95 {
		t.Error("too few agree")
	}
}

// TestRealOwnEffects compares each run with those of its own calls that may have changed
// something. No row may be blamed. All other rows must be excused, except answers, failed
// calls and calls that cannot be read.
func TestRealOwnEffects(t *testing.T) {
	runs, excused := 0, 0
	for _, r := range realRuns(t) {
		request := &abi.CheckRequest{ReplayRequest: *requestOf(&r)}
		beyond := 0
		side := followCalls(request.Observed, "")
		for i := range side.moves {
			m := &side.moves[i]
			row := abi.Row{Op: "insertion", Obs: i, Ref: -1}
			if m.mayHaveChanged() {
				row = abi.Row{Op: "match", Obs: i, Ref: len(request.Reference)}
				request.Reference = append(request.Reference, abi.Action{Text: request.Observed[i].Text})
			} else if !m.failed && m.err == nil && m.acts[0].verb != answer {
				beyond++
			}
			request.Alignment = append(request.Alignment, row)
		}
		got, err := Check(nil, request)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Blamed) > 0 || len(got.Excused) != beyond || !got.Replay.StateEqual {
			t.Errorf("task %s: %d blamed, %d of %d excused: %+v %+v", r.Task, len(got.Blamed), len(got.Excused), beyond, got.Excused, request.Alignment)
		}
		runs++
		excused += len(got.Excused)
	}
	t.Logf("%d runs, %d rows excused", runs, excused)
}

// TestRealTrees checks recorded accessibility trees. Each tree must be read, and must
// equal the same tree with other numbers for its elements. At least 9 of 10 elements that
// the agent acted on must get their names from the tree.
func TestRealTrees(t *testing.T) {
	doc, err := read.Decode(readRecording(t, "colorbrowseragent_gpt5_26tasks.axtree.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	trees, nodes := 0, 0
	for _, line := range strings.Split(strings.TrimSpace(string(readRecording(t, "colorbrowseragent_gpt5_26tasks.axtree.jsonl"))), "\n") {
		p := readPage(line)
		if p.tree == nil || p.err != nil {
			t.Fatalf("no tree in %.80s", line)
		}
		trees++
		p.tree.each(func(*node) bool { nodes++; return true })
		again := readPage(strings.ReplaceAll(line, "[1", "[77"))
		if d := compareTrees(p.tree, again.tree); len(d) > 0 {
			t.Errorf("%.80s: %v", line, d[0])
		}
	}
	named, numbered := 0, 0
	for i := range doc.Trajectories {
		for _, m := range followCalls(requestOf(&doc.Trajectories[i]).Observed, "").moves {
			for _, a := range m.acts {
				if a.target.id != "" && m.before.tree != nil {
					if numbered++; a.target.name != "" {
						named++
					}
				}
			}
		}
	}
	if t.Logf("%d trees with %d elements; %d of %d elements acted on are named by them", trees, nodes, named, numbered); named < numbered*9/10 {
		t.Error("too few are named")
	}
}

// TestRealDetect checks that the benchmark is recognised by the names of a run's calls,
// for at least 98 of 100 runs.
func TestRealDetect(t *testing.T) {
	known, all := 0, realRuns(t)
	for i := range all {
		var names []string
		for j := range all[i].Actions {
			names = append(names, all[i].Actions[j].Name)
		}
		if _, ok := abi.Detect(Plugin().Describe().Benchmarks, "webarena-browsergym", names); ok {
			known++
		}
	}
	if t.Logf("%d of %d runs are recognised", known, len(all)); known < len(all)*98/100 {
		t.Error("too few")
	}
}

func BenchmarkCheck(b *testing.B) {
	tasks := realTasks(b)
	var all []*abi.CheckRequest
	for _, r := range realRuns(b) {
		request := &abi.CheckRequest{ReplayRequest: *requestOf(&r)}
		request.Reference = request.Observed
		for i := range request.Observed {
			request.Alignment = append(request.Alignment, abi.Row{Op: "match", Obs: i, Ref: i})
		}
		all = append(all, request)
	}
	for i := 0; b.Loop(); i++ {
		r := all[i%len(all)]
		if _, err := Check(tasks[r.Task], r); err != nil {
			b.Fatal(err)
		}
	}
}
