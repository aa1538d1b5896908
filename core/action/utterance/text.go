package utterance

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fold returns a text in lower case and without accents. The wide forms of signs, as Chinese and Japanese
// write them, become the usual ones, and a space that does not break becomes a space.
func Fold(s string) string {
	plain := true
	for i := range len(s) {
		if c := s[i]; c >= 0x80 || c >= 'A' && c <= 'Z' {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r < 0x80 {
			return r
		}
		switch {
		case r >= 0xFF01 && r <= 0xFF5E:
			return r - 0xFEE0
		case r == 0xA0 || r == 0x2009 || r == 0x202F || r == 0x3000:
			return ' '
		}
		if at := strings.IndexRune(accented, r); at >= 0 {
			return rune(unaccented[len([]rune(accented[:at]))])
		}
		return r
	}, strings.ToLower(s))
}

// isOtherScript reports whether a letter shows that a text is in none of the languages.
func isOtherScript(r rune) bool {
	return r >= 0x80 && (strings.ContainsRune("ąćęłńśźżčďěňřšťůžőűğışăşţțșåøæðþđ", unicode.ToLower(r)) || unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r))
}

const (
	accented   = "àáâãäåçèéêëìíîïñòóôõöùúûüýÿ"
	unaccented = "aaaaaaceeeeiiiinooooouuuuyy"
)

// FoldName returns a word of a name without accents, and without the e that stands for them.
func FoldName(w string) string { return umlauts.Replace(Fold(w)) }

var umlauts = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")

// Singular returns a word without the ending of a plural.
func Singular(w string) string {
	if len(w) > 3 && !strings.HasSuffix(w, "ss") {
		return strings.TrimSuffix(w, "s")
	}
	return w
}

// AreAlike reports whether two folded words differ in their endings only, or one is a part of the other.
func AreAlike(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	least := min(len(a), len(b))
	return a == b || n > 3 && n+3 > least || least > 3 && (strings.Contains(a, b) || strings.Contains(b, a))
}

// HoldsWord reports whether a text has a value that no letter or digit touches.
func HoldsWord(text, value string) bool {
	return holdsWhole(text, value, func(int) bool { return true })
}

// HoldsName is like HoldsWord, but a dot, a dash or an underscore in a name does not end it.
func HoldsName(text, value string) bool {
	return holdsWhole(text, value, func(end int) bool {
		goesOn := end+1 < len(text) && strings.IndexByte(".-_", text[end]) >= 0 && wordByte(text[end+1])
		return !goesOn || !strings.ContainsRune(value, '.')
	})
}

// holdsWhole is like HoldsWord, but the value must also end where ends says so. The argument
// of ends is the position after the value.
func holdsWhole(text, value string, ends func(at int) bool) bool {
	for from := 0; value != ""; {
		at := strings.Index(text[from:], value)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(value)
		if (at == 0 || !wordByte(text[at-1]) || isUnspaced(text[:at], text[at:])) && (end == len(text) || (!wordByte(text[end]) || isUnspaced(text[:end], text[end:])) && ends(end)) {
			return true
		}
		from = at + 1
	}
	return false
}

// isUnspaced reports whether one of two parts of a text ends or begins with a letter of a script that
// writes no spaces.
func isUnspaced(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	return isUnspacedLetter(last) || isUnspacedLetter(first)
}

func isUnspacedLetter(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}

// BeginsListed reports whether folded text begins with a phrase of a list and goes on behind it.
func BeginsListed(text, name string) bool {
	return slices.ContainsFunc(theTables().lists[name].words, func(p string) bool { return strings.HasPrefix(text, p+" ") })
}

// After returns the part of a text behind the first phrase of a list that it has anywhere.
func After(text, name string) (string, bool) {
	for _, p := range theTables().lists[name].words {
		if _, rest, ok := strings.Cut(text, p); ok {
			return rest, true
		}
	}
	return "", false
}

// Behind returns the part of a text behind the first phrase of a list that it has as whole words.
func Behind(text, name string) (string, bool) {
	for _, p := range theTables().lists[name].words {
		if at := strings.Index(" "+text, " "+p+" "); at >= 0 {
			return text[at+len(p)+1:], true
		}
	}
	return "", false
}

// Fields returns the words of a text without the marks between and behind them.
func Fields(text string) []string {
	out := strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(",;:!?()\"'", c) })
	for i, w := range out {
		out[i] = strings.TrimRight(w, ".")
	}
	return out
}

// ThingAt returns the first word of a text that names a thing, without the words before it.
func ThingAt(words []string) string {
	for _, w := range words {
		if !Listed("beforeThing", w) {
			return w
		}
	}
	return ""
}

// PlainWords counts the words of at least two letters.
func PlainWords(words []string) int {
	n := 0
	for _, w := range words {
		if len(w) > 1 {
			n++
		}
	}
	return n
}

// FirstWord returns the letters with which a text begins; "" for none.
func FirstWord(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(s)
	}
	return s[:end]
}

func lastWord(s string) string {
	return s[strings.LastIndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })+1:]
}

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

func lastRune(s string) string {
	r, _ := utf8.DecodeLastRuneInString(s)
	return string(r)
}

// FormOf returns the form of a value: each digit is 9 and each letter is a.
func FormOf(value string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsDigit(r):
			return '9'
		case unicode.IsLetter(r):
			return 'a'
		}
		return r
	}, value)
}

// IsDigits reports whether a text is a whole number in digits.
func IsDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// IsDate reports whether a folded value is a date in digits, perhaps with a time.
func IsDate(value string) bool {
	form := FormOf(value)
	return form == "9999-99-99" || strings.HasPrefix(form, "9999-99-99t") || form == "99.99.9999" || form == "99/99/9999"
}

// IsAccount reports whether a word may be the number of an account, such as an IBAN.
func IsAccount(w string) bool {
	digits := 0
	for i := range len(w) {
		switch c := w[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c < 'a' || c > 'z':
			return false
		}
	}
	return len(w) >= 8 && digits >= 6
}

// HasCapital reports whether a text has a letter as a capital that stands alone, such as a size.
func HasCapital(text, letter string) bool {
	return slices.ContainsFunc(strings.Fields(text), func(w string) bool { return strings.Trim(w, ".,;:!?()") == strings.ToUpper(letter) })
}

// LabelIn returns what a page shows beside the mark of an element: the rest of its brackets, or what
// follows up to the next mark.
func LabelIn(page, mark string) string {
	for from := 0; ; {
		at := strings.Index(page[from:], mark)
		if at < 0 {
			return ""
		}
		at += from
		from = at + len(mark)
		if at > 0 && wordByte(page[at-1]) || from < len(page) && wordByte(page[from]) {
			continue
		}
		rest := page[from:]
		if end := strings.IndexAny(rest, "[]\n<>{}"); end >= 0 {
			if strings.TrimSpace(rest[:end]) == "" && rest[end] == ']' {
				if before := page[strings.LastIndexAny(page[:at], "[\n")+1 : at]; strings.Trim(before, " :=-#") != "" {
					return strings.Trim(before, " :=-#") // [Place order: b9]
				}
				rest = rest[end+1:] // [13] Delete account
				end = strings.IndexAny(rest, "[\n<{;,")
			}
			if end >= 0 {
				rest = rest[:end]
			}
		}
		if rest = strings.TrimSpace(rest); rest != "" {
			return rest[:min(len(rest), MostText)]
		}
	}
}

// mostNotice is the number of bytes before a mark in which a page says what the mark is about.
const mostNotice = 80

// IsNotice reports whether a page asks with an element whether it may keep something about its reader: the words before the mark of
// the element speak of cookies or consent.
func IsNotice(page, mark string) bool {
	at := strings.Index(page, mark)
	if at < 0 {
		return false
	}
	words := strings.FieldsFunc(page[max(0, at-mostNotice):at], func(r rune) bool { return !unicode.IsLetter(r) })
	return AnyListed("notice", words)
}

// LabelKinds returns the kinds of deeds that a label names in any language.
func LabelKinds(label string) (k Kinds) {
	words := Tokens(strings.NewReplacer("'", " ", `"`, " ", "_", " ").Replace(label))
	if slices.ContainsFunc(words, func(w string) bool { return Singular(w) == "cookie" }) {
		return 0 // a page asks before it is shown
	}
	if slices.ContainsFunc(words, func(w string) bool { return MemberOf(strings.TrimLeft(w, "0123456789.")).Class == "currency" }) || strings.ContainsAny(label, "€$£") {
		if AnyListed("perTime", strings.FieldsFunc(label, func(r rune) bool { return !unicode.IsLetter(r) })) {
			k |= Buy // 9.99 €/month
		}
	}
	for _, lang := range languages {
		for _, h := range patternsIn(lang, words) {
			if h.kinds&Send == 0 || len(words) > 1 || !IsNounToo(words[0]) { // a field is called Mail
				k |= h.kinds & Deeds
			}
		}
	}
	return k
}

// MostText is the length of a value from which it is a text rather than a name.
const MostText = 60
