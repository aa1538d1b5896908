package notation

import (
	"slices"
	"strconv"
	"strings"
)

// PlainYAML returns a document of YAML as a text of its values. Two documents with equal texts
// have equal values. It reads mappings, lists and plain and quoted values of one line, and it
// returns "" for anything else, such as anchors, tags and texts of several lines.
func PlainYAML(s string) string {
	if len(s) > 1<<16 || strings.ContainsAny(s, "\t&!|%`\\") {
		return ""
	}
	r := yamlReader{}
	for line := range strings.SplitSeq(s, "\n") {
		if bare := strings.TrimSpace(line); bare == "" || bare[0] == '#' || bare == "---" && len(r.lines) == 0 {
			continue
		}
		if cutYAMLComment(&line); strings.Contains(line, "> ") || strings.HasSuffix(line, ">") {
			return ""
		}
		r.lines = append(r.lines, line)
	}
	out, ok := r.block(0, 0)
	if !ok || r.at != len(r.lines) {
		return ""
	}
	return out
}

// cutYAMLComment removes the comment at the end of a line.
func cutYAMLComment(line *string) {
	if at := strings.Index(*line, " #"); at >= 0 && !strings.ContainsAny((*line)[:at], "\"'") {
		*line = (*line)[:at]
	}
	*line = strings.TrimRight(*line, " \r")
}

type yamlReader struct {
	lines []string
	at    int
}

// deepestYAML is the largest number of values inside one another.
const deepestYAML = 64

func (r *yamlReader) indent() int {
	return len(r.lines[r.at]) - len(strings.TrimLeft(r.lines[r.at], " "))
}

// block reads the value in the next lines that are indented by at least least.
func (r *yamlReader) block(least, depth int) (string, bool) {
	if r.at == len(r.lines) || r.indent() < least {
		return "null", true
	}
	if depth > deepestYAML {
		return "", false
	}
	indent := r.indent()
	text := r.lines[r.at][indent:]
	isList := text == "-" || strings.HasPrefix(text, "- ")
	if _, _, isPair := cutYAMLKey(text); !isList && !isPair {
		r.at++
		return flowYAML(text, depth)
	}
	var members []string
	for r.at < len(r.lines) && r.indent() == indent {
		text := r.lines[r.at][indent:]
		if isItem := text == "-" || strings.HasPrefix(text, "- "); isList && !isItem {
			break // the list belongs to a key with the same indent
		} else if isItem && !isList {
			return "", false
		}
		var member string
		var ok bool
		if isList {
			member, ok = r.item(text, indent, depth)
		} else {
			member, ok = r.pair(text, indent, depth)
		}
		if !ok {
			return "", false
		}
		members = append(members, member)
	}
	if r.at < len(r.lines) && r.indent() > indent {
		return "", false
	}
	return joinYAML(members, isList)
}

// item reads an element of a list that begins in the current line.
func (r *yamlReader) item(text string, indent, depth int) (string, bool) {
	rest := strings.TrimLeft(text[1:], " ")
	if rest == "" {
		r.at++
		return r.block(indent+1, depth+1)
	}
	within := len(text) - len(rest)
	r.lines[r.at] = strings.Repeat(" ", indent+within) + rest
	return r.block(indent+within, depth+1)
}

// pair reads a member of a mapping that begins in the current line.
func (r *yamlReader) pair(text string, indent, depth int) (string, bool) {
	key, rest, ok := cutYAMLKey(text)
	if !ok {
		return "", false
	}
	r.at++
	value, ok := "", false
	switch {
	case rest != "":
		value, ok = flowYAML(rest, depth)
	case r.at < len(r.lines) && r.indent() == indent && strings.HasPrefix(r.lines[r.at][indent:], "-"):
		value, ok = r.block(indent, depth+1)
	default:
		value, ok = r.block(indent+1, depth+1)
	}
	return key + ":" + value, ok
}

// cutYAMLKey splits a line into a key and the rest.
func cutYAMLKey(text string) (key, rest string, ok bool) {
	if strings.IndexByte("\"'[{", text[0]) >= 0 {
		return "", "", false
	}
	if key, ok = strings.CutSuffix(text, ":"); !ok {
		key, rest, ok = strings.Cut(text, ": ")
	}
	return strconv.Quote(strings.TrimSpace(key)), strings.TrimSpace(rest), ok && key != ""
}

func joinYAML(members []string, isList bool) (string, bool) {
	if isList {
		return "[" + strings.Join(members, ",") + "]", true
	}
	seen := map[string]bool{}
	slices.Sort(members)
	for _, m := range members {
		key, _, _ := strings.Cut(m, ":")
		if seen[key] {
			return "", false
		}
		seen[key] = true
	}
	return "{" + strings.Join(members, ",") + "}", true
}

// flowYAML reads a value in one line: a list in brackets, a mapping in braces, or a single value.
func flowYAML(s string, depth int) (string, bool) {
	if depth > deepestYAML {
		return "", false
	}
	open := s[0]
	if open != '[' && open != '{' {
		return scalarYAML(s)
	}
	if last := s[len(s)-1]; last != open+2 { // ] and } are two behind [ and {
		return "", false
	}
	var members []string
	from, inside := 1, 0
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '[', '{':
			inside++
		case '"', '\'':
			end := strings.IndexByte(s[i+1:], s[i])
			if end < 0 {
				return "", false
			}
			i += 1 + end
			continue
		case ']', '}':
			inside--
		}
		if inside < 0 && i < len(s)-1 {
			return "", false
		}
		if !(inside < 0 || inside == 0 && s[i] == ',') {
			continue
		}
		part := strings.TrimSpace(s[from:i])
		from = i + 1
		if part == "" {
			continue
		}
		member, ok := flowMember(part, open == '{', depth)
		if !ok {
			return "", false
		}
		members = append(members, member)
	}
	return joinYAML(members, open == '[')
}

func flowMember(part string, isMapping bool, depth int) (string, bool) {
	if !isMapping {
		return flowYAML(part, depth+1)
	}
	key, rest, ok := strings.Cut(part, ":")
	key = strings.Trim(strings.TrimSpace(key), "\"'")
	if rest = strings.TrimSpace(rest); !ok || rest == "" {
		return "", false
	}
	value, ok := flowYAML(rest, depth+1)
	return strconv.Quote(key) + ":" + value, ok
}

// scalarYAML returns a single value: a text as JSON, and anything else as it is written.
func scalarYAML(s string) (string, bool) {
	if s[0] == '"' || s[0] == '\'' {
		inner, ok := strings.CutSuffix(s[1:], s[:1])
		return strconv.Quote(inner), ok && len(s) > 1 && !strings.Contains(inner, s[:1])
	}
	if strings.ContainsAny(s, "\"'{}[]*@") || strings.Contains(s, ": ") {
		return "", false
	}
	if readsAsValue(s) {
		return s, true
	}
	return strconv.Quote(s), true
}

// readsAsValue reports whether a plain word is a number, a boolean or null.
func readsAsValue(s string) bool {
	if strings.IndexByte("0123456789.+-~", s[0]) >= 0 {
		return true
	}
	return isListed(strings.ToLower(s), " true false null yes no on off ")
}
