package pack

import (
	"fmt"
	"strings"
)

// ReadNames reads a list of functions' names and returns a function that reports whether a
// name is in it. A line that does not begin with a tab is a prefix. The lines after it begin
// with a tab and hold the rest of each name. Lines that begin with # are comments.
func ReadNames(text string) (func(name string) bool, error) {
	names := map[string]bool{}
	start := ""
	for i, line := range strings.Split(text, "\n") {
		rest, isName := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || line[0] == '#':
		case !isName:
			start = line
		case rest == "" || start == "":
			return nil, fmt.Errorf("line %d: want a prefix before it, and the rest of a name after the tab", i+1)
		default:
			names[start+rest] = true
		}
	}
	return func(name string) bool { return names[name] }, nil
}
