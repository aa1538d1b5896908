package pairing

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/kind"
	"github.com/boundcheck/boundcheck/core/action/similarity"
)

// settleForms compares each argument that is a text on one side and a list or an object on the
// other side, or a list on one side and an object on the other one.
func (s *settler) settleForms(d similarity.Difference) similarity.Difference {
	if len(d.Extra) == 0 || len(d.Missing) == 0 {
		return d
	}
	for _, path := range changedArguments(&d) {
		o, r := leavesAt(s.obs.Leaves, path), leavesAt(s.ref.Leaves, path)
		if len(o) == 0 || len(r) == 0 || max(len(o), len(r)) > kind.MostShort {
			continue
		}
		name, outcome := kind.CompareShapes(s.tool, path, o, r)
		if outcome == kind.Open {
			continue
		}
		at := func(l similarity.Leaf) bool { return l.Path == path || isBelow(l.Path, path) }
		d.Extra, d.Missing = slices.Clone(d.Extra), slices.Clone(d.Missing)
		if outcome == kind.Same {
			s.addExcuse(path, name)
		} else {
			for _, l := range d.Extra {
				if at(l) {
					s.rest.Extra = append(s.rest.Extra, l)
				}
			}
			for _, l := range d.Missing {
				if at(l) {
					s.rest.Missing = append(s.rest.Missing, l)
				}
			}
			s.certainty = max(s.certainty, outcome)
		}
		d.Extra, d.Missing = slices.DeleteFunc(d.Extra, at), slices.DeleteFunc(d.Missing, at)
	}
	return d
}

// changedArguments returns the paths of the arguments at the top that only partly occur on
// both sides.
func changedArguments(d *similarity.Difference) (out []string) {
	for _, l := range d.Missing {
		path := topOf(l.Path)
		if !slices.Contains(out, path) && slices.ContainsFunc(d.Extra, func(x similarity.Leaf) bool { return topOf(x.Path) == path }) {
			out = append(out, path)
		}
	}
	return out
}

func topOf(path string) string {
	if end := strings.IndexAny(path, ".["); end > 0 {
		return path[:end]
	}
	return path
}

// leavesAt returns the leaves at a path and below it.
func leavesAt(leaves []similarity.Leaf, path string) (out []similarity.Leaf) {
	for _, l := range leaves {
		if l.Path == path || isBelow(l.Path, path) {
			out = append(out, l)
		}
	}
	return out
}
