package score

import (
	"slices"
	"sort"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// compareTrials compares each run without a reference with the other runs of its task,
// and adds the findings stands-apart and no-agreement (see package violation). O(runs ·
// changes).
func (e *evaluator) compareTrials() {
	groups := e.groupRunsByTask()
	alike := e.agreeOften(groups)
	for _, runs := range groups {
		count := map[string]int{}
		for _, i := range runs {
			count[e.runs[i].effects]++
		}
		for _, i := range runs {
			r := &e.runs[i]
			e.guardRun(r, func() { e.compareTrial(r, runs, count, alike) })
		}
	}
}

// compareTrial compares one run with the other runs of its task. count holds the number of
// runs with each effect, and alike is the result of agreeOften.
func (e *evaluator) compareTrial(r *run, runs []int, count map[string]int, alike bool) {
	others := len(runs) - 1
	if others >= enoughOthers && r.effects != "" && count[r.effects] == 1 && 2*count[""] <= others && violation.WorkOf(&r.Case) == violation.Desk && !e.hasAgreeingRun(r, runs) {
		r.findings = append(r.findings, violation.Disagrees(alike, others))
		return
	}
	for made, n := range count {
		if made != r.effects && 2*n > others {
			r.findings = append(r.findings, violation.Apart(len(r.findings) > 0, n, others))
		}
	}
}

// mostCompared is the largest number of other runs with which hasAgreeingRun compares a
// run.
const mostCompared = 16

// hasAgreeingRun reports whether another run of the task made equivalent changes. Changes
// are equivalent if stage two excuses all differences between them. For example, both
// runs read a price and then book a flight, but only one booking repeats the price.
func (e *evaluator) hasAgreeingRun(r *run, runs []int) bool {
	seen := map[string]bool{"": true, r.effects: true}
	for _, i := range runs {
		other := &e.runs[i]
		if seen[other.effects] {
			continue
		}
		if len(seen) == mostCompared+2 {
			return false
		}
		seen[other.effects] = true
		if e.satisfiesRun(r, other) || e.satisfiesRun(other, r) {
			return true
		}
	}
	return false
}

// satisfiesRun reports whether the run r has no violation if another run serves as its
// reference.
func (e *evaluator) satisfiesRun(r, other *run) bool {
	probe := run{Trajectory: r.Trajectory, stages: &stages{}, checker: r.checker, held: referenceFromRun(other.Trajectory, e.classifier)}
	probe.Profile = boundary.Outcome
	e.setVocabulary(&probe)
	probe.readListTexts()
	e.setObservedActions(&probe)
	e.setReferenceSteps(&probe, probe.held)
	probe.Case.Steps = e.alignCase(&probe)
	return !slices.ContainsFunc(equivalence.Judge(&probe.Case), func(r equivalence.Ruling) bool { return r.Verdict == equivalence.Violation })
}

// enoughOthers is the number of other runs that a task must have for the finding
// no-agreement.
const enoughOthers = 2

// agreeOften reports whether at least half of the runs made the same changes as another
// run of their task. Tasks with fewer than three runs are ignored. If the result is
// false, even correct runs seldom make equal changes. Then different changes alone do not
// make a run suspicious.
func (e *evaluator) agreeOften(groups [][]int) bool {
	same, all := 0, 0
	for _, runs := range groups {
		if len(runs) <= enoughOthers {
			continue
		}
		count := map[string]int{}
		for _, i := range runs {
			count[e.runs[i].effects]++
		}
		for _, n := range count {
			if all += n; n > 1 {
				same += n
			}
		}
	}
	return 2*same >= all
}

// groupRunsByTask groups the runs without a reference by task, in input order, and sets
// the field effects of these runs. It leaves out tasks with fewer than three runs. The
// same task name in two files means one task only if all runs of both files had the same
// instructions.
func (e *evaluator) groupRunsByTask() [][]int {
	type task struct {
		file         int
		instructions string
		name         string
	}
	shared := e.fileInstructions()
	at := map[task]int{}
	var all [][]int
	for i := range e.runs {
		r := &e.runs[i]
		if r.broken != "" || r.referenced || r.Task == "" {
			continue
		}
		key := task{file: r.file, name: r.Task}
		if shared[r.file] != "" {
			key = task{instructions: shared[r.file], name: r.Task}
		}
		n, known := at[key]
		if !known {
			n = len(all)
			at[key], all = n, append(all, nil)
		}
		all[n] = append(all[n], i)
	}
	several := all[:0]
	for _, runs := range all {
		if len(runs) < 3 {
			continue
		}
		runs = slices.DeleteFunc(runs, func(i int) bool {
			r := &e.runs[i]
			e.guardRun(r, func() { r.effects = r.effectKey() })
			return r.broken != ""
		})
		if len(runs) >= 3 {
			several = append(several, runs)
		}
	}
	return several
}

// fileInstructions returns the instructions that all runs of a file had, for each file.
// The value is "" if the runs of the file had different instructions, or none.
func (e *evaluator) fileInstructions() map[int]string {
	out := map[int]string{}
	for i := range e.runs {
		r := &e.runs[i]
		if r.broken != "" {
			continue
		}
		if first, known := out[r.file]; !known {
			out[r.file] = r.Case.Policy
		} else if first != r.Case.Policy {
			out[r.file] = ""
		}
	}
	return out
}

// effectKey returns a text that is equal for two runs with the same changes. The text is
// "" if the run changed nothing.
func (r *run) effectKey() string {
	var keys []string
	for i := range r.Obs {
		if a := &r.Obs[i]; a.Writes() {
			keys = append(keys, a.Key)
		}
	}
	sort.Strings(keys)
	return strings.Join(keys, "\n")
}
