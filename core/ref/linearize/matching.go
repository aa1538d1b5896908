package linearize

// matching is a maximum-weight bipartite matching of actions with members. It counts
// pairs of symbols and kinds, because equal actions and equal members need not be
// distinguished. It grows by one action at a time. The new optimum differs from the old
// one only along one augmenting path that begins at the new action. So addAction searches
// for the path with the greatest gain.
type matching struct {
	arcs  [][]arc  // by symbol
	into  [][]from // by kind
	spare []int    // by kind: the number of unpaired members
	work  int      // number of arcs examined

	// The state of the search for one path.
	toSymbol, toKind []int64
	viaSymbol        []int32 // by symbol: the used arc by which the path reached the symbol, -1 for none
	viaKind          []from  // by kind: the arc by which the path reached the kind
	queue, reached   []int32 // the symbols from which the search continues; the kinds that it reached
}

// arc is a possible pair of a symbol and a kind. used is the number of such pairs in the
// matching.
type arc struct {
	worth      int64
	kind, used int32
}

// from identifies an arc by its symbol and by its index among the arcs of that symbol.
type from struct{ symbol, arc int32 }

func newMatching(kinds int) matching {
	return matching{into: make([][]from, kinds), spare: make([]int, kinds)}
}

// addSymbol adds a symbol with its arcs to the matching and returns the symbol's number.
func (m *matching) addSymbol(arcs []arc) int {
	s := len(m.arcs)
	m.arcs = append(m.arcs, arcs)
	for k, a := range arcs {
		m.into[a.kind] = append(m.into[a.kind], from{int32(s), int32(k)})
	}
	return s
}

// unpairedCopy returns a copy in which nothing is paired.
func (m *matching) unpairedCopy() *matching {
	f := &matching{
		arcs: make([][]arc, len(m.arcs)), into: m.into, spare: append([]int(nil), m.spare...),
		toSymbol: make([]int64, len(m.arcs)), viaSymbol: make([]int32, len(m.arcs)),
		toKind: make([]int64, len(m.spare)), viaKind: make([]from, len(m.spare)),
	}
	for s := range m.arcs {
		f.arcs[s] = append([]arc(nil), m.arcs[s]...)
		f.toSymbol[s] = never
		f.work += len(m.arcs[s])
	}
	for k := range f.toKind {
		f.toKind[k] = never
	}
	return f
}

// addAction adds one action with the given symbol and returns the growth of the optimum.
// It searches for the best path with the algorithm of Bellman and Ford. The search ends,
// because an optimal matching has no cycle with a gain.
//
// No path gains more than the greatest worth of the symbol's own arcs: the rest of a path
// only moves other pairs, which gains nothing in an optimal matching. So if such an arc
// leads to a spare member, no search is necessary.
func (m *matching) addAction(symbol int) int64 {
	if gain, ok := m.takeBestArc(symbol); ok {
		return gain
	}
	m.toSymbol[symbol], m.viaSymbol[symbol] = 0, -1
	m.queue = append(m.queue[:0], int32(symbol))
	best, end := int64(0), goal{-1, -1}
	for i := 0; i < len(m.queue); i++ {
		s := m.queue[i]
		for k := range m.arcs[s] {
			m.work++
			if gain, at := m.relaxArc(s, int32(k)); gain > best {
				best, end = gain, at
			}
		}
	}
	if best > 0 {
		m.augmentPath(end)
	}
	for _, s := range m.queue {
		m.toSymbol[s] = never
	}
	for _, k := range m.reached {
		m.toKind[k] = never
	}
	m.reached = m.reached[:0]
	return best
}

// takeBestArc pairs an action by the first arc of its symbol that has the greatest worth
// and leads to a spare member. It returns false if there is no such arc.
func (m *matching) takeBestArc(symbol int) (gain int64, ok bool) {
	arcs := m.arcs[symbol]
	m.work += len(arcs)
	best := -1
	for k := range arcs {
		switch worth := arcs[k].worth; {
		case worth > gain:
			gain, best = worth, -1
			fallthrough
		case worth == gain && best < 0:
			if m.spare[arcs[k].kind] > 0 {
				best = k
			}
		}
	}
	if best < 0 {
		return 0, false
	}
	m.spare[arcs[best].kind]--
	arcs[best].used++
	return gain, true
}

// goal is the end of a path. It is either a kind with a spare member, or a symbol of
// which one action becomes unpaired; the other field is -1.
type goal struct{ kind, symbol int32 }

// relaxArc follows the k-th arc of the symbol s to a kind, and from there the pairs of
// the matching back to other symbols. It returns the greatest gain of a path that ends at
// the kind or at one of these symbols, and the end of this path. A path can end at the
// kind only if the kind has an unpaired member.
func (m *matching) relaxArc(s, k int32) (best int64, end goal) {
	a := m.arcs[s][k]
	reached := m.toSymbol[s] + a.worth
	if reached <= m.toKind[a.kind] {
		return 0, end
	}
	m.reached = append(m.reached, a.kind)
	m.toKind[a.kind], m.viaKind[a.kind] = reached, from{s, k}
	if m.spare[a.kind] > 0 {
		best, end = reached, goal{a.kind, -1}
	}
	for _, f := range m.into[a.kind] {
		m.work++
		used := m.arcs[f.symbol][f.arc]
		if back := reached - used.worth; used.used > 0 && back > m.toSymbol[f.symbol] {
			m.toSymbol[f.symbol], m.viaSymbol[f.symbol] = back, f.arc
			m.queue = append(m.queue, f.symbol)
			if back > best {
				best, end = back, goal{-1, f.symbol}
			}
		}
	}
	return best, end
}

// augmentPath changes the matching along the path with the given end. On this path, each
// arc that is not used becomes a pair, and each pair is removed.
func (m *matching) augmentPath(end goal) {
	k := end.kind
	if k >= 0 {
		m.spare[k]--
	} else {
		k = m.releasePair(end.symbol)
	}
	for k >= 0 {
		f := m.viaKind[k]
		m.arcs[f.symbol][f.arc].used++
		k = m.releasePair(f.symbol)
	}
}

// releasePair removes one pair of the symbol from the matching and returns the kind of
// the pair. The pair belongs to the arc that m.viaSymbol has for the symbol. If there is
// no such arc, because the path begins at the symbol, releasePair returns -1.
func (m *matching) releasePair(symbol int32) int32 {
	via := m.viaSymbol[symbol]
	if via < 0 {
		return -1
	}
	m.arcs[symbol][via].used--
	return m.arcs[symbol][via].kind
}

// usePair removes one pair of a symbol from the matching and returns the kind of the
// pair. It returns -1 if the symbol has no pair.
func (m *matching) usePair(symbol int) int {
	for k := range m.arcs[symbol] {
		if a := &m.arcs[symbol][k]; a.used > 0 {
			a.used--
			return int(a.kind)
		}
	}
	return -1
}
