// Package jsonval is the one door to JSON text inside the core: it checks a
// text before anything reads it, walks values without decoding them, and says
// when two values are the same.
//
// It is the only importer of gjson below core/. Three facts about JSON on the
// wire decide its shape: an unchecked reader finds values in broken text, so
// Parse always validates first; a path language cannot name every key (a key
// may hold a dot), so members are walked and never looked up by a built path;
// and numbers do not survive float64 (9007199254740993 would equal …992), so
// they are compared as decimal text.
package jsonval

import (
	"strings"

	"github.com/tidwall/gjson"
)

// MaxDepth is the deepest nesting that Parse accepts. Traces nest a dozen
// levels; the readers below recurse, so hostile depth must stop here.
const MaxDepth = 512

// Kind is the JSON type of a Value.
type Kind uint8

// The JSON types. Missing is the zero Value: nothing was there at all.
const (
	Missing Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"nothing", "null", "boolean", "number", "string", "array", "object"}

// String gives the JSON name of the kind, "nothing" for Missing.
func (k Kind) String() string { return kindNames[k] }

// Value is one JSON value inside a checked text. The zero Value is Missing. A
// Value shares the text's memory and is immutable.
type Value struct{ r gjson.Result }

// Parse checks text and gives its value. The text is one JSON value with
// nothing behind it, valid UTF-8 apart from strings' insides (see Sanitize),
// nested at most MaxDepth. The error is a *SyntaxError. O(n).
func Parse(text string) (Value, error) {
	if err := checkDepth(text); err != nil {
		return Value{}, err
	}
	if !gjson.Valid(text) {
		return Value{}, locate(text)
	}
	return Value{gjson.Parse(text)}, nil
}

// Valid tells whether text is one JSON value, and nothing else; the yardstick of
// the benchmarks. It recurses as deep as the text nests.
func Valid(text string) bool { return gjson.Valid(text) }

// Kind tells the JSON type; Missing for the zero Value.
func (v Value) Kind() Kind {
	switch v.r.Type {
	case gjson.Null:
		if v.r.Raw == "" {
			return Missing
		}
		return Null
	case gjson.False, gjson.True:
		return Bool
	case gjson.Number:
		return Number
	case gjson.String:
		return String
	}
	if strings.HasPrefix(strings.TrimLeft(v.r.Raw, " \t\r\n"), "[") {
		return Array
	}
	return Object
}

// Exists tells whether there is a value at all (null is one).
func (v Value) Exists() bool { return v.r.Raw != "" }

// Raw is the value's own text, byte for byte as it stood.
func (v Value) Raw() string { return v.r.Raw }

// Text is a string's content, and the raw text of anything else; "" when
// Missing or null.
func (v Value) Text() string {
	switch v.Kind() {
	case String:
		return v.r.Str
	case Missing, Null:
		return ""
	}
	return v.r.Raw
}

// Str is a string's content, and whether the value is a string.
func (v Value) Str() (string, bool) { return v.r.Str, v.r.Type == gjson.String }

// Bool is a boolean's value, and whether the value is one.
func (v Value) Bool() (value, ok bool) {
	return v.r.Type == gjson.True, v.r.Type == gjson.True || v.r.Type == gjson.False
}

// Float is a number rounded to float64, and whether the value is a number. Use
// it for measures (a reward), never to compare arguments.
func (v Value) Float() (float64, bool) { return v.r.Num, v.r.Type == gjson.Number }

// Int is a whole number's value, and whether the value is one that fits.
func (v Value) Int() (int64, bool) {
	if v.r.Type != gjson.Number || v.r.Num != float64(int64(v.r.Num)) {
		return 0, false
	}
	return v.r.Int(), true
}

// Offset is where the value begins in the text that its parent was read from.
func (v Value) Offset() int { return v.r.Index }

// Each calls fn for every member of an object (in text order, duplicates
// included) or element of an array (key ""), until fn returns false.
func (v Value) Each(fn func(key string, member Value) bool) {
	if v.r.Type != gjson.JSON {
		return
	}
	v.r.ForEach(func(k, m gjson.Result) bool { return fn(k.Str, Value{m}) })
}

// Get gives an object's first member of exactly that name; Missing without
// one. O(size of the object); read several members with Each.
func (v Value) Get(name string) Value {
	var found Value
	if v.Kind() != Object {
		return found
	}
	v.Each(func(key string, member Value) bool {
		if key == name {
			found = member
			return false
		}
		return true
	})
	return found
}

// At follows member names from v, as repeated Get does.
func (v Value) At(names ...string) Value {
	for _, name := range names {
		v = v.Get(name)
	}
	return v
}

// Elements lists an array's elements; nil for anything else.
func (v Value) Elements() []Value {
	if v.Kind() != Array {
		return nil
	}
	var out []Value
	v.Each(func(_ string, e Value) bool { out = append(out, e); return true })
	return out
}

// Len counts an array's elements or an object's members; 0 otherwise.
func (v Value) Len() int {
	n := 0
	v.Each(func(string, Value) bool { n++; return true })
	return n
}

// Keys lists an object's member names in text order.
func (v Value) Keys() []string {
	var out []string
	if v.Kind() == Object {
		v.Each(func(key string, _ Value) bool { out = append(out, key); return true })
	}
	return out
}
