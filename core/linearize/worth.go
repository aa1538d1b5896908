package linearize

import (
	"math"
	"strconv"

	"github.com/boundcheck/boundcheck/core/reference"
)

const (
	scoreGrid = 1e9 // a similarity is rounded to 1/scoreGrid before the threshold, as in package align
	worthGrid = 1e6 // a similarity of a substitution is rounded to 1/worthGrid
)

// hit is an observed action with which a call may be paired, and the worth of the pair.
type hit struct {
	obs   int
	worth int64
}

// worths contains the worth of each pair of a call and a symbol. One unit is half a point of
// the score: a step costs one unit, and a match gains four. The similarities of
// substitutions are added, and their sum stays below one unit. So one comparison of
// integers decides rules 1 and 2 of the package comment.
type worths struct {
	unit    int64
	symbols []int // by observed action: a number from 0
	class   []int // by call; calls of one class pair with the same actions
	rows    [][]int64
	found   [][]hit // by class, in the order of obs
}

// pairWorth returns the worth of a pair of a call and a symbol. The worth is 0 if the
// call and the symbol may not be paired.
func (w *worths) pairWorth(call, symbol int) int64 { return w.rows[w.class[call]][symbol] }

func (w *worths) callHits(call int) []hit { return w.found[w.class[call]] }

func (w *worths) isMatch(call, obs int) bool {
	return w.pairWorth(call, w.symbols[obs]) == 4*w.unit
}

// computeWorths computes the worths of every distinct step with every distinct action. It
// returns false if this exceeds the limit of cells.
func (t *task) computeWorths() bool {
	first := t.numberSymbols()
	w := &t.worths
	w.unit = worthGrid * int64(min(len(t.Obs), len(t.calls))+1)
	w.class = make([]int, len(t.calls))
	byKey, byRow := map[string]int{}, map[string]int{}
	for i, n := range t.calls {
		key := n.Step.Key()
		class, ok := byKey[key]
		if !ok {
			if (len(byKey)+1)*(len(t.Obs)+1) > t.limits.Cells {
				return false
			}
			class = w.findOrAddClass(t.computeRow(&n.Step, first), byRow)
			byKey[key] = class
		}
		w.class[i] = class
	}
	return true
}

// numberSymbols gives each distinct symbol of the run a number, beginning with 0. It
// returns the symbols in the order of their numbers.
func (t *task) numberSymbols() []int {
	var first []int
	seen := map[int]int{}
	t.worths.symbols = make([]int, len(t.Obs))
	for i, symbol := range t.Obs {
		k, ok := seen[symbol]
		if !ok {
			k = len(first)
			seen[symbol] = k
			first = append(first, symbol)
		}
		t.worths.symbols[i] = k
	}
	return first
}

func (t *task) computeRow(step *reference.Step, symbols []int) []int64 {
	row := make([]int64, len(symbols))
	for i, symbol := range symbols {
		sim := t.Similarity(step, symbol)
		t.stats.Comparisons++
		switch {
		case math.Round(sim*scoreGrid) > math.Round(t.Threshold*scoreGrid):
			row[i] = 4 * t.worths.unit
		case sim > 0 && t.SameType != nil && t.SameType(step, symbol):
			row[i] = int64(math.Round(sim * worthGrid))
		}
	}
	return row
}

// findOrAddClass returns the number of the class of calls with the given worths. The
// argument row has one worth for each symbol. If there is no such class, findOrAddClass
// creates one.
func (w *worths) findOrAddClass(row []int64, byRow map[string]int) int {
	var key []byte
	for _, v := range row {
		key = append(strconv.AppendInt(key, v, 36), ' ')
	}
	class, ok := byRow[string(key)]
	if ok {
		return class
	}
	class = len(w.rows)
	byRow[string(key)] = class
	var found []hit
	for obs, symbol := range w.symbols {
		if row[symbol] > 0 {
			found = append(found, hit{obs, row[symbol]})
		}
	}
	w.rows, w.found = append(w.rows, row), append(w.found, found)
	return class
}
