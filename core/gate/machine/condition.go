package machine

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// Condition bounds one top-level argument. Exactly one of its tests is set.
type Condition struct {
	Argument string
	Any      bool     // every scalar fits
	OneOf    []string // canonical texts of the values that fit
	Min, Max *big.Rat // numbers, exactly; the given ones bound
	Optional bool     // may be missing
}

// fits tells whether all arguments are named and fit. What the rule does not
// name does not fit: an argument that nobody thought of may change what the
// call means.
func (a *AllowRule) fits(arguments string) bool {
	v, err := jsonval.Parse(arguments)
	if err != nil || v.Kind() != jsonval.Object {
		return false
	}
	seen, fit := 0, true
	v.Each(func(key string, m jsonval.Value) bool {
		c := a.condition(key)
		if fit = c != nil && c.fits(m); fit {
			seen++
		}
		return fit
	})
	if !fit {
		return false
	}
	for i := range a.When {
		if !a.When[i].Optional && !v.Get(a.When[i].Argument).Exists() {
			return false
		}
	}
	return seen == v.Len()
}

func (a *AllowRule) condition(key string) *Condition {
	for i := range a.When {
		if a.When[i].Argument == key {
			return &a.When[i]
		}
	}
	return nil
}

func (c *Condition) fits(v jsonval.Value) bool {
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
	n := number(v)
	return n != nil && (c.Min == nil || n.Cmp(c.Min) >= 0) && (c.Max == nil || n.Cmp(c.Max) <= 0)
}

// number reads a JSON number exactly; nil for anything else, and for numbers
// whose exponent would only cost memory.
func number(v jsonval.Value) *big.Rat {
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
