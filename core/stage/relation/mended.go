package relation

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
)

// IsMendable reports whether an action makes or moves a thing.
func IsMendable(a *boundary.Action) bool {
	if isCostly(a) {
		return false
	}
	switch a.Deed().Class {
	case "create", "save", "draft", "register", "upload", "copy", "move", "rename", "generate", "mkdir":
		return true
	}
	return isSettingVerb(a)
}

// Mends reports whether the action q gives the thing that the action p made or moved the values of a step of the tool of p.
func (j *Run) Mends(whole *boundary.Action, p, q int) bool {
	first, second := &j.Obs[p], &j.Obs[q]
	moves := first.Name == second.Name
	if class := second.Deed().Class; moves && class != "move" && class != "rename" || !moves && (class != "rename" && class != "move" && !isSettingVerb(second) || !AreRelated(second.Deed().Object, first.Deed().Object)) {
		return false
	}
	given, names := 0, false
	for i := range second.Leaves {
		l := &second.Leaves[i]
		switch {
		case j.isNewIn(p, l):
			names = true
		case slices.ContainsFunc(whole.Leaves, func(w similarity.Leaf) bool {
			return w.Value == l.Value && !slices.ContainsFunc(first.Leaves, func(m similarity.Leaf) bool { return m.Path == w.Path && m.Value == w.Value })
		}):
			given++
		case hasValue(first, l.Value):
			names = names || !isProperty(l)
		default:
			return false
		}
	}
	differ := 0
	for i := range first.Leaves {
		if first.Leaves[i].Value != whole.Leaves[i].Value {
			differ++
		}
	}
	return names && given > 0 && given == differ && !j.actsBetween(nil, p, q) && !j.tellsOutside(p) && !j.tellsOutside(q)
}
