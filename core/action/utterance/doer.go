package utterance

import (
	"slices"
	"strings"
)

// Whoever does a deed is not always the one who is asked: the user may do it himself, or somebody else.

// isPlanned reports whether the clause of words[i] begins with what the user is going to do himself, as
// in "I'll talk to him and let you know".
func (s *Sentence) isPlanned(i int) bool {
	i = s.clauseStart(min(i, len(s.Words)))
	for i < len(s.Words) && (Listed("filler", s.Words[i]) && s.Words[i] != "ill" && s.Words[i] != "i" || Listed("else", s.Words[i])) {
		i++
	}
	return i+1 < len(s.Words) && (s.Words[i] == "ill" || s.Words[i] == "id" && !Listed("wishWord", s.Words[i+1]) || s.Words[i] == "i" && Listed("ownFuture", s.Words[i+1]))
}

// keepPlanned keeps a verb for what the user is going to do himself. What a customer says that he buys, returns or cancels,
// somebody does for him.
func (s *Sentence) keepPlanned(k Kinds, verb string) {
	if s.Planned |= k; AnyListed("bySelf", s.Words) { // "I'll send it myself"
		s.Bars |= k
	}
	if k != 0 && k&(Buy|Refund|Cancel|Change) == 0 {
		s.ByOthers = append(s.ByOthers, verb)
	}
}

// pronounOf returns the pronoun of the first person in a language, or "".
func pronounOf(lang string) string {
	switch lang {
	case "de":
		return "ich"
	case "fr":
		return "je"
	case "es":
		return "yo"
	case "it":
		return "io"
	case "pt":
		return "eu"
	case "nl":
		return "ik"
	}
	return ""
}

// isOwnDeed reports whether the verb at words[i] says what the user does himself, or somebody of his: "Je passe les voir",
// "Das melde ich", "La paga mio marito". What a customer says that he buys or cancels, somebody does for him.
func (s *Sentence) isOwnDeed(lang string, i int, k Kinds) bool {
	own := pronounOf(lang)
	if own == "" || k == 0 || k&(Buy|Refund|Cancel) != 0 {
		return false
	}
	from, to := s.clauseStart(i), s.clauseEnd(i)
	if slices.ContainsFunc(s.Words[from:min(to, i+2)], func(w string) bool { return HasKind(lang, w, Vague) || Listed("modalElsewhere", w) }) {
		return false
	}
	if i > from && (s.Words[i-1] == own || lang == "fr" && s.Words[i-1] == "j") || i > from && i+1 < to && s.Words[i+1] == own {
		return true
	}
	return i > from && i+3 == to && Listed("pronounBefore", s.Words[i-1]) && Listed("possessive", s.Words[i+1])
}

// isStated reports whether the English verb at words[i] only says what somebody does or is going to do, as in "Lars has to
// put a stamp on it" and "I push when I am back". A wish of somebody is a request: "My sister wants to move it".
func (s *Sentence) isStated(i int) bool {
	from := i
	for from > 0 && s.Words[from-1] != "," && !Listed("opensClause", s.Words[from-1]) {
		from--
	}
	subject := s.Words[from:i]
	for len(subject) > 0 && (Listed("filler", subject[0]) && subject[0] != "i" || subject[0] == "that") {
		subject = subject[1:]
	}
	if len(subject) == 0 || AnyListed("wants", subject) || AnyListed("polite", subject) {
		return false
	}
	last := subject[len(subject)-1]
	if Listed("doer", last) && (last != "i" || len(subject) == 1 || !Listed("modal", subject[len(subject)-2])) {
		return true // "I get a discount"
	}
	for k, w := range subject {
		if k == 0 && from > 1 && s.Words[from-1] == "and" && (w == "has" || w == "will") {
			return !Listed("notDoer", s.Words[s.clauseStart(from-1)]) // "A colleague has it open and will fix it"
		}
		if k > 0 && Listed("going", w) && !Listed("notDoer", subject[k-1]) && !Listed("notDoer", subject[0]) && !(w == "has" && (s.endsClause(i+1) || Listed("beforePlace", s.Words[i+1]) || s.Words[i+1] == "to")) {
			return true // "Lars has to", "people will"
		}
	}
	return false
}

// readOthers adds the deeds that an English sentence says somebody does, as in "Her son pays the driver".
func (s *Sentence) readOthers() {
	for i := 1; i+1 < len(s.Words); i++ {
		base, ok := strings.CutSuffix(s.Words[i], "s")
		if !ok || KindOf(base)&Deeds == 0 || Listed("beforeNoun", s.Words[i-1]) || s.Words[i-1] == "," || KindOf(s.Words[i-1]) != 0 || IsFunctionWord(s.Words[i-1]) && !Listed("doer", s.Words[i-1]) || !Listed("determiner", s.Words[i+1]) || s.hasCondition() {
			continue
		}
		s.Planned |= KindOf(base) & Deeds
		s.ByOthers = append(s.ByOthers, base)
	}
}

// DoneBySelf returns the clauses of an English sentence that say what the user is going to do himself, as in "Novak I'll
// call".
func (s *Sentence) DoneBySelf() (found [][]string) {
	for _, clause := range Clauses(s.Words) {
		if at := slices.Index(clause, "ill"); at > 0 && at+1 < len(clause) {
			found = append(found, clause[:at])
		}
	}
	return found
}

// IsDoneAlone reports whether a sentence says that the user does something himself.
func (s *Sentence) IsDoneAlone() bool { return s.Has&alone != 0 }

// isDoneAlone reports whether the clause of words[i] says that the user does it himself.
func (s *Sentence) isDoneAlone(hits []hit, i int) bool {
	return slices.ContainsFunc(hits, func(h hit) bool {
		return h.kinds&alone != 0 && !slices.Contains(s.Words[min(h.at, i):max(h.at, i)], ",") && (h.at == 0 || !Listed("notAlone", s.Words[h.at-1]))
	})
}
