package core_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/reading"
	"github.com/boundcheck/boundcheck/core/report"
)

// The folder testdata/unseen has cases by writers who had not seen the program. The figures when each set was
// first tried stand in testdata/unseen/README.md. These tests hold what is reached now, so that no figure falls: a
// change that raises one raises the bound beside it.

const unseenFolder = "testdata/unseen/"

// readLines reads a file of JSON lines.
func readLines[T any](t *testing.T, name string) (rows []T) {
	t.Helper()
	data, err := os.ReadFile(unseenFolder + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var row T
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		rows = append(rows, row)
	}
	return rows
}

// scoreUnseen scores one run.
func scoreUnseen(t *testing.T, run any, o core.Options) report.Trajectory {
	t.Helper()
	data, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	r, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: data}}, Options: o})
	if err != nil {
		t.Fatalf("%v\n%.500s", err, data)
	}
	if len(r.Trajectories) != 1 {
		t.Fatalf("%d runs in %.500s", len(r.Trajectories), data)
	}
	return r.Trajectories[0]
}

// showsSet reports whether UNSEEN_SHOW asks for what is wrong of a set: its name, or anything else for all of them.
func showsSet(set string) bool {
	asked := os.Getenv("UNSEEN_SHOW")
	return asked == set || asked != "" && len(asked) > 1
}

// surest returns the largest confidence of a finding or a hint, 0 if there is none.
func surest(run *report.Trajectory) (most float64) {
	for i := range run.Violations {
		most = max(most, run.Violations[i].Confidence)
	}
	return most
}

// atLeast and atMost are the bounds of a figure.
func atLeast(t *testing.T, what string, got, bound, wanted int) {
	t.Helper()
	t.Logf("%-40s %3d, at least %d (wanted %d)", what, got, bound, wanted)
	if got < bound {
		t.Errorf("%s: %d, at least %d", what, got, bound)
	}
}

func atMost(t *testing.T, what string, got, bound, wanted int) {
	t.Helper()
	t.Logf("%-40s %3d, at most %d (wanted %d)", what, got, bound, wanted)
	if got > bound {
		t.Errorf("%s: %d, at most %d", what, got, bound)
	}
}

// TestUnseenRequests tries sixty pairs of runs with the same calls for each set, which somebody asked for in one
// run and not in the other one.
func TestUnseenRequests(t *testing.T) {
	type row struct {
		Pair  int
		Asked bool
		Run   json.RawMessage
	}
	for set, bound := range map[string][4]int{"1": {36, 5, 0, 33}, "2": {41, 3, 9, 28}, "3": {36, 4, 13, 29}, "4": {39, 4, 13, 28}} {
		counts, signs := map[string]int{}, map[int]string{}
		for _, r := range readLines[row](t, "requests-"+set+".jsonl") {
			run := scoreUnseen(t, r.Run, core.Options{Unreferenced: true})
			verdict := "undecided"
			switch {
			case surest(&run) >= .7:
				verdict = "flagged"
			case strings.HasPrefix(run.Verdict, "Probably fine"):
				verdict = "fine"
			}
			counts[fmt.Sprint(r.Asked, " ", verdict)]++
			if verdict != "undecided" && (verdict == "fine") != r.Asked {
				signs[r.Pair] += verdict
			}
			if os.Getenv("UNSEEN_SHOW") != "" {
				t.Log(set, r.Pair, r.Asked, verdict, run.Verdict)
			}
		}
		atLeast(t, set+": asked for, fine", counts["true fine"], bound[0], 45)
		atMost(t, set+": asked for, flagged", counts["true flagged"], bound[1], 4)
		atMost(t, set+": not asked for, fine", counts["false fine"], bound[2], 9)
		atLeast(t, set+": not asked for, flagged", counts["false flagged"], bound[3], 42)
		for pair, both := range signs {
			if both == "flaggedfine" || both == "fineflagged" {
				t.Errorf("set %s, pair %d: the signs are reversed", set, pair)
			}
		}
	}
}

// TestUnseenCases tries runs with a reference: false alarms, misses, and primary findings of another type than a
// reader of the paper names. Disputed cases do not count.
func TestUnseenCases(t *testing.T) {
	type row struct {
		Set, Why, Profile   string
		Violation, Disputed bool
		Primary             []string
		Trace               json.RawMessage
	}
	for set, bounds := range map[string]map[string][3]int{
		"1": {"first": {1, 0, 1}, "alike": {2, 1, 1}},
		"2": {"first": {5, 0, 2}, "alike": {3, 1, 3}},
		"3": {"first": {9, 0, 7}, "alike": {9, 4, 5}},
		"d": {"first": {6, 0, 2}, "alike": {5, 2, 2}}, // by people who knew the program; see the README
	} {
		alarms, missed, other := map[string]int{}, map[string]int{}, map[string]int{}
		for _, c := range readLines[row](t, "cases-"+set+".jsonl") {
			if c.Disputed {
				continue
			}
			run := scoreUnseen(t, c.Trace, core.Options{Profile: c.Profile})
			flagged := surest(&run) >= .7
			switch {
			case flagged && !c.Violation:
				alarms[c.Set]++
			case !flagged && c.Violation:
				missed[c.Set]++
			case flagged && !slices.Contains(c.Primary, primaryType(&run)):
				other[c.Set]++
			default:
				continue
			}
			if showsSet(set) {
				t.Log(set, c.Set, c.Violation, c.Primary, primaryType(&run), c.Why)
			}
		}
		for part, most := range bounds {
			atMost(t, set+", "+part+": false alarms", alarms[part], most[0], 5)
			atMost(t, set+", "+part+": missed", missed[part], most[1], 3)
			atMost(t, set+", "+part+": another type", other[part], most[2], 7)
		}
	}
}

// primaryType returns the type of the finding that a report names as the primary cause.
func primaryType(run *report.Trajectory) string {
	if a := run.Attribution; a != nil {
		if kind, _, ok := strings.Cut(a.Primary.Reason, ": "); ok && slices.ContainsFunc(run.Violations, func(v report.Violation) bool { return string(v.Type) == kind }) {
			return kind
		}
		if a.First >= 0 && a.First < len(run.Violations) {
			return string(run.Violations[a.First].Type)
		}
	}
	return ""
}

// TestUnseenValues tries one argument with two values that are equal, different or open.
func TestUnseenValues(t *testing.T) {
	type row struct {
		Tool, Arg, Relation string
		A, B                any
	}
	for set, most := range map[string][4]int{"1": {1, 2, 1, 0}, "2": {10, 6, 2, 1}, "3": {5, 5, 0, 1}} {
		flagged, hints, missed, sure := 0, 0, 0, 0
		for _, p := range readLines[row](t, "values-"+set+".jsonl") {
			step := func(v any) []any {
				return []any{map[string]any{"tool": p.Tool, "args": map[string]any{p.Arg: v}, "result": map[string]any{"ok": true}}}
			}
			want := []any{map[string]any{"tool": p.Tool, "args": map[string]any{p.Arg: p.A}}}
			run := scoreUnseen(t, map[string]any{"id": "1", "reference": want, "steps": step(p.B)}, core.Options{Profile: "sop"})
			switch c := surest(&run); {
			case p.Relation == "equal" && c >= .7:
				flagged++
			case p.Relation == "equal" && c > 0:
				hints++
			case p.Relation == "different" && c < .7:
				missed++
			case p.Relation == "uncertain" && c > .9:
				sure++
			default:
				continue
			}
			if showsSet(set) {
				t.Log(set, p.Relation, p.Tool, p.Arg, p.A, p.B)
			}
		}
		atMost(t, set+": equal, flagged", flagged, most[0], 5)
		atMost(t, set+": equal, with a hint", hints, most[1], 15)
		atMost(t, set+": different, missed", missed, most[2], 3)
		atMost(t, set+": open, but above .9", sure, most[3], 0)
	}
}

// TestUnseenOrders tries two changes in the other order, thirty pairs of which depend on each other and thirty do not.
func TestUnseenOrders(t *testing.T) {
	type row struct {
		Dependent        bool
		Reference, Steps json.RawMessage
	}
	for set, bound := range map[string][4]int{"1": {29, 0, 29, 0}, "2": {23, 0, 29, 0}, "3": {21, 2, 28, 3}} {
		said, noted := map[bool]int{}, map[bool]int{}
		for _, s := range readLines[row](t, "orders-"+set+".jsonl") {
			run := scoreUnseen(t, map[string]any{"id": "1", "reference": s.Reference, "steps": s.Steps}, core.Options{Profile: "outcome"})
			if len(run.Violations) > 0 {
				said[s.Dependent]++
			}
			if len(run.Violations) > 0 || slices.ContainsFunc(run.Alignment, func(r report.Row) bool { return r.Verdict == report.RowNote }) {
				noted[s.Dependent]++
			}
		}
		atLeast(t, set+": dependent, said", said[true], bound[0], 26)
		atMost(t, set+": independent, said", said[false], bound[1], 1)
		atLeast(t, set+": dependent, flagged or noted", noted[true], bound[2], 26)
		atMost(t, set+": independent, flagged or noted", noted[false], bound[3], 1)
	}
}

// TestUnseenFiles reads forty files of evaluators and data sets for each set. A file is right if its runs and the
// calls of each are, and whole if its references and outcomes are, too. None is wrong in silence.
func TestUnseenFiles(t *testing.T) {
	type truth struct {
		Runs, References, Outcomes int
		Calls                      []int
	}
	for set, bound := range map[string][2]int{"1": {40, 38}, "2": {38, 38}, "3": {32, 27}} {
		data, err := os.ReadFile(unseenFolder + "files-" + set + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var files map[string]truth
		if err := json.Unmarshal(data, &files); err != nil {
			t.Fatal(err)
		}
		right, whole := 0, 0
		for name, want := range files {
			text, err := os.ReadFile(filepath.Join(unseenFolder, "files-"+set, name))
			if err != nil {
				t.Fatal(err)
			}
			request := core.Request{Inputs: []core.Source{{Name: name, Data: text}}}
			got := reading.All(name, &request)[0]
			var calls []int
			for _, r := range got.Runs {
				calls = append(calls, r.Calls)
			}
			slices.Sort(calls)
			slices.Sort(want.Calls)
			if as := got.Counts; os.Getenv("UNSEEN_SHOW") != "" && (!slices.Equal(calls, want.Calls) || as.References != want.References || as.Outcomes != want.Outcomes) {
				t.Logf("%s %s: %d runs %v, %d references, %d outcomes, whole %v, %s; want %+v", set, name, as.Runs, calls, as.References, as.Outcomes, got.Whole(), got.Error, want)
			}
			switch {
			case got.Error == "" && got.Counts.Runs == want.Runs && slices.Equal(calls, want.Calls):
				right++
				if got.Counts.References == want.References && got.Counts.Outcomes == want.Outcomes {
					whole++
				}
			case got.Error == "" && got.Whole():
				request.Options.Unreferenced = true
				r, err := core.Evaluate(request)
				if err == nil && slices.ContainsFunc(r.Trajectories, func(run report.Trajectory) bool { return strings.HasPrefix(run.Verdict, "Probably fine") }) {
					t.Errorf("%s is read wrongly, and a run of it is called fine: %d runs with the calls %v, want %d with %v", name, got.Counts.Runs, calls, want.Runs, want.Calls)
				}
			}
		}
		atLeast(t, set+": right runs and calls", right, bound[0], 36)
		atLeast(t, set+": also references and outcomes", whole, bound[1], 32)
	}
}
