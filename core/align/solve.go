package align

const (
	tinyCells  = 256     // smaller blocks cost less than counting their pairs
	plainCells = 1 << 16 // blocks solved on the whole table: at most 1 MiB of cells
)

// solve finds the canonical pairs and stores them in t.mate. It chooses the method by the
// size of the problem and the number of pairs; all methods find the same canonical list
// of pairs.
func (t *task) solve() {
	b := t.rest()
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

// rest returns the block of the actions after the lead, the matches with which both sides
// begin.
func (t *task) rest() block { return block{t.lead, len(t.obs), t.lead, len(t.ref)} }

// sparser estimates whether the sparse method is faster for a block. By measurement, one
// pair costs the sparse method as much time as six cells cost the other methods.
func sparser(pairs int64, b block) bool { return 6*pairs < b.cells() }
