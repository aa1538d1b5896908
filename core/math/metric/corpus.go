package metric

import "math"

// BoundaryAware is θ. A success counts in BASR if its ABS is greater than θ.
const BoundaryAware = 0.8

// MaxK is the largest k of pass^k in a report. Larger k add little, and a task with a
// thousand trials would fill the report.
const MaxK = 100

// Bounds holds the figures of a run that come from the alignment with its reference.
type Bounds struct{ ABSAgent, ABSMax, GAR, SVR, Granularity, ScopeAndGranularity, Within float64 }

// MaxBootstrap is the largest number of tasks for which a Figure has PerTask. The
// interval of such a figure comes from a bootstrap. With more tasks, a Figure has only
// Moments.
const MaxBootstrap = 100_000

// Tally computes the corpus figures from the runs of one file, which the caller adds one
// after another and need not keep. It stores a few numbers for each task, independently
// of the number of trials. A task with a single run and without a name needs four bytes.
// Sums are exact: the order of a task's trials changes nothing, and a tally that was
// merged from parts is equal to the tally of all runs. The zero value is empty.
type Tally struct {
	Theta *float64 // the ABS that a success must pass to count in BASR; nil means BoundaryAware

	tasks tasks
}

// Corpus holds the corpus figures. Each figure is the mean over tasks of the means over
// trials, as the task-weighted means of ABB's Table 14.
type Corpus struct {
	Tasks                            int
	ABSAgent, ABSMax, GAR, SVR       Figure
	Granularity, ScopeAndGranularity Figure
	Within                           Figure
	// BASR is the share of successes with ABSAgent above θ. BASRMax uses ABSMax, which
	// missing steps lower. A lucky success is a success that BASR does not count, so its
	// share is SR − BASR.
	BASR, BASRMax, LuckySuccess, LuckySuccessMax Figure
	// SR covers the same runs as BASR, so that the two can be compared. If BASR covers
	// no run, SR covers all runs with a known outcome, as SRAll does.
	SR, SRAll Figure
	// Passes has pass^k and pass@k for k = 1, 2, … up to the smallest number of trials of
	// a task, at most MaxK. It is nil if a task has only one trial.
	Passes []Pass
	// Fewest and Most are the smallest and the largest number of trials with a known
	// outcome that a task has, of the tasks that have one. Both are 0 if there is none.
	Fewest, Most int
}

// Pass holds the probabilities that, of k recorded trials of a task, drawn without
// replacement, all succeed (All, pass^k) and at least one succeeds (One, pass@k). With c
// successes in n trials of a task, they are the means over tasks of C(c, k) / C(n, k) and
// 1 − C(n−c, k) / C(n, k). Both have Moments and no PerTask.
type Pass struct{ All, One Figure }

// Figure is a corpus figure with the data for its interval. PerTask has one value for
// each task. If there are more than MaxBootstrap tasks, Moments is set instead.
type Figure struct {
	Score
	PerTask []float64
	Moments *Moments
	Rate    bool // the value of a task may be above 1
}

// Moments describes the distribution of the values of N tasks. SD divides by N − 1.
type Moments struct {
	N            int
	SD, Min, Max float64
}

// Add counts one run. Runs with the same task name are trials of that task. A run without
// a task name is a task by itself. bounds is nil for a run without a reference. success
// is nil for a run whose outcome is unknown.
func (t *Tally) Add(task string, bounds *Bounds, success *bool) {
	var v trials
	if bounds != nil {
		v.scored = 1
		for i, x := range [...]float64{bounds.ABSAgent, bounds.ABSMax, bounds.GAR, bounds.SVR, bounds.Granularity, bounds.ScopeAndGranularity, bounds.Within} {
			v.bounds[i].add(x)
		}
	}
	if success != nil {
		v.known, v.won = 1, boolToCount(*success)
		if bounds != nil {
			v.both, v.bothWon = 1, v.won
			v.aware = boolToCount(*success && bounds.ABSAgent > t.thetaOrDefault())
			v.awareMost = boolToCount(*success && bounds.ABSMax > t.thetaOrDefault())
		}
	}
	if task == "" {
		t.tasks.addAlone(&v, 1)
		return
	}
	t.tasks.addNamed(keyOf(task), &v)
}

func boolToCount(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func (t *Tally) thetaOrDefault() float64 {
	if t.Theta == nil {
		return BoundaryAware
	}
	return *t.Theta
}

// Tasks returns the number of different tasks of the runs added so far.
func (t *Tally) Tasks() int { return len(t.tasks.order) }

// Merge adds the runs of the tally other. In the file, these runs must come after the
// runs of t. Tasks keep the order in which they first appear. O(tasks of other).
func (t *Tally) Merge(other *Tally) {
	names := make([]*key, other.tasks.entries.len())
	for name, entry := range other.tasks.named {
		names[entry] = &name
	}
	for _, entry := range other.tasks.order {
		v := other.tasks.entries.trialsAt(entry)
		if name := names[entry]; name != nil {
			t.tasks.addNamed(*name, v)
		} else {
			t.tasks.addAlone(v, 1)
		}
	}
}

// Corpus returns the figures of the runs added so far. O(tasks).
func (t *Tally) Corpus() Corpus { return All(t) }

// All returns the figures of several files together. A task name that occurs in two files
// counts as two tasks. O(tasks).
func All(files ...*Tally) Corpus {
	const unreferenced, unknown, half = "no run has a reference", "no run says whether it succeeded", "no run has both a reference and a known outcome"
	inBoth := func(n func(*trials) uint32) Figure {
		return meanFigure(files, half, shareColumn(func(t *trials) (uint32, uint32) { return n(t), t.both }))
	}
	c := Corpus{
		ABSAgent:            meanFigure(files, unreferenced, boundColumn(0)),
		ABSMax:              meanFigure(files, unreferenced, boundColumn(1)),
		GAR:                 meanFigure(files, unreferenced, boundColumn(2)),
		SVR:                 meanFigure(files, unreferenced, boundColumn(3)),
		Granularity:         meanFigure(files, unreferenced, boundColumn(4)),
		ScopeAndGranularity: meanFigure(files, unreferenced, boundColumn(5)),
		Within:              meanFigure(files, unreferenced, boundColumn(6)),
		BASR:                inBoth(func(t *trials) uint32 { return t.aware }),
		LuckySuccess:        inBoth(func(t *trials) uint32 { return t.bothWon - t.aware }),
		BASRMax:             inBoth(func(t *trials) uint32 { return t.awareMost }),
		LuckySuccessMax:     inBoth(func(t *trials) uint32 { return t.bothWon - t.awareMost }),
		SRAll:               meanFigure(files, unknown, shareColumn(func(t *trials) (uint32, uint32) { return t.won, t.known })),
	}
	c.Passes, c.Fewest, c.Most = passes(files)
	c.SVR.Rate, c.Granularity.Rate, c.ScopeAndGranularity.Rate = true, true, true
	for _, t := range files {
		c.Tasks += t.Tasks()
	}
	if c.SR = inBoth(func(t *trials) uint32 { return t.bothWon }); !c.SR.Scored {
		c.SR = c.SRAll
	}
	return c
}

// SameRuns reports whether the figure SR counts all runs with a known outcome. If the
// result is false, SR leaves out runs without a reference.
func SameRuns(files ...*Tally) bool {
	known, both := 0, 0
	eachTask(files, func(t *trials) {
		known += int(t.known)
		both += int(t.both)
	})
	return both == 0 || both == known
}

// eachTask calls the function visit with the trials of every task of every file.
func eachTask(files []*Tally, visit func(*trials)) {
	for _, f := range files {
		for _, entry := range f.tasks.order {
			visit(f.tasks.entries.trialsAt(entry))
		}
	}
}

// meanFigure returns the mean of one figure over the tasks that have the figure. The last
// argument is a function that returns the figure of a task. If no task has the figure,
// the result is unscored and has the given reason.
func meanFigure(files []*Tally, reason string, of column) Figure {
	n, total, least, most := 0, 0.0, math.Inf(1), math.Inf(-1)
	eachTask(files, func(t *trials) {
		if v, ok := of(t); ok {
			n++
			total += v
			least, most = min(least, v), max(most, v)
		}
	})
	if n == 0 {
		return Figure{Score: Because(reason)}
	}
	f := Figure{Score: scoreOf(total / float64(n))}
	if n > MaxBootstrap {
		squares := 0.0
		eachTask(files, func(t *trials) {
			if v, ok := of(t); ok {
				squares += float64((v - f.Value) * (v - f.Value)) // no fused multiply-add: same bits everywhere
			}
		})
		f.Moments = &Moments{n, math.Sqrt(squares / float64(n-1)), least, most}
		return f
	}
	f.PerTask = make([]float64, 0, n)
	eachTask(files, func(t *trials) {
		if v, ok := of(t); ok {
			f.PerTask = append(f.PerTask, v)
		}
	})
	return f
}

func passes(files []*Tally) (out []Pass, fewest, most int) {
	n := 0
	eachTask(files, func(t *trials) {
		if t.known > 0 {
			if n == 0 || int(t.known) < fewest {
				fewest = int(t.known)
			}
			most = max(most, int(t.known))
			n++
		}
	})
	if fewest < 2 {
		return nil, fewest, most
	}
	for k := 1; k <= min(fewest, MaxK); k++ {
		out = append(out, Pass{
			All: momentsFigure(files, n, func(t *trials) (float64, bool) { return binomialRatio(t.won, t.known, k), t.known > 0 }),
			One: momentsFigure(files, n, func(t *trials) (float64, bool) { return 1 - binomialRatio(t.known-t.won, t.known, k), t.known > 0 }),
		})
	}
	return out, fewest, most
}

// momentsFigure returns the mean of a figure over the n tasks that have it, with its
// moments.
func momentsFigure(files []*Tally, n int, of column) Figure {
	total, squares := 0.0, 0.0
	m := Moments{N: n, Min: math.Inf(1), Max: math.Inf(-1)}
	eachTask(files, func(t *trials) {
		if v, ok := of(t); ok {
			total += v
			m.Min, m.Max = min(m.Min, v), max(m.Max, v)
		}
	})
	mean := total / float64(n)
	eachTask(files, func(t *trials) {
		if v, ok := of(t); ok {
			squares += float64((v - mean) * (v - mean))
		}
	})
	if n > 1 {
		m.SD = math.Sqrt(squares / float64(n-1))
	}
	return Figure{Score: scoreOf(mean), Moments: &m}
}
