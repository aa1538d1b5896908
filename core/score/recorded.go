package score

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
	"github.com/boundcheck/boundcheck/core/stage/story"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// This file holds the law of recorded failures: a run whose record says that it failed is
// flagged, or its verdict says that no cause was found. It is never fine.

// noCause begins the verdict on a run that failed without a known cause.
const noCause = "Recorded as failed; no cause found"

// noProof is the verdict on a run of which it is only suspected what went wrong.
const noProof = noCause + " for certain."

// hasFailed reports whether the source says that a run failed.
func (r *run) hasFailed() bool { return r.Success != nil && !*r.Success }

// failedUnexplained reports whether the source says that a run failed, and no finding says why.
func (r *run) failedUnexplained() bool {
	return r.hasFailed() && !r.isFlagged()
}

// failedVerdict returns the verdict on a run for which failedUnexplained is true. verdict
// is the verdict that the run would have if its outcome were not known, and suspected says that
// there is a story of what may have gone wrong.
func (r *run) failedVerdict(verdict string, suspected bool) string {
	rest, unknown := strings.CutPrefix(verdict, "Cannot tell: ")
	switch {
	case suspected && r.referenced:
		return "No violation. " + noProof
	case suspected:
		return noProof
	case unknown:
		return noCause + ": " + rest
	case r.hidden && len(r.findings) == 0:
		return noCause + ". " + verdict
	case r.referenced:
		return "No violation. " + noCause + "."
	}
	return noCause + "."
}

// mostRecorded is the largest number of failed checks that recordedFacts lists.
const mostRecorded = 3

// recordedFacts returns what the source tells about a failure and no finding or story uses: the
// benchmark's checks that failed, why steps were left out, why the run
// was stopped, actions that repeat, and the last error.
func (r *run) recordedFacts(stories []report.Story) []string {
	var facts []string
	if r.replay == nil || len(r.replay.Assertions) == 0 { // else the replay shows them
		facts = failedChecks(r.Trajectory.Assertions, stories)
	}
	if r.Reward != nil && *r.Reward > 0 && *r.Reward < 1 && len(r.Trajectory.Assertions) == 0 {
		facts = append(facts, fmt.Sprintf("the score is %v", *r.Reward))
	}
	facts = append(facts, r.leftOut()...)
	if r.Trajectory.Stopped != "" {
		facts = append(facts, "the run was stopped: "+clipText(r.Trajectory.Stopped))
	}
	if first, n := longestStreak(r.Actions); n >= leastStreak && !r.Actions[first].Unrecorded {
		facts = append(facts, fmt.Sprintf("steps %d to %d are the same: %s", first+1, first+n, clipText(actionText(&r.Actions[first]))))
	}
	for i := len(r.Actions) - 1; i >= 0; i-- {
		if o := r.Actions[i].Observation; o != nil && (o.Error || o.Open() != "") {
			return append(facts, strings.TrimSpace(fmt.Sprintf("the last error is %s step %d, %s: %s %s", map[bool]string{true: "of", false: "in the result of"}[o.Error], i+1, clipText(actionText(&r.Actions[i])), clipText(o.Text), o.Open())))
		}
	}
	return facts
}

// leftOut returns why steps of the reference that no action stands for are no violation:
// one of them may be the cause.
func (r *run) leftOut() (facts []string) {
	for i := range r.rulings {
		s := &r.Steps[i]
		if len(facts) < mostRecorded && s.Op == align.Deletion && r.rulings[i].Verdict != equivalence.Violation && r.Done.Action[s.Ref] < 0 {
			facts = append(facts, clipText(r.rulings[i].Reason))
		}
	}
	return facts
}

func failedChecks(all []trajectory.Assertion, stories []report.Story) (facts []string) {
	failed := 0
	for _, a := range all {
		if a.Result >= a.Total || slices.ContainsFunc(stories, func(s report.Story) bool { return s.Fact == story.FailedCheck && story.TellsCheck(s.Text, a.Name) }) {
			continue
		}
		if failed++; failed <= mostRecorded {
			facts = append(facts, fmt.Sprintf("%s: %v of %v", clipText(a.Name), a.Result, a.Total))
		}
	}
	if failed > mostRecorded {
		facts = append(facts, fmt.Sprintf("%d more of the benchmark's %d checks failed", failed-mostRecorded, len(all)))
	}
	return facts
}

// leastStreak is the smallest number of equal actions in a row that recordedFacts tells.
const leastStreak = 3

// longestStreak returns the longest row of equal actions: the index of its first action
// and its length. Of several it returns the last.
func longestStreak(actions []trajectory.Action) (first, n int) {
	begin := 0
	for i := range actions {
		if i > 0 && !sameAction(&actions[i], &actions[i-1]) {
			begin = i
		}
		if i+1-begin >= n {
			first, n = begin, i+1-begin
		}
	}
	return first, n
}

func actionText(a *trajectory.Action) string {
	if a.Text != "" {
		return a.Text
	}
	return strings.TrimSpace(a.Name + " " + a.Arguments.Raw() + a.Broken)
}

func sameAction(a, b *trajectory.Action) bool {
	return a.Name == b.Name && a.Text == b.Text && a.Broken == b.Broken && a.Arguments.Raw() == b.Arguments.Raw()
}

// clipText returns a text in one line, shortened to 160 bytes.
func clipText(text string) string {
	const most = 160
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= most {
		return text
	}
	end := most
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
