// Package metric is stage four: ABS, GAR, SVR per run, and the corpus figures
// with BASR, SR and lucky successes.
//
// The empty sides are decided here in words. A run that did nothing where
// nothing was to be done is perfect. A run that did nothing where something was
// to be done has ABS 0, and its SVR counts per required step, because there is
// no action to count per. A run that did something where nothing was to be done
// is scored by its own actions alone.
package metric

// Run is what a trajectory's figures are made of.
type Run struct {
	Observed  int // |A|
	Reference int // |A*|
	Correct   int // observed actions with a correct boundary, excused ones included
	Over      int // violations on the side of too much
	Under     int // violations on the side of too little
}

// Score is a figure, or the reason why there is none; it is never NaN.
type Score struct {
	Value  float64
	Scored bool
	Reason string
}

// Of makes a scored figure.
func Of(v float64) Score { return Score{Value: v, Scored: true} }

// Because makes an unscored figure.
func Because(reason string) Score { return Score{Reason: reason} }

const nothing = "nothing was to be done and nothing was done"

// ABSAgent is the action boundary score of the paper's equation, correct / |A|,
// in [0, 1].
func (r Run) ABSAgent() Score {
	if r.Observed == 0 {
		return r.idle()
	}
	return Of(float64(r.Correct) / float64(r.Observed))
}

// ABSMax divides by max(|A|, |A*|) as the paper's case studies do, so that
// missing steps cost, in [0, 1].
func (r Run) ABSMax() Score {
	if r.Observed == 0 {
		return r.idle()
	}
	return Of(float64(r.Correct) / float64(max(r.Observed, r.Reference)))
}

func (r Run) idle() Score {
	if r.Reference == 0 {
		return Score{Value: 1, Scored: true, Reason: nothing}
	}
	return Score{Value: 0, Scored: true, Reason: "no action was taken where some were required"}
}

// GAR is the granularity alignment ratio 1 − ||A| − |A*|| / max(|A|, |A*|), in
// [0, 1].
func (r Run) GAR() Score {
	longest := max(r.Observed, r.Reference)
	if longest == 0 {
		return Score{Value: 1, Scored: true, Reason: nothing}
	}
	return Of(float64(min(r.Observed, r.Reference)) / float64(longest)) // the same number, rounded once
}

// SVR is the scope violation rate (over + under) / |A|, at least 0; above 1 when
// a run has more violations than actions.
func (r Run) SVR() Score {
	found := r.Over + r.Under
	switch {
	case r.Observed > 0:
		return Of(float64(found) / float64(r.Observed))
	case found == 0:
		return Score{Value: 0, Scored: true, Reason: "no action and no violation"}
	}
	s := Of(float64(found) / float64(max(r.Reference, 1)))
	s.Reason = "no action was taken: counted per required step"
	return s
}

// BoundaryAware is the ABS that a success must pass, strictly, to count in BASR.
const BoundaryAware = 0.8

// Task is one run's share of the corpus figures.
type Task struct {
	Name    string // runs of one name are trials of one task
	Run     Run
	Scored  bool  // it has a reference
	Success *bool // nil when unknown
}

// Corpus figures are means over tasks, each task the mean of its trials.
type Corpus struct {
	Tasks                      int
	ABSAgent, ABSMax, GAR, SVR Figure
	BASR, SR, LuckySuccess     Figure
}

// Figure is a corpus figure with what a bootstrap needs: one value a task.
type Figure struct {
	Score
	PerTask []float64
}

// Summarize makes the corpus figures, tasks in order of first appearance. O(n).
func Summarize(tasks []Task) Corpus {
	scored := func(f func(Run) Score) func(Task) (float64, bool) {
		return func(t Task) (float64, bool) { return f(t.Run).Value, t.Scored }
	}
	const unreferenced, unknown = "no run has a reference", "no run says whether it succeeded"
	c := Corpus{
		ABSAgent: mean(tasks, unreferenced, scored(Run.ABSAgent)),
		ABSMax:   mean(tasks, unreferenced, scored(Run.ABSMax)),
		GAR:      mean(tasks, unreferenced, scored(Run.GAR)),
		SVR:      mean(tasks, unreferenced, scored(Run.SVR)),
		SR:       mean(tasks, unknown, success),
		BASR: mean(tasks, "no run has both a reference and a known outcome", func(t Task) (float64, bool) {
			return truth(t.Success != nil && *t.Success && t.aware()), t.Scored && t.Success != nil
		}),
		LuckySuccess: mean(tasks, "no run has both a reference and a known outcome", func(t Task) (float64, bool) {
			return truth(t.Success != nil && *t.Success && !t.aware()), t.Scored && t.Success != nil
		}),
	}
	names := map[string]bool{}
	for _, t := range tasks {
		names[t.Name] = true
	}
	c.Tasks = len(names)
	return c
}

func (t Task) aware() bool { return t.Run.ABSAgent().Value > BoundaryAware }

func success(t Task) (float64, bool) { return truth(t.Success != nil && *t.Success), t.Success != nil }

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// mean averages trials within a task, then tasks.
func mean(tasks []Task, reason string, value func(Task) (float64, bool)) Figure {
	type sum struct {
		total float64
		n     int
	}
	place := map[string]int{}
	var sums []sum
	for _, t := range tasks {
		v, ok := value(t)
		if !ok {
			continue
		}
		at, seen := place[t.Name]
		if !seen {
			at = len(sums)
			place[t.Name] = at
			sums = append(sums, sum{})
		}
		sums[at].total += v
		sums[at].n++
	}
	if len(sums) == 0 {
		return Figure{Score: Because(reason)}
	}
	f := Figure{PerTask: make([]float64, len(sums))}
	total := 0.0
	for i, s := range sums {
		f.PerTask[i] = s.total / float64(s.n)
		total += f.PerTask[i]
	}
	f.Score = Of(total / float64(len(sums)))
	return f
}

// PassHatK is pass^k: the chance that k trials of a task, drawn without
// replacement from those recorded, all succeed, averaged over the tasks with at
// least k trials: mean of C(c, k) / C(n, k). Unscored when no task has k.
func PassHatK(tasks []Task, k int) Score {
	type trials struct{ n, c int }
	place := map[string]int{}
	var all []trials
	for _, t := range tasks {
		if t.Success == nil {
			continue
		}
		at, seen := place[t.Name]
		if !seen {
			at = len(all)
			place[t.Name] = at
			all = append(all, trials{})
		}
		all[at].n++
		if *t.Success {
			all[at].c++
		}
	}
	total, n := 0.0, 0
	for _, t := range all {
		if t.n >= k {
			total += choose(t.c, t.n, k)
			n++
		}
	}
	if n == 0 {
		return Because("no task has that many trials with a known outcome")
	}
	return Of(total / float64(n))
}

// choose is C(c, k) / C(n, k) without large numbers.
func choose(c, n, k int) float64 {
	p := 1.0
	for i := range k {
		if c-i <= 0 {
			return 0
		}
		p *= float64(c-i) / float64(n-i)
	}
	return p
}

// MostTrials is the greatest number of trials that every task has, counting
// those with a known outcome; 0 without a task.
func MostTrials(tasks []Task) int {
	counts := map[string]int{}
	for _, t := range tasks {
		if t.Success != nil {
			counts[t.Name]++
		}
	}
	least := 0
	for _, n := range counts {
		if least == 0 || n < least {
			least = n
		}
	}
	return least
}
