package score

import (
	"sync"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/base/concurrent"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// schedule divides the runs of a request into groups, and says who scores them. A worker
// takes the next group when it is free. Workers may score different groups at the same
// time, because each worker is an evaluator with caches of its own.
type schedule struct {
	groups  [][]int // the indices of the runs in the request, in ascending order
	workers []*evaluator
	taken   [][]int // for each worker, the groups that it has taken; nil before the first call of forEachRun
}

// smallestShare is the smallest number of actions for which another goroutine saves time.
const smallestShare = 256

// newSchedule returns a schedule with at most cores workers. Runs of one task are in one
// group, because they repeat each other's calls, and a worker prepares each call once. A
// task that has more than half of the actions of a worker is divided. With one worker, the
// runs are one group.
func (e *evaluator) newSchedule(cores int) schedule {
	var s schedule
	if concurrent.Possible && cores > 1 {
		var total int
		s.groups, total = e.groupRuns(cores)
		cores = min(cores, total/smallestShare, len(s.groups))
	}
	if !concurrent.Possible || cores < 2 {
		all := make([]int, len(e.runs))
		for i := range all {
			all[i] = i
		}
		s.groups, cores = [][]int{all}, 1
	}
	for range cores {
		w := newEvaluator(e.request, e.classifier)
		w.texts, w.models = e.texts, e.models
		s.workers = append(s.workers, &w)
	}
	if o := &e.request.Options; cores == 1 && e.classifier == o.Classifier {
		s.workers[0].earlier = o.Cache
	}
	return s
}

// forEachRun calls f with each run, by its index in the request, and with a worker. If
// there are several workers, the calls are made in goroutines. The calls with one worker
// are never made at the same time. In the first call of forEachRun, a worker takes the
// next group when it is free. In later calls it keeps its groups, because the runs that a
// worker has scored share what it prepared. If a call panics, forEachRun panics with the
// same value.
func (s *schedule) forEachRun(f func(w *evaluator, run int)) {
	call := func(worker, group int) {
		for _, run := range s.groups[group] {
			f(s.workers[worker], run)
		}
	}
	if s.taken == nil {
		s.taken = make([][]int, len(s.workers))
		concurrent.Claim(len(s.groups), len(s.workers), func(worker, group int) {
			s.taken[worker] = append(s.taken[worker], group)
			call(worker, group)
		})
		return
	}
	concurrent.Each(len(s.workers), func(worker int) {
		for _, group := range s.taken[worker] {
			call(worker, group)
		}
	})
}

// groupRuns returns the runs in groups, one for each task of a file. The groups are in the
// order of their first runs. A run without a task is a group, and so is each run of a task
// with many actions. total is the number of actions of all runs.
func (e *evaluator) groupRuns(cores int) (groups [][]int, total int) {
	type task struct {
		file int
		name string
	}
	actions := map[task]int{}
	for i := range e.runs {
		r := &e.runs[i]
		total += len(r.Actions)
		actions[task{r.file, r.Task}] += len(r.Actions)
	}
	of := map[task]int{}
	for i := range e.runs {
		r := &e.runs[i]
		t := task{r.file, r.Task}
		at, ok := of[t]
		if !ok || r.Task == "" || 2*cores*actions[t] > total {
			at = len(groups)
			of[t] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], i)
	}
	return groups, total
}

// scoreRuns runs the first three stages for all runs, and makes the reports of those that no
// other run can change. It adds the warnings and plugins of all workers to e, in the order of
// the runs. It returns the reports by the indices of the runs.
func (e *evaluator) scoreRuns(s *schedule) []report.Trajectory {
	reports, final := make([]report.Trajectory, len(e.runs)), e.finalRuns()
	var mu sync.Mutex
	done := 0
	count := func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		e.request.Progress(done, len(e.runs))
	}
	warnings := make([][]trajectory.Warning, len(e.runs))
	plugins := make([][]report.Plugin, len(e.runs))
	s.forEachRun(func(w *evaluator, i int) {
		r := &e.runs[i]
		r.stages = &stages{}
		w.guardRun(r, func() {
			w.forgetCalls()
			w.scoreRun(r)
		})
		if final(r) {
			w.guardRun(r, func() {
				r.seconds = make([]*second, len(r.findings))
				reports[i] = w.reportRun(r)
				w.releaseStages(r)
			})
		}
		warnings[i], plugins[i] = w.warnings, w.plugins
		w.warnings, w.plugins = nil, nil
		if e.request.Progress != nil {
			count()
		}
	})
	for i := range e.runs {
		e.warnings = append(e.warnings, warnings[i]...)
		for _, used := range plugins[i] {
			e.addPlugin(used)
		}
	}
	return reports
}

// finalRuns returns a function that says whether a run that was scored has all its findings.
// A run without a reference may still get some from the other runs of its task, and a run
// from a judge.
func (e *evaluator) finalRuns() func(r *run) bool {
	if e.request.Options.Judge != nil {
		return func(*run) bool { return false }
	}
	ofTask := map[string]int{}
	for i := range e.runs {
		ofTask[e.runs[i].Task]++
	}
	return func(r *run) bool { return r.referenced || r.Task == "" || ofTask[r.Task] <= enoughOthers }
}

// releaseStages drops what was read of a run that has its report, and what the stages made of it.
// A large file has many runs, and this is most of their memory. Runs after each other share what is
// left of the stages, which nothing changes.
func (e *evaluator) releaseStages(r *run) {
	t := r.Trajectory
	*t = trajectory.Trajectory{ID: t.ID, Task: t.Task, Trial: t.Trial, Success: t.Success, Reward: t.Reward}
	if s := e.released; s == nil || s.Profile != r.Profile || s.Policy != r.Case.Policy || s.Bounds != r.Bounds {
		e.released = &stages{Case: boundary.Case{Profile: r.Profile, Policy: r.Case.Policy, Bounds: r.Bounds}}
	}
	*r = run{Trajectory: t, stages: e.released, file: r.file, path: r.path, referenced: r.referenced, reported: true}
}

// reportRuns completes the reports of the runs: it computes the figures and causes of those
// that scoreRuns has not reported, after their findings are final.
func (e *evaluator) reportRuns(s *schedule, reports []report.Trajectory) {
	s.forEachRun(func(w *evaluator, i int) {
		r := &e.runs[i]
		if !r.reported {
			w.guardRun(r, func() { reports[i] = w.reportRun(r) })
		}
		if r.broken != "" {
			reports[i] = r.brokenReport()
		}
	})
}

func (e *evaluator) reportRun(r *run) report.Trajectory {
	r.computeResults()
	e.hideFindings(r)
	return r.trajectoryReport()
}
