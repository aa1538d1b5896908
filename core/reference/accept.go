package reference

import (
	"github.com/boundcheck/boundcheck/core/jsonval"
)

// Leaves returns the leaves of each accepted value. Their paths begin at the argument: ""
// for a scalar, and for example ".name" or "[0]" inside an object or list. null has no
// leaves, because null arguments count as absent.
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
