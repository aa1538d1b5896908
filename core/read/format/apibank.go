package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/read/engine"
)

// isAPIBank reports whether an object is a call in a dialogue of API-Bank.
func isAPIBank(o *engine.Object) bool { return o.FirstString("role") == "API" && o.IsText("api_name") }

func decodeAPIBank(d *engine.Decoder, in engine.Batch) {
	r := d.NewRun()
	engine.CopyMeta(&r.Trajectory, in.Outer)
	for _, v := range in.Values {
		o := engine.OpenObject(v)
		name := o.FirstText("api_name")
		if name == "" {
			r.AddMessage(engine.PlainRole(strings.ToLower(o.FirstText("role"))), o.FirstText("text"))
			continue
		}
		r.AssistantTurn()
		r.AddCall(engine.Call{Name: name, Arguments: o.Get("param_dict"), At: v})
		if result := o.OpenMember("result"); len(result.Keys) > 0 {
			r.AttachResult("", name, engine.NewObservation(engine.ContentText(result.FirstNonNull("exception output")), engine.ErrorFlag(result.Get("exception"))), v)
		}
	}
	r.AddToDocument()
}
