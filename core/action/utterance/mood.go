package utterance

import (
	"slices"
	"strings"
)

// A question may name a deed and not offer it: "Should I keep it and not cancel it?", "Was it cancelled?", "Would you like to
// know how to cancel it?" What a clause says of the deed is decided here, for all languages, by the words before the verb.

// Offers reports whether a sentence offers a deed, or may offer it: one of its clauses names the deed, by a kind or by its English
// verb, and says neither that it is not done, nor that it was done, nor only how or whether. A sentence without such a verb may.
// O(words).
func (s *Sentence) Offers(lang string, kinds Kinds, verb string) bool {
	if lang == "" || lang == "cjk" {
		return true
	}
	is, stays := make([]bool, len(s.Words)), make([]bool, len(s.Words))
	for _, h := range patternsIn(lang, s.Words) {
		is[h.at] = is[h.at] || h.kinds&kinds != 0 && (!h.noun || s.mayAsk(lang, h.at))
		stays[h.at] = stays[h.at] || h.kinds&Holds != 0
	}
	past, named := s.preterites(lang), false
	for i, w := range s.Words {
		done := s.isDoneForm(lang, i, kinds, verb)
		own := lang != "en" && theTables().of[lang].firstPerson(w)&kinds != 0
		if !is[i] && !done && !own && (verb == "" || w != verb) {
			continue
		}
		if stays[i] || own && past != nil && past[i] {
			named = true
			continue
		}
		if !s.isUnoffered(lang, i, done && !(lang == "en" && strings.HasSuffix(w, "ing"))) {
			return true
		}
		named = true
	}
	return !named
}

// isDoneForm reports whether words[i] is a participle or the past form of a verb of some kinds, or of an English verb.
func (s *Sentence) isDoneForm(lang string, i int, kinds Kinds, verb string) bool {
	w := s.Words[i]
	if lang != "en" {
		return doneForm(lang, w)&kinds != 0
	}
	if !strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "ing") && theTables().irregular[w] == "" {
		return false
	}
	return slices.ContainsFunc(append(BaseForms(w), theTables().irregular[w]), func(base string) bool {
		return base != "" && (KindOf(base)&kinds != 0 || base == verb)
	})
}

// isUnoffered reports whether the clause of the verb at words[i] says that the deed is not done, that it was done, or how or
// whether it is done.
func (s *Sentence) isUnoffered(lang string, i int, done bool) bool {
	from := s.clauseStart(i)
	for j := i - 1; j >= from; j-- { // the part of the clause that has the verb
		if Listed("asksWhat", s.Words[j]) && (lang != "en" || s.Words[j] != "of") || s.Words[j] == "that" {
			if s.isToldFrom(lang, from, j) {
				return true
			}
			from = j + 1
			break
		}
	}
	if AnyListed("notYet", s.Words[from:s.clauseEnd(i)]) {
		return false // "I have not cancelled it yet. Shall I?"
	}
	return s.isRefused(lang, from, i) || s.isPast(lang, from, i, done)
}

// isToldFrom reports whether what follows the question word at words[j] is what somebody is to know: it stands behind a verb of
// knowing, or begins a later clause.
func (s *Sentence) isToldFrom(lang string, from, j int) bool {
	if s.Words[j] == "that" || j == from && Listed("relative_pronoun", s.Words[j]) || lang != "en" && (s.Words[j] == "que" || s.Words[j] == "che" || s.Words[j] == "of") {
		return false
	}
	for k := j - 1; k >= max(from, j-4); k-- {
		if HasKind(lang, s.Words[k], Look) && !Listed("and", s.Words[k]) {
			return true
		}
	}
	return j == from && j > 1 && !Listed("if", s.Words[j])
}

// isRefused reports whether a word before the verb at words[i] denies it, or prefers something else to it. Words that deny do not
// reach beyond a new subject, and a denial with a condition is none: "I cannot cancel it without your consent".
func (s *Sentence) isRefused(lang string, from, i int) bool {
	for j := i - 1; j >= max(from, i-5); j-- {
		w := s.Words[j]
		switch {
		case j > from && Listed("modal", w) && Listed("firstPerson", s.Words[j-1]), Listed("forget", w):
			return false
		case lang == "en" && (w == "than" && j >= i-2 || w == "of" && j == i-1 && j > from && Listed("rather", s.Words[j-1])):
			return true
		case HasKind(lang, w, negates):
			suggests := j > 0 && s.Words[j-1] == "why"
			return !suggests && !s.isOnly(j) && !slices.ContainsFunc(s.Words[i:s.clauseEnd(i)], func(w string) bool {
				return Listed("unless", w) || w != "" && HasKind(lang, w, without) || w == "until"
			})
		}
	}
	return s.IsNegated(lang, i) && (lang == "de" || lang == "nl") && !s.isOnly(i)
}

// isPast reports whether the verb at words[i] says what was done: a past form behind the one who did it or behind a word such as
// was, or a verb behind did. Behind what one may, can or wants it says what is to be done.
func (s *Sentence) isPast(lang string, from, i int, done bool) bool {
	did := false
	for _, w := range s.Words[from:i] {
		switch {
		case Listed("modal", w), Listed("modalElsewhere", w), Listed("wants", w), Listed("would", w), Listed("should", w), w == "be":
			return false
		case w == "did", done && (Listed("isSo", w) || Listed("did", w) || Listed("wasElsewhere", w) || w == "had" || w == "have"):
			did = true
		}
	}
	return did || done && lang == "en" && i > from && from > 0 && !Listed("if", s.Words[from-1]) && Listed("notDoer", s.Words[i-1]) || done && lang == "en" && i > from && (s.Words[i-1] == "you" || Listed("doer", s.Words[i-1]) && s.Words[i-1] != "i")
}

// readOpposed adds to what a sentence leaves out the things that only those of its parts name that deny the deed or keep a thing as
// it is: "Cancel order 50, do not cancel order 99". Parts end at "," and at "and". O(words).
func (s *Sentence) readOpposed(lang string, hits []hit) {
	if s.Question {
		return
	}
	denies, kinds := s.deniedParts(lang, hits)
	if s.denies = denies; denies == nil || s.Asks == 0 {
		return
	}
	asked := map[string]bool{}
	for i, w := range s.Words {
		if denies[i] == 0 {
			asked[w] = true
		}
	}
	for i, w := range s.Words {
		switch {
		case denies[i] == 0 || asked[w] || slices.Contains(s.Without, w):
		case isNumbered(w) && !(i > 0 && (s.Words[i-1] == "than" || Listed("above", s.Words[i-1]) || Listed("below", s.Words[i-1]))):
			s.Without = append(s.Without, w)
		case kinds&s.Asks != 0 && MayName(w) && !isCovered(hits, i) && !Listed("anyThing", w) && !Listed("heldHow", w):
			s.Without = append(s.Without, w)
		}
	}
	if slices.ContainsFunc(s.Without, isNumbered) { // "commande" in "annule la commande 50, pas la commande 99"
		s.Without = slices.DeleteFunc(s.Without, func(w string) bool { return asked[w] && !isNumbered(w) })
	}
}

// deniedParts returns for each word the kinds of deeds that its part of the sentence denies, all if it keeps a thing as it is, and
// the kinds of the deeds that are denied by their verbs. It is nil if no part denies any.
func (s *Sentence) deniedParts(lang string, hits []hit) (denies []Kinds, kinds Kinds) {
	from, denied, next, before, prev := 0, Kinds(0), 0, -1, -1 // where a part without a verb, and any part, before this one begins, or -1
	for i := 0; i <= len(s.Words); i++ {
		if !s.endsPart(hits, from, i) {
			continue
		}
		asks, no, bare, ends, points := false, Kinds(0), false, false, false // ends: a comma ends the denial; points: it is about the part before
		if s.beginsDenied(lang, from, i) {
			no, bare = Deeds, Listed("notThis", s.Words[from])
			ends = bare
		}
		for _, h := range hits[next:] {
			if h.at < i && h.at >= from && h.kinds&Holds != 0 {
				no, ends = Deeds, true                                              // "Il reste 3 kg, passe une commande"
				points = s.onlyPoints(from, h.at) && s.onlyPoints(h.at+h.length, i) // "2.x is in use, so hands off that one"
			}
		}
		for ; next < len(hits) && hits[next].at < i; next++ {
			h := hits[next]
			switch {
			case h.at < from || h.kinds&Deeds == 0 || no == Deeds || asks || h.noun && !s.mayAsk(lang, h.at):
			case slices.Contains(s.Words[from:h.at], "before"): // "Restore it to how it was before the edit"
			case s.IsNegated(lang, h.at) && !s.isNeedless(h.at):
				no, kinds = no|h.kinds&Deeds, kinds|h.kinds&Deeds // "Bitte Bestellung 5 nicht stornieren"
			case no != 0:
			default:
				asks = true
			}
		}
		start := from
		if points && prev >= 0 && KindOf(s.Words[prev])&Deeds == 0 {
			start = prev
		}
		if bare && i == from+1 && before >= 0 {
			start = before // "b.txt, a.txt not"
		}
		if no == 0 && !asks {
			no = denied
		}
		if no != 0 {
			if denies == nil {
				denies = make([]Kinds, len(s.Words))
			}
			for k := start; k < i; k++ {
				denies[k] = no
			}
		}
		if denied = no; ends && i < len(s.Words) && s.Words[i] == "," {
			denied = 0 // "not Tuesday, but Wednesday"
		}
		before, prev = -1, from
		if !asks && no == 0 {
			before = from
		}
		if from = i; i < len(s.Words) && (s.Words[i] == "," || Listed("and", s.Words[i])) {
			from++
		}
	}
	return denies, kinds
}

// endsPart reports whether the part of a sentence from words[from] on ends before words[i]: at "," and at "and", and before words that
// deny or prefer something else.
func (s *Sentence) endsPart(hits []hit, from, i int) bool {
	switch {
	case i == len(s.Words) || s.Words[i] == "," || Listed("and", s.Words[i]):
		return true
	case i == from:
		return false
	}
	return Listed("notThis", s.Words[i]) && isNumbered(s.Words[i-1]) && !s.verbBehind(hits, i) || i+1 < len(s.Words) && Listed("rather", s.Words[i]) && (s.Words[i+1] == "of" || s.Words[i+1] == "than")
}

// beginsDenied reports whether the first words of a part of a sentence, which ends before words[end], say that what it names is not
// meant or stays as it is.
func (s *Sentence) beginsDenied(lang string, from, end int) bool {
	if from >= len(s.Words) || from >= end {
		return false
	}
	w, next := s.Words[from], ""
	if from+1 < end {
		next = s.Words[from+1]
	}
	switch {
	case Listed("notThis", w), lang != "en" && Listed("denial", w) && (Listed("article", next) || isNumbered(next)), Listed("rather", w) && (next == "of" || next == "than"):
		return true
	case Listed("forget", w) && next != "" && !Listed("asksWhat", next) && !Listed("pointer", next) && next != "to", w == "never" && next == "mind" && end > from+2:
		return true
	}
	return lang == "en" && (w == "keep" || s.leavesThere(from) || w == "leave" && end > from+1 && s.Words[end-1] == "alone")
}

// verbBehind reports whether one of the two words behind words[i] is a verb of a deed.
func (s *Sentence) verbBehind(hits []hit, i int) bool {
	return slices.ContainsFunc(hits, func(h hit) bool { return h.kinds&Deeds != 0 && !h.noun && h.at > i && h.at < i+3 })
}

// onlyPoints reports whether the words from one index to another name nothing, and at most point back.
func (s *Sentence) onlyPoints(from, to int) bool {
	return !slices.ContainsFunc(s.Words[min(from, to):to], func(w string) bool {
		return w != "one" && !Listed("filler", w) && !Listed("pointer", w) && !Listed("heldHow", w) && !IsFunctionWord(w)
	})
}
