package machine

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/base/path"
)

// Condition restricts the arguments that a path names.
type Condition struct {
	Argument *path.Path
	Matcher  *match.Matcher
}

// acceptsArguments reports whether the rule's conditions accept the arguments of a call:
//
//   - every value must be named by a condition, and must satisfy all conditions that name it;
//   - every condition that is not optional must be met.
//
// So an argument that no condition names is never accepted. Neither are arguments of which
// two members have the same name, or names that differ only in letter case.
func (a *AllowRule) acceptsArguments(arguments string) bool {
	v, err := jsonval.Parse(arguments)
	if err != nil || v.Kind() != jsonval.Object || match.Ambiguous(v) {
		return false
	}
	met := make([]bool, len(a.When))
	if !a.fitsBelow("", v, met) {
		return false
	}
	for i := range a.When {
		if !met[i] && !a.When[i].Matcher.Optional {
			return false
		}
	}
	return true
}

// deepest is the number of levels of arguments that a rule can name.
const deepest = 64

// fitsBelow reports whether the conditions accept the value v at a place in the
// arguments, and all values inside v. It sets met[i] if condition i was met. An empty
// array is not accepted. An empty object is accepted only as the whole arguments.
func (a *AllowRule) fitsBelow(place string, v jsonval.Value, met []bool) (fit bool) {
	if strings.Count(place, ".")+strings.Count(place, "[") > deepest {
		return false
	}
	fit = true
	switch v.Kind() {
	case jsonval.Object:
		v.Each(func(key string, m jsonval.Value) bool {
			fit = a.fitsBelow(jsonval.Join(place, key), m, met)
			return fit
		})
		return fit && (place == "" || v.Len() > 0)
	case jsonval.Array:
		for i, e := range v.Elements() {
			if !a.fitsBelow(place+"["+strconv.Itoa(i)+"]", e, met) {
				return false
			}
		}
		return v.Len() > 0
	}
	named := false
	for i := range a.When {
		c := &a.When[i]
		if covered, ok := c.Argument.Covers(place); !ok || covered != place {
			continue
		}
		if named = true; !c.acceptsValue(v) {
			return false
		}
		met[i] = true
	}
	return named
}

// acceptsValue reports whether a condition surely accepts a scalar. null is never accepted.
func (c *Condition) acceptsValue(v jsonval.Value) bool {
	return v.Kind() != jsonval.Null && c.Matcher.Is(v, match.Context{Doubts: true}) == match.Yes
}
