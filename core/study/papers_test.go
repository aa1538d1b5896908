package study

import (
	"fmt"
	"math"
	"testing"

	"github.com/boundcheck/boundcheck/core/math/stats"
	"github.com/boundcheck/boundcheck/core/report"
)

// percentTenths returns a share as a percentage with one decimal, as papers print it.
func percentTenths(v float64) float64 { return math.Round(v*1000) / 10 }

// TestTable5 computes the shares of ABB's Table 5 from its counts. For each failure mode
// the table counts all failures (506, 337, 311 and 207), those without another cause, and
// those with a boundary violation as a factor. 311 of 1,361 is 22.9 %, but the paper's
// text prints 22.8.
func TestTable5(t *testing.T) {
	var c Causes
	for _, m := range []struct {
		mode                   string
		n, sole, factor        int
		share, alone, boundary float64
	}{
		{"boundary-violation", 506, 351, 0, 37.2, 69.4, 0},
		{"tool-selection-error", 337, 208, 100, 24.8, 61.7, 29.7}, // 61.6 in the text is not a share of 337
		{"reasoning-error", 311, 208, 71, 22.9, 66.9, 22.8},       // and 66.8 is not a share of 311
		{"state-tracking-failure", 207, 100, 84, 15.2, 48.3, 40.6},
	} {
		c.AddN(m.sole, m.mode, "", true, false)
		c.AddN(m.factor, m.mode, "", false, true)
		c.AddN(m.n-m.sole-m.factor, m.mode, "", false, false)
		a := c.Table()
		for _, got := range a.Modes {
			if got.Name == m.mode && (got.N != m.n || percentTenths(got.Sole.Value) != m.alone || percentTenths(got.Factor.Value) != m.boundary) {
				t.Errorf("%s: %+v", m.mode, got)
			}
		}
		if m.mode != "state-tracking-failure" {
			continue
		}
		for i, want := range []float64{37.2, 24.8, 22.9, 15.2} {
			if got := percentTenths(a.Modes[i].Value); got != want {
				t.Errorf("%s: %v %%, want %v", a.Modes[i].Name, got, want)
			}
		}
		if a.Failures != 1361 || percentTenths(a.Boundary.Value) != 55.9 || percentTenths(a.Sole.Value) != 25.8 {
			t.Errorf("boundary involved %v, alone %v of %d", percentTenths(a.Boundary.Value), percentTenths(a.Sole.Value), a.Failures)
		}
		// The text multiplies by the share of true findings in its Table 11.
		for _, c := range [][2]float64{{.372, 29.0}, {.559, 43.6}, {.484, 37.8}} {
			if got := percentTenths(c[0] * .78); got != c[1] {
				t.Errorf("adjusted %v, want %v", got, c[1])
			}
		}
	}
}

// TestTable6 computes the averages of ABB's Table 6 from its rows. It checks that the
// gains of ABS and SR are significant over the table's seven models.
func TestTable6(t *testing.T) {
	rows := []struct {
		base, ebp, sr float64
		open          bool
	}{
		{.410, .493, 8.2, false}, {.386, .482, 7.4, false}, {.424, .534, 8.7, false}, {.402, .521, 9.3, false},
		{.385, .477, 8.3, false}, {.368, .499, 10.9, true}, {.374, .498, 11.5, true},
	}
	var abs, sr, open, closed []float64
	for _, r := range rows {
		abs, sr = append(abs, r.ebp-r.base), append(sr, r.sr)
		if r.open {
			open = append(open, r.ebp-r.base)
		} else {
			closed = append(closed, r.ebp-r.base)
		}
	}
	for _, c := range []struct {
		name        string
		differences []float64
		mean, unit  float64
	}{{"ABS", abs, .108, 1000}, {"SR", sr, 9.2, 10}, {"open models", open, .128, 1000}, {"closed models", closed, .100, 1000}} {
		got, ok := stats.PairedT(c.differences)
		if mean := math.Round(got.Mean*c.unit) / c.unit; !ok || mean != c.mean {
			t.Errorf("%s: mean %v, want %v", c.name, mean, c.mean)
		}
		if len(c.differences) == len(rows) && got.P >= .001 {
			t.Errorf("%s: p %v", c.name, got.P)
		}
	}
}

// TestTable16 computes the shares of Tables 16, 17 and 8 from their counts.
func TestTable16(t *testing.T) {
	for of, rows := range map[int]map[string][2]float64{
		4683: {"under-action": {2265, 48.4}, "over-action": {1314, 28.1}, "granularity": {685, 14.6}, "boundary": {419, 8.9}},
		506:  {"under-action": {228, 45.1}, "over-action": {143, 28.3}, "granularity": {91, 18.0}, "boundary": {44, 8.7}},
	} {
		counts, sum := map[string]int{}, 0
		for name, r := range rows {
			counts[name] = int(r[0])
			sum += int(r[0])
		}
		if sum != of {
			t.Errorf("%d rows, want %d", sum, of)
		}
		for _, s := range sortedShares(counts, of) {
			if percentTenths(s.Value) != rows[s.Name][1] || s.Low >= s.Value || s.High <= s.Value {
				t.Errorf("%+v, want %v", s, rows[s.Name][1])
			}
		}
	}
	flagged, won := 0, 0
	for _, r := range [][3]float64{{5, 53, 9.4}, {3, 15, 20}, {54, 97, 55.7}, {9, 106, 8.5}, {2, 9, 22.2}, {5, 17, 29.4}} {
		if got := percentTenths(newShare("", int(r[0]), int(r[1])).Value); got != r[2] {
			t.Errorf("%v of %v: %v, want %v", r[0], r[1], got, r[2])
		}
		flagged, won = flagged+int(r[0]), won+int(r[1])
	}
	if s := newShare("", flagged, won); won != 297 || percentTenths(s.Value) != 26.3 {
		t.Errorf("all of Table 8: %+v", s)
	}
}

// TestTable11 checks how many of a run's findings are expected to be true. For each type
// of finding, the share of false alarms comes from the human audit in the paper's Table
// 11. In total, 33 of 150 findings are false alarms (22.0 %).
func TestTable11(t *testing.T) {
	rows := []struct {
		name  string
		n, fp int
		fpr   float64
	}{{"under-action", 68, 14, 20.6}, {"over-action", 41, 8, 19.5}, {"over-granular", 27, 7, 25.9}, {"end-boundary", 14, 4, 28.6}}
	var run Run
	run.Trajectory = &report.Trajectory{ID: "1"}
	fpr := map[string]float64{}
	for _, r := range rows {
		fpr[r.name] = float64(r.fp) / float64(r.n)
		if percentTenths(fpr[r.name]) != r.fpr {
			t.Errorf("%s: %v", r.name, percentTenths(fpr[r.name]))
		}
		for range r.n {
			run.Violations = append(run.Violations, report.Violation{Type: report.ViolationType(r.name)})
		}
	}
	var all cells
	all.addRun(&run, "", false)
	a := all.adjustFindings(fpr)
	if a.Found != 150 || math.Abs(a.Expected-117) > 1e-9 || percentTenths(a.FPR) != 22.0 {
		t.Errorf("%+v", a)
	}
}

// newTestRun returns a run with the given figures and violations. Its columns benchmark
// and model decide to which group it belongs.
func newTestRun(model, benchmark, task string, success bool, abs, svr float64, steps int, violations ...string) Run {
	score := func(v float64) report.Score { return report.Score{Value: &v, Scored: true} }
	zero := score(0)
	t := &report.Trajectory{ID: task, Task: task, Success: &success, Flagged: len(violations) > 0,
		Metrics: report.Metrics{WithinBounds: score(abs), ABS: report.ABS{Agent: score(abs), Max: score(abs)}, GAR: score(1), SVR: score(svr), GranularityRate: zero, ScopeAndGranularityRate: zero}}
	for i := range steps {
		a := report.Action{Name: fmt.Sprint("step", i), Mutating: map[bool]report.Mutating{true: "yes", false: "no"}[i == 0]}
		t.Observed, t.Reference = append(t.Observed, a), append(t.Reference, a)
	}
	for _, v := range violations {
		t.Violations = append(t.Violations, report.Violation{Type: report.ViolationType(v), Pattern: report.Pattern(map[string]string{"under-action": "missing-verification", "over-action": "scope-overgeneralisation"}[v])})
	}
	if len(violations) > 0 && !success {
		t.Attribution = &report.Attribution{Primary: report.Cause{Mode: "boundary-violation"}}
	}
	return Run{Trajectory: t, Columns: map[string]string{"model": model, "benchmark": benchmark, "file": model}}
}

// TestGroups checks the tables of two groups of runs by model and benchmark, and the
// correlations and regressions over all runs.
func TestGroups(t *testing.T) {
	var runs []Run
	for i := range 30 {
		task := fmt.Sprint(i)
		runs = append(runs, newTestRun("a", "shop", task, i%3 > 0, 1-float64(i%3)/4, float64(i%3)/4, 2+i%4),
			newTestRun("b", "files", task, i%2 > 0, .5+float64(i%2)/2, 1-float64(i%2), 3+i%5, "under-action"))
	}
	s, err := Of(runs, Options{By: []string{"model", "benchmark"}, FPR: map[string]float64{"files": .25}})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Groups) != 2 || s.Groups[0].Name() != "shop · a" || s.Groups[0].Tasks != 30 || s.All.Runs != 60 {
		t.Fatalf("%+v", s.Groups)
	}
	b := s.Groups[1]
	if b.Violations[0].N != 30 || b.Adjusted.Expected != 22.5 || b.Attribution.Failures != 15 || b.Attribution.Subtypes[0].Name != "under-action" {
		t.Errorf("%+v %+v %+v", b.Violations, b.Adjusted, b.Attribution)
	}
	if d := b.Dataset; d.Reference.Min != 3 || d.Reference.Max != 7 || d.Reference.Median != 5 || d.Actions != 7 || d.Mutating.N != 30 {
		t.Errorf("%+v", d)
	}
	if len(s.Correlations) != 2 || s.Correlations[0].N != 60 || s.Correlations[0].Over != "runs" { // two groups are too few for a correlation
		t.Errorf("%+v", s.Correlations)
	}
	if len(s.Regressions) != 3 || s.Regressions[0].N != 60 || s.Regressions[2].Unusable == "" {
		t.Errorf("%+v", s.Regressions)
	}
	if s.Ceiling == nil || s.Ceiling.Perfect.Of != 25 || s.Ceiling.Gain <= 0 {
		t.Errorf("%+v", s.Ceiling)
	}
	if s.Patterns != nil {
		t.Errorf("one benchmark with patterns: %+v", s.Patterns)
	}
	if s, err := Of(runs, Options{By: []string{"task"}}); err != nil || len(s.Groups) != 30 || len(s.Notes) > 3 {
		t.Errorf("by task: %v, %d groups, notes %v", err, len(s.Groups), s.Notes)
	}
	if _, err := Of(runs, Options{By: []string{"colour"}}); err == nil {
		t.Error("an unknown column")
	}
	if _, err := Of(nil, Options{}); err == nil {
		t.Error("no runs")
	}
}
