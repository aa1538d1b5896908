package equivalence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/boundary"
)

// judgeUneven judges whole, an action with a list of entities. It looks for open actions
// of the other side that do the same to some of these entities. These actions are excused
// as parts, and the row of whole gets a violation about the remaining entities. about is
// whole's own index, to which judgeUneven adds that of a step among the parts. The result
// is false if there are no such actions, or if no entity remains.
func (c *composer) judgeUneven(whole *boundary.Action, about Pair, row int, side []boundary.Action, others []int, isOpen map[int]bool, rowOf []int) bool {
	rest := listedEntities(whole)
	if len(rest) < 2 || !whole.Writes() {
		return false
	}
	scope := whole.Scope()
	var parts []int
	for _, o := range others {
		a := &side[o]
		if !isOpen[o] || rowOf[o] == row || len(parts) > 4096 || !a.Writes() || !sameDeed(a, whole) || !isSubset(a.Scope(), scope) || !partFits(a, whole) {
			continue
		}
		left := slices.DeleteFunc(slices.Clone(rest), func(e string) bool { return slices.Contains(a.Scope(), e) })
		if len(left) < len(rest) {
			parts, rest = append(parts, o), left
		}
	}
	if len(parts) == 0 || len(rest) == 0 {
		return false
	}
	for _, o := range parts {
		delete(isOpen, o)
		c.excuseRow(rowOf[o], fmt.Sprintf("a part of %s", whole.Name))
	}
	if about.Ref < 0 {
		about.Ref = parts[0]
	}
	c.setRuling(row, Ruling{Verdict: Violation, Kind: Uneven, Beyond: rest, about: &about,
		Reason: fmt.Sprintf("%s of %s differs", strings.Join(rest, ", "), whole.Name)})
	return true
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
