package utterance

import (
	"slices"
	"strings"
	"unicode"
)

// Name is a name in a text, and what it is to the deed that the text asks for.
type Name struct {
	Word string // folded, with all its words
	Role string // at, from, to, called or verb, as in the lists of words.txt; "" if it is not known
	Noun bool   // it is no name, but a noun for a place, as in "in the kitchen"
}

// roles are the ways in which a name may stand beside a deed.
var roles = [...]string{"at", "from", "to", "by", "called"}

// NamesIn returns the names in a sentence: words with a capital that do not begin it, with the words that
// go on with one. In German, where each noun has a capital, only those behind a word such as "to" count.
func (s *Sentence) NamesIn(lang string) (found []Name) {
	tokens := strings.Fields(strings.ReplaceAll(s.Text, "’", "'"))
	for i := 0; i < len(tokens); i++ {
		if i == 0 || !isCapital(tokens[i]) || endsPart(tokens[i-1]) && lang == "de" {
			continue
		}
		before := bareWord(tokens[i-1])
		if before == "the" && i > 1 {
			before = bareWord(tokens[i-2])
		}
		n := Name{Word: bareWord(tokens[i])}
		for _, role := range roles {
			if Listed(role+"Name", before) {
				n.Role = role
			}
		}
		if n.Role == "" && HasKind(lang, before, Deeds|Look) {
			n.Role = "verb"
		}
		if Listed("title", n.Word) && (n.Role == "" || n.Role == "verb") {
			n.Role = "to" // "Schick Frau Weber eine Erinnerung"
		}
		for i+1 < len(tokens) && !endsPart(tokens[i]) && isCapital(tokens[i+1]) {
			i++
			n.Word += " " + bareWord(tokens[i])
		}
		if lang == "de" && (n.Role == "" || n.Role == "verb") || MemberOf(n.Word).Class != "" || n.Word == "i" || strings.HasPrefix(n.Word, "i'") {
			continue
		}
		found = append(found, n)
	}
	return found
}

// PlacesIn returns the nouns for the places that an English sentence names without a capital, as in "in the
// kitchen" and "in my living room".
func (s *Sentence) PlacesIn() (found []Name) {
	for i := 2; i < len(s.Words); i++ {
		if w := s.Words[i]; Listed("atName", s.Words[i-2]) && Listed("ofPlace", s.Words[i-1]) && len(w) > 2 && !IsFunctionWord(w) {
			if i+1 < len(s.Words) && s.Words[i+1] != "," && !IsFunctionWord(s.Words[i+1]) && KindOf(s.Words[i+1]) == 0 {
				w += " " + s.Words[i+1]
			}
			found = append(found, Name{Word: w, Role: "at", Noun: true})
		}
	}
	return found
}

// isCapital reports whether a word begins with a capital, and is no short form such as I'll.
func isCapital(w string) bool {
	w = strings.TrimLeft(w, "(¿¡")
	return len(w) > 1 && unicode.IsUpper([]rune(w)[0]) && !strings.HasPrefix(w, "I'")
}

// endsPart reports whether a part of a sentence ends with a word.
func endsPart(w string) bool { return strings.ContainsAny(w[len(w)-1:], ",;:.!?)") }

// bareWord returns a word folded, without the marks around it and without an English genitive.
func bareWord(w string) string {
	w = strings.TrimFunc(Fold(w), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.TrimSuffix(w, "'s")
}

// IsIn reports whether a folded value has the name, or one of its longer words, or is a part of it.
func (n Name) IsIn(value string) bool {
	value = strings.ReplaceAll(value, "'s", "")
	return HoldsWord(value, n.Word) || len(value) > 2 && HoldsWord(n.Word, value) || bareLetters(value) == bareLetters(n.Word) ||
		slices.ContainsFunc(NameWords(n.Word), func(w string) bool { return HoldsWord(value, w) })
}

// NameWords returns the words of a folded name that tell it from others: not Room of Blue Room, and not Mrs.
func NameWords(name string) []string {
	return slices.DeleteFunc(strings.Fields(name), func(w string) bool {
		return len(w) < 3 || Listed("title", w) || slices.ContainsFunc(roles[:], func(role string) bool { return Listed(role+"Argument", w) })
	})
}

// bareLetters returns the letters and digits of a text.
func bareLetters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// NumbersSaid returns the whole numbers of one or two digits that a sentence names, in digits or as words.
func (s *Sentence) NumbersSaid() (found []int) {
	for i, w := range s.Words {
		if n := NumberOf(w); n > 0 && !(n == 1 && !IsDigits(w)) && (i == 0 || s.Words[i-1] != "of") {
			found = append(found, n)
		}
	}
	return found
}

// LongNumbers returns the numbers of a sentence that are too long for a count.
func (s *Sentence) LongNumbers() (found []string) {
	for _, w := range s.Words {
		if IsDigits(w) && len(w) > 2 {
			found = append(found, w)
		}
	}
	return found
}

// MembersSaid returns the members of classes that a sentence names.
func (s *Sentence) MembersSaid() (found []Member) {
	for _, w := range s.Words {
		if m := MemberOf(w); m.Class != "" && len(w) > 2 && !IsFunctionWord(w) && !Listed("anyWord", w) && !Listed("modal", w) && !slices.Contains(found, m) {
			found = append(found, m)
		}
	}
	return found
}
