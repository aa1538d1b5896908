package equivalence

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// judgeUneven judges an action with a list of entities. It looks for open actions of the
// other side that do the same to some of these entities. These actions are excused as
// parts, and the action with the list gets a violation about the remaining entities. which
// and at say where that action is: an observed action or a reference step, and its index.
// The result is false if there are no such actions in other rows, or if no entity remains.
func (c *composer) judgeUneven(which half, at int) bool {
	own, ownRow := c.Case.Obs, c.rowOfObs
	side, others, isOpen, rowOf, index := c.Case.Ref, c.ref, c.openRef, c.rowOfRef, &c.openRefs
	if which == step {
		own, ownRow, side, others, isOpen, rowOf, index = side, rowOf, own, c.obs, c.isOpen, ownRow, &c.openObs
	}
	whole, row := &own[at], ownRow[at]
	rest := listedEntities(whole)
	if len(rest) < 2 || !whole.Writes() {
		return false
	}
	index.indexEntities(side, others)
	within := index.findWithin(whole.Scope())
	if len(within) == 0 {
		return false
	}
	w, done := newWholeAction(whole, whole.Scope(), nil), map[string]bool{}
	for _, e := range rest {
		done[e] = false
	}
	var parts []int
	elsewhere := false
	for _, o := range within {
		a := &side[o]
		if !isOpen[o] || len(parts) > 4096 || !sameDeed(a, whole) || !w.holdsAll(a.Scope()) || !w.fitsPart(a) {
			continue
		}
		if markDone(done, a.Scope()) {
			parts = append(parts, o)
			elsewhere = elsewhere || rowOf[o] != row
		}
	}
	rest = slices.DeleteFunc(rest, func(e string) bool { return done[e] })
	if !elsewhere || len(rest) == 0 {
		return false
	}
	about, linked := Pair{at, parts[0]}, Group{Obs: []int{at}, Ref: parts}
	if which == step {
		about, linked = Pair{-1, at}, Group{Obs: parts, Ref: []int{at}}
	}
	c.uneven = append(c.uneven, linked)
	for _, o := range parts {
		delete(isOpen, o)
		c.setHalf(rowOf[o], 1-which, Ruling{Verdict: Excused, Stage: Effect, Reason: sentences.PartOf.With(whole.Name)})
	}
	c.setHalf(row, which, Ruling{Verdict: Violation, Kind: Uneven, Beyond: rest, about: &about,
		Reason: sentences.EntitiesDiffer.With(showAll(rest), whole.Name)})
	return true
}

// showAll joins entities in the usual notation of their values.
func showAll(entities []string) string {
	shown := make([]string, len(entities))
	for i, e := range entities {
		shown[i] = similarity.ShowValue(e)
	}
	return strings.Join(shown, ", ")
}

// markDone marks the given entities as done, and reports whether one of them was known
// and not done.
func markDone(done map[string]bool, entities []string) (fresh bool) {
	for _, e := range entities {
		if was, known := done[e]; known && !was {
			done[e], fresh = true, true
		}
	}
	return fresh
}

// listedEntities returns the entities in an action's lists, sorted.
func listedEntities(a *boundary.Action) []string {
	var out []string
	for _, l := range a.Leaves {
		if strings.Contains(l.Path, "[") && boundary.Identifies(l.Key, l.Value) {
			out = append(out, l.Value)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
