package kind

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/base/tongues"
)

// This file finds what the words of two messages in small letters do not show: pictures, the ends of sentences, and letter
// case where it decides. The law: two messages with the same words are not the same if a picture that says
// something, the end of a sentence behind a negation or a few words, or the letter case of a secret is another one.

// compareBesideWords returns how far two messages with the same words may be called the same: Same, Unsure or Likely.
func compareBesideWords(a, b string) Outcome {
	s, s2, o := notation.SayingPictures(a), notation.SayingPictures(b), Same
	switch {
	case s != s2 && s != "" && s2 != "":
		o = Likely // such as a thumb up and a thumb down
	case s != s2:
		o = Unsure
	}
	x, y := piecesOf(a), piecesOf(b)
	return max(o, compareEnds(x, y), compareEnds(y, x), compareCase(x, y))
}

// piece is a word of a message.
type piece struct {
	word, raw string // in small letters, and as it is written
	begins    bool   // it is the first word of its sentence
	ends      bool   // the end of a sentence follows
	pauses    bool   // a sign follows
	at        int    // the number of words up to it that are not small
}

// piecesOf returns the words of a message.
func piecesOf(text string) (out []piece) {
	at, begins := 0, true
	for line := range strings.SplitSeq(typography().Replace(text), "\n") {
		for w := range strings.FieldsSeq(line) {
			raw := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			signs := w[strings.Index(w, raw)+len(raw):]
			if raw == "" {
				signs = w
			} else {
				p := piece{word: strings.ToLower(raw), raw: raw, begins: begins}
				if !isListed(p.word, smallWords) {
					at++
				}
				p.at = at
				out, begins = append(out, p), false
			}
			if n := len(out); n > 0 {
				out[n-1].ends = out[n-1].ends || strings.ContainsAny(signs, ".!?;")
				out[n-1].pauses = out[n-1].pauses || strings.ContainsAny(signs, ".!?;,:-")
				begins = out[n-1].ends
			}
		}
		if n := len(out); n > 0 {
			out[n-1].ends, out[n-1].pauses, begins = true, true, true
		}
	}
	return out
}

// isDenial reports whether a word in small letters says no.
func isDenial(w string) bool {
	return isListed(w, " no not never nothing none cannot ") || strings.HasSuffix(w, "n't") || tongues.Denies(w)
}

// compareEnds compares the ends of the sentences in x with the signs in y, which has the same words but for small ones. An
// end counts where y has no sign, if it follows a negation or a sentence of at most two words.
func compareEnds(x, y []piece) Outcome {
	pauses := map[int]bool{}
	for i := range y {
		pauses[y[i].at] = pauses[y[i].at] || y[i].pauses
	}
	o, from := Same, 0
	for i := range x {
		if !x[i].ends {
			continue
		}
		sentence := x[from : i+1]
		before := 0
		if from > 0 {
			before = x[from-1].at
		}
		from = i + 1
		if i == len(x)-1 || pauses[x[i].at] {
			continue
		}
		switch {
		case isDenial(x[i].word):
			o = Likely
		case x[i].at-before <= 2 && x[i].at > before && !slices.ContainsFunc(sentence, isGreeting):
			o = max(o, Unsure)
		}
	}
	return o
}

// isGreeting reports whether a word only greets, thanks or wishes.
func isGreeting(p piece) bool { return isListed(p.word, politeMarks) || tongues.IsPolite(p.word) }

// saidSecrets has words behind which a message says a value whose letter case counts.
const saidSecrets = " password passwort passcode passphrase code token key pin secret coupon voucher otp login username "

// longestApart is the largest number of words behind the word for a secret among which the secret is, without small ones.
const longestApart = 3

// compareCase compares the letter case of the words that both messages have. It counts in a secret and in the path of an
// address, and in a code of letters and digits a judge must say.
func compareCase(x, y []piece) Outcome {
	known := map[string][]int{}
	for i := range y {
		known[y[i].word] = append(known[y[i].word], i)
	}
	o, left := Same, 0
	for i := range x {
		p := &x[i]
		small := isListed(p.word, smallWords) || isDecisive(p.word)
		secret := left > 0 && !small && !p.begins
		switch {
		case isListed(p.word, saidSecrets):
			left = longestApart
		case p.begins:
			left = 0
		case !small:
			left--
		}
		others := known[p.word]
		if len(others) == 0 || slices.ContainsFunc(others, func(k int) bool { return y[k].raw == p.raw }) {
			continue
		}
		other := &y[others[0]]
		isCode := strings.ContainsAny(p.raw, "0123456789") && (isMixed(p.raw) || isMixed(other.raw))
		switch {
		case secret && !other.begins, pathOf(p.raw) != pathOf(other.raw):
			o = Likely
		case isCode:
			o = max(o, Unsure)
		}
	}
	return o
}

// isMixed reports whether a word has letters of both cases.
func isMixed(w string) bool { return w != strings.ToLower(w) && w != strings.ToUpper(w) }

// pathOf returns the part of an address behind its host, or "".
func pathOf(w string) string {
	_, rest, ok := strings.Cut(w, "://")
	if !ok {
		return ""
	}
	_, path, _ := strings.Cut(rest, "/")
	return path
}
