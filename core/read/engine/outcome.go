package engine

import (
	"fmt"
	"math"
	"slices"
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
	list := score.FirstList("checkpoints")
	says := checkpointTexts(text, len(list))
	for i, c := range list {
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

// checkpointTexts returns the first line under each heading with the number of a checkpoint, or under that of
// the last of n.
func checkpointTexts(text string, n int) map[int]string {
	out := map[int]string{}
	number := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			number = headingNumber(strings.ToLower(strings.TrimLeft(line, "#")), n)
		} else if number > 0 && line != "" && out[number] == "" {
			out[number] = line
		}
	}
	return out
}

// headingNumber returns the number of the checkpoint that a heading names, such as "checkpoint 2 (1pt)" and
// "final checkpoint (2pts)" of n, or 0.
func headingNumber(heading string, n int) int {
	title, _, _ := strings.Cut(heading, "(")
	words := strings.FieldsFunc(title, func(c rune) bool { return c == ' ' || c == ':' || c == '#' || c == '.' })
	if !slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, "check") }) {
		return 0
	}
	for _, word := range words[:min(len(words), 2)] {
		if number, err := strconv.Atoi(word); err == nil {
			return number
		}
		if word == "final" || word == "last" {
			return n
		}
	}
	return 0
}
