package align

import "math/bits"

// This file computes the score and the number of matches in another way. The tests
// compare Align with it.

// scoreOf returns the score of the canonical alignment without computing the alignment.
// It uses bit vectors if no substitution scores more than two gaps.
func scoreOf(p Problem, params Params) (float64, error) {
	r, err := params.toRule()
	if err != nil {
		return 0, err
	}
	if r.sub <= 0 {
		r.sub = -1 // a substitution adds nothing to the score: leave such pairs out
	}
	t, err := newTask(p, r)
	if err != nil {
		return 0, err
	}
	score := t.gap * int64(len(t.obs)+len(t.ref))
	if r.sub < 0 {
		score += max(r.match, 0) * int64(t.lcsLength())
	} else {
		score += t.bestScore()
	}
	return float64(score) / grid, nil
}

// matchesOf returns the greatest number of matches that an alignment of p can have. It
// uses only the threshold of params. It returns 0 for an invalid problem.
func matchesOf(p Problem, params Params) int {
	r, err := Params{Threshold: params.Threshold}.toRule()
	if err != nil {
		return 0
	}
	r.sub = -1
	t, err := newTask(p, r)
	if err != nil {
		return 0
	}
	return t.lcsLength()
}

// bestScore returns the greatest score minus the score of the alignment without pairs.
// Space O(columns).
func (t *task) bestScore() int64 {
	t.weights = t.scoreWeights()
	b := t.blockAfterLead()
	w, row := t.newProfile(b.colCount() + 1)
	for i := b.i1 - 1; i >= b.i0; i-- {
		w.fillWeights(t, t.obs[i])
		valueRow(row, t.ref[b.j0:], w)
		w.clearWeights(t, t.obs[i])
	}
	t.stats.Cells += b.cellCount()
	return int64(t.lead)*t.rule.match + int64(row[0])
}

// lcsLength returns the length of the longest common subsequence of the two sides. Two
// symbols count as equal if the relation contains their pair. Time O(n·m/64), space O(n +
// symbols).
//
// lcsLength uses the bit vectors of Crochemore and Hyyrö. One machine word stands for a
// strip of 64 reference columns. Bit j is 0 if the length in the current row of the table
// rises at column j. The strips are handled one after another, and the carry of each row
// goes to the next strip.
func (t *task) lcsLength() int {
	rows := t.mate[:0] // mate is not needed for a score: reuse it for the rows that match anything
	for _, sym := range t.obs[t.lead:] {
		if len(t.rel.entriesOf(sym)) > 0 {
			rows = append(rows, sym)
		}
	}
	if len(rows) == 0 {
		return t.lead
	}
	s := strip{
		by:    t.rel.transpose(t.refSyms),
		masks: make([]uint64, t.obsSyms+t.refSyms),
		carry: make([]uint8, len(rows)),
	}
	s.masks, s.cols = s.masks[:t.obsSyms], s.masks[t.obsSyms:]
	length := t.lead
	for from := t.lead; from < len(t.ref); from += 64 {
		s.loadMasks(t.ref[from:min(from+64, len(t.ref))])
		length += bits.OnesCount64(^s.runRows(rows))
		t.stats.Words += int64(len(rows))
	}
	return length
}

// strip holds the state of up to 64 reference columns.
type strip struct {
	by    relation // reference symbol → observed symbols
	masks []uint64 // for each observed symbol: the columns that it matches
	cols  []uint64 // for each reference symbol: its columns; all zero between loads
	carry []uint8  // for each row: the carry into this strip, then out of it
}

// loadMasks sets the mask of each observed symbol for the given reference columns. Bit j
// of a mask is 1 if the symbol may be paired with column j.
func (s *strip) loadMasks(ref []int32) {
	clear(s.masks)
	for j, sym := range ref {
		s.cols[sym] |= 1 << j
	}
	for _, sym := range ref {
		if cols := s.cols[sym]; cols != 0 {
			for _, e := range s.by.entriesOf(sym) {
				s.masks[e.sym] |= cols
			}
			s.cols[sym] = 0
		}
	}
}

// runRows computes the bit vector of the strip after all rows. If the strip has fewer
// than 64 columns, the unused bits are 1.
func (s *strip) runRows(rows []int32) uint64 {
	v, carry := ^uint64(0), s.carry[:len(rows)]
	for i, sym := range rows {
		hit := v & s.masks[sym]
		sum, out := bits.Add64(v, hit, uint64(carry[i]))
		carry[i] = uint8(out)
		v = sum | (v ^ hit) // v ^ hit = v without its matches
	}
	return v
}
