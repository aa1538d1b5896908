package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isAPIBank reports whether an object is a call in a dialogue of API-Bank.
func isAPIBank(o *shape.Object) bool { return o.FirstString("role") == "API" && o.IsText("api_name") }

func decodeAPIBank(d *engine.Decoder, in engine.Batch) {
	r := d.NewRun()
	engine.CopyMeta(&r.Trajectory, in.Outer)
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		name := o.FirstText("api_name")
		if name == "" {
			r.AddMessage(shape.PlainRole(strings.ToLower(o.FirstText("role"))), o.FirstText("text"))
			continue
		}
		r.AssistantTurn()
		r.AddCall(engine.Call{Name: name, Arguments: o.Get("param_dict"), At: v})
		if result := o.OpenMember("result"); len(result.Keys) > 0 {
			r.AttachResult("", name, shape.NewObservation(shape.ContentText(result.FirstNonNull("exception output")), shape.ErrorFlag(result.Get("exception"))), v)
		}
	}
	r.AddToDocument()
}
