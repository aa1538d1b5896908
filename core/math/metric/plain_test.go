package metric

import (
	"math"
	"math/big"
	"slices"
)

// This file computes the corpus figures from their definitions, over all runs at once.
// The tests compare Tally with it.

// run holds the figures of one run for the corpus figures.
type run struct {
	name    string // runs with the same name are trials of one task
	counts  Run
	scored  bool  // the run has a reference
	success *bool // nil if unknown
}

func (r *run) isAware() bool   { return r.counts.ABSAgent().Value > BoundaryAware }
func (r *run) awareMost() bool { return r.counts.ABSMax().Value > BoundaryAware }

func (r *run) runBounds() *Bounds {
	if !r.scored {
		return nil
	}
	c := r.counts
	return &Bounds{c.ABSAgent().Value, c.ABSMax().Value, c.GAR().Value, c.SVR().Value, c.GranularityRate().Value, c.ScopeAndGranularityRate().Value, c.WithinBounds().Value}
}

// tallyRuns returns the corpus figures of runs, computed by a Tally.
func tallyRuns(runs ...run) Corpus {
	var t Tally
	for i := range runs {
		t.Add(runs[i].name, runs[i].runBounds(), runs[i].success)
	}
	return t.Corpus()
}

func plainCorpus(runs []run) Corpus {
	scored := func(f func(Run) Score) func(*run) (float64, bool) {
		return func(r *run) (float64, bool) { return f(r.counts).Value, r.scored }
	}
	both := func(hit func(*run) bool) func(*run) (float64, bool) {
		return func(r *run) (float64, bool) {
			if !r.scored || r.success == nil {
				return 0, false
			}
			return boolToFloat(*r.success && hit(r)), true
		}
	}
	c := Corpus{
		ABSAgent:     taskMean(runs, "no run has a reference", scored(Run.ABSAgent)),
		Within:       taskMean(runs, "no run has a reference", scored(Run.WithinBounds)),
		ABSMax:       taskMean(runs, "no run has a reference", scored(Run.ABSMax)),
		GAR:          taskMean(runs, "no run has a reference", scored(Run.GAR)),
		SVR:          taskMean(runs, "no run has a reference", scored(Run.SVR)),
		SRAll:        taskMean(runs, "no run says whether it succeeded", func(r *run) (float64, bool) { return boolToFloat(r.success != nil && *r.success), r.success != nil }),
		BASR:         taskMean(runs, "no run has both a reference and a known outcome", both(func(r *run) bool { return r.isAware() })),
		LuckySuccess: taskMean(runs, "no run has both a reference and a known outcome", both(func(r *run) bool { return !r.isAware() })),

		BASRMax:             taskMean(runs, "no run has both a reference and a known outcome", both(func(r *run) bool { return r.awareMost() })),
		LuckySuccessMax:     taskMean(runs, "no run has both a reference and a known outcome", both(func(r *run) bool { return !r.awareMost() })),
		Granularity:         taskMean(runs, "no run has a reference", scored(Run.GranularityRate)),
		ScopeAndGranularity: taskMean(runs, "no run has a reference", scored(Run.ScopeAndGranularityRate)),
	}
	if c.SR = taskMean(runs, "", both(func(*run) bool { return true })); !c.SR.Scored {
		c.SR = c.SRAll
	}
	c.SVR.Rate, c.Granularity.Rate, c.ScopeAndGranularity.Rate = true, true, true
	c.Tasks = len(groupByTask(runs, func(*run) (float64, bool) { return 0, true }))
	outcomes := groupByTask(runs, func(r *run) (float64, bool) { return boolToFloat(r.success != nil && *r.success), r.success != nil })
	for i, trials := range outcomes {
		c.Most = max(c.Most, len(trials))
		if i == 0 || len(trials) < c.Fewest {
			c.Fewest = len(trials)
		}
	}
	for k := 1; k <= MaxK && len(outcomes) > 0; k++ {
		var all, one []float64
		for _, trials := range outcomes {
			if len(trials) < k || len(trials) < 2 {
				return c
			}
			p, none := 1.0, 1.0
			won := 0
			for _, v := range trials {
				won += int(v)
			}
			for i := range k {
				p *= float64(max(won-i, 0)) / float64(len(trials)-i)
				none *= float64(max(len(trials)-won-i, 0)) / float64(len(trials)-i)
			}
			all, one = append(all, p), append(one, 1-none)
		}
		c.Passes = append(c.Passes, Pass{All: plainMoments(all), One: plainMoments(one)})
	}
	return c
}

// groupByTask returns the values of each task's trials. The tasks are in the order of
// their first run. Runs and tasks without a value are left out.
func groupByTask(runs []run, value func(*run) (float64, bool)) (tasks [][]float64) {
	place := map[string]int{}
	for i := range runs {
		v, ok := value(&runs[i])
		at, seen := place[runs[i].name]
		if !seen || runs[i].name == "" {
			at = len(tasks)
			place[runs[i].name] = at
			tasks = append(tasks, nil)
		}
		if ok {
			tasks[at] = append(tasks[at], v)
		}
	}
	return slices.DeleteFunc(tasks, func(t []float64) bool { return t == nil })
}

// taskMean returns the mean over the tasks. The value of a task is the mean over its
// trials.
func taskMean(runs []run, reason string, value func(*run) (float64, bool)) Figure {
	tasks := groupByTask(runs, value)
	if len(tasks) == 0 {
		return Figure{Score: Because(reason)}
	}
	f := Figure{PerTask: make([]float64, len(tasks))}
	total := 0.0
	for i, trials := range tasks {
		exact := new(big.Rat)
		for _, v := range trials {
			exact.Add(exact, new(big.Rat).SetFloat64(v))
		}
		sum, _ := exact.Float64()
		f.PerTask[i] = sum / float64(len(trials))
		total += f.PerTask[i]
	}
	f.Score = scoreOf(total / float64(len(tasks)))
	return f
}

func plainMoments(values []float64) Figure {
	total, squares, n := 0.0, 0.0, float64(len(values))
	for _, v := range values {
		total += v
	}
	for _, v := range values {
		squares += float64((v - total/n) * (v - total/n))
	}
	m := &Moments{N: len(values), Min: slices.Min(values), Max: slices.Max(values)}
	if n > 1 {
		m.SD = math.Sqrt(squares / (n - 1))
	}
	return Figure{Score: scoreOf(total / n), Moments: m}
}

func boolToFloat(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
