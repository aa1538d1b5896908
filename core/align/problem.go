package align

import (
	"errors"
	"fmt"
	"math"
)

// Problem is what to align: two lists of interned actions and how their symbols compare.
//
// Obs and Ref hold symbols of two separate dense spaces, each counted from 0. A slice
// of a longer list may be given as it is: symbols need not all occur. Neither slice is changed.
type Problem struct {
	Obs, Ref []int
	// Similarity of two symbols; clipped to [0, 1] and rounded to 1e-9. Called once for
	// every pair of symbols that occur. May be nil when a side is empty.
	Similarity func(obs, ref int) float64
	// SameType says whether two symbols that do not match may form a substitution: same
	// canonical action type. nil: none may.
	SameType func(obs, ref int) bool
}

// maxLen bounds sides and symbols. With maxScore it keeps every sum below 2⁶³:
// 2²⁰ pairs of at most 3·10¹² and 2²¹ gaps of at most 10¹².
const maxLen = 1 << 20

// entry is a symbol of the other side that may be paired, with its similarity on the grid.
type entry struct {
	sym, sim int32
}

// relation lists, for each symbol of one side, the symbols of the other that it may
// be paired with, ascending. Space O(symbols + pairs of symbols).
type relation struct {
	off  []int32
	list []entry
}

func (r relation) of(sym int32) []entry { return r.list[r.off[sym]:r.off[sym+1]] }

// sim looks up one pair: its similarity on the grid, and whether it may be aligned at all.
// Time O(log symbols).
func (r relation) sim(obs, ref int32) (int32, bool) {
	row := r.of(obs)
	k := firstFrom(row, ref)
	if k == len(row) || row[k].sym != ref {
		return 0, false
	}
	return row[k].sim, true
}

// firstFrom returns the index of the first entry at or after a symbol (or place).
func firstFrom(row []entry, from int32) int {
	lo, hi := 0, len(row)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); row[mid].sym < from {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// transpose turns obs → ref into ref → obs for n symbols on the ref side.
func (r relation) transpose(n int) relation {
	t := relation{make([]int32, n+1), make([]entry, len(r.list))}
	for _, e := range r.list {
		t.off[e.sym]++
	}
	end := int32(0)
	for i, c := range t.off {
		end += c
		t.off[i] = end
	}
	// From the last symbol down, so that each list comes out ascending.
	for sym := len(r.off) - 2; sym >= 0; sym-- {
		for _, e := range r.of(int32(sym)) {
			t.off[e.sym]--
			t.list[t.off[e.sym]] = entry{int32(sym), e.sim}
		}
	}
	return t
}

// task is one problem made ready: symbols renumbered by first use, compared once.
type task struct {
	rule
	weights
	obs, ref         []int32 // renumbered
	obsSyms, refSyms int     // how many distinct ones there are
	mate             []int32 // result: for each observed action its reference action, or -1
	rel              relation
	stats            Stats
}

// prepare checks p, renumbers and compares. One slab holds all the small tables,
// since corpora of many short runs are the usual case.
func prepare(p Problem, r rule) (*task, error) {
	top := [2]int{}
	for k, side := range [...]struct {
		name string
		syms []int
	}{{"observed", p.Obs}, {"reference", p.Ref}} {
		if len(side.syms) > maxLen {
			return nil, fmt.Errorf("invalid %s side: %d actions, more than %d", side.name, len(side.syms), maxLen)
		}
		for i, s := range side.syms {
			if s < 0 || s >= maxLen {
				return nil, fmt.Errorf("invalid %s symbol %d at %d: outside [0, %d)", side.name, s, i, maxLen)
			}
			top[k] = max(top[k], s+1)
		}
	}
	if p.Similarity == nil && len(p.Obs) > 0 && len(p.Ref) > 0 {
		return nil, errors.New("missing similarity function")
	}
	n, m := len(p.Obs), len(p.Ref)
	s := slab(make([]int32, 2*n+m+2*(top[0]+top[1])+top[0]+1))
	t := &task{rule: r, weights: r.weigh(min(n, m)), obs: s.take(n), ref: s.take(m), mate: s.take(n)}
	for i := range t.mate {
		t.mate[i] = -1
	}
	obsNames := renumber(t.obs, p.Obs, s.take(2*top[0]))
	refNames := renumber(t.ref, p.Ref, s.take(2*top[1]))
	t.obsSyms, t.refSyms = len(obsNames), len(refNames)
	t.rel.off = s.take(t.obsSyms + 1)
	return t, t.compare(p, obsNames, refNames)
}

// slab hands out consecutive pieces of one allocation.
type slab []int32

func (s *slab) take(n int) []int32 {
	piece := (*s)[:n:n]
	*s = (*s)[n:]
	return piece
}

// renumber writes src to dst with symbols numbered by first use and returns their
// old names in that order. scratch holds two zeroed tables of one cell per old symbol.
func renumber(dst []int32, src []int, scratch []int32) []int32 {
	id, names := scratch[:len(scratch)/2], scratch[len(scratch)/2:][:0]
	for i, s := range src {
		if id[s] == 0 {
			names = append(names, int32(s))
			id[s] = int32(len(names))
		}
		dst[i] = id[s] - 1
	}
	return names
}

// compare calls Similarity once per pair of symbols and keeps the pairs that can be
// part of an optimum: matches, and substitutions of one type, unless two gaps are better.
func (t *task) compare(p Problem, obsNames, refNames []int32) error {
	t.rel.list = make([]entry, 0, len(obsNames)+len(refNames))
	for a, obs := range obsNames {
		for b, ref := range refNames {
			sim, err := fixed(p.Similarity(int(obs), int(ref)))
			if err != nil {
				return fmt.Errorf("%w for observed symbol %d and reference symbol %d", err, obs, ref)
			}
			t.stats.Comparisons++
			if t.pairs(p, sim, obs, ref) {
				t.rel.list = append(t.rel.list, entry{int32(b), sim})
			}
		}
		t.rel.off[a+1] = int32(len(t.rel.list))
	}
	return nil
}

func (t *task) pairs(p Problem, sim, obs, ref int32) bool {
	if sim > t.threshold {
		return t.rule.match >= 0
	}
	return t.rule.sub >= 0 && p.SameType != nil && p.SameType(int(obs), int(ref))
}

// fixed rounds a similarity to the grid.
func fixed(sim float64) (int32, error) {
	if math.IsNaN(sim) || math.IsInf(sim, 0) {
		return 0, fmt.Errorf("invalid similarity %v", sim)
	}
	return int32(math.Round(min(max(sim, 0), 1) * grid)), nil
}
