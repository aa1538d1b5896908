package align

const (
	tinyCells  = 256     // smaller blocks cost less than counting their pairs
	plainCells = 1 << 16 // blocks solved on the whole table: at most 1 MiB of cells
	keptValues = 1 << 20 // of the rows between the layers of a block (8 MiB)
)

// findPairs finds the canonical pairs and stores them in t.mate. It chooses the method by
// the size of the problem and the number of pairs. All methods find the same pairs.
func (t *task) findPairs() {
	b := t.blockAfterLead()
	if b.cellCount() == 0 || len(t.rel.list) == 0 {
		return
	}
	if b.cellCount() > tinyCells {
		if pairs, places := t.countEntries(b); t.isSparseFaster(pairs, b) && places <= maxPlaces {
			t.newSparse(b).solveSegments(pairs, max(segmentPairs, pairs/segments))
			return
		}
	}
	if b.cellCount() <= plainCells {
		w, table := t.newProfile((b.rowCount() + 1) * (b.colCount() + 1))
		t.solvePlain(b, w, table, nil)
		return
	}
	t.solveLinear(b, limits{plainCells, keptValues})
}

// blockAfterLead returns the block of all actions that come after the lead. The lead
// consists of the matches with which both sides begin.
func (t *task) blockAfterLead() block { return block{t.lead, len(t.obs), t.lead, len(t.ref)} }

// isSparseFaster reports whether the sparse method is probably faster than the other
// methods for a block. In measurements, one pair took the sparse method as long as six
// cells of the full table, 30 cells of the rows between layers, or 120 cells of a block that
// has a corridor.
func (t *task) isSparseFaster(pairs int64, b block) bool {
	cells := int64(6)
	switch {
	case b.cellCount() <= plainCells:
	case t.countsMatches():
		cells = 120
	default:
		cells = 30
	}
	return cells*pairs < b.cellCount()
}
