package reference

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// Leaves gives the leaves of each accepted value as they would stand among the
// leaves of the whole arguments; none for null, since null arguments count as left
// out.
func (a *Accepted) Leaves() [][]jsonval.Leaf {
	out := make([][]jsonval.Leaf, len(a.Values))
	for i, v := range a.Values {
		if v.Kind() == jsonval.Null {
			continue
		}
		for _, l := range v.Leaves() {
			switch {
			case l.Path != "" && l.Path[0] != '[':
				l.Path = a.Path + "." + l.Path
			default:
				l.Path = a.Path + l.Path
			}
			if l.Key == "" {
				l.Key = member(a.Path)
			}
			out[i] = append(out[i], l)
		}
	}
	return out
}

// member is the last member name on a path.
func member(path string) string {
	for strings.HasSuffix(path, "]") && !strings.HasSuffix(path, `"]`) {
		i := strings.LastIndexByte(path, '[')
		if i < 0 {
			break
		}
		path = path[:i]
	}
	if quoted, ok := strings.CutSuffix(path, `"]`); ok {
		if i := strings.LastIndex(quoted, `["`); i >= 0 {
			return quoted[i+2:]
		}
	}
	return path[strings.LastIndexByte(path, '.')+1:]
}
