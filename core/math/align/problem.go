package align

import (
	"errors"
	"fmt"
)

// Problem is the input of Align: two lists of interned actions, and functions that
// compare their symbols.
//
// The symbols of Obs and of Ref are two separate numberings, each from 0. Not all symbols
// need to occur, so a slice of a longer list is valid. Align changes neither slice.
type Problem struct {
	Obs, Ref []int
	// Similarity returns the similarity of two symbols, which is clipped to [0, 1] and
	// rounded to 1e-9. It is called at most once for a pair of symbols, and never for a
	// pair that cannot matter. It may be nil if a side is empty.
	Similarity func(obs, ref int) float64
	// SameType reports whether two symbols that do not match may form a substitution:
	// they must have the same canonical action type. If it is nil, no pair may.
	SameType func(obs, ref int) bool
	// Near, if it is not nil, returns the reference symbols with which an observed symbol
	// may be paired, ascending. Others have similarity 0 and another type. The result is
	// valid until the next call.
	Near func(obs int) []int32
}

// maxLen is the largest number of actions of a side, and of symbols. Together with
// maxScore it keeps every sum below 2⁶³: 2²⁰ pairs of at most 3·10¹² and 2²¹ gaps of at
// most 10¹².
const maxLen = 1 << 20

// task is a problem that is ready to be solved: the symbols are renumbered by first use,
// and each pair has been compared once.
type task struct {
	rule
	weights
	obs, ref         []int32 // renumbered
	obsSyms, refSyms int     // number of distinct symbols
	mate             []int32 // the result: the reference action of each observed action, or -1
	lead             int     // number of matches that both sides begin with; they are paired already
	rel              relation
	stats            Stats
}

// newTask checks p, renumbers its symbols, and compares them. All small tables share one
// allocation, because most corpora have many short runs.
func newTask(p Problem, r rule) (*task, error) {
	if p.Similarity == nil && len(p.Obs) > 0 && len(p.Ref) > 0 {
		return nil, errors.New("missing similarity function")
	}
	topObs, err := symbolLimit("observed", p.Obs)
	if err != nil {
		return nil, err
	}
	topRef, err := symbolLimit("reference", p.Ref)
	if err != nil {
		return nil, err
	}
	n, m := len(p.Obs), len(p.Ref)
	s := slab(make([]int32, 2*n+m+5*topObs+3*topRef+1))
	t := &task{rule: r, weights: r.chooseWeights(min(n, m)), obs: s.takePiece(n), ref: s.takePiece(m), mate: s.takePiece(n)}
	for i := range t.mate {
		t.mate[i] = -1
	}
	c := comparer{task: t, Problem: p}
	c.obsNames = renumberSymbols(t.obs, p.Obs, s.takePiece(2*topObs))
	ids := s.takePiece(2 * topRef)
	c.refNames, c.refIDs = renumberSymbols(t.ref, p.Ref, ids), ids[:topRef]
	t.obsSyms, t.refSyms = len(c.obsNames), len(c.refNames)
	c.known, c.obsLate, c.refLate = s.takePiece(topObs), s.takePiece(topObs), s.takePiece(topRef)
	t.rel.off = s.takePiece(t.obsSyms + 1)
	return t, c.compareSymbols()
}

// symbolLimit returns the greatest symbol of a side plus one. It returns an error if the
// side is invalid.
func symbolLimit(name string, syms []int) (int, error) {
	if len(syms) > maxLen {
		return 0, fmt.Errorf("the %s side has %d actions; the limit is %d", name, len(syms), maxLen)
	}
	k := 0
	for i, s := range syms {
		if s < 0 || s >= maxLen {
			return 0, fmt.Errorf("invalid %s symbol %d at index %d; a symbol must be at least 0 and less than %d", name, s, i, maxLen)
		}
		k = max(k, s+1)
	}
	return k, nil
}

// slab hands out consecutive pieces of one allocation.
type slab []int32

func (s *slab) takePiece(n int) []int32 {
	piece := (*s)[:n:n]
	*s = (*s)[n:]
	return piece
}

// renumberSymbols writes src to dst with symbols numbered by first use. It returns the
// old number of each new symbol. scratch must be zeroed and have two cells for each old
// symbol.
func renumberSymbols(dst []int32, src []int, scratch []int32) []int32 {
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
