// Package jsonval is the only reader of JSON text inside the core. It validates a text,
// visits values without decoding them, and compares values.
//
// Its design follows from three facts about JSON. A reader that does not validate finds
// values in invalid text, so Parse always validates first. A path language cannot express
// every key, because a key may contain a dot. So code calls Each and Get, and never builds
// a path to look up a member. Numbers lose digits in float64 (9007199254740993 would equal
// 9007199254740992), so they are compared as decimal text.
package jsonval

import (
	"math"
	"strconv"
)

// MaxDepth is the deepest nesting that Parse accepts. Traces have about a dozen levels.
// Functions that read values are recursive, so Parse must refuse a text that is made to
// exhaust the stack.
const MaxDepth = 512

// Kind is the JSON type of a Value.
type Kind uint8

// The JSON types. Missing is the kind of the zero Value, which means that there is no value.
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

// String returns the JSON name of the kind, or "nothing" for Missing.
func (k Kind) String() string { return kindNames[k] }

// Value is one JSON value inside a valid text. The zero Value is Missing. A Value is
// immutable and shares the text's memory, so it keeps the text and the text's index in
// memory.
type Value struct {
	d  *doc // nil if Missing
	at uint32
}

// Parse validates text and returns its value. The text must be one JSON value with
// nothing after it. It must be valid UTF-8 outside strings (see Sanitize), nested at most
// MaxDepth levels deep, and shorter than 4 GiB. With errors.As, the error is a *SyntaxError. O(n).
func Parse(text string) (Value, error) {
	if uint64(len(text)) > maxText {
		return Value{}, &SyntaxError{Line: 1, Column: 1, Msg: "the text has 4 GiB or more"}
	}
	d := buildIndex(text)
	if d == nil {
		return Value{}, invalid(text)
	}
	return Value{d: d}, nil
}

// Valid reports whether Parse accepts text. O(n).
func Valid(text string) bool { return uint64(len(text)) <= maxText && buildIndex(text) != nil }

// Kind returns the JSON type of the value, or Missing for the zero Value. It is not
// inlined, because at its 200 call sites this would add 2 % to the wasm module.
//
//go:noinline
func (v Value) Kind() Kind {
	if v.d == nil {
		return Missing
	}
	return kinds[v.d.text[v.d.tape[v.at].start]]
}

// kinds contains the kind of a value by the value's first character.
var kinds = [256]Kind{
	'"': String, '{': Object, '[': Array, 't': Bool, 'f': Bool, 'n': Null, '-': Number,
	'0': Number, '1': Number, '2': Number, '3': Number, '4': Number,
	'5': Number, '6': Number, '7': Number, '8': Number, '9': Number,
}

// Exists reports whether the value is not Missing. It is true for null.
func (v Value) Exists() bool { return v.d != nil }

// Raw returns the value's text as it is in the source, byte for byte. It returns "" for
// Missing.
func (v Value) Raw() string {
	if v.d == nil {
		return ""
	}
	return v.d.text[v.d.tape[v.at].start:v.d.valueEnd(v.at)]
}

// Text returns a string's content, "" for Missing and null, and the raw text of any other
// value. O(length), so callers should keep the result.
func (v Value) Text() string {
	if v.d == nil {
		return ""
	}
	e := v.d.tape[v.at]
	switch v.d.text[e.start] {
	case '"':
		return stringContent(v.d.text[e.start:e.end])
	case 'n':
		return ""
	}
	return v.Raw()
}

// Str returns a string's content, and reports whether the value is a string.
func (v Value) Str() (string, bool) {
	if v.d == nil {
		return "", false
	}
	e := v.d.tape[v.at]
	if v.d.text[e.start] != '"' {
		return "", false
	}
	return stringContent(v.d.text[e.start:e.end]), true
}

// Bool returns a boolean's value, and reports whether the value is a boolean.
func (v Value) Bool() (value, ok bool) {
	if v.Kind() != Bool {
		return false, false
	}
	return v.Raw() == "true", true
}

// Float returns a number rounded to float64, and reports whether the value is a number.
// Use it for measured values such as a reward. Never use it to compare arguments.
func (v Value) Float() (float64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	f, _ := strconv.ParseFloat(v.Raw(), 64) // out of range: ±Inf
	return f, true
}

// Int returns the value of a whole number. ok is false if the value is not a whole
// number, or does not fit into int64.
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
