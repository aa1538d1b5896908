package compare

import (
	"fmt"
	"math"
	"strings"

	"github.com/boundcheck/boundcheck/core/math/stats"
	"github.com/boundcheck/boundcheck/core/report"
)

// Figure is one figure under A and under B, over the tasks that have it on both sides.
// The value of a task is the mean of its runs.
type Figure struct {
	Name   string       `json:"name"`
	Better string       `json:"better"` // higher, lower
	Tasks  int          `json:"tasks"`
	A      report.Score `json:"a"`
	B      report.Score `json:"b"`
	Delta  report.Score `json:"delta"` // mean of B − A, with a seeded bootstrap interval over tasks, expanded if there are few; without one if no task differs from another
	Moved  int          `json:"moved"` // tasks whose value differs
	// T is the paired t test of the tasks' differences, null if the differences do not
	// vary. Signed is the p of Wilcoxon's signed-rank test, two-sided; null if no task
	// differs.
	T      *TTest   `json:"t"`
	Signed *float64 `json:"wilcoxon"`
	// Adjusted is the larger p of the two after Holm's adjustment over all figures that
	// changed.
	Adjusted *float64 `json:"adjusted"`
	// Effect is Cohen's d of paired samples: mean over standard deviation of the
	// differences.
	Effect *float64 `json:"effect"`
	// Detectable is the smallest difference that this number of tasks, with this spread,
	// detects in four of five experiments at α = .05.
	Detectable *float64 `json:"detectable"`
	// TasksNeeded is the number of tasks with which four of five experiments would call a
	// change of this size and spread better or worse; 0 if the figure did not change, or
	// if a million tasks are not enough.
	TasksNeeded int `json:"tasksNeeded"`

	sd float64 // of the differences
}

// TTest is the result of a t test.
type TTest struct {
	T  float64 `json:"t"`
	DF float64 `json:"df"`
	P  float64 `json:"p"`
}

// Verdict lists the figures in which B is worse or better than A. A figure is only called
// so if its adjusted p is below .05.
type Verdict struct {
	Worse  []string `json:"worse"`
	Better []string `json:"better"`
	// Text is the verdict in a sentence.
	Text string `json:"text"`
	// Needed is the smallest number of tasks that must differ in a figure before its
	// adjusted p can be below .05; 0 if no figure changed. Silent means that no figure has
	// so many, so that this comparison can call nothing better or worse.
	Needed int  `json:"needed"`
	Silent bool `json:"silent"`
	// IntervalWorse and IntervalBetter have the figures whose whole interval lies on one
	// side of zero. The intervals are not adjusted for the number of figures.
	IntervalWorse  []string `json:"intervalWorse"`
	IntervalBetter []string `json:"intervalBetter"`
}

// The level and power of the tests.
const (
	alpha = 0.05
	power = 0.8
)

// measure is a figure that is computed from one run. of returns false for a run that does
// not have the figure.
type measure struct {
	name  string
	lower bool // a lower value is better
	rate  bool // a value may be above 1
	of    func(*report.Trajectory) (float64, bool)
}

func scoreValue(s *report.Score) (float64, bool) {
	if !s.Scored {
		return 0, false
	}
	return *s.Value, true
}

func boolToFloat(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// allMeasures returns the figures to compare. theta is the ABS that a boundary-aware
// success must exceed.
func allMeasures(theta float64) []measure {
	succeeded := func(t *report.Trajectory, abs *report.Score, lucky bool) (float64, bool) {
		v, scored := scoreValue(abs)
		if !scored || t.Success == nil {
			return 0, false
		}
		return boolToFloat(*t.Success && (v > theta) != lucky), true
	}
	return []measure{
		{name: "ABS (max)", of: func(t *report.Trajectory) (float64, bool) { return scoreValue(&t.Metrics.ABS.Max) }},
		{name: "ABS (agent)", of: func(t *report.Trajectory) (float64, bool) { return scoreValue(&t.Metrics.ABS.Agent) }},
		{name: "GAR", of: func(t *report.Trajectory) (float64, bool) { return scoreValue(&t.Metrics.GAR) }},
		{name: "SVR", lower: true, rate: true, of: func(t *report.Trajectory) (float64, bool) { return scoreValue(&t.Metrics.SVR) }},
		{name: "granularity", lower: true, rate: true, of: func(t *report.Trajectory) (float64, bool) { return scoreValue(&t.Metrics.GranularityRate) }},
		{name: "flagged", lower: true, of: func(t *report.Trajectory) (float64, bool) { return boolToFloat(t.Flagged), true }},
		{name: "SR", of: func(t *report.Trajectory) (float64, bool) {
			if t.Success == nil {
				return 0, false
			}
			return boolToFloat(*t.Success), true
		}},
		{name: "BASR (max)", of: func(t *report.Trajectory) (float64, bool) { return succeeded(t, &t.Metrics.ABS.Max, false) }},
		{name: "lucky success", lower: true, of: func(t *report.Trajectory) (float64, bool) { return succeeded(t, &t.Metrics.ABS.Max, true) }},
	}
}

// taskMean returns the mean value of a task's runs. It returns false if no run has a
// value.
func taskMean(runs []*report.Trajectory, of func(*report.Trajectory) (float64, bool)) (float64, bool) {
	sum, n := 0.0, 0
	for _, r := range runs {
		if v, ok := of(r); ok {
			sum += v
			n++
		}
	}
	if n == 0 {
		return 0, false
	}
	return sum / float64(n), true
}

func compareFigures(tasks []task, seed uint64, theta float64) []Figure {
	var out []Figure
	var ps []float64
	var tested []int
	for _, m := range allMeasures(theta) {
		f := Figure{Name: m.name, Better: "higher"}
		if m.lower {
			f.Better = "lower"
		}
		var a, b, differences []float64
		for i := range tasks {
			x, inA := taskMean(tasks[i].a, m.of)
			y, inB := taskMean(tasks[i].b, m.of)
			if inA && inB {
				a, b, differences = append(a, x), append(b, y), append(differences, y-x)
				if !stats.Tied(x, y) {
					f.Moved++
				}
			}
		}
		f.Tasks = len(differences)
		if f.Tasks == 0 {
			none := report.Score{Reason: "no task has this figure in both the baseline and the treatment"}
			f.A, f.B, f.Delta = none, none, none
			out = append(out, f)
			continue
		}
		intervals := stats.Bootstraps([][]float64{a, b, differences}, stats.ExpandedLevel(report.Level, f.Tasks), seed)
		f.A, f.B, f.Delta = newScore(a, intervals[0]), newScore(b, intervals[1]), newScore(differences, intervals[2])
		if !m.rate {
			setExtreme(&f.A, a)
			setExtreme(&f.B, b)
		}
		if p, ok := f.testDifferences(differences); ok {
			ps, tested = append(ps, p), append(tested, len(out))
		}
		out = append(out, f)
	}
	for i, p := range stats.Holm(ps) {
		p = round(p)
		f := &out[tested[i]]
		f.Adjusted = &p
		f.TasksNeeded = f.neededTasks(len(tested))
	}
	return out
}

// neededTasks returns the number of tasks that would show a change of the figure's size.
// tests is the number of figures that are tested.
func (f *Figure) neededTasks(tests int) int {
	least := leastMoved(tests)
	if f.sd == 0 { // each task changes by the same amount
		return least
	}
	n := stats.TasksFor(*f.Delta.Value, f.sd, alpha/float64(tests), power)
	if n == 0 {
		return 0
	}
	return max(n, least)
}

// leastMoved returns the smallest number of differences with which one of several tests
// can have an adjusted p below alpha.
func leastMoved(tests int) int {
	n := 1
	for float64(tests)*stats.LeastWilcoxon(n) >= alpha {
		n++
	}
	return n
}

// testDifferences computes the paired t test and the Wilcoxon test of the differences,
// and stores them in f. It returns the larger of the two p values, or Wilcoxon's if the
// differences do not vary. ok is false if all differences are zero.
func (f *Figure) testDifferences(differences []float64) (p float64, ok bool) {
	t, varies := stats.PairedT(differences)
	_, signed, ok := stats.Wilcoxon(differences)
	if !ok {
		return 0, false
	}
	if !varies {
		rounded := round(signed)
		f.Signed = &rounded
		return signed, true
	}
	f.sd = t.SD
	detectable := round(stats.Detectable(t.SD, len(differences), alpha, power))
	effect, rounded := round(t.D), round(signed)
	f.T = &TTest{round(t.T), t.DF, round(t.P)}
	f.Signed, f.Effect, f.Detectable = &rounded, &effect, &detectable
	return math.Max(t.P, signed), true
}

// newScore returns the mean of the values with a bootstrap interval. Values that do not
// vary have no interval.
func newScore(values []float64, i stats.Interval) report.Score {
	v := round(average(values))
	s := report.Score{Value: &v, Scored: true}
	if i.Low < i.High {
		s.Interval = &report.Interval{Low: round(i.Low), High: round(i.High), Level: report.Level}
	}
	return s
}

// setExtreme sets Wilson's interval if all values are 0, or all are 1.
func setExtreme(s *report.Score, values []float64) {
	if i, ok := stats.Extreme(values); ok {
		s.Interval = &report.Interval{Low: round(i.Low), High: round(i.High), Level: report.Level, Method: "wilson"}
	}
}

// newVerdict decides which figures became better or worse.
func newVerdict(figures []Figure) Verdict {
	v := Verdict{Worse: []string{}, Better: []string{}, IntervalWorse: []string{}, IntervalBetter: []string{}}
	tests, most := 0, 0
	for i := range figures {
		f := &figures[i]
		if f.Adjusted == nil {
			continue
		}
		tests, most = tests+1, max(most, f.Moved)
		better := (*f.Delta.Value > 0) == (f.Better == "higher")
		if *f.Adjusted < alpha {
			addName(better, &v.Better, &v.Worse, f.Name)
		}
		if d := f.Delta.Interval; d == nil && f.Tasks > 1 || d != nil && (d.Low > 0 || d.High < 0) {
			addName(better, &v.IntervalBetter, &v.IntervalWorse, f.Name)
		}
	}
	if tests > 0 {
		v.Needed = leastMoved(tests)
		v.Silent = most < v.Needed
	}
	v.Text = v.say()
	return v
}

// say says the verdict in a sentence.
func (v *Verdict) say() string {
	switch {
	case v.Silent:
		return fmt.Sprintf("No verdict: a figure must differ in at least %d tasks before its adjusted p can be below .05. The changes are shown alone.", v.Needed)
	case len(v.Worse)+len(v.Better) == 0:
		return "No difference was shown: no figure has an adjusted p below .05."
	case len(v.Worse) == 0:
		return "Better: " + strings.Join(v.Better, ", ") + "."
	case len(v.Better) == 0:
		return "Worse: " + strings.Join(v.Worse, ", ") + "."
	}
	return "Better: " + strings.Join(v.Better, ", ") + ". Worse: " + strings.Join(v.Worse, ", ") + "."
}

func addName(better bool, good, bad *[]string, name string) {
	if better {
		*good = append(*good, name)
	} else {
		*bad = append(*bad, name)
	}
}

// few is the smallest number of tasks for which the comparison adds no note about
// reliability.
const few = 10

// noteFewTasks adds notes about the limits of comparisons with few tasks.
func (c *Comparison) noteFewTasks() {
	if c.Tasks < few {
		c.Notes = append(c.Notes, fmt.Sprintf("there are only %d tasks, so the tests find only large differences", c.Tasks))
	}
	for i := range c.Figures {
		if f := &c.Figures[i]; f.Name == "ABS (max)" && f.Detectable != nil {
			c.Notes = append(c.Notes, fmt.Sprintf("with %d tasks, fewer than 4 of 5 experiments would find a difference of ABS (max) below %.3f", f.Tasks, *f.Detectable))
		}
	}
}

// round rounds to six decimals. More decimals would differ between platforms and have no
// meaning.
func round(x float64) float64 { return math.Round(x*1e6) / 1e6 }
