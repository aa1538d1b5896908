package engine

import "github.com/boundcheck/boundcheck/core/read/shape"

// IsBedrock reports whether an object is a message of Bedrock's Converse API. The blocks
// of such a message have no type.
func IsBedrock(o *shape.Object) bool {
	return o.IsText("role") && shape.InContent(o, "content", func(b *shape.Object) bool { return b.OpenMember("toolUse toolResult").HasAny("toolUseId") })
}

func (r *Run) readBedrockBlock(b *shape.Block) {
	o := shape.OpenObject(b.Nested)
	id := o.FirstText("toolUseId")
	if b.Kind == "toolUse" {
		r.AddCall(Call{ID: id, Name: o.FirstText("name"), Arguments: o.Get("input"), At: b.Value})
		return
	}
	r.AttachResult(id, "", shape.NewObservation(shape.ContentText(o.Get("content")), shape.StatusFlag(o.Get("status"))), b.Value)
}
