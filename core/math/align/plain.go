package align

// block is a rectangle of the problem: the observed actions [i0, i1) and the reference
// actions [j0, j1).
type block struct {
	i0, i1, j0, j1 int
}

func (b block) rowCount() int { return b.i1 - b.i0 }

func (b block) colCount() int { return b.j1 - b.j0 }

func (b block) cellCount() int64 { return int64(b.rowCount()) * int64(b.colCount()) }

// profile holds the weight of one observed symbol with each reference symbol. To fill or
// clear it for a row takes time proportional to the number of pairs of that symbol.
type profile []value

func (w profile) fillWeights(t *task, sym int32) {
	for _, e := range t.rel.entriesOf(sym) {
		w[e.sym] = t.pairValue(e.sim)
	}
}

func (w profile) clearWeights(t *task, sym int32) {
	for _, e := range t.rel.entriesOf(sym) {
		w[e.sym] = never
	}
}

// newProfile returns a profile in which no pair is allowed, and a separate slice with
// extra cells. Both are parts of one allocation.
func (t *task) newProfile(extra int) (profile, []value) {
	all := make([]value, t.refSyms+extra)
	w := profile(all[:t.refSyms:t.refSyms])
	for i := range w {
		w[i] = never
	}
	return w, all[t.refSyms:]
}

// solvePlain solves one block with the full table. Cell (i, j) is the value of the best
// alignment of the observed actions from i on with the reference actions from j on. The
// slice below has the values below the last row; nil means zeros. solvePlain returns the
// first column after the pairs that it finds. Time and space O(rows · columns).
func (t *task) solvePlain(b block, w profile, table, below []value) int {
	width := b.colCount() + 1
	table = table[:(b.rowCount()+1)*width]
	clear(table[b.rowCount()*width:])
	copy(table[b.rowCount()*width:], below)
	ref := t.ref[b.j0:b.j1]
	for i := b.rowCount() - 1; i >= 0; i-- {
		w.fillWeights(t, t.obs[b.i0+i])
		plainRow(table[i*width:][:width], table[(i+1)*width:][:width], ref, w)
		w.clearWeights(t, t.obs[b.i0+i])
	}
	t.stats.Cells += b.cellCount()
	return t.walkTable(b, w, table)
}

func plainRow(row, below []value, ref []int32, w profile) {
	best, diag := below[len(ref)], below[len(ref)]
	row, below = row[:len(ref)+1], below[:len(ref)+1]
	row[len(ref)] = diag
	for j := len(ref) - 1; j >= 0; j-- {
		down := below[j]
		best = max(best, down, w[ref[j]]+diag)
		row[j], diag = best, down
	}
}

// walkTable finds the canonical pairs of a block in its full table. In each row, it takes
// the first pair that keeps the best value. A row without such a pair has no pair. walkTable
// returns the first column after the pairs. Time O(rows · columns) at most.
func (t *task) walkTable(b block, w profile, table []value) int {
	width, from := b.colCount()+1, 0
	for i := range b.rowCount() {
		row, below := table[i*width:][:width], table[(i+1)*width:][:width]
		sym := t.obs[b.i0+i]
		w.fillWeights(t, sym)
		// Values fall along a row: no column after the first smaller value reaches it.
		for j := from; j < b.colCount() && row[j] == row[from]; j++ {
			if w[t.ref[b.j0+j]]+below[j+1] == row[from] {
				t.mate[b.i0+i] = int32(b.j0 + j)
				from = j + 1
				break
			}
		}
		w.clearWeights(t, sym)
	}
	return b.j0 + from
}
