package score

import (
	"github.com/boundcheck/boundcheck/core/math/metric"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// runFigures returns the counts of a run for stage four. These laws hold:
//
//   - A missing step is never paid for: an action that stands for no step changes Kept and
//     Lacking in no way.
//   - Observed = Correct and Lacking = 0 exactly if no finding is about a row.
func runFigures(r *run) metric.Run {
	f := metric.Run{Observed: len(r.Obs), Reference: len(r.Ref), Rows: len(r.Steps)}
	r.countFindings(&f)
	actions, steps := r.brokenActions(), r.brokenSteps()
	f.Correct = countFalse(actions)
	f.Kept, f.Lacking = r.countSteps(actions, steps)
	for i := range r.rulings {
		if r.rulings[i].Verdict != equivalence.Violation {
			f.Within++
		}
	}
	return f
}

func countFalse(all []bool) (n int) {
	for _, b := range all {
		if !b {
			n++
		}
	}
	return n
}

// countFindings counts the findings by type, and the required texts that were not said.
func (r *run) countFindings(f *metric.Run) {
	for i := range r.findings {
		if r.findings[i].Rule == violation.OutputNotSaid {
			f.Unsaid++
		}
		switch r.findings[i].Type {
		case violation.OverAction:
			f.Over++
		case violation.UnderAction:
			f.Under++
		case violation.OverGranular, violation.UnderGranular:
			f.Granular++
		}
	}
}

// brokenActions returns for each observed action whether a finding is about it.
func (r *run) brokenActions() []bool {
	broken := make([]bool, len(r.Obs))
	for i := range r.findings {
		v := &r.findings[i]
		if v.Obs >= 0 {
			broken[v.Obs] = true
		}
		for _, row := range v.Rows { // of a group: a row may also have an action that is not in it
			if o := r.Steps[row].Obs; o >= 0 && r.Done.Step[o] == v.Ref {
				broken[o] = true
			}
		}
	}
	return broken
}

// brokenSteps returns for each reference step whether a finding says that it is missing.
// A finding about an action that began too early names the missing step that it needed.
func (r *run) brokenSteps() []bool {
	broken := make([]bool, len(r.Ref))
	for i := range r.findings {
		v := &r.findings[i]
		missing := v.Obs < 0 || v.Rule == violation.UnmetPrecondition && v.Ref >= 0 && r.Done.Action[v.Ref] < 0
		if v.Ref >= 0 && missing {
			broken[v.Ref] = true
		}
		for _, row := range v.Rows {
			if ref := r.Steps[row].Ref; ref >= 0 && r.Done.Action[ref] == v.Obs {
				broken[ref] = true
			}
		}
	}
	return broken
}

// countSteps counts the steps that were done and kept their boundary, and the reference
// steps that are missing or were done wrong. Linked actions and steps are one kept step.
// They are wrong together: a finding about one of them is about all of them.
func (r *run) countSteps(actions, steps []bool) (kept, lacking int) {
	wrong := make([]bool, len(r.Ref)) // by the step that the linked actions name
	for o, ref := range r.Done.Step {
		if ref >= 0 && actions[o] {
			wrong[ref] = true
		}
	}
	for ref, o := range r.Done.Action {
		if o >= 0 && steps[ref] {
			wrong[r.Done.Step[o]] = true
		}
	}
	for ref, o := range r.Done.Action {
		switch {
		case steps[ref], o >= 0 && wrong[r.Done.Step[o]]:
			lacking++
		case o >= 0 && r.Done.Step[o] == ref:
			kept++
		}
	}
	return kept, lacking
}

// setSteps sets the steps of each action whose own row does not say all: the action did
// another step or several steps, or other actions did the same step.
func (r *run) setSteps(observed []report.Action) {
	for _, s := range r.Steps {
		if s.Obs < 0 || r.Done.Step[s.Obs] < 0 {
			continue
		}
		ref := r.Done.Step[s.Obs]
		first := r.Done.Action[ref]
		if ref != s.Ref || first != s.Obs {
			observed[s.Obs].Steps = []int{ref}
		}
		if first != s.Obs {
			observed[first].Steps = []int{ref}
		}
	}
	for ref, o := range r.Done.Action {
		if o < 0 || r.Done.Step[o] == ref {
			continue
		}
		if a := &observed[o]; a.Steps == nil {
			a.Steps = []int{r.Done.Step[o], ref}
		} else {
			a.Steps = append(a.Steps, ref)
		}
	}
}

// Recount computes the corpus figures of a report again, with the θ and the denominator
// of the options (the parameters of stage four). The report must be about a single file.
// The result has no groups. The error is an *InputError. It also says that the report has
// figures by other definitions.
func Recount(r *report.Report, o *Options) (report.Corpus, error) {
	if err := o.Params.checkRanges(); err != nil {
		return report.Corpus{}, err
	}
	if err := report.CheckDefinitions("the report", r.Definitions); err != nil {
		return report.Corpus{}, inputError(err)
	}
	var t report.Tally
	t.Under(o.Params.Theta, o.Params.Denominator)
	for i := range r.Trajectories {
		t.Add(&r.Trajectories[i], 1)
	}
	return t.Corpus(o.Seed), nil
}
