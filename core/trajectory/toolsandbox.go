package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// ToolSandbox keeps a run as its databases: execution_context.json has {_dbs: {SANDBOX:
// [{sender, recipient, content}]}}. A message from the agent to the environment is Python
// code that makes one call.

func isToolSandbox(o *object) bool {
	return inFirst(o.openMember("_dbs"), "SANDBOX", func(m *object) bool { return m.hasAny("sender recipient sandbox_message_index") })
}

func decodeToolSandbox(d *decoder, in batch) {
	for _, v := range in.values {
		o := openObject(v)
		if !isToolSandbox(o) {
			d.warnForeign(v)
			continue
		}
		r := d.newRun()
		r.t.copyMeta(o)
		for _, m := range o.openMember("_dbs").firstList("SANDBOX") {
			r.sandboxMessage(openObject(m))
		}
		r.addToDocument()
	}
}

// sandboxMessage reads one message. Messages that only the user's simulator sees are its
// examples and are no part of the run.
func (r *run) sandboxMessage(o *object) {
	if seen := o.firstList("visible_to"); len(seen) == 1 && seen[0].Text() == "USER" {
		return
	}
	content := o.get("content").Text()
	switch from, to := o.firstString("sender"), o.firstString("recipient"); {
	case from == "AGENT" && to == "EXECUTION_ENVIRONMENT":
		r.beginTurn("assistant")
		if name, arguments, ok := sandboxCall(content); ok {
			r.addCall(call{id: o.firstText("openai_tool_call_id"), name: ifElse(name != "", name, o.firstText("openai_function_name")), arguments: arguments, at: o.v})
			return
		}
		r.addCall(call{id: o.firstText("openai_tool_call_id"), name: "python", arguments: objectFromPairs("code", content), at: o.v})
	case from == "EXECUTION_ENVIRONMENT" && to == "AGENT":
		f := unsaid
		if o.firstNonNull("tool_call_exception").Exists() {
			f = failed
		}
		r.attachResult(o.firstText("openai_tool_call_id"), "", newObservation(content, f), o.v)
	case from == "SYSTEM" && to == "AGENT":
		r.addMessage("system", content)
	case from == "USER" && to == "AGENT":
		r.addMessage("user", content)
	case from == "AGENT":
		r.addMessage("assistant", content)
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
	arguments = parsePython(parameters)
	return strings.TrimSpace(name), arguments, arguments.Kind() == jsonval.Object
}
