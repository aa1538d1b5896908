package study

import (
	"maps"
	"slices"

	"github.com/boundcheck/boundcheck/core/math/stats"
	"github.com/boundcheck/boundcheck/core/stage/attribution"
)

// Dataset describes the tasks (ABB, Tables 2 and 9).
type Dataset struct {
	Reference Spread `json:"reference"` // steps of the references
	Observed  Spread `json:"observed"`  // actions of the runs
	Actions   int    `json:"actions"`   // distinct names on either side: the size of the used action space
	Mutating  Share  `json:"mutating"`  // observed actions that may change something
}

// Spread describes the distribution of values.
type Spread struct {
	N      int     `json:"n"`
	Min    float64 `json:"min"`
	Median float64 `json:"median"`
	Mean   float64 `json:"mean"`
	Max    float64 `json:"max"`
}

// newSpread returns the distribution of values. The keys of counts are the values, and
// counts[v] says how often the value v occurs.
func newSpread(counts map[int]int) Spread {
	values := slices.Sorted(maps.Keys(counts))
	var s Spread
	total := 0
	for _, v := range values {
		s.N += counts[v]
		total += v * counts[v]
	}
	if s.N == 0 {
		return s
	}
	s.Min, s.Max, s.Mean = float64(values[0]), float64(values[len(values)-1]), float64(total)/float64(s.N)
	at := func(i int) float64 { // the i-th smallest value, from 0
		for _, v := range values {
			if i -= counts[v]; i < 0 {
				return float64(v)
			}
		}
		return s.Max
	}
	s.Median = (at((s.N-1)/2) + at(s.N/2)) / 2
	return s
}

func (s *Sums) datasetTable() Dataset {
	return Dataset{newSpread(s.reference), newSpread(s.observed), len(s.names), newShare("mutating", s.writes, s.actions)}
}

// Attribution describes why runs went wrong (ABB, Table 5): the primary modes, how often
// each mode is the only cause, and how often a boundary violation is involved.
type Attribution struct {
	Failures int    `json:"failures"` // runs with a cause
	Modes    []Mode `json:"modes"`
	Boundary Share  `json:"boundary"` // failures in which a boundary is primary or a factor
	Sole     Share  `json:"sole"`     // failures with a boundary as the only cause
	// Subtypes holds the first violations of the failures whose primary mode is a
	// boundary (Table 17), by type, each with its number without a factor.
	Subtypes []Mode `json:"subtypes"`
}

// Mode is one primary mode with its share of the failures. Sole and Factor are shares of
// the failures with this mode: those without factors, and those with a boundary violation
// among the factors.
type Mode struct {
	Share
	Sole   Share `json:"sole"`
	Factor Share `json:"withBoundary"`
}

func (s *Sums) attributionTable() Attribution {
	var c Causes
	for one, n := range s.causes {
		c.AddN(n, one.mode, one.subtype, one.sole, one.factor)
	}
	return c.Table()
}

// Causes counts failures by their causes. The zero value is empty.
type Causes struct {
	failures, boundary int
	modes, subtypes    map[string]*[3]int // all, sole, with a boundary among the factors
}

// AddN counts n failures with equal causes. mode is the primary failure mode. If it is a
// boundary violation, subtype is the type of the first violation. sole reports whether
// there is no other cause. factor reports whether a boundary violation is one of the
// other causes.
func (c *Causes) AddN(n int, mode, subtype string, sole, factor bool) {
	if c.modes == nil {
		c.modes, c.subtypes = map[string]*[3]int{}, map[string]*[3]int{}
	}
	count := func(m map[string]*[3]int, name string) {
		if m[name] == nil {
			m[name] = &[3]int{}
		}
		m[name][0] += n
		if sole {
			m[name][1] += n
		}
		if factor {
			m[name][2] += n
		}
	}
	c.failures += n
	count(c.modes, mode)
	if factor || mode == string(attribution.Boundary) {
		c.boundary += n
	}
	if subtype != "" {
		count(c.subtypes, subtype)
	}
}

// Table returns the shares of the counts.
func (c *Causes) Table() Attribution {
	list := func(m map[string]*[3]int) []Mode {
		total := 0
		for _, n := range m {
			total += n[0]
		}
		out := []Mode{}
		for _, name := range slices.Sorted(maps.Keys(m)) {
			n := m[name]
			out = append(out, Mode{newShare(name, n[0], total), newShare("sole", n[1], n[0]), newShare("with boundary", n[2], n[0])})
		}
		slices.SortStableFunc(out, func(a, b Mode) int { return b.N - a.N })
		return out
	}
	sole := 0
	if m := c.modes[string(attribution.Boundary)]; m != nil {
		sole = m[1]
	}
	return Attribution{Failures: c.failures, Modes: list(c.modes), Boundary: newShare("boundary involved", c.boundary, c.failures),
		Sole: newShare("boundary alone", sole, c.failures), Subtypes: list(c.subtypes)}
}

// Adjusted holds the number of findings that remain if a share of the findings is assumed
// to be false (ABB, Tables 8 and 11).
type Adjusted struct {
	Found    int     `json:"found"`
	Expected float64 `json:"expected"` // the expected number of true findings
	FPR      float64 `json:"fpr"`      // share of false alarms among all findings
	ByType   []Left  `json:"byType"`
}

// Left holds the number of findings of one type, and the expected number of true ones.
type Left struct {
	Name     string  `json:"name"`
	Found    int     `json:"found"`
	Expected float64 `json:"expected"`
}

// adjustFindings computes the expected number of true findings. fpr is the share of false
// alarms by type of finding or by benchmark. If fpr has no share for the type of a
// finding, adjustFindings uses the share for the benchmark, or 0 if there is none.
func (c *cells) adjustFindings(fpr map[string]float64) *Adjusted {
	if len(fpr) == 0 {
		return nil
	}
	out := &Adjusted{ByType: []Left{}}
	found := map[string]map[string]int{} // by type, then by benchmark
	for _, one := range c.list {
		for name, n := range one.types {
			if found[name] == nil {
				found[name] = map[string]int{}
			}
			found[name][one.benchmark] += n
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		left := Left{Name: name}
		for _, benchmark := range slices.Sorted(maps.Keys(found[name])) {
			rate, ok := fpr[name]
			if !ok {
				rate = fpr[benchmark]
			}
			n := found[name][benchmark]
			left.Found += n
			left.Expected += float64(n) * (1 - rate)
		}
		out.Found += left.Found
		out.Expected += left.Expected
		out.ByType = append(out.ByType, left)
	}
	if out.Found > 0 {
		out.FPR = 1 - out.Expected/float64(out.Found)
	}
	return out
}

// Association is a χ² test of the independence of patterns and benchmarks, with Cramér's
// V. The findings of one run depend on each other, so p is too small.
type Association struct {
	Patterns   []string `json:"patterns"`
	Benchmarks []string `json:"benchmarks"`
	Counts     [][]int  `json:"counts"`
	N          int      `json:"n"`
	DF         int      `json:"df"`
	Chi2       float64  `json:"chi2"`
	P          float64  `json:"p"`
	V          float64  `json:"v"`
	Expected   float64  `json:"expected"` // the smallest expected count
	Sparse     bool     `json:"sparse"`   // too many expected counts are below 5: the test is not valid
}

func (c *cells) associatePatterns() *Association {
	counts := map[string]map[string]int{}
	benchmarks := map[string]bool{}
	for _, one := range c.list {
		for p, n := range one.patterns {
			if counts[p] == nil {
				counts[p] = map[string]int{}
			}
			counts[p][one.benchmark] += n
			benchmarks[one.benchmark] = true
		}
	}
	a := &Association{Patterns: slices.Sorted(maps.Keys(counts)), Benchmarks: slices.Sorted(maps.Keys(benchmarks))}
	for _, p := range a.Patterns {
		var row []int
		for _, b := range a.Benchmarks {
			row = append(row, counts[p][b])
		}
		a.Counts = append(a.Counts, row)
	}
	t, ok := stats.Independence(a.Counts)
	if !ok {
		return nil
	}
	a.N, a.DF, a.Chi2, a.P, a.V, a.Expected, a.Sparse = t.N, t.DF, t.Chi2, t.P, t.V, t.Expected, t.Sparse
	return a
}
