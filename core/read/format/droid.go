package format

import (
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isDroid reports whether an object is a call or a result in the stream that droid exec
// prints.
func isDroid(o *shape.Object) bool {
	kind := o.FirstString("type")
	return o.HasAny("session_id sessionId") && (kind == "tool_call" && o.IsText("toolName") && o.IsObject("parameters") ||
		kind == "tool_result" && o.HasAny("toolId toolCallId") && o.HasAny("value"))
}

func decodeDroid(d *engine.Decoder, in engine.Batch) {
	r := d.NewRun()
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		if r.Trajectory.ID == "" {
			r.Trajectory.ID = o.FirstText("session_id sessionId")
		}
		id := o.FirstText("toolCallId id") // toolId is the tool's name
		switch o.FirstString("type") {
		case "system":
			r.Trajectory.Model = o.FirstString("model")
		case "message":
			r.AddMessage(shape.PlainRole(o.FirstString("role")), o.FirstString("text"))
		case "tool_call":
			r.AssistantTurn()
			r.AddCall(engine.Call{ID: id, Name: o.FirstText("toolName"), Arguments: o.Get("parameters"), At: v})
		case "tool_result":
			value := o.FirstNonNull("value error")
			inner := shape.OpenObject(value)
			text := shape.ContentText(value)
			if inner.HasAny("stdout stderr") {
				text = inner.FirstText("stdout") + inner.FirstText("stderr")
			}
			r.AttachResult(id, "", shape.NewObservation(text, shape.StrictestFlag(shape.ErrorFlag(o.Get("isError")), shape.ErrorFlag(o.Get("error")), shape.ExitFlag(inner.Get("exitCode")))), v)
		case "completion":
			if s := o.FirstString("finalText"); s != "" {
				r.AddMessage("assistant", s)
			}
		}
	}
	r.AddToDocument()
}
