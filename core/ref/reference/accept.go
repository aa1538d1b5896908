package reference

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Leaves returns the leaves of each accepted value. The path of a leaf begins at the
// argument, for example ".name" in an object, "[0]" in a list and "" for a scalar. null
// has no leaves, because null arguments count as absent.
func (a *Accepted) Leaves() [][]jsonval.Leaf {
	out := make([][]jsonval.Leaf, len(a.Values))
	for i, v := range a.Values {
		if v.Kind() == jsonval.Null {
			continue
		}
		out[i] = v.Leaves()
		for j := range out[i] {
			if l := &out[i][j]; l.Path != "" && l.Path[0] != '[' {
				l.Path = "." + l.Path
			}
		}
	}
	return out
}
