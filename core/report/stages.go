package report

// StageCounts counts the findings on successful runs that remain after each stage of
// equivalence. The papers ask how many of these are false alarms.
type StageCounts struct {
	Runs      int `json:"runs"`      // with a reference
	Successes int `json:"successes"` // of these

	// Contradicted is the number of successes that a checker's replay refutes. Findings
	// on these runs are not false alarms.
	Contradicted int `json:"contradicted"`

	// What remains before any stage, and after each, in the order of the stages.
	Before  Left `json:"before"`
	State   Left `json:"state"`
	Effect  Left `json:"effect"`
	Outcome Left `json:"outcome"`
}

// Left counts what remains at one point: the successes with a finding, and their
// findings. Before any stage, every row of the alignment that is not a match counts as a
// finding.
type Left struct {
	Flagged  int `json:"flagged"`
	Findings int `json:"findings"`
}

// Stages counts the findings on successful runs before and after each stage of
// equivalence. An excused action that changes no state, such as a read, always counts for
// the state stage. The outcome stage excuses all findings on a run if a checker derived
// the success from the run. A success that is only recorded excuses no finding. O(size of
// the report).
func Stages(r *Report) StageCounts {
	var c StageCounts
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		if t.Reference == nil {
			continue
		}
		c.Runs++
		if t.Success != nil && *t.Success {
			c.Successes++
			if t.Replay != nil && t.Replay.Contradicted {
				c.Contradicted++
			}
			c.addTrajectory(t)
		}
	}
	return c
}

func (c *StageCounts) addTrajectory(t *Trajectory) {
	whole := 0 // findings without a row: no stage can excuse them
	for i := range t.Violations {
		if t.Violations[i].Row == nil {
			whole++
		}
	}
	before, state, effect, outcome := whole, whole, whole, whole
	for i := range t.Alignment {
		row := &t.Alignment[i]
		if row.Verdict == "correct" {
			continue
		}
		before++
		violates := row.Verdict == "violation"
		if row.Stage == "state" || !violates && row.Stage != "outcome" && t.isIdleRow(row) {
			continue
		}
		state++
		if violates || row.Stage == "outcome" {
			effect++
		}
		if violates {
			outcome++
		}
	}
	if t.Replay != nil && t.Replay.Success && t.Replay.Basis != "recorded" {
		outcome = 0
	}
	c.Before.addFindings(before)
	c.State.addFindings(state)
	c.Effect.addFindings(effect)
	c.Outcome.addFindings(outcome)
}

// isIdleRow reports whether the actions of a row change nothing.
func (t *Trajectory) isIdleRow(row *Row) bool {
	nothing := func(a *Action) bool { return a.Mutating == "no" || a.Control || a.Error }
	return (row.Obs == nil || nothing(&t.Observed[*row.Obs])) && (row.Ref == nil || nothing(&t.Reference[*row.Ref]))
}

func (l *Left) addFindings(findings int) {
	if l.Findings += findings; findings > 0 {
		l.Flagged++
	}
}
