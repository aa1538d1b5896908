package pack

import (
	"fmt"
	"strings"
)

// ReadNames reads a list of functions' names and returns a function that reports whether a
// name is in it. A line without a tab before it is the beginning of the names in the lines
// after it, which have a tab. Lines that begin with # are comments.
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
			return nil, fmt.Errorf("line %d: want a name after the beginning of a name", i+1)
		default:
			names[start+rest] = true
		}
	}
	return func(name string) bool { return names[name] }, nil
}
