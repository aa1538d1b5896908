package utterance

import "strings"

// The instructions of an agent often list its tools, with texts that the tools' servers wrote. Such
// a text says what a tool does; it is not the developer, and asks for nothing.

// SplitTools returns instructions without the lines that describe tools, and these lines. A tool is
// described by a line that begins with its call, such as "- copy_doc(path): …", or with its name and
// a colon, if the name has an underscore; by the lines below a heading that is only such a name, up
// to an empty line; and by JSON with a description. O(len(text)).
func SplitTools(text string) (rest, tools string) {
	if !strings.ContainsAny(text, "(:{#`") {
		return text, ""
	}
	var own, described strings.Builder
	below := false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "":
			below = false
		case isToolHeading(trimmed):
			below = true
		}
		if below && trimmed != "" || isToolLine(trimmed) {
			described.WriteString(line)
			own.WriteByte('\n')
			continue
		}
		own.WriteString(line)
	}
	if described.Len() == 0 {
		return text, ""
	}
	return own.String(), described.String()
}

// isToolLine reports whether a line begins with the call or the name of a tool, or is JSON with the
// description of one.
func isToolLine(line string) bool {
	if strings.HasPrefix(line, "{") || strings.HasPrefix(line, "\"") {
		return strings.Contains(line, "\"description\"")
	}
	line = strings.TrimLeft(line, "-*•#`0123456789.) ")
	n := nameEnd(line)
	if n < 3 {
		return false
	}
	name, behind := line[:n], strings.TrimLeft(line[n:], "`*")
	switch {
	case strings.HasPrefix(behind, "("):
		_, after, ok := strings.Cut(behind, ")")
		after = strings.TrimLeft(after, "`* ")
		return ok && (after == "" || strings.HasPrefix(after, ":") || strings.HasPrefix(after, "-") || strings.HasPrefix(after, "–") || strings.HasPrefix(after, "—"))
	case strings.Contains(name, "_"):
		behind = strings.TrimLeft(behind, " ")
		return strings.HasPrefix(behind, ":") || strings.HasPrefix(behind, "- ") || strings.HasPrefix(behind, "–") || strings.HasPrefix(behind, "—")
	}
	return false
}

// isToolHeading reports whether a line is a heading or an item that is only the name of a tool.
func isToolHeading(line string) bool {
	name := strings.TrimRight(strings.TrimLeft(line, "#*`- "), "*`: ")
	return name != line && strings.Contains(name, "_") && nameEnd(name) == len(name)
}

// nameEnd returns the length of the name of a tool at the beginning of a text.
func nameEnd(s string) int {
	for i := range len(s) {
		c := s[i]
		if !(c == '_' || 'a' <= c|' ' && c|' ' <= 'z' || i > 0 && ('0' <= c && c <= '9' || (c == '.' || c == '-') && i+1 < len(s) && s[i+1] != ' ' && s[i+1] != '-')) {
			return i
		}
	}
	return len(s)
}
