package align

import "sort"

// solveLinear finds the canonical pairs of a block without its full table. It goes through
// the rows from the last to the first and keeps the values of a few rows only, which divide
// the block into layers. Then it solves the layers from the first to the last. The canonical
// path enters a layer where it left the layer above. A window of the layer is wide enough
// for it, and only the window needs a table.
//
// A window is exact although it leaves out columns: its values are those of paths that stay
// in it, so no value is too great, and the values of the canonical path are right.
//
// Time O(rows · columns), but only the columns of the corridor count. Space O(rows +
// columns) and limits.kept values.
func (t *task) solveLinear(b block, most limits) {
	if b.cellCount() == 0 {
		return
	}
	w, rest := t.newProfile(max(2*most.plain, 2*b.colCount()) + 2 + 2*(b.colCount()+1))
	d := divider{task: t, limits: most, w: w, quads: t.newQuads(), best: t.bestWeights()}
	d.rows = [...]int32{noSymbol, noSymbol, noSymbol, noSymbol}
	width := b.colCount() + 1
	d.row, d.table = rest[:width], rest[2*width:]
	d.solveLayers(t.layersOf(b, d.layerRows(b)), rest[width:2*width], 0)
}

// limits holds the numbers of values that a divider may store.
type limits struct {
	plain int // a block of at most so many cells is solved on the whole table
	kept  int // for the rows between the layers
}

// divider holds the buffers that all levels of the division share.
type divider struct {
	*task
	limits
	w     profile
	quads []quad
	rows  [len(quad{})]int32 // the observed symbols whose weights quads holds
	best  []value            // for each observed symbol: its greatest weight
	row   []value            // values of the current row
	tops  [][]value          // for each level: the values of the first row of each layer
	table []value            // for solvePlain
}

// bestWeights returns the greatest weight of each observed symbol.
func (t *task) bestWeights() []value {
	best := make([]value, t.obsSyms)
	for sym := range best {
		for _, e := range t.rel.entriesOf(int32(sym)) {
			best[sym] = max(best[sym], t.pairValue(e.sim))
		}
	}
	return best
}

// layerRows returns the number of rows of a layer of b. A layer has at least one row and at
// most half of the rows.
func (d *divider) layerRows(b block) int {
	rows, cols := b.rowCount(), b.colCount()
	count := max(d.kept/(cols+1), 2)
	most := max((rows+count-1)/count, min(d.plain/cols, 64))
	return max(1, min((most+3)&^3, (rows+1)/2))
}

// solveBlock finds the canonical pairs of a block whose path begins at its upper left
// corner. The slice below has the values below the last row. solveBlock returns the first
// column that is free after the block.
func (d *divider) solveBlock(b block, below []value, level int) int {
	switch {
	case b.rowCount() == 0 || b.colCount() == 0:
		return b.j0
	case b.rowCount() == 1 || b.cellCount() <= int64(d.plain):
		return d.solvePlain(b, d.w, d.table, below)
	}
	return d.solveLayers(divideRows(b, d.layerRows(b)), below, level)
}

// divideRows divides a block into layers of as many rows each.
func divideRows(b block, rows int) []block {
	var layers []block
	for i := b.i0; i < b.i1; i += rows {
		layers = append(layers, block{i, min(i+rows, b.i1), b.j0, b.j1})
	}
	return layers
}

// solveLayers finds the canonical pairs of a block from its layers. The path begins at the
// upper left corner of the first layer and ends at the right of the last.
func (d *divider) solveLayers(layers []block, below []value, level int) int {
	j0, width := layers[0].j0, len(below)
	if level == len(d.tops) {
		d.tops = append(d.tops, nil)
	}
	if len(d.tops[level]) < len(layers)*width {
		d.tops[level] = make([]value, len(layers)*width)
	}
	tops, row := d.tops[level], d.row[:width]
	copy(row, below)
	for k := len(layers) - 1; k >= 0; k-- {
		d.sweepLayer(layers[k], row[layers[k].j0-j0:layers[k].j1-j0+1])
		copy(tops[k*width:][:width], row)
	}
	from := j0
	for k, b := range layers {
		top, next := tops[k*width:][:width], below
		if k+1 < len(layers) {
			next = tops[(k+1)*width:][:width]
		}
		b.j1 = from + d.windowWidth(b, top[from-j0:b.j1-j0+1])
		b.j0 = from
		from = d.solveBlock(b, next[b.j0-j0:b.j1-j0+1], level+1)
	}
	return from
}

// windowWidth returns the number of columns of a layer that the canonical path may use if it
// enters the layer at the first of the values in top. A path that passes a column before it
// leaves the layer has at most the value there and the greatest weight of each row.
func (d *divider) windowWidth(b block, top []value) int {
	least := top[0]
	for _, sym := range d.obs[b.i0:b.i1] {
		if least -= d.best[sym]; least <= 0 {
			return len(top) - 1
		}
	}
	return min(sort.Search(len(top), func(j int) bool { return top[j] < least }), len(top)-1)
}

// sweepLayer replaces the values below a layer by the values of its first row. It takes four
// rows at a time.
func (d *divider) sweepLayer(b block, row []value) {
	ref := d.ref[b.j0:b.j1]
	for i := b.i1; i > b.i0; i -= 4 {
		for k := range len(d.rows) {
			if i-1-k >= b.i0 {
				d.setRow(k, d.obs[i-1-k])
			} else {
				d.setRow(k, noSymbol)
			}
		}
		fourRows(row, ref, d.quads)
	}
	d.stats.Cells += b.cellCount()
}

// quad holds the weights of four observed actions with one reference symbol, those of the
// last action first.
type quad [4]value

// noSymbol stands for a row without pairs.
const noSymbol = -1

func (t *task) newQuads() []quad {
	quads := make([]quad, t.refSyms)
	for i := range quads {
		quads[i] = quad{never, never, never, never}
	}
	return quads
}

// setRow sets the k-th weights to those of an observed symbol.
func (d *divider) setRow(k int, sym int32) {
	old := d.rows[k]
	if old == sym {
		return
	}
	var entries []entry
	if sym != noSymbol {
		entries = d.rel.entriesOf(sym)
	}
	if old != noSymbol && len(entries) < d.refSyms {
		for _, e := range d.rel.entriesOf(old) {
			d.quads[e.sym][k] = never
		}
	}
	for _, e := range entries {
		d.quads[e.sym][k] = d.pairValue(e.sim)
	}
	d.rows[k] = sym
}

// fourRows replaces the values of one table row by the values four rows above. The value in
// the last column stays. A row without weights equals the row below it.
func fourRows(row []value, ref []int32, quads []quad) {
	row = row[:len(ref)+1]
	diag := row[len(ref)]
	a, b, c, d := diag, diag, diag, diag
	for j := len(ref) - 1; j >= 0; j-- {
		w := &quads[ref[j]]
		// The pair or the right comes first, because the value below is known last.
		d = max(c+w[3], d)
		c = max(b+w[2], c)
		b = max(a+w[1], b)
		a = max(diag+w[0], a, row[j])
		b = max(b, a)
		c = max(c, b)
		d = max(d, c)
		diag, row[j] = row[j], d
	}
}
