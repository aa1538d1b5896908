package score

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// TestLintCases checks the lint on pairs of a right and a wrong run in testdata/lint. The
// two runs of a pair differ in one value, word or call, and their id begins with the name
// of a rule. This rule must have a finding in the wrong run, and no rule may flag the right
// run. The rule flags the wrong run exactly if it was seen on enough recorded runs; if not,
// its finding is a hint, and the run is not called fine.
func TestLintCases(t *testing.T) {
	files, err := filepath.Glob("../../testdata/lint/*.right.jsonl")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d sorts of work, want at least 5: %v", len(files), err)
	}
	pairs := 0
	for _, file := range files {
		work := strings.TrimSuffix(filepath.Base(file), ".right.jsonl")
		right, wrong := lintFile(t, file), lintFile(t, strings.Replace(file, ".right.", ".wrong.", 1))
		if len(right) != len(wrong) {
			t.Fatalf("%s: %d right runs, %d wrong ones", work, len(right), len(wrong))
		}
		for i := range right {
			pairs++
			checkTwins(t, strings.ReplaceAll(work, "-", " "), &right[i], &wrong[i])
		}
	}
	if pairs < 40 {
		t.Errorf("%d pairs, want at least 40", pairs)
	}
}

func checkTwins(t *testing.T, work string, right, wrong *report.Trajectory) {
	t.Helper()
	name := work + " " + wrong.ID + wrong.Task
	rule, _, _ := strings.Cut(wrong.ID, "/")
	if right.ID != wrong.ID {
		t.Errorf("%s stands beside %s", right.ID, wrong.ID)
	}
	if wrong.Work != work || right.Work != work {
		t.Errorf("%s: read as %s and %s", name, right.Work, wrong.Work)
	}
	if right.Flagged || right.Verdict == "Broke a boundary." {
		t.Errorf("%s: the right run is flagged: %+v", name, right.Violations)
	}
	enough := violation.SeenOf(rule).IsEnough()
	found := false
	for _, v := range wrong.Violations {
		found = found || v.Rule == rule && v.Hint != enough
	}
	if !found || strings.HasPrefix(wrong.Verdict, "Probably fine") || enough && !wrong.Flagged {
		t.Errorf("%s: %q, want a finding of %s, flagged %v: %+v", name, wrong.Verdict, rule, enough, wrong.Violations)
	}
}

func lintFile(t *testing.T, file string) []report.Trajectory {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Evaluate(Request{Inputs: []Source{{Data: data}}, Options: Options{Unreferenced: true}})
	if err != nil {
		t.Fatal(file, err)
	}
	return r.Trajectories
}

// TestLintKeepsQuiet checks that the lint accepts these values, although they are neither
// in the messages nor in the results:
//
//   - a name that the agent chose for a new thing
//   - an idempotency key
//   - a date that the user gave in words
//   - an amount in cents that the user gave in dollars
func TestLintKeepsQuiet(t *testing.T) {
	for _, run := range lintFile(t, "../../testdata/lint/quiet.jsonl") {
		if run.Flagged || len(run.Violations) > 0 {
			t.Errorf("%s: %+v", run.ID, run.Violations)
		}
	}
}

// TestWrittenMeasures checks the table violation.Measures. For each rule, the table says
// how many cases were written for this project. The number must be that of the cases in
// testdata/lint.
func TestWrittenMeasures(t *testing.T) {
	files, _ := filepath.Glob("../../testdata/lint/*.wrong.jsonl")
	count := map[string]int{}
	for _, file := range files {
		for _, run := range lintFile(t, file) {
			rule, _, _ := strings.Cut(run.ID, "/")
			count[rule]++
		}
	}
	for rule, n := range count {
		for _, m := range violation.Measures(rule) {
			if m.Written && (m.Of != n || m.Right != n) {
				t.Errorf("%s: the table says %d of %d, there are %d pairs", rule, m.Right, m.Of, n)
			}
		}
	}
}
