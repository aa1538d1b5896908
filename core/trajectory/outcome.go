package trajectory

import (
	"fmt"
	"math"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// readOutcome reads a run's submission, and the results of the benchmark's tests.
func (t *Trajectory) readOutcome(o *object) {
	for _, v := range []jsonval.Value{o.get("submission"), o.openMember("info").get("submission"),
		o.openMember("test_result").get("git_patch"), o.get("model_patch")} {
		if s, text := v.Str(); text || v.Kind() == jsonval.Null {
			t.Submission = &s
			break
		}
	}
	report := o.openMember("report")
	if !report.hasAny("tests_status") {
		report = o
	}
	t.readTests(report.openMember("tests_status"))
}

// readTests reads which tests passed and which tests failed. The tests in FAIL_TO_PASS
// had to be fixed by the change. The tests in PASS_TO_PASS still had to pass after the
// change.
func (t *Trajectory) readTests(status *object) {
	for _, group := range []string{"FAIL_TO_PASS", "PASS_TO_PASS"} {
		lists := status.openMember(group)
		for _, name := range lists.firstList("success") {
			t.Assertions = append(t.Assertions, Assertion{Name: group + " " + name.Text(), Result: 1, Total: 1})
		}
		for _, name := range lists.firstList("failure") {
			t.Assertions = append(t.Assertions, Assertion{Name: group + " " + name.Text(), Total: 1})
		}
	}
}

// readCheckpoints reads the points of each checkpoint, and the points that were possible.
// A boolean result counts as all points or none.
func (t *Trajectory) readCheckpoints(score *object) {
	for i, c := range score.firstList("checkpoints") {
		total, ok := c.Get("total").Float()
		result, points := c.Get("result").Float()
		if given, is := c.Get("result").Bool(); is {
			points = true
			if given {
				result = total
			}
		}
		if ok && points && !math.IsInf(result, 0) && !math.IsInf(total, 0) {
			t.Assertions = append(t.Assertions, Assertion{Name: fmt.Sprintf("checkpoint %d", i+1), Result: result, Total: total})
		}
	}
}
