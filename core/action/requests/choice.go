package requests

import (
	"slices"
	"strings"
	"unicode"
)

// The answer to "The blue one or the red one?" is neither yes nor no. It names what is wanted, and by
// that what is not.

// choice is the answer to a question with alternatives.
type choice struct {
	taken string   // the folded part of the question that the answer names
	left  []string // the other parts
}

// findChoice returns what an answer takes of the alternatives of a question, if it names one of them
// only.
func findChoice(question, answer string) *choice {
	var said []string
	for _, w := range strings.FieldsFunc(foldText(answer), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		if (len(w) > 2 || strings.ContainsFunc(w, unicode.IsDigit)) && !isListed("filler", w) && !isFunctionWord(w) {
			said = append(said, w)
		}
	}
	for _, s := range splitSentences(question) {
		parts := alternatives(foldText(s))
		if len(parts) < 2 {
			continue
		}
		best, most, same := 0, 0, 0
		for i, p := range parts {
			n := 0
			for _, w := range said {
				if holdsWord(p, w) || len(w) > 4 && strings.Contains(p, w) {
					n++
				}
			}
			if n > most {
				best, most, same = i, n, 1
			} else if n == most {
				same++
			}
		}
		if most > 0 && same == 1 {
			return &choice{parts[best], slices.Delete(slices.Clone(parts), best, best+1)}
		}
	}
	return nil
}

// alternatives returns the parts of a folded sentence between which it lets one choose.
func alternatives(s string) (parts []string) {
	fields := strings.Fields(s)
	from, deep := 0, 0
	commas := []int{}
	for i, w := range fields {
		deep += strings.Count(w, "(") - strings.Count(w, ")")
		switch {
		case isListed("or", w):
			for _, c := range commas {
				parts = append(parts, strings.Join(fields[from:c], " "))
				from = c
			}
			parts, from, commas = append(parts, strings.Join(fields[from:i], " ")), i+1, nil
		case deep == 0 && strings.HasSuffix(w, ","):
			commas = append(commas, i+1)
		}
	}
	if parts == nil {
		return nil
	}
	return append(parts, strings.Join(fields[from:], " "))
}

// passesOver returns the value of a deed that is only in an alternative that was not taken, or "".
func (x *choice) passesOver(d *deed) string {
	for _, v := range d.values {
		if !holdsWord(x.taken, v) && slices.ContainsFunc(x.left, func(p string) bool { return holdsWord(p, v) }) {
			return v
		}
	}
	return ""
}

// isFunctionWord reports whether a word says nothing but the language of its text.
func isFunctionWord(w string) bool {
	return slices.ContainsFunc(languages[:], func(lang string) bool { return hasKind(lang, w, language) })
}
