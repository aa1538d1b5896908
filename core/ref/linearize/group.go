package linearize

import "sort"

// group is an any-order group whose members are calls. In the graph it is one edge. It is
// solved by windows of the run, and by matchings of the calls with the actions in a
// window.
type group struct {
	*part
	base  int64     // the worth of a window in which nothing is paired
	seen  []sighted // the actions that can be paired with a member, in the run's order
	kinds []kind    // the distinct members
	rest  matching  // a matching without actions, which unpairedCopy copies
	most  int64     // an upper limit of the worth of a matching
}

// sighted is an observed action that can be paired: its index in the run, and the number
// of its symbol in the matching.
type sighted struct{ obs, symbol int }

// kind is a set of equal members: calls that can be paired with the same actions.
type kind struct {
	calls    []int
	optional bool
}

// newGroup returns the group for the any-order part p. The argument members has the
// members of p that can be paired with an action. The field base of the result is the
// worth of the group without pairs, which is minus one unit for each required member.
func (t *task) newGroup(p *part, members []*part) *group {
	g := &group{part: p}
	at := map[alike]int{}
	for _, m := range members {
		call, optional, _ := m.singleCall()
		like := alike{t.worths.class[call], optional}
		k, ok := at[like]
		if !ok {
			k = len(g.kinds)
			at[like] = k
			g.kinds = append(g.kinds, kind{optional: optional})
		}
		g.kinds[k].calls = append(g.kinds[k].calls, call)
		if !optional {
			g.base -= t.worths.unit
		}
	}
	g.collectSighted(t)
	return g
}

// collectSighted stores in g.seen the actions that can be paired with a member, and in
// g.rest the arcs of the matching.
func (g *group) collectSighted(t *task) {
	g.rest = newMatching(len(g.kinds))
	arcs := map[int][]arc{} // by symbol
	for k, kind := range g.kinds {
		g.rest.spare[k] = len(kind.calls)
		g.most += int64(len(kind.calls)) * (4*t.worths.unit + worthGrid)
		for _, s := range t.worths.rows[t.worths.class[kind.calls[0]]] {
			if worth := t.groupWorth(kind, s.worth); worth > 0 {
				arcs[s.symbol] = append(arcs[s.symbol], arc{kind: int32(k), worth: worth})
			}
		}
	}
	number := map[int]int{}
	for obs, symbol := range t.worths.symbols {
		if len(arcs[symbol]) == 0 {
			continue
		}
		own, ok := number[symbol]
		if !ok {
			own = g.rest.addSymbol(arcs[symbol])
			number[symbol] = own
		}
		g.seen = append(g.seen, sighted{obs, own})
	}
}

// groupWorth returns what a pair adds to the worth of a group. After the work limit, only
// matches add something, and all of them the same.
func (t *task) groupWorth(k kind, worth int64) int64 {
	match := 4 * t.worths.unit
	switch {
	case t.matchesOnly && worth < match:
		return 0
	case t.matchesOnly:
		worth = match
	}
	if k.optional {
		return worth - t.worths.unit
	}
	return worth
}

// raiseRow increases the cells of row to the worths that are possible with this group. It
// tries all windows, which are the sections of the run in which the calls of the group
// are paired. It returns false if the work limit is reached.
func (g *group) raiseRow(t *task, row, next []int64) bool {
	for end := range next {
		if !g.mayEndWindow(next, end) {
			continue
		}
		row[end] = max(row[end], next[end]+g.base)
		m, gain := g.rest.unpairedCopy(), int64(0)
		for k := g.countBefore(end) - 1; k >= 0 && gain < g.most; k-- {
			gain += m.addAction(g.seen[k].symbol)
			at := g.seen[k].obs
			row[at] = max(row[at], next[end]+g.base+gain)
		}
		t.stats.Work += m.work
		if t.stats.Work > t.limits.Work {
			return false
		}
	}
	return true
}

// mayEndWindow reports whether to try the windows that end directly before the action
// with the index end. The cell next[i] is the best worth of the rest of the process with
// the actions from index i on. If next[end] equals next[end+1], a window that ends one
// action later is at least as good.
func (g *group) mayEndWindow(next []int64, end int) bool {
	return end == len(next)-1 || next[end] > next[end+1]
}

// countBefore returns the number of actions in g.seen whose index in the run is below
// end.
func (g *group) countBefore(end int) int {
	return sort.Search(len(g.seen), func(k int) bool { return g.seen[k].obs >= end })
}

// takeWindow finds the first window that begins at the action obs and leads to the worth
// in the argument best. It returns the steps of the window and the index of the first
// action after the window. The result ok is false if there is no such window.
func (g *group) takeWindow(best int64, next []int64, obs int) (steps []pair, after int, ok bool) {
	for end := obs; end < len(next); end++ {
		if !g.mayEndWindow(next, end) {
			continue
		}
		m, gain := g.rest.unpairedCopy(), int64(0)
		for k := g.countBefore(end) - 1; k >= 0 && g.seen[k].obs >= obs; k-- {
			if next[end]+g.base+gain == best {
				break
			}
			gain += m.addAction(g.seen[k].symbol)
		}
		if next[end]+g.base+gain == best {
			return g.windowSteps(m, obs, end), end, true
		}
	}
	return nil, obs, false
}

// windowSteps returns the steps of a window. The paired calls are in the order of the
// run. The missing calls are between them, at the places that mergeMissing chooses.
func (g *group) windowSteps(m *matching, obs, end int) []pair {
	missing := make([][]int, len(g.kinds))
	for k := range g.kinds {
		missing[k] = g.kinds[k].calls
	}
	var paired []pair
	for _, s := range g.seen[g.countBefore(obs):g.countBefore(end)] {
		if k := m.usePair(s.symbol); k >= 0 {
			paired = append(paired, pair{missing[k][0], s.obs})
			missing[k] = missing[k][1:]
		}
	}
	var left []int
	for k, calls := range missing {
		if !g.kinds[k].optional {
			left = append(left, calls...)
		}
	}
	sort.Ints(left)
	return mergeMissing(paired, left)
}

// mergeMissing merges the paired and the missing calls into one list. The order within
// both lists stays the same. A missing call comes before the first paired call with a
// greater number.
func mergeMissing(paired []pair, missing []int) []pair {
	out := make([]pair, 0, len(paired)+len(missing))
	for _, p := range paired {
		for len(missing) > 0 && missing[0] < p.call {
			out = append(out, pair{missing[0], -1})
			missing = missing[1:]
		}
		out = append(out, p)
	}
	for _, call := range missing {
		out = append(out, pair{call, -1})
	}
	return out
}
