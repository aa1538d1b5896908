package core

import (
	"sync"

	"github.com/boundcheck/boundcheck/core/concurrent"
)

// part is a range of the runs of a request. Different goroutines may score different
// parts at the same time, because each part is an evaluator with caches of its own.
type part struct {
	*evaluator
	reports []Trajectory // of the runs of the part
}

// smallestPart is the smallest number of actions for which another goroutine saves time.
const smallestPart = 256

// divideRuns divides the runs into at most cores parts. The parts are in the order of the
// runs and have about the same number of actions. If there are no runs, the result is
// nil.
func (e *evaluator) divideRuns(cores int) []part {
	var parts []part
	for _, r := range concurrent.Divide(len(e.runs), cores, smallestPart, func(i int) int { return len(e.runs[i].Actions) }) {
		p := newEvaluator(e.request, e.classifier)
		p.texts, p.models, p.runs = e.texts, e.models, e.runs[r[0]:r[1]]
		parts = append(parts, part{evaluator: &p})
	}
	return parts
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
	forEachPart(parts, func(p *part) {
		for i := range p.runs {
			p.scoreRun(&p.runs[i])
			if e.request.Progress != nil {
				count()
			}
		}
	})
	for _, p := range parts {
		e.warnings = append(e.warnings, p.warnings...)
		for _, used := range p.plugins {
			e.addPlugin(used)
		}
	}
}

// reportParts computes the figures and causes of all runs, after their findings are
// final. It returns the reports of the runs in order.
func reportParts(parts []part) []Trajectory {
	forEachPart(parts, func(p *part) {
		p.reports = make([]Trajectory, len(p.runs))
		for i := range p.runs {
			r := &p.runs[i]
			r.computeResults()
			p.hideFindings(r)
			p.reports[i] = r.trajectoryReport()
		}
	})
	if len(parts) == 1 {
		return parts[0].reports
	}
	out := []Trajectory{}
	for _, p := range parts {
		out = append(out, p.reports...)
	}
	return out
}
