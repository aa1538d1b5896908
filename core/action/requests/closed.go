package requests

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// closeWith notes the values with which a tool carried out a request that names them. The request is closed for them: it
// asks for no deed of this tool on anything else.
func (v *serving) closeWith(s *utterance.Sentence, c *Action) {
	for i := range c.Call.Leaves {
		l := &c.Call.Leaves[i]
		if value := deed.FoldValue(l); value != "" && strings.Count(value, " ") < 3 && utterance.HoldsWord(s.Folded, value) {
			v.closed[c.Call.Name+"\x00"+l.Path] = deed.TrimQuotes(l.Raw)
		}
	}
}

// findClosed returns a trace in place of one to a request that was carried out on what it names, if the deed is done
// to something else that the user only asked about since. If he named it otherwise, as in "and 5513 too", the trace then
// is to these words.
func (r *Reader) findClosed(o *open, t *Trace, _ *deed.Deed, c *Action) (Trace, bool) {
	s := r.sentenceOf(t)
	if r.means != NoMeans || s == nil || t.Agreed || t.delegated {
		return Trace{}, false
	}
	closed := o.served[s].closed
	for i := range c.Call.Leaves {
		l := &c.Call.Leaves[i]
		was, now := closed[c.Call.Name+"\x00"+l.Path], deed.FoldValue(l)
		if was == "" || utterance.Fold(was) == now || utterance.HoldsWord(s.Folded, now) {
			continue
		}
		switch at, x := r.namedSince(t.Text, c.Before, now); {
		case x == nil:
		case !x.Question && !x.ReadsOnly():
			t.Text, t.Words = at, x.Text
			return Trace{}, false
		case utterance.PlainWords(x.Words) > 2 && !r.saysAlike(t.Text, c.Before):
			out := Trace{By: ByNobody, Text: at, Words: x.Text, Why: "this was done with " + showValues(was) + ", and the user only asked to know something about " + showValues(deed.TrimQuotes(l.Raw))}
			if r.IsSaidIn(t.Text, func(text string) bool { return utterance.HoldsWord(text, now) }) {
				out.By = Undecided
			}
			return out, true
		}
	}
	return Trace{}, false
}

// namedSince returns the newest sentence of the user with a value, and its text: one after text number after, of the
// first n texts. One that only asks to know something counts if no other has the value.
func (r *Reader) namedSince(after, n int, value string) (at int, out *utterance.Sentence) {
	for i := min(n, len(r.Texts)) - 1; i > after; i-- {
		if r.Texts[i].From == provenance.FromUser && utterance.HoldsWord(r.Folded(i), value) {
			for k := range r.ReadingOf(i).Sentences {
				x := &r.ReadingOf(i).Sentences[k]
				if asks := !x.Question && !x.ReadsOnly(); utterance.HoldsWord(x.Folded, value) && (out == nil || asks) {
					if at, out = i, x; asks {
						return at, out
					}
				}
			}
		}
	}
	return at, out
}
