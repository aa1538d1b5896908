package similarity

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/path"
)

// Terms holds the rules for comparing the arguments of a reference step. Nil and the zero
// value compare all arguments exactly.
type Terms struct {
	Key    string       // equal for equal terms, "" for none
	Ignore []*path.Path // these paths do not matter
	Only   []*path.Path // if Few is set, only these paths matter
	Few    bool
	Accept []Accepted
	Expect []Expected
}

// Accepted holds the values of one argument that are accepted as equal to the step's
// value. Each value is given by its leaves, whose paths are relative to the argument. A
// value without leaves means that the argument may be absent.
type Accepted struct {
	Path   *path.Path
	Values [][]Leaf
}

// Plain reports whether t has no rules, so that all arguments are compared exactly.
func (t *Terms) Plain() bool { return t == nil || t.Key == "" }

// Ignores reports whether the value at a path of the arguments is ignored.
func (t *Terms) Ignores(place string) bool {
	return t != nil && (isCovered(place, t.Ignore) || t.Few && !isCovered(place, t.Only))
}

// isCovered reports whether one of the given patterns matches the path place or a path
// above it.
func isCovered(place string, some []*path.Path) bool {
	return slices.ContainsFunc(some, func(p *path.Path) bool {
		_, ok := p.Covers(place)
		return ok
	})
}

// isAtOrBelow reports whether the path place equals p or lies below it.
func isAtOrBelow(place, p string) bool {
	rest, ok := strings.CutPrefix(place, p)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// settleAccepted compares the arguments that have accepted values. It adds the leaves of
// an argument with an accepted value to d.Same. ignore reports whether Compare must skip
// a path, because t ignores the path or settleAccepted has counted it.
func (t *Terms) settleAccepted(obs, ref *Call, d *Difference) (ignore func(place string) bool) {
	if t.Plain() {
		return func(string) bool { return false }
	}
	settled := t.settleExpected(obs, ref, d)
	for i := range t.Accept {
		a := &t.Accept[i]
		for _, place := range a.matchedPlaces(obs, ref) {
			if held := leavesBelow(obs.Leaves, place); !t.Ignores(place) && !isSettled(place, settled) && a.acceptsLeaves(place, held) {
				settled = append(settled, place)
				d.Same += max(1, len(held))
			}
		}
	}
	return func(place string) bool {
		return t.Ignores(place) || isSettled(place, settled)
	}
}

func isSettled(place string, settled []string) bool {
	return slices.ContainsFunc(settled, func(p string) bool { return isAtOrBelow(place, p) })
}

// matchedPlaces returns the paths in either call that the pattern a.Path matches, each
// once. A pattern without wildcards is returned as a path even if neither call has the
// path.
func (a *Accepted) matchedPlaces(obs, ref *Call) (places []string) {
	if a.Path.One() {
		return []string{a.Path.Place()}
	}
	for _, leaves := range [...][]Leaf{obs.Leaves, ref.Leaves} {
		for _, l := range leaves {
			if place, ok := a.Path.Covers(l.Path); ok && !slices.Contains(places, place) {
				places = append(places, place)
			}
		}
	}
	return places
}

func leavesBelow(leaves []Leaf, place string) []Leaf {
	var out []Leaf
	for _, l := range leaves {
		if isAtOrBelow(l.Path, place) {
			out = append(out, l)
		}
	}
	return out
}

// acceptsLeaves reports whether the given leaves are equal to those of one of the
// accepted values. All given leaves are at or below the path place. The order of lists of
// entities is ignored.
func (a *Accepted) acceptsLeaves(place string, held []Leaf) bool {
	return slices.ContainsFunc(a.Values, func(v []Leaf) bool {
		same := slices.EqualFunc(held, v, func(x, y Leaf) bool { return x.Path[len(place):] == y.Path && x.Value == y.Value })
		return same || len(v) > 0 && len(held) > 0 && namesEntities(held[0].Key) && slices.Equal(leafValues(held), leafValues(v))
	})
}

func leafValues(leaves []Leaf) []string {
	out := make([]string, len(leaves))
	for i, l := range leaves {
		out[i] = l.Value
	}
	slices.Sort(out)
	return out
}
