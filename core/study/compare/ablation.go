package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/math/stats"
	"github.com/boundcheck/boundcheck/core/report"
)

// AblationSchema is the version of an ablation's JSON form.
const AblationSchema = "boundcheck.ablation/1"

// MostComponents is the largest allowed number of components of an ablation.
const MostComponents = 8

// Configuration holds the runs with one set of components, such as the parts of a prompt.
type Configuration struct {
	Components []string // empty for the baseline
	File       string
	Report     *report.Report
}

// Ablation holds the effect of each component on each figure (ABB, Table 18).
type Ablation struct {
	Schema     string           `json:"schema"`
	Components []string         `json:"components"`
	Tasks      int              `json:"tasks"`   // number of tasks that every configuration has
	Missing    []string         `json:"missing"` // sets of components that were not run
	Figures    []AblationFigure `json:"figures"`
	Notes      []string         `json:"notes"`
}

// AblationFigure is one figure under each configuration.
type AblationFigure struct {
	Name           string         `json:"name"`
	Better         string         `json:"better"` // higher, lower
	Configurations []Value        `json:"configurations"`
	Shapley        []Contribution `json:"shapley"` // empty if a configuration does not have the figure
}

// Value is a figure under one configuration.
type Value struct {
	Components []string     `json:"components"`
	File       string       `json:"file"`
	Value      report.Score `json:"value"`
	Delta      report.Score `json:"delta"` // difference to the baseline, paired by task
}

// Contribution is the effect of one component.
type Contribution struct {
	Component string `json:"component"`
	// Value is the Shapley value, with a bootstrap interval over tasks; unscored if a set
	// of components is missing.
	Value report.Score `json:"value"`
	// Share is the component's part of the change by all components together; null if
	// there is no change or the value is not known.
	Share *float64 `json:"share"`
	// Low and High limit the value if sets are missing, under the assumption that a
	// component never makes the figure worse; null if none is missing.
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

// Ablate compares configurations over the tasks that all of them have. One configuration
// must have no component, and one must have all components. theta is the ABS that a
// boundary-aware success must exceed. O(figures × (runs + Resamples × tasks × 2ⁿ)).
func Ablate(all []Configuration, seed uint64, theta float64) (Ablation, error) {
	a := Ablation{Schema: AblationSchema, Components: []string{}, Missing: []string{}, Notes: []string{}}
	for _, c := range all {
		for _, name := range c.Components {
			if !slices.Contains(a.Components, name) {
				a.Components = append(a.Components, name)
			}
		}
	}
	n := len(a.Components)
	switch {
	case n == 0:
		return a, fmt.Errorf("no component is given: write the names of the components before the file, as in scope+checklist=FILE")
	case n > MostComponents:
		return a, fmt.Errorf("too many components: got %d, want at most %d", n, MostComponents)
	}
	if err := haveSameDefinitions(all); err != nil {
		return a, err
	}
	slices.Sort(a.Components)
	bySet := slices.Repeat([]int{missing}, 1<<n) // by set of components: the index in all
	for i := range all {
		set := a.componentBits(all[i].Components)
		if other := bySet[set]; other != missing {
			return a, fmt.Errorf("the files %s and %s have the same components: %s", all[other].File, all[i].File, a.nameOf(set))
		}
		bySet[set] = i
	}
	for set, i := range bySet {
		switch {
		case i == missing && (set == 0 || set == len(bySet)-1):
			return a, fmt.Errorf("missing the configuration %s, which an ablation needs", a.nameOf(set))
		case i == missing:
			a.Missing = append(a.Missing, a.nameOf(set))
		}
	}
	tasks := commonRuns(all)
	if a.Tasks = len(tasks); a.Tasks == 0 {
		return a, fmt.Errorf("no task was run in all configurations")
	}
	if len(a.Missing) > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("%d of %d sets of components were not run, so the Shapley values are only bounds. The bounds assume that no component makes a figure worse", len(a.Missing), len(bySet)))
	}
	if a.Tasks < few {
		a.Notes = append(a.Notes, fmt.Sprintf("only %d tasks: the interval is unreliable", a.Tasks))
	}
	for _, m := range allMeasures(theta) {
		a.Figures = append(a.Figures, a.computeFigure(m, all, bySet, tasks, seed))
	}
	return a, nil
}

// componentBits returns a list of components as a set of bits.
func (a *Ablation) componentBits(components []string) (set int) {
	for _, name := range components {
		set |= 1 << slices.Index(a.Components, name)
	}
	return set
}

func (a *Ablation) nameOf(set int) string {
	var names []string
	for i, name := range a.Components {
		if set&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, "+")
}

// commonRuns returns the scored runs of those tasks that all configurations have. For each task
// the result has one list of runs for each configuration, in the order of the
// configurations.
func commonRuns(all []Configuration) [][][]*report.Trajectory {
	byTask := map[string][][]*report.Trajectory{}
	var order []string
	for i := range all {
		for k := range all[i].Report.Trajectories {
			t := &all[i].Report.Trajectories[k]
			if t.Error != nil {
				continue
			}
			name := t.Task
			if name == "" {
				name = t.ID
			}
			if byTask[name] == nil {
				byTask[name] = make([][]*report.Trajectory, len(all))
				order = append(order, name)
			}
			byTask[name][i] = append(byTask[name][i], t)
		}
	}
	var out [][][]*report.Trajectory
	for _, name := range order {
		if !slices.ContainsFunc(byTask[name], func(runs []*report.Trajectory) bool { return len(runs) == 0 }) {
			out = append(out, byTask[name])
		}
	}
	return out
}

// missing stands for the index of a configuration that was not run.
const missing = -1

// computeFigure computes one figure for every configuration, and the contributions of the
// components to it.
func (a *Ablation) computeFigure(m measure, all []Configuration, bySet []int, tasks [][][]*report.Trajectory, seed uint64) AblationFigure {
	f := AblationFigure{Name: m.name, Better: "higher", Configurations: []Value{}, Shapley: []Contribution{}}
	if m.lower {
		f.Better = "lower"
	}
	values, whole := valuesOf(m, bySet, tasks)
	for set, i := range bySet {
		if i == missing {
			continue
		}
		v := Value{Components: all[i].Components, File: all[i].File}
		if v.Components == nil {
			v.Components = []string{}
		}
		if whole {
			difference := make([]float64, len(tasks))
			for k := range difference {
				difference[k] = values[set][k] - values[0][k]
			}
			intervals := stats.Bootstraps([][]float64{values[set], difference}, stats.ExpandedLevel(report.Level, len(tasks)), seed)
			v.Value, v.Delta = newScore(values[set], intervals[0]), newScore(difference, intervals[1])
		} else {
			v.Value.Reason = "this figure is missing for at least one task of a configuration"
			v.Delta.Reason = v.Value.Reason
		}
		f.Configurations = append(f.Configurations, v)
	}
	if whole {
		f.Shapley = a.shapleyContributions(values, m.lower, seed)
	}
	return f
}

// valuesOf computes a measure, such as ABS, for each set of components and each task. The
// values of a set that was not run are nil. The second result is false if a task does not
// have this measure.
func valuesOf(m measure, bySet []int, tasks [][][]*report.Trajectory) ([][]float64, bool) {
	out := make([][]float64, len(bySet))
	for set, i := range bySet {
		if i == missing {
			continue
		}
		for _, runs := range tasks {
			v, ok := taskMean(runs[i], m.of)
			if !ok {
				return nil, false
			}
			out[set] = append(out[set], v)
		}
	}
	return out, true
}

// shapleyContributions divides the total change of a figure among the components. lower
// reports whether a lower figure is better. If some sets of components were not run, the
// contributions are only bounds (see shapleyBounds).
func (a *Ablation) shapleyContributions(values [][]float64, lower bool, seed uint64) []Contribution {
	n, tasks := len(a.Components), len(values[0])
	out := make([]Contribution, n)
	for i := range out {
		out[i].Component = a.Components[i]
	}
	if len(a.Missing) > 0 {
		low, high := shapleyBounds(n, values, lower)
		for i := range out {
			l, h := round(low[i]), round(high[i])
			out[i].Low, out[i].High = &l, &h
			out[i].Value.Reason = "sets of components are missing: " + strings.Join(a.Missing, ", ")
		}
		return out
	}
	byTask := make([][]float64, n) // Shapley values are linear: the value of the mean is the mean of the tasks' values
	worth := make([]float64, len(values))
	for k := range tasks {
		for set := range values {
			worth[set] = values[set][k]
		}
		for i, v := range stats.Shapley(n, worth) {
			byTask[i] = append(byTask[i], v)
		}
	}
	intervals := stats.Bootstraps(byTask, stats.ExpandedLevel(report.Level, tasks), seed)
	total := average(values[len(values)-1]) - average(values[0])
	for i := range out {
		out[i].Value = newScore(byTask[i], intervals[i])
		if math.Abs(total) > 1e-9 {
			share := round(average(byTask[i]) / total)
			out[i].Share = &share
		}
	}
	return out
}

// shapleyBounds returns the least and the greatest possible Shapley value of each
// component. It assumes that the figure of a set that was not run is between two limits.
// These limits are the best figure of the set's subsets and the worst figure of its
// supersets. For each component, shapleyBounds takes the limits that make the value
// least, and then those that make it greatest.
func shapleyBounds(n int, values [][]float64, lower bool) (low, high []float64) {
	sign := 1.0
	if lower {
		sign = -1
	}
	least, most := make([]float64, len(values)), make([]float64, len(values))
	for set := range values {
		if values[set] != nil {
			least[set] = sign * average(values[set])
			most[set] = least[set]
			continue
		}
		least[set], most[set] = math.Inf(-1), math.Inf(1)
		for other, known := range values {
			if known == nil {
				continue
			}
			if worth := sign * average(known); other&set == other {
				least[set] = math.Max(least[set], worth)
			} else if other&set == set {
				most[set] = math.Min(most[set], worth)
			}
		}
		most[set] = math.Max(least[set], most[set]) // in case a component did make it worse
	}
	low, high = make([]float64, n), make([]float64, n)
	for i := range n {
		worst, best := make([]float64, len(values)), make([]float64, len(values))
		for set := range values {
			with := set&(1<<i) != 0 // its worth counts for the component, else against it
			if with {
				worst[set], best[set] = least[set], most[set]
			} else {
				worst[set], best[set] = most[set], least[set]
			}
		}
		low[i], high[i] = sign*stats.Shapley(n, worst)[i], sign*stats.Shapley(n, best)[i]
		if lower {
			low[i], high[i] = high[i], low[i]
		}
	}
	return low, high
}

func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// haveSameDefinitions returns an error if two configurations have figures by different
// definitions.
func haveSameDefinitions(all []Configuration) error {
	names, reports := make([]string, len(all)), make([]*report.Report, len(all))
	for i := range all {
		names[i], reports[i] = all[i].File, all[i].Report
	}
	return sameDefinitions(names, reports...)
}
