package align

// This file solves a problem in another way. The tests compare Align with it, and the
// benchmarks measure what layers and corridors save.

// solveHalves finds the canonical pairs of a block in space O(rows + columns). It visits
// at most twice as many cells as the full table has.
//
// solveHalves divides the block into two halves, as Hirschberg's algorithm does.
// Hirschberg's algorithm may find any path with the best value, but rule 3 of the package
// documentation prefers one of these paths. To find this path, solveHalves stores a
// column for each cell of the upper half. This is the column where the preferred path of
// the cell enters the middle row.
//
// Each half is then solved separately. This is correct, because an earlier list of pairs
// in one half also makes the complete list earlier.
func (t *task) solveHalves(b block, plainCells int) {
	w, rest := t.newProfile(max(2*plainCells, 2*b.colCount()) + 2 + b.colCount() + 1)
	d := halver{task: t, w: w, row: rest[:b.colCount()+1], table: rest[b.colCount()+1:], plainCells: int64(plainCells)}
	d.enter = make([]int32, b.colCount()+1)
	d.solveBlock(b)
}

// halver holds the buffers that all levels of the division share.
type halver struct {
	*task
	w     profile
	row   []value // values of the current row
	enter []int32 // for each column of the current row: where its path enters the middle row
	table []value // for solvePlain

	plainCells int64 // a block of at most so many cells is solved on the whole table
}

func (d *halver) solveBlock(b block) {
	switch {
	case b.rowCount() == 0 || b.colCount() == 0:
	case b.rowCount() == 1 || b.cellCount() <= d.plainCells:
		d.solvePlain(b, d.w, d.table, nil)
	default:
		mid := (b.i0 + b.i1) / 2
		cut := d.cutColumn(b, mid)
		d.solveBlock(block{b.i0, mid, b.j0, cut})
		d.solveBlock(block{mid, b.i1, cut, b.j1})
	}
}

// cutColumn returns the column at which the canonical path of b enters row mid. This is
// one more than the column of the last pair above row mid, or b.j0 if there is no such
// pair.
func (d *halver) cutColumn(b block, mid int) int {
	row, enter, ref := d.row[:b.colCount()+1], d.enter[:b.colCount()+1], d.ref[b.j0:b.j1]
	clear(row)
	for i := b.i1 - 1; i >= mid; i-- {
		d.w.fillWeights(d.task, d.obs[i])
		valueRow(row, ref, d.w)
		d.w.clearWeights(d.task, d.obs[i])
	}
	for j := range enter {
		enter[j] = int32(b.j0 + j)
	}
	for i := mid - 1; i >= b.i0; i-- {
		d.w.fillWeights(d.task, d.obs[i])
		pathRow(row, enter, ref, d.w)
		d.w.clearWeights(d.task, d.obs[i])
	}
	d.stats.Cells += b.cellCount()
	return int(enter[0])
}

// valueRow replaces the values of one table row by the values of the row above. The slice
// row has the old values before the call, and the new values after the call.
func valueRow(row []value, ref []int32, w profile) {
	best, diag := value(0), row[len(ref)]
	for j := len(ref) - 1; j >= 0; j-- {
		down := row[j]
		best = max(best, down, w[ref[j]]+diag)
		row[j], diag = best, down
	}
}

// pathRow does the same as valueRow, and also updates the slice enter. For each column,
// the slice enter has the column where the cell's path enters the middle row. If several
// paths of a cell have the best value, rule 3 of the package documentation decides in
// this order:
//
//   - first the path with a pair in the cell itself,
//   - then the path to the right, if that path has a pair in the current row,
//   - then the path down.
func pathRow(row []value, enter []int32, ref []int32, w profile) {
	last := len(ref)
	right, diag, used := value(0), row[last], false
	rightEnter, diagEnter := enter[last], enter[last]
	for j := last - 1; j >= 0; j-- {
		down, downEnter := row[j], enter[j]
		best, bestEnter := down, downEnter
		if used = used && right >= down; used {
			best, bestEnter = right, rightEnter
		}
		if x := w[ref[j]] + diag; x >= best {
			best, bestEnter, used = x, diagEnter, true
		}
		row[j], enter[j] = best, bestEnter
		right, rightEnter, diag, diagEnter = best, bestEnter, down, downEnter
	}
}
