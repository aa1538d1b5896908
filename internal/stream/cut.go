package stream

import "bytes"

// cutter finds the end of an element in text that comes in parts. The method findEnd
// returns the number of bytes at the beginning of part that belong to the element. done
// reports whether the element ends after these bytes.
type cutter interface {
	findEnd(part []byte) (n int, done bool)
}

// rest is a cutter that ends an element before the next line break.
type rest struct{}

func (*rest) findEnd(part []byte) (int, bool) {
	if i := bytes.IndexByte(part, '\n'); i >= 0 {
		return i, true
	}
	return len(part), false
}

// nesting is a cutter that ends an element where its brackets are closed. In a list, it
// ends the element before the next comma or closing bracket. It does not check that the
// element is JSON, because the scorer does.
type nesting struct {
	listed  bool
	depth   int
	quoted  bool // inside a string
	escaped bool // after a backslash in a string
}

func (c *nesting) findEnd(part []byte) (int, bool) {
	for i := 0; i < len(part); {
		if c.quoted {
			i += c.skipQuoted(part[i:])
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

// skipQuoted skips the rest of a string that began before part. It returns the number of
// skipped bytes, including the closing quote. If part has no closing quote, it returns
// the length of part.
func (c *nesting) skipQuoted(part []byte) int {
	at := 0
	if c.escaped {
		at, c.escaped = 1, false
	}
	for from := at; ; {
		i := bytes.IndexByte(part[from:], '"')
		if i < 0 {
			c.escaped = hasOddBackslashes(part[at:])
			return len(part)
		}
		from += i + 1
		if !hasOddBackslashes(part[at : from-1]) {
			c.quoted = false
			return from
		}
	}
}

// hasOddBackslashes reports whether the text ends in an odd number of backslashes, so
// that the character after it is escaped.
func hasOddBackslashes(text []byte) bool {
	n := 0
	for i := len(text) - 1; i >= 0 && text[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}
