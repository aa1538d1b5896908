package score

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/report"
)

// bfclCategories are the categories with one turn: the names in the published results, in the
// scores, and in the answers.
var bfclCategories = [...][3]string{
	{"gorilla_openfunctions_v1_test_simple_result.json", "simple_score.json", "BFCL_v4_simple_python.json"},
	{"gorilla_openfunctions_v1_test_multiple_function_result.json", "multiple_function_score.json", "BFCL_v4_multiple.json"},
	{"gorilla_openfunctions_v1_test_parallel_function_result.json", "parallel_function_score.json", "BFCL_v4_parallel.json"},
}

// TestBFCL compares verdicts with the labels of the Berkeley Function-Calling Leaderboard. The
// folders BOUNDCHECK_BFCL_RESULTS (with result and score of one date) and
// BOUNDCHECK_BFCL_ANSWERS (possible_answer) are those that docs/data.md names.
func TestBFCL(t *testing.T) {
	results, answers := os.Getenv("BOUNDCHECK_BFCL_RESULTS"), os.Getenv("BOUNDCHECK_BFCL_ANSWERS")
	if results == "" || answers == "" {
		t.Skip("SKIPPED: BOUNDCHECK_BFCL_RESULTS and BOUNDCHECK_BFCL_ANSWERS name no folders; docs/data.md names the source")
	}
	var gold []byte
	for _, c := range bfclCategories {
		gold = append(append(gold, readFile(t, answers, c[2])...), '\n')
	}
	_, references, err := References(gold)
	if err != nil {
		t.Fatal(err)
	}
	models, err := os.ReadDir(filepath.Join(results, "result"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range models {
		var trace []byte
		invalid := map[string]bool{}
		for _, c := range bfclCategories {
			trace = append(append(trace, readFile(t, results, "result", m.Name(), c[0])...), '\n')
			addInvalid(t, invalid, readFile(t, results, "score", m.Name(), c[1]))
		}
		r, err := Evaluate(Request{Inputs: []Source{{Data: trace}}, References: references, Options: Options{Profile: "sop"}})
		if err != nil {
			t.Errorf("%s: %v", m.Name(), err)
			continue
		}
		var alarms, missed, unread int
		for i := range r.Trajectories {
			run := &r.Trajectories[i]
			switch bad := invalid[run.Task]; {
			case run.Reference == nil:
				unread++
			case run.Flagged && !bad:
				alarms++
			case !run.Flagged && bad:
				missed++
			}
		}
		n := len(r.Trajectories)
		t.Logf("%-42s %d runs, %3d invalid: agreement %.3f, %d false alarms, %d missed, %d without a reference", m.Name(), n, len(invalid), 1-float64(alarms+missed)/float64(n), alarms, missed, unread)
		if strings.HasPrefix(m.Name(), "gpt-4o-2024") && strings.HasSuffix(m.Name(), "-FC") && float64(alarms+missed) > .03*float64(n) {
			t.Errorf("%s: agreement below .97: %s", m.Name(), strings.Join(disagreements(r.Trajectories, invalid), " "))
		}
	}
}

func readFile(t *testing.T, path ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(data)
}

// addInvalid adds the tasks that a file of scores lists, which are the invalid ones.
func addInvalid(t *testing.T, invalid map[string]bool, scores []byte) {
	t.Helper()
	for i, line := range bytes.Split(scores, []byte("\n")) {
		if i == 0 { // the summary
			continue
		}
		var s struct{ Prompt struct{ ID string } }
		if err := json.Unmarshal(line, &s); err != nil || s.Prompt.ID == "" {
			t.Fatalf("line %d of the scores: no id (%v)", i+1, err)
		}
		invalid[reference.AnswerID(s.Prompt.ID)] = true
	}
}

// disagreements lists the tasks whose verdict is not the label.
func disagreements(runs []report.Trajectory, invalid map[string]bool) (ids []string) {
	for i := range runs {
		if runs[i].Flagged != invalid[runs[i].Task] {
			ids = append(ids, runs[i].Task)
		}
	}
	return ids
}
