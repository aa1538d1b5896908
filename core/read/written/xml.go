package written

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// People keep runs in XML. The law of this file: each element is one member or one element of a list, in its line, with
// its attributes and its text, and a document with anything else, such as text beside elements or a definition of its
// own, is not read. What elements with one name have inside decides for all of them whether they are lists.

// XML returns a document in XML as JSON, and reports whether it is one that names calls. O(n).
func XML(text string) (string, bool) {
	head := strings.TrimSpace(text[:min(len(text), 512)])
	if !strings.HasPrefix(head, "<") || strings.Contains(text, "<!DOCTYPE") || strings.Contains(text, "<!ENTITY") {
		return "", false
	}
	p := xmlReader{text: text, line: 1, lists: map[string]bool{}}
	root := p.readElement(0)
	if p.failed || root == nil || p.calls == 0 || strings.TrimSpace(p.text) != "" || root.name == "html" {
		return "", false
	}
	n := root.asNode(p.lists)
	if n.list || n.scalar != "" {
		n = &node{keys: []string{root.name}, values: []*node{n}}
	}
	return n.jsonText(), true
}

// element is an element of a document.
type element struct {
	name, text string
	line       int
	names      []string // of its attributes
	values     []string
	inner      []*element
}

type xmlReader struct {
	text   string // that is left
	line   int
	lists  map[string]bool // the elements that are lists
	calls  int
	failed bool
}

// maxXMLDepth limits the elements around another one.
const maxXMLDepth = 100

func (p *xmlReader) skipBytes(n int) {
	p.line += strings.Count(p.text[:n], "\n")
	p.text = p.text[n:]
}

// skipRemarks skips white space, remarks and instructions.
func (p *xmlReader) skipRemarks() {
	for {
		p.skipBytes(len(p.text) - len(strings.TrimLeft(p.text, " \t\r\n")))
		end := ""
		switch {
		case strings.HasPrefix(p.text, "<!--"):
			end = "-->"
		case strings.HasPrefix(p.text, "<?"):
			end = "?>"
		default:
			return
		}
		at := strings.Index(p.text, end)
		if at < 0 {
			p.failed = true
			return
		}
		p.skipBytes(at + len(end))
	}
}

func (p *xmlReader) readElement(depth int) *element {
	p.skipRemarks()
	size := TagEnd(p.text)
	if p.failed || depth > maxXMLDepth || size < 3 || p.text[0] != '<' {
		p.failed = true
		return nil
	}
	tag := strings.TrimSuffix(p.text[1:size-1], "/")
	closed := len(tag) < size-2
	name, rest, _ := strings.Cut(strings.ReplaceAll(strings.ReplaceAll(tag, "\n", " "), "\t", " "), " ")
	e := &element{name: name, line: p.line}
	if !e.readAttributes(rest) || !shape.IsName(name) {
		p.failed = true
		return nil
	}
	if p.skipBytes(size); closed {
		return e
	}
	var words strings.Builder
	for !p.failed {
		at := strings.IndexByte(p.text, '<')
		if at < 0 {
			p.failed = true
			break
		}
		words.WriteString(FromXML(p.text[:at]))
		p.skipBytes(at)
		switch {
		case strings.HasPrefix(p.text, "<![CDATA["):
			end := strings.Index(p.text, "]]>")
			if end < 0 {
				p.failed = true
				break
			}
			words.WriteString(p.text[len("<![CDATA["):end])
			p.skipBytes(end + len("]]>"))
		case strings.HasPrefix(p.text, "<!--"):
			p.skipRemarks()
		case strings.HasPrefix(p.text, "</"):
			end := strings.IndexByte(p.text, '>')
			if end < 0 || strings.TrimSpace(p.text[2:end]) != name {
				p.failed = true
				return nil
			}
			p.skipBytes(end + 1)
			e.text = words.String()
			p.failed = p.failed || len(e.inner) > 0 && strings.TrimSpace(e.text) != ""
			p.noteLists(e)
			return e
		default:
			if inner := p.readElement(depth + 1); inner != nil {
				e.inner = append(e.inner, inner)
			}
		}
	}
	return nil
}

// readAttributes reads the attributes in a tag, and reports whether it has nothing else.
func (e *element) readAttributes(rest string) bool {
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		name, after, ok := strings.Cut(rest, "=")
		if after = strings.TrimSpace(after); !ok || after == "" || after[0] != '"' && after[0] != '\'' {
			return false
		}
		end := strings.IndexByte(after[1:], after[0])
		if name = strings.TrimSpace(name); end < 0 || strings.ContainsAny(name, " \"'") || slices.Contains(e.names, name) {
			return false
		}
		e.names, e.values = append(e.names, name), append(e.values, FromXML(after[1:end+1]))
		rest = after[end+2:]
	}
	return true
}

// callElements are the names of elements that are one call.
const callElements = "call tool tool_call toolCall function_call action step"

// noteLists notes whether the elements with a name are lists: one has several elements, all with the same name, or its name
// is the plural of theirs, or they are calls.
func (p *xmlReader) noteLists(e *element) {
	if shape.IsCallList(e.name) || shape.OneOf(e.name, callElements) {
		p.calls++
	}
	if len(e.names) > 0 || len(e.inner) == 0 || isXMLArgument(e.inner[0]) {
		return
	}
	first := e.inner[0].name
	if slices.ContainsFunc(e.inner, func(i *element) bool { return i.name != first }) {
		return
	}
	p.lists[e.name] = p.lists[e.name] || len(e.inner) > 1 || e.name == first+"s" || e.name == first+"es" || shape.OneOf(first, callElements)
}

// isXMLArgument reports whether an element is one argument under its name, such as <arg name="id">7</arg>.
func isXMLArgument(e *element) bool {
	return shape.OneOf(e.name, "arg argument param parameter input") && len(e.names) == 1 && shape.OneOf(e.names[0], "name key") && len(e.inner) == 0
}

// asNode returns an element as a value.
func (e *element) asNode(lists map[string]bool) *node {
	if len(e.names) == 0 && len(e.inner) == 0 {
		if lists[e.name] && strings.TrimSpace(e.text) == "" {
			return &node{line: e.line, list: true}
		}
		return plainNode(e.text, e.line)
	}
	if lists[e.name] && len(e.names) == 0 {
		n := &node{line: e.line, list: true}
		for _, inner := range e.inner {
			n.values = append(n.values, inner.asNode(lists))
		}
		return n
	}
	n := &node{line: e.line}
	for i, name := range e.names {
		n.addMember(name, plainNode(e.values[i], 0))
	}
	if strings.TrimSpace(e.text) != "" {
		v := plainNode(e.text, 0)
		n.addMember(shape.IfElse(v.scalar[0] == '{' && n.memberNamed("arguments") == nil, "arguments", "text"), v)
	}
	for _, inner := range e.inner {
		name, v := inner.name, inner.asNode(lists)
		if isXMLArgument(inner) {
			name = "arguments"
			v = plainNode(inner.text, 0)
			if n.memberNamed(name) == nil {
				n.addMember(name, &node{})
			}
			if all := n.memberNamed(name); all.scalar == "" && !all.list && all.memberNamed(inner.values[0]) == nil {
				all.addMember(inner.values[0], v)
			}
			continue
		}
		switch before := n.memberNamed(name); {
		case before == nil:
			n.addMember(name, v)
		case before.list && !lists[name]:
			before.values = append(before.values, v)
		default:
			n.values[slices.Index(n.keys, name)] = &node{line: before.line, list: true, values: []*node{before, v}}
		}
	}
	return n
}

// TagEnd returns the offset after the tag with which a text begins, or -1.
func TagEnd(text string) int {
	quote := byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			quote = shape.IfElse(c == quote, 0, quote)
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return -1
}

// FromXML returns a text with the characters for which its references stand, by name or by number. XML has five names;
// what is no reference stays as it is. O(length).
func FromXML(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "&")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		text = rest
		_, char, after, ok := literal.CharacterReference(rest)
		if !ok || char == 0 {
			b.WriteByte('&')
			continue
		}
		b.WriteRune(char)
		text = after
	}
}
