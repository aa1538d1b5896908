package core

import "testing"

// TestStages checks how many findings, and how many successful runs with a finding,
// remain after each stage of equivalence.
func TestStages(t *testing.T) {
	yes, no := true, false
	at := func(i int) *int { return &i }
	write, read := Action{Mutating: "yes"}, Action{Mutating: "no"}
	run := func(success *bool, rows ...Row) Trajectory {
		return Trajectory{Success: success, Reference: []Action{read, write}, Observed: []Action{read, write}, Alignment: rows}
	}
	match := Row{Op: "match", Obs: at(0), Ref: at(0), Verdict: "correct"}
	report := &Report{Trajectories: []Trajectory{
		run(&yes, match),
		run(&yes, match, Row{Op: "insertion", Obs: at(1), Verdict: "excused", Stage: "state"}, Row{Op: "deletion", Ref: at(1), Verdict: "excused", Stage: "effect"}),
		run(&yes, Row{Op: "insertion", Obs: at(0), Verdict: "excused", Stage: "effect"}, Row{Op: "deletion", Ref: at(0), Verdict: "note"}), // reads
		run(&yes, Row{Op: "deletion", Ref: at(1), Verdict: "excused", Stage: "outcome"}),
		run(&yes, Row{Op: "deletion", Ref: at(0), Verdict: "violation"}),
		run(&no, Row{Op: "deletion", Ref: at(1), Verdict: "violation"}),
		run(nil, Row{Op: "deletion", Ref: at(1), Verdict: "violation"}),
		{Success: &yes, Observed: []Action{write}},
	}}
	report.Trajectories[4].Violations = []Violation{{Row: at(0)}, {}} // the second is about the whole run
	report.Trajectories[4].Replay = &Replay{Contradicted: true}
	want := StageCounts{Runs: 7, Successes: 5, Contradicted: 1, Before: Left{4, 7}, State: Left{3, 4}, Effect: Left{2, 3}, Outcome: Left{1, 2}}
	if got := Stages(report); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	report.Trajectories[4].Replay = &Replay{Success: true, Basis: "recorded"}
	if got := Stages(report).Outcome; got != want.Outcome {
		t.Errorf("a recorded success excuses: %+v", got)
	}
	report.Trajectories[4].Replay.Basis = "database"
	if got := Stages(report).Outcome; got != (Left{}) {
		t.Errorf("a replayed success excuses nothing: %+v", got)
	}
}
