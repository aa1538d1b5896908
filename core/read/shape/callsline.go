package shape

import "strings"

// Texts of what was expected may have several calls in one line. The law of this file: each of them is a
// step, or the text is not read.

// callsInLines returns a text in which each call of a line such as "a(x='1'); b(y=2)" is a line of its own.
// ok is false if something else follows a call in its line. A line that begins with no call, and one whose
// brackets or quotes do not close, is as it was. O(n).
func callsInLines(text string) (lines string, ok bool) {
	if strings.Count(text, "(") < 2 {
		return text, true
	}
	var out []string
	for _, line := range strings.Split(text, "\n") {
		calls, rest := cutCalls(line)
		switch {
		case len(calls) < 2 && rest != "" && len(calls) == 1 && strings.HasSuffix(rest, ")"):
			return text, false
		case len(calls) < 2 || rest != "":
			out = append(out, line)
		default:
			out = append(out, calls...)
		}
	}
	return strings.Join(out, "\n"), true
}

// cutCalls returns the calls that a line begins with, and what follows them.
func cutCalls(line string) (calls []string, rest string) {
	rest = strings.TrimSpace(line)
	if strings.HasPrefix(rest, "[") && strings.HasSuffix(rest, ")]") {
		rest = rest[1 : len(rest)-1]
	}
	for rest != "" {
		end := closeOf(rest)
		if end < 0 {
			return calls, rest
		}
		calls = append(calls, rest[:end])
		if rest = strings.TrimSpace(rest[end:]); rest == "" || rest[0] == '#' {
			return calls, ""
		}
		next := rest
		for _, mark := range [...]string{";", ",", "->", "=>", "→", "|", "&&", "and ", "then "} {
			next = strings.TrimSpace(strings.TrimPrefix(next, mark))
		}
		if next == rest {
			return calls, rest
		}
		rest = next
	}
	return calls, rest
}

// closeOf returns the place behind the bracket that closes the call with which a text begins, or -1.
func closeOf(text string) int {
	open := strings.IndexByte(text, '(')
	if open < 1 || !IsName(strings.TrimSpace(text[:open])) {
		return -1
	}
	depth, quote := 0, byte(0)
	for i := open; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '"' || c == '\'' && strings.IndexByte("=([{,: ", text[i-1]) >= 0:
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}
