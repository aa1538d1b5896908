package reference

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Models without calls of their own answer a task of the leaderboard in text: with calls in
// Python's notation, alone, in a list, in quotes or between other words, or with the protocol
// of their family in JSON.

// AnswerCalls returns the calls in the text of a model's answer. It returns nil if the text is
// not wholly understood: then no call may be taken from it. O(n) for one line of calls.
func AnswerCalls(text string) []Step {
	text = strings.TrimSpace(strings.ReplaceAll(text, `\_`, "_")) // Markdown
	for _, read := range [...]func(string) []Step{pythonCalls, taggedCalls, namedCall, listedCalls} {
		if calls := read(text); calls != nil {
			return calls
		}
	}
	return nil
}

// pythonCalls reads calls that are separated by commas, semicolons or lines, each of them
// perhaps in quotes, and all of them perhaps in brackets.
func pythonCalls(text string) (out []Step) {
	if inner, ok := strings.CutPrefix(text, "["); ok && strings.HasSuffix(inner, "]") {
		text = strings.TrimSuffix(inner, "]")
	}
	for _, part := range splitTop(text) {
		for one := range strings.SplitSeq(strings.ReplaceAll(part, ");", ")\n"), ")\n") {
			one = strings.TrimSpace(one)
			if one == "" {
				continue
			}
			if !strings.HasSuffix(one, ")") && !isQuoted(one) {
				one += ")"
			}
			if isQuoted(one) {
				one = one[1 : len(one)-1]
			}
			step, err := ReadCall(one)
			if err != nil || !isFunction(step.Name) {
				return nil
			}
			out = append(out, step)
		}
	}
	return out
}

func isQuoted(s string) bool {
	return len(s) > 2 && (s[0] == '\'' || s[0] == '"') && s[len(s)-1] == s[0]
}

// isFunction reports whether a text is the name of a function, perhaps in a module.
func isFunction(s string) bool {
	return s != "" && strings.IndexFunc(s, func(c rune) bool {
		return c != '_' && c != '.' && c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	}) < 0
}

// listedCalls reads the calls in the first list in brackets on a line of its own.
func listedCalls(text string) []Step {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") && line != text {
			return pythonCalls(line)
		}
	}
	return nil
}

// taggedCalls reads objects {name, arguments} in JSON: alone, in a list, in a member
// tool_calls, or behind the tags <tool_call> and <function_call>.
func taggedCalls(text string) (out []Step) {
	tag := ""
	for _, t := range [...]string{"<tool_call>", "<function_call>"} {
		if strings.HasPrefix(text, t) {
			tag = t
		}
	}
	parts := []string{text}
	if tag != "" {
		parts = strings.Split(text, tag)[1:]
	}
	for _, part := range parts {
		v, err := jsonval.Parse(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(part), "</"+tag[min(1, len(tag)):])))
		if err != nil {
			return nil
		}
		calls := []jsonval.Value{v}
		if list := v.Get("tool_calls"); list.Kind() == jsonval.Array {
			calls = list.Elements()
		} else if v.Kind() == jsonval.Array {
			calls = v.Elements()
		}
		for _, c := range calls {
			name, _ := c.Get("name").Str()
			arguments := c.Get("arguments")
			if !arguments.Exists() {
				arguments = c.Get("parameters")
			}
			if !isFunction(name) || arguments.Kind() != jsonval.Object {
				return nil
			}
			out = append(out, Step{Name: name, Arguments: arguments})
		}
	}
	return out
}

// namedCall reads the name of a function on the first line and its arguments in JSON after it.
func namedCall(text string) []Step {
	name, rest, ok := strings.Cut(text, "\n")
	arguments, err := jsonval.Parse(rest)
	if name = strings.TrimSpace(name); !ok || err != nil || !isFunction(name) || arguments.Kind() != jsonval.Object {
		return nil
	}
	return []Step{{Name: name, Arguments: arguments}}
}
