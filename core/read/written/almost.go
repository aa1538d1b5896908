package written

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/repair"
)

// People keep JSON with comments and commas at the ends, and programs print Python's notation, one value in a
// line. Its law: only the notation of values changes, never a value, and each value stays in its line; a text that
// is not read with certainty is refused.

// BeginsAlmost reports whether a text begins as JSON never does: with a comment, or with a single quotation mark,
// a parenthesis or a comment behind an opening bracket. It looks at a few characters.
func BeginsAlmost(text string) bool {
	for range 3 {
		switch {
		case strings.HasPrefix(text, "//"), strings.HasPrefix(text, "/*"):
			return true
		case text == "", text[0] != '{' && text[0] != '[':
			return false
		}
		if text = text[skipSpace(text, 1):]; strings.HasPrefix(text, "'") || strings.HasPrefix(text, "(") {
			return true
		}
	}
	return false
}

// Almost returns a text that is almost JSON as JSON, and reports whether it is one. O(n), and O(c·log c) for c
// changes.
func Almost(text string) (string, bool) {
	if first := skipSpace(text, 0); first == len(text) || strings.IndexByte("{[/", text[first]) < 0 {
		return "", false
	}
	r, err := repair.JSON(text)
	if err != nil || len(r.Changes) == 0 {
		return "", false
	}
	for _, c := range r.Changes {
		if strings.Count(c.Was, "\n") != strings.Count(c.Now, "\n") {
			return keepLines(text, r), true
		}
	}
	return r.Text, true
}

// keepLines returns a repaired text in which each value stands in the line that it had: the line breaks of a comment
// stay.
func keepLines(text string, r repair.Result) string {
	var b strings.Builder
	done, line, column := 0, 1, 1
	for _, c := range r.Changes {
		at := done
		for line < c.Line || column < c.Column {
			column++
			if text[at] == '\n' {
				line, column = line+1, 1
			}
			at++
		}
		b.WriteString(text[done:at])
		b.WriteString(c.Now)
		for k := at; k < at+len(c.Was); k++ {
			column++
			if text[k] == '\n' {
				line, column = line+1, 1
			}
		}
		if n := strings.Count(c.Was, "\n") - strings.Count(c.Now, "\n"); n > 0 {
			b.WriteString(strings.Repeat("\n", n))
		}
		done = at + len(c.Was)
	}
	b.WriteString(text[done:])
	return b.String()
}

// skipSpace returns the offset of the next character that is no white space.
func skipSpace(text string, i int) int {
	for i < len(text) && strings.IndexByte(" \t\r\n", text[i]) >= 0 {
		i++
	}
	return i
}
