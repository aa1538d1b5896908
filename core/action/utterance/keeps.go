package utterance

import (
	"slices"
	"strconv"
	"strings"
)

// What a sentence keeps for its speaker, and how much of something it says.

// Keeping says what a sentence keeps for the one who says it.
type Keeping uint8

// What may be kept: nothing, a part that the sentence names, the choice of what is done, or all of it.
const (
	KeepsNothing Keeping = iota
	KeepsPart
	KeepsChoice
	KeepsAll
)

// Keeps returns what a sentence keeps for the one who says it, as in "I'll type it myself", "I'll pick tonight" and "I'll do the
// release stuff with Ann". A question keeps nothing. O(words).
func (s *Sentence) Keeps() Keeping {
	if strings.HasSuffix(s.Text, "?") && !slices.Contains(s.Words, ",") {
		return KeepsNothing
	}
	for _, clause := range Clauses(s.Words) {
		if HoldsListed(" "+strings.Join(clause, " ")+" ", "keepsChoice") {
			return KeepsChoice
		}
		at := slices.IndexFunc(clause, func(w string) bool { return w == "ill" })
		if i := slices.Index(clause, "i"); at < 0 && i >= 0 && i+1 < len(clause) && Listed("ownFuture", clause[i+1]) {
			at = i + 1
		}
		if at < 0 || at+1 >= len(clause) || AnyListed("denial", clause) {
			continue
		}
		rest := clause[at+1:]
		switch {
		case AnyListed("bySelf", rest) && AnyListed("pointer", rest) && !slices.ContainsFunc(rest, mayNameOther):
			return KeepsAll
		case len(rest) > 1 && Listed("doVerb", rest[0]) && Listed("determiner", rest[1]) && KindOf(rest[0])&Deeds == 0:
			return KeepsPart
		}
	}
	return KeepsNothing
}

// mayNameOther reports whether a word behind "I'll" names a thing of its own, and is neither a verb nor a word such as myself.
func mayNameOther(w string) bool {
	return MayName(w) && !Listed("bySelf", w) && !Listed("adverbOfTime", w) && KindOf(w) == 0 && !Listed("doVerb", w) && !Listed("keptVerb", w)
}

// HeadsSaid returns the numbers of persons or things to which a sentence limits what is meant, as in "just us three", "only 2 then"
// and "three is enough".
func (s *Sentence) HeadsSaid() (found []int) {
	for i, w := range s.Words {
		n := NumberOf(w)
		if n < 2 {
			continue
		}
		from, to := s.clauseStart(i), s.clauseEnd(i)
		before, after := s.Words[max(from, i-2):i], s.Words[i+1:min(to, i+4)]
		ours := AnyListed("groupSelf", before) || len(before) > 0 && Listed("weAre", s.Words[from]) && i-from < 3 || len(after) > 1 && after[0] == "of" && Listed("groupSelf", after[1])
		if ours || (AnyListed("onlyWord", before) || AnyListed("justWord", before)) && len(after) == 0 {
			found = append(found, n)
		}
	}
	return found
}

// HoldsNumber reports whether folded text has a number, in digits or as a word.
func HoldsNumber(text string, n int) bool {
	return slices.ContainsFunc(Tokens(text), func(w string) bool { return NumberOf(w) == n })
}

// UpTo returns the only number to which a sentence limits something: "up to 100", "bis 50 Euro", "at most 20". It is false for none
// or several.
func (s *Sentence) UpTo() (limit float64, ok bool) {
	for i, w := range s.Words {
		x, err := strconv.ParseFloat(strings.Trim(w, "€$£%"), 64)
		if err != nil {
			continue
		}
		if before := strings.Join(s.Words[max(0, i-2):i], " "); !slices.ContainsFunc(theTables().lists["upTo"].words, func(p string) bool { return before == p || strings.HasSuffix(before, " "+p) }) {
			continue
		}
		if ok {
			return 0, false
		}
		limit, ok = x, true
	}
	return limit, ok
}

// HandsToText reports whether a sentence wants something done that somebody else's words say, as in "Put in the date he gives" and
// "Whoever asks for it gets it". One that only wants to know it does not. O(words).
func (s *Sentence) HandsToText() bool {
	if s.ReadsOnly() || s.Question || s.Bars != 0 && s.Asks == 0 || s.Has&(Refuses|Withdraws|Ponders) != 0 {
		return false
	}
	if HoldsListed(" "+s.Folded+" ", "handsToText") {
		return true
	}
	for i := 1; i < len(s.Words); i++ {
		if Listed("givesIt", s.Words[i]) && (Listed("hisWord", s.Words[i-1]) || i > 1 && Listed("columnWord", s.Words[i-1])) {
			return s.Asks != 0 || s.Named != 0 || AnyListed("doVerb", s.Words)
		}
	}
	return false
}
