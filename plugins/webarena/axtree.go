package webarena

import "strings"

// parseTree parses the text of an accessibility tree. Each line is an element, such as
// [id] role 'name', property=value or - role "name" [a=b], and is indented under its
// parent. Other lines are skipped. parseTree returns nil if there is no element.
func parseTree(text string) (*node, error) {
	g := &growing{}
	var widths []int
	for line := range strings.Lines(text) {
		width, n := parseElement(strings.TrimRight(line, "\r\n"))
		if n == nil {
			continue
		}
		for len(widths) > 0 && widths[len(widths)-1] >= width {
			widths = widths[:len(widths)-1]
		}
		if err := g.addNode(n, len(widths)); err != nil {
			return nil, err
		}
		widths = append(widths, width)
	}
	return g.finishTree(), nil
}

// parseElement parses one line of a tree. The result width is the indentation in bytes.
// The node is nil if the line is not an element.
func parseElement(line string) (width int, n *node) {
	rest := strings.TrimLeft(line, " \t")
	width = len(line) - len(rest)
	rest, bullet := strings.CutPrefix(strings.TrimRight(rest, " \t"), "- ")
	n = &node{}
	if strings.HasPrefix(rest, "[") {
		end := strings.IndexByte(rest, ']')
		if end < 2 || !isIdentifier(rest[1:end]) {
			return 0, nil
		}
		n.id, rest = rest[1:end], strings.TrimLeft(rest[end+1:], " ")
	}
	n.role, rest = cutWord(rest)
	name, after, named := cutQuoted(strings.TrimLeft(rest, " "))
	plain := n.id == "" && !named
	if n.role == "" || plain && !(bullet && rest != "" && strings.IndexByte(":[", strings.TrimLeft(rest, " ")[0]) >= 0) {
		return 0, nil
	}
	if named {
		rest = after
	} else if text, ok := strings.CutPrefix(rest, ": "); ok && bullet { // - text: words
		name, rest = text, ""
	}
	n.name = stableText(name)
	n.readProperties(rest)
	return width, n
}

// cutWord splits s after the word at its start. A word consists of letters, digits and
// hyphens, and does not begin with a hyphen.
func cutWord(s string) (w, rest string) {
	i := 0
	for i < len(s) && (charClass(s[i]) < joint || s[i] == '-' && i > 0) {
		i++
	}
	return s[:i], s[i:]
}

// cutQuoted splits s after a text in single or double quotes at its start. The result ok
// is false if s does not begin with such a text.
func cutQuoted(s string) (text, rest string, ok bool) {
	if s == "" || s[0] != '\'' && s[0] != '"' {
		return "", s, false
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == s[0]:
			return b.String(), s[i+1:], true
		case s[i] == '\\' && i+1 < len(s):
			i++
			if s[i] == 'n' || s[i] == 't' {
				b.WriteByte(' ')
				continue
			}
			if s[i] != '\\' && s[i] != s[0] {
				b.WriteByte('\\')
			}
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return "", s, false
}

// readProperties adds the properties that follow a name to the node. For example,
// properties have the forms a=1, b='x y', c: True, [d=2] and e.
func (n *node) readProperties(rest string) {
	for {
		rest = strings.TrimLeft(rest, " ,[]:;\t")
		key, after := cutWord(rest)
		if key == "" {
			return
		}
		value := "True"
		switch {
		case strings.HasPrefix(after, "="):
			value, after = propertyValue(after[1:])
		case strings.HasPrefix(after, ": "):
			value, after = propertyValue(after[2:])
		}
		if rest = after; key == "ref" && n.id == "" {
			n.id = value
		}
		n.addAttribute(key, value)
	}
}

func propertyValue(s string) (value, rest string) {
	if text, rest, ok := cutQuoted(s); ok {
		return text, rest
	}
	end := strings.IndexAny(s, " ,]")
	if end < 0 {
		end = len(s)
	}
	return s[:end], s[end:]
}
