package score

import (
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/took"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// setSpent sets what the steps and the run took, and which steps try others again.
func (r *run) setSpent(t *report.Trajectory) {
	steps, total := took.Of(r.Trajectory)
	retries := took.Retries(r.Obs)
	for i := 0; i < len(t.Observed) && (steps != nil || retries != nil); i++ {
		a, again := &t.Observed[i], -1
		var own trajectory.Spent
		if retries != nil {
			again = retries[i]
			a.Retry = indexOrNil(again)
		}
		if steps != nil && steps[i] != own {
			own = steps[i]
			a.Spent = (*report.Spent)(&steps[i])
		}
		if a.Spent != nil || again >= 0 {
			a.Took = took.StepText(&own, again)
		}
	}
	if total != nil {
		s := &total.Sum
		t.Spent = &report.Totals{Text: total.Text, Elapsed: total.Elapsed, Seconds: s.Seconds, Input: s.Input, Output: s.Output, Tokens: s.Tokens, Cost: s.Cost,
			Rest: (*report.Spent)(total.Rest), Whole: total.Whole, Agents: total.Agents}
	}
}
