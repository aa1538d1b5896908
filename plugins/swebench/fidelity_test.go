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

func replayed(t testing.TB, r *abi.ReplayRequest) abi.Replay {
	t.Helper()
	return plugintest.Replayed(t, r, swebench.Replay)
}

// counted reads the numbers of the note that has this form.
func counted(notes []string, form string, into ...any) {
	for _, note := range notes {
		_, _ = fmt.Sscanf(note, form, into...)
	}
}

// Real runs, and what they themselves prove about how they are read: the edits, made
// again, come to the diff that was handed in. What was handed in otherwise than the edits
// come to was there before the run: the same two files of one project, set up so.
func TestRuns(t *testing.T) {
	all := plugintest.Runs(t, recordings.Read(t, real))
	var actions, unread, opaque, handed, equal, differ, outcome, none int
	for i := range all {
		r := plugintest.Request(&all[i])
		got := replayed(t, r)
		var a, b, c, d, n int
		counted(got.Notes, "actions that are no command and no known shape of a tool's arguments: %d", &a)
		counted(got.Notes, "actions that may have changed anything, as far as their words tell: %d", &b)
		counted(got.Notes, "files handed in that the run's own edits come to: %d of %d; other than they come to: %d", &c, &n, &d)
		actions, unread, opaque, equal, handed, differ = actions+len(r.Observed), unread+a, opaque+b, equal+c, handed+n, differ+d
		if strings.TrimSpace(*r.Submission) == "" {
			none++
		}
		if got.Success == *r.Recorded && !got.Contradicted {
			outcome++
		}
	}
	t.Logf("%d runs, %d actions: %d are no command, %d run programs; %d files handed in, %d as the edits come to, %d otherwise; %d runs hand in nothing, none of them resolved; outcome as recorded in %d",
		len(all), actions, unread, opaque, handed, equal, differ, none, outcome)
	if unread > 7 || equal < 264 || differ > 6 || outcome != len(all) || none != 6 {
		t.Error("worse than it was")
	}
}

// A run held against its own hand-in as the reference is the same, whatever it did on the
// way: nothing is blamed, and every row is excused. Against the hand-in of another run
// nothing is equal, and no file that differs is excused.
func TestAgainstDiff(t *testing.T) {
	all := plugintest.Runs(t, recordings.Read(t, real))
	equal, crossed, excused, rows := 0, 0, 0, 0
	for i := range all {
		r := plugintest.Request(&all[i])
		other := all[(i+1)%len(all)].Submission
		if strings.TrimSpace(*r.Submission) == "" || strings.TrimSpace(*other) == "" {
			continue
		}
		own := check(t, r, *r.Submission)
		if !own.Replay.StateEqual || len(own.Blamed) > 0 {
			t.Errorf("%s: against itself: equal %t, blamed %v, %v", r.Task, own.Replay.StateEqual, own.Blamed, own.Replay.Notes)
		}
		equal, excused, rows = equal+1, excused+len(own.Excused), rows+len(r.Observed)+1
		strange := check(t, r, *other)
		if strange.Replay.StateEqual {
			t.Errorf("%s: equal to another run's diff", r.Task)
		}
		crossed += len(strange.Blamed)
	}
	t.Logf("%d runs equal to their own hand-in, %d of %d rows excused; %d rows blamed against another's", equal, excused, rows, crossed)
	if excused < rows-11 { // those are on what no diff tells of
		t.Error("too few rows are excused")
	}
}

// check holds a run against a diff, which is handed in behind everything that it did.
func check(t *testing.T, r *abi.ReplayRequest, diff string) abi.Check {
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

// Without what was handed in the edits are all that is known: what a program may have
// changed is then neither equal nor different.
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
		got := check(t, r, diff)
		if got.Replay.StateEqual {
			equal++
		} else {
			unequal++
		}
		for _, b := range got.Blamed { // what was there before the run is no doing of the run's
			if b.Row < len(r.Observed) {
				t.Errorf("%s: row %d blamed: %s", r.Task, b.Row, b.Reason)
			}
		}
	}
	t.Logf("%d runs provably equal to their hand-in by their edits alone, %d not", equal, unequal)
}

// A run is recognised by its calls.
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

// The demonstrations are other formats of the same terminal.
func TestDemos(t *testing.T) {
	for _, name := range recordings.Glob(t, "swe-bench/demos/*.traj") {
		for _, run := range plugintest.Runs(t, recordings.Read(t, name)) {
			r := plugintest.Request(&run)
			yes := true
			r.Recorded = &yes
			t.Logf("%s: %d actions, %q", path.Base(name), len(r.Observed), replayed(t, r).Notes)
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
