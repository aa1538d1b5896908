package engine

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"

	"github.com/boundcheck/boundcheck/core/read/react"
)

// LinesReact reads a text that is one or more runs in ReAct form, and reports whether the text has
// this form. The text before the first thought or action is the user's message. A question behind a
// final answer begins another run.
func LinesReact(d *Decoder, text string) bool {
	probe := Decoder{text: d.text, formats: d.formats, golds: d.golds}
	if one := probe.NewRun(); !one.readReact(text, jsonval.Value{}) || len(one.Trajectory.Actions) == 0 {
		return false // such as the log of a console with a line that begins with action
	}
	for _, run := range react.Runs(text) {
		d.readReactRun(run.ID, run.Text)
	}
	return true
}

// readReactRun reads one run in ReAct form.
func (d *Decoder) readReactRun(id, text string) {
	r := d.NewRun()
	r.Trajectory.ID = id
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
			if r.Role != "user" {
				r.BeginTurn("user")
			}
			r.AddText(line)
		}
	}
	r.BeginTurn("assistant")
	calls, rest := react.Parse(text)
	r.addReactSteps(calls, rest, jsonval.Value{})
	r.AddToDocument()
}

// readReact reads the actions in ReAct form from an assistant's text, and reports whether
// there are any.
func (r *Run) readReact(text string, at jsonval.Value) bool {
	calls, rest := react.Parse(text)
	if len(calls) > 0 {
		r.addReactSteps(calls, rest, at)
	}
	return len(calls) > 0
}

// addReactSteps adds the given actions in ReAct form to the run. rest is the text after
// the last action, and becomes a message of the assistant.
func (r *Run) addReactSteps(calls []react.Call, rest string, at jsonval.Value) {
	for _, c := range calls {
		r.BeginTurn("assistant")
		if c.Before != "" {
			r.AddText(c.Before)
		}
		name, arguments := shape.ReactCall(&c)
		r.replies = c.Fence != ""
		if c.Blob && arguments.Get("action").Kind() == jsonval.String {
			name = arguments.Get("action").Text()
			if arguments = arguments.Get("action_input"); arguments.Kind() != jsonval.Object {
				arguments = shape.ReactArguments(arguments.Text())
			}
		}
		switch {
		case name != "":
			r.AddCall(Call{Name: name, Arguments: arguments, At: at})
		case !r.readSpelledValue(c.Input, at):
			continue
		default:
			name = r.Trajectory.Actions[len(r.Trajectory.Actions)-1].Name
		}
		if c.Observed {
			r.AttachResult("", name, shape.NewObservation(c.Observation, shape.Unsaid), at)
		}
	}
	if rest != "" {
		r.AddMessage("assistant", rest)
	}
}

// readTranscript reads a string that contains a whole run in ReAct form. A string without
// an observation is ignored, because its call is also stored in another place.
func (r *Run) readTranscript(v jsonval.Value) {
	text, _ := v.Str()
	if !strings.Contains(text, "Observation") {
		return
	}
	calls, rest := react.Parse(text)
	if slices.ContainsFunc(calls, func(c react.Call) bool { return c.Observed }) {
		r.BeginTurn("assistant")
		r.addReactSteps(calls, rest, v)
	}
}

// reactResult reads a message of the user that begins with "Observation:", which is the
// result of a call in ReAct. It returns false for any other message.
func (r *Run) reactResult(text string) bool {
	line, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	key, value := react.Key(line)
	if n := len(r.Trajectory.Actions); key != "observation" || n == 0 || r.Trajectory.Actions[n-1].Observation != nil || r.Trajectory.Actions[n-1].CallID != "" {
		return false
	}
	if at := strings.LastIndexByte(rest, '\n') + 1; strings.HasPrefix(rest[at:], "Thought:") && len(rest[at:]) < len("Thought: ")+1 {
		rest = rest[:at] // the beginning of the model's next words
	}
	r.answerLast(shape.NewObservation(strings.TrimSpace(value+"\n"+rest), shape.Unsaid))
	return true
}
