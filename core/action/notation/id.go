package notation

import (
	"strings"
	"sync"
)

// PlainVersion returns a version without the letter before it and without zeros at its end.
func PlainVersion(s string) string {
	s = strings.TrimPrefix(s, "v")
	for strings.Count(s, ".") > 1 && strings.HasSuffix(s, ".0") {
		s = strings.TrimSuffix(s, ".0")
	}
	return s
}

// IsSpelling reports whether two ids differ only in letter case, or in the signs between their
// parts. They are probably two, but no table says so.
func IsSpelling(a, b string) bool {
	return strings.EqualFold(spelledOut().Replace(a), spelledOut().Replace(b))
}

var spelledOut = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(" ", "", "-", "", "_", "", ".", "")
})

// IsOpenVersion reports whether a text names no single version: latest, 3.x or >=3.
func IsOpenVersion(s string) bool {
	return !strings.ContainsAny(s, "0123456789") || strings.ContainsAny(s, "x*<>=^~")
}

// longISBN returns the number of a book in thirteen digits. It returns any other text unchanged.
func longISBN(s string) string {
	if len(s) != 10 || !AreDigits(s[:9]) {
		return s
	}
	s, sum := "978"+s[:9], 0
	for i := range s {
		sum += int(s[i]-'0') * (1 + 2*(i%2))
	}
	return s + string(rune('0'+(10-sum%10)%10))
}

// IsShortHash reports whether one of two texts is the beginning of the other one, a hash, in at
// least seven digits.
func IsShortHash(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 7 && len(b) >= 40 && strings.HasPrefix(b, a) && strings.Trim(b, "0123456789abcdef") == ""
}

// MACDigits returns the twelve digits of the address of a network card, or "".
func MACDigits(s string) string {
	if !(len(s) == 17 && (s[2] == ':' || s[2] == '-') || len(s) == 14 && s[4] == '.' && s[9] == '.') {
		return ""
	}
	s = strings.ToLower(strings.NewReplacer(":", "", "-", "", ".", "").Replace(s))
	if len(s) != 12 || strings.Trim(s, "0123456789abcdef") != "" {
		return ""
	}
	return s
}

// BareUUID is as long as a UUID without dashes.
const BareUUID = "00000000000000000000000000000000"

// UUIDDigits returns a UUID in lower case with dashes, or "".
func UUIDDigits(s string) string {
	s = strings.ToLower(s)
	if len(s) == len(BareUUID) && strings.IndexByte(s, '-') < 0 {
		s = s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
	}
	s = strings.TrimPrefix(s, "urn:uuid:")
	if strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") {
		s = s[1 : len(s)-1]
	}
	if len(s) != 36 {
		return ""
	}
	for i := range len(s) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (s[i] == '-') || !dash && strings.IndexByte("0123456789abcdef", s[i]) < 0 {
			return ""
		}
	}
	return s
}

// AreDigits reports whether a text has digits from 0 to 9 and nothing else.
func AreDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// IsDigitByte reports whether a byte is a digit from 0 to 9.
func IsDigitByte(c byte) bool { return c >= '0' && c <= '9' }
