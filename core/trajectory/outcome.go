package trajectory

import (
	"fmt"
	"math"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// outcome reads a run's submission, and the results of the benchmark's tests.
func (t *Trajectory) outcome(o *object) {
	for _, v := range []jsonval.Value{o.get("submission"), o.in("info").get("submission"),
		o.in("test_result").get("git_patch"), o.get("model_patch")} {
		if s, text := v.Str(); text || v.Kind() == jsonval.Null {
			t.Submission = &s
			break
		}
	}
	report := o.in("report")
	if !report.any("tests_status") {
		report = o
	}
	t.tests(report.in("tests_status"))
}

// tests reads the tests that passed and those that failed. There are two groups: tests
// that the change had to fix, and tests that had to keep passing.
func (t *Trajectory) tests(status *object) {
	for _, group := range []string{"FAIL_TO_PASS", "PASS_TO_PASS"} {
		lists := status.in(group)
		for _, name := range lists.list("success") {
			t.Assertions = append(t.Assertions, Assertion{Name: group + " " + name.Text(), Result: 1, Total: 1})
		}
		for _, name := range lists.list("failure") {
			t.Assertions = append(t.Assertions, Assertion{Name: group + " " + name.Text(), Total: 1})
		}
	}
}

// checkpoints reads the points of each checkpoint, and the points that were possible. A
// boolean result counts as all points or none.
func (t *Trajectory) checkpoints(score *object) {
	for i, c := range score.list("checkpoints") {
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
