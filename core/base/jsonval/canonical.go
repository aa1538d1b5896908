package jsonval

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Canonical returns a canonical text of the value. Two values are equal exactly if their
// canonical texts are equal. Members are sorted by name, and of members with the same
// name only the first counts. Numbers are written as by Decimal. For Missing it returns
// "". O(n log n).
func (v Value) Canonical() string {
	if v.isScalar() {
		return v.canonicalScalar()
	}
	var b strings.Builder
	v.writeCanonical(&b)
	return b.String()
}

// Equal reports whether two values are equal. The members of an object may be in any
// order, but the elements of an array must be in the same order. Numbers are compared by
// value. For example, 5 equals 5.0, but 9007199254740993 does not equal 9007199254740992.
func Equal(a, b Value) bool {
	return a.Raw() == b.Raw() || a.Canonical() == b.Canonical()
}

func (v Value) isScalar() bool { k := v.Kind(); return k != Array && k != Object }

func (v Value) canonicalScalar() string {
	switch v.Kind() {
	case Number:
		return Decimal(v.Raw())
	case String:
		return canonicalString(v.Raw())
	}
	return v.Raw()
}

// canonicalString returns the canonical text of a string, given its raw text. A raw text
// without a backslash is canonical already.
func canonicalString(raw string) string {
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return Quoted(stringContent(raw))
}

// Quoted returns s as a canonical JSON string. It escapes only the characters that must
// be escaped.
func Quoted(s string) string {
	b := make([]byte, 0, len(s)+8)
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < 0x20:
			b = append(b, '\\', 'u', '0', '0', "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

func (v Value) writeCanonical(b *strings.Builder) {
	switch v.Kind() {
	case Array:
		b.WriteByte('[')
		first := true
		v.Each(func(_ string, e Value) bool {
			if !first {
				b.WriteByte(',')
			}
			first = false
			e.writeCanonical(b)
			return true
		})
		b.WriteByte(']')
	case Object:
		v.canonicalObject(b)
	default:
		b.WriteString(v.canonicalScalar())
	}
}

func (v Value) canonicalObject(b *strings.Builder) {
	b.WriteByte('{')
	for i, m := range v.sortedMembers() {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(Quoted(m.key))
		b.WriteByte(':')
		m.value.writeCanonical(b)
	}
	b.WriteByte('}')
}

type member struct {
	key   string
	value Value
}

// sortedMembers returns an object's members sorted by name. Of members with the same name
// it returns only the first.
func (v Value) sortedMembers() []member {
	all := make([]member, 0, v.Len())
	sorted := true
	v.Each(func(key string, value Value) bool {
		sorted = sorted && (len(all) == 0 || all[len(all)-1].key < key)
		all = append(all, member{key, value})
		return true
	})
	if sorted {
		return all
	}
	slices.SortStableFunc(all, func(a, b member) int { return strings.Compare(a.key, b.key) })
	out := all[:0]
	for _, m := range all {
		if len(out) == 0 || out[len(out)-1].key != m.key {
			out = append(out, m)
		}
	}
	return out
}

// Leaf is one scalar inside a value. Path is its position: member names are separated by
// dots, a name with dots or brackets is quoted, and [i] is element i of an array. The path
// of the value itself is "". Empty arrays and objects are leaves, too, so that the leaves
// contain everything.
type Leaf struct {
	Path  string
	Key   string // the nearest member name on the path; "" if there is none
	Value Value
}

// Leaves returns the scalars of a value, with the members of each object in the order of
// their names. O(n log n).
func (v Value) Leaves() []Leaf {
	if v.d == nil {
		return nil
	}
	out := make([]Leaf, 0, v.d.entryAfter(v.at)-v.at) // no more leaves than entries
	v.appendLeaves("", "", &out)
	return out
}

func (v Value) appendLeaves(path, key string, out *[]Leaf) {
	start := len(*out)
	switch v.Kind() {
	case Missing:
		return
	case Array:
		i := 0
		v.Each(func(_ string, e Value) bool {
			e.appendLeaves(path+"["+strconv.Itoa(i)+"]", key, out)
			i++
			return true
		})
	case Object:
		for _, m := range v.sortedMembers() {
			m.value.appendLeaves(Join(path, m.key), m.key, out)
		}
	}
	if len(*out) == start {
		*out = append(*out, Leaf{path, key, v})
	}
}

// Path returns the path of element i of the array in the top-level member named key, in
// the form of Leaf.Path. For example, Path("a", 0) is "a[0]".
func Path(key string, i int) string { return Join("", key) + "[" + strconv.Itoa(i) + "]" }

// Join returns the path of the member named key in the object whose path is given, in the
// form of Leaf.Path. For example, Join("a", "b") is "a.b".
func Join(path, key string) string {
	plain := key != ""
	for i := range len(key) {
		c := key[i]
		plain = plain && c != '.' && c != '[' && c != ']' && c != '"'
	}
	if !plain {
		return path + "[" + Quoted(key) + "]"
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// Decimal returns the canonical text of a JSON number: its sign, its digits without
// leading and trailing zeros, and a power of ten. For example, "5", "5.0" and "50e-1" all
// become "5e0". Every zero becomes "0". A number with a very large exponent is returned
// unchanged. O(n).
func Decimal(text string) string {
	sign := ""
	rest := strings.TrimPrefix(text, "-")
	if rest != text {
		sign = "-"
	}
	exponent := 0
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		n, err := strconv.Atoi(rest[i+1:])
		if err != nil || n > 1<<30 || n < -(1<<30) {
			return text
		}
		rest, exponent = rest[:i], n
	}
	whole, fraction, _ := strings.Cut(rest, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	exponent -= len(fraction)
	trimmed := strings.TrimRight(digits, "0")
	if trimmed == "" {
		return "0"
	}
	exponent += len(digits) - len(trimmed)
	return sign + trimmed + "e" + strconv.Itoa(exponent)
}

// AsFloat returns a JSON number after a conversion to a 64-bit float, as in JavaScript.
// The result same reports whether the value stays the same in the shortest decimal text.
// For example, 0.1 stays the same and 9007199254740993 does not. O(n).
func AsFloat(raw string) (float string, same bool) {
	f, err := strconv.ParseFloat(raw, 64)
	if err != nil || math.IsInf(f, 0) { // out of range
		if f < 0 {
			return "-Infinity", false
		}
		return "Infinity", false
	}
	float = strconv.FormatFloat(f, 'g', -1, 64)
	if f == math.Trunc(f) && math.Abs(f) < 1e21 {
		float = strconv.FormatFloat(f, 'f', -1, 64)
	}
	return float, Decimal(float) == Decimal(raw)
}

// Compact returns a JSON text on one line, without white space between its values. If a
// text is not JSON, it replaces each sequence of white space by one space. O(n).
func Compact(text string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(text)) != nil {
		return strings.Join(strings.Fields(text), " ")
	}
	return b.String()
}
