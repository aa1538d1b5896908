package handing

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/heard"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// A sentence may ask for a deed on those things only of which a result says something, as in "Order the ones Ann has ticked".

// Chosen says whether a result has the thing of a deed among those that a sentence chooses by a word: "the ones she has ticked", with
// a field of this name in the newest result that has one. It is not known if the sentence chooses none so, or no result has the field.
func Chosen(run *heard.Run, s *utterance.Sentence, a *Asked) (in, known bool) {
	word := chosenBy(s)
	if word == "" {
		return false, false
	}
	for i := range run.ResultsBefore(a.Before) {
		v, err := jsonval.Parse(strings.TrimSpace(run.Texts[i].Text))
		if err != nil || v.Kind() != jsonval.Object {
			continue
		}
		v.Each(func(name string, list jsonval.Value) bool {
			if utterance.Fold(name) != word || list.Kind() != jsonval.Array {
				return true
			}
			known = true
			for _, l := range list.Leaves() {
				text, _ := l.Value.Str()
				in = in || text != "" && slices.Contains(a.Deed.Chosen, text)
			}
			return false
		})
		if known {
			return in, true
		}
	}
	return false, false
}

// chosenBy returns the word by which an English sentence chooses things: the participle behind "the ones" or "those" and a third person.
func chosenBy(s *utterance.Sentence) string {
	for i := 1; i+2 < len(s.Words); i++ {
		if !(s.Words[i] == "ones" && s.Words[i-1] == "the" || s.Words[i] == "those") {
			continue
		}
		for k := i + 1; k+1 < len(s.Words) && k < i+5; k++ {
			if w := s.Words[k+1]; (s.Words[k] == "has" || s.Words[k] == "have" || s.Words[k] == "is" || s.Words[k] == "are") && strings.HasSuffix(w, "ed") {
				return w
			}
		}
	}
	return ""
}
