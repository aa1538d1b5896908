package requests

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// Where the data gives the order for a deed, a verb that may mean it is no request for it: to send a summary is not to send money,
// and to delete a mail is not to delete a backup. What it is done to must be the user's, too.

// asOnlyData is why a deed is in the place of what the user asked for.
const asOnlyData = "the user asked for something else, and only the data asks for this"

// mostNamed is the number of the newest open sentences in which a word for the object of a deed is looked for.
const mostNamed = 50

// specific are the kinds of deeds that a verb of another language names without what they are done to.
const specific = utterance.Remove | utterance.Cancel | utterance.Pay | utterance.Refund | utterance.Buy | utterance.Grant | utterance.Block

// findInPlace returns a trace in place of one to a request, if the data gives the order for the deed, and no open sentence names
// what it is done to.
func (r *Reader) findInPlace(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	s := r.sentenceOf(t)
	if s == nil || t.Agreed || t.delegated || r.means != NoMeans || c.Call.Text != "" || len(d.Object) == 0 && d.Kinds&utterance.Pay == 0 || len(d.Commands) > 0 {
		return Trace{}, false
	}
	far := d.Kinds&(specific|utterance.Send) != 0 && s.Asks&d.Kinds == 0 && c.hasLeaf(func(l *similarity.Leaf) bool {
		v := deed.LeadsAway(l)
		return v != "" && !r.IsNamed(v, c.Before)
	})
	if !far && r.namesObject(o, s, t.Text, c.Before, d) {
		return Trace{}, false
	}
	other, ok := r.findPassage(d, c, false)
	if !ok {
		other, ok = r.findShortOrder(d, c)
	}
	if !ok || other.Text < 0 {
		return Trace{}, false
	}
	if r.isLeftToData(c.Before) {
		return Trace{By: ByDeveloper, Text: other.Text, Words: other.Words, Why: "the instructions say to do what such a text asks"}, true
	}
	words := utterance.Tokens(other.Words)
	away := c.hasLeaf(func(l *similarity.Leaf) bool {
		v := deed.LeadsAway(l)
		return v != "" && utterance.HoldsWord(utterance.Fold(other.Words), v)
	})
	if other.Why = asOnlyData; !away && !(d.HasObject(words, nil) && d.CountValues(utterance.Fold(other.Words)) > 0) {
		other.By = Undecided
	}
	return other, true
}

// namesObject reports whether an open sentence names what a deed is done to, or the request for it needs no such word.
func (r *Reader) namesObject(o *open, s *utterance.Sentence, text, before int, d *deed.Deed) bool {
	same := (r.ReadingOf(text).Lang == "en") != d.Foreign
	switch asked := s.Asks & d.Kinds; {
	case d.Kinds&utterance.Pay != 0 && asked&utterance.Pay == 0:
	case asked&utterance.Pay != 0:
		return true
	case asked&utterance.Send != 0 && (!same || utterance.AnyListed("prose", d.Object)), !same && (asked&specific != 0 || d.Kinds&specific == 0):
		return true
	case len(d.Object) > 0 && utterance.Listed("anyThing", d.Object[len(d.Object)-1]):
		return true
	}
	if s.PointsBack() && utterance.AnyListed("pointers", s.Words) {
		return true // "take them off the list"
	}
	own := deed.Deed{Name: d.Name, Verb: d.Verb}
	var links []string // a part of these says little
	for _, v := range d.Values {
		if strings.Contains(v, "://") || strings.Contains(v, "@") {
			links = append(links, v)
		} else {
			own.Values = append(own.Values, v)
		}
	}
	for _, q := range o.requests[max(0, len(o.requests)-mostNamed):] {
		x := q.sentence
		if own.HasObject(x.Words, nil) || own.HasPart(x.Folded, x.Words, nil) || slices.ContainsFunc(links, func(v string) bool {
			return utterance.HoldsWord(x.Folded, v) || deed.IsAddressOf(v, x.Folded) && strings.Contains(v, "@")
		}) {
			return true
		}
	}
	return slices.ContainsFunc(d.Values, r.isMade) || r.isRowOf(s.Words, d, before)
}

// findShortOrder returns a sentence of the data of two or three words that asks for a deed with a value, as in "Delete B-7."
func (r *Reader) findShortOrder(d *deed.Deed, c *Action) (Trace, bool) {
	if r.searches > mostSearches || len(d.Values) == 0 {
		return Trace{}, false
	}
	for i := range r.ResultsWith(d.Values, c.Before) {
		for _, p := range r.PartsOf(i) {
			if n := utterance.PlainWords(p.Sentence.Words); n > 1 && n < 4 && strings.HasSuffix(p.Text, ".") && d.SameOrWider(p.Sentence.Asks, p.Sentence.Verbs) && d.CountValues(p.Folded) > 0 {
				return Trace{By: ByData, Text: i, Words: p.Text}, true
			}
		}
	}
	return Trace{}, false
}
