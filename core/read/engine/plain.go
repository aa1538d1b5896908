package engine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// LinesNames reads a text with one name on each line, and reports whether the text has
// this form.
func LinesNames(d *Decoder, text string) bool {
	lines := meaningfulLines(text)
	if len(lines) == 0 || len(lines) == 1 && !strings.ContainsAny(lines[0], "_.") {
		return false // a single word is not enough for a trace
	}
	for _, line := range lines {
		if !isName(line) {
			return false
		}
	}
	return d.readCallLines(text)
}

// LinesCalls reads a text with one call on each line, such as get(id=1), and reports
// whether the text has this form. Some lines may be names without parentheses.
func LinesCalls(d *Decoder, text string) bool {
	called := false
	for _, line := range meaningfulLines(text) {
		name, rest, ok := strings.Cut(line, "(")
		if !isName(strings.TrimSpace(name)) || ok && !strings.HasSuffix(strings.TrimRight(rest, ";"), ")") {
			return false
		}
		called = called || ok
	}
	return called && d.readCallLines(text)
}

// readCallLines reads one action from each line. It uses reference.Read, so that traces
// and references have the same notation. It returns false if the text cannot be read.
func (d *Decoder) readCallLines(text string) bool {
	var kept []string
	for _, line := range meaningfulLines(text) {
		kept = append(kept, strings.TrimRight(line, ";"))
	}
	ref, err := reference.Read(strings.Join(kept, "\n"))
	if err != nil {
		return false
	}
	t := trajectory.Trajectory{}
	for _, s := range ref.Steps {
		t.Actions = append(t.Actions, trajectory.Action{Name: s.Name, Arguments: s.Arguments, Text: s.Text, Message: -1})
	}
	d.addTrajectory(t)
	return true
}

// meaningfulLines returns the lines of a text without list marks. It omits empty lines,
// comments and code fences.
func meaningfulLines(text string) []string {
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

// isName reports whether a text can be a tool's name: letters, digits and _ - . : /, with
// a letter or _ at the beginning.
func isName(s string) bool {
	for i, c := range []byte(s) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
		if !letter && (i == 0 || strings.IndexByte("0123456789-.:/", c) < 0) {
			return false
		}
	}
	return s != ""
}
