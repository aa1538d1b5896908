package utterance

import (
	"slices"
	"strings"
	"unicode"
)

// One sentence may ask for a deed on one thing and spare another: "Cancel order 5 but leave order 6 alone", "Go ahead, but not
// yet". What is said of a value last decides.

// Speaks reports whether a sentence names a value, and the kinds of deeds that the last words of it that do deny, all if they keep a
// thing as it is. The value is folded. O(words).
func (s *Sentence) Speaks(value string) (named bool, denied Kinds) {
	if s.Words == nil { // Chinese and Japanese
		if named = HoldsWord(s.Folded, value); named && slices.ContainsFunc(s.Spared, func(clause string) bool { return HoldsWord(Fold(clause), value) }) {
			denied = Deeds
		}
		return named, denied
	}
	parts := splitTokens(value)
	for i := len(s.Words) - len(parts); i >= 0 && len(parts) > 0; i-- {
		if slices.Equal(s.Words[i:i+len(parts)], parts) {
			if s.denies != nil {
				denied = s.denies[i]
			}
			return true, denied
		}
	}
	return false, 0
}

// readLastClause takes what a sentence asks for back if its last clause only says that it is not done yet, as in "You may delete it
// soon, but not yet", and allows what it forbids if a later clause only says to go on, as in "I said don't delete it, but go ahead now".
func (s *Sentence) readLastClause(lang string, hits []hit) {
	from := s.lastClause()
	last := s.Words[from:]
	if from == 0 || len(last) == 0 || s.Question || slices.ContainsFunc(last, func(w string) bool {
		return isNumbered(w) || MayName(w) && !Listed("heldHow", w) && !Listed("goOn", w) && !Listed("courtesy", w) && !Listed("adverbOfTime", w) && !Listed("notYet", w) && !Listed("needing", w) && !HasKind(lang, w, negates)
	}) {
		return
	}
	has := Kinds(0)
	for _, h := range hits {
		if h.at >= from {
			has |= h.kinds & (Holds | Agrees)
		}
	}
	switch {
	case (has&Holds != 0 || AnyListed("wantsSelf", last) && AnyListed("contrast", strings.Fields(s.Folded)) && !AnyListed("pointer", last) && !AnyListed("noMore", last) && slices.ContainsFunc(last, func(w string) bool { return HasKind(lang, w, negates) })) && s.Asks != 0:
		s.Bars, s.Asks = s.Bars|s.Asks, 0
	case has&Agrees != 0 && AnyListed("goOn", last) && !AnyListed("denial", last) && s.Asks == 0 && s.Bars != 0:
		s.Asks, s.Bars, s.Barred, s.Held, s.Without, s.denies = s.Bars, 0, nil, nil, nil, nil
	}
}

// TakesAllBack reports whether a sentence takes back or refuses what was spoken of before it, and names no thing.
func (s *Sentence) TakesAllBack() bool {
	return s.Has&(Withdraws|Refuses) != 0 && s.Asks == 0 && !s.Question && !strings.ContainsFunc(s.Folded, unicode.IsDigit)
}

// isSuggestion reports whether the denial at words[j] belongs to a question that suggests what it seems to deny, as in "Why don't you
// cancel it?" and "Pourquoi ne pas l'annuler ?"
func (s *Sentence) isSuggestion(j int) bool {
	return j > 0 && s.Has&Polite != 0 && slices.ContainsFunc(s.Words[max(0, s.clauseStart(j)):j], func(w string) bool { return Listed("whyWord", w) })
}

// isOfAny reports whether a question with "why not" names nothing that it is about, as in "Why don't you take cards?": it asks for
// a reason.
func (s *Sentence) isOfAny() bool {
	return strings.HasSuffix(s.Text, "?") && !slices.ContainsFunc(s.Words, func(w string) bool {
		return isNumbered(w) || Listed("pointer", w) || Listed("article", w) || Listed("ours", w) || Listed("determiner", w) || w == "the"
	})
}

// lastClause returns where the last clause begins.
func (s *Sentence) lastClause() int {
	for i := len(s.Words) - 1; i >= 0; i-- {
		if s.Words[i] == "," {
			return i + 1
		}
	}
	return 0
}
