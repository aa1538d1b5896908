package proxy

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
)

// meaningful holds the members that determine what a client will run. Of two members
// with one name, one reader uses the first and another the last; a third ignores case.
// If readers may differ, nothing passes.
var meaningful = map[string]bool{
	"choices": true, "delta": true, "message": true, "tool_calls": true, "function_call": true, "function": true, "custom": true,
	"name": true, "arguments": true, "input": true, "id": true, "index": true, "type": true, "finish_reason": true,
}

// checkUnambiguous returns an error if programs may read an answer differently. This is
// so in these cases:
//
//   - An object has two members whose names are the same or differ only in upper and lower case.
//   - The name of a member differs only in upper and lower case from a name that the gate checks.
func checkUnambiguous(v jsonval.Value) (err error) {
	seen := map[string]bool{}
	object := v.Kind() == jsonval.Object
	v.Each(func(key string, m jsonval.Value) bool {
		if folded := strings.ToLower(key); object {
			switch {
			case seen[folded]:
				err = fmt.Errorf("the member %.40q appears twice in one object", key)
			case meaningful[folded] && folded != key:
				err = fmt.Errorf("the member %.40q differs only in upper or lower case from a member that the gate checks", key)
			}
			seen[folded] = true
		}
		if k := m.Kind(); err == nil && (k == jsonval.Object || k == jsonval.Array) {
			err = checkUnambiguous(m)
		}
		return err == nil
	})
	return err
}

// callsIn returns the number of members tool_calls and function_call that have a value,
// at any depth. It does not search inside these members.
func callsIn(v jsonval.Value) (n int) {
	object := v.Kind() == jsonval.Object
	v.Each(func(key string, m jsonval.Value) bool {
		if object && (key == "tool_calls" || key == "function_call") && values.Has(m) {
			n++
			return true
		}
		n += callsIn(m)
		return true
	})
	return n
}
