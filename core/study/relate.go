package study

import (
	"math"
	"strconv"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/stats"
)

// Correlation is the correlation of a figure with the outcome (ABB, section 5.2): over
// runs, and over groups if there are enough of them. Groups hide the variation of runs: r
// over them is larger.
type Correlation struct {
	Figure   string  `json:"figure"`  // ABS, SVR
	Against  string  `json:"against"` // success, failure
	Over     string  `json:"over"`    // runs, groups
	N        int     `json:"n"`
	Pearson  float64 `json:"pearson"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	P        float64 `json:"p"`
	Spearman float64 `json:"spearman"`
	RankP    float64 `json:"spearmanP"`
}

// leastGroups is the smallest number of groups that are correlated.
const leastGroups = 5

func correlate(runs []Run, groups []Group) []Correlation {
	out := []Correlation{}
	add := func(figure, against, over string, x, y []float64) {
		p, ok := stats.Pearson(x, y)
		s, ok2 := stats.Spearman(x, y)
		if ok && ok2 {
			out = append(out, Correlation{figure, against, over, p.N, p.R, p.Low, p.High, p.P, s.R, s.P})
		}
	}
	for _, f := range []struct {
		name, against string
		of            func(*core.Metrics) *core.Score
	}{
		{"ABS", "success", func(m *core.Metrics) *core.Score { return &m.ABS.Max }},
		{"SVR", "failure", func(m *core.Metrics) *core.Score { return &m.SVR }},
	} {
		var x, y []float64
		for i := range runs {
			if s := f.of(&runs[i].Metrics); s.Scored && runs[i].Success != nil {
				x, y = append(x, *s.Value), append(y, outcome(*runs[i].Success, f.against))
			}
		}
		add(f.name, f.against, "runs", x, y)
		x, y = nil, nil
		for i := range groups {
			m := &groups[i].Figures
			if s := f.of(m); s.Scored && m.SR != nil && m.SR.Scored {
				sr := *m.SR.Value
				if f.against == "failure" {
					sr = 1 - sr
				}
				x, y = append(x, *s.Value), append(y, sr)
			}
		}
		if len(x) >= leastGroups {
			add(f.name, f.against, "groups", x, y)
		}
	}
	return out
}

func outcome(success bool, against string) float64 {
	if success == (against == "success") {
		return 1
	}
	return 0
}

// Regression is a logistic regression of an outcome of runs on properties of their tasks.
type Regression struct {
	Outcome   string   `json:"outcome"` // failure, under-action, over-action: whether the run has one
	N         int      `json:"n"`
	Events    int      `json:"events"`
	Method    string   `json:"method"`
	Terms     []Effect `json:"terms"`
	Few       bool     `json:"few"`              // fewer than ten events, or non-events, for each term
	Clustered bool     `json:"clustered"`        // standard errors by task
	Unusable  string   `json:"reason,omitempty"` // why there is no regression
}

// Effect is one term: the factor by which one more unit multiplies the odds.
type Effect struct {
	Name string  `json:"name"`
	Coef float64 `json:"coef"`
	OR   float64 `json:"or"`
	Low  float64 `json:"low"` // of OR, 95 % by Wald
	High float64 `json:"high"`
	P    float64 `json:"p"`
	Same bool    `json:"aliased,omitempty"` // it does not vary, or only together with other terms
}

// regress explains failure, under-action and over-action by the steps of the reference,
// by the size of the action space of the run's benchmark, and by a user's own columns.
func regress(runs []Run, extra []string) []Regression {
	space := map[string]int{}
	byBenchmark := map[string][]Run{}
	for _, r := range runs {
		byBenchmark[r.Columns["benchmark"]] = append(byBenchmark[r.Columns["benchmark"]], r)
	}
	for b, of := range byBenchmark {
		space[b] = dataset(of).Actions
	}
	names := append([]string{"reference steps", "action space"}, extra...)
	has := func(r *Run, kind string) bool {
		for _, v := range r.Violations {
			if string(v.Type) == kind {
				return true
			}
		}
		return false
	}
	out := []Regression{}
	for _, what := range []string{"failure", "under-action", "over-action"} {
		var x [][]float64
		var y []bool
		var tasks []string
		distinct := map[string]bool{}
		for i := range runs {
			r := &runs[i]
			if r.Reference == nil || what == "failure" && r.Success == nil {
				continue
			}
			row := []float64{float64(len(r.Reference)), float64(space[r.Columns["benchmark"]])}
			for _, name := range extra {
				v, err := strconv.ParseFloat(r.Columns[name], 64)
				if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
					row = nil
					break
				}
				row = append(row, v)
			}
			if row == nil {
				continue
			}
			task := strconv.Itoa(r.File) + " " + r.Task
			if r.Task == "" {
				task += r.ID
			}
			distinct[task] = true
			x, tasks = append(x, row), append(tasks, task)
			y = append(y, what == "failure" && !*r.Success || what != "failure" && has(r, what))
		}
		if len(y) == 0 {
			continue
		}
		out = append(out, fit(what, names, x, y, tasks, len(distinct)))
	}
	return out
}

func fit(what string, names []string, x [][]float64, y []bool, tasks []string, distinct int) Regression {
	r := Regression{Outcome: what, N: len(y), Terms: []Effect{}}
	for _, v := range y {
		if v {
			r.Events++
		}
	}
	l, err := stats.Logistic(x, y)
	if err != nil {
		r.Unusable = err.Error()
		return r
	}
	var robust []stats.Robust
	if distinct < len(y) {
		robust, _ = l.Clustered(x, y, tasks) // nil if there is none
	}
	r.Method, r.Clustered = l.Method, robust != nil
	r.Few = min(r.Events, r.N-r.Events) < 10*len(names)
	for i, name := range names {
		t := l.Terms[i+1]
		e := Effect{Name: name, Same: t.Aliased}
		if !t.Aliased {
			se, p := t.SE, t.P
			if robust != nil {
				se, p = robust[i+1].SE, robust[i+1].P
			}
			const z = 1.959963984540054
			e.Coef, e.OR, e.P = t.Coef, t.OR, p
			e.Low, e.High = math.Exp(t.Coef-z*se), math.Exp(t.Coef+z*se)
		}
		r.Terms = append(r.Terms, e)
	}
	return r
}

// Ceiling is the estimated success if ABS were 1 (ABB, section 5.2), computed in two ways
// that both treat an association as a cause: the success of the runs whose ABS is 1, and
// the mean prediction of a regression of success on ABS at 1.
type Ceiling struct {
	SR        Share   `json:"sr"`      // of all runs with both ABS and a known outcome
	Perfect   Share   `json:"perfect"` // of the runs with ABS = 1
	Predicted float64 `json:"predicted"`
	Gain      float64 `json:"gain"` // Predicted − SR
}

func ceiling(runs []Run) *Ceiling {
	var x [][]float64
	var y []bool
	won, perfect, both := 0, 0, 0
	for i := range runs {
		s := &runs[i].Metrics.ABS.Max
		if !s.Scored || runs[i].Success == nil {
			continue
		}
		ok := *runs[i].Success
		x, y = append(x, []float64{*s.Value}), append(y, ok)
		if ok {
			won++
		}
		if *s.Value >= 1 {
			perfect++
			if ok {
				both++
			}
		}
	}
	if len(y) == 0 {
		return nil
	}
	c := &Ceiling{SR: share("success", won, len(y)), Perfect: share("success at ABS = 1", both, perfect)}
	l, err := stats.Logistic(x, y)
	if err != nil || l.Terms[1].Aliased {
		return nil
	}
	c.Predicted = 1 / (1 + math.Exp(-l.Terms[0].Coef-l.Terms[1].Coef))
	c.Gain = c.Predicted - c.SR.Value
	return c
}
