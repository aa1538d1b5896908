package requests

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/limits"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// The user's last word on a thing decides: what he spares is spared, whatever else he asks for, and what he forbids of one thing
// takes no request for another one back.

// lastWord is what the user last said of a thing, apart from sentences that only mention it.
type lastWord struct {
	text, at int                 // the text, and the number of its sentence
	sentence *utterance.Sentence // nil for none
	spares   bool                // it spares the thing; otherwise it asks for the deed on it
	other    *request            // if there is none, the last sentence that asks for the deed on another thing of the same form; nil for none
}

// weighLastWord returns a trace in place of one that the user's last word on what the deed is done to contradicts. A trace to what he
// agreed to since, or to words that only point back, as in "You can delete it now", stays. O(sentences × values).
func (r *Reader) weighLastWord(t Trace, d *deed.Deed, c *Action) Trace {
	if limited, ok := r.findLimit(&t, d, c); ok {
		return limited
	}
	if t.By == NotNeeded || t.By == ByDeveloper || t.delegated || t.Unread || c.Call.Text != "" {
		return t
	}
	o, things := r.openBefore(c.Before), d.Things(c.Call)
	for _, v := range things {
		last := r.lastWordOn(o, v, d, c.Before)
		switch s := r.sentenceOf(&t); {
		case o.spent > mostCompared:
			return t
		case last.sentence != nil && last.spares && t.By == ByUser && r.isSpared(&t, s, &last, things, v, d):
			return Trace{By: ByNobody, Text: last.text, Words: last.sentence.Text, Why: "the user said to leave " + showValues(v) + " as it is", Against: true}
		case len(things) != 1 || r.means != NoMeans:
		case last.sentence != nil && !last.spares && t.By == ByNobody && t.Text >= 0 && s != nil && r.isOfOther(&t, s, &last, v):
			own := Trace{By: ByUser, Text: last.text, Words: last.sentence.Text, Why: "the user asked for this"}
			if other, differs := r.findDifference(o, &own, d, c); differs && !(other.By == ByNobody && r.sentenceOf(&other) != nil && r.isOfOther(&other, r.sentenceOf(&other), &last, v)) {
				return other
			}
			return own
		case last.sentence == nil && last.other != nil && t.By == ByUser && !t.Agreed && s != nil && len(deed.ThingsIn(s.Folded)) > 0:
			return Trace{By: ByNobody, Text: last.other.text, Words: last.other.sentence.Text, Why: "the user asked for this on another one than " + showValues(v)}
		}
	}
	return t
}

// findLimit returns a trace in place of one to a person, if words of a person hold the deed back (see package limits).
func (r *Reader) findLimit(t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if t.By != ByUser && t.By != ByDeveloper || r.means == PlaceMeans || t.Unread {
		return Trace{}, false
	}
	s := r.sentenceOf(t)
	v := r.openBefore(c.Before).served[s]
	l, ok := r.limits.Find(&r.Run, &limits.Asked{Deed: d, Call: c.Call, Text: t.Text, Sentence: s, Before: c.Before, Served: s != nil && v.tool != "" && v.tool != d.Tool, Standing: t.By == ByDeveloper})
	out := Trace{Text: l.Text, Words: l.Words, Why: l.Why}
	if ok && l.Sure {
		out.By, out.Against = ByNobody, true
	}
	return out, ok
}

// isSpared reports whether the last word on a value, which spares it, holds against a trace to a sentence of the user.
func (r *Reader) isSpared(t *Trace, s *utterance.Sentence, last *lastWord, things []string, v string, d *deed.Deed) bool {
	later := t.Text > last.text || t.Text == last.text && s != nil && r.placeOf(t.Text, s) > last.at
	if later && (t.Agreed || s != nil && len(deed.ThingsIn(s.Folded)) == 0 && (s.PointsBack() || s.Words == nil || t.Text > last.text)) {
		return false
	}
	const replaces = utterance.Change | utterance.Move | utterance.Refund | utterance.Buy | utterance.Make
	return d.Kinds&replaces == 0 || !slices.ContainsFunc(things, func(w string) bool { // "Move it from room 6 to room 5", which has both
		if s == nil || w == v {
			return false
		}
		named, denied := s.Speaks(w)
		return named && denied == 0
	})
}

// isOfOther reports whether the sentence of a trace to nobody names another thing only, or was said against the deed before the last word
// on a value.
func (r *Reader) isOfOther(t *Trace, s *utterance.Sentence, last *lastWord, v string) bool {
	if s == last.sentence || s.Has&(utterance.Corrects|utterance.Limits) != 0 {
		return false
	}
	if t.Against && (t.Text < last.text || t.Text == last.text && r.placeOf(t.Text, s) < last.at) {
		return true
	}
	things := deed.ThingsIn(s.Folded)
	return len(things) > 0 && !slices.Contains(things, v)
}

// placeOf returns the number of a sentence in its text, or -1.
func (r *Reader) placeOf(text int, s *utterance.Sentence) int {
	for k := range r.ReadingOf(text).Sentences {
		if &r.ReadingOf(text).Sentences[k] == s {
			return k
		}
	}
	return -1
}

// lastWordOn returns the user's last word on a value before text number n.
func (r *Reader) lastWordOn(o *open, v string, d *deed.Deed, n int) (last lastWord) {
	form, mentioned := utterance.FormOf(v), false
	for i := min(n, len(r.Texts)) - 1; i >= 0; i-- {
		if r.Texts[i].From != provenance.FromUser {
			continue
		}
		sentences := r.ReadingOf(i).Sentences
		for k := len(sentences) - 1; k >= 0; k-- {
			s := &sentences[k]
			if o.spent += 1 + len(s.Words)/8; o.spent > mostCompared {
				return lastWord{}
			}
			named, denied := s.Speaks(v)
			asks := !s.Question && (&request{text: i, sentence: s}).asksFor(d) != ""
			is := r.extentOf(s)
			switch {
			case !named && asks && (len(is.things) == 0 || utterance.IsInRange(is.words, v)), named && is.limited, !named && s.TakesAllBack():
				return lastWord{} // he may mean this, too
			case !named && asks && last.other == nil && !mentioned && hasOtherOf(s, v, form) && !utterance.IsAboutMore(s.Folded):
				last.other = &request{text: i, sentence: s}
			case !named:
			case denied != 0 && !s.Question && (denied == utterance.Deeds || d.SameOrWider(denied, nil)):
				return lastWord{text: i, at: k, sentence: s, spares: true}
			case asks:
				return lastWord{text: i, at: k, sentence: s}
			case !s.Question && s.Done&d.Kinds == 0 && !s.Told && s.Has&utterance.Ponders == 0:
				mentioned = true // in words that may ask
			}
		}
	}
	if last.other != nil && (mentioned || r.isMade(v) || r.standsElsewhere(v, n)) {
		last.other = nil
	}
	return last
}

// extent is what a sentence says of the things that it asks for, whatever the deed. It is read once a sentence.
type extent struct {
	things  []string // see deed.ThingsIn
	words   []string // its words if one of them gives a range, otherwise nil
	limited bool     // it asks up to a time, on a condition or with an exception
}

// extentOf returns the extent of a sentence.
func (r *Reader) extentOf(s *utterance.Sentence) *extent {
	e, ok := r.extents[s]
	if !ok {
		e = &extent{
			things:  deed.ThingsIn(s.Folded),
			limited: !s.Question && s.Has&utterance.Ponders == 0 && (s.IsOnlyBefore() || utterance.ExceptIn(s.Words) != nil || utterance.AnyListed("if", s.Words)),
		}
		if words := utterance.Fields(s.Folded); utterance.AnyListed("range", words) {
			e.words = words
		}
		r.extents[s] = e
	}
	return e
}

// hasOtherOf reports whether a sentence names another thing of the form of a value, and does not spare it.
func hasOtherOf(s *utterance.Sentence, v, form string) bool {
	return slices.ContainsFunc(deed.ThingsIn(s.Folded), func(w string) bool {
		named, denied := s.Speaks(w)
		return w != v && named && denied == 0 && utterance.FormOf(w) == form
	})
}

// standsElsewhere reports whether a result or a text of the agent has a value: it may be another name for what the user means, or the
// user may have agreed to it.
func (r *Reader) standsElsewhere(v string, n int) bool {
	return slices.ContainsFunc(r.Texts[:min(n, len(r.Texts))], func(x provenance.Text) bool {
		return x.From != provenance.FromUser && strings.Contains(utterance.Fold(x.Text), v)
	})
}
