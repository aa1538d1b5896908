package py

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// SyntaxError says where a text is not JSON.
type SyntaxError struct {
	Offset int // in bytes, from 0
	Msg    string
}

// Error returns the fault and the place.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON near byte %d: %s", e.Offset, e.Msg)
}

// maxDepth bounds nesting: a hostile text must not exhaust the stack.
const maxDepth = 200

// Parse reads one JSON value as json.loads does: integers stay integers, and a repeated
// key keeps its first place and its last value. Strings of the result share s.
func Parse(s string) (Value, error) {
	p := parser{s: s}
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if p.space(); p.i < len(s) {
		return nil, p.fail("more after the value")
	}
	return v, nil
}

type parser struct {
	s string
	i int

	// Of the objects and arrays that are open, the inner ones after the outer: what is
	// closed is copied out at its size.
	members []member
	items   []Value
}

func (p *parser) fail(msg string) error { return &SyntaxError{Offset: p.i, Msg: msg} }

func (p *parser) space() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\t', '\r', '\n':
			p.i++
		default:
			return
		}
	}
}

// next skips blanks and gives the byte there, 0 at the end.
func (p *parser) next() byte {
	p.space()
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

func (p *parser) value(depth int) (Value, error) {
	if depth > maxDepth {
		return nil, p.fail("nested too deeply")
	}
	switch c := p.next(); c {
	case '{':
		return p.object(depth)
	case '[':
		return p.array(depth)
	case '"':
		return p.text()
	case 't':
		return true, p.word("true")
	case 'f':
		return false, p.word("false")
	case 'n':
		return nil, p.word("null")
	}
	return p.number()
}

func (p *parser) word(w string) error {
	if !strings.HasPrefix(p.s[p.i:], w) {
		return p.fail("unknown word")
	}
	p.i += len(w)
	return nil
}

func (p *parser) object(depth int) (Value, error) {
	p.i++
	if p.next() == '}' {
		p.i++
		return &Dict{}, nil
	}
	from := len(p.members)
	for {
		if p.next() != '"' {
			return nil, p.fail("missing a key")
		}
		key, err := p.text()
		if err != nil {
			return nil, err
		}
		if p.next() != ':' {
			return nil, p.fail("missing a colon")
		}
		p.i++
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		if at := place(p.members[from:], key); at >= 0 {
			p.members[from+at].value = v
		} else {
			p.members = append(p.members, member{key, v})
		}
		if done, err := p.more('}'); done || err != nil {
			d := &Dict{members: slices.Clone(p.members[from:])}
			p.members = p.members[:from]
			return d, err
		}
	}
}

func (p *parser) array(depth int) (Value, error) {
	p.i++
	if p.next() == ']' {
		p.i++
		return &List{}, nil
	}
	from := len(p.items)
	for {
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		p.items = append(p.items, v)
		if done, err := p.more(']'); done || err != nil {
			l := &List{Items: slices.Clone(p.items[from:])}
			p.items = p.items[:from]
			return l, err
		}
	}
}

// more steps over a comma, or over the closing bracket, and tells which.
func (p *parser) more(end byte) (done bool, err error) {
	c := p.next()
	if c != ',' && c != end {
		return false, p.fail("missing a comma or the closing bracket")
	}
	p.i++
	return c == end, nil
}

func (p *parser) number() (Value, error) {
	start := p.i
	for p.i < len(p.s) && strings.IndexByte("+-0123456789.eE", p.s[p.i]) >= 0 {
		p.i++
	}
	word := p.s[start:p.i]
	whole := !strings.ContainsAny(word, ".eE")
	if whole {
		if n, err := strconv.ParseInt(word, 10, 64); err == nil {
			return n, nil
		}
	}
	f, err := strconv.ParseFloat(word, 64)
	if err != nil {
		p.i = start
		return nil, p.fail("unknown value")
	}
	if whole {
		return Long(word), nil
	}
	return f, nil
}

// text reads a string; without escapes it is a slice of the source.
func (p *parser) text() (string, error) {
	end := endOfString(p.s, p.i)
	if end < 0 {
		return "", p.fail("unfinished string")
	}
	raw := p.s[p.i:end]
	p.i = end
	inner := raw[1 : len(raw)-1]
	if strings.IndexByte(inner, '\\') < 0 {
		return inner, nil
	}
	return unescape(inner), nil
}
