package jsonval

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// stringContent returns the content of a valid string literal. If the literal has no
// escape, the result shares the memory of the literal. Half of a surrogate pair becomes
// U+FFFD, as in encoding/json.
func stringContent(raw string) string {
	inner := raw[1 : len(raw)-1]
	slash := strings.IndexByte(inner, '\\')
	if slash < 0 {
		return inner
	}
	out := make([]byte, len(inner)) // an escape is never shorter than the character that it means
	from, to := slash, copy(out, inner[:slash])
	for from < len(inner) {
		if c := escapes[inner[from+1]]; c != 0 {
			out[to] = c
			from, to = from+2, to+1
		} else {
			r, n := escapedRune(inner[from:])
			from, to = from+n, to+utf8.EncodeRune(out[to:], r)
		}
		n := plainCopy(out[to:], inner[from:])
		from, to = from+n, to+n
	}
	if to < len(out)/2 {
		return string(out[:to])
	}
	return unsafe.String(&out[0], to) // nothing writes to out any more
}

// escapedRune returns the character of the escape \uXXXX, or of the two escapes of a
// surrogate pair, at the beginning of s. n is the number of bytes read.
func escapedRune(s string) (r rune, n int) {
	r = hex4(s[2:])
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
		if pair := utf16.DecodeRune(r, hex4(s[8:])); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

// plainCopy copies s up to its first backslash to dst, and returns the number of bytes
// copied. It writes eight bytes at a time and may write beyond the backslash, so dst must
// be at least as long as s.
func plainCopy(dst []byte, s string) int {
	src, i := unsafe.Slice(unsafe.StringData(s), len(s)), 0
	for ; i+8 <= len(src); i += 8 {
		w := binary.LittleEndian.Uint64(src[i : i+8])
		binary.LittleEndian.PutUint64(dst[i:i+8], w)
		slash := w ^ ones*'\\'
		if found := (slash - ones) &^ slash & highs; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(src) && src[i] != '\\' {
		dst[i] = src[i]
		i++
	}
	return i
}
