package metric

import "testing"

// TestIdleRun checks the figures of runs without an action. Their number of violations is
// divided by the number of required steps, or by 1 if no step is required.
func TestIdleRun(t *testing.T) {
	for _, c := range []struct {
		run  Run
		want float64
	}{{Run{Reference: 1, Under: 1}, 1}, {Run{Reference: 2, Under: 1}, 0.5}, {Run{Under: 1}, 1}, {Run{Under: 3}, 3}} {
		if got := c.run.SVR(); !got.Scored || got.Value != c.want || got.Reason != "no action was taken, so the rate counts violations per required step" {
			t.Errorf("%+v has the SVR %+v, want %v", c.run, got, c.want)
		}
	}
}

// TestMostTrials checks that pass^k is computed only for k up to 100.
func TestMostTrials(t *testing.T) {
	for trialCount, want := range map[int]int{1: 0, 2: 2, 99: 99, 100: 100, 101: 100, 150: 100} {
		runs := make([]run, trialCount)
		for i := range runs {
			runs[i] = run{"a", Run{}, true, truePointer()}
		}
		if got := len(tallyRuns(runs...).Passes); got != want {
			t.Errorf("%d trials of a task have %d rows of pass^k, want %d", trialCount, got, want)
		}
	}
}
