package align

const (
	tinyCells  = 256     // blocks that cost less than counting their pairs
	plainCells = 1 << 16 // blocks solved on the whole table: at most 1 MiB of cells
)

// solve fills in mate by the method that suits the size and the density of the pairs.
// All methods find the same, canonical list of pairs.
func (t *task) solve() {
	lead := t.lead()
	b := block{lead, len(t.obs), lead, len(t.ref)}
	if b.cells() == 0 || len(t.rel.list) == 0 {
		return
	}
	if b.cells() > tinyCells {
		if pairs, places := t.density(b); sparser(pairs, b) && places <= maxPlaces {
			t.newSparse(b).solve(pairs, max(segmentPairs, pairs/segments))
			return
		}
	}
	if b.cells() <= plainCells {
		w, table := t.newProfile((b.rows() + 1) * (b.cols() + 1))
		t.plain(b, w, table)
		return
	}
	t.linear(b, plainCells)
}

// sparser estimates whether the sparse method is the faster one for a block: measured,
// a pair costs as much as six cells.
func sparser(pairs int64, b block) bool { return 6*pairs < b.cells() }

// lead pairs the matches that both sides begin with, and returns how many those are.
func (t *task) lead() int {
	n := 0
	for t.matchFirst() && n < min(len(t.obs), len(t.ref)) {
		sim, ok := t.rel.sim(t.obs[n], t.ref[n])
		if !ok || sim <= t.threshold {
			break
		}
		t.mate[n] = int32(n)
		n++
	}
	return n
}

// best returns the greatest score above that of pairing nothing, in space O(columns).
func (t *task) best() int64 {
	t.weights = t.scores()
	b := block{0, len(t.obs), 0, len(t.ref)}
	w, row := t.newProfile(b.cols() + 1)
	for i := b.i1 - 1; i >= 0; i-- {
		w.fill(t, t.obs[i])
		valueRow(row, t.ref, w)
		w.clear(t, t.obs[i])
	}
	t.stats.Cells += b.cells()
	return int64(row[0])
}
