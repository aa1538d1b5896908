package kind

import (
	"slices"
	"strings"
	"sync"
)

// compareTexts compares all other values. Two ways to encode the same letters are one text
// (Unicode Standard Annex 15), and so are two sorts of quotes and a contraction written out.
// White space around a text is none of it. A difference in letter case, in white space or in
// the signs that join words is unsure.
func (p *pair) compareTexts() Outcome {
	if !p.a.isString() || !p.b.isString() {
		return Differs
	}
	a, b := plainText(p.a.text), plainText(p.b.text)
	switch {
	case a == b, writtenOut(a) == writtenOut(b):
		return Same
	case strings.EqualFold(a, b), squeezeBlanks(a) == squeezeBlanks(b), strings.EqualFold(joinedWords(a), joinedWords(b)):
		return Unsure
	}
	return Differs
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
