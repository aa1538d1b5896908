package stream

import "bytes"

// cutter finds where an element ends in text that comes in parts: n bytes of a
// part belong to it, and done tells that the end is there.
type cutter interface {
	cut(part []byte) (n int, done bool)
}

// rest ends before the line break.
type rest struct{}

func (*rest) cut(part []byte) (int, bool) {
	if i := bytes.IndexByte(part, '\n'); i >= 0 {
		return i, true
	}
	return len(part), false
}

// nesting ends where the brackets that it opened are closed; in a list it ends
// before the comma or the bracket after that. It trusts the brackets: whether
// they are JSON is seen when the element is read.
type nesting struct {
	listed  bool
	depth   int
	quoted  bool // inside a string
	escaped bool // after a backslash in it
}

func (c *nesting) cut(part []byte) (int, bool) {
	for i := 0; i < len(part); {
		if c.quoted {
			i += c.quote(part[i:])
			continue
		}
		switch part[i] {
		case '"':
			c.quoted = true
		case '{', '[':
			c.depth++
		case '}', ']':
			if c.depth == 0 && c.listed && part[i] == ']' {
				return i, true
			}
			c.depth = max(c.depth-1, 0)
			if c.depth == 0 && !c.listed {
				return i + 1, true
			}
		case ',':
			if c.depth == 0 && c.listed {
				return i, true
			}
		}
		i++
	}
	return len(part), false
}

// quote passes over the part that belongs to a string, with its closing quote.
// Most of a trace is strings, so they are searched, not walked.
func (c *nesting) quote(part []byte) int {
	at := 0
	if c.escaped {
		at, c.escaped = 1, false
	}
	for from := at; ; {
		i := bytes.IndexByte(part[from:], '"')
		if i < 0 {
			c.escaped = odd(part[at:])
			return len(part)
		}
		from += i + 1
		if !odd(part[at : from-1]) {
			c.quoted = false
			return from
		}
	}
}

// odd reports whether an odd number of backslashes ends the text.
func odd(text []byte) bool {
	n := 0
	for i := len(text) - 1; i >= 0 && text[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}
