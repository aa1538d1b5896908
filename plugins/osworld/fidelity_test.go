package osworld

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/recordings"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/internal/plugintest"
)

// readRecording reads a file of real runs.
func readRecording(t testing.TB, name string) []byte {
	t.Helper()
	return recordings.Read(t, "osworld/"+name)
}

const human = "osworld_human_369.jsonl"

func readRuns(t testing.TB, name string) []trajectory.Trajectory {
	t.Helper()
	return plugintest.Runs(t, readRecording(t, name))
}

func realRuns(t testing.TB) []trajectory.Trajectory {
	return readRuns(t, "osworld-verified-ui-tars-361.jsonl")
}

// requestOf returns the request that a host sends to replay a run.
func requestOf(r *trajectory.Trajectory) *abi.ReplayRequest {
	out := &abi.ReplayRequest{Task: r.Task, Recorded: r.Success, Reward: r.Reward, Observed: make([]abi.Action, len(r.Actions))}
	for i := range r.Actions {
		a := &r.Actions[i]
		out.Observed[i] = abi.Action{Name: a.Name, Text: a.Text, Arguments: []byte(a.Arguments.Raw()), Failed: a.Failed()}
	}
	return out
}

// TestRealActions checks that at least 99 of 100 actions of real runs are read. The other
// actions are not Python code, or have no gesture.
func TestRealActions(t *testing.T) {
	all, broken, none, kinds := 0, 0, 0, map[string]int{}
	for _, r := range realRuns(t) {
		for i := range r.Actions {
			all++
			gestures, err := parseText(r.Actions[i].Text)
			for k := range gestures {
				kinds[kindNames[gestures[k].kind]]++
			}
			switch {
			case err == nil:
				continue
			case err == errNothing:
				none++
			default:
				broken++
			}
			t.Logf("not read: task %s: %.90q: %v", r.Task, r.Actions[i].Text, err)
		}
	}
	t.Log(kinds)
	if t.Logf("%d of %d actions are read; %d are no Python, %d are none", all-broken-none, all, broken, none); all < 10_000 || (broken+none)*100 > all {
		t.Error("too few are read")
	}
}

// TestRealReferences checks that at least 98 of 100 actions in the references that people
// wrote are read. The other actions use verbs that the grammar does not have.
func TestRealReferences(t *testing.T) {
	all, read, other := 0, 0, map[string]int{}
	for _, r := range readRuns(t, human) {
		for i := range r.Actions {
			all++
			if _, ok := parseHuman(r.Actions[i].Text); ok {
				read++
				continue
			}
			other[r.Actions[i].Text]++
			t.Logf("not read: task %s: %.90q", r.Task, r.Actions[i].Text)
		}
	}
	if t.Logf("%d of %d reference actions are read", read, all); read*100 < all*98 {
		t.Error("too few are read")
	}
}

// realTasks returns the tasks of the benchmark by their ids. It loads them in the same
// way as the operation env.load.
func realTasks(t testing.TB) map[string]*task {
	t.Helper()
	s := &store{}
	if _, err := s.loadTasks("tasks", []abi.File{{Name: "tasks.jsonl", Data: readRecording(t, human)}}); err != nil {
		t.Fatal(err)
	}
	tasks, err := s.Get("tasks")
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

// TestRealOutcomes compares recorded results with the evaluator for tasks that cannot be
// done. No other evaluator can be computed from a recorded run.
func TestRealOutcomes(t *testing.T) {
	tasks := realTasks(t)
	decided, agree, unknown := 0, 0, 0
	cells := map[string]int{}
	for _, r := range realRuns(t) {
		tk := tasks[r.Task]
		if tk == nil {
			unknown++
		}
		got := replayRuns(tk, requestOf(&r))
		if r.Success == nil {
			t.Logf("task %s: no recorded outcome; %q", r.Task, got.Notes)
			continue
		}
		if !got.decided {
			if got.Contradicted || got.Success != *r.Success {
				t.Errorf("task %s: undecided, and not as recorded", r.Task)
			}
			continue
		}
		decided++
		cells[fmt.Sprintf("task can be done %-5t run refuses %-5t recorded %t", !tk.isInfeasible(), got.obs.final.kind == fail, *r.Success)]++
		if !got.Contradicted {
			agree++
		} else {
			t.Logf("differs: task %s: recorded %t (%v): %q", r.Task, *r.Success, *got.Score, got.Notes)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(cells)) {
		t.Logf("%4d %s", cells[k], k)
	}
	if t.Logf("%d of %d decided outcomes agree; %d tasks are not in the list", agree, decided, unknown); decided < 30 || agree*100 < decided*95 {
		t.Error("too few agree")
	}
}

// TestRealPairs calls Check for runs and references that people wrote for the same task.
// Check must return no error, rule only on rows that exist, and blame no row.
func TestRealPairs(t *testing.T) {
	references := map[string]*trajectory.Trajectory{}
	people := readRuns(t, human)
	for i := range people {
		references[people[i].Task] = &people[i]
	}
	pairs, rows, stages := 0, 0, map[string]int{}
	for _, r := range realRuns(t) {
		ref := references[r.Task]
		if ref == nil {
			continue
		}
		request := &abi.CheckRequest{ReplayRequest: *requestOf(&r)}
		request.Reference = requestOf(ref).Observed
		request.Alignment = alignCalls(request.Observed, request.Reference)
		got, err := Check(nil, request)
		if err != nil {
			t.Fatal(err)
		}
		if err := got.Within(request); err != nil {
			t.Error(err)
		}
		for _, e := range got.Excused {
			reason, _, _ := strings.Cut(e.Reason, ":")
			reason, _, _ = strings.Cut(reason, ", with a similarity")
			if strings.HasPrefix(reason, "row ") && strings.HasSuffix(reason, " has the same effect") {
				reason = "another row has the same effect"
			}
			stages[e.Stage+": "+reason]++
		}
		pairs++
		rows += len(request.Alignment)
		if len(got.Blamed) > 0 {
			t.Errorf("task %s: blamed without a picture", r.Task)
		}
	}
	t.Logf("%d pairs, %d rows, excused: %v", pairs, rows, stages)
}

// alignCalls aligns two lists of calls, in order. It pairs calls whose last gestures are
// of the same kind.
func alignCalls(obs, ref []abi.Action) (out []abi.Row) {
	kindOf := func(a *abi.Action) int {
		if g, err := readGestures(a); err == nil {
			return int(g[len(g)-1].kind)
		}
		return -1
	}
	j := 0
	for i := range obs {
		at := -1
		for k := j; k < len(ref) && k < j+3; k++ {
			if kindOf(&obs[i]) >= 0 && kindOf(&obs[i]) == kindOf(&ref[k]) {
				at = k
				break
			}
		}
		if at < 0 {
			out = append(out, abi.Row{Op: "insertion", Obs: i, Ref: -1})
			continue
		}
		for ; j < at; j++ {
			out = append(out, abi.Row{Op: "deletion", Obs: -1, Ref: j})
		}
		out = append(out, abi.Row{Op: "substitution", Obs: i, Ref: j})
		j++
	}
	for ; j < len(ref); j++ {
		out = append(out, abi.Row{Op: "deletion", Obs: -1, Ref: j})
	}
	return out
}

// TestRealOwnEffects compares each run with a reference of only those calls that may have
// changed something. All other rows must be excused, except for calls that end the run or
// cannot be read.
func TestRealOwnEffects(t *testing.T) {
	runs, excused := 0, 0
	for _, r := range realRuns(t) {
		request := &abi.CheckRequest{ReplayRequest: *requestOf(&r)}
		beyond := 0
		for i := range request.Observed {
			s := followCalls(request.Observed[i:i+1], "", &gallery{}).steps[0]
			row := abi.Row{Op: "insertion", Obs: i, Ref: -1}
			if s.mayHaveChanged() {
				row = abi.Row{Op: "match", Obs: i, Ref: len(request.Reference)}
				request.Reference = append(request.Reference, abi.Action{Text: request.Observed[i].Text})
			} else if s.err == nil && !s.endsRun() {
				beyond++
			}
			request.Alignment = append(request.Alignment, row)
		}
		got, err := Check(nil, request)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Blamed) > 0 || len(got.Excused) != beyond || !got.Replay.StateEqual {
			t.Errorf("task %s: %d blamed, %d of %d excused", r.Task, len(got.Blamed), len(got.Excused), beyond)
		}
		runs++
		excused += len(got.Excused)
	}
	t.Logf("%d runs, %d rows excused", runs, excused)
}

// TestRealDetect checks that the benchmark is recognised by the names of a run's calls,
// for at least 97 of 100 runs.
func TestRealDetect(t *testing.T) {
	for name, format := range map[string]string{"osworld-verified-ui-tars-361.jsonl": "osworld-traj", human: "osworld-human"} {
		known, all := 0, readRuns(t, name)
		for i := range all {
			var names []string
			for j := range all[i].Actions {
				names = append(names, all[i].Actions[j].Name)
			}
			if _, ok := abi.Detect(Plugin().Describe().Benchmarks, format, names); ok {
				known++
			}
		}
		if t.Logf("%s: %d of %d runs are recognised", format, known, len(all)); known < len(all)*97/100 {
			t.Error("too few")
		}
	}
}

func BenchmarkCheck(b *testing.B) {
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
		if _, err := Check(nil, all[i%len(all)]); err != nil {
			b.Fatal(err)
		}
	}
}
