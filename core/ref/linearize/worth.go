package linearize

import (
	"math"
	"slices"
	"sort"
	"strconv"

	"github.com/boundcheck/boundcheck/core/ref/reference"
)

const (
	scoreGrid = 1e9 // a similarity is rounded to 1/scoreGrid before the threshold, as in package align
	worthGrid = 1e6 // the similarity of a pair is rounded to 1/worthGrid in its worth
)

// hit is an observed action with which a call may be paired, and the worth of the pair.
type hit struct {
	obs   int
	worth int64
}

// worths contains the worth of each pair of a call and a symbol. One unit is half a point of
// the score: a step costs one unit, and a match gains four. The similarities of the pairs
// are added, and their sum stays below one unit. So one comparison of integers decides
// rules 1 and 2 of the package comment.
type worths struct {
	unit    int64
	symbols []int // by observed action: a number from 0
	class   []int // by call; calls of one class pair with the same actions
	rows    [][]symbolWorth
	places  [][]int // by symbol: the actions that have it
	found   [][]hit // by class, in the order of obs; nil until callHits
}

// symbolWorth is a symbol with which a call may be paired, and the worth of the pair,
// which is above 0.
type symbolWorth struct {
	symbol int
	worth  int64
}

// pairWorth returns the worth of a pair of a call and a symbol. The worth is 0 if the
// call and the symbol may not be paired. O(log symbols).
func (w *worths) pairWorth(call, symbol int) int64 {
	row := w.rows[w.class[call]]
	k := sort.Search(len(row), func(k int) bool { return row[k].symbol >= symbol })
	if k == len(row) || row[k].symbol != symbol {
		return 0
	}
	return row[k].worth
}

// canPair reports whether a call may be paired with an action.
func (w *worths) canPair(call int) bool { return len(w.rows[w.class[call]]) > 0 }

func (w *worths) callHits(call int) []hit {
	class := w.class[call]
	if w.found[class] == nil {
		var found []hit
		for _, s := range w.rows[class] {
			for _, obs := range w.places[s.symbol] {
				found = append(found, hit{obs, s.worth})
			}
		}
		slices.SortFunc(found, func(a, b hit) int { return a.obs - b.obs })
		w.found[class] = found
	}
	return w.found[class]
}

func (w *worths) isMatch(call, obs int) bool {
	return w.pairWorth(call, w.symbols[obs]) >= 4*w.unit
}

// computeWorths computes the worths of every distinct step with every distinct action. It
// returns false if this exceeds the limit of cells.
func (t *task) computeWorths() bool {
	first := t.numberSymbols()
	w := &t.worths
	w.unit = worthGrid * int64(min(len(t.Obs), len(t.calls))+1)
	w.class = make([]int, len(t.calls))
	byKey := map[string]int{}
	var steps []*reference.Step
	for i, n := range t.calls {
		key := n.Step.Key()
		step, ok := byKey[key]
		if !ok {
			step = len(steps)
			byKey[key] = step
			steps = append(steps, &n.Step)
		}
		w.class[i] = step
	}
	if t.Compare == nil && len(steps)*(len(t.Obs)+1) > t.limits.Cells {
		return false
	}
	rows := t.computeRows(steps, first)
	if hits := w.countHits(rows); hits > t.limits.Cells {
		return false
	}
	byRow, class := map[string]int{}, make([]int, len(steps))
	for i, row := range rows {
		class[i] = w.findOrAddClass(row, byRow)
	}
	for i, step := range w.class {
		w.class[i] = class[step]
	}
	w.found = make([][]hit, len(w.rows))
	return true
}

// countHits returns the number of pairs of distinct steps and actions.
func (w *worths) countHits(rows [][]symbolWorth) (n int) {
	for _, row := range rows {
		for _, s := range row {
			n += len(w.places[s.symbol])
		}
	}
	return n
}

// computeRows returns the worths of each step. Compare may leave out pairs, and then the
// result is not exact.
func (t *task) computeRows(steps []*reference.Step, symbols []int) [][]symbolWorth {
	rows := make([][]symbolWorth, len(steps))
	add := func(step, symbol int, sim float64, same func() bool) {
		t.stats.Comparisons++
		if worth := t.worthOf(sim, same); worth > 0 {
			rows[step] = append(rows[step], symbolWorth{symbol, worth})
		}
	}
	if t.Compare != nil {
		t.left = t.Compare(steps, symbols, add)
		return rows
	}
	for i, step := range steps {
		for k, symbol := range symbols {
			add(i, k, t.Similarity(step, symbol), func() bool { return t.SameType != nil && t.SameType(step, symbol) })
		}
	}
	return rows
}

// worthOf returns the worth of a pair with a similarity. same reports whether the pair
// may be a substitution.
func (t *task) worthOf(sim float64, same func() bool) int64 {
	switch {
	case math.Round(sim*scoreGrid) > math.Round(t.Threshold*scoreGrid):
		return 4*t.worths.unit + int64(math.Round(sim*worthGrid))
	case sim > 0 && same():
		return int64(math.Round(sim * worthGrid))
	}
	return 0
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
			t.worths.places = append(t.worths.places, nil)
		}
		t.worths.symbols[i] = k
		t.worths.places[k] = append(t.worths.places[k], i)
	}
	return first
}

// findOrAddClass returns the number of the class of calls with the given worths. If there
// is no such class, findOrAddClass creates one.
func (w *worths) findOrAddClass(row []symbolWorth, byRow map[string]int) int {
	var key []byte
	for _, s := range row {
		key = append(strconv.AppendInt(key, int64(s.symbol), 36), ' ')
		key = append(strconv.AppendInt(key, s.worth, 36), ' ')
	}
	class, ok := byRow[string(key)]
	if !ok {
		class = len(w.rows)
		byRow[string(key)] = class
		w.rows = append(w.rows, row)
	}
	return class
}
