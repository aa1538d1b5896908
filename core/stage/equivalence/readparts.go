package equivalence

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/action/boundary"
)

// This file finds reads that were done in one call instead of several, or in several calls
// instead of one. They change nothing, so they are excused, but only if all things were read
// in time.

// mostCompared is the largest number of reads that are compared with steps in one run. Later ones read nothing.
const mostCompared = 1 << 15

// readOtherwise returns the index of the action with which all things of a missing step that
// reads were read: one action that reads more things, or the last one of several that read
// one part each. They must come before the next step that was done. It returns -1 if there is
// no such action.
func (j *judge) readOtherwise(row, ref int) int {
	step := &j.Ref[ref]
	if step.Writes() || len(step.Scope()) == 0 {
		return -1
	}
	wanted, read, last := leafValues(step), map[string]bool{}, -1
	for o := range j.nextDone(row) {
		a := &j.Obs[o]
		if a.Writes() || a.Failed || len(a.Leaves) == len(step.Leaves) || j.compared >= mostCompared {
			continue
		}
		j.compared++
		values := leafValues(a)
		switch {
		case !sameDeed(a, step):
		case len(values) > len(wanted) && containsAll(values, wanted):
			return o
		case len(values) < len(wanted) && containsAll(wanted, values):
			last = o
			for _, v := range values {
				read[v] = true
			}
		}
	}
	if len(read) < len(wanted) {
		return -1
	}
	return last
}

// nextDone returns the index of the action of the next row in which a step was done, or the
// number of actions.
func (j *judge) nextDone(row int) int {
	for _, s := range j.Steps[row:] {
		if s.Obs >= 0 && s.Ref >= 0 {
			return s.Obs
		}
	}
	return len(j.Obs)
}

// leafValues returns the different values in an action's arguments, sorted.
func leafValues(a *boundary.Action) []string {
	out := make([]string, 0, len(a.Leaves))
	for i := range a.Leaves {
		out = append(out, a.Leaves[i].Value)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func containsAll(all, some []string) bool {
	return !slices.ContainsFunc(some, func(v string) bool { return !slices.Contains(all, v) })
}
