package pycall

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// readString reads a string. At the start of the call, s.at is the index of the opening
// quote. The parameter from is the index where the string begins, including a prefix such
// as the r of r"x".
func (s *scanner) readString(from int, prefix string) error {
	quote := s.src[s.at : s.at+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(s.src[s.at:], triple) {
		quote = triple
	}
	raw := strings.Contains(prefix, "r")
	s.at += len(quote)
	var b strings.Builder
	for !strings.HasPrefix(s.src[s.at:], quote) {
		switch {
		case s.at >= len(s.src), s.src[s.at] == '\n' && len(quote) == 1:
			return s.errorAt(from, "unfinished string")
		case s.src[s.at] == '\\' && raw:
			n := min(2, len(s.src)-s.at)
			b.WriteString(s.src[s.at : s.at+n])
			s.at += n
		case s.src[s.at] == '\\':
			if err := s.readEscape(&b); err != nil {
				return err
			}
		default:
			b.WriteByte(s.src[s.at])
			s.at++
		}
	}
	s.at += len(quote)
	s.tok = token{kind: text, from: from, to: s.at, value: b.String()}
	if strings.Contains(prefix, "f") {
		s.tok.kind = formatted
	}
	return nil
}

// single holds the one-letter escapes, followed by their values.
const single = "\\'\"abfnrtv"

// readEscape reads a backslash escape. An escape that Python does not know keeps its
// backslash.
func (s *scanner) readEscape(b *strings.Builder) error {
	from := s.at
	if n := s.lineEnd(from + 1); n > 0 {
		s.at += 1 + n
		return nil
	}
	if s.at++; s.at >= len(s.src) {
		return s.errorAt(from, "unfinished string")
	}
	c := s.src[s.at]
	if i := strings.IndexByte(single, c); i >= 0 {
		b.WriteByte("\\'\"\a\b\f\n\r\t\v"[i])
		s.at++
		return nil
	}
	if c >= '0' && c <= '7' {
		s.readOctal(b)
		return nil
	}
	if c == 'N' && strings.HasPrefix(s.src[s.at:], "N{") {
		return s.errorAt(from, "an escape such as \\N{NAME} is not supported")
	}
	if n := strings.IndexByte("xuU", c); n >= 0 {
		return s.readHex(b, from, [...]int{2, 4, 8}[n])
	}
	b.WriteByte('\\') // the letter itself is read next, like any other
	return nil
}

func (s *scanner) readOctal(b *strings.Builder) {
	var r rune
	for n := 0; n < 3 && s.at < len(s.src) && s.src[s.at] >= '0' && s.src[s.at] <= '7'; n++ {
		r = r<<3 | rune(s.src[s.at]-'0')
		s.at++
	}
	b.WriteRune(r)
}

// readHex reads an escape of the form \xhh, \uhhhh or \Uhhhhhhhh. A half of a surrogate
// pair becomes U+FFFD, although Python would keep it.
func (s *scanner) readHex(b *strings.Builder, from, digits int) error {
	s.at++
	if s.at+digits > len(s.src) {
		return s.errorAt(from, "unfinished escape")
	}
	code, err := strconv.ParseUint(s.src[s.at:s.at+digits], 16, 32)
	if err != nil || code > utf8.MaxRune {
		return s.errorAt(from, "invalid escape")
	}
	b.WriteRune(rune(code))
	s.at += digits
	return nil
}
