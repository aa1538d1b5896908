package score

import (
	"errors"
	"fmt"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// References parses the references in a file (see reference.ReadSet). It returns one
// reference for all runs, or one for each task, so exactly one of the two results is set.
// The file may also be a trace that contains the references of its runs, such as a
// benchmark's result file, or an evaluator's data set with the expected calls of its
// records. The error is an *InputError.
func References(data []byte) (one *reference.Reference, byTask map[string]*reference.Reference, err error) {
	one, byTask, err = reference.ReadSet(string(data))
	if err == nil {
		return one, byTask, nil
	}
	doc, broken := read.Decode(data)
	if broken != nil {
		return expectedReferences(data, err)
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

// expectedReferences returns the references in a data set that has only the expected sides of
// its records. Without such sides it returns the given error.
func expectedReferences(data []byte, refused error) (one *reference.Reference, byTask map[string]*reference.Reference, err error) {
	list := read.Expectations(data)
	if len(list) == 0 {
		return nil, nil, inputError(refused)
	}
	if len(list) == 1 && list[0].ID == "" {
		return list[0].Reference, nil, nil
	}
	byTask = map[string]*reference.Reference{}
	for i, e := range list {
		switch {
		case e.ID == "":
			return nil, nil, &InputError{Msg: fmt.Sprintf("invalid reference: record %d has no id. The id tells which runs belong to the reference", i+1)}
		case byTask[e.ID] != nil:
			return nil, nil, &InputError{Msg: fmt.Sprintf("invalid reference: the id %q appears twice", e.ID)}
		}
		byTask[e.ID] = e.Reference
	}
	return nil, byTask, nil
}

// ErrNoKnownSuccess is the cause of the error that ReferencesFrom returns if no run is known
// to be successful, but some runs may be.
var ErrNoKnownSuccess = errors.New("no run is known to be successful")

// ReferencesFrom makes references from successful runs. The reference of a task is its
// first successful run, without control actions and failed calls. If a trace has only one
// run and its outcome is not known, this run counts as successful. A run that was perhaps not
// read as it was is no reference. The error is an
// *InputError that says why no run can be used.
func ReferencesFrom(data []byte) (byTask map[string]*reference.Reference, err error) {
	doc, err := read.Decode(data)
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
		if t.Doubt != "" {
			return nil, &InputError{Msg: fmt.Sprintf("run %s cannot be a reference: %s", t.ID, t.Doubt)}
		}
		byTask[t.Task] = referenceFromRun(t, classifier)
	}
	if len(byTask) == 0 {
		return nil, noRunError(doc.Trajectories)
	}
	return byTask, nil
}

// noRunError returns the error that says why none of the runs can be used.
func noRunError(runs []trajectory.Trajectory) *InputError {
	failed := 0
	for i := range runs {
		if runs[i].Success != nil && !*runs[i].Success {
			failed++
		}
	}
	const prefix = "no usable run for the reference: "
	switch {
	case len(runs) == 0:
		return &InputError{Msg: prefix + "there is no run"}
	case failed == 1 && len(runs) == 1:
		return &InputError{Msg: prefix + "the only run failed"}
	case failed == len(runs):
		return &InputError{Msg: fmt.Sprintf("%sall %d runs failed", prefix, failed)}
	}
	return &InputError{
		Msg:   fmt.Sprintf("%snone of the %d runs is known to be successful; if a file has only one run, the run counts as successful", prefix, len(runs)),
		cause: ErrNoKnownSuccess,
	}
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
