package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// ToolSandbox keeps a run as its databases: execution_context.json has {_dbs: {SANDBOX:
// [{sender, recipient, content}]}}. A message from the agent to the environment is Python
// code that makes one call.

func isToolSandbox(o *shape.Object) bool {
	return engine.InFirst(o.OpenMember("_dbs"), "SANDBOX", func(m *shape.Object) bool { return m.HasAny("sender recipient sandbox_message_index") })
}

func decodeToolSandbox(d *engine.Decoder, in engine.Batch) {
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		if !isToolSandbox(o) {
			d.WarnForeign(v)
			continue
		}
		r := d.NewRun()
		engine.CopyMeta(&r.Trajectory, o)
		for _, m := range o.OpenMember("_dbs").FirstList("SANDBOX") {
			sandboxMessage(r, shape.OpenObject(m))
		}
		r.AddToDocument()
	}
}

// sandboxMessage reads one message. Messages that only the user's simulator sees are its
// examples and are no part of the run.
func sandboxMessage(r *engine.Run, o *shape.Object) {
	if seen := o.FirstList("visible_to"); len(seen) == 1 && seen[0].Text() == "USER" {
		return
	}
	content := o.Get("content").Text()
	switch from, to := o.FirstString("sender"), o.FirstString("recipient"); {
	case from == "AGENT" && to == "EXECUTION_ENVIRONMENT":
		r.BeginTurn("assistant")
		if name, arguments, ok := sandboxCall(content); ok {
			r.AddCall(engine.Call{ID: o.FirstText("openai_tool_call_id"), Name: shape.IfElse(name != "", name, o.FirstText("openai_function_name")), Arguments: arguments, At: o.Value})
			return
		}
		r.AddCall(engine.Call{ID: o.FirstText("openai_tool_call_id"), Name: "python", Arguments: literal.Object("code", content), At: o.Value})
	case from == "EXECUTION_ENVIRONMENT" && to == "AGENT":
		f := shape.Unsaid
		if o.FirstNonNull("tool_call_exception").Exists() {
			f = shape.Failed
		}
		r.AttachResult(o.FirstText("openai_tool_call_id"), "", shape.NewObservation(content, f), o.Value)
	case from == "SYSTEM" && to == "AGENT":
		r.AddMessage("system", content)
	case from == "USER" && to == "AGENT":
		r.AddMessage("user", content)
	case from == "AGENT":
		r.AddMessage("assistant", content)
	}
}

// sandboxCall reads the code of one call: ID_parameters = {…}, then ID_response =
// NAME(**ID_parameters).
func sandboxCall(code string) (name string, arguments jsonval.Value, ok bool) {
	first, rest, _ := strings.Cut(strings.TrimSpace(code), "\n")
	_, parameters, ok := strings.Cut(first, "_parameters = ")
	if !ok {
		return "", jsonval.Value{}, false
	}
	if _, called, found := strings.Cut(rest, "_response = "); found {
		name, _, _ = strings.Cut(called, "(")
	}
	arguments = literal.Python(parameters)
	return strings.TrimSpace(name), arguments, arguments.Kind() == jsonval.Object
}
