package shape

import (
	"strings"
)

// MeaningfulLines returns the lines of a text without list marks. It omits empty lines,
// comments and code fences.
func MeaningfulLines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || strings.HasPrefix(line, "```") {
			continue
		}
		out = append(out, trimListMark(line))
	}
	return out
}

// trimListMark removes a list mark from the beginning of a line: "- ", "* ", "1. " or "1)
// ".
func trimListMark(line string) string {
	rest := strings.TrimLeft(line, "0123456789")
	if rest != line && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")) {
		return strings.TrimSpace(rest[2:])
	}
	if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") {
		return strings.TrimSpace(line[2:])
	}
	return line
}

// IsName reports whether a text can be a tool's name: letters, digits and _ - . : /, with
// a letter or _ at the beginning.
func IsName(s string) bool {
	for i, c := range []byte(s) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
		if !letter && (i == 0 || strings.IndexByte("0123456789-.:/", c) < 0) {
			return false
		}
	}
	return s != ""
}
