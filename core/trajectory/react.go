package trajectory

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/react"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// linesReact reads a text that is a run in ReAct form, and reports whether the text has
// this form. The text before the first thought or action is the user's message.
func linesReact(d *decoder, text string) bool {
	if calls, _ := react.Parse(text); len(calls) == 0 {
		return false
	}
	r := d.newRun()
	for line, rest := "", text; rest != ""; {
		line, rest, _ = strings.Cut(rest, "\n")
		key, value := react.Key(line)
		if key != "" && key != "question" {
			break
		}
		if text = rest; key == "question" {
			line = value
		}
		if line = strings.TrimSpace(line); line != "" {
			if r.role != "user" {
				r.beginTurn("user")
			}
			r.addText(line)
		}
	}
	r.beginTurn("assistant")
	r.readReact(text, jsonval.Value{})
	r.addToDocument()
	return true
}

// readReact reads the actions in ReAct form from an assistant's text, and reports whether
// there are any.
func (r *run) readReact(text string, at jsonval.Value) bool {
	calls, rest := react.Parse(text)
	if len(calls) > 0 {
		r.addReactSteps(calls, rest, at)
	}
	return len(calls) > 0
}

// addReactSteps adds the given actions in ReAct form to the run. rest is the text after
// the last action, and becomes a message of the assistant.
func (r *run) addReactSteps(calls []react.Call, rest string, at jsonval.Value) {
	for _, c := range calls {
		r.beginTurn("assistant")
		if c.Before != "" {
			r.addText(c.Before)
		}
		name, arguments := reactCall(&c)
		r.replies = c.Fence != ""
		if c.Blob && arguments.Get("action").Kind() == jsonval.String {
			name = arguments.Get("action").Text()
			if arguments = arguments.Get("action_input"); arguments.Kind() != jsonval.Object {
				arguments = reactArguments(arguments.Text())
			}
		}
		switch {
		case name != "":
			r.addCall(call{name: name, arguments: arguments, at: at})
		case !r.readSpelledValue(c.Input, at):
			continue
		default:
			name = r.t.Actions[len(r.t.Actions)-1].Name
		}
		if c.Observed {
			r.attachResult("", name, newObservation(c.Observation, unsaid), at)
		}
	}
	if rest != "" {
		r.addMessage("assistant", rest)
	}
}

// reactCall returns the name and the arguments of an action. A block of code in a known
// language becomes a call of the program that runs this language, such as bash.
func reactCall(c *react.Call) (name string, arguments jsonval.Value) {
	switch {
	case c.Called:
		if step, err := reference.ReadCall(c.Name + "(" + c.Input + ")"); err == nil {
			return c.Name, step.Arguments
		}
	case oneOf(c.Fence, "sql mysql sqlite postgresql"):
		return "sql", objectFromPairs("query", c.Input)
	case oneOf(c.Fence, "bash sh shell"):
		return "bash", objectFromPairs("command", c.Input)
	case oneOf(c.Fence, "python py python3"):
		return "python", objectFromPairs("code", c.Input)
	}
	return c.Name, reactArguments(c.Input)
}

// readTranscript reads a string that contains a whole run in ReAct form. A string without
// an observation is ignored, because its call is also stored in another place.
func (r *run) readTranscript(v jsonval.Value) {
	text, _ := v.Str()
	if !strings.Contains(text, "Observation") {
		return
	}
	calls, rest := react.Parse(text)
	if slices.ContainsFunc(calls, func(c react.Call) bool { return c.Observed }) {
		r.beginTurn("assistant")
		r.addReactSteps(calls, rest, v)
	}
}

// reactArguments reads the input of an action. An object may be in JSON or in Python's
// notation. Any other text becomes the member "input".
func reactArguments(input string) jsonval.Value {
	v, err := jsonval.Parse(input)
	if err != nil {
		v = parsePython(input)
	}
	switch {
	case v.Kind() == jsonval.Object:
		return v
	case input == "" || strings.EqualFold(input, "none"):
		return objectFromPairs()
	}
	return objectFromPairs("input", input)
}

// reactResult reads a message of the user that begins with "Observation:", which is the
// result of a call in ReAct. It returns false for any other message.
func (r *run) reactResult(text string) bool {
	line, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	key, value := react.Key(line)
	if n := len(r.t.Actions); key != "observation" || n == 0 || r.t.Actions[n-1].Observation != nil || r.t.Actions[n-1].CallID != "" {
		return false
	}
	if at := strings.LastIndexByte(rest, '\n') + 1; strings.HasPrefix(rest[at:], "Thought:") && len(rest[at:]) < len("Thought: ")+1 {
		rest = rest[:at] // the beginning of the model's next words
	}
	r.answerLast(newObservation(strings.TrimSpace(value+"\n"+rest), unsaid))
	return true
}
