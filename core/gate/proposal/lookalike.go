package proposal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lookalike is a piece of a text that can be mistaken for other characters.
type Lookalike struct {
	Kind  LookKind
	Word  string // with every character that is not plain ASCII spelled out
	Looks string // the ASCII text that it looks like; "" if it is not all ASCII
}

// LookKind is the way in which a piece of text misleads.
type LookKind uint8

// The kinds of lookalikes.
const (
	Address LookKind = iota // characters other than plain ASCII in a host or e-mail address
	Mixed                   // letters of several scripts in one word
	Single                  // a word of another script in which all letters look Latin
	Styled                  // other forms of Latin letters: full width, bold, in circles
	Apart                   // a letter and its accent as two characters
)

// mostLooks is the largest number of pieces of one text that are reported.
const mostLooks = 4

// longProse is the number of letters from which a word that looks Latin is reported even
// if its script is in use in the text. Shorter ones are ordinary words there.
const longProse = 5

// Text describes the lookalike in words.
func (l *Lookalike) Text() string {
	out := [...]string{"a possible address with characters outside plain ASCII", "mixed scripts, letters that look alike", "letters of another script that look Latin",
		"unusual forms of Latin letters", "a letter and its accent as two characters, which look like one"}[l.Kind]
	if l.Looks != "" {
		out += ", reads as \"" + l.Looks + "\""
	}
	return out + ": " + l.Word
}

// Lookalikes returns the pieces of a text that can be mistaken for ASCII text, in the
// order of the text. It returns at most four different pieces, and nil for plain ASCII.
// It uses the confusables of UTS 39 and the compatibility forms of letters and digits.
// O(n).
func Lookalikes(s string) (out []Lookalike) {
	if isPrintableASCII(s) || plainASCII(s) {
		return nil
	}
	seen := map[string]bool{}
	add := func(kind LookKind, word string) {
		l := Lookalike{kind, escapeNonASCII(word), ""}
		if looks, all := asciiSkeleton(word); all && looks != word {
			l.Looks = EscapeAlso(looks, "\"")
		}
		if !seen[l.Word] && len(out) < mostLooks {
			seen[l.Word] = true
			out = append(out, l)
		}
	}
	foreign := inUse(s)
	for _, token := range strings.FieldsFunc(s, splitsTokens) {
		if plainASCII(token) {
			continue
		}
		if looksLikeAddress(token, len(token) == len(s)) {
			add(Address, token)
			continue
		}
		for _, w := range strings.FieldsFunc(token, func(r rune) bool { return !isWordRune(r) }) {
			if kind, odd := wordKind(w, foreign); odd {
				add(kind, w)
			}
		}
		if len(out) == mostLooks {
			break
		}
	}
	return out
}

func plainASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// splitsTokens reports whether a character ends a possible address.
func splitsTokens(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("\"'`<>()[]{},;|\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb\u3001\u300c\u300d\uff08\uff09\uff0c", r)
}

// isWordRune reports whether a character belongs to a word.
func isWordRune(r rune) bool {
	if r < utf8.RuneSelf || unicode.IsLetter(r) || unicode.Is(unicode.M, r) {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
	}
	_, styled, known := findConfusable(r)
	return known && styled
}

// wordKind returns in which way the word w misleads. The result odd is false if w is not
// a lookalike. The argument foreign has the scripts of the whole text (see inUse).
func wordKind(w string, foreign [scripts]bool) (kind LookKind, odd bool) {
	latin, styled, strange, apart, letters, alike := false, false, false, false, 0, 0
	last, script := rune(0), other
	for _, r := range w {
		looks, isStyled, known := findConfusable(r)
		switch {
		case unicode.Is(unicode.M, r):
			apart = apart || 0x300 <= r && r <= 0x36F && last < utf8.RuneSelf && unicode.IsLetter(last)
		case isStyled:
			styled = true
		case r < utf8.RuneSelf || unicode.Is(unicode.Latin, r):
			latin = latin || unicode.IsLetter(r)
			strange = strange || known && r >= utf8.RuneSelf
		case unicode.IsLetter(r):
			letters++
			script = scriptOf(r)
			if known && looks != "" {
				alike++
			}
			strange = strange || known || isCyrillicOrGreek(r)
		}
		last = r
	}
	switch {
	case styled:
		return Styled, true
	case latin && strange:
		return Mixed, true
	case letters > 0 && alike == letters && !latin && (!foreign[script] || letters >= longProse):
		return Single, true
	case apart:
		return Apart, true
	}
	return 0, false
}

// The scripts in everyday use. In a Russian sentence a short word of letters that look
// Latin is an ordinary word.
const (
	other = iota
	cyrillic
	greek
	scripts
)

func scriptOf(r rune) int {
	switch {
	case unicode.Is(unicode.Cyrillic, r):
		return cyrillic
	case unicode.Is(unicode.Greek, r):
		return greek
	}
	return other
}

// inUse returns the scripts in which a text is really written. A script counts if the
// text has a letter of this script that does not look like ASCII. Other letters may only
// imitate Latin letters.
func inUse(s string) (used [scripts]bool) {
	for _, r := range s {
		if r < 0x250 || !unicode.IsLetter(r) {
			continue
		}
		if _, _, known := findConfusable(r); !known {
			used[scriptOf(r)] = true
		}
	}
	return used
}

// looksLikeAddress reports whether token looks like a host name, a URL or an e-mail
// address. The argument whole reports whether token is the whole text. If whole is false,
// the end of a host name must look like ASCII letters, because people often forget the
// space after a full stop.
func looksLikeAddress(token string, whole bool) bool {
	looks, _ := asciiSkeleton(token)
	looks = strings.TrimRight(looks, ".:!?")
	if at := strings.LastIndexByte(looks, '@'); at > 0 && at < len(looks)-1 || strings.Contains(looks, "://") {
		return true
	}
	host, _, _ := strings.Cut(looks, "/")
	host, _, _ = strings.Cut(host, ":")
	dot := strings.LastIndexByte(host, '.')
	if dot <= 0 || dot == len(host)-1 {
		return false
	}
	letters := 0
	for _, r := range host[dot+1:] {
		if !unicode.IsLetter(r) || !whole && r >= utf8.RuneSelf {
			return false
		}
		letters++
	}
	return letters >= 2
}

// Skeleton returns a text with the ASCII text that each of its characters looks like, for
// those that look like any.
func Skeleton(s string) string {
	looks, _ := asciiSkeleton(s)
	return looks
}

// asciiSkeleton replaces every character that looks like ASCII text by that text, and
// reports whether the result is all ASCII. It removes combining accents.
func asciiSkeleton(s string) (looks string, all bool) {
	all = true
	var b strings.Builder
	for _, r := range s {
		text, _, known := findConfusable(r)
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case known:
			b.WriteString(text)
		case r == '\u3002' || r == '\uff0e' || r == '\uff61': // full stops that a host name treats as a dot
			b.WriteByte('.')
		case r == '\uff20':
			b.WriteByte('@')
		case r == '\uff1a':
			b.WriteByte(':')
		case r == '\uff0f':
			b.WriteByte('/')
		case unicode.Is(unicode.M, r) || !unicode.IsPrint(r):
		default:
			all = false
			b.WriteRune(r)
		}
	}
	return b.String(), all
}

// escapeNonASCII returns a text in which every character that is not plain ASCII is
// escaped.
func escapeNonASCII(s string) string {
	var b strings.Builder
	for _, r := range EscapeAlso(s, "") {
		if r >= utf8.RuneSelf {
			hexEscape(&b, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// findConfusable returns the ASCII text that a character looks like, from a table. The
// result styled reports whether the character is another form of a Latin letter or digit,
// such as a bold one. The result known is false if the character is not in the table.
// O(log n).
func findConfusable(r rune) (looks string, styled, known bool) {
	if r < utf8.RuneSelf {
		return "", false, false
	}
	const width, flag = 4, 1 << 23
	table := confusablesFile()
	low, high := 0, len(table)/width
	for low < high {
		mid := (low + high) / 2
		at := table[mid*width : mid*width+width]
		n := rune(at[0])<<16 | rune(at[1])<<8 | rune(at[2])
		switch char := n &^ flag; {
		case char < r:
			low = mid + 1
		case char > r:
			high = mid
		case at[3] >= 0x80:
			return longOne(int(at[3] - 0x80)), n&flag != 0, true
		default:
			return at[3:4], n&flag != 0, true
		}
	}
	return "", false, false
}

// longOne returns the n-th text of longConfusables.
func longOne(n int) string {
	rest := longConfusables
	for range n {
		_, rest, _ = strings.Cut(rest, " ")
	}
	text, _, _ := strings.Cut(rest, " ")
	return text
}
