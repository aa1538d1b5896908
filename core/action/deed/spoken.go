package deed

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// IsSpelledIn reports whether a sentence of a language, which is no question and denies nothing of a deed, has each word of its name
// in some form, as in "Turn on sharing of my location" for share_location. It is false for a name of one word.
func (d *Deed) IsSpelledIn(s *utterance.Sentence, lang string) bool {
	if len(d.Name) < 2 || s.Question || s.Bars&d.Kinds != 0 || s.Has&(utterance.Refuses|utterance.Withdraws) != 0 {
		return false
	}
	return !slices.ContainsFunc(d.Name, func(w string) bool {
		w = utterance.FoldName(w)
		i := slices.IndexFunc(s.Words, func(x string) bool {
			return utterance.AreAlike(w, x) || len(x) > 2 && strings.HasPrefix(w, x)
		})
		return i < 0 || s.IsNegated(lang, i)
	})
}

// IsSpokenOf reports whether a sentence of a language wants something done in words that have the verb of a deed, or two of its words:
// what it asks for is then not known. One that asks for deeds of other kinds only does not count.
func (d *Deed) IsSpokenOf(s *utterance.Sentence, lang string) bool {
	if s.Question || s.Asks == 0 && s.Has&utterance.Polite == 0 || s.Bars&d.Kinds != 0 || s.Has&(utterance.Refuses|utterance.Withdraws) != 0 ||
		s.Asks&^(utterance.Other|utterance.Make|utterance.Change) != 0 && s.Asks&d.Kinds == 0 {
		return false
	}
	if !s.ReadsOnly() {
		return d.CountWordsIn(s.Words) > 1
	}
	for _, clause := range utterance.Clauses(s.Words) { // "Puoi mettere il mio nome in lista, voglio sapere …"
		var k utterance.Kinds
		utterance.EachKind(lang, clause, func(_ string, has utterance.Kinds) { k |= has })
		if k&utterance.Polite != 0 && k&utterance.Look == 0 && d.CountWordsIn(clause) > 1 {
			return true
		}
	}
	return false
}
