package equivalence

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/kind"
	"github.com/boundcheck/boundcheck/core/action/similarity"
)

// findLumped finds calls of the tool of whole whose values it has together: in each argument it has what all of them
// have, or their values in one: the sum of their numbers, or a text or a list that names each. At least one argument is
// so; in another one it may say what they are as a whole, such as "extras" for a minibar and a tax, or have the day of one of them. They must be all calls
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
	first, together, summed, ofOne, named := &side[parts[0]], false, false, 0, 0
	seen := map[string]bool{}
	for i := range first.Leaves {
		l := &first.Leaves[i]
		path, _, isList := strings.Cut(l.Path, "[")
		if seen[path] {
			continue
		}
		seen[path] = true
		values := valuesAt(side, parts, path, isList)
		if values == nil {
			return nil
		}
		switch own := ownValues(whole, path); {
		case len(own) == 0:
			return nil
		case len(own) == 1 && !areDifferent(append(values, own[0])), isList && sameSet(own, values) && !areDifferent(values):
		case hasTogether(l, own, values):
			together = true
			_, _, isNumber := splitMeasure(l.Raw)
			summed = summed || isNumber && len(own) == 1 && !hasEach(own[0], values)
		case len(own) == 1 && allBegin(values, own[0]): // each part says which one it is
		case !areDifferent(values) || len(own) > 1:
			return nil // another value than all have
		case slices.Contains(values, own[0]) && !strings.HasPrefix(l.Value, `"`):
			return nil // the number of one of them
		case slices.Contains(values, own[0]):
			ofOne++
			if !kind.IsMeasure(l.Raw) {
				named++ // in the name of one of them, for all
			}
		case strings.ContainsAny(own[0], "0123456789") && !namesEach(own[0], values):
			return nil // a word may name them all
		}
	}
	if !together || ofOne > 1 || named > 0 || ofOne > 0 && summed {
		return nil
	}
	return parts
}

// allBegin reports whether each of some values begins with a text.
func allBegin(values []string, text string) bool {
	return len(text) > 3 && !slices.ContainsFunc(values, func(v string) bool { return !strings.HasPrefix(v, text) })
}

// namesEach reports whether a name has the longest word of each of some names: 7_ropes_bells names 7_ropes and 8_bells.
func namesEach(name string, values []string) bool {
	split := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) })
	}
	own := split(name)
	return !slices.ContainsFunc(values, func(v string) bool {
		longest := ""
		for _, w := range split(v) {
			if len(w) > len(longest) {
				longest = w
			}
		}
		return len(longest) < 3 || !slices.Contains(own, longest)
	})
}

// sameSet reports whether two lists have the same values.
func sameSet(a, b []string) bool {
	has := func(list []string) func(string) bool {
		return func(v string) bool { return !slices.Contains(list, v) }
	}
	return !slices.ContainsFunc(a, has(b)) && !slices.ContainsFunc(b, has(a))
}

// valuesAt returns the values of an argument in some calls, or nil if one of them lacks it, or has several and is not a list.
func valuesAt(side []boundary.Action, at []int, path string, isList bool) (values []string) {
	for _, o := range at {
		found := ownValues(&side[o], path)
		if len(found) == 0 || len(found) > 1 && !isList {
			return nil
		}
		values = append(values, found...)
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

func areDifferent(values []string) bool {
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
		return sameSet(own, values)
	}
	if hasEach(own[0], values) || hasOwnWords(own[0], values) {
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

// hasOwnWords reports whether a sentence has the words in which some sentences differ from each other, such as their numbers,
// and half of those that they have in common, in whatever form.
func hasOwnWords(text string, values []string) bool {
	words, count := wordsOf(text), map[string]int{}
	for _, v := range values {
		for _, w := range wordsOf(v) {
			count[w]++
		}
	}
	common, shared := 0, 0
	for w, n := range count {
		has := slices.Contains(words, w)
		switch {
		case n >= len(values):
			common++
			if has {
				shared++
			}
		case !has:
			return false
		}
	}
	return common > 1 && 2*shared >= common && len(count) > common
}
