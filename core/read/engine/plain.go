package engine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// LinesNames reads a text with one name on each line, and reports whether the text has
// this form.
func LinesNames(d *Decoder, text string) bool {
	lines := shape.MeaningfulLines(text)
	if len(lines) == 0 || len(lines) == 1 && !strings.ContainsAny(lines[0], "_.") {
		return false // a single word is not enough for a trace
	}
	for _, line := range lines {
		if !shape.IsName(line) || strings.HasSuffix(line, ":") { // a heading, such as that of a side
			return false
		}
	}
	return d.readCallLines(text)
}

// LinesCalls reads a text with one call on each line, such as get(id=1), and reports
// whether the text has this form. Some lines may be names without parentheses.
func LinesCalls(d *Decoder, text string) bool {
	called := false
	for _, line := range shape.MeaningfulLines(text) {
		name, rest, ok := strings.Cut(line, "(")
		if !shape.IsName(strings.TrimSpace(name)) || strings.HasSuffix(line, ":") || ok && !strings.HasSuffix(strings.TrimRight(rest, ";"), ")") {
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
	for _, line := range shape.MeaningfulLines(text) {
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
