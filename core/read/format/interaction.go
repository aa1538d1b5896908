package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isInteraction reports whether an object is an interaction of Google's Interactions API.
func isInteraction(o *shape.Object) bool {
	return o.FirstString("object") == "interaction" && o.IsList("steps")
}

func decodeInteraction(d *engine.Decoder, in engine.Batch) {
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		r := d.NewRun()
		r.Trajectory.ID, r.Trajectory.Model = o.FirstText("id"), o.FirstString("model")
		if s := o.FirstString("input"); s != "" {
			r.AddMessage("user", s)
		}
		for _, s := range o.FirstList("steps") {
			interactionStep(r, shape.OpenObject(s))
		}
		r.AddToDocument()
	}
}

// interactionStep reads a step, which is a text, a call or a result. A call without a
// name gets its name from its type.
func interactionStep(r *engine.Run, o *shape.Object) {
	kind := o.FirstString("type")
	name := o.FirstText("name")
	switch {
	case kind == "user_input", kind == "model_output":
		r.AddMessage(shape.IfElse(kind == "user_input", "user", "assistant"), shape.ContentText(o.Get("content")))
	case strings.HasSuffix(kind, "_call"):
		r.AssistantTurn()
		r.AddCall(engine.Call{ID: o.FirstText("id"), Name: shape.IfElse(name != "", name, engine.TrimCall(kind)), Arguments: o.Get("arguments"), At: o.Value})
	case strings.HasSuffix(kind, "_result"):
		text := o.FirstNonNull("result").Text()
		r.AttachResult(o.FirstText("call_id"), name, shape.NewObservation(text, shape.ErrorFlag(o.Get("is_error"))), o.Value)
	}
}
