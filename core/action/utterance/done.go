package utterance

import (
	"strings"
	"unicode/utf8"
)

// What was done, and what the user is enabled to do, is not asked for: "I paid the plumber 90", "Prepare it so I can sign it".

// readDone adds the deeds that a sentence says somebody did, and the words for what the user is to be able to do.
func (s *Sentence) readDone(lang string, own []bool) {
	did := false // a word of the clause makes a participle say what was done
	for i, w := range s.Words {
		if lang == "en" && i > 0 && s.isPastOf(i) {
			for _, base := range append(BaseForms(w), theTables().irregular[w]) {
				s.Done |= KindOf(base) & Deeds
			}
		} else if lang != "en" && did {
			s.Done |= doneForm(lang, w)
		}
		did = lang != "en" && lang != "" && w != "," && (did || Listed("did", w))
	}
	s.Done &^= s.Asks
	if own == nil {
		return
	}
	asked := make(map[string]bool, len(s.AskedBy))
	for _, w := range s.AskedBy {
		asked[w] = true
	}
	for i, w := range s.Words {
		if own[i] && w != "," && !asked[w] {
			s.ByOthers = append(s.ByOthers, w)
		}
	}
}

// mostAdverbs is the number of words that may stand between the one who did something and the verb.
const mostAdverbs = 3

// isPastOf reports whether an English past form stands at words[i] behind the one who did it, as in "I have already paid".
func (s *Sentence) isPastOf(i int) bool {
	if w := s.Words[i]; !strings.HasSuffix(w, "ed") && theTables().irregular[w] == "" {
		return false
	}
	last := max(0, i-1-mostAdverbs)
	for i--; i > last && (Listed("going", s.Words[i]) || Listed("adverbOfTime", s.Words[i])); i-- {
	}
	return (Listed("doer", s.Words[i]) || s.Words[i] == "ive" || s.Words[i] == "we") && (i == 0 || !Listed("wants", s.Words[i-1]))
}

// preterites returns for each word whether it is a Spanish verb that is written as what the speaker did or will do, or somebody
// else did: pagué and pagó, and not pague. It is nil if there is none.
func (s *Sentence) preterites(lang string) (are []bool) {
	if lang != "es" || !strings.ContainsAny(s.Text, "éó") {
		return nil
	}
	words := splitTokens(strings.ToLower(s.Text))
	if len(words) != len(s.Words) {
		return nil
	}
	are = make([]bool, len(words))
	for i, w := range words {
		are[i] = (strings.HasSuffix(w, "é") || strings.HasSuffix(w, "ó")) && utf8.RuneCountInString(w) > 3
	}
	return are
}

// ownPurposes returns for each word whether its clause says before it what the user himself is to be able to do then: "so I
// can sign it". It is nil if no clause says that.
func (s *Sentence) ownPurposes() (own []bool) {
	from, wants := -1, false // in the clause: where what he is to be able to do begins, and whether he wants or needs it
	for i, w := range s.Words {
		switch {
		case w == ",":
			from, wants = -1, false
		case from >= 0:
			own[i] = i >= from && !wants
			wants = wants || w == "want" || w == "need"
		default:
			if from = s.purposeAt(i); from > 0 && own == nil {
				own = make([]bool, len(s.Words))
			}
		}
	}
	return own
}

// purposeAt returns the index behind the words at i that begin what the user himself is to be able to do, or -1.
func (s *Sentence) purposeAt(i int) int {
	if w := s.Words[i]; len(w) > 6 || !strings.Contains("sfdzcpa", w[:min(1, len(w))]) || !Listed("purposeBegin", w) {
		return -1
	}
	for n := 2; n <= 3 && i+n <= len(s.Words); n++ {
		if Listed("ownPurpose", strings.Join(s.Words[i:i+n], " ")) {
			return i + n
		}
	}
	return -1
}
