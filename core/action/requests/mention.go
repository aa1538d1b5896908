package requests

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// That nobody asked is only known if the words of the user about the deed are understood. Otherwise it
// cannot be decided.

// findMention returns a trace in place of one that found no request, if the user or the instructions
// speak of the deed in words that are not understood.
func (r *Reader) findMention(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if t.By != ByData && t.By != ByNobody || t.Against || r.means != NoMeans {
		return Trace{}, false
	}
	places := placesOf(c)
	for i := len(o.requests) - 1; i >= 0; i-- {
		q := &o.requests[i]
		o.countCompared(q.sentence, d, 1)
		if why := r.mentions(o, q, d, places, t.By); why != "" {
			return Trace{Text: q.text, Words: q.sentence.Text, Why: why}, true
		}
	}
	for i, s := range r.Instructions(c.Before) {
		if len(s.ByOthers) > 0 && d.HasVerb(&utterance.Sentence{Words: s.ByOthers}) {
			continue
		}
		if r.ReadingOf(i).Lang != "en" && (s.Bars == 0 || s.IsDoneAlone()) && utterance.AnyListed("toYou", s.Words) && d.HasObject(s.Words, nil) {
			return Trace{Text: i, Words: s.Text, Why: "the instructions speak of this, in words that are not understood"}, true
		}
		if s.Bars == 0 && s.Has&utterance.Wishes == 0 && (d.IsInOtherForm(s) || s.IsStanding() && s.Asks != 0 && d.IsMadeIn(&utterance.Sentence{Words: s.Words[len(s.Condition()):]})) {
			return Trace{Text: i, Words: s.Text, Why: "the instructions speak of this, in words that are not understood"}, true
		}
	}
	return Trace{}, false
}

// mentions returns how an open sentence speaks of a deed without being understood as a request for it,
// or "".
func (r *Reader) mentions(o *open, q *request, d *deed.Deed, places []string, by By) string {
	s := q.sentence
	place := placeIn(places, s.Folded)
	switch {
	case s.Bars != 0:
	case q.agreed:
		if d.SharesPart(s) {
			return "the user agreed to something with this, in words that are not understood"
		}
	case r.Texts[q.text].From != provenance.FromUser:
	case !strings.HasSuffix(strings.TrimSpace(s.Text), "?") && s.Asks == 0 && place != "":
		return "the user named " + showValues(place) + ", in words that are not understood"
	case by == ByNobody && !s.Question && s.Asks == 0 && !s.ReadsOnly() && o.newest == q.text && d.LongValueIn(s.Folded) != "":
		return "the user named " + showValues(d.LongValueIn(s.Folded)) + ", in words that are not understood"
	case s.ReadsOnly() && !s.Question && !s.Told && !s.AsksIndirectly(r.ReadingOf(q.text).Lang) && by == ByNobody && (d.IsIn(s) && (d.Kinds&lasting == 0 || d.SharesWord(s.Words)) || d.IsNamedIn(s.Words, nil) || d.Kinds == utterance.Make && d.IsPaper() || s.Has&utterance.Vague != 0 && slices.Contains(s.Words, "see") && d.Kinds&(utterance.Buy|utterance.Make) != 0):
		return "the user perhaps asked for this with the words for looking"
	case s.MayWant() && d.IsIn(s), d.IsPerhapsIn(s), s.Asks == 0 && s.Receives() != 0 && slices.ContainsFunc(d.Keys, func(k string) bool { return len(k) > 3 && slices.Contains(s.Words, k) }):
		return "the user perhaps asked for this, in words that are not known"
	}
	return ""
}

// placesOf returns the values of a call that say where money or a message goes.
func placesOf(c *Action) (places []string) {
	for i := range c.Call.Leaves {
		if v := deed.LeadsAway(&c.Call.Leaves[i]); v != "" {
			places = append(places, v)
		}
	}
	return places
}

// placeIn returns the first of some values that a text has, or "".
func placeIn(places []string, folded string) string {
	for _, v := range places {
		if utterance.HoldsWord(folded, v) {
			return v
		}
	}
	return ""
}
