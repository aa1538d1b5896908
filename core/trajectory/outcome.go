package trajectory

import (
	"fmt"
	"math"
	"strings"

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

// The members in which the record of a run says how the run ended: as true or false, 1 or 0,
// or a word of outcomeWords. The member of a status says with success only that nothing
// broke, so that word does not count there. An inner object may have the same members.
const (
	outcomeNames  = "success succeeded successful is_success isSuccess task_success taskSuccess passed pass is_passed isPassed correct is_correct isCorrect resolved is_resolved isResolved solved outcome verdict status result eval_status evalStatus"
	outcomeInside = "outcome result results metrics metadata meta evaluation eval eval_result evalResult grade scores"
	goodWords     = "pass passed correct resolved solved"
	doneWords     = "success succeeded successful true"
	badWords      = "fail failed failure error errored incorrect wrong unresolved unsolved unsuccessful false"
)

// recordedOutcome returns whether the run of a record succeeded, or nil if the record does
// not say so, or says both.
func recordedOutcome(record *object) *bool {
	if yes, no := record.outcomes(); yes != no {
		return &yes
	} else if yes {
		return nil
	}
	yes, no := false, false
	eachName(outcomeInside, func(name string) bool {
		y, n := record.openMember(name).outcomes()
		yes, no = yes || y, no || n
		return true
	})
	if yes == no {
		return nil
	}
	return &yes
}

// outcomes reports whether a member of an object says that the run succeeded, and whether one
// says that it did not.
func (o *object) outcomes() (yes, no bool) {
	if len(o.keys) == 0 {
		return false, false
	}
	eachName(outcomeNames, func(name string) bool {
		v := o.memberNamed(name)
		word := strings.ToLower(v.Text())
		switch v.Kind() {
		case jsonval.Bool:
			yes, no = yes || word == "true", no || word == "false"
		case jsonval.Number:
			n, ok := v.Float()
			yes, no = yes || ok && n == 1 && name != "status", no || ok && n == 0 && name != "status"
		case jsonval.String:
			yes, no = yes || oneOf(word, goodWords) || oneOf(word, doneWords) && name != "status", no || oneOf(word, badWords)
		}
		return true
	})
	return yes, no
}

// firstReward returns the reward of a record in its inner objects, or Missing. A score counts
// only if it is zero, because its scale is not known.
func firstReward(record *object) jsonval.Value {
	for _, inner := range [...]string{"reward_info", "rewardInfo", "info"} {
		if v := record.openMember(inner).get("reward"); v.Kind() == jsonval.Number {
			return v
		}
	}
	if v := record.get("score"); v.Kind() == jsonval.Number {
		if n, ok := v.Float(); ok && n == 0 {
			return v
		}
	}
	return jsonval.Value{}
}

// readStop reads from the record of a run that it ended with an error, which is a failure, or
// that something cut it off, so that nobody knows how it would have ended.
func (t *Trajectory) readStop(record *object) {
	if oneOf(strings.ToLower(record.firstString("exit_status exitStatus")), badWords) || record.firstString("error") != "" && record.hasAny("messages trajectory") {
		t.Success = new(bool)
	}
	for i, key := range record.keys {
		word, ok := record.values[i].Str()
		switch key {
		case "finish_reason", "finishReason", "stop_reason", "stopReason":
			ok = ok && oneOf(strings.ToLower(word), "length max_tokens max_turns max_steps max_iterations timeout content_filter model_context_window_exceeded")
		case "terminated", "termination_reason", "terminationReason":
			ok = ok && strings.Contains(strings.ToLower(word), "limit")
		default:
			ok = false
		}
		if ok {
			t.Stopped = word
			if t.Doubt == "" {
				t.Doubt = "the run was stopped before its end: " + quoteExcerpt(word, 0, 40)
			}
		}
	}
}
