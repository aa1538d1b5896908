package core

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/mutation"
	"github.com/boundcheck/boundcheck/core/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// References parses the references in a file (see reference.ReadSet). It returns one
// reference for all runs, or one for each task, so exactly one of the two results is set.
// The file may also be a trace that contains the references of its runs, such as a
// benchmark's result file. The error is an *InputError.
func References(data []byte) (one *reference.Reference, byTask map[string]*reference.Reference, err error) {
	one, byTask, err = reference.ReadSet(string(data))
	if err == nil {
		return one, byTask, nil
	}
	doc, broken := trajectory.Decode(data)
	if broken != nil {
		return nil, nil, inputError(err)
	}
	byTask = map[string]*reference.Reference{}
	for i := range doc.Trajectories {
		if t := &doc.Trajectories[i]; t.Reference != nil && t.Task != "" && byTask[t.Task] == nil {
			byTask[t.Task] = t.Reference
		}
	}
	if len(byTask) == 0 {
		return nil, nil, inputError(err)
	}
	return nil, byTask, nil
}

// ReferencesFrom makes references from successful runs. The reference of a task is its
// first successful run, without control actions and failed calls. If a trace has only one
// run and its outcome is not known, this run counts as successful. The error is an
// *InputError that says why no run can be used.
func ReferencesFrom(data []byte) (byTask map[string]*reference.Reference, err error) {
	doc, err := trajectory.Decode(data)
	if err != nil {
		return nil, inputError(err)
	}
	byTask = map[string]*reference.Reference{}
	classifier := mutation.New(nil, nil)
	for i := range doc.Trajectories {
		t := &doc.Trajectories[i]
		good := t.Success != nil && *t.Success || t.Success == nil && len(doc.Trajectories) == 1
		if !good || byTask[t.Task] != nil {
			continue
		}
		byTask[t.Task] = referenceFromRun(t, classifier)
	}
	if len(byTask) == 0 {
		return nil, &InputError{Msg: "no run to write a reference from: " + whyNone(doc.Trajectories)}
	}
	return byTask, nil
}

// whyNone returns the reason why none of the runs can be used.
func whyNone(runs []trajectory.Trajectory) string {
	failed := 0
	for i := range runs {
		if runs[i].Success != nil && !*runs[i].Success {
			failed++
		}
	}
	switch {
	case len(runs) == 0:
		return "there is no run"
	case failed == 1 && len(runs) == 1:
		return "the one run failed"
	case failed == len(runs):
		return fmt.Sprintf("all %d runs failed", failed)
	}
	return fmt.Sprintf("none of %d runs is known to have succeeded; a single run in a file counts as successful", len(runs))
}

func referenceFromRun(t *trajectory.Trajectory, c *mutation.Classifier) *reference.Reference {
	ref := &reference.Reference{Origin: reference.Benchmark, Steps: []reference.Step{}}
	for i := range t.Actions {
		a := &t.Actions[i]
		v := c.Classify(a.Name, a.Arguments)
		if a.Text != "" {
			v = mutation.ClassifyText(a.Text)
		}
		if a.Failed() || v.Control || a.Broken != "" {
			continue
		}
		step := reference.Step{Name: a.Name, Arguments: a.Arguments, Text: a.Text}
		if a.Observation != nil {
			step.Observation = &a.Observation.Text
		}
		ref.Steps = append(ref.Steps, step)
	}
	return ref
}
