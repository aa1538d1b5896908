package requests

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// A yes is to what the question names, whoever spoke of the deed first: "Move my visit", "To Tuesday the 4th?", "Ok".

// findOtherOffered returns a trace in place of one to a request, if the agent then asked a question with one number, day or code, the
// user only agreed, and the call has another one of this form, which no person and no result named.
func (r *Reader) findOtherOffered(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if r.means != NoMeans || t.delegated || c.Call.Text != "" {
		return Trace{}, false
	}
	q := o.newestAsked()
	if q == nil || q.text < t.Text || q.but != "" || q.choice != nil || q.text != t.Text && !r.isAboutIt(q.asking, d) || utterance.IsAboutMore(q.asking.Folded) || utterance.AnyListed("or", q.asking.Words) {
		return Trace{}, false
	}
	offered := deed.MarksIn(q.asking.Folded)
	for _, m := range offered {
		if slices.ContainsFunc(offered, func(x deed.Mark) bool { return x.Form == m.Form && x != m }) {
			continue // one of several
		}
		other, found := "", 0
		for i := range c.Call.Leaves {
			l := &c.Call.Leaves[i]
			v := deed.FoldValue(l)
			if len(v) > utterance.MostText || utterance.IsDate(v) || utterance.AnyListed("idKey", mutation.NameWords(l.Key)) {
				continue
			}
			for _, x := range deed.MarksIn(v) {
				if x.Form != m.Form {
					continue
				}
				if found++; x == m {
					found = -len(c.Call.Leaves) - 1
				}
				other = x.Value
				if m.Form == "day" {
					other = v
				}
			}
		}
		if found == 1 && other != "1" && other != "0" && !r.isHeardOf(m, other, c) {
			return Trace{By: ByNobody, Text: q.text, Words: q.asking.Text, Why: "the user agreed to this with " + showValues(m.Value) + ", not with " + showValues(other)}, true
		}
	}
	return Trace{}, false
}

// isHeardOf reports whether a person, a result or the agent named a mark of the form of m that a call has.
func (r *Reader) isHeardOf(m deed.Mark, value string, c *Action) bool {
	for i := range r.Texts[:min(c.Before, len(r.Texts))] {
		if text := r.Folded(i); m.Form != "day" && utterance.HoldsWord(text, value) || slices.ContainsFunc(deed.MarksIn(text), func(x deed.Mark) bool {
			return x.Form == m.Form && (x.Value == value || m.Form == "day" && slices.Contains(deed.MarksIn(value), x))
		}) {
			return true
		}
	}
	return false
}

// newestAsked returns the last sentence of the agent to which the user agreed and that belongs to a question; nil for none.
func (o *open) newestAsked() *request {
	for i := len(o.requests) - 1; i >= 0; i-- {
		q := &o.requests[i]
		if q.agreed && q.asking != nil {
			return q
		}
		if !q.agreed && q.sentence.Asks&^utterance.Look != 0 {
			return nil // he asked for more since
		}
	}
	return nil
}

// isAboutIt reports whether a question is about a deed: it names it, or no deed at all.
func (r *Reader) isAboutIt(s *utterance.Sentence, d *deed.Deed) bool {
	return d.IsAgreedIn(s) || s.Named == 0 && utterance.PlainWords(s.Words) < 9
}
