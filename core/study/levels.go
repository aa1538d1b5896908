package study

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/report"
)

// The levels of violations (ABB, Table 10).
const (
	Subgoal = "subgoal"
	Atomic  = "atomic action"
)

// byLevel returns the share of violations at each of the two levels, subgoal and atomic
// action. A subgoal consists of all changes of one entity, because a trace does not show
// the subgoals of the planner. A violation is at the level of a subgoal if the run leaves
// out a complete subgoal, or does a subgoal that is not in the reference.
func (s *Sums) byLevel() []Share {
	all := s.levels[0] + s.levels[1]
	if all == 0 {
		return []Share{}
	}
	return []Share{newShare(Subgoal, s.levels[0], all), newShare(Atomic, s.levels[1], all)}
}

// changedEntities returns the entities that the given actions change.
func changedEntities(actions []report.Action) map[string]bool {
	out := map[string]bool{}
	for i := range actions {
		if a := &actions[i]; a.Boundary != nil && a.Mutating != "no" && !a.Control && !a.Error {
			for _, e := range a.Boundary.Scope {
				out[e] = true
			}
		}
	}
	return out
}

func (r *Run) violationLevel(v *report.Violation, observed, reference map[string]bool) string {
	rows := v.Rows
	if rows == nil && v.Row != nil {
		rows = []int{*v.Row}
	}
	obs, ref := indexList(v.Obs), indexList(v.Ref)
	if len(rows) > 0 {
		obs, ref = nil, nil
		for _, n := range rows {
			obs, ref = append(obs, indexList(r.Alignment[n].Obs)...), append(ref, indexList(r.Alignment[n].Ref)...)
		}
	}
	if len(obs)+len(ref) == 0 {
		return Atomic
	}
	for _, i := range obs {
		if !inOwnSubgoal(&r.Observed[i], observed, reference) {
			return Atomic
		}
	}
	for _, i := range ref {
		if !inOwnSubgoal(&r.Reference[i], reference, observed) {
			return Atomic
		}
	}
	return Subgoal
}

func indexList(i *int) []int {
	if i == nil {
		return nil
	}
	return []int{*i}
}

// inOwnSubgoal reports whether an action belongs to a subgoal that only its own side has.
// own is the set of entities that this side changes, and the parameter other is the set
// for the other side. The action must name an entity in own, and none in other.
func inOwnSubgoal(a *report.Action, own, other map[string]bool) bool {
	if a.Boundary == nil {
		return false
	}
	in := func(m map[string]bool) bool {
		return slices.ContainsFunc(a.Boundary.Scope, func(e string) bool { return m[e] })
	}
	return in(own) && !in(other)
}
