package compare

import (
	"fmt"
	"math"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/stats"
)

// Figure is one figure under A and under B, over the tasks that have it on both sides.
// The value of a task is the mean of its runs.
type Figure struct {
	Name   string     `json:"name"`
	Better string     `json:"better"` // higher, lower
	Tasks  int        `json:"tasks"`
	A      core.Score `json:"a"`
	B      core.Score `json:"b"`
	Delta  core.Score `json:"delta"` // mean of B − A, with a seeded bootstrap interval over tasks, expanded if there are few
	Moved  int        `json:"moved"` // tasks whose value differs
	// T is the paired t test of the tasks' differences, and Signed the p of Wilcoxon's
	// signed-rank test, two-sided; null if nothing varies.
	T      *TTest   `json:"t"`
	Signed *float64 `json:"wilcoxon"`
	// Adjusted is the larger p of the two after Holm's adjustment over all figures.
	Adjusted *float64 `json:"adjusted"`
	// Effect is Cohen's d of paired samples: mean over standard deviation of the
	// differences.
	Effect *float64 `json:"effect"`
	// Detectable is the smallest difference that this number of tasks, with this spread,
	// detects in four of five experiments at α = .05.
	Detectable *float64 `json:"detectable"`
}

// TTest is the result of a t test.
type TTest struct {
	T  float64 `json:"t"`
	DF float64 `json:"df"`
	P  float64 `json:"p"`
}

// Verdict lists the figures in which B is worse or better than A.
type Verdict struct {
	Worse  []string `json:"worse"`  // figures whose whole interval lies on the bad side of zero
	Better []string `json:"better"` // figures whose whole interval lies on the good side
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
	of    func(*core.Trajectory) (float64, bool)
}

func scoreValue(s *core.Score) (float64, bool) {
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
	succeeded := func(t *core.Trajectory, abs *core.Score, lucky bool) (float64, bool) {
		v, scored := scoreValue(abs)
		if !scored || t.Success == nil {
			return 0, false
		}
		return boolToFloat(*t.Success && (v > theta) != lucky), true
	}
	return []measure{
		{name: "ABS (max)", of: func(t *core.Trajectory) (float64, bool) { return scoreValue(&t.Metrics.ABS.Max) }},
		{name: "ABS (agent)", of: func(t *core.Trajectory) (float64, bool) { return scoreValue(&t.Metrics.ABS.Agent) }},
		{name: "GAR", of: func(t *core.Trajectory) (float64, bool) { return scoreValue(&t.Metrics.GAR) }},
		{name: "SVR", lower: true, of: func(t *core.Trajectory) (float64, bool) { return scoreValue(&t.Metrics.SVR) }},
		{name: "granularity", lower: true, of: func(t *core.Trajectory) (float64, bool) { return scoreValue(&t.Metrics.GranularityRate) }},
		{name: "flagged", lower: true, of: func(t *core.Trajectory) (float64, bool) { return boolToFloat(t.Flagged), true }},
		{name: "SR", of: func(t *core.Trajectory) (float64, bool) {
			if t.Success == nil {
				return 0, false
			}
			return boolToFloat(*t.Success), true
		}},
		{name: "BASR (max)", of: func(t *core.Trajectory) (float64, bool) { return succeeded(t, &t.Metrics.ABS.Max, false) }},
		{name: "lucky success", lower: true, of: func(t *core.Trajectory) (float64, bool) { return succeeded(t, &t.Metrics.ABS.Max, true) }},
	}
}

// taskMean returns the mean value of a task's runs. It returns false if no run has a
// value.
func taskMean(runs []*core.Trajectory, of func(*core.Trajectory) (float64, bool)) (float64, bool) {
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
				if y != x {
					f.Moved++
				}
			}
		}
		f.Tasks = len(differences)
		if f.Tasks == 0 {
			none := core.Score{Reason: "no task has this figure in both the baseline and the treatment"}
			f.A, f.B, f.Delta = none, none, none
			out = append(out, f)
			continue
		}
		intervals := stats.Bootstraps([][]float64{a, b, differences}, stats.ExpandedLevel(core.Level, f.Tasks), seed)
		f.A, f.B, f.Delta = newScore(a, intervals[0]), newScore(b, intervals[1]), newScore(differences, intervals[2])
		if p, ok := f.testDifferences(differences); ok {
			ps, tested = append(ps, p), append(tested, len(out))
		}
		out = append(out, f)
	}
	for i, p := range stats.Holm(ps) {
		p = round(p)
		out[tested[i]].Adjusted = &p
	}
	return out
}

// testDifferences computes the paired t test and the Wilcoxon test of the differences,
// and stores them in f. It returns the larger of the two p values. ok is false if the
// differences do not vary.
func (f *Figure) testDifferences(differences []float64) (p float64, ok bool) {
	t, ok := stats.PairedT(differences)
	_, signed, _ := stats.Wilcoxon(differences)
	if !ok {
		return 0, false
	}
	detectable := round(stats.Detectable(t.SD, len(differences), alpha, power))
	effect, rounded := round(t.D), round(signed)
	f.T = &TTest{round(t.T), t.DF, round(t.P)}
	f.Signed, f.Effect, f.Detectable = &rounded, &effect, &detectable
	return math.Max(t.P, signed), true
}

func newScore(values []float64, i stats.Interval) core.Score {
	v := round(average(values))
	return core.Score{Value: &v, Scored: true, Interval: &core.Interval{Low: round(i.Low), High: round(i.High), Level: core.Level}}
}

// newVerdict returns the names of the figures that became better or worse. These are the
// figures whose intervals do not contain zero.
func newVerdict(figures []Figure) Verdict {
	v := Verdict{Worse: []string{}, Better: []string{}}
	for i := range figures {
		f := &figures[i]
		if !f.Delta.Scored {
			continue
		}
		up, down := f.Delta.Interval.Low > 0, f.Delta.Interval.High < 0
		switch {
		case up && f.Better == "higher", down && f.Better == "lower":
			v.Better = append(v.Better, f.Name)
		case up, down:
			v.Worse = append(v.Worse, f.Name)
		}
	}
	return v
}

// few is the smallest number of tasks for which the comparison adds no note about
// reliability.
const few = 10

// noteFewTasks adds notes about the limits of comparisons with few tasks.
func (c *Comparison) noteFewTasks() {
	if c.Tasks < few {
		c.Notes = append(c.Notes, fmt.Sprintf("there are only %d tasks. The intervals are too narrow, and the tests find only large differences", c.Tasks))
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
