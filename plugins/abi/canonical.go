package abi

import (
	"cmp"
	"slices"
)

// deepestArgument is how far arguments may nest; requests themselves nest no deeper than
// MaxDepth, texts that hold objects may.
const deepestArgument = 600

// Canonical returns a call's arguments as a text that is the same for equal objects:
// members sorted by key, the last of several with one name, no blanks, and numbers as
// written, so that no number becomes a float. Missing arguments and null count as {}; a
// string counts as the object in it. ok is false if there is no object.
func (a *Action) Canonical() (object string, ok bool) {
	raw := []byte(a.Arguments)
	if len(raw) == 0 || string(raw) == "null" {
		return "{}", true
	}
	r := newReader(raw)
	if r.peek() == '"' {
		text := r.text()
		if r.peek(); !r.ok || r.i < len(raw) || text == "" {
			return "", false
		}
		r = newReader([]byte(text))
	}
	if r.peek() != '{' {
		return "", false
	}
	out := r.canonical(make([]byte, 0, len(r.b)), 0)
	r.peek()
	return string(out), r.ok && r.i == len(r.b)
}

// canonical appends a value to out.
func (r *reader) canonical(out []byte, depth int) []byte {
	if depth > deepestArgument {
		r.fail()
		return out
	}
	switch r.peek() {
	case '{':
		return r.sorted(out, depth)
	case '[':
		from := len(out)
		r.list(func() {
			out = r.canonical(append(out, ','), depth+1)
		})
		if len(out) == from {
			return append(out, "[]"...)
		}
		out[from] = '['
		return append(out, ']')
	case '"':
		return text(out, r.text())
	case 't', 'f':
		if r.boolean() {
			return append(out, "true"...)
		}
		return append(out, "false"...)
	case 'n':
		r.word("null")
		return append(out, "null"...)
	}
	return append(out, r.number()...)
}

// sorted appends an object to out, its members by key.
func (r *reader) sorted(out []byte, depth int) []byte {
	type member struct {
		key   string
		value []byte
	}
	var all []member
	r.members(func(key string) { all = append(all, member{key, r.canonical(nil, depth+1)}) })
	slices.SortStableFunc(all, func(a, b member) int { return cmp.Compare(a.key, b.key) })
	out = append(out, '{')
	first := true
	for i, m := range all {
		if i+1 < len(all) && all[i+1].key == m.key {
			continue // the last one counts
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		out = append(append(text(out, m.key), ':'), m.value...)
	}
	return append(out, '}')
}
