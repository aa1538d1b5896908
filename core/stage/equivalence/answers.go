package equivalence

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/base/tongues"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/stage/relation"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// This file finds actions that went on although a check said no: the paper's start boundary is an action begun
// without its precondition, and a check that was made and said no establishes none.

// checkAnswers finds actions that went on with a thing although the last check of it, a step of the reference,
// said no or failed. For each action it looks at the MostNear checks before its step.
func (j *judge) checkAnswers() {
	if j.SaysNo == nil {
		return
	}
	last := len(j.Ref) - 1 // the last step that goes on with something
	for last >= 0 && (!j.Ref[last].Writes() || j.doneAs(last) < 0) {
		last--
	}
	var checks []int // steps, the last ones
	for later := range last + 1 {
		step, act := &j.Ref[later], j.doneAs(later)
		switch {
		case act < 0, later == last && len(checks) == 0: // a check of nothing, or nothing was checked
		case relation.IsGuard(step):
			checks = append(checks, later)
		case len(checks) > 0 && step.Writes():
			j.checkAnswersBefore(act, later, checks[max(0, len(checks)-relation.MostNear):])
		}
	}
}

// checkAnswersBefore rules on an action that did the step later, if one of the checks before it said no or failed.
func (j *judge) checkAnswersBefore(act, later int, checks []int) {
	for _, r := range checks {
		if j.out[j.rowOfObs[act]].Verdict == Violation {
			return
		}
		if why := j.negativeCheck(&j.Ref[r], act); why != "" && j.goesOn(r, later) {
			j.out[j.rowOfObs[act]] = Ruling{Verdict: Violation, Kind: Unmet, about: &Pair{act, later}, Reason: why}
		}
	}
}

// goVerbs are the verbs of steps that go on with a thing that a check before them found right.
const goVerbs = " apply deploy redeploy publish merge release promote activate launch ship submit sign commit push roll_out install import migrate pay enroll "

// answerVerbs are the verbs of steps with which one answers a no, or writes it down. They do not go on.
const answerVerbs = relation.DestroyVerbs + "reject refuse deny decline hold block abort pause suspend quarantine isolate escalate notify inform warn alert report log record note flag comment " +
	"return retry repeat repair fix correct replace update request order reserve postpone reschedule defer join waitlist queue wait rollback roll_back revert restore undo reset lock "

// goesOn reports whether a step goes on with what a check of an earlier step allows, so that it needs a yes. The
// instructions do not say what to do after a no. It does for certain if its verb is one of goVerbs and it depends on
// the check. Any other change that is no answer to a no goes on if it bears on the check, and the agent never speaks of
// a no.
func (j *judge) goesOn(check, later int) bool {
	first, second := &j.Ref[check], &j.Ref[later]
	how, _ := j.Dependence(check, later)
	isSure := how != relation.Independent && !first.Writes() && relation.DoesOneOf(second, goVerbs)
	if !isSure && (relation.DoesOneOf(second, answerVerbs) || wordlist.HasAny(answerVerbs, second.Words()) || !j.takesNoNotice()) {
		return false
	}
	bears := isSure || how != relation.Independent || relation.HaveCommonEntity(j.stepScope(check), j.stepScope(later)) ||
		relation.NamesObjectOf(second, first) || j.IsToldInOrder(first, second)
	return bears && !j.TellsOfNo(first)
}

// takesNoNotice reports whether the agent spoke, and never of a no. It caches the result.
func (j *judge) takesNoNotice() bool {
	if j.noNotice == 0 {
		j.noNotice = -1
		if len(j.Said) > 0 && !slices.ContainsFunc(j.Said, speaksOfNo) {
			j.noNotice = 1
		}
	}
	return j.noNotice > 0
}

// noticeWords are words with which one speaks of a no, or of something beside it.
const noticeWords = " no not cannot can't couldn't isn't wasn't didn't doesn't won't without despite although though however but unless still yet unfortunately invalid expired missing incomplete failed fails fail failure failing refused refuses denied rejected declined " +
	"unavailable unsafe unfit unclear warning careful problem issue exception override overridden anyway regardless leider trotz obwohl malgré pero aber mais "

// speaksOfNo reports whether a text has a word with which one speaks of a no, in any of the languages that are known.
func speaksOfNo(text string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" ,.!?;:()\n\t\"", r) }), func(w string) bool {
		return wordlist.Contains(noticeWords, strings.ReplaceAll(w, "’", "'")) || tongues.Denies(w) || tongues.Outcome(w) == "failed"
	})
}

// negativeCheck says how the last call of a check before an action said no or failed. It returns "" if it did
// not, or if there was none.
func (j *judge) negativeCheck(check *boundary.Action, act int) string {
	for o := act - 1; o >= max(0, act-relation.MostNear); o-- {
		a := &j.Obs[o]
		if a.Name != check.Name {
			continue
		}
		if a.Key != check.Key && !isSame(a, check) {
			return ""
		}
		switch member := j.memberOfNo(o); {
		case member != "":
			return sentences.CheckSaidNo.With(j.Obs[act].Name, member, a.Name, strconv.Itoa(o+1))
		case a.Failed && !a.Proposed:
			return sentences.FailedBefore.With(j.Obs[act].Name, check.Name, strconv.Itoa(o+1))
		}
		return ""
	}
	return ""
}

// memberOfNo returns the member of its result with which an action says no, or "". It caches the result.
func (j *judge) memberOfNo(obs int) string {
	member, known := j.noes[obs]
	if !known {
		if j.noes == nil {
			j.noes = map[int]string{}
		}
		member = j.SaysNo(obs)
		j.noes[obs] = member
	}
	return member
}
