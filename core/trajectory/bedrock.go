package trajectory

// isBedrock reports whether an object is a message of Bedrock's Converse API. The blocks
// of such a message have no type.
func isBedrock(o *object) bool {
	return o.isText("role") && inContent(o, "content", func(b *object) bool { return b.isObject("toolUse") || b.isObject("toolResult") })
}

func (r *run) bedrock(b *block) {
	o := open(b.nested)
	id := o.text("toolUseId")
	if b.kind == "toolUse" {
		r.call(call{id: id, name: o.text("name"), arguments: o.get("input"), at: b.v})
		return
	}
	r.answer(id, "", observe(contentText(o.get("content")), statusFlag(o.get("status"))), b.v)
}
