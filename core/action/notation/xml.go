package notation

import (
	"slices"
	"strings"
)

// IsMarkup reports whether a text begins and ends like a document in XML.
func IsMarkup(s string) bool {
	s = strings.TrimSpace(s)
	return len(s) > 3 && s[0] == '<' && s[len(s)-1] == '>' && strings.Contains(s, "</") || strings.HasSuffix(s, "/>") && strings.HasPrefix(s, "<")
}

// PlainXML writes each tag in one form. The result is false for anything but elements and
// texts: comments, sections and instructions are not read.
func PlainXML(s string) (string, bool) {
	var b strings.Builder
	s = strings.TrimSpace(s)
	for s != "" {
		open := strings.IndexByte(s, '<')
		if open < 0 {
			return "", false
		}
		if text := s[:open]; strings.TrimSpace(text) != "" || !strings.Contains(text, "\n") {
			b.WriteString(text) // a blank line between tags is layout
		}
		end := tagEnd(s[open:])
		if end < 0 || strings.HasPrefix(s[open:], "<!") || strings.HasPrefix(s[open:], "<?") {
			return "", false
		}
		writeTag(&b, s[open+1:open+end])
		s = s[open+end+1:]
	}
	return b.String(), true
}

// tagEnd returns the offset of the bracket that closes the tag at the beginning of s.
func tagEnd(s string) int {
	quote := byte(0)
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i
		}
	}
	return -1
}

// writeTag writes a tag with its attributes in the order of their names, which means nothing.
func writeTag(b *strings.Builder, tag string) {
	empty := strings.HasSuffix(tag, "/")
	tag = strings.TrimSuffix(tag, "/")
	name, rest := tag, ""
	if i := strings.IndexAny(tag, " \t\r\n"); i >= 0 {
		name, rest = tag[:i], strings.TrimSpace(tag[i:])
	}
	var attributes []string
	for rest != "" {
		key, value, _ := strings.Cut(rest, "=")
		value = strings.TrimSpace(value)
		end := -1
		if value != "" && (value[0] == '"' || value[0] == '\'') {
			end = strings.IndexByte(value[1:], value[0])
		}
		if end < 0 { // no attribute of XML: it stays as it is, behind the others
			break
		}
		attributes = append(attributes, strings.TrimSpace(key)+"=\""+strings.ReplaceAll(value[1:1+end], "\"", "&quot;")+"\"")
		rest = strings.TrimSpace(value[end+2:])
	}
	slices.Sort(attributes)
	b.WriteString("<" + strings.Join(append(append([]string{name}, attributes...), strings.Fields(rest)...), " ") + ">")
	if empty {
		b.WriteString("</" + name + ">")
	}
}
