package abi

// MaxDepth is how many objects and lists may lie in each other in a message.
const MaxDepth = 512

// TooDeep reports whether more of them do than MaxDepth. It does not look at whether the
// text is JSON otherwise. Linear time.
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
