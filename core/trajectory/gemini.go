package trajectory

import "github.com/boundcheck/boundcheck/core/jsonval"

// isGemini reports whether an object is a Gemini content. Its parts contain calls or
// results, or its role is "model" and its parts contain text.
func isGemini(o *object) bool {
	return o.isList("parts") && o.word("role") != "assistant" && !o.has("kind") && inContent(o, "parts", func(b *object) bool {
		return b.any("functionCall functionResponse function_call function_response") || o.word("role") == "model" && b.isText("text")
	})
}

// gemini reads a call or a result. In older data they have no ids, so results are matched
// to calls by name.
func (r *run) gemini(b *block) {
	o := open(b.nested)
	id, name := o.text("id"), o.text("name")
	if b.kind == "functionCall" || b.kind == "function_call" {
		r.call(call{id: id, name: name, arguments: o.get("args arguments"), at: b.v})
		return
	}
	text, f := functionResponse(o.get("response"))
	r.answer(id, name, observe(text, f), b.v)
}

// functionResponse reads the result of a function, which is any object. Often it contains
// only the text, as {result}, {output} or {error}.
func functionResponse(response jsonval.Value) (string, flag) {
	text := response.Text()
	if inner := open(response); len(inner.keys) == 1 && inner.any("result output error") {
		text = inner.values[0].Text()
	}
	return text, errorFlag(response.Get("error"))
}
