package proposal

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// word is one word of a sentence as it is compared: folded, and without quotes, markdown and the marks around it.
type word struct {
	text    string
	comma   bool // a comma stands behind it
	capital bool // it is written with a capital, and does not begin the sentence
}

// spoken is one sentence of a text, with at least one word, and where it begins and ends there.
type spoken struct {
	words    []word
	from, to int
	asks     bool // it ends with a question mark
}

const (
	marksBefore = "\"'`*_([{<“”„«»‹‘’¿¡#"
	marksBehind = "\"'`*_)]}>“”»«›‘’,.;:!?"
)

// wordsOf returns the words of a text. What is only marks is no word, but a dash or dots, which cut a sentence.
func wordsOf(text string) (out []word) {
	for _, s := range sentencesOf(text) {
		out = append(out, s.words...)
	}
	return out
}

// sentencesOf splits a text at the ends of its sentences and lines. O(n).
func sentencesOf(text string) (out []spoken) {
	s := spoken{}
	cut := func(at int) {
		if s.to = at; len(s.words) > 0 {
			s.words = joinGroups(s.words)
			out = append(out, s)
		}
		s = spoken{from: at}
	}
	for i := 0; i < len(text); {
		if text[i] == '\n' || text[i] == '\r' {
			i++
			cut(i)
			continue
		}
		end := strings.IndexFunc(text[i:], unicode.IsSpace)
		if end < 0 {
			end = len(text) - i
		}
		field := text[i : i+end]
		if end == 0 {
			_, size := utf8.DecodeRuneInString(text[i:])
			i += size
			continue
		}
		i += end
		w := normalWord(field)
		if w == "" && strings.ContainsAny(field, "-–—…~") && len(s.words) > 0 {
			w = "…" // what is behind it may be anything
		}
		if w != "" {
			s.words = append(s.words, word{w, strings.HasSuffix(field, ","), len(s.words) > 0 && isCapital(strings.TrimLeft(field, marksBefore))})
		}
		last := strings.TrimRight(field, "\"'`*_)]}”»’")
		switch {
		case strings.HasSuffix(last, "?"):
			s.asks = true
			cut(i)
		case strings.HasSuffix(last, "!"), strings.HasSuffix(last, ";"), strings.HasSuffix(last, ".") && !isShort(w, text[i:]):
			cut(i)
		}
	}
	cut(len(text))
	return out
}

// joinGroups joins the groups of four in which the number of an account is written, as in "DE89 3704 0044 05".
func joinGroups(words []word) []word {
	for i := range words {
		if w := words[i].text; len(w) != 4 || w[0] < 'a' || w[0] > 'z' || w[1] < 'a' || w[1] > 'z' || !utterance.IsDigits(w[2:]) {
			continue
		}
		to := i + 1
		for to < len(words) && !words[to-1].comma && len(words[to].text) <= 4 && isId(words[to].text) && (to == i+1 || len(words[to-1].text) == 4) {
			to++
		}
		if to < i+4 {
			continue
		}
		joined := word{comma: words[to-1].comma, capital: words[i].capital}
		for _, w := range words[i:to] {
			joined.text += w.text
		}
		return append(append(words[:i:i], joined), joinGroups(words[to:])...)
	}
	return words
}

// isCapital reports whether a word begins with a capital.
func isCapital(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r)
}

// normalWord returns a word as it is compared.
func normalWord(field string) string {
	return strings.TrimRight(strings.TrimLeft(utterance.Fold(field), marksBefore), marksBehind)
}

// isShort reports whether a word with a dot is the short form of "number" before one.
func isShort(w, rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	if end := strings.IndexFunc(rest, unicode.IsSpace); end >= 0 {
		rest = rest[:end]
	}
	return utterance.Listed("idKey", w) && isId(rest)
}

// isId reports whether a word may name one of several things: it has a digit or is an address.
func isId(w string) bool { return strings.ContainsFunc(w, unicode.IsDigit) || strings.Contains(w, "@") }

// isVerb reports whether a word is a verb that asks for a deed, or for a look.
func isVerb(w string) bool { return kindOf(w) != 0 }

// kindOf returns the kinds of deeds of a word in its basic form, of any language.
func kindOf(w string) utterance.Kinds {
	k := utterance.KindsIn([]string{w}) & (utterance.Deeds | utterance.Look)
	if k == 0 && utterance.Listed("looksPlainly", w) {
		return utterance.Look
	}
	return k
}
