package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isAnthropic reports whether an object is a message whose content has tool_use or
// tool_result blocks. Cursor writes the content one level deeper, in a member "message".
func isAnthropic(o *shape.Object) bool {
	if o.IsObject("message") && o.IsText("role") {
		return shape.InContent(o.OpenMember("message"), "content", func(b *shape.Object) bool {
			kind := b.FirstString("type")
			return shape.IsCallKind(kind) || shape.IsResultKind(kind)
		})
	}
	return o.IsText("role") && shape.InContent(o, "content", func(b *shape.Object) bool {
		kind := b.FirstString("type")
		return strings.HasSuffix(kind, "tool_use") || strings.HasSuffix(kind, "tool_result")
	})
}
