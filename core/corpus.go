package core

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/metric"
	"github.com/boundcheck/boundcheck/core/stats"
)

// Tally makes the corpus figures from trajectories that are given one after
// another, in the order of the input, and need not be kept. It holds a few
// numbers for each task: a task of many trials costs no more than one of two,
// and a run that is the only one of its task four bytes a figure. The figures
// are those of package metric over all of them at once, to the last bit. The
// zero value is empty.
type Tally struct {
	n, flagged         int
	observed, expected int
	violations         ViolationCounts
	agreement          Agreement
	names              map[string]uint32 // of tasks: their number
	alone              int               // runs whose source names no task
	bounds             tasks             // ABS, ABS max, GAR, SVR, over runs with a reference
	outcomes           tasks             // SR, over runs whose outcome is known
	both               tasks             // BASR, lucky successes, over runs with both
}

// Add counts one trajectory. file tells apart the tasks of several files: one
// task id in two files is two tasks. Nothing of run is kept.
func (t *Tally) Add(run *Trajectory, file int) {
	t.n++
	t.observed += len(run.Observed)
	t.expected += len(run.Reference)
	if run.Flagged {
		t.flagged++
	}
	t.violations.add(run.Violations)
	task := t.task(run.Task, file)
	scored := run.Metrics.ABS.Agent.Scored
	if scored {
		m := &run.Metrics
		t.bounds.add(task, sums{*m.ABS.Agent.Value, *m.ABS.Max.Value, *m.GAR.Value, *m.SVR.Value})
	}
	if run.Success == nil {
		return
	}
	t.outcomes.add(task, sums{truth(*run.Success)})
	if scored {
		aware := *run.Metrics.ABS.Agent.Value > metric.BoundaryAware
		t.both.add(task, sums{truth(*run.Success && aware), truth(*run.Success && !aware)})
		t.agreement.add(*run.Success, run.Flagged)
	}
}

// N is how many trajectories were added.
func (t *Tally) N() int { return t.n }

func (c *ViolationCounts) add(found []Violation) {
	if c.ByType == nil {
		c.ByType, c.ByPattern = map[string]int{}, map[string]int{}
	}
	for i := range found {
		c.Total++
		c.ByType[found[i].Type]++
		if p := found[i].Pattern; p != "" {
			c.ByPattern[p]++
		}
	}
}

// none is the number of a task that has no name, hence one run.
const none = ^uint32(0)

func (t *Tally) task(name string, file int) uint32 {
	if name == "" {
		t.alone++
		return none
	}
	if t.names == nil {
		t.names = map[string]uint32{}
	}
	key := fmt.Sprintf("%d %s", file, name)
	n, ok := t.names[key]
	if !ok {
		n = uint32(len(t.names))
		t.names[key] = n
	}
	return n
}

// Corpus gives the figures of what was added so far, with intervals from a
// bootstrap of that seed (0 means DefaultSeed). O(tasks) beyond the bootstrap.
func (t *Tally) Corpus(seed uint64) Corpus {
	t.violations.add(nil)
	c := Corpus{N: t.n, Tasks: t.taskCount(), Flagged: t.flagged, Metrics: t.metrics(seed),
		Violations: t.violations, Agreement: t.agreement.report(), PassHatK: t.outcomes.passHatK()}
	if c.N > 0 {
		c.Lengths = Lengths{float64(t.observed) / float64(c.N), float64(t.expected) / float64(c.N)}
	}
	return c
}

// Group gives the figures as those of one file among several.
func (t *Tally) Group(name, format string, seed uint64) Group {
	return Group{Name: name, Format: format, N: t.n, Tasks: t.taskCount(), Flagged: t.flagged, Metrics: t.metrics(seed)}
}

func (t *Tally) taskCount() int { return len(t.names) + t.alone }

func (t *Tally) metrics(seed uint64) Metrics {
	empty := metric.Summarize(nil) // the reasons of figures that no run has
	figures := []metric.Figure{t.bounds.figure(0, empty.ABSAgent), t.bounds.figure(1, empty.ABSMax), t.bounds.figure(2, empty.GAR),
		t.bounds.figure(3, empty.SVR), t.both.figure(0, empty.BASR), t.outcomes.figure(0, empty.SR), t.both.figure(1, empty.LuckySuccess)}
	s := withIntervals(figures, seed)
	return Metrics{ABS: ABS{s[0], s[1]}, GAR: s[2], SVR: s[3], BASR: &s[4], SR: &s[5], LuckySuccess: &s[6]}
}

// withIntervals gives corpus figures their seeded bootstrap intervals over
// tasks; those of one length share their draws.
func withIntervals(figures []metric.Figure, seed uint64) []Score {
	if seed == 0 {
		seed = DefaultSeed
	}
	scores := make([]Score, len(figures))
	byLength := map[int][]int{}
	for i, f := range figures {
		scores[i] = score(f.Score)
		if n := len(f.PerTask); n > 1 { // one task says nothing about how tasks vary
			byLength[n] = append(byLength[n], i)
		}
	}
	for _, members := range byLength { // each writes only its own, so the order does not matter
		columns := make([][]float64, len(members))
		for c, i := range members {
			columns[c] = figures[i].PerTask
		}
		for c, interval := range stats.Bootstraps(columns, Level, seed) {
			scores[members[c]].Interval = &Interval{interval.Low, interval.High, Level}
		}
	}
	return scores
}

// add crosses "not flagged" with the outcome of a run that has a reference.
func (a *Agreement) add(success, flagged bool) {
	switch {
	case success:
		a.Successes++
		if flagged {
			a.FlaggedSuccesses++
		}
	default:
		a.Failures++
		if !flagged {
			a.UnflaggedFailures++
		}
	}
}

// report is nil when no run has both a reference and a known outcome.
func (a Agreement) report() *Agreement {
	n := a.Successes + a.Failures
	if n == 0 {
		return nil
	}
	a.Value = float64(n-a.FlaggedSuccesses-a.UnflaggedFailures) / float64(n)
	return &a
}
