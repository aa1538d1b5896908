// Package plain finds where a text stops being characters that a string of JSON holds as
// they are. Eight bytes are looked at together: a guest takes as long for one.
package plain

import "math/bits"

const (
	ones = 0x0101010101010101
	high = 0x80 * ones
)

// Run returns the index of the first quotation mark, backslash or control character in
// s from i on, or len(s).
func Run(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		x := load(s[i:])
		if m := special(x); m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c == '"' || c == '\\' || c < ' ' {
			break
		}
	}
	return i
}

// ASCII is like Run, but also stops at DEL and at bytes beyond ASCII.
func ASCII(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		x := load(s[i:])
		if m := special(x) | x&high | zero(x^0x7f*ones); m != 0 {
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

// special sets the high bit of each byte that Run stops at; above the first there may be
// more.
func special(x uint64) uint64 {
	return zero(x^'"'*ones) | zero(x^'\\'*ones) | (x-' '*ones)&^x&high
}

// zero sets the high bit of each byte that is 0; above the first there may be more.
func zero(x uint64) uint64 { return (x - ones) &^ x & high }

// load is one instruction, after the compiler.
func load(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
