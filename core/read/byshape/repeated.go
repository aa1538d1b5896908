package byshape

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/read/shape"
)

// dropRepeated takes away the calls at a place that repeat those at another one in every run. What such a
// call says beside its name and arguments, such as its result, goes to the call that is kept: the k-th of
// equal calls at one place is the k-th of them at the other.
func dropRepeated(runs []*Run, t *tree) {
	at := map[*Call]string{}
	for _, n := range t.nodes {
		for _, c := range n.calls {
			at[c] = n.path
		}
	}
	var paths []string
	told := map[string][]map[string][]*Call{} // by path, for each run: the calls by their spelling
	for i, r := range runs {
		for _, item := range r.Items {
			if item.Call == nil {
				continue
			}
			p := at[item.Call]
			if told[p] == nil {
				told[p] = make([]map[string][]*Call, len(runs))
				paths = append(paths, p)
			}
			if told[p][i] == nil {
				told[p][i] = map[string][]*Call{}
			}
			spelling := item.Call.spellCall()
			told[p][i][spelling] = append(told[p][i][spelling], item.Call)
		}
	}
	for i, p := range paths {
		for j, other := range paths {
			if i == j || told[other] == nil || told[p] == nil || !repeatsCalls(told[p], told[other]) || repeatsCalls(told[other], told[p]) && i < j {
				continue
			}
			for k, r := range runs {
				for spelling, calls := range told[p][k] {
					for n, c := range calls {
						told[other][k][spelling][n].addWhatSays(c)
					}
				}
				r.Items = slices.DeleteFunc(r.Items, func(item Item) bool { return item.Call != nil && at[item.Call] == p })
			}
			delete(told, p)
		}
	}
}

// addWhatSays adds to a call what another telling of it says and the call itself does not.
func (c *Call) addWhatSays(other *Call) {
	if c.ID == "" {
		c.ID = other.ID
	}
	if !c.Result.Exists() {
		c.Result = other.Result
	}
	if !c.Fault.Exists() {
		c.Fault = other.Fault
	}
	if c.State.Flag == shape.Unsaid {
		c.State.Flag = other.State.Flag
	}
	c.State.Waiting = c.State.Waiting || other.State.Waiting
	c.State.Refused = c.State.Refused || other.State.Refused
}

// repeatsCalls reports whether in every run all calls of a are in b, and there are at least two.
func repeatsCalls(a, b []map[string][]*Call) bool {
	n := 0
	for i, calls := range a {
		for spelling, list := range calls {
			if n += len(list); len(b[i][spelling]) < len(list) {
				return false
			}
		}
	}
	return n > 1
}
