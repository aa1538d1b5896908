package trajectory

// isBedrock reports whether an object is a message of Bedrock's Converse API. The blocks
// of such a message have no type.
func isBedrock(o *object) bool {
	return o.isText("role") && inContent(o, "content", func(b *object) bool { return b.openMember("toolUse toolResult").hasAny("toolUseId") })
}

func (r *run) readBedrockBlock(b *block) {
	o := openObject(b.nested)
	id := o.firstText("toolUseId")
	if b.kind == "toolUse" {
		r.addCall(call{id: id, name: o.firstText("name"), arguments: o.get("input"), at: b.v})
		return
	}
	r.attachResult(id, "", newObservation(contentText(o.get("content")), statusFlag(o.get("status"))), b.v)
}
