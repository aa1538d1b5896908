package handing

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/action/verbs"
)

// Wants returns the parts of an English sentence in which its speaker wants something done, in words that may mean any deed: one that
// begins as an order does ("put me down for it", "if it is dry give it ten minutes"), says what is to be ("that ought to land with
// Dana"), or lets the hearer go on ("those you can chuck"). Parts that only look, deny or set a condition do not count. O(words).
func Wants(s *utterance.Sentence, lang string) (parts [][]string) {
	if lang != "en" || s.Question && (!s.Opened || strings.Contains(s.Text, "?")) && !isListed("conditional", first(s.Words)) ||
		s.Has&(utterance.Refuses|utterance.Withdraws|utterance.Holds|utterance.Ponders) != 0 || s.Bars != 0 {
		return nil
	}
	for from, clause := range utterance.Clauses(s.Words) {
		if s.Question && from == 0 {
			continue // "Should they have one, put me down"
		}
		for from := 0; from < len(clause); {
			to := from
			for to < len(clause) && !(to > from && isListed("joins", clause[to])) {
				to++
			}
			if part := order(clause[from:to]); part != nil {
				parts = append(parts, part)
			}
			from = to + 1
		}
	}
	return parts
}

func first(words []string) string {
	for _, w := range words {
		if !isListed("joins", w) {
			return w
		}
	}
	return ""
}

// order returns the words of a part of a clause from those on that want something done; nil if there are none.
func order(part []string) []string {
	own := false // "I cut my hand" orders nothing
	for len(part) > 0 && (utterance.Listed("filler", part[0]) || isListed("joins", part[0]) || isListed("softens", part[0]) || isListed("own", part[0]) && part[0] != "you") {
		own = own || isListed("own", part[0])
		part = part[1:]
	}
	switch {
	case len(part) < 2 || slices.ContainsFunc(part, func(w string) bool { return isListed("denial", w) }):
		return nil
	case isListed("conditional", part[0]):
		for i := 3; i+1 < len(part); i++ {
			if (isListed("points", part[i+1]) || part[i+1] == "me") && beginsOrder(part[i:]) {
				return part[i:]
			}
		}
		return nil
	case beginsOrder(part) && (!own || isListed("duty", part[0])):
		return part
	}
	for i, w := range part {
		rest := part[i+1:]
		switch {
		case isListed("duty", w) && len(rest) > 1 && rest[0] != "have" && !(i > 0 && part[i-1] == "there"):
			if slices.ContainsFunc(rest, func(w string) bool { return utterance.KindOf(w)&utterance.Look != 0 }) {
				return nil
			}
			return part
		case w == "you" && len(rest) > 1 && isListed("lets", rest[0]) && utterance.KindOf(rest[1])&utterance.Look == 0:
			return part
		}
	}
	return nil
}

// beginsOrder reports whether words begin with the plain form of a verb that does something: a known one, or a word with an object
// behind it, as in "round it up" and "walk through it".
func beginsOrder(words []string) bool {
	verb, next := words[0], words[1]
	switch {
	case verb == "see" && next == "to":
		return true
	case verb == "let" && len(words) > 2 && next != "me" && next != "us":
		return !slices.ContainsFunc(words[2:min(len(words), 5)], func(w string) bool { return isListed("knowing", w) })
	case utterance.KindOf(verb)&utterance.Look != 0 || isListed("knowing", verb) || isListed("finite", next) || isListed("beforeVerb", next) || utterance.IsFunctionWord(verb) || isListed("noOrder", verb) && utterance.KindOf(verb) == 0:
		return false
	case verbs.Known(verb) || verbs.Acts(verb):
		return true
	}
	return isListed("points", next) || next == "me" || len(words) > 2 && isListed("particle", next) && isListed("points", words[2])
}
