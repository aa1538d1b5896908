package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

func isCopilot(o *shape.Object) bool {
	kind := o.FirstString("type")
	return o.IsObject("data") && (strings.HasPrefix(kind, "tool.execution_") || kind == "assistant.message" && o.OpenMember("data").IsList("toolRequests"))
}

// decodeCopilot reads the events of the Copilot CLI. A call may be in a model's message,
// in an event of its own, or in both. It is read from the first place in which it occurs.
func decodeCopilot(d *engine.Decoder, in engine.Batch) {
	r := d.NewRun()
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		r.Took.Enter(o)
		data := o.OpenMember("data")
		switch kind := o.FirstString("type"); kind {
		case "session.start":
			r.Trajectory.ID, r.Trajectory.Model = data.FirstText("sessionId"), data.FirstString("model selectedModel")
		case "user.message", "assistant.message", "system.message":
			r.BeginTurn(strings.TrimSuffix(kind, ".message"))
			if s := data.FirstText("content text"); s != "" {
				r.AddText(s)
			}
			for _, c := range data.FirstList("toolRequests") {
				if !r.Seen[c.Get("toolCallId").Text()] {
					r.ToolCall(c)
				}
			}
		case "tool.execution_start":
			if r.Seen[data.FirstText("toolCallId")] {
				break
			}
			if r.Role != "assistant" {
				r.BeginTurn("assistant")
			}
			r.AddCall(engine.Call{ID: data.FirstText("toolCallId"), Name: data.FirstText("toolName name"), Arguments: data.Get("arguments"), At: v})
		case "tool.execution_complete":
			result := data.FirstNonNull("result output")
			text := shape.ContentText(result)
			if content := result.Get("content"); content.Exists() {
				text = shape.ContentText(content)
			}
			if text == "" {
				text = shape.ErrorWords(data.Get("error"))
			}
			r.AttachResult(data.FirstText("toolCallId"), data.FirstText("toolName"), shape.NewObservation(text, shape.StrictestFlag(shape.SuccessFlag(data.Get("success")), shape.ErrorFlag(data.Get("error")), shape.ExitFlag(data.OpenMember("shellExecution").Get("exitCode")))), v)
		}
	}
	r.AddToDocument()
}
