package proxy

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// reactCalls reads calls in the form of ReAct: a line "Action: NAME" and, after it,
// a line that begins "Action Input:". The input goes on to the next line that
// begins a step; a JSON object is the arguments, any other text their member input.
// "Action:" may also come before one JSON object with action and action_input.
func reactCalls(words string) (calls []call) {
	var name string
	var input *strings.Builder
	open := false // an action waits for its input, or for its object
	finish := func() {
		switch {
		case input != nil:
			calls = append(calls, reactCall(name, input.String()))
		case open && strings.Contains(name, "{"):
			calls = append(calls, reactObject(name))
		}
		name, input, open = "", nil, false
	}
	for line := range strings.Lines(words) {
		key, value := reactStep(line)
		switch {
		case key == "action":
			finish()
			name, open = value, true
		case key == "action input" && open:
			input = &strings.Builder{}
			input.WriteString(value)
		case key != "":
			finish()
		case input != nil:
			input.WriteString(line)
		case open:
			name += line
		}
	}
	finish()
	return calls
}

// reactStep reads the beginning of a line as a step of ReAct: "Action 1:", "**Action:**".
func reactStep(line string) (key, value string) {
	key, value, found := strings.Cut(line, ":")
	if !found || len(key) > 40 {
		return "", ""
	}
	key = strings.ToLower(strings.TrimSpace(strings.Trim(key, " \t*_#>-")))
	key = strings.TrimSpace(strings.TrimRight(key, "0123456789"))
	switch strings.Join(strings.Fields(key), " ") {
	case "action":
		return "action", strings.TrimLeft(value, "*_")
	case "action input", "action_input":
		return "action input", strings.TrimLeft(value, "*_")
	case "observation", "thought", "final answer", "question":
		return "other", ""
	}
	return "", ""
}

func reactCall(name, input string) call {
	name, input = strings.Trim(strings.TrimSpace(name), "`*\"'[]"), unfenced(input)
	v, err := jsonval.Parse(input)
	switch {
	case name == "" || strings.ContainsAny(name, "\n{}"):
		return unreadableText("Action:")
	case err == nil && v.Kind() == jsonval.Object:
		return call{Name: name, Text: input}
	case input == "" || strings.EqualFold(input, "none"):
		return call{Name: name, Text: "{}"}
	}
	return call{Name: name, Text: `{"input":` + jsonval.Quoted(input) + `}`}
}

// reactObject reads the object that comes after "Action:".
func reactObject(text string) call {
	v, err := jsonval.Parse(unfenced(text))
	if err == nil && unambiguous(v) == nil {
		if calls := jsonCalls(v); len(calls) == 1 {
			return calls[0]
		}
	}
	return unreadableText("Action:")
}

// unfenced is a text without the code fence around it.
func unfenced(text string) string {
	text, fenced := strings.CutPrefix(strings.TrimSpace(text), "```")
	if !fenced {
		return text
	}
	_, text, _ = strings.Cut(text, "\n")
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "```"))
}

// jsonMayBegin reports whether a text that begins with a brace, a bracket or a
// fence may be a call in JSON: its first member's name is one that calls have.
func jsonMayBegin(text string) bool {
	if strings.HasPrefix(text, "`") {
		const longest = 12 // of a fence with the name of a language
		head, rest, ended := strings.Cut(text, "\n")
		if len(head) >= longest || !strings.HasPrefix(head, "```"[:min(len(head), 3)]) {
			return false
		}
		if text = rest; !ended {
			return true
		}
	}
	text = strings.TrimLeft(text, " \t\r\n[{")
	if text == "" {
		return true
	}
	key, _, closed := strings.Cut(strings.TrimPrefix(text, `"`), `"`)
	if !closed {
		return len(key) < 16
	}
	switch key {
	case "tool_calls", "type", "id", "thought", "thoughts", "reasoning":
		return true
	}
	return isOneOf(key, namesOfCalls) || isOneOf(key, argumentsOfCalls)
}
