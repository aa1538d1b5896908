package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// The record of a run may say how the run ended: in a member of its own, in an inner object,
// in the results of evaluators, or in a list beside the list of the records. The law of this
// file: what a record says of the outcome is used, or a warning says that it was not.

// CopyJudged is like copyOutcome for the document of a format, which says itself how the run
// ended: it uses only the results of evaluators.
func (d *Decoder) CopyJudged(runs []trajectory.Trajectory, o *shape.Object) {
	judged := &shape.Object{}
	for i, key := range o.Keys {
		if k := o.Values[i].Kind(); (k == jsonval.Array || k == jsonval.Object) && shape.IsEvaluations(key) {
			judged.Keys, judged.Values = append(judged.Keys, key), append(judged.Values, o.Values[i])
		}
	}
	if len(judged.Keys) > 0 {
		d.copyOutcome(runs, judged)
	}
}

// copyOutcome sets the outcome that a row gives for its run, if the run has none.
func (d *Decoder) copyOutcome(runs []trajectory.Trajectory, row *shape.Object) {
	if len(runs) != 1 || d.probing {
		return
	}
	t := &runs[0]
	e := shape.OutcomeOf(row)
	if bar, ok := shape.PassMark(row); ok && t.Reward != nil && t.Success != nil && !e.No {
		success := *t.Reward >= bar
		t.Success = &success // the record says what its reward means
		return
	}
	if e.Both {
		doubtOutcome(t)
		return
	}
	t.Broke = t.Broke || e.Broke
	if t.Success != nil {
		if *t.Success && (e.No || e.Nothing || e.Unclear || row.SaysFailed(true)) || !*t.Success && e.Yes {
			doubtOutcome(t)
		}
		return
	}
	if v := shape.RewardOf(row); v.Exists() {
		SetReward(t, v)
		return
	}
	if e.Unclear {
		t.Doubt = cmp.Or(t.Doubt, "its record does not say clearly whether the run succeeded")
	}
	switch {
	case e.Unclear:
		d.AddTally("outcome-not-read", "of the records: the outcome is neither a success nor a failure, so it was not used", 1)
	case e.Unread:
		addDoubt(t, "its record has several scores, and does not say which of them is that of the run")
		d.AddTally("outcome-not-read", "of the records: several outcomes are recorded, so none was used", 1)
	case e.Yes || e.No:
		t.Success = &e.Yes
	case e.Ended && len(e.Scores) == 0:
		t.Ended = true
	case len(e.Scores) == 1 && t.Reward == nil:
		t.Reward, t.Scored = &e.Scores[0], true
		if e.Scores[0] == 0 {
			t.Success = new(bool)
		}
	}
	if row.SaysFailed(true) {
		noteEnd(t, false) // another member than the outcome says so
	}
	if t.Success == nil && t.Reward == nil {
		readStop(t, row)
	}
}

// copyEnds sets the outcome of the last run from rows of it that grew: the last row that says how it ended.
// Before the end nothing may be known, so that a row before says nothing more than the last.
func (d *Decoder) copyEnds(rows []jsonval.Value) {
	for _, v := range slices.Backward(rows) {
		if o := shape.OpenObject(v); slices.ContainsFunc(o.Keys, shape.IsOutcomeName) {
			d.copyOutcome(d.Trajectories[len(d.Trajectories)-1:], o)
			return
		}
	}
}

// noteEnd notes that one more place says how a run ended.
func noteEnd(t *trajectory.Trajectory, success bool) {
	switch {
	case t.Success == nil:
		t.Success = &success
	case *t.Success != success:
		doubtOutcome(t)
	}
}

// doubtOutcome notes that a record says that the run succeeded, and that it failed. settleScores
// takes the outcome away.
func doubtOutcome(t *trajectory.Trajectory) { t.Doubt, t.Contradicted = bothWords, true }

// settleScores decides what the scores of the records mean. The scale of a score is not
// known, unless one of the text is zero or a fraction and none is above one: then one is a
// success, or the text says from which score a run is good. Scores on another scale are no rewards.
func (d *Decoder) settleScores() {
	fraction, above, both := false, 0, 0
	for i := range d.Trajectories {
		if t := &d.Trajectories[i]; t.Scored {
			fraction = fraction || *t.Reward < 1
			above += shape.IfElse(*t.Reward > 1 || *t.Reward < 0, 1, 0)
		}
	}
	for i := range d.Trajectories {
		if t := &d.Trajectories[i]; t.Contradicted {
			t.Success, t.Reward, t.Scored, both = nil, nil, false, both+1
		}
	}
	broke := slices.ContainsFunc(d.Trajectories, func(t trajectory.Trajectory) bool { return t.Broke && t.Success != nil && !*t.Success })
	for i := range d.Trajectories {
		if t := &d.Trajectories[i]; broke && t.Ended && t.Success == nil && t.Reward == nil {
			yes := true
			t.Success = &yes // the state of another run of the text is that it failed
		}
		d.Trajectories[i].Ended, d.Trajectories[i].Broke = false, false
	}
	bar, known := shape.PassMarkOf(d.rows)
	known = known && (bar <= 1) == (above == 0)
	above = shape.IfElse(known, 0, above)
	for i := range d.Trajectories {
		switch t := &d.Trajectories[i]; {
		case !t.Scored:
		case known:
			success := *t.Reward >= bar
			t.Success, t.Reward = &success, nil
		case above > 0:
			t.Reward = nil
			addDoubt(t, "its score is on a scale that is not known")
		case fraction && *t.Reward == 1:
			yes := true
			t.Success = &yes
		}
		d.Trajectories[i].Scored = false
	}
	if both > 0 {
		d.AddTally("outcome-contradictory", "of the records: "+strings.Replace(bothWords, "its record says", "the record says", 1)+", so neither was used", both)
	}
	if above > 0 {
		d.AddTally("outcome-not-read", "of the records: the scores are on a scale that is not known, so none was used", above)
	}
}

// readStop reads from the record of a run that something cut it off, so that nobody knows how
// it would have ended.
func readStop(t *trajectory.Trajectory, record *shape.Object) {
	for i, key := range record.Keys {
		word, ok := record.Values[i].Str()
		switch name := shape.FoldOutcome(key); {
		case shape.OneOf(name, shape.StopNames):
			ok = ok && shape.SaysStopped(strings.ToLower(word))
		case name == "truncated":
			word, ok = "truncated", record.Values[i].Text() == "true"
		default:
			ok = false
		}
		if ok {
			t.Stopped = word
			if t.Doubt == "" {
				t.Doubt = "the run was stopped before its end: " + shape.QuoteExcerpt(word, 0, 40)
			}
		}
	}
}

// bothWords say of a run that its record says two things.
const bothWords = "its record says that the run succeeded, and that it failed"

// SetReward sets the run's reward, and its success. The run succeeded if the reward is 1
// within 1e-6, as in the benchmark.
func SetReward(t *trajectory.Trajectory, v jsonval.Value) {
	r, ok := v.Float()
	if !ok {
		return
	}
	success := r >= 1-1e-6 && r <= 1+1e-6
	t.Reward, t.Success = &r, &success
}

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
