package core

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/metric"
	"github.com/boundcheck/boundcheck/core/stats"
)

// Tally computes the corpus figures from trajectories that are added one after another,
// in the order of the input. The caller need not keep them (see metric.Tally). The zero
// value is empty.
type Tally struct {
	n, flagged         int
	observed, expected int
	violations         ViolationCounts
	agreement          Agreement
	figures            metric.Tally
	most               bool // BASR's own value is the one by ABS max
}

// Under sets the parameters of the corpus figures: θ and the denominator of BASR.
func (t *Tally) Under(o *Options) {
	t.figures.Theta = o.Params.Theta
	t.most = o.Params.Denominator == "max"
}

// Add counts one trajectory. The same task id in two files is two tasks; file says
// which file it is. Add keeps no reference to run.
func (t *Tally) Add(run *Trajectory, file int) {
	t.n++
	t.observed += len(run.Observed)
	t.expected += len(run.Reference)
	if run.Flagged {
		t.flagged++
	}
	t.violations.add(run.Violations)
	task := ""
	if run.Task != "" {
		task = fmt.Sprintf("%d %s", file, run.Task)
	}
	var bounds *metric.Bounds
	if m := &run.Metrics; m.ABS.Agent.Scored {
		bounds = &metric.Bounds{ABSAgent: *m.ABS.Agent.Value, ABSMax: *m.ABS.Max.Value, GAR: *m.GAR.Value, SVR: *m.SVR.Value,
			Granularity: *m.GranularityRate.Value, ScopeAndGranularity: *m.ScopeAndGranularityRate.Value}
		if run.Success != nil {
			t.agreement.add(*run.Success, run.Flagged)
		}
	}
	t.figures.Add(task, bounds, run.Success)
}

// Recount returns the corpus figures of a report of one input under other parameters of
// stage four: θ and the denominator. Groups are left out. The error is an *InputError.
func Recount(r *Report, o *Options) (Corpus, error) {
	if err := o.Params.check(); err != nil {
		return Corpus{}, err
	}
	var t Tally
	t.Under(o)
	for i := range r.Trajectories {
		t.Add(&r.Trajectories[i], 1)
	}
	return t.Corpus(o.Seed), nil
}

// N is how many trajectories were added.
func (t *Tally) N() int { return t.n }

func (c *ViolationCounts) add(found []Violation) {
	if c.ByType == nil {
		c.ByType, c.ByPattern = map[string]int{}, map[string]int{}
	}
	for i := range found {
		c.Total++
		c.ByType[string(found[i].Type)]++
		if p := found[i].Pattern; p != "" {
			c.ByPattern[string(p)]++
		}
	}
}

// Corpus returns the figures of the trajectories added so far, with intervals from a
// bootstrap with that seed (0 means DefaultSeed). O(tasks) beyond the bootstrap.
func (t *Tally) Corpus(seed uint64) Corpus {
	t.violations.add(nil)
	f := t.figures.Corpus()
	c := Corpus{N: t.n, Tasks: f.Tasks, Flagged: t.flagged, Metrics: t.metrics(&f, seed),
		Violations: t.violations, Agreement: t.agreement.report()}
	for i, s := range f.PassHatK {
		c.PassHatK = append(c.PassHatK, PassHatK{i + 1, score(s)})
	}
	if c.N > 0 {
		c.Lengths = Lengths{float64(t.observed) / float64(c.N), float64(t.expected) / float64(c.N)}
	}
	return c
}

// Group returns the figures as those of one file among several.
func (t *Tally) Group(name, format string, seed uint64) Group {
	f := t.figures.Corpus()
	return Group{Name: name, Format: format, N: t.n, Tasks: f.Tasks, Flagged: t.flagged, Metrics: t.metrics(&f, seed)}
}

func (t *Tally) metrics(f *metric.Corpus, seed uint64) Metrics {
	s := withIntervals([]metric.Figure{f.ABSAgent, f.ABSMax, f.GAR, f.SVR, f.Granularity, f.ScopeAndGranularity,
		f.BASR, f.BASRMax, f.SR, f.LuckySuccess, f.LuckySuccessMax, f.SRAll}, seed)
	m := Metrics{ABS: ABS{s[0], s[1]}, GAR: s[2], SVR: s[3], GranularityRate: s[4], ScopeAndGranularityRate: s[5],
		BASR: sided(s[6], s[6], s[7]), SR: &s[8], LuckySuccess: sided(s[9], s[9], s[10])}
	if t.most {
		m.BASR, m.LuckySuccess = sided(s[7], s[6], s[7]), sided(s[10], s[9], s[10])
	}
	if !t.figures.SameRuns() {
		m.SRAll = &s[11]
	}
	return m
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
