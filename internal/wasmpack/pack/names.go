package pack

import (
	"fmt"
	"strings"
)

// ReadNames reads a list of function names. It returns a function that reports whether a
// name is in the list. The list has three kinds of lines:
//
//   - A line that begins with # is a comment.
//   - A line that begins with a tab contains the end of a name.
//   - Any other line contains the beginning of all names in the lines after it.
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
			return nil, fmt.Errorf("line %d: a name needs text after the tab, and a line with a prefix above it", i+1)
		default:
			names[start+rest] = true
		}
	}
	return func(name string) bool { return names[name] }, nil
}
