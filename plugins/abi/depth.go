package abi

// MaxDepth is the deepest nesting of objects and lists in a message.
const MaxDepth = 512

// TooDeep reports whether a text is nested deeper than MaxDepth. It does not check that
// the text is valid JSON. It needs linear time.
func TooDeep(b []byte) bool {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			if depth++; depth > MaxDepth {
				return true
			}
		case '}', ']':
			depth--
		}
	}
	return false
}
