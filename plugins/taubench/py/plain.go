package py

import "math/bits"

const (
	ones = 0x0101010101010101
	high = 0x80 * ones
)

// plainEnd returns the index of the first byte of s, from index i on, that json.dumps
// escapes. The result is len(s) if there is no such byte. json.dumps escapes:
//
//   - a quotation mark and a backslash
//   - a control character and DEL
//   - a byte beyond ASCII
func plainEnd(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		x := loadWord(s[i:])
		if m := zeroBytes(x^'"'*ones) | zeroBytes(x^'\\'*ones) | zeroBytes(x^0x7f*ones) | (x-' '*ones)&^x&high | x&high; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c == '"' || c == '\\' || c < ' ' || c >= 0x7f {
			break
		}
	}
	return i
}

// zeroBytes marks the bytes of the word x that are 0. The result has the high bit of each
// such byte set. Above the lowest byte that is 0, other high bits may also be set.
func zeroBytes(x uint64) uint64 { return (x - ones) &^ x & high }

// loadWord returns the first eight bytes of s as one word. It compiles to a single
// instruction.
func loadWord(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
