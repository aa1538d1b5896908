package score

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// evaluateDrawnOutcome evaluates a drawn request with the recorded outcome, and with its
// reference if with is true.
func evaluateDrawnOutcome(t *testing.T, request []byte, with bool, outcome string) report.Trajectory {
	t.Helper()
	text := bytes.Replace(request, []byte(`"trajectories":[{`), []byte(`"trajectories":[{"success":`+outcome+`,`), 1)
	r, err := ReadRequest(text)
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	r.Options.Unreferenced = !with
	report, err := Evaluate(r)
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return report.Trajectories[0]
}

// TestRecordedFailureIsNeverFine checks the law of recorded failures on drawn runs, with
// and without a reference: a failed run is flagged, or its verdict says that no cause was
// found. The recorded outcome changes no finding and no figure of a run.
func TestRecordedFailureIsNeverFine(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 5))
	unexplained, streaks := 0, 0
	for range drawn.Cases(1500) {
		d := make(draws, 80)
		for i := range d {
			d[i] = byte(r.IntN(256))
		}
		request, with := d.drawRequest(), r.IntN(2) == 0
		failed, good := evaluateDrawnOutcome(t, request, with, "false"), evaluateDrawnOutcome(t, request, with, "true")
		if failed.Success == nil || *failed.Success || strings.Contains(failed.Verdict, "fine") {
			t.Fatalf("%q for %s", failed.Verdict, request)
		}
		if failed.Flagged == strings.Contains(failed.Verdict, noCause) && failed.Doubt == "" {
			t.Fatalf("flagged %v, %q for %s", failed.Flagged, failed.Verdict, request)
		}
		if !failed.Flagged {
			unexplained++
			streaks += checkStreak(t, &failed)
		}
		if good.Recorded != nil || strings.Contains(good.Verdict, noCause) || failed.Flagged && failed.Recorded != nil {
			t.Fatalf("%q %q for %s", good.Verdict, failed.Recorded, request)
		}
		if !reflect.DeepEqual(failed.Metrics, good.Metrics) || !reflect.DeepEqual(failed.Violations, good.Violations) {
			t.Fatalf("the outcome changes the figures of %s", request)
		}
	}
	if unexplained < 200 || streaks < 10 {
		t.Errorf("%d unexplained failures, %d with a streak: too few to show anything", unexplained, streaks)
	}
}

// TestPassedIsEarned checks on drawn runs that passed is true only for a run without any
// finding but a hint, doubt, recorded failure or "Cannot tell", that it is false for each
// flagged run and each recorded failure, and that a verdict says why it is null.
func TestPassedIsEarned(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 3))
	count := map[string]int{}
	for range drawn.Cases(1000) {
		d := make(draws, 60)
		for i := range d {
			d[i] = byte(r.IntN(256))
		}
		request := d.drawRequest()
		for _, outcome := range []string{"false", "true", "null"} {
			run := evaluateDrawnOutcome(t, request, r.IntN(2) == 0, outcome)
			bad := run.Flagged || outcome == "false"
			switch {
			case run.Passed == nil:
				count["null"]++
				if bad || !strings.Contains(run.Verdict, "Cannot tell") {
					t.Fatalf("passed is null, flagged %v, %q for %s", run.Flagged, run.Verdict, request)
				}
			case *run.Passed:
				count["true"]++
				if bad || run.Doubt != "" || run.Error != nil || run.Verdict != "" && run.Verdict != "Probably fine." || run.Reference != nil && len(run.Violations) > 0 {
					t.Fatalf("passed, flagged %v, %q for %s", run.Flagged, run.Verdict, request)
				}
			default:
				count["false"]++
				if !bad {
					t.Fatalf("not passed, %q for %s", run.Verdict, request)
				}
			}
		}
	}
	if count["true"] < 50 || count["false"] < 50 || count["null"] < 50 {
		t.Errorf("%v: too few of one kind to show anything", count)
	}
}

// checkStreak compares the fact about repeated actions with the report's actions, of which
// it tries each stretch. It returns 1 if there is such a fact.
func checkStreak(t *testing.T, run *report.Trajectory) int {
	t.Helper()
	want := ""
	for n := len(run.Observed); n >= 3 && want == ""; n-- {
		for first := len(run.Observed) - n; first >= 0 && want == ""; first-- {
			same := true
			for _, a := range run.Observed[first : first+n] {
				same = same && a.Name == run.Observed[first].Name && a.Arguments == run.Observed[first].Arguments
			}
			if same {
				want = fmt.Sprintf("steps %d to %d are the same: ", first+1, first+n)
			}
		}
	}
	got := ""
	for _, fact := range run.Recorded {
		if strings.HasPrefix(fact, "steps ") {
			got = fact
		}
	}
	if (want == "") != (got == "") || !strings.HasPrefix(got, want) {
		t.Fatalf("%q, want %q for %+v", got, want, run.Observed)
	}
	return min(1, len(want))
}

// TestRecordedFacts checks which facts of a trace the report tells about a failure: those
// that no finding uses, shortened.
func TestRecordedFacts(t *testing.T) {
	long := strings.Repeat("é", 200)
	text := `{"trajectories":[{"success":false,"actions":[` + strings.Repeat(`{"name":"wait","arguments":{"seconds":1}},`, 46) +
		`{"name":"get_page","arguments":{"id":2},"observation":"Error: ` + long + `"}]}]}`
	report, err := Evaluate(Request{Inputs: []Source{{Data: []byte(text)}}})
	if err != nil {
		t.Fatal(err)
	}
	run := &report.Trajectories[0]
	if run.Flagged || len(run.Recorded) != 2 || run.Recorded[0] != `steps 1 to 46 are the same: wait {"seconds":1}` ||
		!strings.HasPrefix(run.Recorded[1], `the last error is of step 47, get_page {"id":2}: Error: é`) || !strings.HasSuffix(run.Recorded[1], "é…") {
		t.Errorf("%q %q", run.Verdict, run.Recorded)
	}
}

// TestLeftOutIsTold checks that a run that failed without a known cause names the steps of
// its reference that it left out, and no step that was done.
func TestLeftOutIsTold(t *testing.T) {
	text := `[{"task_id":"t","reward":0,"traj":[{"role":"user","content":"No service."},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"get_line","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"locked"}],
		"info":{"task":{"actions":[{"name":"get_line","kwargs":{}},{"name":"transfer_to_human_agents","kwargs":{"summary":"s"}}]}}}]`
	report, err := Evaluate(Request{Inputs: []Source{{Data: []byte(text)}}})
	if err != nil {
		t.Fatal(err)
	}
	run := &report.Trajectories[0]
	if run.Flagged || len(run.Recorded) != 1 || !strings.Contains(run.Recorded[0], "the step transfer_to_human_agents was not done") {
		t.Errorf("%q %q", run.Verdict, run.Recorded)
	}
}
