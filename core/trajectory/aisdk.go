package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// isUIMessage reports whether an object is a message of the AI SDK 5. In such a message,
// a call and its result are one part, and the type of the part contains the tool's name.
func isUIMessage(o *object) bool {
	return o.isText("role") && inContent(o, "parts", func(b *object) bool {
		kind := b.firstString("type")
		return (strings.HasPrefix(kind, "tool-") || kind == "dynamic-tool") && b.hasAll("toolCallId")
	})
}

// isUIMessageV4 reports whether an object is a message of the AI SDK 4.
func isUIMessageV4(o *object) bool {
	return o.isText("role") && (o.isList("toolInvocations") || inContent(o, "parts", func(b *object) bool { return b.isObject("toolInvocation") }))
}

// isModelMessage reports whether an object is a message that the AI SDK sends to a model.
func isModelMessage(o *object) bool {
	return o.isText("role") && inContent(o, "content", func(b *object) bool {
		return oneOf(b.firstString("type"), "tool-call tool-result tool-error")
	})
}

// uiPart reads a part that contains a call together with its result.
func (r *run) uiPart(b *block) {
	name := b.name
	if name == "" {
		name = strings.TrimPrefix(b.kind, "tool-")
	}
	i := r.addCall(call{id: b.callID, name: name, arguments: b.input, at: b.v})
	switch state := b.status.Text(); {
	case state == "output-error" || b.errorText != "":
		r.attachResult(b.callID, name, Observation{Text: b.errorText, Error: true}, b.v)
	case state == "output-denied":
		r.attachResult(b.callID, name, Observation{Text: "denied", Error: true}, b.v)
		if i >= 0 {
			r.t.Actions[i].Proposed = true
		}
	case b.output.Exists():
		r.attachResult(b.callID, name, newObservation(contentText(b.output), unsaid), b.v)
	default:
		r.markAction(i, b.marks)
	}
}

// modelOutput returns the text of a tool's output, and the flag failed if the output
// reports an error. Otherwise the flag is unsaid. Since version 5 of the AI SDK, the
// output is an object {type, value}. In earlier versions, the output was any value.
func modelOutput(v jsonval.Value) (string, flag) {
	o := openObject(v)
	if !o.hasAll("type value") {
		return contentText(v), unsaid
	}
	text := contentText(o.get("value"))
	if strings.HasPrefix(o.firstString("type"), "error") {
		return text, failed
	}
	return text, unsaid
}

// readInvocations reads the list of calls that a message of the AI SDK 4 has next to its
// content.
func (r *run) readInvocations(list jsonval.Value) {
	if list.Kind() == jsonval.Array {
		list.Each(func(_ string, v jsonval.Value) bool {
			r.toolCall(v)
			return true
		})
	}
}
