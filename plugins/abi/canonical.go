package abi

import (
	"cmp"
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Canonical returns the arguments of a call as a text that is the same for equal objects.
// Members are sorted by key, there are no spaces, and numbers stay as written. There are
// three special cases:
//
//   - If several members have the same name, the last one counts.
//   - If the arguments are missing or null, the text is {}.
//   - If the arguments are a string, Canonical parses the string as JSON.
//
// ok is false if the result is not an object, or if it is nested deeper than MaxDepth.
func (a *Action) Canonical() (object string, ok bool) {
	raw := []byte(a.Arguments)
	if len(raw) == 0 || string(raw) == "null" {
		return "{}", true
	}
	v, err := jsonval.Parse(string(raw))
	if text, isText := v.Str(); isText {
		v, err = jsonval.Parse(text)
	}
	if err != nil || v.Kind() != jsonval.Object {
		return "", false
	}
	return string(appendCanonical(make([]byte, 0, len(raw)), v)), true
}

// appendCanonical appends the canonical text of a value to out.
func appendCanonical(out []byte, v jsonval.Value) []byte {
	switch v.Kind() {
	case jsonval.Object:
		return appendObject(out, v)
	case jsonval.Array:
		out = append(out, '[')
		from := len(out)
		v.Each(func(_ string, e jsonval.Value) bool {
			if len(out) > from {
				out = append(out, ',')
			}
			out = appendCanonical(out, e)
			return true
		})
		return append(out, ']')
	case jsonval.String:
		return append(out, jsonval.Quoted(v.Text())...)
	}
	return append(out, v.Raw()...)
}

// appendObject appends the canonical text of an object to out. The members are in the
// order of their keys.
func appendObject(out []byte, v jsonval.Value) []byte {
	type member struct {
		key   string
		value jsonval.Value
	}
	all := make([]member, 0, v.Len())
	v.Each(func(key string, m jsonval.Value) bool {
		all = append(all, member{key, m})
		return true
	})
	slices.SortStableFunc(all, func(a, b member) int { return cmp.Compare(a.key, b.key) })
	out = append(out, '{')
	from := len(out)
	for i, m := range all {
		if i+1 < len(all) && all[i+1].key == m.key {
			continue // the last member with a name counts
		}
		if len(out) > from {
			out = append(out, ',')
		}
		out = appendCanonical(append(append(out, jsonval.Quoted(m.key)...), ':'), m.value)
	}
	return append(out, '}')
}
