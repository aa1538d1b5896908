package deviation

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/math/stats"
)

func newTestRuns(t *testing.T, n int, success bool, task, obs, ref string) []Run {
	t.Helper()
	var out []Run
	for i := range n {
		out = append(out, Run{ID: fmt.Sprintf("%s-%v-%d", task, success, i), Task: task, Success: success, Obs: parseRun(t, obs), Ref: parseRun(t, ref)})
	}
	return out
}

// TestStudy checks a study in which 12 of 19 failures and 5 of 25 successes have one
// extra write. The coefficient of d_mut must be the log odds ratio of these counts. d_non
// must be left out, because it is always 0.
func TestStudy(t *testing.T) {
	var all []Run
	all = append(all, newTestRuns(t, 12, false, "a", "cancel_x=1 cancel_x=2", "cancel_x=1")...)
	all = append(all, newTestRuns(t, 7, false, "b", "cancel_x=1", "cancel_x=1")...)
	all = append(all, newTestRuns(t, 5, true, "c", "cancel_x=1 cancel_x=2", "cancel_x=1")...)
	all = append(all, newTestRuns(t, 20, true, "d", "cancel_x=1", "cancel_x=1")...)
	r, err := Study(all, Measure)
	if err != nil {
		t.Fatal(err)
	}
	if r.Fit.N != 44 || r.Tasks != 4 || r.Fit.Method != stats.ML || !r.Fit.Terms[NonMutating].Aliased {
		t.Errorf("%+v", r.Fit)
	}
	if got, want := r.Fit.Terms[Mutating].Coef, math.Log(5.0*7/(12*20)); math.Abs(got-want) > 1e-9 {
		t.Errorf("coefficient %v, want %v", got, want)
	}
	if f := r.Findings[0]; f == nil || f.Kind != Extra || f.Obs != 1 || f.Witness != "the reference" {
		t.Errorf("finding %+v", f)
	}
	if f := r.Findings[12]; f == nil || f.Kind != Same {
		t.Errorf("finding %+v", f)
	}
	if r.Findings[43] != nil || r.Distances[0] != (Distance{1, 0}) {
		t.Errorf("%+v %+v", r.Findings[43], r.Distances[0])
	}
}

// TestStudySiblings checks that a successful run of the same task takes precedence over
// the reference, and that runs without a task have no siblings.
func TestStudySiblings(t *testing.T) {
	all := append(newTestRuns(t, 1, true, "a", "cancel_x=2", "cancel_x=1"), newTestRuns(t, 2, false, "a", "cancel_x=3", "cancel_x=1")...)
	r, err := Study(all, Effects)
	if err != nil {
		t.Fatal(err)
	}
	if f := r.Findings[1]; f.Witness != "run a-true-0" || f.Agreed != 2 {
		t.Errorf("%+v", f)
	}
	for i := range all {
		all[i].Task = ""
	}
	r, err = Study(all, Effects)
	if f := r.Findings[1]; err != nil || f.Witness != "the reference" || r.Tasks != 3 || r.Robust != nil {
		t.Errorf("%+v, %d tasks, %v", f, r.Tasks, err)
	}
}

func TestStudyRefuses(t *testing.T) {
	check := func(list []Run, want string) {
		t.Helper()
		if _, err := Study(list, Measure); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	check(nil, "no run has both")
	check(newTestRuns(t, 3, true, "a", "get_x=1", ""), "all 3 runs have the same outcome (succeeded)")
	check(newTestRuns(t, 2, false, "a", "get_x=1", ""), "all 2 runs have the same outcome (failed)")
}
