package engine

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// The record of a run may say how the run ended: in a member of its own, in an inner object,
// in the results of evaluators, or in a list beside the list of the records. The law of this
// file: what a record says of the outcome is used, or a warning says that it was not.

// The names and words of outcomes. Names are as foldOutcome returns them. The member of a
// status says with success only that nothing broke, so that word does not count there.
const (
	passNames     = "success succeeded successful passed pass correct resolved solved achieved accomplished successrate win won match matched exactmatch outcome verdict status result state conclusion"
	plainNames    = "success succeeded successful successrate passed solved achieved accomplished won" // they hold nothing but yes or no
	scoreNames    = "score reward"
	outcomeInside = "outcome result results metrics metadata meta evaluation eval eval_result evalResult grade scores report test_result testResult evaluation_result evaluationResult judgement judgment grader"
	goodWords     = "pass passed correct resolved solved"
	doneWords     = "success succeeded successful true"
	badWords      = "fail failed failure error errored incorrect wrong unresolved unsolved unsuccessful false aborted crash crashed timeout timedout timed_out killed"
	yesWords      = "yes y t 1 1.0 ok ✅ ✓ ✔"
	noWords       = "no n f 0 0.0 incomplete loss lost ❌ ✗ ✘"
)

// The members with which a record says that its run failed, as foldOutcome returns their
// names: as true, a number above zero, or a text, an object or a list that is not empty.
const (
	failedNames  = "failed failure crashed aborted timedout errored exception error errors"
	codeNames    = "exitcode returncode exitstatus"
	stopNames    = "stopreason finishreason terminationreason terminated"
	failedInside = "metadata meta info tests"
	runMembers   = "trace messages trajectory conversation turns history steps actions"
)

// evaluationNames are the members of a record with the results of evaluators: a list of
// objects, or an object with one for each evaluator.
const evaluationNames = "annotations feedbackscores scores evaluations evaluationresults evalresults metrics metricsdata metricresults evaluatorresults evaluators feedback grades gradingresults gradingresult " +
	"scorers scorerresults evalmetricresults overallevalmetricresults judgements judgments scoreresults assessments checks"

// foldOutcome returns the name of a member without the words around that of an outcome, such
// as passed for is_passed, and score for overallScore.
func foldOutcome(name string) string {
	if len(name) > 24 {
		return ""
	}
	name = foldName(name)
	for _, opening := range [...]string{"is", "was", "final", "overall", "total", "mean", "test", "task", "eval", "case", "run", "agent", "goal"} {
		if rest, ok := strings.CutPrefix(name, opening); ok && rest != "" {
			name = rest
		}
	}
	return name
}

// outcome is what the members of a record say about its end.
type outcome struct {
	yes, no bool
	scores  []float64 // on a scale that is not known
	whole   bool      // there is a reward of 1
	nothing bool      // there is a score of 0 for the run as a whole
	unread  bool      // there is an outcome that cannot be read
	unclear bool      // there is an answer that is neither yes nor no, or both
	both    bool      // one part of the record says yes and another says no
}

// noteMember adds one member. A number with the name of a success counts if it is 1 or 0.
func (e *outcome) noteMember(key string, v jsonval.Value) {
	if k := v.Kind(); k == jsonval.Null || k >= jsonval.Array && k != jsonval.String {
		return
	}
	name := foldOutcome(key)
	if OneOf(name, scoreNames) {
		e.noteScore(v)
		n, err := strconv.ParseFloat(v.Text(), 64)
		e.whole, e.nothing = e.whole || err == nil && n == 1 && name == "reward", e.nothing || err == nil && n == 0
		return
	}
	if name == "" || !OneOf(name, passNames) {
		return
	}
	word, plain := strings.ToLower(strings.TrimSpace(v.Text())), OneOf(name, plainNames)
	switch status := OneOf(name, "status state conclusion"); v.Kind() {
	case jsonval.Bool:
		e.yes, e.no = e.yes || word == "true", e.no || word == "false"
	case jsonval.Number:
		n, ok := v.Float()
		e.yes, e.no = e.yes || ok && n == 1 && !status, e.no || ok && n == 0 && !status
		e.unclear = e.unclear || plain && n != 0 && n < 1
	case jsonval.String:
		short := plain || OneOf(name, "outcome verdict")
		yes := OneOf(word, goodWords) || OneOf(word, doneWords) && !status || short && OneOf(word, yesWords)
		no := OneOf(word, badWords) || short && OneOf(word, noWords)
		e.yes, e.no = e.yes || yes, e.no || no
		e.unclear = e.unclear || plain && !yes && !no && word != ""
	}
}

// noteScore adds a score: a number, or true or false.
func (e *outcome) noteScore(v jsonval.Value) {
	if b, ok := v.Bool(); ok {
		e.yes, e.no = e.yes || b, e.no || !b
	} else if n, err := strconv.ParseFloat(v.Text(), 64); err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) { // a cell of a table may be a text
		e.scores = append(e.scores, n)
	}
}

// noteMembers adds the members of an object.
func (e *outcome) noteMembers(o *Object) {
	for i, key := range o.Keys {
		e.noteMember(key, o.Values[i])
	}
}

// noteInside adds the members of the objects in an object that say how a run ended, at most
// depth levels deep.
func (e *outcome) noteInside(o *Object, depth int) {
	eachName(outcomeInside, func(name string) bool {
		if inner := OpenObject(o.MemberNamed(name)); len(inner.Keys) > 0 {
			e.noteMembers(inner)
			if depth > 1 {
				e.noteInside(inner, depth-1)
			}
		}
		return true
	})
}

// noteEvaluations adds the results of evaluators in a member of a record.
func (e *outcome) noteEvaluations(key string, list jsonval.Value) {
	if k := list.Kind(); k != jsonval.Array && k != jsonval.Object || !OneOf(foldName(key), evaluationNames) {
		return
	}
	if inner := list.Get("results"); inner.Kind() == jsonval.Array {
		list = inner
	}
	list.Each(func(name string, v jsonval.Value) bool {
		switch v.Kind() {
		case jsonval.Object:
			e.noteEvaluation(OpenObject(v))
		case jsonval.Number, jsonval.Bool:
			if list.Kind() == jsonval.Object && OneOf(foldName(key), "scores feedbackscores") && !OneOf(foldOutcome(name), passNames) {
				e.noteScore(v)
			}
		}
		return true
	})
}

// noteColumn adds the result of an evaluator in a column of a table, such as match/score and
// outputs.accuracy.accuracy_result.
func (e *outcome) noteColumn(key string, v jsonval.Value) {
	at := strings.LastIndexAny(key, "./")
	if k := v.Kind(); at < 0 && k != jsonval.Array && k != jsonval.Object && isCallMetric(key) {
		e.noteScore(v)
	}
	if at <= 0 || isExpected(key) || strings.HasPrefix(key, "input") {
		return
	}
	word := key[at+1:]
	switch word = word[strings.LastIndexByte(word, '_')+1:]; {
	case word == "value" && key[at] == '/' && v.Kind() == jsonval.Bool:
		e.noteMember("passed", v)
	default:
		e.noteMember(word, v)
	}
}

// isCallMetric reports whether a column has a figure for the calls of a run, such as
// tool_call_accuracy.
func isCallMetric(key string) bool {
	if !speaksOfCalls(key) {
		return false
	}
	for _, ending := range [...]string{"accuracy", "correctness", "match", "score"} {
		if strings.HasSuffix(strings.ToLower(key), ending) {
			return true
		}
	}
	return false
}

// noteEvaluation adds the result of one evaluator. Whether the run passed says more than a
// score, and a score more than a label.
func (e *outcome) noteEvaluation(o *Object) {
	var one outcome
	one.noteMembers(o)
	value, label := o.Get("value"), strings.ToLower(o.FirstString("label value"))
	switch {
	case one.yes || one.no:
	case len(one.scores) > 0:
		e.scores = append(e.scores, one.scores...)
	case value.Kind() == jsonval.Number, value.Kind() == jsonval.Bool:
		e.noteScore(value)
	case OneOf(label, goodWords):
		one.yes = true
	case OneOf(label, badWords):
		one.no = true
	}
	e.yes, e.no = e.yes || one.yes, e.no || one.no
}

// settleAnswers decides about a record that says several things of its end.
func (e *outcome) settleAnswers() {
	e.unclear = e.yes && e.no || e.unclear && !e.no
	e.unread = e.unclear
}

// outcomeOf returns what the record of a run says about its end: in a member of its own, or
// else in an inner object, or else as the results of evaluators, or else as a score.
func outcomeOf(record *Object) outcome {
	var own, judged outcome
	own.noteMembers(record)
	inner := outcome{scores: own.scores}
	inner.noteInside(record, 2)
	for i, key := range record.Keys {
		judged.noteEvaluations(key, record.Values[i])
		judged.noteColumn(key, record.Values[i])
	}
	judged.yes = judged.yes && !judged.no
	var whole outcome
	switch {
	case own.yes || own.no || own.unclear:
		own.settleAnswers()
		whole = own
	case inner.yes || inner.no || inner.unclear:
		inner.settleAnswers()
		whole = inner
	default:
		whole = judged
		if !judged.yes && !judged.no && len(inner.scores) > 0 {
			whole.scores = inner.scores
		}
		whole.scores = slices.Compact(whole.scores)
		whole.unread = !whole.yes && !whole.no && len(whole.scores) > 1
	}
	for _, name := range rewardInside {
		inner.noteMember("reward", record.OpenMember(name).Get("reward"))
	}
	yes, no := own.yes || inner.yes || judged.yes, own.no || inner.no || judged.no
	whole.both = (yes || own.whole || inner.whole) && (no || own.nothing || inner.nothing)
	return whole
}

// rewardInside are the inner objects of a record into which benchmarks write the reward.
var rewardInside = [...]string{"reward_info", "rewardInfo", "info"}

// rewardOf returns the reward in an inner object of a record.
func rewardOf(record *Object) jsonval.Value {
	for _, inner := range rewardInside {
		if v := record.OpenMember(inner).Get("reward"); v.Kind() == jsonval.Number {
			return v
		}
	}
	return jsonval.Value{}
}

// copyJudged is like copyOutcome for the document of a format, which says itself how the run
// ended: it uses only the results of evaluators.
func (d *Decoder) copyJudged(runs []trajectory.Trajectory, o *Object) {
	judged := &Object{}
	for i, key := range o.Keys {
		if k := o.Values[i].Kind(); (k == jsonval.Array || k == jsonval.Object) && OneOf(foldName(key), evaluationNames) {
			judged.Keys, judged.Values = append(judged.Keys, key), append(judged.Values, o.Values[i])
		}
	}
	if len(judged.Keys) > 0 {
		d.copyOutcome(runs, judged)
	}
}

// copyOutcome sets the outcome that a row gives for its run, if the run has none.
func (d *Decoder) copyOutcome(runs []trajectory.Trajectory, row *Object) {
	if len(runs) != 1 || d.probing {
		return
	}
	t := &runs[0]
	e := outcomeOf(row)
	if e.both {
		doubtOutcome(t)
		return
	}
	if t.Success != nil {
		if *t.Success && (e.no || e.nothing || e.unclear || row.saysFailed(true)) || !*t.Success && e.yes {
			doubtOutcome(t)
		}
		return
	}
	if v := rewardOf(row); v.Exists() {
		SetReward(t, v)
		return
	}
	if e.unclear {
		t.Doubt = cmp.Or(t.Doubt, "its record does not say clearly whether the run succeeded")
	}
	switch {
	case e.unread:
		d.AddTally("outcome-not-read", "of the records: several outcomes are recorded, so none was used", 1)
	case e.yes || e.no:
		t.Success = &e.yes
	case len(e.scores) == 1 && t.Reward == nil:
		t.Reward, t.Scored = &e.scores[0], true
		if e.scores[0] == 0 {
			t.Success = new(bool)
		}
	}
	if row.saysFailed(true) {
		noteFailure(t)
	}
	if t.Success == nil && t.Reward == nil {
		readStop(t, row)
	}
}

// noteFailure notes that a record says in another member than its outcome that the run failed.
func noteFailure(t *trajectory.Trajectory) {
	switch {
	case t.Success == nil:
		t.Success = new(bool)
	case *t.Success:
		doubtOutcome(t)
	}
}

// bothWords say of a run that its record says two things.
const bothWords = "its record says that the run succeeded, and that it failed"

// doubtOutcome notes that a record says that the run succeeded, and that it failed. settleScores
// takes the outcome away.
func doubtOutcome(t *trajectory.Trajectory) { t.Doubt, t.Contradicted = bothWords, true }

// saysFailed reports whether a member of a record with a run, or of its inner objects if deep
// is set, says that the run failed.
func (o *Object) saysFailed(deep bool) bool {
	if deep && !o.HasAny(runMembers) {
		return false
	}
	for i, key := range o.Keys {
		v, name := o.Values[i], foldOutcome(key)
		word := strings.ToLower(v.Text())
		switch n, _ := v.Float(); {
		case OneOf(name, failedNames):
			if word == "true" || v.Kind() == jsonval.Number && n > 0 || v.Kind() == jsonval.String && !OneOf(word, "false none null no 0") && word != "" || v.Len() > 0 {
				return true
			}
		case OneOf(name, codeNames) && (v.Kind() == jsonval.Number && n != 0 || OneOf(word, badWords)), OneOf(name, stopNames) && OneOf(word, "error errored fail failed failure crash crashed exception"):
			return true
		case deep && OneOf(key, failedInside) && OpenObject(v).saysFailed(false):
			return true
		}
	}
	return false
}

// settleScores decides what the scores of the records mean. The scale of a score is not
// known, unless one of the text is zero or a fraction and none is above one: then one is a
// success. Scores on another scale are no rewards.
func (d *Decoder) settleScores() {
	fraction, above, both := false, 0, 0
	for i := range d.Trajectories {
		if t := &d.Trajectories[i]; t.Scored {
			fraction = fraction || *t.Reward < 1
			above += IfElse(*t.Reward > 1 || *t.Reward < 0, 1, 0)
		}
	}
	for i := range d.Trajectories {
		if t := &d.Trajectories[i]; t.Contradicted {
			t.Success, t.Reward, t.Scored, both = nil, nil, false, both+1
		}
	}
	for i := range d.Trajectories {
		switch t := &d.Trajectories[i]; {
		case !t.Scored:
		case above > 0:
			t.Reward = nil
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
func readStop(t *trajectory.Trajectory, record *Object) {
	for i, key := range record.Keys {
		word, ok := record.Values[i].Str()
		switch name := foldOutcome(key); {
		case OneOf(name, stopNames):
			lower := strings.ToLower(word)
			ok = ok && (OneOf(lower, "length max_tokens max_turns max_steps max_iterations timeout timed_out content_filter model_context_window_exceeded") || strings.Contains(lower, "limit"))
		case name == "truncated":
			word, ok = "truncated", record.Values[i].Text() == "true"
		default:
			ok = false
		}
		if ok {
			t.Stopped = word
			if t.Doubt == "" {
				t.Doubt = "the run was stopped before its end: " + QuoteExcerpt(word, 0, 40)
			}
		}
	}
}
