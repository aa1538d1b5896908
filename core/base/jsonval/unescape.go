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
	to := copy(out, inner[:slash])
	to += unescape(out[to:], inner[slash:])
	if to < len(out)/2 {
		return string(out[:to])
	}
	return unsafe.String(&out[0], to) // nothing writes to out any more
}

// Unquote returns the content of a text that is one JSON string without white space around
// it. It returns false for any other text.
func Unquote(raw string) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' || stringEnd(raw, 0) != len(raw) {
		return "", false
	}
	return stringContent(raw), true
}

// unescape writes s, the inside of a valid string literal, to dst and replaces each
// escape by its character. It returns the number of bytes written. dst must be at least
// as long as s, because unescape may write more bytes than it returns.
func unescape(dst []byte, s string) int {
	src, out := unsafe.StringData(s), unsafe.SliceData(dst)
	from, to := 0, 0
	for from < len(s) {
		if from+8 <= len(s) {
			w := wordAt(src, from)
			binary.LittleEndian.PutUint64((*[8]byte)(unsafe.Add(unsafe.Pointer(out), to))[:], w) // to is at most from
			slash := w ^ ones*'\\'
			found := (slash - ones) &^ slash & highs
			if found == 0 {
				from, to = from+8, to+8
				continue
			}
			n := bits.TrailingZeros64(found) / 8
			from, to = from+n, to+n
		} else if s[from] != '\\' {
			dst[to] = s[from]
			from, to = from+1, to+1
			continue
		}
		if c := escapes[s[from+1]]; c != 0 {
			dst[to] = c
			from, to = from+2, to+1
		} else {
			r, n := escapedRune(s[from:])
			from, to = from+n, to+utf8.EncodeRune(dst[to:], r)
		}
	}
	return to
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
