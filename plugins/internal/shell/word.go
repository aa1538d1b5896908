package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// literal appends a part of a word with the value that the shell would give it. It
// returns false if only a running shell knows the value.
func literal(b *strings.Builder, part syntax.WordPart, first bool) bool {
	switch x := part.(type) {
	case *syntax.Lit:
		return plain(b, x.Value, first)
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
			unescape(b, lit.Value, "\"\\$`")
		}
		return !x.Dollar
	}
	return false
}

// plain appends an unquoted word. A shell expands globs, braces and a leading tilde, so
// such words are not known.
func plain(b *strings.Builder, s string, first bool) bool {
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
			if expands(s[i:]) {
				return false
			}
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return true
}

// expands reports whether a bracket begins a pattern or a list. It does not in [ -f x ]
// and in find's {}.
func expands(s string) bool {
	if s[0] == '[' {
		return strings.IndexByte(s, ']') > 0
	}
	return strings.Contains(s, ",") || strings.Contains(s, "..")
}

// unescape removes the backslash before each of the given bytes, and a backslash with
// the line end after it.
func unescape(b *strings.Builder, s, escaped string) {
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

// quoted reports whether any part of a here-document's mark is quoted. Its body is then
// not expanded.
func quoted(w *syntax.Word) bool {
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

// untab removes the leading tabs of every line, as <<- does.
func untab(s string) string {
	lines := strings.SplitAfter(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimLeft(line, "\t")
	}
	return strings.Join(lines, "")
}
