package deviation

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/math/stats"
)

// Run is one run with a known outcome and a reference.
type Run struct {
	ID, Task string
	Success  bool
	Obs, Ref []boundary.Action
}

// Result is the result of a study. The first terms of Fit are the intercept, d_mut and
// d_non. Robust has the errors clustered by task for the same terms, or is nil. Distances
// and Findings have one element for each run; the finding of a success is nil.
type Result struct {
	Tasks     int
	Fit       stats.Logit
	Robust    []stats.Robust
	Distances []Distance
	Findings  []*Finding
}

// The terms of Result.Fit and Result.Robust.
const (
	Intercept = iota
	Mutating
	NonMutating
)

// Study fits the regression of success on both deviations, logit P(success) = β₀ +
// β₁·d_mut + β₂·d_non (SABER, Table 1). It also returns the decisive deviation of each
// failing run. The witnesses are the successes of the same task, followed by the run's
// reference. The error says why no regression is possible.
func Study(runs []Run, measure func(obs, ref []boundary.Action) Distance) (Result, error) {
	samples, distances := sampleRuns(0, runs, measure)
	r, err := Regress(samples)
	r.Distances, r.Findings = distances, decisiveFindings(runs)
	return r, err
}

// sampleRuns returns one sample for each run, and the distance of each run from its
// reference. All samples get the given set number.
func sampleRuns(set int, runs []Run, measure func(obs, ref []boundary.Action) Distance) (samples []Sample, distances []Distance) {
	for i := range runs {
		r, d := &runs[i], measure(runs[i].Obs, runs[i].Ref)
		distances = append(distances, d)
		samples = append(samples, Sample{set, TaskOf(r.Task), r.Task == "", r.Success, d})
	}
	return samples, distances
}

// Pool fits one regression for the runs of several sets. It has one coefficient for each
// deviation, and one intercept for each set. The terms of Fit are the terms of Study,
// followed by one term for each set after the first. Tasks of different sets are
// different tasks. Pool returns no decisive deviations.
func Pool(sets [][]Run, measure func(obs, ref []boundary.Action) Distance) (Result, error) {
	var all []Sample
	for k, runs := range sets {
		samples, _ := sampleRuns(k, runs, measure)
		all = append(all, samples...)
	}
	return Regress(all)
}

// outcomeError returns the error to report for a regression that failed with err. If all
// runs have the same outcome, the error says so. Otherwise it is err itself.
func outcomeError(y []bool, err error) error {
	for _, v := range y {
		if v != y[0] {
			return err
		}
	}
	word := "failed"
	if y[0] {
		word = "succeeded"
	}
	return fmt.Errorf("all %d runs have the same outcome (%s), so there is no difference to explain", len(y), word)
}

// groupKey returns the text by which runs are grouped by task. A run without a task is a
// group by itself.
func (r *Run) groupKey() string {
	if r.Task == "" {
		return "run\x00" + r.ID
	}
	return r.Task
}

func decisiveFindings(runs []Run) []*Finding {
	successes := map[string][]Witness{}
	for i := range runs {
		if r := &runs[i]; r.Success {
			successes[r.groupKey()] = append(successes[r.groupKey()], Witness{"run " + r.ID, r.Obs})
		}
	}
	out := make([]*Finding, len(runs))
	for i := range runs {
		if r := &runs[i]; !r.Success {
			siblings := successes[r.groupKey()]
			f := findDecisive(r.Obs, append(siblings[:len(siblings):len(siblings)], Witness{"the reference", r.Ref}))
			out[i] = &f
		}
	}
	return out
}
