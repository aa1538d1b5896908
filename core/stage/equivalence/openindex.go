package equivalence

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
)

// openIndex finds the open actions of one side that may be parts of an action, without
// looking at all of them. It is filled at the first use.
type openIndex struct {
	byEntity map[string][]int // by the rarest entity of the scope, or by each value if there is none, in order
	byList   map[string][]int // by listKey of the first element of the lists, in order
	named    map[string]int   // how many actions have a name
}

// countNamed returns the number of actions with a name.
func (x *openIndex) countNamed(name string, side []boundary.Action, open []int) int {
	if x.named == nil {
		x.named = map[string]int{}
		for _, o := range open {
			x.named[side[o].Name]++
		}
	}
	return x.named[name]
}

// indexEntities fills byEntity with actions.
func (x *openIndex) indexEntities(side []boundary.Action, open []int) {
	if x.byEntity != nil {
		return
	}
	x.byEntity = map[string][]int{}
	count := map[string]int{}
	for _, o := range open {
		for _, e := range side[o].Scope() {
			count[e]++
		}
	}
	for _, o := range open {
		a := &side[o]
		if !a.Writes() {
			continue
		}
		if scope := a.Scope(); len(scope) > 0 {
			rare := slices.MinFunc(scope, func(e, f string) int { return count[e] - count[f] })
			x.byEntity[rare] = append(x.byEntity[rare], o)
			continue
		}
		for _, l := range a.Leaves {
			x.byEntity[l.Value] = append(x.byEntity[l.Value], o)
		}
	}
}

// findWithin returns the actions whose rarest entity, or one of their values, is in a scope, in
// order.
func (x *openIndex) findWithin(scope []string) []int {
	var out []int
	for _, e := range scope {
		out = append(out, x.byEntity[e]...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// indexLists fills byList with actions.
func (x *openIndex) indexLists(side []boundary.Action, open []int) {
	if x.byList != nil {
		return
	}
	x.byList = map[string][]int{}
	for _, o := range open {
		if fixed, elements := similarity.SplitLists(side[o].Leaves); len(elements) > 0 {
			key := listKey(side[o].Name, fixed, elements[0])
			x.byList[key] = append(x.byList[key], o)
		}
	}
}

// listParts returns the actions with a name and arguments outside lists whose first
// element is among the given ones, in order.
func (x *openIndex) listParts(name, fixed string, elements map[string]int) []int {
	var out []int
	for e := range elements {
		out = append(out, x.byList[listKey(name, fixed, e)]...)
	}
	slices.Sort(out)
	return out
}

func listKey(name, fixed, element string) string { return name + "\x02" + fixed + "\x02" + element }

// wholeAction is an action of which others may be parts, prepared for many comparisons.
type wholeAction struct {
	*boundary.Action
	scope map[string]bool
	lists []string           // see listKeys
	has   map[[2]string]bool // keys and values of the arguments
	must  []similarity.Leaf  // the arguments that each part must have
}

func newWholeAction(a *boundary.Action, scope, lists []string) *wholeAction {
	w := &wholeAction{Action: a, scope: map[string]bool{}, lists: lists, has: map[[2]string]bool{}}
	for _, e := range scope {
		w.scope[e] = true
	}
	for _, l := range a.Leaves {
		w.has[[2]string{l.Key, l.Value}] = true
		if !boundary.Identifies(l.Key, l.Value) && !strings.Contains(l.Path, "[") && !a.Terms.Ignores(l.Path) {
			w.must = append(w.must, l)
		}
	}
	return w
}

// holdsAll reports whether all entities are in the scope.
func (w *wholeAction) holdsAll(entities []string) bool {
	return !slices.ContainsFunc(entities, func(e string) bool { return !w.scope[e] })
}

// fitsPart reports whether a part and the whole have the same arguments, except for entities
// and the arguments with a name in lists.
func (w *wholeAction) fitsPart(part *boundary.Action) bool {
	for _, l := range part.Leaves {
		if !w.has[[2]string{l.Key, l.Value}] && !boundary.Identifies(l.Key, l.Value) && !isListed(&l, w.lists) {
			return false
		}
	}
	if len(w.must) == 0 {
		return true
	}
	own := make(map[[2]string]bool, len(part.Leaves))
	for _, l := range part.Leaves {
		own[[2]string{l.Key, l.Value}] = true
	}
	return !slices.ContainsFunc(w.must, func(m similarity.Leaf) bool { return !own[[2]string{m.Key, m.Value}] })
}
