package proposal

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"":                                "",
		"plain text, ÄÖ 日本 😀":             "plain text, ÄÖ 日本 😀",
		"a\u202eb":                        `a\u{202E}b`,
		"\u2066x\u2069":                   `\u{2066}x\u{2069}`,
		"a\u200bb\u200d\ufeff":            `a\u{200B}b\u{200D}\u{FEFF}`,
		"\x1b[31mred\x1b[0m":              `\u{1B}[31mred\u{1B}[0m`,
		"\U000E0041\U000E007F":            `\u{E0041}\u{E007F}`,
		"a\nb\tc\r":                       `a\u{A}b\u{9}c\u{D}`,
		"\x00\x7f\u0085":                  `\u{0}\u{7F}\u{85}`,
		"a\u00a0b\u3000\u2028":            `a\u{A0}b\u{3000}\u{2028}`,
		"\u00ad\ufe0f\u3164":              `\u{AD}\u{FE0F}\u{3164}`,
		"e\u0301":                         "e\u0301",
		"\u0301e":                         `\u{301}e`,
		"z\u0301\u0302\u0303\u0304\u0305": "z\u0301\u0302\u0303" + `\u{304}\u{305}`,
		`\u{202E}`:                        `\u{5C}u{202E}`,
		`C:\new`:                          `C:\new`,
		"\\\u202e":                        `\\u{202E}`,
		"\xff":                            `\x{FF}`,
		`\x{FF}`:                          `\u{5C}x{FF}`,
		"\ufffd":                          `\u{FFFD}`,
		"\ue000":                          `\u{E000}`,
		"**b** [x](":                      "**b** [x](",
	} {
		if got := Escape(in); got != want {
			t.Errorf("Escape(%q) = %s, want %s", in, got, want)
		}
	}
}

// FuzzEscape checks that the original text can be recovered from the result of Escape. So
// two different texts never look the same.
func FuzzEscape(f *testing.F) {
	f.Add("a\u202e\\u{202E}\\", "x")
	f.Add("\xff", `\x{FF}`)
	f.Add("\u0301\u0301\u0301\u0301\u0301", "e\u0301")
	f.Fuzz(func(t *testing.T, a, b string) {
		if a != b && Escape(a) == Escape(b) {
			t.Fatalf("%q and %q both become %s", a, b, Escape(a))
		}
		if got := mustUnescape(t, Escape(a)); got != a {
			t.Fatalf("%q became %s, read back as %q", a, Escape(a), got)
		}
	})
}

func mustUnescape(t *testing.T, s string) string {
	t.Helper()
	var out []byte
	for i := 0; i < len(s); {
		end := strings.IndexByte(s[i:], '}')
		if !strings.HasPrefix(s[i:], `\u{`) && !strings.HasPrefix(s[i:], `\x{`) {
			out = append(out, s[i])
			i++
			continue
		}
		n, err := strconv.ParseUint(s[i+3:i+end], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		if s[i+1] == 'x' {
			out = append(out, byte(n))
		} else {
			out = utf8.AppendRune(out, rune(n))
		}
		i += end + 1
	}
	return string(out)
}
