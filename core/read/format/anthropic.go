package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/read/engine"
)

// isAnthropic reports whether an object is a message whose content has tool_use or
// tool_result blocks. Cursor writes the content one level deeper, in a member "message".
func isAnthropic(o *engine.Object) bool {
	if o.IsObject("message") && o.IsText("role") {
		return engine.InContent(o.OpenMember("message"), "content", func(b *engine.Object) bool {
			kind := b.FirstString("type")
			return engine.IsCallKind(kind) || engine.IsResultKind(kind)
		})
	}
	return o.IsText("role") && engine.InContent(o, "content", func(b *engine.Object) bool {
		kind := b.FirstString("type")
		return strings.HasSuffix(kind, "tool_use") || strings.HasSuffix(kind, "tool_result")
	})
}
