package handing

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// States reports whether an English sentence only says what somebody did or what is so, as in "Ann mailed about the hall again". One in
// which something gets, should or must be done may be a request. O(words).
func States(s *utterance.Sentence, lang string) bool {
	if lang != "en" || s.Question || s.Asks|s.Bars != 0 || s.Has&(utterance.Look|utterance.Polite|utterance.Vague|utterance.Delegates|utterance.Agrees|utterance.Refuses|utterance.Withdraws|utterance.Corrects|utterance.Limits) != 0 || s.HandsOver() {
		return false
	}
	words := s.Words
	for len(words) > 0 && (words[0] == "," || utterance.Listed("filler", words[0]) || len(words) > 1 && words[1] == "," && len(words[0]) < 4) {
		words = words[1:]
	}
	if len(words) < 3 {
		return false
	}
	for _, w := range words {
		if isListed("orders", w) {
			return false
		}
	}
	from := 1
	switch {
	case isListed("whole", words[0]):
		return true
	case isListed("subject", words[0]):
	case isListed("owner", words[0]) && words[0] != "your":
		from = 2
	case len(words[0]) > 2 && isName(s.Text, words[0]) && utterance.KindOf(words[0]) == 0 && !utterance.IsFunctionWord(words[0]):
	default:
		return false
	}
	for i := from; i < len(words) && i < from+5; i++ {
		if words[i] == "," {
			return false
		}
		if w := words[i]; isListed("finite", w) || utterance.Listed("tellsOf", w) || strings.HasSuffix(w, "ed") && len(w) > 4 {
			return true
		}
	}
	return false
}

// KeepsBack reports whether an English text, as the answer to a question whether to do something, agrees to nothing: each of its
// sentences only asks, states what is so or says what the user himself does or wants first, as in "Let me check with my aunt".
// It is false for a text of single words.
func KeepsBack(read *utterance.Reading) bool {
	if read.Lang != "en" {
		return false
	}
	kept := false
	for k := range read.Sentences {
		s := &read.Sentences[k]
		switch {
		case len(s.Words) == 0 || s.IsCourtesy() && s.Has&(utterance.Agrees|utterance.Polite) == 0:
		case s.Has&(utterance.Agrees|utterance.Delegates|utterance.Polite) != 0 || s.HandsOver() || len(toContext(s, "en")) > 0:
			return false
		case s.Question, States(s, "en"): // "That is so annoying" keeps nothing
		case doesSelf(s) && s.Asks == 0:
			kept = true
		default:
			return false
		}
	}
	return kept
}

// doesSelf reports whether a sentence begins, apart from a word such as hm, with what its speaker does or wants himself.
func doesSelf(s *utterance.Sentence) bool {
	joined := strings.Join(s.Words, " ") + " "
	for _, p := range lists()["selfDoes"] {
		if at := strings.Index(" "+joined, " "+p+" "); at >= 0 && at < 14 {
			return true
		}
	}
	return false
}

// LooksFirst reports whether an English sentence says that the user or somebody whom he names is to see what is made before it
// leaves, as in "Let me see it first" and "Kai wants to read them". O(words).
func LooksFirst(s *utterance.Sentence, lang string) bool {
	if lang != "en" || s.Question {
		return false
	}
	for i := 2; i+1 < len(s.Words); i++ {
		if !isListed("looks", s.Words[i]) || !(isListed("points", s.Words[i+1]) || i+2 < len(s.Words) && s.Words[i] == "look" && isListed("points", s.Words[i+2])) {
			continue
		}
		if before := s.Words[i-1]; before == "me" && s.Words[i-2] == "let" || before == "to" && (utterance.Listed("wants", s.Words[i-2]) || s.Words[i-2] == "like" || s.Words[i-2] == "has" || s.Words[i-2] == "needs") {
			return !utterance.AnyListed("denial", s.Words[:i])
		}
	}
	return false
}
