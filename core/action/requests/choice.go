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
		taken := -1
		for i, p := range parts {
			if !slices.ContainsFunc(said, func(w string) bool { return isOfOne(parts, p, w) }) {
				continue
			}
			if taken >= 0 {
				return nil // the answer takes several
			}
			taken = i
		}
		if taken >= 0 {
			return &choice{parts[taken], slices.Delete(slices.Clone(parts), taken, taken+1)}
		}
	}
	return nil
}

// isOfOne reports whether a word stands in a part of a question, and in no other part.
func isOfOne(parts []string, part, word string) bool {
	in := func(p string) bool { return holdsWord(p, word) || len(word) > 4 && strings.Contains(p, word) }
	return in(part) && !slices.ContainsFunc(parts, func(p string) bool { return p != part && in(p) })
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
	return theTables().functions[w]
}
