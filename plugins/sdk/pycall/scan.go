package pycall

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SyntaxError describes the part of the source that cannot be read, and its place.
type SyntaxError struct {
	Line   int // from 1
	Column int // in bytes, from 1
	Msg    string
}

// Error returns the line, the column and the message.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

type tokenKind uint8

const (
	end     tokenKind = iota
	newline           // or a semicolon
	name
	number
	text
	formatted // an f-string: its value depends on names
	operator
)

// token is one token of the source, at src[from:to].
type token struct {
	kind     tokenKind
	from, to int
	value    string // of text: the content of the string
}

// scanner splits a source into tokens. Inside brackets a line end counts as a blank.
type scanner struct {
	src   string
	at    int
	depth int
	tok   token
}

// operators, longest first.
var operators = [...]string{"**=", "//=", "<<=", ">>=", "...", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", ":=",
	"+", "-", "*", "/", "%", "@", "&", "|", "^", "~", "<", ">", "(", ")", "[", "]", "{", "}", ",", ":", ".", "="}

// errorAt returns a *SyntaxError for one place in the source. The parameter at is the byte
// index of this place. The message is made of format and args as in fmt.Sprintf.
func (s *scanner) errorAt(at int, format string, args ...any) error {
	before := s.src[:min(at, len(s.src))]
	line := strings.Count(before, "\n")
	return &SyntaxError{Line: line + 1, Column: len(before) - strings.LastIndexByte(before, '\n'), Msg: fmt.Sprintf(format, args...)}
}

// next reads the next token into s.tok.
func (s *scanner) next() error {
	s.skipBlank()
	from := s.at
	if s.at >= len(s.src) {
		s.tok = token{kind: end, from: from, to: from}
		return nil
	}
	switch c := s.src[s.at]; {
	case c == '\n' || c == ';':
		s.at++
		s.tok = token{kind: newline, from: from, to: s.at}
		return nil
	case c >= '0' && c <= '9' || c == '.' && s.isDigit(s.at+1):
		return s.readNumber()
	case c == '"' || c == '\'':
		return s.readString(from, "")
	}
	if s.skipWord(); s.at > from {
		if prefix := strings.ToLower(s.src[from:s.at]); s.isQuote() && strings.Trim(prefix, "rbuf") == "" && len(prefix) < 3 {
			return s.readString(from, prefix)
		}
		s.tok = token{kind: name, from: from, to: s.at}
		return nil
	}
	for _, op := range operators {
		if strings.HasPrefix(s.src[s.at:], op) {
			s.at += len(op)
			s.tok = token{kind: operator, from: from, to: s.at}
			return nil
		}
	}
	r, _ := utf8.DecodeRuneInString(s.src[s.at:])
	return s.errorAt(from, "unexpected %q", r)
}

// skipBlank skips white space and comments. It skips line ends only inside brackets or
// after a backslash.
func (s *scanner) skipBlank() {
	for s.at < len(s.src) {
		switch c := s.src[s.at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			s.at++
		case c == '\\' && s.lineEnd(s.at+1) > 0:
			s.at += 1 + s.lineEnd(s.at+1)
		case c == '#':
			for s.at < len(s.src) && s.src[s.at] != '\n' {
				s.at++
			}
		case c == '\n' && s.depth > 0:
			s.at++
		default:
			return
		}
	}
}

// lineEnd returns the length of the line end that begins at index i, or 0 if there is
// none.
func (s *scanner) lineEnd(i int) int {
	rest := s.src[min(i, len(s.src)):]
	switch {
	case strings.HasPrefix(rest, "\n"):
		return 1
	case strings.HasPrefix(rest, "\r\n"):
		return 2
	}
	return 0
}

func (s *scanner) isDigit(i int) bool { return i < len(s.src) && s.src[i] >= '0' && s.src[i] <= '9' }

func (s *scanner) isQuote() bool {
	return s.at < len(s.src) && (s.src[s.at] == '"' || s.src[s.at] == '\'')
}

// skipWord skips letters, digits and underscores.
func (s *scanner) skipWord() {
	for s.at < len(s.src) {
		r, n := utf8.DecodeRuneInString(s.src[s.at:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return
		}
		s.at += n
	}
}

// readNumber reads a number, for example 1, 1_000, 0x1F, 1.5, .5 or 1e-3.
func (s *scanner) readNumber() error {
	from := s.at
	for s.at < len(s.src) {
		c := s.src[s.at]
		sign := (c == '+' || c == '-') && (s.src[s.at-1]|0x20) == 'e' && !strings.HasPrefix(s.src[from:], "0x")
		if c != '.' && c != '_' && !sign && (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') {
			break
		}
		s.at++
	}
	if word := s.src[from:s.at]; !isNumeral(word) {
		return s.errorAt(from, "invalid number %s", word)
	}
	s.tok = token{kind: number, from: from, to: s.at}
	return nil
}

// isNumeral reports whether word is a valid number.
func isNumeral(word string) bool {
	lower := strings.ToLower(word)
	for prefix, digits := range map[string]string{"0x": "0123456789abcdef_", "0o": "01234567_", "0b": "01_"} {
		if rest, ok := strings.CutPrefix(lower, prefix); ok {
			return rest != "" && strings.Trim(rest, digits) == ""
		}
	}
	mantissa, exponent, scaled := strings.Cut(lower, "e")
	if scaled && (strings.Trim(exponent, "0123456789+-") != "" || strings.LastIndexAny(exponent, "+-") > 0 || strings.Trim(exponent, "+-") == "") {
		return false
	}
	return mantissa != "" && strings.Trim(mantissa, "0123456789_.") == "" && strings.Count(mantissa, ".") < 2 && !strings.HasSuffix(mantissa, "_")
}
