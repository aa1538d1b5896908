package shape

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// The one table of the names and words of outcomes. Names are as FoldOutcome returns them, and words as
// answerOf does. Names of plainNames hold nothing but yes or no, those of answerNames also say other
// things, and those of verdictNames hold the word of a judge. A status says with success only that nothing
// broke, so that word does not count there. A name of looseVerdicts may also be that of a category or of
// the judge, and one of remarkNames holds free words.
const (
	plainNames    = "success succeeded successful successrate pass passed passing solved achieved accomplished won passfail taskcompleted taskcomplete goalcompleted"
	answerNames   = "correct ok okay resolved win match matched matches exactmatch reached met satisfied fulfilled"
	verdictNames  = "outcome verdict endstate grade grading judgement judgment assessment " + looseVerdicts
	looseVerdicts = "label rating quality thumbs thumb evaluation judge grader evaluator rater autorater reviewer"
	stateNames    = "status result state conclusion"
	scoreNames    = "score reward accuracy correctness passrate overall acc em"
	remarkNames   = "comment comments critique remark remarks tags labels flags"
	markNames     = "mark note nota" // a score as a number, and free words as a text
	countNames    = "passed won"
	outcomeInside = "labels outcome result results metrics metricsdata metadata meta evaluation eval evalresult grade grading gradingresult scores report testresult evaluationresult judgement judgment grader judge review " +
		"assessment analysis callanalysis humaneval feedback verdict final summary autorater rater evaluator graded grading scoring verification validation oracle stats rewards"
	goodWords = "pass passed correct resolved solved good"
	doneWords = "success succeeded successful true thumbsup up approved accepted acceptable satisfactory"
	badWords  = "fail failed failure ko nok ng error errored incorrect wrong unresolved unsolved unsuccessful false aborted crash crashed timeout timedout killed bad poor invalid rejected unacceptable unsatisfactory unsafe down thumbsdown"
	yesWords  = "yes y t 1 1.0 ok okay"
	noWords   = "no n f 0 0.0 incomplete loss lost"
	yesSigns  = "✅ ✓ ✔ ✔️ ☑ 👍"
	noSigns   = "❌ ✗ ✘ ✖ ❎ 👎"
)

// isAnswerName reports whether a member with this name, as FoldOutcome returns it, says how a run ended.
func isAnswerName(name string) bool {
	return OneOf(name, plainNames) || OneOf(name, answerNames) || OneOf(name, verdictNames) || OneOf(name, stateNames)
}

// endNames are the names in all lists.
var endNames = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, list := range [...]string{plainNames, answerNames, verdictNames, stateNames, scoreNames, failedNames, errorNames, noticeNames, unendedNames, codeNames, StopNames, remarkNames, markNames} {
		for _, name := range strings.Fields(list) {
			all[name] = true
		}
	}
	return all
})

// isEndName reports whether a name, as FoldOutcome returns it, is in one of the lists of names.
func isEndName(name string) bool { return endNames()[name] }

// IsOutcomeName reports whether a member with this name says how a run ended, and nothing else.
func IsOutcomeName(name string) bool {
	name = FoldOutcome(name)
	return OneOf(name, plainNames) || OneOf(name, answerNames) || OneOf(name, scoreNames) || OneOf(name, verdictNames) && !OneOf(name, looseVerdicts)
}

// CellOutcome returns the answer in a cell of a table as JSON, or "" if the column is none of answers, or
// the cell has none.
func CellOutcome(column, cell string) string {
	if name := FoldOutcome(column); !OneOf(name, plainNames) && !OneOf(name, answerNames) {
		return ""
	}
	yes, no := answerOf(cell, true, true)
	return IfElse(yes, "true", IfElse(no, "false", ""))
}

// answerOf returns what a word says of how a run ended. done says that words for an end without a fault
// count, and short that those for yes and no do. What follows a word of a failure explains it.
func answerOf(word string, done, short bool) (yes, no bool) {
	word = strings.ToLower(strings.Trim(strings.TrimSpace(word), ".!*"))
	known := func(word string) (yes, no bool) {
		if OneOf(word, yesSigns) || OneOf(word, noSigns) {
			return OneOf(word, yesSigns), OneOf(word, noSigns)
		}
		folded := wordlist.FoldName(word)
		good := OneOf(folded, goodWords) || done && OneOf(folded, doneWords)
		not, negated := strings.CutPrefix(folded, "not")
		return good || short && OneOf(word, yesWords), OneOf(folded, badWords) || short && OneOf(word, noWords) || negated && (OneOf(not, goodWords) || OneOf(not, doneWords) || OneOf(not, yesWords))
	}
	if len(word) > 0 && word[0] >= utf8.RuneSelf {
		word = cutSign(word)
	}
	if yes, no = known(word); yes || no {
		return yes, no
	}
	if first, _, ok := strings.Cut(word, ":"); ok {
		_, no = known(strings.TrimSpace(first))
	} else if english := englishOutcome(word); english != "" {
		yes, no = known(english)
	}
	return yes, no
}

// speaksOfEnd reports whether a text of at most four words has one for how a run ended.
func speaksOfEnd(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return strings.ContainsRune(" _-:,.;/", c) })
	return len(words) <= 4 && slices.ContainsFunc(words, func(word string) bool {
		return OneOf(word, goodWords) || OneOf(word, doneWords) || OneOf(word, badWords) || word == "partial" || word == "partially"
	})
}

// The members with which a record says that its run failed, that an error ended it or that it did not end, as
// FoldOutcome returns their names: as true, a number above zero, or a text, an object or a list that is not empty.
const (
	failedNames  = "failed failure failures fail fails failing crashed aborted timedout unmet violated violation violations incorrect wrong unsolved unresolved unsuccessful unsafe"
	errorNames   = "error errors errored exception"
	noticeNames  = "flagged"                                              // as true they say that somebody found something
	unendedNames = "ok okay completed complete finished valid acceptable" // they say so as false
	codeNames    = "exitcode returncode exitstatus"
	StopNames    = "stopreason finishreason terminationreason terminated"
	failedInside = "metadata meta info tests outcome result evaluation eval report summary final verdict judge grade assessment feedback humanreview humanfeedback tracemetadata runmetadata"
	runMembers   = "trace messages trajectory conversation turns history steps actions calls tool_calls toolCalls tools_called toolsCalled function_calls events output outputs input inputs run transcript chat log result response data"
)

// evaluationNames are the members of a record with the results of evaluators: a list of
// objects, or an object with one for each evaluator.
const evaluationNames = "annotations feedbackscores scores evaluations evaluationresults evalresults metrics metricsdata metricresults evaluatorresults evaluators feedback grades gradingresults gradingresult " +
	"scorers scorerresults evalmetricresults overallevalmetricresults judgements judgments scoreresults assessments checks evals graders judges assertions criteria rubric rubrics tests testresults verdicts"

// Outcome is what the members of a record say about its end.
type Outcome struct {
	Yes, No bool      // a member says that the run succeeded, or that it failed
	Scores  []float64 // on a scale that is not known
	whole   bool      // there is a reward of 1
	Nothing bool      // there is a score of 0 for the run as a whole
	Unread  bool      // there is an outcome that cannot be read
	Unclear bool      // there is an answer that is neither yes nor no, or both
	Both    bool      // one part of the record says yes and another says no
	Ended   bool      // a state says in a word that the run ended without a fault
	Broke   bool      // a state says that it failed
}

// noteMember adds one member. A number with the name of a success counts if it is 1 or 0. Of a list
// each element counts.
func (e *Outcome) noteMember(key string, v jsonval.Value) {
	k := v.Kind()
	if k == jsonval.Null || k == jsonval.Missing {
		return
	}
	name := FoldOutcome(key)
	switch {
	case name == "":
		return
	case OneOf(name, failedNames):
		e.No = e.No || saysSome(v)
		return
	case OneOf(name, unendedNames) && SuccessFlag(v) == Failed:
		e.No = true
		return
	case k == jsonval.Object:
		if OneOf(name, scoreNames) || OneOf(name, plainNames) || OneOf(name, answerNames) {
			e.noteMembers(OpenObject(v))
		}
		return
	case OneOf(name, remarkNames):
		e.Unclear = e.Unclear || saysBad(v)
		return
	case OneOf(name, noticeNames):
		e.Unclear = e.Unclear || v.Raw() == "true"
		return
	case k == jsonval.Array:
		if list := v.Elements(); len(list) < 9 && (len(list) == 1 || isAnswerName(name) && !OneOf(name, stateNames) && !OneOf(name, looseVerdicts)) {
			for _, element := range list {
				if element.Kind() != jsonval.Array {
					e.noteMember(key, element)
				}
			}
		}
		return
	case OneOf(name, scoreNames), OneOf(name, markNames) && k == jsonval.Number:
		e.noteScoreMember(name, v)
		return
	case OneOf(name, markNames) && k == jsonval.String: // a sign or a word alone, or else free words
		yes, no := answerOf(v.Text(), true, false)
		no = no && !strings.Contains(v.Text(), ":")
		e.Yes, e.No = e.Yes || yes, e.No || no
		return
	case !isAnswerName(name):
		return
	}
	word, plain := strings.TrimSpace(v.Text()), OneOf(name, plainNames)
	status, verdict := OneOf(name, stateNames) && name != "result", OneOf(name, verdictNames)
	switch v.Kind() {
	case jsonval.Bool:
		e.Yes, e.No = e.Yes || word == "true", e.No || word == "false"
	case jsonval.Number:
		if verdict && !OneOf(name, "outcome verdict "+looseVerdicts) { // such as a grade
			e.noteScore(v)
			return
		}
		n, ok := v.Float()
		sure := ok && !status && !(verdict && !OneOf(name, "outcome verdict"))
		e.Yes, e.No = e.Yes || sure && n == 1, e.No || sure && n == 0
		e.Unclear = e.Unclear || plain && n != 0 && n != 1 && !(n > 1 && OneOf(name, countNames)) || verdict && (!sure || n != 0 && n != 1) && (n < 0 || !OneOf(name, looseVerdicts))
	case jsonval.String:
		yes, no := answerOf(word, !status, plain || verdict || OneOf(name, answerNames))
		if OneOf(name, stateNames) && strings.Contains(word, ":") { // such as the result of a call
			no = false
		}
		if n, ok := scoreOf(word); ok && plain { // such as 0%
			yes, no = n == 1, n == 0
		}
		e.Yes, e.No = e.Yes || yes, e.No || no
		ended, _ := answerOf(word, true, false)
		e.Ended, e.Broke = e.Ended || status && (ended || strings.EqualFold(word, "ok")), e.Broke || status && no && strings.HasPrefix(strings.ToLower(word), "fail")
		e.Unclear = e.Unclear || !yes && !no && !ended && word != "" && (plain || verdict && !OneOf(name, looseVerdicts) && strings.Count(word, " ") < 3 || speaksOfEnd(word))
	}
}

// noteScoreMember adds a member with the name of a score. What is neither a word nor a figure is unclear.
func (e *Outcome) noteScoreMember(name string, v jsonval.Value) {
	text, isText := v.Str()
	n, ok := scoreOf(v.Text())
	if isText && !ok {
		yes, no := answerOf(text, true, true)
		yes, no = yes || text == "C", no || text == "I" // as Inspect marks answers
		e.Yes, e.No = e.Yes || yes, e.No || no
		e.Unclear = e.Unclear || !yes && !no && !SaysNothing(v) && strings.TrimSpace(text) != "" && strings.Count(text, " ") < 3
		return
	}
	e.noteScore(v)
	e.Yes = e.Yes || isText && n == 1 && strings.ContainsAny(text, "%/") // such as 100% and 3/3
	e.whole, e.Nothing = e.whole || ok && n == 1 && name == "reward", e.Nothing || ok && n == 0
}

// noteScore adds a score: a number, or true or false.
func (e *Outcome) noteScore(v jsonval.Value) {
	if b, ok := v.Bool(); ok {
		e.Yes, e.No = e.Yes || b, e.No || !b
	} else if n, ok := scoreOf(v.Text()); ok { // a cell of a table may be a text
		e.Scores = append(e.Scores, n)
	}
}

// noteMembers adds the members of an object.
func (e *Outcome) noteMembers(o *Object) {
	var one Outcome
	for i, key := range o.Keys {
		one.noteMember(key, o.Values[i])
	}
	one.applyScale(o)
	e.addOther(&one)
}

// addOther adds what another object of the record says.
func (e *Outcome) addOther(one *Outcome) {
	e.Yes, e.No, e.Unclear = e.Yes || one.Yes, e.No || one.No, e.Unclear || one.Unclear
	e.whole, e.Nothing = e.whole || one.whole, e.Nothing || one.Nothing
	e.Ended, e.Broke = e.Ended || one.Ended, e.Broke || one.Broke
	e.Scores = append(e.Scores, one.Scores...)
}

// noteInside adds the members of the objects in an object that say how a run ended, at most
// depth levels deep, and to judged the results of evaluators in them.
func (e *Outcome) noteInside(o *Object, depth int, judged *Outcome) {
	for i, key := range o.Keys {
		if v := o.Values[i]; v.Kind() == jsonval.Object && (isPlace(key) || key == "output" && isEnvironmentsOutput(v)) {
			inner := OpenObject(v)
			e.noteMembers(inner)
			if word := inner.FirstString("type kind value label category"); OneOf(FoldOutcome(key), verdictNames) {
				yes, no := answerOf(word, true, false)
				e.Yes, e.No = e.Yes || yes, e.No || no
			}
			if depth > 1 {
				e.noteInside(inner, depth-1, judged)
			}
			for k, name := range inner.Keys {
				judged.noteEvaluations(name, inner.Values[k])
			}
		}
	}
}

// isEnvironmentsOutput reports whether an output has the conversation in an environment, beside what the
// environment says of it.
func isEnvironmentsOutput(v jsonval.Value) bool {
	o := OpenObject(v)
	return o.IsList("history") && o.IsObject("result") || o.IsObject("scores")
}

// noteEvaluations adds the results of evaluators in a member of a record.
func (e *Outcome) noteEvaluations(key string, list jsonval.Value) {
	if k := list.Kind(); k != jsonval.Array && k != jsonval.Object || !IsEvaluations(key) && !(key == "results" && areVerdicts(list)) {
		return
	}
	if inner := list.Get("results"); inner.Kind() == jsonval.Array {
		list = inner
	}
	list.Each(func(name string, v jsonval.Value) bool {
		if v.Kind() != jsonval.Object && name != "" && OneOf(FoldOutcome(name), failedNames) {
			e.No = e.No || saysSome(v)
			return true
		}
		switch v.Kind() {
		case jsonval.Object:
			if o := OpenObject(v); !slices.ContainsFunc(o.Keys, IsRunSide) && !HasCallList(o) && o.FirstText("observationId observation_id") == "" { // such as the tests of a suite, or of one answer
				e.noteEvaluation(o)
			}
		case jsonval.Bool:
			if !isAnswerName(FoldOutcome(name)) {
				e.noteScore(v)
			}
		case jsonval.Number:
			if list.Kind() == jsonval.Object && OneOf(wordlist.FoldName(key), "scores feedbackscores") && !isAnswerName(FoldOutcome(name)) {
				e.noteScore(v)
			}
		case jsonval.String:
			yes, no := answerOf(v.Text(), false, false)
			e.Yes, e.No = e.Yes || yes && name != "", e.No || no
		}
		return true
	})
}

// areVerdicts reports whether each element of a list is what one evaluator says.
func areVerdicts(list jsonval.Value) bool {
	return list.Kind() == jsonval.Array && list.Len() > 0 && !slices.ContainsFunc(list.Elements(), func(v jsonval.Value) bool {
		o := OpenObject(v)
		return !o.HasAny("key name metric evaluator evaluator_name criterion grader scorer") || !o.HasAny("score pass passed value label verdict") || HasRunSide(o) || HasCallList(o) || o.HasAny(runMembers)
	})
}

// noteColumn adds the result of an evaluator in a column of a table, such as match/score and
// outputs.accuracy.accuracy_result.
func (e *Outcome) noteColumn(key string, v jsonval.Value) {
	at := strings.LastIndexAny(key, "./")
	if IsScoreColumn(key) && (v.Kind() == jsonval.Bool || v.Kind() == jsonval.Number) {
		e.noteScore(v)
		return
	}
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

// IsScoreColumn reports whether a column of a table has the figures of an evaluator: feedback.accuracy.
func IsScoreColumn(name string) bool {
	place, _, ok := strings.Cut(name, ".")
	return ok && OneOf(place, "feedback scores")
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
	if name := FoldOutcome(o.FirstString("name metric key evaluator")); OneOf(name, plainNames) {
		one.noteMember(name, o.Get("value score result"))
	}
	said := o.FirstString("label value stringValue string_value")
	short := false
	if inner := o.OpenMember("feedback"); inner.HasAny("value") { // MLflow
		o, said, short = inner, inner.FirstString("value"), !saysLess(o.FirstString("assessment_name name"))
	} else if inner := o.OpenMember("result"); inner.HasAny("label score value passed pass") { // Phoenix
		one.noteEvaluation(inner)
	}
	value := o.Get("value")
	yes, no := answerOf(said, OneOf(o.FirstString("dataType data_type"), "BOOLEAN CATEGORICAL"), short)
	yes, no = yes || said == "C" && o.HasAny("answer explanation"), no || said == "I" && o.HasAny("answer explanation") // as Inspect marks answers
	if average := o.Get("avg mean"); average.Kind() == jsonval.Number && o.HasAny("n count") {
		value = average
	}
	switch {
	case one.Yes || one.No, OneOf(o.FirstString("dataType data_type"), "BOOLEAN CATEGORICAL") && (yes || no):
		one.Yes, one.No = one.Yes || yes, one.No || no
	case len(one.Scores) > 0:
		e.Scores = append(e.Scores, one.Scores...)
	case value.Kind() == jsonval.Number, value.Kind() == jsonval.Bool:
		e.noteScore(value)
	default:
		one.Yes, one.No = yes, no
	}
	e.Yes, e.No, e.Unclear = e.Yes || one.Yes, e.No || one.No, e.Unclear || one.Unclear
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
	inner.noteInside(record, 3, &judged)
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
		whole.Unclear = whole.Unclear && !whole.No
		whole.Unread = whole.Unclear || !whole.Yes && !whole.No && len(whole.Scores) > 1
	}
	for _, name := range rewardInside {
		inner.noteMember("reward", record.OpenMember(name).Get("reward"))
	}
	whole.Ended, whole.Broke = own.Ended, own.Broke
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
	for _, inner := range [...]string{"verifier_result", "verifier", "result"} {
		if v := record.OpenMember(inner).OpenMember("rewards").Get("reward"); v.Kind() == jsonval.Number {
			return v
		}
	}
	if out := record.Get("output"); out.Kind() == jsonval.Object && isEnvironmentsOutput(out) {
		return OpenObject(out).OpenMember("result").Get("reward")
	}
	return jsonval.Value{}
}

// saysSome reports whether a member that tells of a failure says that there was one.
func saysSome(v jsonval.Value) bool {
	switch v.Kind() {
	case jsonval.Bool:
		return v.Raw() == "true"
	case jsonval.Number:
		n, _ := v.Float()
		return n > 0
	case jsonval.String:
		word := strings.ToLower(v.Text())
		return word != "" && !OneOf(word, "false none null no 0 n/a -")
	}
	return v.Len() > 0
}

// SaysFailed reports whether a member of a record with a run, or of its inner objects if deep
// is set, says that an error or its exit code ended the run.
func (o *Object) SaysFailed(deep bool) bool {
	if deep && !o.HasAny(runMembers) {
		return false
	}
	for i, key := range o.Keys {
		v, name := o.Values[i], FoldOutcome(key)
		word := strings.ToLower(v.Text())
		switch n, _ := v.Float(); {
		case OneOf(name, errorNames):
			if saysSome(v) {
				return true
			}
		case OneOf(name, codeNames) && (v.Kind() == jsonval.Number && n != 0 || OneOf(word, badWords)), OneOf(name, StopNames) && OneOf(word, "error errored fail failed failure crash crashed exception"):
			return true
		case deep && v.Kind() == jsonval.Object && OneOf(wordlist.FoldName(key), failedInside) && OpenObject(v).SaysFailed(false):
			return true
		}
	}
	return false
}
