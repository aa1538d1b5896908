package requests

import (
	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/handing"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// "Do what the mail says" asks for what that mail orders: not for what it forbids or only mentions, and not for what the mail of
// somebody else orders.

// findNotSaid returns a trace in place of one to a request to do what a text says, if the results that are understood do not order
// the deed, forbid it, or are of another sender than the one whom the user named.
func (r *Reader) findNotSaid(t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	s := r.sentenceOf(t)
	if s == nil || !t.delegated || d.SameOrWider(s.Asks, s.Verbs) || r.means != NoMeans || d.Kinds&^utterance.Other == 0 || len(d.Commands) > 0 {
		return Trace{}, false
	}
	out := Trace{Text: t.Text, Words: t.Words, Why: "the user said to do what a text says, and no text that was read orders this"}
	names, read := s.NamesIn(r.ReadingOf(t.Text).Lang), false
	for i := range r.ResultsBefore(c.Before) {
		for _, p := range r.PartsOf(i) {
			x := &p.Sentence
			read = read || x.Asks != 0 && !x.Foreign
			switch {
			case x.Foreign && utterance.PlainWords(x.Words) > 2:
				return Trace{}, false
			case d.Kinds&x.Bars&^x.Asks&^utterance.Other != 0 && d.CountValues(p.Folded) > 0:
				return Trace{By: ByNobody, Text: i, Words: p.Text, Why: "the user said to do what a text says, and it says not to do this", Against: true}, true
			case x.Bars&d.Kinds != 0, !d.IsExactly(x) && !d.SameOrWider(0, x.Verbs) && !d.IsNamedIn(x.Words, nil):
			case handing.IsOfOther(r.Texts[i].Text, names):
				out = Trace{By: ByData, Text: i, Words: p.Text, Why: "the user named another sender, and only this text asks for this"}
			default:
				return Trace{}, false
			}
		}
	}
	return out, read || out.By == ByData
}
