package score

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Internal is the code of a run that was not scored because of a bug of this project, and
// of its warning.
const Internal = "internal"

// onRun is called before each stage of a run; nil for nothing. Only tests set it, to make
// the scoring of a run panic (see package internal/faults).
var onRun func(id string)

// guardRun calls f, which does something for one run. If f panics, only this run is lost:
// it has an error instead of a score, it is in no figure, and guardRun does nothing for it
// any more. Everything that is done for one run goes through guardRun, so that every door
// scores the other runs. A stack overflow and the end of the memory are no panics; they end
// the process. guardRun does nothing after the request was stopped.
func (e *evaluator) guardRun(r *run, f func()) {
	if r.broken != "" || e.stopError() != nil {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			e.breakRun(r, p)
		}
	}()
	if onRun != nil {
		onRun(r.ID)
	}
	f()
}

func (e *evaluator) stopError() error {
	if e.request.Stop == nil {
		return nil
	}
	return e.request.Stop()
}

// breakRun records the panic of a run. It removes all results of the run, and all caches of
// the evaluator, because f may have left them half written.
func (e *evaluator) breakRun(r *run, p any) {
	*r = run{Trajectory: r.Trajectory, stages: &stages{Case: boundary.Case{Profile: r.Profile}}, file: r.file, path: r.path, benchmark: r.benchmark,
		broken: fmt.Sprintf("internal error: %v; please report it with the input", p)}
	fresh := newEvaluator(e.request, e.classifier)
	e.calls, e.deeds, e.kinships, e.ignoring = fresh.calls, fresh.deeds, nil, nil
	if e.earlier != nil {
		*e.earlier = Cache{}
	}
}

func (e *evaluator) warnBroken() {
	for i := range e.runs {
		if r := &e.runs[i]; r.broken != "" {
			e.warnings = append(e.warnings, trajectory.Warning{Code: Internal, Trajectory: r.ID, Message: "this run was not scored, and no figure counts it: " + r.broken})
		}
	}
}

// brokenReport returns the report of a run that could not be scored.
func (r *run) brokenReport() report.Trajectory {
	return report.Trajectory{
		ID: r.ID, Task: r.Task, Trial: r.Trial, Success: r.Success, Reward: r.Reward,
		Error:    &report.Failure{Code: Internal, Message: r.broken},
		Profile:  r.Profile.String(),
		Verdict:  "Cannot tell: the run was not scored because of an internal error.",
		Observed: []report.Action{}, Alignment: []report.Row{}, Violations: []report.Violation{},
		Metrics: report.NoMetrics("the run was not scored because of an internal error"),
	}
}
