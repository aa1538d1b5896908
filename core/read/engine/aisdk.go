package engine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// IsUIMessage reports whether an object is a message of the AI SDK 5. In such a message,
// a call and its result are one part, and the type of the part contains the tool's name.
func IsUIMessage(o *Object) bool {
	return o.IsText("role") && InContent(o, "parts", func(b *Object) bool {
		kind := b.FirstString("type")
		return (strings.HasPrefix(kind, "tool-") || kind == "dynamic-tool") && b.HasAll("toolCallId")
	})
}

// IsUIMessageV4 reports whether an object is a message of the AI SDK 4.
func IsUIMessageV4(o *Object) bool {
	return o.IsText("role") && (o.IsList("toolInvocations") || InContent(o, "parts", func(b *Object) bool { return b.IsObject("toolInvocation") }))
}

// IsModelMessage reports whether an object is a message that the AI SDK sends to a model.
func IsModelMessage(o *Object) bool {
	return o.IsText("role") && InContent(o, "content", func(b *Object) bool {
		return OneOf(b.FirstString("type"), "tool-call tool-result tool-error")
	})
}

// uiPart reads a part that contains a call together with its result.
func (r *Run) uiPart(b *Block) {
	name := b.name
	if name == "" {
		name = strings.TrimPrefix(b.Kind, "tool-")
	}
	i := r.AddCall(Call{ID: b.callID, Name: name, Arguments: b.input, At: b.v})
	switch state := b.status.Text(); {
	case state == "output-error" || b.errorText != "":
		r.AttachResult(b.callID, name, trajectory.Observation{Text: b.errorText, Error: true}, b.v)
	case state == "output-denied":
		r.AttachResult(b.callID, name, trajectory.Observation{Text: "denied", Error: true}, b.v)
		if i >= 0 {
			r.Trajectory.Actions[i].Proposed = true
		}
	case b.output.Exists():
		r.AttachResult(b.callID, name, NewObservation(ContentText(b.output), Unsaid), b.v)
	default:
		r.markAction(i, b.marks)
	}
}

// modelOutput returns the text of a tool's output, and the flag failed if the output
// reports an error. Otherwise the flag is unsaid. Since version 5 of the AI SDK, the
// output is an object {type, value}. In earlier versions, the output was any value.
func modelOutput(v jsonval.Value) (string, Flag) {
	o := OpenObject(v)
	if !o.HasAll("type value") {
		return ContentText(v), Unsaid
	}
	text := ContentText(o.Get("value"))
	if strings.HasPrefix(o.FirstString("type"), "error") {
		return text, Failed
	}
	return text, Unsaid
}

// readInvocations reads the list of calls that a message of the AI SDK 4 has next to its
// content.
func (r *Run) readInvocations(list jsonval.Value) {
	if list.Kind() == jsonval.Array {
		list.Each(func(_ string, v jsonval.Value) bool {
			r.ToolCall(v)
			return true
		})
	}
}
