package reference

import (
	"fmt"
	"strings"
)

// readLines reads one call on each line. A call is name(arg=value, …) with
// values that are JSON or single words, or a name alone, which says nothing about arguments. A line may also have:
//
//   - a list mark at the beginning (-, *, 1.), which is ignored;
//   - the mark "required:", "must not:" or "optional:" before the call;
//   - a comment after the call, which begins with a space and #.
//
// Empty lines and lines that begin with # are ignored. A line that consists of "any
// order:", "one of:" or "optional:" opens a group of the following lines that are
// indented deeper. Groups inside groups need the JSON form.
func readLines(text string) (*Reference, error) {
	r := lines{list: Node{Kind: Sequence}}
	for i, line := range strings.Split(text, "\n") {
		if i >= MaxNodes {
			return nil, errorAt("", fmt.Errorf("more than %d lines", MaxNodes))
		}
		if err := r.addLine(line, fmt.Sprintf("line %d", i+1)); err != nil {
			return nil, err
		}
	}
	if err := r.closeGroup(); err != nil {
		return nil, err
	}
	return newReference(r.list), nil
}

// lines holds the nodes read so far, and the open group.
type lines struct {
	list   Node
	group  *Node
	indent int // of the line that opened the group
}

// groupLines maps the lines that open a group to the kind of the group.
var groupLines = map[string]Kind{"any order:": AnyOrder, "one of:": OneOf, "optional:": Optional}

func (r *lines) addLine(line, place string) error {
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	line = TrimListMark(strings.TrimSpace(line))
	if line == "" || line[0] == '#' {
		return nil
	}
	line = trimComment(line)
	if kind, ok := groupLines[strings.ToLower(line)]; ok {
		if r.group != nil && indent > r.indent {
			return errorAt(place, fmt.Errorf("a group inside a group can be written only in JSON"))
		}
		err := r.closeGroup()
		r.group, r.indent = &Node{Kind: kind, Place: place}, indent
		return err
	}
	n, err := parseMarkedCall(line, place)
	if err != nil {
		return errorAt(place, err)
	}
	if r.group == nil || indent <= r.indent {
		err := r.closeGroup()
		r.list.Children = append(r.list.Children, n)
		return err
	}
	if n.Step.MustNot {
		return errorAt(place, errNested)
	}
	r.group.Children = append(r.group.Children, n)
	return nil
}

// trimComment removes a comment from the end of a line. A comment begins with a space and
// #, and follows a complete call or a mark such as "required:".
func trimComment(line string) string {
	for i := strings.Index(line, " #"); i >= 0; {
		before := strings.TrimSpace(line[:i])
		if strings.HasSuffix(before, ")") && isBalanced(before) || strings.HasSuffix(before, ":") {
			return before
		}
		next := strings.Index(line[i+2:], " #")
		if next < 0 {
			break
		}
		i += 2 + next
	}
	return line
}

// isBalanced reports whether all quotes and brackets are closed at the end of a text.
func isBalanced(text string) bool {
	depth, inside := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inside != 0 && c == '\\':
			i++
		case inside != 0:
			if c == inside {
				inside = 0
			}
		case c == '"' || c == '\'':
			inside = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		}
	}
	return depth == 0 && inside == 0
}

// closeGroup adds the open group to the list, if a group is open. It returns an error if
// the group is empty.
func (r *lines) closeGroup() error {
	g := r.group
	if r.group = nil; g == nil {
		return nil
	}
	if len(g.Children) == 0 {
		return errorAt(g.Place, fmt.Errorf("the group %q is empty. Indent the lines of the group", g.Kind))
	}
	if g.Kind == Optional {
		g.Children = []Node{{Kind: Sequence, Children: g.Children, Place: g.Place}}
	}
	r.list.Children = append(r.list.Children, *g)
	return nil
}

// parseMarkedCall parses a line with a call. The call may have a mark before it:
// "required:", "must not:" or "optional:".
func parseMarkedCall(line, place string) (Node, error) {
	mark, rest, _ := strings.Cut(line, ":")
	mark = strings.ToLower(mark)
	if mark != "required" && mark != "must not" && mark != "optional" {
		s, err := parseCall(line)
		s.Place = place
		return Node{Kind: Action, Step: s, Place: place}, err
	}
	if strings.TrimSpace(rest) == "" {
		return Node{}, fmt.Errorf("missing call after %q", mark+":")
	}
	s, err := parseCall(rest)
	s.Place, s.Required, s.MustNot = place, mark == "required", mark == "must not"
	n := Node{Kind: Action, Step: s, Place: place}
	if mark == "optional" {
		n = Node{Kind: Optional, Children: []Node{n}, Place: place}
	}
	return n, err
}

// TrimListMark removes a list mark from the beginning of a line: "- ", "* ", "1. " or "1) ".
func TrimListMark(line string) string {
	rest := strings.TrimLeft(line, "0123456789")
	if rest != line && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")) {
		return strings.TrimSpace(rest[2:])
	}
	if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") {
		return strings.TrimSpace(line[2:])
	}
	return line
}
