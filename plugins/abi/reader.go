package abi

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"github.com/boundcheck/boundcheck/plugins/internal/plain"
)

// reader walks over JSON that is as hosts write it. It gives up (ok is false) at
// whatever is out of the ordinary or wrong: the caller then decodes the whole with
// encoding/json, which is a dozen times as slow in a guest and says what is wrong.
// What it accepts it reads as encoding/json does; a fuzz test holds it to that.
type reader struct {
	b   []byte
	s   string // b; strings without escapes are parts of it
	out []byte // strings with escapes, one after another; never longer than b
	i   int
	ok  bool
}

func newReader(b []byte) *reader { return &reader{b: b, s: string(b), ok: true} }

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

// object calls member with each key; it must read the value. encoding/json also takes
// OBSERVED for observed: a key that could be another spelling is left to it.
func (r *reader) object(member func(key string)) {
	r.members(func(key string) {
		if !ordinary(key) {
			r.fail()
			return
		}
		member(key)
	})
}

// once is object for one whose members are merged by encoding/json where a key stands twice.
func (r *reader) once(member func(key string)) {
	var seen []string
	r.object(func(key string) {
		if slices.Contains(seen, key) {
			r.fail()
			return
		}
		seen = append(seen, key)
		member(key)
	})
}

// members is object for keys that are anything.
func (r *reader) members(member func(key string)) {
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

// ordinary tells a key that no other spelling of a member could be.
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

// list calls item before each element; it must read it. false is null.
func (r *reader) list(item func()) bool {
	if r.peek(); r.at('n') {
		r.word("null")
		return false
	}
	r.take('[')
	if r.peek() == ']' {
		r.i++
		return true
	}
	for r.ok {
		item()
		if r.peek() != ',' {
			break
		}
		r.i++
	}
	r.take(']')
	return true
}

// text reads a string in one pass: escapes stand close in what environments answer.
func (r *reader) text() string {
	r.take('"')
	i := plain.Run(r.s, r.i)
	switch {
	case i == len(r.s) || r.s[i] < ' ':
		r.fail()
		return ""
	case r.s[i] == '\\':
		return r.escapedText(i)
	}
	text := r.s[r.i:i]
	r.i = i + 1
	return text
}

// escapedText reads on in a string whose first escape is at i. Strings share r.out, which
// is never written to twice: it has room for all that b holds.
func (r *reader) escapedText(i int) string {
	if r.out == nil {
		r.out = make([]byte, 0, len(r.b)-r.i)
	}
	out, start, s := r.out, len(r.out), r.s
	for from := r.i; i < len(s) && s[i] >= ' '; i = plain.Run(s, from) {
		out = append(out, s[from:i]...)
		if s[i] == '"' {
			r.i, r.out = i+1, out
			return unsafe.String(&out[start], len(out)-start)
		}
		n := 0
		if out, n = unescape(out, s[i:]); n == 0 {
			break
		}
		from = i + n
	}
	r.fail()
	return ""
}

// unescape writes what an escape stands for and gives its length, 0 where it is none.
func unescape(out []byte, s string) ([]byte, int) {
	if len(s) < 2 {
		return out, 0
	}
	switch c := s[1]; c {
	case '"', '\\', '/':
		out = append(out, c)
	case 'b':
		out = append(out, '\b')
	case 'f':
		out = append(out, '\f')
	case 'n':
		out = append(out, '\n')
	case 'r':
		out = append(out, '\r')
	case 't':
		out = append(out, '\t')
	case 'u':
		if hex4(s[2:]) < 0 {
			return out, 0
		}
		char, size := escaped(s)
		return utf8.AppendRune(out, char), size
	default:
		return out, 0
	}
	return out, 2
}

// quoted steps over a string.
func (r *reader) quoted() {
	r.take('"')
	for s := r.s; ; {
		i := plain.Run(s, r.i)
		if i == len(s) || s[i] < ' ' {
			r.fail()
			return
		}
		if r.i = i + 1; s[i] == '"' {
			return
		}
		if r.i >= len(s) || strings.IndexByte(`"\/bfnrtu`, s[r.i]) < 0 || s[r.i] == 'u' && hex4(s[r.i+1:]) < 0 {
			r.fail()
			return
		}
		r.i++
	}
}

// escaped reads \uXXXX, or a pair of them; half a pair is U+FFFD.
func escaped(s string) (char rune, size int) {
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

func hex4(s string) (n rune) {
	if len(s) < 4 {
		return -1
	}
	for _, c := range []byte(s[:4]) {
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
