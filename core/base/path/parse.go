package path

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/tidwall/gjson"
)

// parser parses a path from left to right.
type parser struct {
	text     string
	at       int
	steps    []step
	brackets bool // a step was written in brackets, which gjson does not support
}

func (p *parser) errorAt(at int, problem string) error {
	return &Error{p.text, at, problem}
}

// parse reads all steps of the path.
func (p *parser) parse() error {
	for {
		pipe := p.at > 0 && p.text[p.at-1] == '|'
		n := len(p.steps)
		if err := p.readStep(); err != nil {
			return err
		}
		p.steps[n].pipe = pipe
		for p.at < len(p.text) && p.text[p.at] == '[' {
			if err := p.readBracket(); err != nil {
				return err
			}
		}
		if p.at == len(p.text) {
			return nil
		}
		if c := p.text[p.at]; c != '.' && c != '|' {
			return p.errorAt(p.at, "want a dot before the next name")
		}
		p.at++
	}
}

// readStep reads one step, up to the next dot or |.
func (p *parser) readStep() error {
	if p.at == len(p.text) {
		return p.errorAt(p.at, "a name is missing at the end")
	}
	switch p.text[p.at] {
	case '.', '|':
		return p.errorAt(p.at, "a name is missing before the dot")
	case '#':
		return p.readElements()
	case '@':
		return p.readModifier()
	case '!', '{':
		return p.readGjsonStep()
	case '[':
		return p.readBracket()
	}
	return p.readName()
}

// readName reads a member's name, in which \ escapes special characters.
func (p *parser) readName() error {
	s := step{at: p.at}
	var name strings.Builder
	wild := false
	for p.at < len(p.text) && !strings.ContainsRune(".|[", rune(p.text[p.at])) {
		c := p.text[p.at]
		switch c {
		case '\\':
			p.at++
			if p.at == len(p.text) {
				return p.errorAt(p.at-1, `a character is missing after \`)
			}
		case '*', '?':
			wild = true
		}
		name.WriteByte(p.text[p.at])
		p.at++
	}
	s.text = name.String()
	switch {
	case wild:
		s.kind, s.text = pattern, p.text[s.at:p.at]
	case isIndex(p.text[s.at:p.at]):
		s.kind = either
	}
	p.steps = append(p.steps, s)
	return nil
}

// isIndex reports whether a text is an index, which has only digits and no leading zeros.
func isIndex(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == "" && (s == "0" || s[0] != '0')
}

// readElements reads #, #(QUERY) or #(QUERY)#.
func (p *parser) readElements() error {
	s := step{kind: each, at: p.at}
	p.at++
	if p.at < len(p.text) && p.text[p.at] == '(' {
		s.kind = value
		if err := p.skipBalanced(); err != nil {
			return err
		}
		if strings.TrimSpace(p.text[s.at+2:p.at-1]) == "" {
			return p.errorAt(s.at, `the query is empty; want #(name=="value")`)
		}
		if p.at < len(p.text) && p.text[p.at] == '#' {
			p.at++
		}
	}
	if p.at < len(p.text) && !strings.ContainsRune(".|[", rune(p.text[p.at])) {
		return p.errorAt(p.at, `write a dot after #. For a name that contains #, write \#`)
	}
	p.steps = append(p.steps, s)
	return nil
}

// readModifier reads @NAME or @NAME:ARGUMENT.
func (p *parser) readModifier() error {
	from := p.at
	end := from + 1
	for end < len(p.text) && !strings.ContainsRune(".|:[", rune(p.text[end])) {
		end++
	}
	if name := p.text[from+1 : end]; !gjson.ModifierExists(name, nil) {
		return p.errorAt(from, `unknown modifier @`+name+`; write \@ for a name that begins with @`)
	}
	return p.readGjsonStep()
}

// readGjsonStep reads a step that only gjson interprets, up to the next dot or |.
func (p *parser) readGjsonStep() error {
	s := step{kind: value, at: p.at}
	for p.at < len(p.text) && p.text[p.at] != '.' && p.text[p.at] != '|' {
		switch p.text[p.at] {
		case '{', '[', '(', '"':
			if err := p.skipBalanced(); err != nil {
				return err
			}
		default:
			p.at++
		}
	}
	p.steps = append(p.steps, s)
	return nil
}

// skipBalanced skips a string, or everything between a bracket and its closing bracket.
func (p *parser) skipBalanced() error {
	from, depth := p.at, 0
	for ; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '"':
			n := quotedLength(p.text[p.at+1:])
			if n > len(p.text[p.at+1:]) {
				return p.errorAt(p.at, `the string has no closing "`)
			}
			p.at += n
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		}
		if depth == 0 {
			p.at++
			return nil
		}
	}
	return p.errorAt(from, "the bracket is not closed")
}

// readBracket reads an index such as [0] or a name such as ["name"]. Any other text in
// brackets is a multipath of gjson, which must be at the beginning of a step.
func (p *parser) readBracket() error {
	from := p.at
	if err := p.skipBalanced(); err != nil {
		return err
	}
	inside := p.text[from+1 : p.at-1]
	s := step{kind: value, at: from}
	switch v, err := jsonval.Parse(inside); {
	case isIndex(inside):
		s.kind, s.text, p.brackets = element, inside, true
	case err == nil && v.Kind() == jsonval.String:
		s.kind, s.text, p.brackets = member, v.Text(), true
	case from > 0 && p.text[from-1] != '.' && p.text[from-1] != '|':
		return p.errorAt(from, `write [0] for an element, ["name"] for a member, or # for every element`)
	}
	p.steps = append(p.steps, s)
	return nil
}

// gjsonPath returns the path in gjson's syntax, without [0] and ["name"].
func (p *parser) gjsonPath() string {
	var b strings.Builder
	for i, s := range p.steps {
		if i > 0 && s.pipe {
			b.WriteByte('|')
		} else if i > 0 {
			b.WriteByte('.')
		}
		switch s.kind {
		case member:
			b.WriteString(Escape(s.text))
		case element, either, pattern:
			b.WriteString(s.text)
		default:
			end := len(p.text)
			if i+1 < len(p.steps) {
				end = p.steps[i+1].at
			}
			b.WriteString(strings.TrimRight(p.text[s.at:end], ".|"))
		}
	}
	return b.String()
}

// Escape returns a member's name as a step of a path. It escapes special characters, so
// that the step matches only this member.
func Escape(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if strings.IndexByte(`.|#@*?\!{}[]`, name[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// Literal returns the text of a path that matches only the given place. A place is the
// path of a value in the form of jsonval.Leaves. Literal quotes names that contain
// special characters of paths.
func Literal(place string) string {
	if p, err := Compile(place); err == nil && p.plain == place {
		return place
	}
	out := ""
	for rest := place; rest != ""; {
		name, isElement, after := nextStep(rest)
		if isElement {
			out += "[" + name + "]"
		} else {
			out = Below(out, name)
		}
		rest = after
	}
	return out
}

// Below returns the path of a member of an object. The argument path is the path of the
// object, or "" for the top level. A name that contains special characters of paths is
// quoted.
func Below(path, name string) string {
	switch {
	case !isName(name):
		return path + "[" + jsonval.Quoted(name) + "]"
	case path == "":
		return name
	}
	return path + "." + name
}

// isName reports whether a name can be used in a path without escapes or quotes, and is
// not an index.
func isName(name string) bool { return name != "" && Escape(name) == name && !isIndex(name) }

// quotedLength returns the number of bytes of a string literal after its opening quote,
// up to and including its closing quote. It returns len(s)+1 if there is no closing
// quote.
func quotedLength(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s) + 1
}
