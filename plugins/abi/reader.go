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

// is sets ok to false if the value is not of the kind. It returns ok.
func (r *reader) is(v jsonval.Value, kind jsonval.Kind) bool {
	r.ok = r.ok && v.Kind() == kind
	return r.ok
}

// object calls member with each key and value of an object. encoding/json ignores the
// case of keys: it accepts OBSERVED as the member "observed". object does not decide
// this. It sets ok to false at each key for which ordinary returns false, so that
// encoding/json reads the text.
func (r *reader) object(v jsonval.Value, member func(key string, v jsonval.Value)) {
	r.members(v, func(key string, v jsonval.Value) {
		if r.ok = ordinary(key); r.ok {
			member(key, v)
		}
	})
}

// once does the same as object, but also sets ok to false if a key occurs a second
// time, because encoding/json would merge the two members.
func (r *reader) once(v jsonval.Value, member func(key string, v jsonval.Value)) {
	var seen []string
	r.object(v, func(key string, v jsonval.Value) {
		if r.ok = !slices.Contains(seen, key); r.ok {
			seen = append(seen, key)
			member(key, v)
		}
	})
}

// members calls member with each key and value of an object. Unlike object, it accepts
// any key.
func (r *reader) members(v jsonval.Value, member func(key string, v jsonval.Value)) {
	if r.is(v, jsonval.Object) {
		v.Each(func(key string, v jsonval.Value) bool {
			member(key, v)
			return r.ok
		})
	}
}

// ordinary reports whether the key is certainly not a member's name in another
// spelling, such as OBSERVED for "observed".
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

// all reads a list: it calls the function one for each element and returns the results.
// It returns nil for null.
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

// raw returns the bytes of a value, as a part of the text r.b. It sets ok to false for
// null.
func (r *reader) raw(v jsonval.Value) []byte {
	r.ok = r.ok && v.Kind() != jsonval.Null
	from, n := v.Offset(), len(v.Raw())
	return r.b[from : from+n : from+n]
}
