package engine

// IsBedrock reports whether an object is a message of Bedrock's Converse API. The blocks
// of such a message have no type.
func IsBedrock(o *Object) bool {
	return o.IsText("role") && InContent(o, "content", func(b *Object) bool { return b.OpenMember("toolUse toolResult").HasAny("toolUseId") })
}

func (r *Run) readBedrockBlock(b *Block) {
	o := OpenObject(b.nested)
	id := o.FirstText("toolUseId")
	if b.Kind == "toolUse" {
		r.AddCall(Call{ID: id, Name: o.FirstText("name"), Arguments: o.Get("input"), At: b.v})
		return
	}
	r.AttachResult(id, "", NewObservation(ContentText(o.Get("content")), StatusFlag(o.Get("status"))), b.v)
}
