package align

import (
	"errors"
	"fmt"
)

// Problem is what to align: two lists of interned actions and how their symbols compare.
//
// Obs and Ref hold symbols of two separate dense spaces, each counted from 0. A slice
// of a longer list may be given as it is: symbols need not all occur. Neither slice is changed.
type Problem struct {
	Obs, Ref []int
	// Similarity of two symbols; clipped to [0, 1] and rounded to 1e-9. It is called at
	// most once for a pair of symbols, and never for a pair that cannot matter. May be
	// nil when a side is empty.
	Similarity func(obs, ref int) float64
	// SameType says whether two symbols that do not match may form a substitution: they
	// must have the same canonical action type. If it is nil, no pair may.
	SameType func(obs, ref int) bool
}

// maxLen bounds sides and symbols. With maxScore it keeps every sum below 2⁶³:
// 2²⁰ pairs of at most 3·10¹² and 2²¹ gaps of at most 10¹².
const maxLen = 1 << 20

// task is one problem made ready: symbols renumbered by first use, compared once.
type task struct {
	rule
	weights
	obs, ref         []int32 // renumbered
	obsSyms, refSyms int     // how many distinct ones there are
	mate             []int32 // result: for each observed action its reference action, or -1
	lead             int     // matches that both sides begin with: paired already
	rel              relation
	stats            Stats
}

// prepare checks p, renumbers and compares. One slab holds all the small tables,
// since corpora of many short runs are the usual case.
func prepare(p Problem, r rule) (*task, error) {
	if p.Similarity == nil && len(p.Obs) > 0 && len(p.Ref) > 0 {
		return nil, errors.New("missing similarity function")
	}
	topObs, err := top("observed", p.Obs)
	if err != nil {
		return nil, err
	}
	topRef, err := top("reference", p.Ref)
	if err != nil {
		return nil, err
	}
	n, m := len(p.Obs), len(p.Ref)
	s := slab(make([]int32, 2*n+m+5*topObs+3*topRef+1))
	t := &task{rule: r, weights: r.weigh(min(n, m)), obs: s.take(n), ref: s.take(m), mate: s.take(n)}
	for i := range t.mate {
		t.mate[i] = -1
	}
	c := comparer{task: t, Problem: p}
	c.obsNames = renumber(t.obs, p.Obs, s.take(2*topObs))
	c.refNames = renumber(t.ref, p.Ref, s.take(2*topRef))
	t.obsSyms, t.refSyms = len(c.obsNames), len(c.refNames)
	c.known, c.obsLate, c.refLate = s.take(topObs), s.take(topObs), s.take(topRef)
	t.rel.off = s.take(t.obsSyms + 1)
	return t, c.compare()
}

// top returns one more than the greatest symbol of a side, or what is wrong with it.
func top(name string, syms []int) (int, error) {
	if len(syms) > maxLen {
		return 0, fmt.Errorf("invalid %s side: %d actions, more than %d", name, len(syms), maxLen)
	}
	k := 0
	for i, s := range syms {
		if s < 0 || s >= maxLen {
			return 0, fmt.Errorf("invalid %s symbol %d at %d: outside [0, %d)", name, s, i, maxLen)
		}
		k = max(k, s+1)
	}
	return k, nil
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
