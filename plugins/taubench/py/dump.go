package py

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Dumps returns the same text as Python's json.dumps(v). The separators are ", " and ":
// ". Characters beyond ASCII are escaped, and floats are written as repr writes them.
func Dumps(v Value) string { return string(appendDump(make([]byte, 0, 512), v, false)) }

// Canonical returns the same text as Python's json.dumps(v, sort_keys=True). The
// benchmarks compare states by this text. So 5 and 5.0 differ, and the order of keys does
// not matter.
func Canonical(v Value) string { return string(appendDump(make([]byte, 0, 512), v, true)) }

// Reads reports whether text is equal to Dumps(v). It does not build the text of
// Dumps(v).
func Reads(text string, v Value) bool {
	rest, ok := matchDump(text, v)
	return ok && rest == ""
}

// matchDump removes Dumps(v) from the front of text. ok is false if text does not begin
// with Dumps(v).
func matchDump(text string, v Value) (rest string, ok bool) {
	switch v := v.(type) {
	case string:
		return matchQuoted(text, v)
	case *List:
		if text, ok = strings.CutPrefix(text, "["); !ok {
			return "", false
		}
		for i, item := range v.Items {
			if i > 0 {
				if text, ok = strings.CutPrefix(text, ", "); !ok {
					return "", false
				}
			}
			if text, ok = matchDump(text, item); !ok {
				return "", false
			}
		}
		return strings.CutPrefix(text, "]")
	case *Dict:
		if text, ok = strings.CutPrefix(text, "{"); !ok {
			return "", false
		}
		for i := range v.members {
			if i > 0 {
				if text, ok = strings.CutPrefix(text, ", "); !ok {
					return "", false
				}
			}
			if text, ok = matchQuoted(text, v.members[i].key); !ok {
				return "", false
			}
			if text, ok = strings.CutPrefix(text, ": "); !ok {
				return "", false
			}
			if text, ok = matchDump(text, v.members[i].value); !ok {
				return "", false
			}
		}
		return strings.CutPrefix(text, "}")
	}
	var scratch [32]byte
	return strings.CutPrefix(text, string(appendDump(scratch[:0], v, false)))
}

// matchQuoted removes the string s, quoted as in JSON, from the front of text. ok is
// false if text does not begin with this quoted string.
func matchQuoted(text, s string) (rest string, ok bool) {
	if len(text) >= len(s)+2 && text[0] == '"' && text[len(s)+1] == '"' && text[1:len(s)+1] == s && plainEnd(s, 0) == len(s) {
		return text[len(s)+2:], true
	}
	return strings.CutPrefix(text, string(appendQuoted(nil, s)))
}

func appendDump(b []byte, v Value, sorted bool) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case string:
		return appendQuoted(b, v)
	case *List:
		b = append(b, '[')
		for i, item := range v.Items {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendDump(b, item, sorted)
		}
		return append(b, ']')
	case *Dict:
		var places [16]int
		order := places[:0]
		if sorted {
			order = v.appendOrder(order)
		}
		b = append(b, '{')
		for i := range v.members {
			at := i
			if sorted {
				at = order[i]
			}
			if i > 0 {
				b = append(b, ", "...)
			}
			b = append(appendQuoted(b, v.members[at].key), ": "...)
			b = appendDump(b, v.members[at].value, sorted)
		}
		return append(b, '}')
	}
	return append(b, reprNumber(v)...)
}

// appendOrder appends the indices of the members to out. The indices are sorted by the
// keys of the members.
func (d *Dict) appendOrder(out []int) []int {
	for i := range d.members {
		at := len(out)
		out = append(out, i)
		for ; at > 0 && d.members[out[at-1]].key > d.members[i].key; at-- {
			out[at] = out[at-1]
		}
		out[at] = i
	}
	return out
}

func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := plainEnd(s, 0); i < len(s); i = plainEnd(s, i) {
		r, n := utf8.DecodeRuneInString(s[i:])
		b = append(b, s[start:i]...)
		b = appendEscape(b, r)
		i += n
		start = i
	}
	return append(append(b, s[start:]...), '"')
}

func appendEscape(b []byte, r rune) []byte {
	if at := strings.IndexRune("\"\\\b\f\n\r\t", r); at >= 0 {
		return append(b, '\\', `"\bfnrt`[at])
	}
	if r > 0xffff {
		hi, lo := utf16.EncodeRune(r)
		return appendHex(appendHex(b, hi), lo)
	}
	return appendHex(b, r)
}

func appendHex(b []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// reprNumber returns repr of an int or a float.
func reprNumber(v Value) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case Long:
		return string(v)
	case float64:
		return reprFloat(v)
	}
	return "?"
}

// reprFloat returns the same text as Python's repr of a float. This is the shortest text
// that parses to the same value. The text has an exponent if the absolute value is less
// than 1e-4 or at least 1e16.
func reprFloat(f float64) string {
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

// Str returns the same text as Python's str(v). A string stays unchanged, and any other
// value becomes its repr.
func Str(v Value) string {
	if s, ok := v.(string); ok {
		return s
	}
	return Repr(v)
}

// Repr returns the same text as Python's repr(v).
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
		for i := range v.members {
			key, item := v.At(i)
			parts[i] = reprString(key) + ": " + Repr(item)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return reprNumber(v)
}

// reprString returns the text of Python's repr(s). It prefers single quotes, as Python
// does. It escapes control characters, but no other unprintable characters.
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
