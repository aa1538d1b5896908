package abi

import (
	"slices"
	"strconv"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// reader reads values as encoding/json would, each member with one type. If it meets
// anything unusual or wrong, it sets ok to false. The caller then decodes the whole
// text with encoding/json, which is a dozen times slower in a guest and reports what is
// wrong. A fuzz test compares the two.
type reader struct {
	b  []byte // the text that is read
	ok bool
}

// open parses a whole text.
func (r *reader) open(b []byte) jsonval.Value {
	v, err := jsonval.Parse(string(b))
	r.b, r.ok = b, err == nil
	return v
}

// is reports whether the value is of the kind. If not, it sets ok to false.
func (r *reader) is(v jsonval.Value, kind jsonval.Kind) bool {
	r.ok = r.ok && v.Kind() == kind
	return r.ok
}

// object calls member with each key and value. encoding/json also accepts OBSERVED for
// observed. A key that could be another spelling of a member is left to encoding/json.
func (r *reader) object(v jsonval.Value, member func(key string, v jsonval.Value)) {
	r.members(v, func(key string, v jsonval.Value) {
		if r.ok = ordinary(key); r.ok {
			member(key, v)
		}
	})
}

// once reads an object like object, but sets ok to false if a key stands twice:
// encoding/json would merge the two members.
func (r *reader) once(v jsonval.Value, member func(key string, v jsonval.Value)) {
	var seen []string
	r.object(v, func(key string, v jsonval.Value) {
		if r.ok = !slices.Contains(seen, key); r.ok {
			seen = append(seen, key)
			member(key, v)
		}
	})
}

// members reads an object like object, but accepts any key.
func (r *reader) members(v jsonval.Value, member func(key string, v jsonval.Value)) {
	if r.is(v, jsonval.Object) {
		v.Each(func(key string, v jsonval.Value) bool {
			member(key, v)
			return r.ok
		})
	}
}

// ordinary reports whether the key cannot be another spelling of a member.
func ordinary(key string) bool {
	switch key {
	case "stateEqual", "stateChanged", "outputEqual":
		return true
	case "stateequal", "statechanged", "outputequal":
		return false
	}
	for i := range len(key) {
		if c := key[i]; c >= 0x80 || c >= 'A' && c <= 'Z' {
			return false
		}
	}
	return true
}

// all reads a list with one for each element. It returns nil for null.
func all[T any](r *reader, v jsonval.Value, one func(jsonval.Value) T) []T {
	if v.Kind() == jsonval.Null || !r.is(v, jsonval.Array) {
		return nil
	}
	out := make([]T, 0, v.Len())
	v.Each(func(_ string, v jsonval.Value) bool {
		out = append(out, one(v))
		return r.ok
	})
	return out
}

func (r *reader) text(v jsonval.Value) string {
	r.is(v, jsonval.String)
	return v.Text()
}

func (r *reader) boolean(v jsonval.Value) bool {
	r.is(v, jsonval.Bool)
	b, _ := v.Bool()
	return b
}

func (r *reader) integer(v jsonval.Value) int {
	n, err := strconv.Atoi(v.Raw())
	r.ok = r.ok && err == nil
	return n
}

func (r *reader) float(v jsonval.Value) float64 {
	if !r.is(v, jsonval.Number) {
		return 0
	}
	n, err := strconv.ParseFloat(v.Raw(), 64)
	r.ok = err == nil
	return n
}

// raw returns the bytes of any value except null. They share the text that is read.
func (r *reader) raw(v jsonval.Value) []byte {
	r.ok = r.ok && v.Kind() != jsonval.Null
	from, n := v.Offset(), len(v.Raw())
	return r.b[from : from+n : from+n]
}
