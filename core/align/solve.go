package align

const (
	tinyCells  = 256     // smaller blocks cost less than counting their pairs
	plainCells = 1 << 16 // blocks solved on the whole table: at most 1 MiB of cells
)

// findPairs finds the canonical pairs and stores them in t.mate. It chooses the method by
// the size of the problem and the number of pairs. All methods find the same pairs.
func (t *task) findPairs() {
	b := t.blockAfterLead()
	if b.cellCount() == 0 || len(t.rel.list) == 0 {
		return
	}
	if b.cellCount() > tinyCells {
		if pairs, places := t.countEntries(b); isSparseFaster(pairs, b) && places <= maxPlaces {
			t.newSparse(b).solveSegments(pairs, max(segmentPairs, pairs/segments))
			return
		}
	}
	if b.cellCount() <= plainCells {
		w, table := t.newProfile((b.rowCount() + 1) * (b.colCount() + 1))
		t.solvePlain(b, w, table)
		return
	}
	t.solveLinear(b, plainCells)
}

// blockAfterLead returns the block of all actions that come after the lead. The lead
// consists of the matches with which both sides begin.
func (t *task) blockAfterLead() block { return block{t.lead, len(t.obs), t.lead, len(t.ref)} }

// isSparseFaster reports whether the sparse method is probably faster than the other
// methods for a block. In measurements, one pair took the sparse method as long as six
// cells took the other methods.
func isSparseFaster(pairs int64, b block) bool { return 6*pairs < b.cellCount() }
