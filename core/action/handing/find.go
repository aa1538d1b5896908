package handing

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/heard"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Said is a sentence of a person that is still open, with the number of its text.
type Said struct {
	Text     int
	Sentence *utterance.Sentence
}

// Asked is a deed for which no sentence asks by its own words.
type Asked struct {
	Deed   *deed.Deed
	Call   *similarity.Call
	Before int  // the number of texts before it
	Data   bool // the data orders it
}

// Found is the sentence that hands a deed over.
type Found struct {
	Said
	ToWords bool // to the words of a result; otherwise to what was spoken of
}

// Find returns the newest open sentence that hands a deed over, if what it is handed to has this deed: a result before it orders
// the deed or has its values, or the user spoke of its thing. The sentences are in the order of the run. A deed that leads to a place that no person named is never handed over. O(sentences × results).
func Find(run *heard.Run, said []Said, a *Asked) (Found, bool) {
	if leadsAway(run, a) { // whom a text names as the receiver is its own choice
		return Found{}, false
	}
	for i := len(said) - 1; i >= 0 && i >= len(said)-MostSaid; i-- {
		x := said[i]
		lang := run.ReadingOf(x.Text).Lang
		if h, ok := toWords(x.Sentence, lang); ok && isOrdered(run, x.Text, x.Sentence, h, a) {
			return Found{x, true}, true
		}
		if isOtherOfForm(run, a) || IsLimited(run, a) {
			continue
		}
		if saysDoIt(x.Sentence, lang) && isSpokenOf(run, x.Text, a.Deed) || len(toContext(x.Sentence, lang)) > 0 && isAnchored(run, x.Text, a) {
			return Found{x, false}, true
		}
	}
	return Found{}, false
}

// MostSaid is the number of the newest sentences that are read.
const MostSaid = 40

// isOrdered reports whether a result before a deed orders it or has a value of it that no person named, or of work with commands
// has its commands. What forbids such a deed on its value, orders nothing.
func isOrdered(run *heard.Run, text int, s *utterance.Sentence, h Handed, a *Asked) bool {
	d, found := a.Deed, false
	if slices.ContainsFunc(d.Chosen, func(v string) bool { return isUnheard(run, v, a.Before) }) {
		return false
	}
	names := s.NamesIn(run.ReadingOf(text).Lang)
	for i := range run.ResultsBefore(a.Before) {
		if IsOfOther(run.Texts[i].Text, names) {
			continue
		}
		if len(d.Commands) > 0 {
			folded := run.Folded(i)
			if !slices.ContainsFunc(d.Commands, func(c string) bool { return len(c) < 6 || !strings.Contains(folded, c) }) {
				return true
			}
			continue
		}
		for _, p := range run.PartsOf(i) {
			x := &p.Sentence
			if d.Kinds&x.Bars&^x.Asks&^utterance.Other != 0 && d.CountValues(p.Folded) > 0 {
				return false
			}
			about := len(h.About) == 0 || slices.ContainsFunc(h.About, func(w string) bool {
				return slices.Contains(x.Words, w) || slices.Contains(d.Object, w) || slices.Contains(d.Keys, w)
			})
			plain := utterance.PlainWords(x.Words) > 3 || x.Foreign && len([]rune(p.Folded)) > 8
			found = found || about && plain && (d.Kinds&x.Asks != 0 && (d.IsExactly(x) || d.SameOrWider(0, x.Verbs)) && d.SharesWord(x.Words) || slices.ContainsFunc(d.Chosen, func(v string) bool {
				v = utterance.Fold(v)
				return len(v) > 1 && utterance.HoldsWord(p.Folded, v) && !run.IsNamed(v, a.Before)
			}))
		}
	}
	return found
}

// isUnheard reports whether a value is a number that neither a person nor a result before a deed has.
func isUnheard(run *heard.Run, v string, before int) bool {
	if len(v) < 2 || !utterance.IsDigits(v) || run.IsNamed(v, before) {
		return false
	}
	for i := range run.ResultsBefore(before) {
		if utterance.HoldsWord(run.Folded(i), v) {
			return false
		}
	}
	return true
}

// isOtherOfForm reports whether a call has a code or a number that no person named, in the place of one of its form that a person named.
func isOtherOfForm(run *heard.Run, a *Asked) bool {
	for i := range a.Call.Leaves {
		for _, m := range deed.MarksIn(deed.FoldValue(&a.Call.Leaves[i])) {
			if len(m.Form) < 3 || run.IsNamed(m.Value, a.Before) {
				continue
			}
			if run.IsSaidIn(a.Before, func(text string) bool {
				return slices.ContainsFunc(deed.MarksIn(text), func(x deed.Mark) bool { return x.Form == m.Form })
			}) {
				return true
			}
		}
	}
	return false
}

// leadsAway reports whether a call sends something to a place that no person named.
func leadsAway(run *heard.Run, a *Asked) bool {
	return slices.ContainsFunc(a.Call.Leaves, func(l similarity.Leaf) bool {
		v := deed.LeadsAway(&l)
		return v != "" && !run.IsNamed(v, a.Before)
	})
}

// IsLimited reports whether an instruction that denies something or has a condition has a word of the name of a deed.
func IsLimited(run *heard.Run, a *Asked) bool {
	for _, s := range run.Instructions(a.Before) {
		if (s.Bars != 0 || utterance.AnyListed("denial", s.Words) || utterance.AnyListed("if", s.Words) || utterance.ExceptIn(s.Words) != nil || utterance.AnyListed("onlyWord", s.Words)) && slices.ContainsFunc(s.Words, func(w string) bool {
			return len(w) > 3 && slices.ContainsFunc(a.Deed.Name, func(n string) bool { return utterance.AreAlike(n, w) })
		}) {
			return true
		}
	}
	return false
}

// isSpokenOf reports whether one of the last texts of the conversation before a text names a deed.
func isSpokenOf(run *heard.Run, text int, d *deed.Deed) bool {
	for i, seen := text-1, 0; i >= 0 && seen < 4; i-- {
		if from := run.Texts[i].From; from != provenance.FromUser && from != provenance.FromAgent {
			continue
		}
		seen++
		for k := range run.ReadingOf(i).Sentences {
			if s := &run.ReadingOf(i).Sentences[k]; s.Named&d.Kinds&^utterance.Other != 0 && s.Bars == 0 && d.SameOrWider(s.Named, nil) {
				return true
			}
		}
	}
	return false
}

// isAnchored reports whether the user's text or the last one of the agent names the thing of a deed.
func isAnchored(run *heard.Run, text int, a *Asked) bool {
	own := deed.Deed{Name: a.Deed.Name, Verb: a.Deed.Verb, Values: append(slices.Clone(a.Deed.Values), a.Deed.Chosen...)}
	for _, i := range []int{text, run.LastOfAgent(text)} {
		if i >= 0 && (own.HasObject(utterance.Tokens(run.Folded(i)), nil) || own.CountValues(run.Folded(i)) > 0) {
			return true
		}
	}
	return false
}

// IsOfOther reports whether a result says who wrote it, and that is none of some names.
func IsOfOther(result string, names []utterance.Name) bool {
	if names = slices.DeleteFunc(slices.Clone(names), func(n utterance.Name) bool { return n.Noun }); len(names) == 0 {
		return false
	}
	v, err := jsonval.Parse(strings.TrimSpace(result))
	if err != nil {
		return false
	}
	said, other := false, false
	for _, l := range v.Leaves() {
		if text, ok := l.Value.Str(); ok && utterance.Listed("senderKey", strings.ToLower(l.Key)) {
			said = said || slices.ContainsFunc(names, func(n utterance.Name) bool { return strings.Contains(utterance.Fold(text), n.Word) })
			other = true
		}
	}
	return other && !said
}
