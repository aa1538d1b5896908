package swebench_test

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/recordings"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/internal/plugintest"
	"github.com/boundcheck/boundcheck/plugins/swebench"
)

const real = "swe-bench/" + "swe-agent-claude-3.5-sonnet-verified-150.jsonl"

func mustReplay(t testing.TB, r *abi.ReplayRequest) abi.Replay {
	t.Helper()
	return plugintest.Replayed(t, r, swebench.Replay)
}

// scanNotes finds the note that has the given form and stores its numbers in the
// variables of into. form is a format of fmt.Sscanf.
func scanNotes(notes []string, form string, into ...any) {
	for _, note := range notes {
		_, _ = fmt.Sscanf(note, form, into...)
	}
}

// TestRuns checks how many actions of real runs are read. It also applies the edits of
// each run again and compares the files with the submitted diff. At most six files may
// differ.
func TestRuns(t *testing.T) {
	all := plugintest.Runs(t, recordings.Read(t, real))
	var actions, unread, opaque, handed, equal, differ, outcome, none int
	for i := range all {
		r := plugintest.Request(&all[i])
		got := mustReplay(t, r)
		var a, b, c, d, n int
		scanNotes(got.Notes, "unreadable actions: %d. Each action must be a command or tool arguments of a known form", &a)
		scanNotes(got.Notes, "actions whose text does not show the changes: %d", &b)
		scanNotes(got.Notes, "submitted files that equal the result of the run's own edits: %d of %d; different files: %d", &c, &n, &d)
		actions, unread, opaque, equal, handed, differ = actions+len(r.Observed), unread+a, opaque+b, equal+c, handed+n, differ+d
		if strings.TrimSpace(*r.Submission) == "" {
			none++
		}
		if got.Success == *r.Recorded && !got.Contradicted {
			outcome++
		}
	}
	t.Logf("%d runs, %d actions: %d are not a command, %d run programs; %d files handed in, %d as the edits come to, %d otherwise; %d runs hand in nothing, none of them resolved; outcome as recorded in %d",
		len(all), actions, unread, opaque, handed, equal, differ, none, outcome)
	if unread > 7 || equal < 264 || differ > 6 || outcome != len(all) || none != 6 {
		t.Error("worse than it was")
	}
}

// TestAgainstDiff compares each run with its own submission and with the submission of
// another run. With its own submission, the final states must be equal and nothing may be
// blamed. With another submission, the final states must differ.
func TestAgainstDiff(t *testing.T) {
	all := plugintest.Runs(t, recordings.Read(t, real))
	equal, crossed, excused, rows := 0, 0, 0, 0
	for i := range all {
		r := plugintest.Request(&all[i])
		other := all[(i+1)%len(all)].Submission
		if strings.TrimSpace(*r.Submission) == "" || strings.TrimSpace(*other) == "" {
			continue
		}
		own := checkDiff(t, r, *r.Submission)
		if !own.Replay.StateEqual || len(own.Blamed) > 0 {
			t.Errorf("%s: against itself: equal %t, blamed %v, %v", r.Task, own.Replay.StateEqual, own.Blamed, own.Replay.Notes)
		}
		equal, excused, rows = equal+1, excused+len(own.Excused), rows+len(r.Observed)+1
		strange := checkDiff(t, r, *other)
		if strange.Replay.StateEqual {
			t.Errorf("%s: equal to another run's diff", r.Task)
		}
		crossed += len(strange.Blamed)
	}
	t.Logf("%d runs equal to their own hand-in, %d of %d rows excused; %d rows blamed against another's", equal, excused, rows, crossed)
	if excused < rows-11 { // these rows concern things that a diff does not show
		t.Error("too few rows are excused")
	}
}

// checkDiff compares a run with a reference that only submits a diff. In the alignment,
// the submission comes after all actions of the run.
func checkDiff(t *testing.T, r *abi.ReplayRequest, diff string) abi.Check {
	t.Helper()
	raw, err := json.Marshal(map[string]string{"patch": diff})
	if err != nil {
		t.Fatal(err)
	}
	c := &abi.CheckRequest{ReplayRequest: *r}
	c.Reference = []abi.Action{{Name: "submit", Arguments: raw}}
	for i := range r.Observed {
		c.Alignment = append(c.Alignment, abi.Row{Op: "insertion", Obs: i, Ref: -1})
	}
	c.Alignment = append(c.Alignment, abi.Row{Op: "deletion", Obs: -1, Ref: 0})
	out, err := swebench.Check(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Within(c); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestWithoutHandIn checks runs from which the submission was removed. No action of such
// a run may be blamed.
func TestWithoutHandIn(t *testing.T) {
	all := plugintest.Runs(t, recordings.Read(t, real))
	equal, unequal := 0, 0
	for i := range all {
		r := plugintest.Request(&all[i])
		diff := *r.Submission
		if strings.TrimSpace(diff) == "" {
			continue
		}
		r.Submission = nil
		got := checkDiff(t, r, diff)
		if got.Replay.StateEqual {
			equal++
		} else {
			unequal++
		}
		for _, b := range got.Blamed { // the run is not responsible for what was there before it
			if b.Row < len(r.Observed) {
				t.Errorf("%s: row %d blamed: %s", r.Task, b.Row, b.Reason)
			}
		}
	}
	t.Logf("%d runs provably equal to their hand-in by their edits alone, %d not", equal, unequal)
}

// TestDetect checks that a run is recognised by its calls.
func TestDetect(t *testing.T) {
	known := 0
	all := plugintest.Runs(t, recordings.Read(t, real))
	for i := range all {
		var names []string
		for j := range all[i].Actions {
			names = append(names, all[i].Actions[j].Name)
		}
		if _, ok := abi.Detect(swebench.Plugin().Describe().Benchmarks, "swe-agent-traj", names); ok {
			known++
		}
	}
	if t.Logf("%d of %d runs are recognised", known, len(all)); known < len(all) {
		t.Error("too few")
	}
}

// TestDemos logs how the demonstrations are read. The demonstrations use other formats of
// the same terminal.
func TestDemos(t *testing.T) {
	for _, name := range recordings.Glob(t, "swe-bench/demos/*.traj") {
		for _, run := range plugintest.Runs(t, recordings.Read(t, name)) {
			r := plugintest.Request(&run)
			yes := true
			r.Recorded = &yes
			t.Logf("%s: %d actions, %q", path.Base(name), len(r.Observed), mustReplay(t, r).Notes)
		}
	}
}

func BenchmarkReplay(b *testing.B) {
	all := plugintest.Runs(b, recordings.Read(b, real))
	for i := 0; b.Loop(); i++ {
		if _, err := swebench.Replay(plugintest.Request(&all[i%len(all)])); err != nil {
			b.Fatal(err)
		}
	}
}
