package match

import (
	"strconv"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
)

// Place is a value with its place in the form of jsonval.Leaves.
type Place struct {
	At    string
	Value jsonval.Value
}

// Places returns the values that a path matches, in the order of the text. A member that
// occurs twice gives two values. The path must come from path.CompilePlaces. O(size of v).
func Places(v jsonval.Value, p *path.Path) (out []Place) {
	const deepest = 64
	var walk func(at string, v jsonval.Value, depth int)
	walk = func(at string, v jsonval.Value, depth int) {
		if covered, ok := p.Covers(at); ok && covered == at && at != "" {
			out = append(out, Place{at, v})
			return
		}
		if depth > deepest {
			return
		}
		switch v.Kind() {
		case jsonval.Object:
			v.Each(func(key string, m jsonval.Value) bool {
				walk(jsonval.Join(at, key), m, depth+1)
				return true
			})
		case jsonval.Array:
			for i, e := range v.Elements() {
				walk(at+"["+strconv.Itoa(i)+"]", e, depth+1)
			}
		}
	}
	walk("", v, 0)
	return out
}

// Name reports whether a name matches a pattern, in which * matches any number of
// characters, even none, and ? matches one byte. Letter case matters. O(len(pattern) ×
// len(name)).
func Name(pattern, name string) bool {
	return Glob([]byte(pattern), []byte(name), func(p, n byte) bool { return p == '?' || p == n })
}

// Glob reports whether a name matches a pattern, in which * matches any number of
// characters, even none, and every other character matches those for which same is true.
// O(len(pattern) × len(name)).
func Glob[C byte | rune](pattern, name []C, same func(p, n C) bool) bool {
	star, from := -1, 0
	p, n := 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, n
			p++
		case p < len(pattern) && same(pattern[p], name[n]):
			p++
			n++
		case star >= 0:
			from++
			p, n = star+1, from
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
