package shape

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/tongues"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// A name says that its member is an outcome if its head is in the table of outcome.go, and each other
// word says whose outcome it is or how it is written. A word for anything else, such as order or login,
// makes it a fact of the run's own world.
const (
	outcomeBefore = "is was did has have been final overall total mean avg average test task eval case run agent goal human judge grader reviewer rater autorater evaluator expert session episode end all exact db database llm auto trace " +
		"record sample trial attempt call conversation completion criteria criterion requirement objective policy state answer output response " + countBefore
	countBefore   = "num n count number of"
	behindAnswer  = "status state result flag value label check output evaluation verdict"
	behindFailure = "id ids reason message type mode list run task sample trial episode test check case cause detail count criteria criterion requirement condition"
	placeWords    = "outcome result metric meta metadata info evaluation eval grade grading score report judgement judgment grader judge review assessment feedback verdict final summary analysis overall rater autorater evaluator audit graded scoring verification verifier validation validator oracle rewards automated stats"
	// evaluatorWords are the words of a name for the results of evaluators, in the singular.
	evaluatorWords = "annotation score evaluation metric result assessment check eval grader judge assertion criterion criteria rubric verdict feedback grade grading stat judgement judgment scorer evaluator " +
		"human llm auto automated overall model final row based test review rater autorater"
)

// FoldOutcome returns the name of a member without the words around that of an outcome, such
// as passed for is_passed, score for overallScore, and failed for num_failed_tests. Of a name in
// another language it returns the English one.
func FoldOutcome(name string) string {
	switch name {
	case "id", "role", "content", "name", "type", "model", "messages", "tool_calls", "task_id", "info", "traj", "trial", "trajectory", "input", "output", "usage", "timestamp", "metadata", "tools", "steps", "actions":
		return name
	}
	if len(name) > 40 {
		return ""
	}
	if at := strings.IndexAny(name, "@?"); at > 0 { // such as pass@1
		name = name[:at]
	}
	folded := wordlist.FoldName(name)
	for cut := len(folded) <= 24; cut; {
		cut = false
		for _, opening := range [...]string{"is", "was", "final", "overall", "total", "mean", "test", "task", "eval", "case", "run", "agent", "goal", "human", "judge", "grader", "reviewer", "expert", "session", "episode", "end"} {
			if rest, ok := strings.CutPrefix(folded, opening); ok && rest != "" && !isAnswerName(folded) {
				folded, cut = rest, true
			}
		}
	}
	if len(folded) < 3 || isEndName(folded) {
		return folded
	}
	if head := outcomeHead(SplitWords(name)); head != "" {
		return head
	}
	return folded
}

// outcomeHead returns the name of an outcome in the words of a name, or "" if one of the other words
// may say of what thing it is, such as a payment that failed.
func outcomeHead(words []string) string {
	counted := false
	for len(words) > 1 && OneOf(words[0], outcomeBefore) && !(len(words) == 2 && (OneOf(words[0]+words[1], StopNames) || OneOf(words[0], verdictNames) && OneOf(words[1], behindAnswer) && !isEndName(words[1]))) {
		counted = counted || OneOf(words[0], countBefore)
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	head := words[0]
	if foreign := tongues.Outcome(head); foreign != "" {
		head = foreign
	}
	rest := words[1:]
	if head == "not" && len(rest) == 1 && OneOf(rest[0], plainNames) {
		return "failed"
	}
	if OneOf(head, "matche passe") {
		head = strings.TrimSuffix(head, "e")
	}
	switch all := strings.Join(words, ""); {
	case len(rest) > 0 && isEndName(all):
		return all
	case !isEndName(head), OneOf(head, errorNames) && (counted || slices.Contains(rest, "count")):
		return ""
	case len(rest) == 0, (OneOf(head, failedNames) || OneOf(head, errorNames)) && !slices.ContainsFunc(rest, func(w string) bool { return !OneOf(w, behindFailure) }):
		return head
	case len(rest) == 1 && (OneOf(head, plainNames) || OneOf(head, answerNames)) && OneOf(rest[0], behindAnswer), OneOf(head, looseVerdicts) && OneOf(rest[0], behindAnswer):
		return head
	}
	return ""
}

// isPlace reports whether a member with this name holds what is said of a run, such as trace_metadata.
func isPlace(name string) bool {
	if len(name) > 32 {
		return false
	}
	if OneOf(wordlist.FoldName(name), outcomeInside) {
		return true
	}
	place := false
	for _, word := range SplitWords(name) {
		if !OneOf(word, placeWords) && !OneOf(word, outcomeBefore) && !OneOf(word, "user data") {
			return false
		}
		place = place || OneOf(word, placeWords)
	}
	return place
}

// EndOf returns what the name of a list of runs, or of their ids, says of how they ended, such as
// failed for failures.
func EndOf(name string) Flag {
	if words := SplitWords(name); len(words) == 2 && OneOf(words[1], "run case task trial sample episode conversation") {
		name = words[0]
	}
	switch name = FoldOutcome(name); {
	case OneOf(name, failedNames):
		return Failed
	case OneOf(name, plainNames):
		return Fine
	}
	return Unsaid
}

// IsEvaluations reports whether a member with this name has the results of evaluators.
func IsEvaluations(name string) bool {
	if len(name) < 4 || len(name) > 40 {
		return false
	}
	if OneOf(wordlist.FoldName(name), evaluationNames) {
		return true
	}
	if strings.IndexByte("stknecdxr", name[len(name)-1]) < 0 || strings.IndexFunc(name[1:], func(c rune) bool { return c == '_' || c >= 'A' && c <= 'Z' }) < 0 {
		return false
	}
	words := SplitWords(name)
	return len(words) > 1 && !slices.ContainsFunc(words, func(word string) bool { return !OneOf(word, evaluatorWords) })
}

// SaysStopped reports whether the reason for the end of a run says that something cut it off.
func SaysStopped(word string) bool {
	if OneOf(word, "length timeout timed_out content_filter interrupted") {
		return true
	}
	for _, part := range [...]string{"limit", "exceed", "budget", "max_", "max-", "maxturn", "maxstep", "maxiter", "maxtoken", "too many"} {
		if strings.Contains(word, part) {
			return true
		}
	}
	return false
}
