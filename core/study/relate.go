package study

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/boundcheck/boundcheck/core/math/stats"
	"github.com/boundcheck/boundcheck/core/report"
)

// Correlation is the correlation of a figure with the outcome (ABB, section 5.2). It is
// computed over runs and, if there are enough groups, also over groups. The figures of
// groups hide the variation of runs, so r is larger over groups.
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

// leastGroups is the smallest number of groups for which a correlation is computed.
const leastGroups = 5

func (c *cells) computeCorrelations(groups []Group) []Correlation {
	out := []Correlation{}
	add := func(figure, against, over string, x, y []float64) {
		p, ok := stats.Pearson(x, y)
		s, ok2 := stats.Spearman(x, y)
		if ok && ok2 {
			out = append(out, Correlation{figure, against, over, p.N, p.R, p.Low, p.High, p.P, s.R, s.P})
		}
	}
	pairs := c.sortedPairs()
	for _, f := range []struct {
		name, against string
		of            func(*report.Metrics) *report.Score
		pair          func(*pair) (float64, bool)
	}{
		{"ABS", "success", func(m *report.Metrics) *report.Score { return &m.ABS.Max }, func(p *pair) (float64, bool) { return p.abs, p.hasABS }},
		{"SVR", "failure", func(m *report.Metrics) *report.Score { return &m.SVR }, func(p *pair) (float64, bool) { return p.svr, p.hasSVR }},
	} {
		var x, y []float64
		for i := range pairs {
			if v, ok := f.pair(&pairs[i]); ok {
				x, y = append(x, v), append(y, outcomeValue(pairs[i].good, f.against))
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

// sortedPairs returns the figures and outcomes of all runs in a fixed order.
func (c *cells) sortedPairs() (all []pair) {
	t := c.totalSums()
	for _, p := range slices.SortedFunc(maps.Keys(t.pairs), comparePairs) {
		for range t.pairs[p] {
			all = append(all, p)
		}
	}
	return all
}

func outcomeValue(success bool, against string) float64 {
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

// Effect is one term of a regression. OR is the factor by which one more unit multiplies
// the odds.
type Effect struct {
	Name string  `json:"name"`
	Coef float64 `json:"coef"`
	OR   float64 `json:"or"`
	Low  float64 `json:"low"` // of OR, 95 % by Wald
	High float64 `json:"high"`
	P    float64 `json:"p"`
	Same bool    `json:"aliased,omitempty"` // it does not vary, or only together with other terms
}

// fitRegressions fits three regressions, which explain failure, under-action and
// over-action. The covariates are the number of reference steps, the size of the action
// space of the run's benchmark, and extra columns of the user.
func (c *cells) fitRegressions(extra []string) []Regression {
	space, byBenchmark := map[string]float64{}, map[string]*cells{}
	for _, one := range c.list {
		if byBenchmark[one.benchmark] == nil {
			byBenchmark[one.benchmark] = &cells{}
		}
		b := byBenchmark[one.benchmark]
		b.list = append(b.list, one)
	}
	for b, of := range byBenchmark {
		space[b] = float64(of.totalSums().datasetTable().Actions)
	}
	// The rows have a fixed order, which does not depend on the order of the runs.
	type row struct {
		taskRuns
		file  int
		space float64
		n     int
	}
	var rows []row
	for _, one := range c.list {
		for o, n := range one.outcomes {
			if !o.bad {
				rows = append(rows, row{o, one.file, space[one.benchmark], n})
			}
		}
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.file, b.file), compareOutcomes(a.taskRuns, b.taskRuns), cmp.Compare(a.space, b.space))
	})
	names := append([]string{"reference steps", "action space"}, extra...)
	out := []Regression{}
	for _, what := range []struct {
		name string
		has  func(*row) bool
	}{
		{"failure", func(r *row) bool { return !r.good }},
		{"under-action", func(r *row) bool { return r.under }},
		{"over-action", func(r *row) bool { return r.over }},
	} {
		var x [][]float64
		var y []bool
		var tasks []string
		distinct := 0
		var last *row
		for i := range rows {
			r := &rows[i]
			if what.name == "failure" && !r.known {
				continue
			}
			v := []float64{float64(r.reference), r.space}
			for at := 0; at < len(r.extra); at += 8 {
				v = append(v, math.Float64frombits(binary.LittleEndian.Uint64([]byte(r.extra[at:]))))
			}
			for range r.n {
				if last == nil || r.alone || last.alone || last.file != r.file || last.task != r.task {
					distinct++
				}
				last = r
				x, y, tasks = append(x, v), append(y, what.has(r)), append(tasks, strconv.Itoa(distinct))
			}
		}
		if len(y) > 0 {
			out = append(out, fitRegression(what.name, names, x, y, tasks, distinct))
		}
	}
	return out
}

func fitRegression(what string, names []string, x [][]float64, y []bool, tasks []string, distinct int) Regression {
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
			p, low, high := t.P, t.Low, t.High
			if robust != nil {
				b := robust[i+1]
				p, low, high = b.P, b.Low, b.High
			}
			e.Coef, e.OR, e.P = t.Coef, t.OR, p
			e.Low, e.High = min(math.Exp(low), math.MaxFloat64), min(math.Exp(high), math.MaxFloat64)
		}
		r.Terms = append(r.Terms, e)
	}
	return r
}

// Ceiling is an estimate of the success rate if ABS were always 1 (ABB, section 5.2).
// There are two estimates: the success rate of the runs whose ABS is 1, and the
// prediction at ABS = 1 of a regression of success on ABS. Both treat an association as a
// cause.
type Ceiling struct {
	SR        Share   `json:"sr"`      // of all runs with both ABS and a known outcome
	Perfect   Share   `json:"perfect"` // of the runs with ABS = 1
	Predicted float64 `json:"predicted"`
	Gain      float64 `json:"gain"` // Predicted − SR
}

func (c *cells) computeCeiling() *Ceiling {
	var x [][]float64
	var y []bool
	won, perfect, both := 0, 0, 0
	for _, p := range c.sortedPairs() {
		if !p.hasABS {
			continue
		}
		x, y = append(x, []float64{p.abs}), append(y, p.good)
		if p.good {
			won++
		}
		if p.abs >= 1 {
			perfect++
			if p.good {
				both++
			}
		}
	}
	if len(y) == 0 {
		return nil
	}
	out := &Ceiling{SR: newShare("success", won, len(y)), Perfect: newShare("success at ABS = 1", both, perfect)}
	l, err := stats.Logistic(x, y)
	if err != nil || l.Terms[1].Aliased {
		return nil
	}
	out.Predicted = 1 / (1 + math.Exp(-l.Terms[0].Coef-l.Terms[1].Coef))
	out.Gain = out.Predicted - out.SR.Value
	return out
}
