package words

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
)

func TestSpent(t *testing.T) {
	n := func(v float64) *float64 { return &v }
	check := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	run := report.Trajectory{Spent: &report.Totals{Text: []string{"Tokens: 7", "Not recorded: time, cost"}, Tokens: n(7)}}
	check(Spent(&report.Report{Trajectories: []report.Trajectory{run}}), "Tokens: 7; Not recorded: time, cost")
	check(Spent(&report.Report{Trajectories: []report.Trajectory{{}}}), "")
	other := report.Trajectory{Spent: &report.Totals{Tokens: n(3), Cost: n(0), Elapsed: n(1.25)}}
	check(Spent(&report.Report{Trajectories: []report.Trajectory{run, other, {}}}), "1.2 s (1 of 3 runs), 10 tokens (2 of 3 runs), 0.0000 USD (1 of 3 runs)")
}
