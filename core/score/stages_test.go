package score

import (
	"github.com/boundcheck/boundcheck/core/report"
	"testing"
)

// TestStages checks how many findings, and how many successful runs with a finding,
// remain after each stage of equivalence.
func TestStages(t *testing.T) {
	yes, no := true, false
	at := func(i int) *int { return &i }
	write, read := report.Action{Mutating: "yes"}, report.Action{Mutating: "no"}
	run := func(success *bool, rows ...report.Row) report.Trajectory {
		return report.Trajectory{Success: success, Reference: []report.Action{read, write}, Observed: []report.Action{read, write}, Alignment: rows}
	}
	match := report.Row{Op: "match", Obs: at(0), Ref: at(0), Verdict: "correct"}
	scored := &report.Report{Trajectories: []report.Trajectory{
		run(&yes, match),
		run(&yes, match, report.Row{Op: "insertion", Obs: at(1), Verdict: "excused", Stage: "state"}, report.Row{Op: "deletion", Ref: at(1), Verdict: "excused", Stage: "effect"}),
		run(&yes, report.Row{Op: "insertion", Obs: at(0), Verdict: "excused", Stage: "effect"}, report.Row{Op: "deletion", Ref: at(0), Verdict: "note"}), // reads
		run(&yes, report.Row{Op: "deletion", Ref: at(1), Verdict: "excused", Stage: "outcome"}),
		run(&yes, report.Row{Op: "deletion", Ref: at(0), Verdict: "violation"}),
		run(&no, report.Row{Op: "deletion", Ref: at(1), Verdict: "violation"}),
		run(nil, report.Row{Op: "deletion", Ref: at(1), Verdict: "violation"}),
		{Success: &yes, Observed: []report.Action{write}},
	}}
	scored.Trajectories[4].Violations = []report.Violation{{Row: at(0)}, {}} // the second is about the whole run
	scored.Trajectories[4].Replay = &report.Replay{Contradicted: true}
	want := report.StageCounts{Runs: 7, Successes: 5, Contradicted: 1, Before: report.Left{Flagged: 4, Findings: 7}, State: report.Left{Flagged: 3, Findings: 4}, Effect: report.Left{Flagged: 2, Findings: 3}, Outcome: report.Left{Flagged: 1, Findings: 2}}
	if got := report.Stages(scored); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	scored.Trajectories[4].Replay = &report.Replay{Success: true, Basis: "recorded"}
	if got := report.Stages(scored).Outcome; got != want.Outcome {
		t.Errorf("a recorded success excuses: %+v", got)
	}
	scored.Trajectories[4].Replay.Basis = "database"
	if got := report.Stages(scored).Outcome; got != (report.Left{}) {
		t.Errorf("a replayed success excuses nothing: %+v", got)
	}
}
