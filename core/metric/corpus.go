package metric

// BoundaryAware is θ: the ABS that a success must pass, strictly, to count in BASR.
const BoundaryAware = 0.8

// MaxK bounds the k of pass^k. Larger k say little, and would fill the report of a task
// with a thousand trials.
const MaxK = 100

// Bounds are a run's figures from the alignment with its reference.
type Bounds struct{ ABSAgent, ABSMax, GAR, SVR, Granularity, ScopeAndGranularity float64 }

// Tally computes the corpus figures from runs that are added one after another. The
// caller need not keep them. It holds a few numbers for each task: a task with many
// trials needs no more than one with two, and the only run of a task needs four bytes a
// figure. The zero value is empty.
type Tally struct {
	Theta *float64 // the ABS that a success must pass to count in BASR; nil means BoundaryAware

	names    map[string]uint32 // of tasks: their number
	alone    int               // runs that name no task
	bounds   tasks             // the six of Bounds, over runs with a reference
	outcomes tasks             // SR, over runs whose outcome is known
	both     tasks             // BASR and lucky successes by ABS agent and ABS max, SR, over runs with both
}

// Corpus figures are means over tasks, each task the mean of its trials: the
// task-weighted means of ABB's Table 14.
type Corpus struct {
	Tasks                            int
	ABSAgent, ABSMax, GAR, SVR       Figure
	Granularity, ScopeAndGranularity Figure
	// BASR counts by the ABS of the equation, BASRMax by the one that missing steps
	// lower. A lucky success is a success that is not in BASR, so SR − BASR.
	BASR, BASRMax, LuckySuccess, LuckySuccessMax Figure
	// SR is over the runs that BASR is over, where there are any, so that the two can
	// be compared; else over all runs whose outcome is known, as SRAll is.
	SR, SRAll Figure
	// PassHatK is pass^k for k = 1, 2, … up to the trials that each task has, at
	// most MaxK: the chance that k trials of a task, drawn without replacement from
	// those recorded, all succeed: mean of C(c, k) / C(n, k). Nil when there is but
	// one trial.
	PassHatK []Score
}

// Figure is a corpus figure with what a bootstrap needs: one value a task.
type Figure struct {
	Score
	PerTask []float64
}

// Add counts one run. Runs with the same task name are trials of that task; a run
// without a task name is a task by itself. bounds is nil for a run without a reference,
// success for one whose outcome is unknown.
func (t *Tally) Add(task string, bounds *Bounds, success *bool) {
	n := t.task(task)
	if bounds != nil {
		t.bounds.add(n, sums{bounds.ABSAgent, bounds.ABSMax, bounds.GAR, bounds.SVR, bounds.Granularity, bounds.ScopeAndGranularity})
	}
	if success == nil {
		return
	}
	t.outcomes.add(n, sums{truth(*success)})
	if bounds != nil {
		agent, most := bounds.ABSAgent > t.theta(), bounds.ABSMax > t.theta()
		t.both.add(n, sums{truth(*success && agent), truth(*success && !agent), truth(*success && most), truth(*success && !most), truth(*success)})
	}
}

func (t *Tally) theta() float64 {
	if t.Theta == nil {
		return BoundaryAware
	}
	return *t.Theta
}

func (t *Tally) task(name string) uint32 {
	if name == "" {
		t.alone++
		return none
	}
	if t.names == nil {
		t.names = map[string]uint32{}
	}
	n, ok := t.names[name]
	if !ok {
		n = uint32(len(t.names))
		t.names[name] = n
	}
	return n
}

// Corpus returns the figures of the runs added so far. O(tasks).
func (t *Tally) Corpus() Corpus {
	const unreferenced, unknown, half = "no run has a reference", "no run says whether it succeeded", "no run has both a reference and a known outcome"
	c := Corpus{
		Tasks:               len(t.names) + t.alone,
		ABSAgent:            t.bounds.figure(0, unreferenced),
		ABSMax:              t.bounds.figure(1, unreferenced),
		GAR:                 t.bounds.figure(2, unreferenced),
		SVR:                 t.bounds.figure(3, unreferenced),
		Granularity:         t.bounds.figure(4, unreferenced),
		ScopeAndGranularity: t.bounds.figure(5, unreferenced),
		BASR:                t.both.figure(0, half),
		LuckySuccess:        t.both.figure(1, half),
		BASRMax:             t.both.figure(2, half),
		LuckySuccessMax:     t.both.figure(3, half),
		SRAll:               t.outcomes.figure(0, unknown),
		PassHatK:            t.outcomes.passHatK(),
	}
	if c.SR = c.SRAll; t.both.runs > 0 {
		c.SR = t.both.figure(4, half)
	}
	return c
}

// SameRuns reports whether SR is over all runs whose outcome is known.
func (t *Tally) SameRuns() bool { return t.both.runs == 0 || t.both.runs == t.outcomes.runs }
