package abi

import (
	"slices"
	"strconv"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// reader reads values as encoding/json would, each member with one type. If it meets
// anything unusual or wrong, it sets ok to false. The caller then decodes the whole
// text with encoding/json, which is a dozen times slower in a guest and reports what is
// wrong. A fuzz test compares the two.
type reader struct {
	b  []byte // the text that is read
	ok bool
}

// parseText parses a whole text and stores it in r.b. It sets r.ok to false if the text is
// not JSON.
func (r *reader) parseText(b []byte) jsonval.Value {
	v, err := jsonval.Parse(string(b))
	r.b, r.ok = b, err == nil
	return v
}

// checkKind reports whether no error has occurred so far and the value v is of the given
// kind. It stores the result in r.ok.
func (r *reader) checkKind(v jsonval.Value, kind jsonval.Kind) bool {
	r.ok = r.ok && v.Kind() == kind
	return r.ok
}

// readObject calls the function member with each key and value of an object. At a key
// that isOrdinaryKey does not accept, it stops and sets r.ok to false. The caller must
// then use encoding/json, which ignores the case of keys.
func (r *reader) readObject(v jsonval.Value, member func(key string, v jsonval.Value)) {
	r.readMembers(v, func(key string, v jsonval.Value) {
		if r.ok = isOrdinaryKey(key); r.ok {
			member(key, v)
		}
	})
}

// readUnique calls the function member with each key and value of an object, as
// readObject does. It also stops and sets r.ok to false if a key occurs a second time,
// because encoding/json would merge the two members.
func (r *reader) readUnique(v jsonval.Value, member func(key string, v jsonval.Value)) {
	var seen []string
	r.readObject(v, func(key string, v jsonval.Value) {
		if r.ok = !slices.Contains(seen, key); r.ok {
			seen = append(seen, key)
			member(key, v)
		}
	})
}

// readMembers calls the function member with each key and value of an object. Unlike the
// method readObject, it accepts any key.
func (r *reader) readMembers(v jsonval.Value, member func(key string, v jsonval.Value)) {
	if r.checkKind(v, jsonval.Object) {
		v.Each(func(key string, v jsonval.Value) bool {
			member(key, v)
			return r.ok
		})
	}
}

// isOrdinaryKey reports whether a key has a usual spelling. It returns false for a key
// that may be another spelling of a member's name. For example, encoding/json accepts
// OBSERVED as the member "observed".
func isOrdinaryKey(key string) bool {
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

// readList reads a list. It calls the function one for each element and returns the
// results of these calls. It returns nil for null. If v is neither a list nor null, it
// returns nil and sets r.ok to false.
func readList[T any](r *reader, v jsonval.Value, one func(jsonval.Value) T) []T {
	if v.Kind() == jsonval.Null || !r.checkKind(v, jsonval.Array) {
		return nil
	}
	out := make([]T, 0, v.Len())
	v.Each(func(_ string, v jsonval.Value) bool {
		out = append(out, one(v))
		return r.ok
	})
	return out
}

func (r *reader) readText(v jsonval.Value) string {
	r.checkKind(v, jsonval.String)
	return v.Text()
}

func (r *reader) readBool(v jsonval.Value) bool {
	r.checkKind(v, jsonval.Bool)
	b, _ := v.Bool()
	return b
}

func (r *reader) readInt(v jsonval.Value) int {
	n, err := strconv.Atoi(v.Raw())
	r.ok = r.ok && err == nil
	return n
}

func (r *reader) readFloat(v jsonval.Value) float64 {
	if !r.checkKind(v, jsonval.Number) {
		return 0
	}
	n, err := strconv.ParseFloat(v.Raw(), 64)
	r.ok = err == nil
	return n
}

// readRaw returns the bytes of a value, as a part of the text r.b. It sets r.ok to false
// for null.
func (r *reader) readRaw(v jsonval.Value) []byte {
	r.ok = r.ok && v.Kind() != jsonval.Null
	from, n := v.Offset(), len(v.Raw())
	return r.b[from : from+n : from+n]
}
