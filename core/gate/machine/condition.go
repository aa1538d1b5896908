package machine

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/boundcheck/boundcheck/core/path"
)

// Condition restricts the arguments that a path names. Exactly one of its tests is set.
type Condition struct {
	Argument *path.Path
	Any      bool     // every scalar is accepted
	OneOf    []string // canonical texts of the accepted values
	Min, Max *big.Rat // limits of a number, compared exactly; nil for no limit
	Optional bool     // the argument may be missing
}

// acceptsArguments reports whether the rule's conditions accept the arguments of a call:
//
//   - every value must be named by a condition, and must satisfy all conditions that name it;
//   - every condition that is not optional must be met.
//
// So an argument that no condition names is never accepted. If a member occurs twice,
// both of its values must satisfy the conditions.
func (a *AllowRule) acceptsArguments(arguments string) bool {
	v, err := jsonval.Parse(arguments)
	if err != nil || v.Kind() != jsonval.Object {
		return false
	}
	met := make([]bool, len(a.When))
	if !a.fitsBelow("", v, met) {
		return false
	}
	for i := range a.When {
		if !met[i] && !a.When[i].Optional {
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

func (c *Condition) acceptsValue(v jsonval.Value) bool {
	switch v.Kind() {
	case jsonval.Object, jsonval.Array, jsonval.Null, jsonval.Missing:
		return false
	}
	if c.Any {
		return true
	}
	if c.OneOf != nil {
		text := v.Canonical()
		for _, s := range c.OneOf {
			if s == text {
				return true
			}
		}
		return false
	}
	n := exactNumber(v)
	return n != nil && (c.Min == nil || n.Cmp(c.Min) >= 0) && (c.Max == nil || n.Cmp(c.Max) <= 0)
}

// exactNumber returns the exact value of a JSON number. It returns nil for any other
// value, and for a number whose exact value would need much memory.
func exactNumber(v jsonval.Value) *big.Rat {
	const longest, largest = 64, 64
	text := v.Raw()
	if v.Kind() != jsonval.Number || len(text) > longest {
		return nil
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		if e, err := strconv.Atoi(text[i+1:]); err != nil || e > largest || e < -largest {
			return nil
		}
	}
	n, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return n
}
