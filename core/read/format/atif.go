package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

func isATIF(o *shape.Object) bool {
	return strings.HasPrefix(o.FirstString("schema_version"), "ATIF") && o.IsList("steps")
}

func decodeATIF(d *engine.Decoder, in engine.Batch) {
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		if !o.IsList("steps") {
			d.WarnForeign(v)
			continue
		}
		r := d.NewRun()
		engine.CopyMeta(&r.Trajectory, o)
		r.Trajectory.ID = o.FirstText("session_id trajectory_id")
		agent := o.OpenMember("agent")
		r.Trajectory.Model = shape.IfElse(agent.FirstString("model_name") != "", agent.FirstString("model_name"), agent.FirstString("name"))
		for _, s := range o.FirstList("steps") {
			atifStep(r, s)
		}
		r.AddToDocument()
	}
}

func atifStep(r *engine.Run, v jsonval.Value) {
	o := shape.OpenObject(v)
	role := o.FirstString("source")
	r.BeginTurn(shape.PlainRole(role))
	if message := shape.ContentText(o.Get("message")); message != "" || !o.HasAny("tool_calls") {
		r.AddText(message)
	}
	for _, c := range o.FirstList("tool_calls") {
		call := shape.OpenObject(c)
		atifCall(r, call)
	}
	results := o.OpenMember("observation").FirstList("results")
	for _, c := range results {
		result := shape.OpenObject(c)
		extra := result.OpenMember("extra")
		f := shape.StrictestFlag(shape.ErrorFlag(result.Get("is_error")), shape.ErrorFlag(extra.Get("is_error error")), shape.ExitFlag(extra.Get("exit_code")))
		r.AttachResult(result.FirstText("source_call_id"), "", shape.NewObservation(shape.ContentText(result.Get("content")), f), c)
	}
}

// atifCall reads a call. The text of a free-text action and the requestor are in the
// member extra, where Encode writes them.
func atifCall(r *engine.Run, o *shape.Object) {
	c := engine.Call{ID: o.FirstText("tool_call_id"), Name: o.FirstText("function_name"), Arguments: o.Get("arguments"), At: o.Value}
	extra := o.OpenMember("extra")
	if c.Text = extra.FirstString("text"); c.Text != "" {
		c.Arguments = jsonval.Value{}
	}
	r.Requestor = extra.FirstString("requestor")
	r.AddCall(c)
	r.Requestor = ""
}
