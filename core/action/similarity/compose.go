package similarity

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/codes"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// This file makes two ways to encode the same letters one (Unicode Standard Annex 15, form C), in the
// names and in the values of arguments.

// composed returns arguments with each letter and its marks as one character. Few calls have marks, and
// the others are returned as they are. O(length).
func composed(arguments jsonval.Value) jsonval.Value {
	raw := arguments.Raw()
	escaped := strings.IndexByte(raw, '\\') >= 0 && strings.Contains(raw, `\u`)
	if !escaped && !codes.MayCompose(raw) {
		return arguments
	}
	text := raw
	if escaped {
		if text = withoutEscapes(raw); !codes.MayCompose(text) {
			return arguments
		}
	}
	v, err := jsonval.Parse(codes.Compose(text))
	if err != nil {
		return arguments
	}
	return v
}

// withoutEscapes writes the letters beyond ASCII in a JSON text as they are, and not as \u00e9. It leaves
// the halves of a pair (RFC 8259, section 7).
func withoutEscapes(raw string) string {
	var out strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			out.WriteByte(raw[i])
			continue
		}
		if raw[i+1] == 'u' && i+6 <= len(raw) {
			if n, err := strconv.ParseUint(raw[i+2:i+6], 16, 16); err == nil && n >= 0x80 && (n < 0xD800 || n > 0xDFFF) {
				out.WriteRune(rune(n))
				i += 5
				continue
			}
		}
		out.WriteString(raw[i : i+2])
		i++
	}
	return out.String()
}
