package engine

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// readOutcome reads a run's submission, and the results of the benchmark's tests.
func readOutcome(t *trajectory.Trajectory, o *shape.Object) {
	for _, v := range []jsonval.Value{o.Get("submission"), o.OpenMember("info").Get("submission"),
		o.OpenMember("test_result").Get("git_patch"), o.Get("model_patch")} {
		if s, text := v.Str(); text || v.Kind() == jsonval.Null {
			t.Submission = &s
			break
		}
	}
	report := o.OpenMember("report")
	if !report.HasAny("tests_status") {
		report = o
	}
	readTests(t, report.OpenMember("tests_status"))
}

// readTests reads which tests passed and which tests failed. The tests in FAIL_TO_PASS
// had to be fixed by the change. The tests in PASS_TO_PASS still had to pass after the
// change.
func readTests(t *trajectory.Trajectory, status *shape.Object) {
	for _, group := range []string{"FAIL_TO_PASS", "PASS_TO_PASS"} {
		lists := status.OpenMember(group)
		for _, name := range lists.FirstList("success") {
			t.Assertions = append(t.Assertions, trajectory.Assertion{Name: group + " " + name.Text(), Result: 1, Total: 1})
		}
		for _, name := range lists.FirstList("failure") {
			t.Assertions = append(t.Assertions, trajectory.Assertion{Name: group + " " + name.Text(), Total: 1})
		}
	}
}
