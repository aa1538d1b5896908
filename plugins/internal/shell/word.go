package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// literal writes a part of a word as the shell would leave it; false for what only a
// shell could tell.
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

// plain writes a bare word. Globs, braces and a leading tilde are expanded by a
// shell, so they are not known.
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

// expands tells a bracket that begins a pattern or a list from one that stands for
// itself, as in [ -f x ] and find's {}.
func expands(s string) bool {
	if s[0] == '[' {
		return strings.IndexByte(s, ']') > 0
	}
	return strings.Contains(s, ",") || strings.Contains(s, "..")
}

// unescape takes the backslash from before one of the given bytes, and both from a
// line that goes on.
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

// quoted reports whether any part of a here-document's mark is quoted: its body is
// then taken as it stands.
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

// untab takes the leading tabs from every line, as <<- does.
func untab(s string) string {
	lines := strings.SplitAfter(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimLeft(line, "\t")
	}
	return strings.Join(lines, "")
}
