package engine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// DecodePydantic reads the messages of one run of Pydantic AI.
func DecodePydantic(d *Decoder, in Batch) {
	r := d.NewRun()
	CopyMeta(&r.Trajectory, in.Outer)
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		if r.Trajectory.Model == "" {
			r.Trajectory.Model = o.FirstString("model_name")
		}
		r.BeginTurn(shape.IfElse(o.FirstString("kind") == "request", "user", "assistant"))
		for _, p := range o.FirstList("parts") {
			r.pydanticPart(shape.OpenObject(p))
		}
	}
	r.AddToDocument()
}

func (r *Run) pydanticPart(o *shape.Object) {
	switch kind := o.FirstString("part_kind"); kind {
	case "system-prompt":
		r.AddMessage("system", o.FirstText("content"))
		r.BeginTurn("user")
	case "user-prompt", "text":
		r.BeginTurn(r.Role)
		r.AddText(shape.ContentText(o.Get("content")))
	case "tool-call", "builtin-tool-call":
		r.AddCall(Call{ID: o.FirstText("tool_call_id"), Name: o.FirstText("tool_name"), Arguments: o.Get("args"), At: o.Value})
	case "tool-return", "builtin-tool-return":
		f := shape.Unsaid
		if outcome := o.FirstString("outcome"); outcome != "" {
			f = shape.StatusFlag(o.Get("outcome"))
		}
		r.AttachResult(o.FirstText("tool_call_id"), o.FirstText("tool_name"), shape.NewObservation(shape.ContentText(o.Get("content")), f), o.Value)
	case "retry-prompt":
		text := shape.ContentText(o.Get("content"))
		if !o.IsText("tool_name") { // about the answer, not about a call
			r.AddMessage("user", strings.TrimSpace(text))
			return
		}
		r.AttachResult(o.FirstText("tool_call_id"), o.FirstText("tool_name"), trajectory.Observation{Text: text, Error: true}, o.Value)
	}
}
