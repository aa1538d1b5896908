package shape

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/read/failure"
	"github.com/boundcheck/boundcheck/core/ref/reference"
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
		out = append(out, reference.TrimListMark(line))
	}
	return out
}

// IsName reports whether a text can be a tool's name, as failure.IsToolName does.
func IsName(s string) bool { return failure.IsToolName(s) }
