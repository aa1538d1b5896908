package abi

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// reader walks over JSON that is as hosts write it. It gives up (ok is false) at
// whatever is out of the ordinary or wrong: the caller then decodes the whole with
// encoding/json, which is a dozen times as slow in a guest and says what is wrong.
// What it accepts it reads as encoding/json does; a fuzz test holds it to that.
type reader struct {
	b  []byte
	i  int
	ok bool
}

// deepest is how far values may nest.
const deepest = 100

func (r *reader) fail() { r.ok, r.i = false, len(r.b) }

// peek skips blanks and gives the byte there, 0 at the end.
func (r *reader) peek() byte {
	for ; r.i < len(r.b); r.i++ {
		switch c := r.b[r.i]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// take steps over a byte that has to stand there.
func (r *reader) take(c byte) {
	if r.peek() != c {
		r.fail()
		return
	}
	r.i++
}

// object calls member with each key; it must read the value.
func (r *reader) object(member func(key string)) {
	r.take('{')
	if r.peek() == '}' {
		r.i++
		return
	}
	for r.ok {
		key := r.text()
		r.take(':')
		if r.peek(); r.ok {
			member(key)
		}
		if r.peek() != ',' {
			break
		}
		r.i++
	}
	r.take('}')
}

// list calls item before each element; it must read it.
func (r *reader) list(item func()) {
	r.take('[')
	if r.peek() == ']' {
		r.i++
		return
	}
	for r.ok {
		item()
		if r.peek() != ',' {
			break
		}
		r.i++
	}
	r.take(']')
}

// text reads a string in one pass: escapes stand close in what environments answer.
func (r *reader) text() string {
	r.take('"')
	var out strings.Builder
	from := r.i
	for i := from; i < len(r.b); {
		switch c := r.b[i]; {
		case c == '"':
			r.i = i + 1
			if out.Len() == 0 {
				return string(r.b[from:i])
			}
			out.Write(r.b[from:i])
			return out.String()
		case c == '\\':
			if out.Len() == 0 {
				out.Grow(2*(i-from) + 256)
			}
			out.Write(r.b[from:i])
			n := unescape(&out, r.b[i:])
			if n == 0 {
				r.fail()
				return ""
			}
			i += n
			from = i
		case c < ' ':
			r.fail()
			return ""
		default:
			i++
		}
	}
	r.fail()
	return ""
}

// unescape writes what an escape stands for and gives its length, 0 where it is none.
func unescape(out *strings.Builder, s []byte) int {
	if len(s) < 2 {
		return 0
	}
	switch c := s[1]; c {
	case '"', '\\', '/':
		out.WriteByte(c)
	case 'b':
		out.WriteByte('\b')
	case 'f':
		out.WriteByte('\f')
	case 'n':
		out.WriteByte('\n')
	case 'r':
		out.WriteByte('\r')
	case 't':
		out.WriteByte('\t')
	case 'u':
		if hex4(s[2:]) < 0 {
			return 0
		}
		char, size := escaped(s)
		out.WriteRune(char)
		return size
	default:
		return 0
	}
	return 2
}

// quoted steps over a string.
func (r *reader) quoted() {
	r.take('"')
	for i := r.i; i < len(r.b); i++ {
		switch c := r.b[i]; {
		case c == '"':
			r.i = i + 1
			return
		case c == '\\':
			i++
			if i >= len(r.b) || bytes.IndexByte([]byte(`"\/bfnrtu`), r.b[i]) < 0 || r.b[i] == 'u' && hex4(r.b[i+1:]) < 0 {
				r.fail()
				return
			}
		case c < ' ':
			r.fail()
			return
		}
	}
	r.fail()
}

// escaped reads \uXXXX, or a pair of them; half a pair is U+FFFD.
func escaped(s []byte) (char rune, size int) {
	char = hex4(s[2:])
	if !utf16.IsSurrogate(char) {
		return char, 6
	}
	if len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
		if pair := utf16.DecodeRune(char, hex4(s[8:])); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

func hex4(s []byte) (n rune) {
	if len(s) < 4 {
		return -1
	}
	for _, c := range s[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		n = n<<4 | rune(c)
	}
	return n
}

func (r *reader) boolean() bool {
	if r.peek() == 't' {
		r.word("true")
		return r.ok
	}
	r.word("false")
	return false
}

func (r *reader) word(w string) {
	if !bytes.HasPrefix(r.b[r.i:], []byte(w)) {
		r.fail()
		return
	}
	r.i += len(w)
}

func (r *reader) integer() int {
	n, err := strconv.Atoi(string(r.number()))
	if err != nil {
		r.fail()
	}
	return n
}

func (r *reader) float() float64 {
	n, err := strconv.ParseFloat(string(r.number()), 64)
	if err != nil {
		r.fail()
	}
	return n
}

// number steps over a number of JSON's grammar.
func (r *reader) number() []byte {
	r.peek()
	start := r.i
	if r.at('-') {
		r.i++
	}
	if r.at('0') {
		r.i++
	} else {
		r.digits()
	}
	if r.at('.') {
		r.i++
		r.digits()
	}
	if r.at('e') || r.at('E') {
		r.i++
		if r.at('+') || r.at('-') {
			r.i++
		}
		r.digits()
	}
	if !r.ok {
		return nil
	}
	return r.b[start:r.i]
}

func (r *reader) at(c byte) bool { return r.i < len(r.b) && r.b[r.i] == c }

func (r *reader) digits() {
	start := r.i
	for r.i < len(r.b) && r.b[r.i] >= '0' && r.b[r.i] <= '9' {
		r.i++
	}
	if r.i == start {
		r.fail()
	}
}

// raw gives the bytes of any value but null, which share the request's.
func (r *reader) raw() []byte {
	r.peek()
	start := r.i
	if r.at('n') {
		r.fail()
	}
	r.skip(0)
	if !r.ok {
		return nil
	}
	return r.b[start:r.i:r.i]
}

// skip steps over a value.
func (r *reader) skip(depth int) {
	if depth > deepest {
		r.fail()
		return
	}
	switch r.peek() {
	case '{':
		r.i++
		if r.peek() == '}' {
			r.i++
			return
		}
		for r.ok {
			r.quoted()
			r.take(':')
			r.skip(depth + 1)
			if r.peek() != ',' {
				break
			}
			r.i++
		}
		r.take('}')
	case '[':
		r.list(func() { r.skip(depth + 1) })
	case '"':
		r.quoted()
	case 't', 'f':
		r.boolean()
	case 'n':
		r.word("null")
	default:
		r.number()
	}
}
