package jsonval

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"github.com/tidwall/gjson"
)

// content gives what a checked string holds. Without an escape that is a part
// of the text. gjson reads the rare surrogates, and what is broken in them; the
// other escapes are read here because gjson copies byte by byte.
func content(raw string) string {
	inner := raw[1 : len(raw)-1]
	slash := strings.IndexByte(inner, '\\')
	if slash < 0 {
		return inner
	}
	out := make([]byte, len(inner)) // no escape is shorter than what it stands for
	from, to := slash, copy(out, inner[:slash])
	for from < len(inner) {
		if c := escapes[inner[from+1]]; c != 0 {
			out[to] = c
			from, to = from+2, to+1
		} else {
			r := hex4(inner[from+2:])
			if utf16.IsSurrogate(r) {
				return gjson.Parse(raw).Str
			}
			from, to = from+6, to+utf8.EncodeRune(out[to:], r)
		}
		n := plainCopy(out[to:], inner[from:])
		from, to = from+n, to+n
	}
	if to < len(out)/2 {
		return string(out[:to])
	}
	return unsafe.String(&out[0], to) // nothing writes to out any more
}

// plainCopy copies s up to its first backslash, and tells how much that was. It
// writes eight bytes together, perhaps beyond the backslash; dst is as long as s
// or longer.
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
