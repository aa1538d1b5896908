package shape

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// The names and words of outcomes. Names are as FoldOutcome returns them. The member of a
// status says with success only that nothing broke, so that word does not count there.
const (
	passNames     = "success succeeded successful passed pass correct resolved solved achieved accomplished successrate win won match matched exactmatch outcome verdict status result state conclusion"
	PlainNames    = "success succeeded successful successrate passed solved achieved accomplished won" // they hold nothing but yes or no
	scoreNames    = "score reward"
	outcomeInside = "outcome result results metrics metadata meta evaluation eval eval_result evalResult grade scores report test_result testResult evaluation_result evaluationResult judgement judgment grader"
	goodWords     = "pass passed correct resolved solved"
	doneWords     = "success succeeded successful true"
	badWords      = "fail failed failure error errored incorrect wrong unresolved unsolved unsuccessful false aborted crash crashed timeout timedout timed_out killed"
	YesWords      = "yes y t 1 1.0 ok ✅ ✓ ✔"
	NoWords       = "no n f 0 0.0 incomplete loss lost ❌ ✗ ✘"
)

// The members with which a record says that its run failed or did not end, as FoldOutcome returns
// their names: as true, a number above zero, or a text, an object or a list that is not empty.
const (
	failedNames  = "failed failure crashed aborted timedout errored exception error errors"
	unendedNames = "ok completed complete finished" // they say so as false
	codeNames    = "exitcode returncode exitstatus"
	StopNames    = "stopreason finishreason terminationreason terminated"
	failedInside = "metadata meta info tests"
	runMembers   = "trace messages trajectory conversation turns history steps actions calls tool_calls toolCalls tools_called toolsCalled function_calls events output outputs input inputs run transcript chat log result response data"
)

// EvaluationNames are the members of a record with the results of evaluators: a list of
// objects, or an object with one for each evaluator.
const EvaluationNames = "annotations feedbackscores scores evaluations evaluationresults evalresults metrics metricsdata metricresults evaluatorresults evaluators feedback grades gradingresults gradingresult " +
	"scorers scorerresults evalmetricresults overallevalmetricresults judgements judgments scoreresults assessments checks"

// FoldOutcome returns the name of a member without the words around that of an outcome, such
// as passed for is_passed, and score for overallScore.
func FoldOutcome(name string) string {
	if len(name) > 24 {
		return ""
	}
	name = wordlist.FoldName(name)
	for _, opening := range [...]string{"is", "was", "final", "overall", "total", "mean", "test", "task", "eval", "case", "run", "agent", "goal"} {
		if rest, ok := strings.CutPrefix(name, opening); ok && rest != "" {
			name = rest
		}
	}
	return name
}

// Outcome is what the members of a record say about its end.
type Outcome struct {
	Yes, No bool      // a member says that the run succeeded, or that it failed
	Scores  []float64 // on a scale that is not known
	whole   bool      // there is a reward of 1
	Nothing bool      // there is a score of 0 for the run as a whole
	Unread  bool      // there is an outcome that cannot be read
	Unclear bool      // there is an answer that is neither yes nor no, or both
	Both    bool      // one part of the record says yes and another says no
}

// noteMember adds one member. A number with the name of a success counts if it is 1 or 0.
func (e *Outcome) noteMember(key string, v jsonval.Value) {
	if k := v.Kind(); k == jsonval.Null || k >= jsonval.Array && k != jsonval.String {
		return
	}
	name := FoldOutcome(key)
	if OneOf(name, scoreNames) {
		e.noteScore(v)
		n, err := strconv.ParseFloat(v.Text(), 64)
		e.whole, e.Nothing = e.whole || err == nil && n == 1 && name == "reward", e.Nothing || err == nil && n == 0
		return
	}
	if name == "" || !OneOf(name, passNames) {
		return
	}
	word, plain := strings.ToLower(strings.TrimSpace(v.Text())), OneOf(name, PlainNames)
	switch status := OneOf(name, "status state conclusion"); v.Kind() {
	case jsonval.Bool:
		e.Yes, e.No = e.Yes || word == "true", e.No || word == "false"
	case jsonval.Number:
		n, ok := v.Float()
		e.Yes, e.No = e.Yes || ok && n == 1 && !status, e.No || ok && n == 0 && !status
		e.Unclear = e.Unclear || plain && n != 0 && n < 1
	case jsonval.String:
		short := plain || OneOf(name, "outcome verdict")
		yes := OneOf(word, goodWords) || OneOf(word, doneWords) && !status || short && OneOf(word, YesWords)
		no := OneOf(word, badWords) || short && OneOf(word, NoWords)
		e.Yes, e.No = e.Yes || yes, e.No || no
		e.Unclear = e.Unclear || plain && !yes && !no && word != ""
	}
}

// noteScore adds a score: a number, or true or false.
func (e *Outcome) noteScore(v jsonval.Value) {
	if b, ok := v.Bool(); ok {
		e.Yes, e.No = e.Yes || b, e.No || !b
	} else if n, err := strconv.ParseFloat(v.Text(), 64); err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) { // a cell of a table may be a text
		e.Scores = append(e.Scores, n)
	}
}

// noteMembers adds the members of an object.
func (e *Outcome) noteMembers(o *Object) {
	for i, key := range o.Keys {
		e.noteMember(key, o.Values[i])
	}
}

// noteInside adds the members of the objects in an object that say how a run ended, at most
// depth levels deep.
func (e *Outcome) noteInside(o *Object, depth int) {
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
func (e *Outcome) noteEvaluations(key string, list jsonval.Value) {
	if k := list.Kind(); k != jsonval.Array && k != jsonval.Object || !OneOf(wordlist.FoldName(key), EvaluationNames) {
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
			if list.Kind() == jsonval.Object && OneOf(wordlist.FoldName(key), "scores feedbackscores") && !OneOf(FoldOutcome(name), passNames) {
				e.noteScore(v)
			}
		}
		return true
	})
}

// noteColumn adds the result of an evaluator in a column of a table, such as match/score and
// outputs.accuracy.accuracy_result.
func (e *Outcome) noteColumn(key string, v jsonval.Value) {
	at := strings.LastIndexAny(key, "./")
	if k := v.Kind(); at < 0 && k != jsonval.Array && k != jsonval.Object && isCallMetric(key) {
		e.noteScore(v)
	}
	if at <= 0 || IsExpected(key) || strings.HasPrefix(key, "input") {
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
	if !SpeaksOfCalls(key) {
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
func (e *Outcome) noteEvaluation(o *Object) {
	var one Outcome
	one.noteMembers(o)
	if inner := o.OpenMember("feedback"); inner.HasAny("value") { // MLflow
		o = inner
	}
	value, label := o.Get("value"), strings.ToLower(o.FirstString("label value"))
	switch {
	case one.Yes || one.No:
	case len(one.Scores) > 0:
		e.Scores = append(e.Scores, one.Scores...)
	case value.Kind() == jsonval.Number, value.Kind() == jsonval.Bool:
		e.noteScore(value)
	case OneOf(label, goodWords):
		one.Yes = true
	case OneOf(label, badWords):
		one.No = true
	}
	e.Yes, e.No = e.Yes || one.Yes, e.No || one.No
}

// settleAnswers decides about a record that says several things of its end.
func (e *Outcome) settleAnswers() {
	e.Unclear = e.Yes && e.No || e.Unclear && !e.No
	e.Unread = e.Unclear
}

// OutcomeOf returns what the record of a run says about its end: in a member of its own, or
// else in an inner object, or else as the results of evaluators, or else as a score.
func OutcomeOf(record *Object) Outcome {
	var own, judged Outcome
	own.noteMembers(record)
	inner := Outcome{Scores: own.Scores}
	inner.noteInside(record, 2)
	for i, key := range record.Keys {
		judged.noteEvaluations(key, record.Values[i])
		judged.noteColumn(key, record.Values[i])
	}
	judged.Yes = judged.Yes && !judged.No
	var whole Outcome
	switch {
	case own.Yes || own.No || own.Unclear:
		own.settleAnswers()
		whole = own
	case inner.Yes || inner.No || inner.Unclear:
		inner.settleAnswers()
		whole = inner
	default:
		whole = judged
		if !judged.Yes && !judged.No && len(inner.Scores) > 0 {
			whole.Scores = inner.Scores
		}
		whole.Scores = slices.Compact(whole.Scores)
		whole.Unread = !whole.Yes && !whole.No && len(whole.Scores) > 1
	}
	for _, name := range rewardInside {
		inner.noteMember("reward", record.OpenMember(name).Get("reward"))
	}
	yes, no := own.Yes || inner.Yes || judged.Yes, own.No || inner.No || judged.No
	whole.Both = (yes || own.whole || inner.whole) && (no || own.Nothing || inner.Nothing)
	return whole
}

// rewardInside are the inner objects of a record into which benchmarks write the reward.
var rewardInside = [...]string{"reward_info", "rewardInfo", "info"}

// RewardOf returns the reward in an inner object of a record.
func RewardOf(record *Object) jsonval.Value {
	for _, inner := range rewardInside {
		if v := record.OpenMember(inner).Get("reward"); v.Kind() == jsonval.Number {
			return v
		}
	}
	return jsonval.Value{}
}

// SaysFailed reports whether a member of a record with a run, or of its inner objects if deep
// is set, says that the run failed.
func (o *Object) SaysFailed(deep bool) bool {
	if deep && !o.HasAny(runMembers) {
		return false
	}
	for i, key := range o.Keys {
		v, name := o.Values[i], FoldOutcome(key)
		word := strings.ToLower(v.Text())
		switch n, _ := v.Float(); {
		case OneOf(name, failedNames):
			if word == "true" || v.Kind() == jsonval.Number && n > 0 || v.Kind() == jsonval.String && !OneOf(word, "false none null no 0") && word != "" || v.Len() > 0 {
				return true
			}
		case OneOf(name, unendedNames) && (v.Raw() == "false" || v.Kind() == jsonval.String && (word == "false" || OneOf(word, NoWords))):
			return true
		case OneOf(name, codeNames) && (v.Kind() == jsonval.Number && n != 0 || OneOf(word, badWords)), OneOf(name, StopNames) && OneOf(word, "error errored fail failed failure crash crashed exception"):
			return true
		case deep && OneOf(key, failedInside) && OpenObject(v).SaysFailed(false):
			return true
		}
	}
	return false
}
