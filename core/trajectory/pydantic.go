package trajectory

import "strings"

func isPydantic(o *object) bool {
	return oneOf(o.firstString("kind"), "request response") && o.isList("parts")
}

func decodePydantic(d *decoder, in batch) {
	r := d.newRun()
	r.t.copyMeta(in.outer)
	for _, v := range in.values {
		o := openObject(v)
		if r.t.Model == "" {
			r.t.Model = o.firstString("model_name")
		}
		r.beginTurn(ifElse(o.firstString("kind") == "request", "user", "assistant"))
		for _, p := range o.firstList("parts") {
			r.pydanticPart(openObject(p))
		}
	}
	r.addToDocument()
}

func (r *run) pydanticPart(o *object) {
	switch kind := o.firstString("part_kind"); kind {
	case "system-prompt":
		r.addMessage("system", o.firstText("content"))
		r.beginTurn("user")
	case "user-prompt", "text":
		r.beginTurn(r.role)
		r.addText(contentText(o.get("content")))
	case "tool-call", "builtin-tool-call":
		r.addCall(call{id: o.firstText("tool_call_id"), name: o.firstText("tool_name"), arguments: o.get("args"), at: o.v})
	case "tool-return", "builtin-tool-return":
		f := unsaid
		if outcome := o.firstString("outcome"); outcome != "" {
			f = statusFlag(o.get("outcome"))
		}
		r.attachResult(o.firstText("tool_call_id"), o.firstText("tool_name"), newObservation(contentText(o.get("content")), f), o.v)
	case "retry-prompt":
		text := contentText(o.get("content"))
		if !o.isText("tool_name") { // about the answer, not about a call
			r.addMessage("user", strings.TrimSpace(text))
			return
		}
		r.attachResult(o.firstText("tool_call_id"), o.firstText("tool_name"), Observation{Text: text, Error: true}, o.v)
	}
}
