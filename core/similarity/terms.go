package similarity

import (
	"slices"
	"strings"
)

// Terms say how a reference step's arguments are compared. Nil, and the zero
// value, compare everything as it stands.
type Terms struct {
	Key    string   // equal for equal terms, "" for none
	Ignore []string // paths whose values do not matter
	Only   []string // the paths that matter alone, when Few is set
	Few    bool
	Accept []Accepted
}

// Accepted are values of one argument that are as good as the step's own, each
// as its leaves; one without leaves lets the argument be left out.
type Accepted struct {
	Path   string
	Values [][]Leaf
}

// Plain tells whether there are no terms at all.
func (t *Terms) Plain() bool { return t == nil || t.Key == "" }

// Ignores tells whether the value at a path does not matter.
func (t *Terms) Ignores(path string) bool {
	return t != nil && (below(path, t.Ignore) || t.Few && !below(path, t.Only))
}

// below tells whether a path is one of some, or lies under one.
func below(path string, some []string) bool {
	return slices.ContainsFunc(some, func(p string) bool { return under(path, p) })
}

func under(path, p string) bool {
	rest, ok := strings.CutPrefix(path, p)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// settle compares the arguments that have accepted values: one that holds such
// a value agrees and is looked at no more. It gives the paths to pass over.
func (t *Terms) settle(obs, ref *Call, d *Difference) (ignore func(path string) bool) {
	if t.Plain() {
		return func(string) bool { return false }
	}
	var settled []string
	for _, a := range t.Accept {
		if held := leavesBelow(obs.Leaves, a.Path); !t.Ignores(a.Path) && a.holds(held) {
			settled = append(settled, a.Path)
			d.Same += max(1, len(held))
		}
	}
	return func(path string) bool { return t.Ignores(path) || below(path, settled) }
}

func leavesBelow(leaves []Leaf, path string) []Leaf {
	var out []Leaf
	for _, l := range leaves {
		if under(l.Path, path) {
			out = append(out, l)
		}
	}
	return out
}

// holds tells whether the leaves are one of the accepted values; of lists of
// entities the order means nothing.
func (a *Accepted) holds(held []Leaf) bool {
	return slices.ContainsFunc(a.Values, func(v []Leaf) bool {
		same := slices.EqualFunc(held, v, func(x, y Leaf) bool { return x.Path == y.Path && x.Value == y.Value })
		return same || len(v) > 0 && namesEntities(v[0].Key) && slices.Equal(values(held), values(v))
	})
}

func values(leaves []Leaf) []string {
	out := make([]string, len(leaves))
	for i, l := range leaves {
		out[i] = l.Value
	}
	slices.Sort(out)
	return out
}
