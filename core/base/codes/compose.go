package codes

import (
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// composedLetters maps a letter and the mark behind it to the letter with the mark, from codes.txt.
var composedLetters = sync.OnceValue(func() map[[2]rune]rune {
	out := map[[2]rune]rune{}
	for _, row := range Rows("mark") {
		code, letters, _ := strings.Cut(row, " ")
		mark, _ := strconv.ParseUint(code, 16, 32)
		all := []rune(letters)
		for i := 0; i+1 < len(all); i += 2 {
			out[[2]rune{all[i], rune(mark)}] = all[i+1]
		}
	}
	return out
})

// Compose writes each letter with its marks as one character where Unicode has one
// (normalization form C, for the letters in codes.txt and for Hangul).
func Compose(s string) string {
	if !MayCompose(s) {
		return s // without the table, which the page loads later
	}
	table := composedLetters()
	out := make([]rune, 0, len(s))
	for _, r := range s {
		if n := len(out); n > 0 {
			if c := table[[2]rune{out[n-1], r}]; c != 0 {
				out[n-1] = c
				continue
			}
			if c := composeHangul(out[n-1], r); c != 0 {
				out[n-1] = c
				continue
			}
		}
		out = append(out, r)
	}
	return string(out)
}

// MayCompose reports whether a text may have a mark of a letter: of Latin, Greek and Cyrillic, of
// Korean, or of Japanese.
func MayCompose(s string) bool {
	if strings.IndexByte(s, 0xCC) >= 0 || strings.IndexByte(s, 0xCD) >= 0 {
		return true
	}
	return strings.IndexByte(s, 0xE1) >= 0 && (strings.Contains(s, "\xe1\x85") || strings.Contains(s, "\xe1\x86")) ||
		strings.IndexByte(s, 0xE3) >= 0 && strings.Contains(s, "\xe3\x82")
}

// IsASCII reports whether a text only has bytes below 128.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// composeHangul joins two parts of a Korean syllable, or returns 0 (Unicode, section 3.12).
func composeHangul(a, b rune) rune {
	const lead, vowel, tail, syllable = 0x1100, 0x1161, 0x11A7, 0xAC00
	switch {
	case a >= lead && a < lead+19 && b >= vowel && b < vowel+21:
		return syllable + ((a-lead)*21+b-vowel)*28
	case a >= syllable && a < syllable+11172 && (a-syllable)%28 == 0 && b > tail && b < tail+28:
		return a + b - tail
	}
	return 0
}
