package engine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// IsUIMessage reports whether an object is a message of the AI SDK 5. In such a message,
// a call and its result are one part, and the type of the part contains the tool's name.
func IsUIMessage(o *shape.Object) bool {
	return o.IsText("role") && shape.InContent(o, "parts", func(b *shape.Object) bool {
		kind := b.FirstString("type")
		return (strings.HasPrefix(kind, "tool-") || kind == "dynamic-tool") && b.HasAll("toolCallId")
	})
}

// IsUIMessageV4 reports whether an object is a message of the AI SDK 4.
func IsUIMessageV4(o *shape.Object) bool {
	return o.IsText("role") && (o.IsList("toolInvocations") || shape.InContent(o, "parts", func(b *shape.Object) bool { return b.IsObject("toolInvocation") }))
}

// IsModelMessage reports whether an object is a message that the AI SDK sends to a model.
func IsModelMessage(o *shape.Object) bool {
	return o.IsText("role") && shape.InContent(o, "content", func(b *shape.Object) bool {
		return shape.OneOf(b.FirstString("type"), "tool-call tool-result tool-error")
	})
}

// uiPart reads a part that contains a call together with its result.
func (r *Run) uiPart(b *shape.Block) {
	name := b.Name
	if name == "" {
		name = strings.TrimPrefix(b.Kind, "tool-")
	}
	i := r.AddCall(Call{ID: b.CallID, Name: name, Arguments: b.Input, At: b.Value})
	switch state := b.Status.Text(); {
	case state == "output-error" || b.ErrorText != "":
		r.AttachResult(b.CallID, name, trajectory.Observation{Text: b.ErrorText, Error: true}, b.Value)
	case state == "output-denied":
		r.AttachResult(b.CallID, name, trajectory.Observation{Text: "denied", Error: true}, b.Value)
		if i >= 0 {
			r.Trajectory.Actions[i].Proposed = true
		}
	case b.Output.Exists():
		r.AttachResult(b.CallID, name, shape.NewObservation(shape.ContentText(b.Output), shape.Unsaid), b.Value)
	default:
		r.markAction(i, b.Marks)
	}
}

// modelOutput returns the text of a tool's output, and the flag failed if the output
// reports an error. Otherwise the flag is unsaid. Since version 5 of the AI SDK, the
// output is an object {type, value}. In earlier versions, the output was any value.
func modelOutput(v jsonval.Value) (string, shape.Flag) {
	o := shape.OpenObject(v)
	if !o.HasAll("type value") {
		return shape.ContentText(v), shape.Unsaid
	}
	text := shape.ContentText(o.Get("value"))
	if strings.HasPrefix(o.FirstString("type"), "error") {
		return text, shape.Failed
	}
	return text, shape.Unsaid
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
