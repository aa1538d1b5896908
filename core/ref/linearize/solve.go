package linearize

import "math"

// never is less than the worth of any list. It marks cells that no list reaches.
const never = math.MinInt64 / 2

// solver computes the worth of the best list from each state with each suffix of the run.
type solver struct {
	*task
	net  *net
	rows [][]int64 // by state: cell i is the best worth with the actions from i on, so the cells never rise
}

// fillRows fills in the rows, from the final state back to the first. O(edges · n), plus
// the cost of groups (see the package comment). It returns the group in which the work
// limit was reached, or nil.
func (s *solver) fillRows() *part {
	n := len(s.Obs)
	cells := make([]int64, len(s.net.out)*(n+1))
	s.rows = make([][]int64, len(s.net.out))
	order := s.net.topologicalOrder()
	for k := len(order) - 1; k >= 0; k-- {
		row := cells[k*(n+1):][: n+1 : n+1]
		s.rows[order[k]] = row
		if order[k] == final {
			continue // nothing is left: worth 0
		}
		for i := range row {
			row[i] = never
		}
		for _, e := range s.net.out[order[k]] {
			if !s.raiseRow(row, e) {
				return s.net.groups[groupEdge-e.call].part
			}
		}
		for i := n - 1; i >= 0; i-- { // any action may be skipped
			row[i] = max(row[i], row[i+1])
		}
	}
	return nil
}

// raiseRow increases the cells of row to the worths that are possible if the list
// continues with the edge e. It returns false if the work limit is reached in a group.
func (s *solver) raiseRow(row []int64, e edge) bool {
	next := s.rows[e.to]
	switch {
	case e.call == emptyEdge:
		for i, v := range next {
			row[i] = max(row[i], v)
		}
	case e.call <= groupEdge:
		return s.net.groups[groupEdge-e.call].raiseRow(s.task, row, next)
	default:
		unit := s.worths.unit
		for i, v := range next {
			row[i] = max(row[i], v-unit)
		}
		for _, h := range s.worths.callHits(int(e.call)) {
			row[h.obs] = max(row[h.obs], next[h.obs+1]-unit+h.worth)
		}
	}
	return true
}

// traceBest reads the best list from the rows, beginning at the first state.
func (s *solver) traceBest() []pair {
	var list []pair
	state, obs := int32(start), 0
	for state != final {
		for _, e := range s.net.out[state] {
			steps, after, ok := s.takeEdge(s.rows[state][obs], e, obs)
			if ok {
				list = append(list, steps...)
				state, obs = e.to, after
				break
			}
		}
	}
	return list
}

// takeEdge reports whether the edge e leads to the worth in the argument best, with the
// observed actions from index obs on. If ok is true, takeEdge also returns the steps of
// the edge and the index of the next action.
func (s *solver) takeEdge(best int64, e edge, obs int) (steps []pair, after int, ok bool) {
	next := s.rows[e.to]
	switch {
	case e.call == emptyEdge:
		return nil, obs, next[obs] == best
	case e.call <= groupEdge:
		return s.net.groups[groupEdge-e.call].takeWindow(best, next, obs)
	}
	call := int(e.call)
	for _, h := range s.worths.callHits(call) {
		if h.obs >= obs && next[h.obs+1]-s.worths.unit+h.worth == best {
			return []pair{{call, h.obs}}, h.obs + 1, true
		}
	}
	return []pair{{call, -1}}, obs, next[obs]-s.worths.unit == best
}
