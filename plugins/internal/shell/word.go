package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// appendPart appends a part of a word to b, as the shell would expand it. first is true
// for the first part of the word. The result is false if only a running shell knows the
// value of the part.
func appendPart(b *strings.Builder, part syntax.WordPart, first bool) bool {
	switch x := part.(type) {
	case *syntax.Lit:
		return appendPlain(b, x.Value, first)
	case *syntax.SglQuoted:
		if x.Dollar && strings.ContainsRune(x.Value, '\\') {
			return false
		}
		b.WriteString(x.Value)
		return true
	case *syntax.DblQuoted:
		for _, p := range x.Parts {
			lit, ok := p.(*syntax.Lit)
			if !ok {
				return false
			}
			appendUnescaped(b, lit.Value, "\"\\$`")
		}
		return !x.Dollar
	}
	return false
}

// appendPlain appends an unquoted part of a word to b. It returns false if the part
// contains a glob, braces or a leading tilde, because a shell would expand them.
func appendPlain(b *strings.Builder, s string, first bool) bool {
	if first && strings.HasPrefix(s, "~") {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if i++; i == len(s) {
				return true
			}
			if s[i] != '\n' {
				b.WriteByte(s[i])
			}
		case '*', '?':
			return false
		case '[', '{':
			if beginsExpansion(s[i:]) {
				return false
			}
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return true
}

// beginsExpansion reports whether the bracket at the start of s begins a text that a
// shell expands, for example [a-z] or {a,b}. The result is false for the bracket of the
// command [ -f x ] and for the argument {} of find.
func beginsExpansion(s string) bool {
	if s[0] == '[' {
		return strings.IndexByte(s, ']') > 0
	}
	return strings.Contains(s, ",") || strings.Contains(s, "..")
}

// appendUnescaped appends s to b without escapes. It removes a backslash before each byte
// that is in the parameter escaped. Before a line end, it removes both the backslash and
// the line end.
func appendUnescaped(b *strings.Builder, s, escaped string) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if s[i+1] == '\n' {
				i++
				continue
			}
			if strings.IndexByte(escaped, s[i+1]) >= 0 {
				i++
			}
		}
		b.WriteByte(s[i])
	}
}

// isQuoted reports whether any part of a here-document's end word is quoted. The shell
// does not expand the text of such a document.
func isQuoted(w *syntax.Word) bool {
	if w == nil {
		return false
	}
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.SglQuoted, *syntax.DblQuoted:
			return true
		case *syntax.Lit:
			if strings.Contains(p.Value, "\\") {
				return true
			}
		}
	}
	return false
}

// trimTabs removes the tabs at the start of every line, as a shell does for <<-.
func trimTabs(s string) string {
	lines := strings.SplitAfter(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimLeft(line, "\t")
	}
	return strings.Join(lines, "")
}
