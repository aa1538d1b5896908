package requests

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// A name stands in a request for something: the Ritz is where the room is, Anna is whom to call. A call that
// has another name in an argument for just that, which nobody said and no result has, is done to another one.

// findOtherName returns a trace in place of one to a request, if the request has a name that the call has
// nowhere, and the call has in an argument of the same role a name that nothing before the call has.
func (r *Reader) findOtherName(_ *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	s := r.sentenceOf(t)
	if s == nil || r.means != NoMeans || t.delegated || utterance.IsAboutMore(utterance.Fold(t.Words)) {
		return Trace{}, false
	}
	lang := r.ReadingOf(t.Text).Lang
	names := s.NamesIn(lang)
	if lang == "en" {
		names = append(names, s.PlacesIn()...)
	}
	for _, n := range names {
		if n.Role == "" || c.hasName(n) {
			continue
		}
		own := ""
		for i := range c.Call.Leaves {
			l := &c.Call.Leaves[i]
			key := mutation.NameWords(l.Key)
			if !utterance.AnyListed(n.Role+"Argument", key) && !slices.ContainsFunc(key, func(w string) bool { return !n.Noun && utterance.HoldsWord(n.Word, w) }) { // the Blue Room
				continue
			}
			if own = deed.NameOf(l, n.Noun); own == "" || !r.IsInvented(own, n, c.Before) {
				own = ""
				break // the name may stand for it in another form
			}
		}
		if own != "" && n.Noun { // it may be another word for it
			return Trace{Text: t.Text, Words: t.Words, Why: "the user spoke of the " + n.Word + ", and this is done to " + showValues(own)}, true
		}
		if own != "" {
			return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user named " + showValues(n.Word) + ", and not " + showValues(own)}, true
		}
	}
	return Trace{}, false
}
