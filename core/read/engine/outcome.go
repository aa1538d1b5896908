package engine

import (
	"fmt"
	"math"
	"strconv"
	"strings"

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

// ReadCheckpoints reads the points of each checkpoint, and the points that were possible.
// A boolean result counts as all points or none. The text has what they check, each under its
// heading; it may be empty.
func ReadCheckpoints(t *trajectory.Trajectory, score *shape.Object, text string) {
	says := checkpointTexts(text)
	for i, c := range score.FirstList("checkpoints") {
		total, ok := c.Get("total").Float()
		result, points := c.Get("result").Float()
		if given, is := c.Get("result").Bool(); is {
			points = true
			if given {
				result = total
			}
		}
		if ok && points && !math.IsInf(result, 0) && !math.IsInf(total, 0) {
			name := fmt.Sprintf("checkpoint %d", i+1)
			if says[i+1] != "" {
				name += ": " + says[i+1]
			}
			t.Assertions = append(t.Assertions, trajectory.Assertion{Name: name, Result: result, Total: total})
		}
	}
}

// checkpointTexts returns the first line under each heading with the number of a checkpoint.
func checkpointTexts(text string) map[int]string {
	out := map[int]string{}
	number := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if heading := strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "#"))); strings.HasPrefix(line, "#") {
			number = 0
			if rest, is := strings.CutPrefix(heading, "checkpoint "); is {
				digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
				number, _ = strconv.Atoi(rest[:digits]) // without a number it stays 0
			}
		} else if number > 0 && line != "" && out[number] == "" {
			out[number] = line
		}
	}
	return out
}
