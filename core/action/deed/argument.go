package deed

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// What a single argument of a call is: a code, an environment, a name, a place to which money or a message goes, a pole.

// IsCode reports whether a folded value is a name that is put together of letters and digits, such as
// PAY-311.
func IsCode(v string) bool {
	return len(v) > 3 && len(v) < 30 && strings.ContainsFunc(v, unicode.IsDigit) && strings.ContainsFunc(v, unicode.IsLetter) &&
		!strings.ContainsAny(v, " @/:") && !utterance.IsDate(v)
}

// EnvironmentIn returns the only environment that a command names, such as production.
func EnvironmentIn(command string) (word string, m utterance.Member) {
	for _, w := range strings.FieldsFunc(command, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if x := utterance.MemberOf(w); x.Class == "env" && !utterance.Listed("anyWord", w) {
			if word != "" && x != m {
				return "", utterance.Member{}
			}
			word, m = w, x
		}
	}
	return word, m
}

// LeadsAway returns the folded value of an argument if money or a message goes where it says: an account, an
// address, a telephone number. Otherwise it returns "".
func LeadsAway(l *similarity.Leaf) string {
	v := FoldValue(l)
	if len(v) > utterance.MostText {
		return ""
	}
	bare := strings.NewReplacer(" ", "", "-", "", "(", "", ")", "").Replace(v)
	switch {
	case strings.Contains(v, "@") && !strings.Contains(v, " "):
		return v
	case utterance.IsAccount(bare) && strings.ContainsFunc(bare[:1], unicode.IsLetter) && strings.ContainsFunc(v, unicode.IsDigit) && len(bare) > 9:
		return v
	case strings.HasPrefix(v, "+") && utterance.IsDigits(bare[1:]) && len(bare) > 7:
		return v
	}
	return ""
}

// IsToSelf reports whether a request wants something to go to the user himself, as in "send it to me".
func IsToSelf(request string) bool {
	words := utterance.Tokens(request)
	return slices.ContainsFunc(words, func(w string) bool { return utterance.Listed("self", w) }) && !strings.Contains(request, "@") && !utterance.AnyListed("personOther", words)
}

// IsAddressOf reports whether a word of folded text is in the name of an address.
func IsAddressOf(address, asked string) bool {
	name, _, _ := strings.Cut(address, "@")
	return slices.ContainsFunc(utterance.Tokens(asked), func(w string) bool {
		return len(w) > 1 && !utterance.IsFunctionWord(w) && strings.Contains(name, w) && (len(w) > 2 || w == name)
	})
}

// CountedThing returns the noun, in the singular, of which an argument holds the number, or "".
func CountedThing(key string) string {
	noun := ""
	for _, w := range mutation.NameWords(key) {
		switch {
		case utterance.Listed("heads", w):
			return "heads"
		case len(w) > 3 && !utterance.Listed("measure", w) && !utterance.Listed("unit", w):
			noun = w
		}
	}
	return noun
}

// NameOf returns the folded value of an argument if it is a name: up to four words with capitals, or a noun without
// one, and no code.
func NameOf(l *similarity.Leaf, noun bool) string {
	v := TrimQuotes(l.Raw)
	words := strings.Fields(v)
	if len(words) == 0 || len(words) > 4 || !strings.HasPrefix(l.Raw, `"`) || utterance.MemberOf(utterance.Fold(v)).Class != "" || strings.ToUpper(v) == v {
		return ""
	}
	if unicode.IsUpper([]rune(v)[0]) == noun || strings.ContainsFunc(v, func(r rune) bool {
		return !unicode.IsLetter(r) && !strings.ContainsRune(" '.&-", r)
	}) {
		return ""
	}
	return utterance.Fold(v)
}

// PoleSetBy returns the pole that an argument sets if it is about pole number at, and the opposite one.
func PoleSetBy(l *similarity.Leaf, p [2]string, at int) (set, other string, ok bool) {
	value := FoldValue(l)
	if isState(value, p[at]) {
		return p[at], p[1-at], true
	}
	if value != "true" && value != "false" || !slices.ContainsFunc(mutation.NameWords(l.Key), func(w string) bool { return isState(w, p[at]) }) {
		return "", "", false
	}
	if value == "false" {
		at = 1 - at
	}
	return p[at], p[1-at], true
}

// isState reports whether a word is a pole, or the state that it leads to: locked for lock.
func isState(word, pole string) bool {
	return word == pole || word == pole+"d" || word == pole+"ed"
}

// SaysPole reports whether a sentence has a pole. On and off are poles only behind a verb that turns something.
func SaysPole(tokens []string, pole string) bool {
	for i, w := range tokens {
		if w != pole && w != pole+"d" && w != pole+"ed" && w != pole+"s" {
			continue
		}
		if pole != "on" && pole != "off" || slices.ContainsFunc(tokens[max(0, i-5):i], func(v string) bool { return utterance.Listed("turns", v) }) {
			return true
		}
	}
	return false
}

// LastPole returns the last of two words before the first value of a call in a sentence, or "".
func LastPole(tokens []string, leaves []similarity.Leaf, own, other string) (last string) {
	for _, w := range tokens {
		switch {
		case w == own || w == other:
			last = w
		case slices.ContainsFunc(leaves, func(l similarity.Leaf) bool { return FoldValue(&l) == w }):
			return last
		}
	}
	return ""
}
