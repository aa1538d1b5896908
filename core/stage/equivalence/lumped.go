package equivalence

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
)

// findLumped finds calls of the tool of whole whose values it has together: in each argument it has what all of them
// have, or their values in one: the sum of their numbers, or a text or a list that names each. At least one argument is
// so; in another one it may say what they are as a whole, such as "extras" for a minibar and a tax. They must be all calls
// of this tool near it. It returns nil if there are none. Its law: calls whose values whole does not have are never
// lumped. Calls with more than mostParts arguments are not looked at. O(arguments² · calls + text).
func findLumped(whole *boundary.Action, side []boundary.Action, near []int) (parts []int) {
	if !whole.Writes() || !whole.Terms.Plain() || len(whole.Leaves) > mostParts {
		return nil
	}
	for _, o := range near {
		if a := &side[o]; a.Name == whole.Name {
			if a.Failed || !a.Terms.Plain() || len(parts) == mostParts || len(a.Leaves) > mostParts {
				return nil
			}
			parts = append(parts, o)
		}
	}
	if len(parts) < 2 {
		return nil
	}
	first, together := &side[parts[0]], false
	for i := range first.Leaves {
		l := &first.Leaves[i]
		values := valuesAt(side, parts, l.Path)
		if values == nil {
			return nil
		}
		switch own := ownValues(whole, l.Path); {
		case len(own) == 0:
			return nil
		case len(own) == 1 && !differ(append(values, own[0])):
		case hasTogether(l, own, values):
			together = true
		case !differ(values) || len(own) > 1 || slices.Contains(values, own[0]) || strings.ContainsAny(own[0], "0123456789"):
			return nil // another value than all have, or only that of one; a word may name them all
		}
	}
	if !together {
		return nil
	}
	return parts
}

// valuesAt returns the values of an argument in some calls, or nil if one of them lacks it.
func valuesAt(side []boundary.Action, at []int, path string) (values []string) {
	for _, o := range at {
		found := ownValues(&side[o], path)
		if len(found) != 1 {
			return nil
		}
		values = append(values, found[0])
	}
	return values
}

// ownValues returns the value of an argument, or the values of the list that it is.
func ownValues(a *boundary.Action, path string) (values []string) {
	for i := range a.Leaves {
		if p := a.Leaves[i].Path; p == path || strings.HasPrefix(p, path) && p[len(path)] == '[' {
			values = append(values, similarity.Plain(a.Leaves[i].Raw))
		}
	}
	return values
}

func differ(values []string) bool {
	for _, v := range values {
		if v != values[0] {
			return true
		}
	}
	return false
}

// hasTogether reports whether own, the value or the list of an argument, is all the given values in one.
func hasTogether(l *similarity.Leaf, own, values []string) bool {
	if len(own) > 1 {
		return slices.Equal(own, values)
	}
	if hasEach(own[0], values) {
		return true
	}
	want, unit, ok := splitMeasure(own[0])
	for _, v := range values {
		n, u, isNumber := splitMeasure(v)
		want, ok = want-n, ok && isNumber && u == unit
	}
	return ok && math.Abs(want) < 1e-9 && !boundary.Identifies(l.Key, l.Value)
}

// hasEach reports whether a text has all words of each of some values, in their order, and more words than any of them.
func hasEach(text string, values []string) bool {
	words, at, before := wordsOf(text), map[string]int{}, 0
	for i, w := range slices.Backward(words) {
		at[w] = i
	}
	for _, v := range values {
		own := wordsOf(v)
		if len(own) == 0 || len(own) >= len(words) || at[own[0]] < before {
			return false
		}
		for _, w := range own {
			if _, has := at[w]; !has {
				return false
			}
		}
		before = at[own[0]]
	}
	return true
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
