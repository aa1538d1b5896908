package written

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// People keep test cases in TOML: arrays of tables, with texts, numbers, lists and tables in one line. The law of this
// file: each pair is one member of the table above it, and each table in double brackets one more element of its list;
// a text with anything else is not read.

// TOML returns a text in TOML as JSON, and reports whether it is one with an array of tables. O(n).
func TOML(text string) (string, bool) {
	if !strings.Contains(text, "[[") || !strings.Contains(text, "=") || strings.Contains(text, `"""`) || strings.Contains(text, "'''") {
		return "", false
	}
	root := &node{}
	open, lists, n := root, 0, 0
	lines := strings.Split(text, "\n")
	for at := 0; at < len(lines); at++ {
		line := strings.TrimSpace(lines[at])
		n = at + 1
		switch {
		case line == "" || line[0] == '#':
			continue
		case line[0] == '[':
			inner, isList := strings.CutPrefix(line[1:], "[")
			closing := shape.IfElse(isList, "]]", "]")
			name, rest, ok := strings.Cut(inner, closing)
			if rest = strings.TrimSpace(rest); !ok || rest != "" && rest[0] != '#' {
				return "", false
			}
			lists += shape.IfElse(isList, 1, 0)
			if open = tomlTable(root, strings.Split(name, "."), isList, n); open == nil {
				return "", false
			}
			continue
		}
		p := tomlReader{text: line}
		key := p.readKey()
		if p.skipBlanks(); p.failed || !p.takeByte('=') || open.memberNamed(key) != nil {
			return "", false
		}
		for p.readsOn() && at+1 < len(lines) { // a list may go on in the next lines
			at++
			p.text += "\n" + strings.TrimSpace(lines[at])
		}
		v := p.readValue(0)
		if p.skipBlanks(); p.failed || p.i < len(p.text) && p.text[p.i] != '#' {
			return "", false
		}
		v.line = 0
		open.addMember(key, v)
	}
	return root.jsonText(), lists > 0
}

// tomlTable returns the table with a name, or a new element of the list with it, or nil if another value stands there.
func tomlTable(root *node, path []string, isList bool, line int) *node {
	at := root
	for i, name := range path {
		name = strings.Trim(strings.TrimSpace(name), `"'`)
		last := i == len(path)-1
		next := at.memberNamed(name)
		switch {
		case name == "" || next != nil && next.scalar != "":
			return nil
		case next == nil && last && isList:
			next = &node{list: true}
			at.addMember(name, next)
		case next == nil:
			next = &node{line: shape.IfElse(last, line, 0)}
			at.addMember(name, next)
		case last && !isList:
			return nil
		}
		if next.list {
			if last && isList {
				next.values = append(next.values, &node{line: line})
			}
			if len(next.values) == 0 {
				return nil
			}
			next = next.values[len(next.values)-1]
		} else if last && isList {
			return nil
		}
		at = next
	}
	return at
}

// tomlReader reads the value of a pair.
type tomlReader struct {
	text   string
	i      int
	failed bool
}

func (p *tomlReader) skipBlanks() {
	for p.i < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.i]) >= 0 {
		p.i++
	}
}

// readsOn reports whether a list that begins in the rest of the text does not end in it.
func (p *tomlReader) readsOn() bool {
	rest := strings.TrimSpace(p.text[p.i:])
	return strings.HasPrefix(rest, "[") && opensMore(rest)
}

func (p *tomlReader) takeByte(c byte) bool {
	if p.skipBlanks(); p.i < len(p.text) && p.text[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *tomlReader) readKey() string {
	p.skipBlanks()
	if p.i < len(p.text) && (p.text[p.i] == '"' || p.text[p.i] == '\'') {
		v, err := jsonval.Parse(p.readText())
		p.failed = p.failed || err != nil
		return v.Text()
	}
	from := p.i
	for p.i < len(p.text) && strings.IndexByte(" \t=", p.text[p.i]) < 0 {
		p.i++
	}
	key := p.text[from:p.i]
	p.failed = p.failed || !isYAMLAnchor(key) // bare keys have the same characters
	return key
}

// readText returns the text in quotation marks as JSON.
func (p *tomlReader) readText() string {
	end := quoteEnd(p.text[p.i:])
	if end < 0 {
		p.failed = true
		return ""
	}
	raw := p.text[p.i : p.i+end]
	p.i += end
	if raw[0] == '\'' {
		p.failed = p.failed || strings.Contains(raw[1:len(raw)-1], "'")
		return literal.Quote(raw[1 : len(raw)-1])
	}
	p.failed = p.failed || !jsonval.Valid(raw)
	return raw
}

func (p *tomlReader) readValue(depth int) *node {
	p.skipBlanks()
	if p.failed || p.i >= len(p.text) || depth > maxYAMLDepth {
		p.failed = true
		return &node{}
	}
	switch c := p.text[p.i]; c {
	case '"', '\'':
		return &node{scalar: p.readText()}
	case '[':
		p.i++
		n := &node{list: true}
		for !p.takeByte(']') {
			if n.values = append(n.values, p.readValue(depth+1)); p.failed || !p.takeByte(',') && !p.nextIs(']') {
				p.failed = true
				return n
			}
		}
		return n
	case '{':
		p.i++
		n := &node{}
		for !p.takeByte('}') {
			key := p.readKey()
			if !p.takeByte('=') || n.memberNamed(key) != nil {
				p.failed = true
				return n
			}
			if n.addMember(key, p.readValue(depth+1)); p.failed || !p.takeByte(',') && !p.nextIs('}') {
				p.failed = true
				return n
			}
		}
		return n
	}
	from := p.i
	for p.i < len(p.text) && strings.IndexByte(",]}# \t\n", p.text[p.i]) < 0 {
		p.i++
	}
	word := p.text[from:p.i]
	switch {
	case word != "" && jsonval.Valid(word) && word != "null":
		return &node{scalar: word}
	case len(word) > 9 && word[4] == '-' && strings.Trim(word, "0123456789-:.TZ+") == "": // a date
		return &node{scalar: literal.Quote(word)}
	}
	p.failed = true
	return &node{}
}

func (p *tomlReader) nextIs(c byte) bool {
	p.skipBlanks()
	return p.i < len(p.text) && p.text[p.i] == c
}

// opensMore reports whether a text has more opening than closing brackets outside of quotation marks.
func opensMore(text string) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'':
			end := quoteEnd(text[i:])
			if end < 0 {
				return false
			}
			i += end - 1
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
	}
	return depth > 0
}
