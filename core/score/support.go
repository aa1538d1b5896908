package score

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// fewest is the smallest number of other runs of a task that a consensus needs.
const fewest = 2

// agreeOn sets the reference of each run to one of the other runs of its task. More than
// half of these other runs, and at least the given share of them, must have made the same
// changes. The reference is the first run with these changes, and r.support has the
// number of such runs. If the runs do not agree, the run has no reference.
func (e *evaluator) agreeOn(share float64) {
	byTask := map[string][]int{}
	keys := make([]string, len(e.runs))
	for i := range e.runs {
		r := &e.runs[i]
		r.held = nil
		if r.Task == "" {
			continue
		}
		e.guardRun(r, func() {
			probe := run{Trajectory: r.Trajectory, stages: &stages{}, checker: r.checker}
			e.setVocabulary(&probe)
			e.setObservedActions(&probe)
			keys[i] = probe.effectKey()
			byTask[r.Task] = append(byTask[r.Task], i)
		})
	}
	given, borrowed := 0, map[int]*reference.Reference{}
	for i := range e.runs {
		r := &e.runs[i]
		count, first, others := map[string]int{}, map[string]int{}, 0
		for _, other := range byTask[r.Task] {
			if other == i {
				continue
			}
			others++
			if count[keys[other]]++; count[keys[other]] == 1 {
				first[keys[other]] = other
			}
		}
		for key, n := range count { // at most one key has more than half
			if others < fewest || 2*n <= others || float64(n) < share*float64(others) {
				continue
			}
			from := first[key]
			e.guardRun(r, func() {
				if borrowed[from] == nil {
					borrowed[from] = e.withIgnoredArguments(referenceFromRun(e.runs[from].Trajectory, e.classifier))
				}
			})
			if r.broken != "" {
				continue
			}
			r.held, r.support = borrowed[from], &report.Support{Agree: n, Of: others, Run: e.runs[from].ID}
			given++
		}
	}
	e.warnings = append(e.warnings, trajectory.Warning{Code: "reference-by-consensus", Message: fmt.Sprintf(
		"%d of %d runs are compared with the changes that most other runs of the same task made. These changes may be wrong. The other runs have no reference. A run gets a reference if its task has at least %d other runs, and if more than half and at least %.4g %% of them agree",
		given, len(e.runs), fewest, 100*share)})
}
