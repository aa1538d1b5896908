package proxy

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/react"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// reactCalls returns the calls in a text that have the form of ReAct. The arguments of a
// call are the action's input if it is a JSON object. Any other input becomes the member
// "input" of the arguments.
func reactCalls(words string) (calls []call) {
	read, _ := react.Parse(words)
	for _, c := range read {
		switch {
		case c.Blob:
			calls = append(calls, reactObject(c.Input))
		case c.Called:
			calls = append(calls, pythonCall(c.Name, c.Input))
		default:
			calls = append(calls, reactCall(c.Name, c.Input))
		}
	}
	return calls
}

func reactCall(name, input string) call {
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

// pythonCall parses NAME(ARGUMENTS) in Python's notation. If the arguments may hide a
// second call or statement, the result has the member Bad.
func pythonCall(name, arguments string) call {
	step, err := reference.ReadCall(name + "(" + arguments + ")")
	if err != nil || strings.ContainsAny(arguments, "();\n") {
		return unreadableText("Action:")
	}
	return call{Name: name, Text: step.Arguments.Raw()}
}

// reactObject reads the object after "Action:".
func reactObject(text string) call {
	v, err := jsonval.Parse(text)
	if err == nil && checkUnambiguous(v) == nil {
		if calls := jsonCalls(v); len(calls) == 1 {
			return calls[0]
		}
	}
	return unreadableText("Action:")
}
