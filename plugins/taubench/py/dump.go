package py

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Dumps is json.dumps(v): ", " and ": ", everything beyond ASCII escaped, floats
// as repr writes them.
func Dumps(v Value) string { return string(dump(make([]byte, 0, 512), v, false)) }

// Canonical is json.dumps(v, sort_keys=True): equal texts are equal states, as the
// benchmarks hash them. 5 and 5.0 differ, the order of keys does not.
func Canonical(v Value) string { return string(dump(make([]byte, 0, 512), v, true)) }

func dump(b []byte, v Value, sorted bool) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case string:
		return quote(b, v)
	case *List:
		b = append(b, '[')
		for i, item := range v.Items {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = dump(b, item, sorted)
		}
		return append(b, ']')
	case *Dict:
		b = append(b, '{')
		var order []int
		if sorted {
			order = v.order()
		}
		for i := range v.keys {
			if i > 0 {
				b = append(b, ", "...)
			}
			at := i
			if sorted {
				at = order[i]
			}
			b = append(quote(b, v.keys[at]), ": "...)
			b = dump(b, v.vals[at], sorted)
		}
		return append(b, '}')
	}
	return append(b, number(v)...)
}

// order is the places of the keys, sorted. Dicts are small, so they are inserted.
func (d *Dict) order() []int {
	out := make([]int, 0, len(d.keys))
	for i, key := range d.keys {
		at := len(out)
		for at > 0 && d.keys[out[at-1]] > key {
			at--
		}
		out = slices.Insert(out, at, i)
	}
	return out
}

func quote(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		if c := s[i]; c >= ' ' && c != '"' && c != '\\' && c < 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		b = append(b, s[start:i]...)
		b = escape(b, r)
		i += n
		start = i
	}
	return append(append(b, s[start:]...), '"')
}

func escape(b []byte, r rune) []byte {
	if at := strings.IndexRune("\"\\\b\f\n\r\t", r); at >= 0 {
		return append(b, '\\', `"\bfnrt`[at])
	}
	if r > 0xffff {
		hi, lo := utf16.EncodeRune(r)
		return hex(hex(b, hi), lo)
	}
	return hex(b, r)
}

func hex(b []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// number is repr of an int or a float.
func number(v Value) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case Long:
		return string(v)
	case float64:
		return float(v)
	}
	return "?"
}

// float is repr(float): shortest that reads back, exponent below 1e-4 and from 1e16.
func float(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return map[bool]string{true: "inf", false: "-inf"}[f > 0]
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if strings.IndexByte(s, '.') < 0 {
		s += ".0"
	}
	return s
}

// Str is str(v): a string as it is, anything else as repr.
func Str(v Value) string {
	if s, ok := v.(string); ok {
		return s
	}
	return Repr(v)
}

// Repr is repr(v), as it stands in the text of an exception.
func Repr(v Value) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case string:
		return reprString(v)
	case *List:
		parts := make([]string, len(v.Items))
		for i, item := range v.Items {
			parts[i] = Repr(item)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case *Dict:
		parts := make([]string, v.Len())
		for i, k := range v.keys {
			parts[i] = reprString(k) + ": " + Repr(v.vals[i])
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return number(v)
}

// reprString prefers single quotes, as Python does. What Python holds to be
// unprintable is escaped for the control characters only.
func reprString(s string) string {
	q := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		q = '"'
	}
	b := []byte{q}
	for _, r := range s {
		switch {
		case r == rune(q) || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n' || r == '\r' || r == '\t':
			b = append(b, '\\', "trn"[map[rune]int{'\t': 0, '\r': 1, '\n': 2}[r]])
		case r < ' ' || r == 0x7f:
			b = append(b, '\\', 'x', "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return string(append(b, q))
}
