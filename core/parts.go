package core

import (
	"slices"
	"sync"

	"github.com/boundcheck/boundcheck/core/concurrent"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// part is a share of the runs of a request. Different goroutines may score different parts
// at the same time, because each part is an evaluator with caches of its own.
type part struct {
	*evaluator
	members []int // the indices of its runs in the request, in ascending order
}

// smallestPart is the smallest number of actions for which another goroutine saves time.
const smallestPart = 256

// divideRuns divides the runs into at most cores parts, which have about the same number
// of actions. Runs of one task are in one part, because they repeat each other's calls,
// and a part prepares each call once. A task that has more than half of the actions of a
// part is divided. If there are no runs, the result is nil.
func (e *evaluator) divideRuns(cores int) []part {
	if !concurrent.Possible || cores < 2 {
		return e.onePart()
	}
	var parts []part
	groups := e.groupRuns(cores)
	for _, r := range concurrent.Divide(len(groups), cores, smallestPart, func(i int) int { return groups[i].actions }) {
		next := e.newPart()
		for _, g := range groups[r[0]:r[1]] {
			next.members = append(next.members, g.members...)
		}
		slices.Sort(next.members)
		parts = append(parts, next)
	}
	return parts
}

// onePart returns one part with all runs, or nil if there are no runs.
func (e *evaluator) onePart() []part {
	if len(e.runs) == 0 {
		return nil
	}
	all := e.newPart()
	for i := range e.runs {
		all.members = append(all.members, i)
	}
	return []part{all}
}

func (e *evaluator) newPart() part {
	p := newEvaluator(e.request, e.classifier)
	p.texts, p.models = e.texts, e.models
	return part{evaluator: &p}
}

// runGroup is a set of runs that are scored in the same part.
type runGroup struct {
	members []int
	actions int
}

// groupRuns returns the runs in groups, one for each task of a file. The groups are in the
// order of their first runs. A run without a task is a group, and so is each run of a task
// with many actions.
func (e *evaluator) groupRuns(cores int) []runGroup {
	type task struct {
		file int
		name string
	}
	total := 0
	actions := map[task]int{}
	for i := range e.runs {
		r := &e.runs[i]
		total += len(r.Actions)
		actions[task{r.file, r.Task}] += len(r.Actions)
	}
	var groups []runGroup
	of := map[task]int{}
	for i := range e.runs {
		r := &e.runs[i]
		t := task{r.file, r.Task}
		at, ok := of[t]
		if !ok || r.Task == "" || 2*cores*actions[t] > total {
			at = len(groups)
			of[t] = at
			groups = append(groups, runGroup{})
		}
		groups[at].members = append(groups[at].members, i)
		groups[at].actions += len(r.Actions)
	}
	return groups
}

// forEachPart calls f with each part, and returns after the last call. If there are
// several parts, it calls f in goroutines. If a call panics, forEachPart panics with the
// same value.
func forEachPart(parts []part, f func(*part)) {
	concurrent.Each(len(parts), func(i int) { f(&parts[i]) })
}

// scoreParts runs the first three stages for all runs. It adds the warnings and plugins
// of all parts to e, in the order of the runs.
func (e *evaluator) scoreParts(parts []part) {
	var mu sync.Mutex
	done := 0
	count := func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		e.request.Progress(done, len(e.runs))
	}
	warnings := make([][]trajectory.Warning, len(e.runs))
	plugins := make([][]Plugin, len(e.runs))
	forEachPart(parts, func(p *part) {
		for _, i := range p.members {
			p.scoreRun(&e.runs[i])
			warnings[i], plugins[i] = p.warnings, p.plugins
			p.warnings, p.plugins = nil, nil
			if e.request.Progress != nil {
				count()
			}
		}
	})
	for i := range e.runs {
		e.warnings = append(e.warnings, warnings[i]...)
		for _, used := range plugins[i] {
			e.addPlugin(used)
		}
	}
}

// reportParts computes the figures and causes of all runs, after their findings are
// final. It returns the reports of the runs in order.
func (e *evaluator) reportParts(parts []part) []Trajectory {
	out := make([]Trajectory, len(e.runs))
	forEachPart(parts, func(p *part) {
		for _, i := range p.members {
			r := &e.runs[i]
			r.computeResults()
			p.hideFindings(r)
			out[i] = r.trajectoryReport()
		}
	})
	return out
}
