package proposal

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isInvisible reports whether a character shows nothing or only changes its neighbour,
// although Unicode counts the character as printable. Examples are variation selectors,
// fillers and blanks.
func isInvisible(r rune) bool {
	switch {
	case 0xFE00 <= r && r <= 0xFE0F, 0xE0100 <= r && r <= 0xE01EF, 0x180B <= r && r <= 0x180F:
		return true
	}
	switch r {
	case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0xFFFC, 0xFFFD, 0x1D159:
		return true
	}
	return false
}

// stacked is the number of combining marks that may follow one letter. More of them cover
// the neighbouring lines.
const stacked = 3

// Escape returns a text in which every character that does not print clearly is replaced
// by \u{HEX}. These characters are:
//
//   - control, bidi and zero-width characters;
//   - tags, unusual spaces, unassigned and private characters;
//   - combining marks, if there are many in a row.
//
// A byte that is not UTF-8 becomes \x{HH}. A backslash before text that looks like such
// an escape becomes \u{5C}. So two different texts never have the same escaped form.
// O(n).
func Escape(s string) string {
	if isPrintableASCII(s) {
		return s
	}
	return EscapeAlso(s, "")
}

// isPrintableASCII reports whether a text is printable ASCII without backslashes. This is
// the usual case, and such a text needs no escape.
func isPrintableASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' || s[i] == '\\' {
			return false
		}
	}
	return true
}

// EscapeAlso escapes every character that Escape escapes, and also every ASCII character
// that occurs in the parameter also.
func EscapeAlso(s, also string) string {
	var b strings.Builder
	marks := stacked // a mark without a letter before it is escaped
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		rest := s[i+size:]
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\x{` + strings.ToUpper(strconv.FormatUint(uint64(s[i]), 16)) + `}`)
		case unicode.Is(unicode.M, r):
			if marks++; marks > stacked || isInvisible(r) {
				hexEscape(&b, r)
			} else {
				b.WriteRune(r)
			}
			i += size
			continue
		case !unicode.IsPrint(r), isInvisible(r), strings.ContainsRune(also, r),
			r == '\\' && (strings.HasPrefix(rest, "u{") || strings.HasPrefix(rest, "x{")):
			hexEscape(&b, r)
		default:
			b.WriteRune(r)
		}
		marks = 0
		i += size
	}
	return b.String()
}

func hexEscape(b *strings.Builder, r rune) {
	b.WriteString(`\u{` + strings.ToUpper(strconv.FormatInt(int64(r), 16)) + `}`)
}

// isCyrillicOrGreek reports whether a letter is Cyrillic or Greek. These two scripts have
// the most letters that look like Latin letters.
func isCyrillicOrGreek(r rune) bool {
	return r >= 0x370 && unicode.In(r, unicode.Cyrillic, unicode.Greek)
}
