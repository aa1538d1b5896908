package snapshot

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// madeBy begins the first line of a file that boundcheck made. In JSON it begins the title
// of the file.
const madeBy = "Made by boundcheck reference new from "

// Of returns a suite with one reference for each task, made from successful runs. The
// comment at the top of the suite names the files of the runs. It is an error if a reference
// would require no step, because a run that does nothing would agree with it, unless all its
// runs are recorded as successes.
func Of(runs []*trajectory.Trajectory, files []string) (*Suite, error) {
	var ids []string
	byTask := map[string][]*trajectory.Trajectory{}
	for _, r := range runs {
		if byTask[r.Task] == nil {
			ids = append(ids, r.Task)
		}
		byTask[r.Task] = append(byTask[r.Task], r)
	}
	if len(ids) == 1 { // if all runs have the same task, the file names no task
		byTask[""], ids = byTask[ids[0]], []string{""}
	}
	var names []string
	for _, f := range files {
		names = append(names, filepath.ToSlash(f))
	}
	suite := &Suite{Head: []string{
		fmt.Sprintf(madeBy+"%s (%s).", strings.Join(names, ", "), countText(len(runs), "run")),
		"Edit this file: each step is a required call. Remove the steps that are not required.",
		"\"boundcheck reference explain FILE\" describes the steps in words.",
	}}
	for _, id := range ids {
		steps, notes := proposeSteps(byTask[id])
		guessed := slices.ContainsFunc(byTask[id], func(t *trajectory.Trajectory) bool { return t.Success == nil })
		if guessed && !slices.ContainsFunc(steps, func(s Step) bool { return s.Optional == "" }) {
			return nil, fmt.Errorf("no step is in all good runs of task %q, so a run that does nothing would agree; write the reference by hand", id)
		}
		if id == "" && len(ids) > 1 {
			id = "no-task"
			notes = append(notes, "these runs have no task id; write the id of their task here")
		}
		suite.Tasks = append(suite.Tasks, Task{ID: id, Steps: steps, Notes: notes})
	}
	return suite, nil
}

// Size describes the size of a reference, such as "2 steps".
func Size(r *reference.Reference) string {
	steps, never := 0, 0
	for _, s := range r.Steps {
		if s.MustNot {
			never++
		} else {
			steps++
		}
	}
	parts := []string{countText(steps, "step")}
	if r.Process != nil {
		if optional := countOptional(r.Process); optional > 0 {
			parts = append(parts, fmt.Sprintf("%d optional", optional))
		}
	}
	if never > 0 {
		parts = append(parts, fmt.Sprintf("%d forbidden", never))
	}
	if len(r.Says) > 0 {
		parts = append(parts, countText(len(r.Says), "text")+" to say")
	}
	return strings.Join(parts, ", ")
}

func countOptional(n *reference.Node) (optional int) {
	if n.Kind == reference.Optional {
		optional++
	}
	for i := range n.Children {
		optional += countOptional(&n.Children[i])
	}
	return optional
}

func countText(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
