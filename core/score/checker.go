package score

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/checker"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// detectChecker returns the checker that applies to a document, and the document's
// benchmark.
func (e *evaluator) detectChecker(doc *trajectory.Document) (checker.Checker, string) {
	if len(e.request.Options.Checkers) == 0 {
		return nil, ""
	}
	var names []string
	for i := range doc.Trajectories {
		for j := range doc.Trajectories[i].Actions {
			names = append(names, doc.Trajectories[i].Actions[j].Name)
		}
	}
	for _, c := range e.request.Options.Checkers {
		if benchmark, ok := c.Applies(doc.Format, names); ok {
			return c, benchmark
		}
	}
	return nil, ""
}

// applyChecker asks the benchmark's checker about a run with a reference. Under the
// profile outcome, the checker's verdict overrules stage two. Under the profile sop it
// does not, because sop requires each step.
func (e *evaluator) applyChecker(r *run) {
	if r.checker == nil {
		return
	}
	verdict, ok := e.askChecker(r)
	if !ok {
		return
	}
	e.addPlugin(report.Plugin(r.checker.About()))
	r.replay = verdict.Replay
	if r.replay != nil && r.replay.Contradicted {
		e.warnings = append(e.warnings, trajectory.Warning{Code: "outcome-contradicted", Trajectory: r.ID, Message: "the replay contradicts the recorded outcome"})
	}
	if r.Profile == boundary.Outcome {
		r.overruleRulings(&verdict)
	}
}

// askChecker passes a run to its checker and returns the checker's verdict. ok is false
// if the checker fails, or refers to rows or differences that do not exist. In this case,
// askChecker adds a warning.
func (e *evaluator) askChecker(r *run) (v checker.Verdict, ok bool) {
	why := "could not check this run; it was scored without the plugin"
	v, err := r.checker.Check(checkCase(r))
	if err == nil {
		why = "gave an invalid answer; this run was scored without the plugin"
		err = checkVerdictIndices(&v, len(r.Steps))
	}
	if err != nil {
		e.warnings = append(e.warnings, trajectory.Warning{Code: "checker-failed", Trajectory: r.ID,
			Message: fmt.Sprintf("%s %s: %v", r.checker.About().Name, why, err)})
	}
	return v, err == nil
}

// checkAlone asks the checker whether a run without a reference reached its goal. The
// verdict counts only if it comes from the run's observations or from the benchmark's
// record. A checker that compares the run with a reference cannot answer.
func (e *evaluator) checkAlone(r *run) {
	if r.checker == nil || e.request.Options.Unreferenced {
		return
	}
	verdict, ok := e.askChecker(r)
	if !ok || verdict.Replay == nil {
		return
	}
	if basis := verdict.Replay.Basis; basis != checker.BasisObservations && basis != checker.BasisRecorded {
		return // the checker needs a reference
	}
	e.addPlugin(report.Plugin(r.checker.About()))
	r.replay = verdict.Replay
	if !r.replay.Success && r.replay.Basis == checker.BasisObservations {
		r.findings = append(r.findings, violation.Finding{Type: violation.EndBoundary, Pattern: violation.PrematureTermination,
			Rule: violation.GoalNotReached, Row: -1, Obs: -1, Ref: -1, Confidence: 0.95, Reason: "the run ends before its goal is reached"})
	}
}

// checkVerdictIndices returns an error if a verdict refers to rows or differences that do
// not exist.
func checkVerdictIndices(v *checker.Verdict, rows int) error {
	differences := 0
	if v.Replay != nil {
		differences = len(v.Replay.Differences)
	}
	for _, x := range v.Excused {
		if x.Row < 0 || x.Row >= rows {
			return fmt.Errorf("the answer excuses the row with index %d, but there are only %d rows. The first row has the index 0", x.Row, rows)
		}
	}
	for _, b := range v.Blamed {
		if b.Row < 0 || b.Row >= rows {
			return fmt.Errorf("the answer blames the row with index %d, but there are only %d rows. The first row has the index 0", b.Row, rows)
		}
		for _, d := range b.Differences {
			if d < 0 || d >= differences {
				return fmt.Errorf("the answer refers to the difference with index %d, but there are only %d differences. The first difference has the index 0", d, differences)
			}
		}
	}
	return nil
}

// stageOff reports whether a stage of equivalence is disabled. The stages are "state",
// "outcome" and "effect".
func (r *run) stageOff(stage string) bool {
	return stage == "state" && r.Without.State || stage == "outcome" && r.Without.Outcome || stage == "effect" && r.Without.Effect
}

func (r *run) overruleRulings(v *checker.Verdict) {
	for _, x := range v.Excused {
		ruling := &r.rulings[x.Row]
		if ref := r.Steps[x.Row].Ref; ref >= 0 && r.Ref[ref].Required || r.stageOff(x.Stage) {
			continue // a mark of the reference, or a disabled stage, takes precedence
		}
		if ruling.Verdict == equivalence.Violation {
			*ruling = equivalence.Ruling{Verdict: equivalence.Excused, Stage: x.Stage, Reason: x.Reason}
		}
		if at := ruling.NeededBy(); at >= 0 && r.rulings[at].Kind == equivalence.Unmet {
			r.rulings[at] = equivalence.Ruling{Verdict: equivalence.Excused, Stage: x.Stage, Reason: x.Reason}
		}
	}
	for _, b := range v.Blamed {
		if ruling := &r.rulings[b.Row]; ruling.Verdict != equivalence.Violation {
			*ruling = equivalence.Ruling{Verdict: equivalence.Violation, Kind: equivalence.State, Reason: b.Reason}
			r.blame = append(r.blame, b)
		}
	}
}

// stateEvidence adds the differences that the replay found to the findings about the
// final state, as their evidence. If the final states differ but the run has no finding,
// stateEvidence adds a finding under the profile outcome.
func (r *run) stateEvidence() {
	if r.replay == nil {
		return
	}
	evidence := map[int][]violation.Evidence{}
	for _, b := range r.blame {
		for _, i := range b.Differences {
			d := r.replay.Differences[i]
			evidence[b.Row] = append(evidence[b.Row], violation.Evidence{Path: d.Table + "." + d.Key + "." + d.Field, Observed: d.Observed, Reference: d.Reference})
		}
	}
	for i := range r.findings {
		if f := &r.findings[i]; f.Rule == violation.StateDiffers {
			f.Evidence = evidence[f.Row]
		}
	}
	if !r.replay.StateEqual && len(r.findings) == 0 && r.Profile == boundary.Outcome {
		r.findings = append(r.findings, violation.Finding{Type: violation.EndBoundary, Rule: violation.StateDiffers, Row: -1, Obs: -1, Ref: -1,
			Confidence: 0.95, Reason: "the replay ends in another state than the reference"})
	}
}

func checkCase(r *run) *checker.Case {
	c := &checker.Case{Benchmark: r.benchmark, Outputs: r.Says, Replies: r.Said, Recorded: r.Success, Task: r.Task, Opening: openingText(r.Trajectory),
		Submission: r.Submission, Reward: r.Reward}
	for _, a := range r.Assertions {
		c.Assertions = append(c.Assertions, checker.Assertion(a))
	}
	for i := range r.Actions {
		a := &r.Actions[i]
		call := checker.Call{Name: a.Name, Text: a.Text, Arguments: a.Arguments.Raw(), Requestor: a.Requestor, Failed: a.Failed()}
		if a.Broken != "" {
			call.Arguments, call.Broken = a.Broken, true
		}
		if a.Observation != nil {
			call.Observation = &a.Observation.Text
		}
		c.Observed = append(c.Observed, call)
	}
	for i := range r.Ref {
		c.Reference = append(c.Reference, checker.Call{Name: r.Ref[i].Name, Text: r.Ref[i].Text, Arguments: r.Ref[i].Raw, Observation: r.Ref[i].Observation})
	}
	for _, s := range r.Steps {
		c.Rows = append(c.Rows, checker.Row{Op: s.Op.String(), Obs: s.Obs, Ref: s.Ref})
	}
	return c
}

// openingText returns the text before the agent's first turn.
func openingText(t *trajectory.Trajectory) string {
	var b strings.Builder
	for _, m := range t.Messages {
		if m.Role == "assistant" {
			break
		}
		b.WriteString(m.Text)
		b.WriteByte('\n')
	}
	return b.String()
}

// addPlugin adds a checker to the plugins of the report. It does nothing if the report
// already has a plugin of the same name.
func (e *evaluator) addPlugin(p report.Plugin) {
	if !slices.ContainsFunc(e.plugins, func(other report.Plugin) bool { return other.Name == p.Name }) {
		e.plugins = append(e.plugins, p)
	}
}
