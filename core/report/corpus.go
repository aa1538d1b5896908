package report

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/math/metric"
	"github.com/boundcheck/boundcheck/core/math/stats"
)

// DefaultSeed is the seed of the bootstrap if none is given.
const DefaultSeed = 42

// Level is the confidence level of the bootstrap intervals.
const Level = 0.95

// Tally computes the corpus figures from trajectories. The caller adds the trajectories
// of each file in order and need not keep them (see metric.Tally). Tallies of parts merge
// to the tally of all parts. The zero value is empty.
type Tally struct {
	observed, expected int
	violations         ViolationCounts
	agreement          Agreement
	files              []fileTally
	theta              *float64
	most               bool // the main values of BASR and lucky success use ABS max
}

// fileTally holds the counts of one file.
type fileTally struct {
	n, flagged int
	figures    metric.Tally
}

// Under sets the two parameters of the corpus figures: θ (nil for the papers'), and the
// denominator of BASR, "agent" or "max". Call it before adding anything.
func (t *Tally) Under(theta *float64, denominator string) {
	t.theta = theta
	t.most = denominator == "max"
}

// fileCounts returns the counts of the file with the given number. The number 0 is for
// runs without a file.
func (t *Tally) fileCounts(n int) *fileTally {
	for len(t.files) <= n {
		t.files = append(t.files, fileTally{figures: metric.Tally{Theta: t.theta}})
	}
	return &t.files[n]
}

// Add counts one trajectory. file is the number of its file, from 1. The same task id in
// two files means two tasks. A run that was not scored does not count. A trajectory without
// withinBounds comes from a report by version 1 of the definitions, so its figures are not
// counted. The tally does not keep the pointer run.
func (t *Tally) Add(run *Trajectory, file int) {
	if run.Error != nil {
		return
	}
	f := t.fileCounts(file)
	f.n++
	t.observed += len(run.Observed)
	t.expected += len(run.Reference)
	if run.Flagged {
		f.flagged++
	}
	t.violations.addViolations(run.Violations)
	var bounds *metric.Bounds
	if m := &run.Metrics; m.ABS.Agent.Scored && m.WithinBounds.Scored {
		bounds = &metric.Bounds{Within: *m.WithinBounds.Value, ABSAgent: *m.ABS.Agent.Value, ABSMax: *m.ABS.Max.Value, GAR: *m.GAR.Value, SVR: *m.SVR.Value,
			Granularity: *m.GranularityRate.Value, ScopeAndGranularity: *m.ScopeAndGranularityRate.Value}
		if run.Success != nil {
			t.agreement.addRun(*run.Success, run.Flagged)
		}
	}
	f.figures.Add(run.Task, bounds, run.Success)
}

// Merge adds the counts of another tally. File number n of the other tally becomes file
// number n + skip of t. If the parts of files are merged in order, the result is exactly
// the tally of all runs. O(tasks of other).
func (t *Tally) Merge(other *Tally, skip int) {
	t.observed += other.observed
	t.expected += other.expected
	t.violations.merge(&other.violations)
	t.agreement.merge(&other.agreement)
	for i := range other.files {
		o, f := &other.files[i], t.fileCounts(skip+i)
		f.n += o.n
		f.flagged += o.flagged
		f.figures.Merge(&o.figures)
	}
}

// N returns the number of trajectories added.
func (t *Tally) N() (n int) {
	for i := range t.files {
		n += t.files[i].n
	}
	return n
}

func (c *ViolationCounts) addViolations(found []Violation) {
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

// merge adds the counts of o.
func (c *ViolationCounts) merge(o *ViolationCounts) {
	c.addViolations(nil)
	c.Total += o.Total
	for name, n := range o.ByType {
		c.ByType[name] += n
	}
	for name, n := range o.ByPattern {
		c.ByPattern[name] += n
	}
}

// Corpus returns the figures of the trajectories added so far. The intervals come from a
// bootstrap with the given seed (0 means DefaultSeed). O(tasks), plus the bootstrap.
func (t *Tally) Corpus(seed uint64) Corpus {
	t.violations.addViolations(nil)
	all := make([]*metric.Tally, len(t.files))
	flagged := 0
	for i := range t.files {
		all[i] = &t.files[i].figures
		flagged += t.files[i].flagged
	}
	f := metric.All(all...)
	c := Corpus{N: t.N(), Tasks: f.Tasks, Flagged: flagged, Metrics: t.corpusMetrics(&f, seed, metric.SameRuns(all...)),
		Violations: t.violations, Agreement: t.agreement.reportOrNil()}
	c.PassHatK = passScores(f.Passes)
	c.TrialsNote = trialsNote(f.Fewest, f.Most)
	if len(c.PassHatK) > 0 { // pass^1 and pass@1 are the success rate: one quantity has one interval
		sr := c.Metrics.SRAll
		if sr == nil {
			sr = c.Metrics.SR
		}
		c.PassHatK[0].Score, c.PassHatK[0].Any = *sr, *sr
	}
	if c.N > 0 {
		c.Lengths = Lengths{float64(t.observed) / float64(c.N), float64(t.expected) / float64(c.N)}
	}
	return c
}

// Of returns the figures of some files together. The files are given by their numbers,
// from 1. Figures that are not counted by file are left out.
func (t *Tally) Of(files []int, seed uint64) Corpus {
	var all []*metric.Tally
	c := Corpus{}
	for _, n := range files {
		one := t.fileCounts(n)
		all = append(all, &one.figures)
		c.N += one.n
		c.Flagged += one.flagged
	}
	f := metric.All(all...)
	c.Tasks, c.Metrics = f.Tasks, t.corpusMetrics(&f, seed, metric.SameRuns(all...))
	return c
}

// Group returns the figures of the file with the given number, from 1.
func (t *Tally) Group(file int, name, format string, seed uint64) Group {
	one := t.fileCounts(file)
	f := one.figures.Corpus()
	return Group{Name: name, Format: format, N: one.n, Tasks: f.Tasks, Flagged: one.flagged,
		Metrics: t.corpusMetrics(&f, seed, metric.SameRuns(&one.figures))}
}

func (t *Tally) corpusMetrics(f *metric.Corpus, seed uint64, sameRuns bool) Metrics {
	s := withIntervals([]metric.Figure{f.ABSAgent, f.ABSMax, f.GAR, f.SVR, f.Granularity, f.ScopeAndGranularity,
		f.BASR, f.BASRMax, f.SR, f.LuckySuccess, f.LuckySuccessMax, f.SRAll, f.Within}, seed)
	m := Metrics{WithinBounds: s[12], ABS: ABS{s[0], s[1]}, GAR: s[2], SVR: s[3], GranularityRate: s[4], ScopeAndGranularityRate: s[5],
		BASR: newSided(s[6], s[6], s[7]), SR: &s[8], LuckySuccess: newSided(s[9], s[9], s[10])}
	if t.most {
		m.BASR, m.LuckySuccess = newSided(s[7], s[6], s[7]), newSided(s[10], s[9], s[10])
	}
	if !sameRuns {
		m.SRAll = &s[11]
	}
	return m
}

// trialsNote says why pass^k is missing or ends early although some task has several
// trials. It is "" if all tasks have the same number.
func trialsNote(fewest, most int) string {
	switch {
	case fewest == most || most < 2:
		return ""
	case fewest < 2:
		return fmt.Sprintf("a task has %d trials with a known outcome and another has 1, so pass^k is not scored: it needs two of each task", most)
	}
	return fmt.Sprintf("the tasks have %d to %d trials with a known outcome, so pass^k ends at k = %d", fewest, most, min(fewest, metric.MaxK))
}

// passScores returns pass^k and pass@k with t intervals over tasks, cut to 0 to 1.
func passScores(passes []metric.Pass) []PassHatK {
	if len(passes) == 0 {
		return nil
	}
	out := make([]PassHatK, len(passes))
	n := passes[0].All.Moments.N
	var means, sds []float64
	for i := range passes {
		p := &passes[i]
		means, sds = append(means, p.All.Value, p.One.Value), append(sds, p.All.Moments.SD, p.One.Moments.SD)
		out[i] = PassHatK{i + 1, NewScore(p.All.Score), NewScore(p.One.Score)}
	}
	if n < 2 {
		return out
	}
	intervals := stats.MeansT(means, sds, n)
	for i := range passes {
		out[i].Score.Interval = passInterval(passes[i].All.Moments, intervals[2*i])
		out[i].Any.Interval = passInterval(passes[i].One.Moments, intervals[2*i+1])
	}
	return out
}

// passInterval returns the interval of a figure in 0 to 1 from its moments and its t
// interval. It returns nil if all tasks have the same value, and this is not 0 or 1.
func passInterval(m *metric.Moments, t stats.Interval) *Interval {
	switch extreme, ok := stats.Extreme([]float64{m.Min}); {
	case m.Min < m.Max:
		return &Interval{Low: max(0, t.Low), High: min(1, t.High), Level: Level, Method: "t"}
	case ok:
		extreme.Low, extreme.High = stats.WilsonShare(m.Min, float64(m.N))
		return &Interval{Low: extreme.Low, High: extreme.High, Level: Level, Method: "wilson"}
	}
	return nil
}

// withIntervals returns corpus figures with seeded bootstrap intervals over tasks.
// Figures of the same number of tasks share their random draws. A figure of more than
// metric.MaxBootstrap tasks gets the analytic interval of a mean instead. If all tasks
// have the same value, a bootstrap has no width: a figure that is 0 or 1 for all tasks
// gets Wilson's interval, and any other none.
func withIntervals(figures []metric.Figure, seed uint64) []Score {
	if seed == 0 {
		seed = DefaultSeed
	}
	scores := make([]Score, len(figures))
	byLength := map[int][]int{}
	for i, f := range figures {
		scores[i] = NewScore(f.Score)
		if m := f.Moments; m != nil {
			interval := stats.Normal(f.Value, m.SD, m.N, Level)
			scores[i].Interval = &Interval{Low: max(interval.Low, m.Min), High: min(interval.High, m.Max), Level: Level, Method: "normal"}
		}
		n := len(f.PerTask)
		switch extreme, ok := stats.Extreme(f.PerTask); {
		case n < 2: // one task does not show how tasks vary
		case ok && !f.Rate:
			scores[i].Interval = &Interval{Low: extreme.Low, High: extreme.High, Level: Level, Method: "wilson"}
		case stats.Varies(f.PerTask):
			byLength[n] = append(byLength[n], i)
		}
	}
	for _, members := range byLength { // each iteration writes only its own figures, so the order does not matter
		columns := make([][]float64, len(members))
		for c, i := range members {
			columns[c] = figures[i].PerTask
		}
		for c, interval := range stats.Bootstraps(columns, Level, seed) {
			scores[members[c]].Interval = &Interval{Low: interval.Low, High: interval.High, Level: Level}
		}
	}
	return scores
}

// addRun counts a run that has a reference. success is its recorded outcome, and flagged
// reports whether it has a finding that counts.
func (a *Agreement) addRun(success, flagged bool) {
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

func (a *Agreement) merge(o *Agreement) {
	a.Successes += o.Successes
	a.FlaggedSuccesses += o.FlaggedSuccesses
	a.Failures += o.Failures
	a.UnflaggedFailures += o.UnflaggedFailures
}

// reportOrNil returns the agreement, or nil if no run has both a reference and a known
// outcome.
func (a Agreement) reportOrNil() *Agreement {
	n := a.Successes + a.Failures
	if n == 0 {
		return nil
	}
	a.Value = float64(n-a.FlaggedSuccesses-a.UnflaggedFailures) / float64(n)
	return &a
}
