package align

// entry is one possible pair of a symbol: sym is the symbol on the other side with which
// it may be paired, and sim is the similarity of the pair in units of 1e-9.
type entry struct {
	sym, sim int32
}

// relation lists, for each symbol of one side, the symbols of the other side with which
// it may be paired, in ascending order. Space O(symbols + pairs of symbols).
type relation struct {
	off  []int32
	list []entry
}

func (r relation) entriesOf(sym int32) []entry { return r.list[r.off[sym]:r.off[sym+1]] }

// pairSimilarity returns the similarity of a pair in units of 1e-9, and whether the pair
// may be aligned. Time O(log symbols).
func (r relation) pairSimilarity(obs, ref int32) (int32, bool) {
	row := r.entriesOf(obs)
	k := firstFrom(row, ref)
	if k == len(row) || row[k].sym != ref {
		return 0, false
	}
	return row[k].sim, true
}

// firstFrom returns the index of the first entry in row whose symbol is at least from. It
// returns len(row) if there is none.
func firstFrom(row []entry, from int32) int {
	lo, hi := 0, len(row)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); row[mid].sym < from {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// transpose returns the same pairs listed by reference symbol. n is the number of
// reference symbols.
func (r relation) transpose(n int) relation {
	t := relation{make([]int32, n+1), make([]entry, len(r.list))}
	for _, e := range r.list {
		t.off[e.sym]++
	}
	end := int32(0)
	for i, c := range t.off {
		end += c
		t.off[i] = end
	}
	// It goes down from the last symbol, so that each list is in ascending order.
	for sym := len(r.off) - 2; sym >= 0; sym-- {
		for _, e := range r.entriesOf(int32(sym)) {
			t.off[e.sym]--
			t.list[t.off[e.sym]] = entry{int32(sym), e.sim}
		}
	}
	return t
}
