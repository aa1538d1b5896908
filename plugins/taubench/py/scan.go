package py

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/plugins/internal/plain"
)

// Members calls yield with each member of a JSON object, its value as it stands,
// without reading into it: 5 MB are indexed in a few milliseconds. The value is
// checked when it is parsed.
func Members(s string, yield func(key, raw string) bool) error {
	p := parser{s: s}
	if p.next() != '{' {
		return p.fail("not an object")
	}
	p.i++
	if p.next() == '}' {
		return nil
	}
	for {
		if p.next() != '"' {
			return p.fail("missing a key")
		}
		key, err := p.text()
		if err != nil {
			return err
		}
		if p.next() != ':' {
			return p.fail("missing a colon")
		}
		p.i++
		p.space()
		start := p.i
		if p.i = skip(s, start); p.i < 0 {
			p.i = start
			return p.fail("unfinished value")
		}
		if !yield(key, s[start:p.i]) {
			return nil
		}
		if done, err := p.more('}'); done || err != nil {
			return err
		}
	}
}

// skip gives the place after the value that begins at i, or -1.
func skip(s string, i int) int {
	if i < len(s) && s[i] != '{' && s[i] != '[' && s[i] != '"' {
		n := strings.IndexAny(s[i:], ",}] \t\r\n")
		if n <= 0 {
			return -1
		}
		return i + n
	}
	depth := 0
	for i < len(s) {
		switch s[i] {
		case '"':
			if i = endOfString(s, i); i < 0 {
				return -1
			}
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

// endOfString gives the place after the string that begins at i, or -1.
func endOfString(s string, i int) int {
	for i = plain.Run(s, i+1); i < len(s); i = plain.Run(s, i) {
		if s[i] == '"' {
			return i + 1
		}
		if s[i] == '\\' {
			i++ // and what it escapes
		}
		i++
	}
	return -1
}

// unescape undoes JSON's escapes. A lone surrogate, which Python would keep,
// becomes U+FFFD.
func unescape(s string) string {
	b := make([]byte, 0, len(s))
	for {
		at := strings.IndexByte(s, '\\')
		if at < 0 || at+1 == len(s) {
			return string(append(b, s...))
		}
		b = append(b, s[:at]...)
		if s = s[at:]; s[1] == 'u' {
			r, n := unicode(s)
			b, s = utf8.AppendRune(b, r), s[n:]
			continue
		}
		b, s = append(b, escaped(s[1])), s[2:]
	}
}

func escaped(c byte) byte {
	if at := strings.IndexByte("bfnrt", c); at >= 0 {
		return "\b\f\n\r\t"[at]
	}
	return c
}

// unicode reads \uXXXX, or a pair of them, and tells how many bytes that took.
func unicode(s string) (rune, int) {
	r := hex4(s)
	if r < 0 {
		return utf8.RuneError, 2
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if low := hex4(s[6:]); low >= 0 {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

func hex4(s string) rune {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	var r rune
	for _, c := range []byte(s[2:6]) {
		at := strings.IndexByte("0123456789abcdef", c|0x20)
		if at < 0 {
			return -1
		}
		r = r<<4 | rune(at)
	}
	return r
}
