package format

import (
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isKimi reports whether an object is a line of the file wire.jsonl of Kimi Code.
func isKimi(o *shape.Object) bool {
	kind := o.FirstString("type")
	return kind == "context.append_loop_event" && o.IsObject("event") || kind == "context.append_message" && o.IsObject("message")
}

func decodeKimi(d *engine.Decoder, in engine.Batch) {
	r := d.NewRun()
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		r.Took.Enter(o)
		switch o.FirstString("type") {
		case "config.update":
			if r.Trajectory.Policy == "" {
				r.Trajectory.Policy = o.FirstString("systemPrompt")
			}
			if r.Trajectory.Model == "" {
				r.Trajectory.Model = o.FirstString("modelAlias")
			}
		case "context.append_message":
			r.ReadMessageValue(o.Get("message"))
		case "context.append_loop_event":
			kimiEvent(r, o.OpenMember("event"))
		}
	}
	r.AddToDocument()
}

// kimiEvent reads an event of the agent's loop.
func kimiEvent(r *engine.Run, o *shape.Object) {
	id := o.FirstText("toolCallId")
	switch o.FirstString("type") {
	case "step.begin":
		r.BeginTurn("assistant")
	case "content.part":
		if part := o.OpenMember("part"); part.FirstString("type") == "text" {
			r.AssistantTurn()
			r.AddText(part.FirstText("text"))
		}
	case "tool.call":
		r.AssistantTurn()
		r.AddCall(engine.Call{ID: id, Name: o.FirstText("name"), Arguments: o.Get("args"), At: o.Value})
	case "tool.result":
		result := o.OpenMember("result")
		text := shape.ContentText(result.FirstNonNull("output"))
		if text == "" {
			text = shape.ErrorWords(result.Get("error"))
		}
		r.AttachResult(id, "", shape.NewObservation(text, shape.StrictestFlag(shape.ErrorFlag(result.Get("isError is_error")), shape.ErrorFlag(result.Get("error")))), o.Value)
	}
}
