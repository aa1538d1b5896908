// Package jsonval is the only reader of JSON text inside the core. It checks a text
// before anything reads it, walks through values without decoding them, and compares
// values.
//
// Its design follows from three facts about JSON. An unchecked reader finds values in
// broken text, so Parse always validates first. A path language cannot name every key (a
// key may contain a dot), so members are walked and never looked up by a built path. And
// numbers do not survive float64 (9007199254740993 would equal …992), so they are
// compared as decimal text.
package jsonval

import (
	"math"
	"strconv"
)

// MaxDepth is the deepest nesting that Parse accepts. Traces have about a dozen levels.
// Readers of values recurse, so hostile depth must stop here.
const MaxDepth = 512

// Kind is the JSON type of a Value.
type Kind uint8

// The JSON types. Missing is the zero Value: there was no value.
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

// String returns the JSON name of the kind, "nothing" for Missing.
func (k Kind) String() string { return kindNames[k] }

// Value is one JSON value inside a checked text. The zero Value is Missing. A Value
// shares the text's memory and is immutable; it keeps the text and its index in memory.
type Value struct {
	d  *doc // nil if Missing
	at uint32
}

// Parse checks text and returns its value. The text must be one JSON value with nothing
// after it, valid UTF-8 except inside strings (see Sanitize), nested at most MaxDepth,
// shorter than 4 GiB. The error is a *SyntaxError. O(n).
func Parse(text string) (Value, error) {
	if uint64(len(text)) > maxText {
		return Value{}, &SyntaxError{Line: 1, Column: 1, Msg: "the text has 4 GiB or more"}
	}
	d := index(text)
	if d == nil {
		return Value{}, locate(text)
	}
	return Value{d: d}, nil
}

// Valid reports whether text is one JSON value, and nothing else, that Parse reads. O(n).
func Valid(text string) bool { return uint64(len(text)) <= maxText && index(text) != nil }

// Kind returns the JSON type; Missing for the zero Value. Inlined at its 200 call sites
// it would add 2 % to the wasm module.
//
//go:noinline
func (v Value) Kind() Kind {
	if v.d == nil {
		return Missing
	}
	return kinds[v.d.text[v.d.tape[v.at].start]]
}

// kinds holds the kind of a value by its first character.
var kinds = [256]Kind{
	'"': String, '{': Object, '[': Array, 't': Bool, 'f': Bool, 'n': Null, '-': Number,
	'0': Number, '1': Number, '2': Number, '3': Number, '4': Number,
	'5': Number, '6': Number, '7': Number, '8': Number, '9': Number,
}

// Exists reports whether there is a value (null is one).
func (v Value) Exists() bool { return v.d != nil }

// Raw returns the value's own text, byte for byte.
func (v Value) Raw() string {
	if v.d == nil {
		return ""
	}
	return v.d.text[v.d.tape[v.at].start:v.d.end(v.at)]
}

// Text returns a string's content, or the raw text of any other value; "" for Missing or
// null. O(length): keep the result rather than call it again.
func (v Value) Text() string {
	switch v.Kind() {
	case String:
		return content(v.Raw())
	case Missing, Null:
		return ""
	}
	return v.Raw()
}

// Str returns a string's content, and reports whether the value is a string.
func (v Value) Str() (string, bool) {
	if v.Kind() != String {
		return "", false
	}
	return content(v.Raw()), true
}

// Bool returns a boolean's value, and reports whether the value is a boolean.
func (v Value) Bool() (value, ok bool) {
	if v.Kind() != Bool {
		return false, false
	}
	return v.Raw() == "true", true
}

// Float returns a number rounded to float64, and reports whether the value is a number.
// Use it for measures (a reward), never to compare arguments.
func (v Value) Float() (float64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	f, _ := strconv.ParseFloat(v.Raw(), 64) // out of range: ±Inf
	return f, true
}

// Int returns a whole number's value, and reports whether the value is a whole number
// that fits.
func (v Value) Int() (int64, bool) {
	f, ok := v.Float()
	if !ok || f < -1<<63 || f >= 1<<63 || f != math.Trunc(f) {
		return 0, false
	}
	if n, err := strconv.ParseInt(v.Raw(), 10, 64); err == nil {
		return n, true
	}
	return int64(f), true
}

// Offset returns the offset of the value in the text that was passed to Parse.
func (v Value) Offset() int {
	if v.d == nil {
		return 0
	}
	return int(v.d.tape[v.at].start)
}
