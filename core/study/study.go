// Package study computes the tables of experiments from scored runs: the figures of
// groups of runs, the violations, the causes of failures, the correlations with failure,
// and the properties of the tasks. The tables correspond to those of ABB (main results,
// violations, attribution, patterns, data sets). Every share has an interval. If there
// are too few runs, a note says so.
package study

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/math/stats"
	"github.com/boundcheck/boundcheck/core/report"
)

// Schema is the version of a study's JSON form.
const Schema = "boundcheck.study/1"

// few is the number of runs below which a share or a regression is not reliable.
const few = 20

// Run is a scored run with the columns by which runs are grouped: "file", "benchmark",
// and columns of the user, such as "model" or "framework". The column "task" always comes
// from the run.
type Run struct {
	*report.Trajectory
	Columns map[string]string
	File    int // index of the file, so that one task id in two files is two tasks
}

// Options selects the tables and their settings. Zero values mean the defaults.
type Options struct {
	By    []string           // columns; none means one group
	Seed  uint64             // of bootstraps
	FPR   map[string]float64 // share of false alarms by violation type or by benchmark, 0 to 1
	Extra []string           // numeric columns for the regressions
}

// Study holds all tables.
type Study struct {
	Schema       string        `json:"schema"`
	By           []string      `json:"by"`
	Runs         int           `json:"runs"`
	Groups       []Group       `json:"groups"`
	All          Group         `json:"all"`
	Patterns     *Association  `json:"patterns"` // null if there is only one benchmark, or no pattern
	Correlations []Correlation `json:"correlations"`
	Regressions  []Regression  `json:"regressions"`
	Ceiling      *Ceiling      `json:"ceiling"` // null if ABS or outcomes are not known
	Notes        []string      `json:"notes"`
}

// Group describes the runs that have equal values in the columns.
type Group struct {
	Key         map[string]string `json:"key"`
	Runs        int               `json:"runs"`
	Tasks       int               `json:"tasks"`
	Figures     report.Metrics    `json:"figures"` // weighted by task, with bootstrap intervals
	Dataset     Dataset           `json:"dataset"`
	Violations  []Share           `json:"violations"` // by type
	ByPattern   []Share           `json:"byPattern"`
	ByLevel     []Share           `json:"byLevel"` // of the runs with a reference
	Attribution Attribution       `json:"attribution"`
	Adjusted    *Adjusted         `json:"adjusted,omitempty"` // if shares of false alarms were given
}

// Share is a count out of a total, with Wilson's 95 % interval.
type Share struct {
	Name  string  `json:"name"`
	N     int     `json:"n"`
	Of    int     `json:"of"`
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

func newShare(name string, n, of int) Share {
	s := Share{Name: name, N: n, Of: of}
	if of > 0 {
		s.Value = float64(n) / float64(of)
		s.Low, s.High = stats.Wilson(n, of)
	}
	return s
}

// sortedShares returns the counts as shares of a total, sorted by count from the largest,
// and then by name.
func sortedShares(counts map[string]int, of int) []Share {
	out := []Share{}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, newShare(name, counts[name], of))
	}
	slices.SortStableFunc(out, func(a, b Share) int { return b.N - a.N })
	return out
}

// Of computes the tables. It returns an error if there is no run, or if o.By contains a
// column that no run has. O(runs), plus the bootstraps.
func Of(runs []Run, o Options) (*Study, error) {
	if len(runs) == 0 {
		return nil, errors.New("no run to study")
	}
	for _, by := range o.By {
		if by != "task" && !slices.ContainsFunc(runs, func(r Run) bool { return r.Columns[by] != "" }) {
			return nil, fmt.Errorf("no run has a column %q; the columns are %s", by, strings.Join(columnNames(runs), ", "))
		}
	}
	all := &cells{key: map[string]string{}}
	groups := map[string]*cells{}
	var order []*cells
	for i := range runs {
		r := &runs[i]
		extra, bad := r.packExtra(o.Extra)
		all.addRun(r, extra, bad)
		if len(o.By) == 0 {
			continue
		}
		k := r.Values(o.By)
		g := groups[k]
		if g == nil {
			g = &cells{key: map[string]string{}}
			for _, by := range o.By {
				g.key[by] = r.columnValue(by)
			}
			groups[k], order = g, append(order, g)
		}
		g.addRun(r, extra, bad)
	}
	all.finishCounts(o.Seed)
	for _, g := range order {
		g.finishCounts(o.Seed)
	}
	return computeTables(all, order, &o), nil
}

// computeTables computes the tables. groups is empty if all runs are one group.
func computeTables(all *cells, groups []*cells, o *Options) *Study {
	s := &Study{Schema: Schema, By: append([]string{}, o.By...), Groups: []Group{}, Notes: []string{}}
	s.All = all.newGroup(o)
	for _, g := range groups {
		s.Groups = append(s.Groups, g.newGroup(o))
	}
	s.Patterns = all.associatePatterns()
	s.Correlations = all.computeCorrelations(s.Groups)
	s.Regressions = all.fitRegressions(o.Extra)
	s.Ceiling = all.computeCeiling()
	s.addNotes(all.totalSums())
	return s
}

// cell holds the sums of the runs that have the same file and the same benchmark.
type cell struct {
	Sums
	file      int
	benchmark string
}

// cells holds the runs of a group.
type cells struct {
	key    map[string]string
	list   []*cell // in order of files, then of benchmarks
	corpus report.Tally
	done   report.Corpus
}

// addRun counts a run. extra and bad are the results of the run's method packExtra. Call
// finishCounts after the last run.
func (c *cells) addRun(r *Run, extra string, bad bool) {
	c.corpus.Add(r.Trajectory, r.File)
	b := r.Columns["benchmark"]
	i := slices.IndexFunc(c.list, func(one *cell) bool { return one.file == r.File && one.benchmark == b })
	if i < 0 {
		i = len(c.list)
		c.list = append(c.list, &cell{file: r.File, benchmark: b})
	}
	c.list[i].addRun(r.Trajectory, extra, bad)
}

func (c *cells) finishCounts(seed uint64) {
	c.done = c.corpus.Corpus(seed)
	slices.SortFunc(c.list, func(a, b *cell) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.benchmark, b.benchmark))
	})
}

// totalSums returns the sums of all cells.
func (c *cells) totalSums() *Sums {
	var t Sums
	for _, one := range c.list {
		t.merge(&one.Sums)
	}
	return &t
}

// packExtra returns the values of a run's extra columns as bytes, eight for each value.
// bad is true if one of the columns is not a number.
func (r *Run) packExtra(names []string) (values string, bad bool) {
	var b []byte
	for _, name := range names {
		v, err := strconv.ParseFloat(r.Columns[name], 64)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return "", true
		}
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return string(b), false
}

func (r *Run) columnValue(name string) string {
	if name == "task" {
		return r.Task
	}
	return r.Columns[name]
}

// Values returns the run's values in the given columns as one text. Runs have equal texts
// only if all values are equal.
func (r *Run) Values(columns []string) string {
	var b []byte
	for _, c := range columns {
		b = strconv.AppendQuote(b, r.columnValue(c))
	}
	return string(b)
}

// Key returns the run's values in the given columns as one line. The name of a group has
// the same form.
func (r *Run) Key(columns []string) string {
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = cmp.Or(r.columnValue(c), "(none)")
	}
	return strings.Join(parts, " · ")
}

func columnNames(runs []Run) []string {
	all := map[string]bool{"task": true}
	for _, r := range runs {
		for name := range r.Columns {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func (c *cells) newGroup(o *Options) Group {
	t := c.totalSums()
	found := 0
	for _, n := range t.types {
		found += n
	}
	return Group{Key: c.key, Runs: c.done.N, Tasks: c.done.Tasks, Figures: c.done.Metrics, Dataset: t.datasetTable(), Violations: sortedShares(t.types, found),
		ByPattern: sortedShares(t.patterns, found), ByLevel: t.byLevel(), Attribution: t.attributionTable(), Adjusted: c.adjustFindings(o.FPR)}
}

// addNotes adds notes about the limits of the tables.
func (s *Study) addNotes(t *Sums) {
	s.Runs = t.runs
	note := func(format string, a ...any) { s.Notes = append(s.Notes, fmt.Sprintf(format, a...)) }
	if t.bare > 0 {
		note("%d of %d runs have no reference, so these runs have no ABS, GAR and SVR", t.bare, t.runs)
	}
	if t.unknown > 0 {
		note("%d of %d runs have no known outcome", t.unknown, t.runs)
	}
	var small []*Group
	for i := range s.Groups {
		if g := &s.Groups[i]; g.Runs < few {
			small = append(small, g)
		}
	}
	const named = 5
	if n := len(small); n > named {
		note("%d of %d groups have fewer than %d runs. In these groups, each run changes a figure by at least %.0f points", n, len(s.Groups), few, 100/float64(few))
		small = nil
	}
	for _, g := range small {
		note("the group %s has only %d runs, so one run can change its figures by %.0f points", g.Name(), g.Runs, 100/float64(g.Runs))
	}
	if n := s.All.Attribution.Failures; n > 0 && n < few {
		note("only %d failures have an attribution, so the shares of the failure modes are not reliable", n)
	}
}

// Name returns the values of a group's columns as one line.
func (g *Group) Name() string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(g.Key)) {
		parts = append(parts, cmp.Or(g.Key[k], "(none)"))
	}
	if parts == nil {
		return "all"
	}
	return strings.Join(parts, " · ")
}
