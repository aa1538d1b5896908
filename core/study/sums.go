package study

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"

	"github.com/boundcheck/boundcheck/core/base/packed"
	"github.com/boundcheck/boundcheck/core/math/stats"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/attribution"
	"github.com/boundcheck/boundcheck/core/study/deviation"
)

// Sums holds the data that the tables need from runs with equal columns, except for the
// corpus figures. The sums of parts merge to the sums of all runs, in any order. The zero
// value is empty.
type Sums struct {
	runs, bare, unknown, replayed, warned int
	reference, observed                   map[int]int      // runs by number of steps
	names                                 map[uint64]bool  // hashes of the names of actions
	actions, writes                       int              // observed
	types, patterns                       map[string]int   // violations
	levels                                [2]int           // violations of runs with a reference: of a subgoal, of an action
	causes                                map[cause]int    // failures
	pairs                                 map[pair]int     // runs with a known outcome
	outcomes                              map[taskRuns]int // runs with a reference
}

// cause describes why a run failed.
type cause struct {
	mode, subtype string
	sole, factor  bool
}

// pair holds the two figures of a run that are correlated with its outcome.
type pair struct {
	abs, svr             float64
	hasABS, hasSVR, good bool
}

// taskRuns describes runs of one task that are equal for the regressions.
type taskRuns struct {
	task                          uint64 // deviation.TaskOf
	reference, mutating, others   uint32 // steps of the reference, and both distances of package deviation
	alone                         bool   // a run without a task
	known, good, under, over, bad bool   // bad: an extra column is not a number
	extra                         string // values of the extra columns, packed
}

func addCount[K comparable](m *map[K]int, key K, n int) {
	if *m == nil {
		*m = map[K]int{}
	}
	(*m)[key] += n
}

// Add counts a run.
func (s *Sums) Add(run *report.Trajectory) { s.addRun(run, "", false) }

func (s *Sums) addRun(run *report.Trajectory, extra string, bad bool) {
	if run.Error != nil { // it was not scored
		return
	}
	s.runs++
	if run.Replay != nil {
		s.replayed++
	}
	if !run.Metrics.ABS.Max.Scored {
		s.bare++
	}
	if run.Success == nil {
		s.unknown++
	}
	writes := s.countSteps(run)
	s.countViolations(run)
	if a := run.Attribution; a != nil && (run.Success == nil || !*run.Success) {
		c := cause{mode: a.Primary.Mode, sole: len(a.Factors) == 0}
		c.factor = slices.ContainsFunc(a.Factors, func(f report.Cause) bool { return f.Mode == string(attribution.Boundary) })
		if c.mode == string(attribution.Boundary) && a.First >= 0 && a.First < len(run.Violations) {
			c.subtype = string(run.Violations[a.First].Type)
		}
		addCount(&s.causes, c, 1)
	}
	if abs, svr := &run.Metrics.ABS.Max, &run.Metrics.SVR; run.Success != nil && (abs.Scored || svr.Scored) {
		p := pair{hasABS: abs.Scored, hasSVR: svr.Scored, good: *run.Success}
		if abs.Scored {
			p.abs = *abs.Value
		}
		if svr.Scored {
			p.svr = *svr.Value
		}
		addCount(&s.pairs, p, 1)
	}
	if run.Reference == nil {
		return
	}
	o := taskRuns{reference: uint32(len(run.Reference)), alone: run.Task == "", known: run.Success != nil, extra: extra, bad: bad}
	if !o.alone {
		o.task = deviation.TaskOf(run.Task)
	}
	o.good = o.known && *run.Success
	want := countChanging(run.Reference)
	o.mutating, o.others = absDifference(writes, want), absDifference(len(run.Observed)-writes, len(run.Reference)-want)
	for i := range run.Violations {
		switch run.Violations[i].Type {
		case "under-action":
			o.under = true
		case "over-action":
			o.over = true
		}
	}
	addCount(&s.outcomes, o, 1)
}

// countSteps counts the actions of a run. It returns the number of observed actions that
// may change something.
func (s *Sums) countSteps(run *report.Trajectory) (writes int) {
	if run.Reference != nil {
		addCount(&s.reference, len(run.Reference), 1)
	}
	addCount(&s.observed, len(run.Observed), 1)
	if s.names == nil {
		s.names = map[uint64]bool{}
	}
	for _, side := range [][]report.Action{run.Observed, run.Reference} {
		for j := range side {
			s.names[deviation.TaskOf(side[j].Name)] = true
		}
	}
	writes = countChanging(run.Observed)
	s.actions += len(run.Observed)
	s.writes += writes
	return writes
}

// countChanging returns the number of actions that may change something.
func countChanging(actions []report.Action) (n int) {
	for i := range actions {
		if a := &actions[i]; !a.Control && a.Mutating != "no" {
			n++
		}
	}
	return n
}

func absDifference(a, b int) uint32 { return uint32(max(a-b, b-a)) }

func (s *Sums) countViolations(run *report.Trajectory) {
	for i := range run.Violations {
		v := &run.Violations[i]
		addCount(&s.types, string(v.Type), 1)
		if v.Pattern != "" {
			addCount(&s.patterns, string(v.Pattern), 1)
		}
	}
	if run.Reference == nil || len(run.Violations) == 0 {
		return
	}
	r := Run{Trajectory: run}
	observed, reference := changedEntities(run.Observed), changedEntities(run.Reference)
	for i := range run.Violations {
		if r.violationLevel(&run.Violations[i], observed, reference) == Subgoal {
			s.levels[0]++
		} else {
			s.levels[1]++
		}
	}
}

func mergeCounts[K comparable](to *map[K]int, from map[K]int) {
	for key, n := range from {
		addCount(to, key, n)
	}
}

func (s *Sums) merge(o *Sums) {
	s.runs += o.runs
	s.bare += o.bare
	s.unknown += o.unknown
	s.replayed += o.replayed
	s.warned += o.warned
	mergeCounts(&s.reference, o.reference)
	mergeCounts(&s.observed, o.observed)
	if s.names == nil {
		s.names = map[uint64]bool{}
	}
	maps.Copy(s.names, o.names)
	s.actions += o.actions
	s.writes += o.writes
	mergeCounts(&s.types, o.types)
	mergeCounts(&s.patterns, o.patterns)
	s.levels[0] += o.levels[0]
	s.levels[1] += o.levels[1]
	mergeCounts(&s.causes, o.causes)
	mergeCounts(&s.pairs, o.pairs)
	mergeCounts(&s.outcomes, o.outcomes)
}

// Samples returns the runs that have a reference and a known outcome, as samples of the
// given set.
func (s *Sums) Samples(set int) (all []deviation.Sample) {
	for o, n := range s.outcomes {
		one := deviation.Sample{Set: set, Task: o.task, Alone: o.alone, Success: o.good, Distance: deviation.Distance{Mutating: int(o.mutating), NonMutating: int(o.others)}}
		for range n {
			if o.known {
				all = append(all, one)
			}
		}
	}
	return all
}

// Warn adds n to the number of warnings from reading the runs.
func (s *Sums) Warn(n int) { s.warned += n }

// Counts returns the number of runs, the number of replayed runs among them, and the
// number of warnings.
func (s *Sums) Counts() (runs, replayed, warnings int) { return s.runs, s.replayed, s.warned }

// Referenced returns the number of runs with a reference.
func (s *Sums) Referenced() (n int) {
	for _, runs := range s.outcomes {
		n += runs
	}
	return n
}

// Judged returns the number of runs with a known outcome.
func (s *Sums) Judged() int { return s.runs - s.unknown }

// sortedKeys returns the keys of a map in the order of compare. It does not use
// slices.SortedFunc, because the compiled program would be larger.
func sortedKeys[K comparable](m map[K]int, compare func(a, b K) int) []K {
	keys := make([]K, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Slice(keys, func(i, j int) bool { return compare(keys[i], keys[j]) < 0 })
	return keys
}

func compareCauses(a, b cause) int {
	return cmp.Or(cmp.Compare(a.mode, b.mode), cmp.Compare(a.subtype, b.subtype), stats.CompareBool(a.sole, b.sole), stats.CompareBool(a.factor, b.factor))
}

// comparePairs compares two pairs for sorting.
func comparePairs(a, b pair) int {
	return cmp.Or(stats.CompareBool(a.hasABS, b.hasABS), cmp.Compare(a.abs, b.abs), stats.CompareBool(a.hasSVR, b.hasSVR), cmp.Compare(a.svr, b.svr), stats.CompareBool(a.good, b.good))
}

func compareOutcomes(a, b taskRuns) int {
	return cmp.Or(stats.CompareBool(a.alone, b.alone), cmp.Compare(a.task, b.task), cmp.Compare(a.reference, b.reference),
		cmp.Compare(a.mutating, b.mutating), cmp.Compare(a.others, b.others), stats.CompareBool(a.known, b.known), stats.CompareBool(a.good, b.good),
		stats.CompareBool(a.under, b.under), stats.CompareBool(a.over, b.over), stats.CompareBool(a.bad, b.bad), cmp.Compare(a.extra, b.extra))
}

// packFlags packs booleans into one number. The first boolean is the lowest bit.
func packFlags(all ...bool) (n int) {
	for i, b := range all {
		if b {
			n |= 1 << i
		}
	}
	return n
}

func unpackFlags(n int, all ...*bool) {
	for i, b := range all {
		*b = n>>i&1 == 1
	}
}

// AppendTo appends the sums in the format of Read. Equal sums give equal bytes. Extra
// columns are not written.
func (s *Sums) AppendTo(b []byte) []byte {
	b = packed.AppendUint(b, s.runs, s.bare, s.unknown, s.replayed, s.warned, s.actions, s.writes, s.levels[0], s.levels[1])
	for _, m := range []map[int]int{s.reference, s.observed} {
		b = packed.AppendUint(b, len(m))
		for _, steps := range slices.Sorted(maps.Keys(m)) {
			b = packed.AppendUint(b, steps, m[steps])
		}
	}
	b = packed.AppendUint(b, len(s.names))
	for _, name := range slices.Sorted(maps.Keys(s.names)) {
		b = binary.LittleEndian.AppendUint64(b, name)
	}
	for _, m := range []map[string]int{s.types, s.patterns} {
		b = packed.AppendUint(b, len(m))
		for _, name := range slices.Sorted(maps.Keys(m)) {
			b = packed.AppendUint(packed.AppendString(b, name), m[name])
		}
	}
	b = packed.AppendUint(b, len(s.causes))
	for _, c := range sortedKeys(s.causes, compareCauses) {
		b = packed.AppendString(packed.AppendString(b, c.mode), c.subtype)
		b = packed.AppendUint(b, packFlags(c.sole, c.factor), s.causes[c])
	}
	b = packed.AppendUint(b, len(s.pairs))
	for _, p := range sortedKeys(s.pairs, comparePairs) {
		b = packed.AppendUint(b, packFlags(p.hasABS, p.hasSVR, p.good), s.pairs[p])
		b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, math.Float64bits(p.abs)), math.Float64bits(p.svr))
	}
	b = packed.AppendUint(b, len(s.outcomes))
	last := uint64(0)
	for _, o := range sortedKeys(s.outcomes, compareOutcomes) {
		same := o.alone || o.task == last
		b = packed.AppendUint(b, packFlags(o.alone, o.known, o.good, o.under, o.over, same))
		if !same { // most tasks have several outcomes
			b = binary.LittleEndian.AppendUint64(b, o.task)
			last = o.task
		}
		b = packed.AppendUint(packed.AppendUint(b, o.reference, o.mutating, o.others), s.outcomes[o])
	}
	return b
}

// Read adds sums that AppendTo wrote. If r.Err is set afterwards, the sums must not be
// used.
func (s *Sums) Read(r *packed.Reader) {
	o := Sums{names: map[uint64]bool{}}
	for _, n := range []*int{&o.runs, &o.bare, &o.unknown, &o.replayed, &o.warned, &o.actions, &o.writes, &o.levels[0], &o.levels[1]} {
		*n = r.Int()
	}
	for _, m := range []*map[int]int{&o.reference, &o.observed} {
		for range r.Len() {
			steps := r.Int()
			addCount(m, steps, r.Int())
		}
	}
	for range r.Len() {
		o.names[r.Uint64()] = true
	}
	for _, m := range []*map[string]int{&o.types, &o.patterns} {
		for range r.Len() {
			name := r.String()
			addCount(m, name, r.Int())
		}
	}
	for range r.Len() {
		c := cause{mode: r.String(), subtype: r.String()}
		unpackFlags(r.Int(), &c.sole, &c.factor)
		addCount(&o.causes, c, r.Int())
	}
	for range r.Len() {
		var p pair
		unpackFlags(r.Int(), &p.hasABS, &p.hasSVR, &p.good)
		n := r.Int()
		p.abs, p.svr = math.Float64frombits(r.Uint64()), math.Float64frombits(r.Uint64())
		if p.abs != p.abs || p.svr != p.svr { // not a number, which no run has
			r.Err = packed.ErrDamaged
			return
		}
		addCount(&o.pairs, p, n)
	}
	last := uint64(0)
	for range r.Len() {
		var t taskRuns
		var same bool
		unpackFlags(r.Int(), &t.alone, &t.known, &t.good, &t.under, &t.over, &same)
		if !same {
			last = r.Uint64()
		}
		if !t.alone {
			t.task = last
		}
		t.reference, t.mutating, t.others = uint32(r.Int()), uint32(r.Int()), uint32(r.Int())
		addCount(&o.outcomes, t, r.Int())
		if r.Err != nil {
			return
		}
	}
	if r.Err == nil && !o.isConsistent() {
		r.Err = packed.ErrDamaged
	}
	if r.Err == nil {
		s.merge(&o)
	}
}

// isConsistent reports whether the counts in s are possible. None of the lists in s may
// count more runs than s.runs.
func (s *Sums) isConsistent() bool {
	return atMost(s.runs, s.outcomes) && atMost(s.runs, s.pairs) && atMost(s.runs, s.reference) && atMost(s.runs, s.observed)
}

// atMost reports whether the numbers in a map are not negative and add up to at most n.
func atMost[K comparable](n int, of map[K]int) bool {
	for _, runs := range of {
		if n -= runs; runs < 0 || n < 0 {
			return false
		}
	}
	return true
}

// Part holds the sums of one file's runs.
type Part struct {
	Sums
	File, Benchmark string // the columns
}

// ReadParts reads the sums of several files, which AppendTo wrote one after another. It
// adds the first to parts[first], the second to parts[first+1] and so on, and returns the
// extended list.
func ReadParts(parts []Part, first int, text []byte) ([]Part, error) {
	r := &packed.Reader{Rest: text}
	for i := first; len(r.Rest) > 0; i++ {
		for len(parts) <= i {
			parts = append(parts, Part{})
		}
		parts[i].Read(r)
	}
	return parts, r.Err
}

// OfParts computes the tables from parts, as Of does from runs. The function figures must
// return the corpus figures of the parts with the given indices. o.By may contain only
// the columns file and benchmark.
func OfParts(parts []Part, figures func(parts []int, seed uint64) report.Corpus, o Options) (*Study, error) {
	for _, by := range o.By {
		if by != "file" && by != "benchmark" {
			return nil, fmt.Errorf("partial results have no column %q; the only columns are file and benchmark", by)
		}
	}
	all := &cells{key: map[string]string{}}
	var groups []*cells
	members := map[*cells][]int{}
	for i := range parts {
		p := &parts[i]
		if p.runs == 0 {
			continue
		}
		key := map[string]string{}
		for _, by := range o.By {
			key[by] = map[string]string{"file": p.File, "benchmark": p.Benchmark}[by]
		}
		at := slices.IndexFunc(groups, func(g *cells) bool { return maps.Equal(g.key, key) })
		if at < 0 && len(o.By) > 0 {
			at = len(groups)
			groups = append(groups, &cells{key: key})
		}
		one := &cell{Sums: p.Sums, file: i, benchmark: p.Benchmark}
		in := []*cells{all}
		if at >= 0 {
			in = append(in, groups[at])
		}
		for _, g := range in {
			g.list = append(g.list, one)
			members[g] = append(members[g], i)
		}
	}
	if len(all.list) == 0 {
		return nil, errors.New("no run to study")
	}
	for g, of := range members {
		g.done = figures(of, o.Seed)
	}
	return computeTables(all, groups, &o), nil
}
