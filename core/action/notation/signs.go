package notation

import (
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/base/codes"
)

// Runs returns the letters and digits of a text in lower case, and the signs that may say something.
func Runs(s string) string {
	var out []byte
	cut := false
	for i := range len(s) {
		c := s[i]
		sign := (c == '-' || c == '+') && (i == 0 || s[i-1] == ' ') && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9'
		if !sign && strings.IndexByte(" -_./:,", c) >= 0 {
			cut = true
			continue
		}
		if n := len(out); cut && n > 0 && IsDigitByte(c) && IsDigitByte(out[n-1]) {
			out = append(out, ' ')
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		out, cut = append(out, c), false
	}
	return string(out)
}

// Joined returns a short text without the signs between its words, so that in_progress
// equals "in progress". It returns longer texts unchanged.
func Joined(s string) string {
	if len(s) > 40 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '_' || r == '-' {
			return -1
		}
		return r
	}, s)
}

// tones has the pictures that only say how friendly a message is.
const tones = "😀😃😄😁🙂😊☺🤗🥳🎉🙏🌟✨👋❤💙💚💛🧡💜"

// SayingPictures returns the pictures of a text that say something, in order.
func SayingPictures(text string) string {
	if codes.IsASCII(text) {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if r < 0x2190 || !unicode.In(r, unicode.So, unicode.Sm) || strings.ContainsRune(tones, r) {
			return -1
		}
		return r
	}, text)
}

// WithoutTones returns a text without the pictures of tones.
func WithoutTones(text string) string {
	if codes.IsASCII(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(tones, r) {
			return -1
		}
		return r
	}, text)
}
