package trajectory

import "strings"

func isPydantic(o *object) bool {
	return oneOf(o.word("kind"), "request response") && o.isList("parts")
}

func decodePydantic(d *decoder, in batch) {
	r := d.run()
	r.t.meta(in.outer)
	for _, v := range in.values {
		o := open(v)
		if r.t.Model == "" {
			r.t.Model = o.word("model_name")
		}
		r.turn(either(o.word("kind") == "request", "user", "assistant"))
		for _, p := range o.list("parts") {
			r.pydanticPart(open(p))
		}
	}
	r.done()
}

func (r *run) pydanticPart(o *object) {
	switch kind := o.word("part_kind"); kind {
	case "system-prompt":
		r.message("system", o.text("content"))
		r.turn("user")
	case "user-prompt", "text":
		r.turn(r.role)
		r.say(contentText(o.get("content")))
	case "tool-call", "builtin-tool-call":
		r.call(call{id: o.text("tool_call_id"), name: o.text("tool_name"), arguments: o.get("args"), at: o.v})
	case "tool-return", "builtin-tool-return":
		f := unsaid
		if outcome := o.word("outcome"); outcome != "" {
			f = statusFlag(o.get("outcome"))
		}
		r.answer(o.text("tool_call_id"), o.text("tool_name"), observe(contentText(o.get("content")), f), o.v)
	case "retry-prompt":
		text := contentText(o.get("content"))
		if !o.isText("tool_name") { // about the answer, not about a call
			r.message("user", strings.TrimSpace(text))
			return
		}
		r.answer(o.text("tool_call_id"), o.text("tool_name"), Observation{Text: text, Error: true}, o.v)
	}
}
