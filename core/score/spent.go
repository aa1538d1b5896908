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
	for i := range steps {
		if steps[i] != (trajectory.Spent{}) {
			t.Observed[i].Spent = (*report.Spent)(&steps[i])
		}
	}
	for i, from := range retries {
		t.Observed[i].Retry = indexOrNil(from)
	}
	if total != nil {
		s := &total.Sum
		t.Spent = &report.Totals{Text: total.Text, Elapsed: total.Elapsed, Seconds: s.Seconds, Input: s.Input, Output: s.Output, Tokens: s.Tokens, Cost: s.Cost,
			Rest: (*report.Spent)(total.Rest), Whole: total.Whole, Agents: total.Agents}
	}
}
