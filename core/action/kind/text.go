package kind

import (
	"slices"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// compareTexts compares all other values. Two ways to encode the same letters are one text
// (Unicode Standard Annex 15), and so are two sorts of quotes and a contraction written out.
// White space around a text is none of it. A difference in letter case, in white space or in
// the signs that join words is unsure. Two codes differ, and other texts are likely to.
func (p *pair) compareTexts() Outcome {
	if !p.a.isString() || !p.b.isString() {
		if isBesideNumber(&p.a, &p.b) || isBesideNumber(&p.b, &p.a) {
			return Likely
		}
		return Differs
	}
	a, b := plainText(p.a.text), plainText(p.b.text)
	switch {
	case a == b, writtenOut(a) == writtenOut(b):
		return Same
	case strings.EqualFold(a, b), squeezeBlanks(a) == squeezeBlanks(b), strings.EqualFold(joinedWords(a), joinedWords(b)):
		return Unsure
	case isCodeWord(a) && isCodeWord(b):
		return Differs
	}
	return Likely
}

// isBesideNumber reports whether a text without digits stands in the place of a number, such
// as "a few" beside 3.
func isBesideNumber(text, n *value) bool {
	return text.isString() && n.kind == jsonval.Number && text.text != "" && !text.hasDigit()
}

// isCodeWord reports whether a text is one word with a digit in it, so that it names a thing
// by a code, such as W-12.
func isCodeWord(s string) bool {
	return strings.ContainsAny(s, "0123456789") && !strings.ContainsAny(s, " \t\n")
}

// typography maps typographic signs to those of a keyboard.
var typography = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("’", "'", "‘", "'", "“", "\"", "”", "\"", "–", "-", "\u2011", "-", "\u00a0", " ", "\u202f", " ", "…", "...")
})

func plainText(s string) string { return strings.TrimSpace(typography().Replace(composeLetters(s))) }

// writtenOut returns a text with its contractions written out. Letter case is kept.
func writtenOut(s string) string {
	if !strings.Contains(s, "'") && !strings.Contains(s, "annot") {
		return s
	}
	words := strings.Split(s, " ")
	for i, w := range words {
		bare := strings.TrimRight(w, ".,!?")
		if out := expandContraction(strings.ToLower(bare)); len(out) > 1 && len(out[0]) <= len(bare) {
			stem := out[0]
			if strings.EqualFold(bare[:len(stem)], stem) {
				stem = bare[:len(stem)]
			}
			words[i] = stem + " " + strings.Join(out[1:], " ") + w[len(bare):]
		}
	}
	return strings.Join(words, " ")
}

// joinedWords returns a short text without the signs between its words, so that in_progress
// equals "in progress". It returns longer texts unchanged.
func joinedWords(s string) string {
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

// compareListings compares two lists in one text, such as "red, blue" and "red,blue".
func (p *pair) compareListings() Outcome {
	if !p.a.isString() || !p.b.isString() || p.isContent() || !strings.Contains(p.a.text, ",") || !strings.Contains(p.b.text, ",") {
		return Open
	}
	a, b := splitListing(p.a.text), splitListing(p.b.text)
	if a == nil || !slices.Equal(a, b) {
		return Open
	}
	return Same
}

// splitListing returns the elements of a list in a text. It returns nil for a sentence.
func splitListing(s string) []string {
	parts := strings.Split(s, ",")
	for i, part := range parts {
		if parts[i] = strings.TrimSpace(part); parts[i] == "" || strings.Count(parts[i], " ") > 1 || strings.ContainsAny(parts[i], ".!?;") && strings.Trim(parts[i], "0123456789.-+") != "" && !strings.Contains(parts[i], "@") {
			return nil
		}
	}
	return parts
}
