package trajectory

import "strings"

// isAnthropic reports whether an object is a message whose content has tool_use or
// tool_result blocks.
func isAnthropic(o *object) bool {
	return o.isText("role") && inContent(o, "content", func(b *object) bool {
		kind := b.firstString("type")
		return strings.HasSuffix(kind, "tool_use") || strings.HasSuffix(kind, "tool_result")
	})
}
