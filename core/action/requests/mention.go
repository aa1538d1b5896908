package requests

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// That nobody asked is only known if the words of the user about the deed are understood. Otherwise it
// cannot be decided.

// findMention returns a trace in place of one that found no request, if the user or the instructions
// speak of the deed in words that are not understood.
func (r *Reader) findMention(o *open, t *Trace, d *deed, c *Action) (Trace, bool) {
	if t.By != ByData && t.By != ByNobody || t.Against || r.means != NoMeans {
		return Trace{}, false
	}
	for i := len(o.requests) - 1; i >= 0; i-- {
		q := &o.requests[i]
		if why := r.mentions(o, q, d, c, t.By); why != "" {
			return Trace{Text: q.text, Words: q.sentence.Text, Why: why}, true
		}
	}
	for i, s := range r.instructions(c.Before) {
		if s.Bars == 0 && s.Has&utterance.Wishes == 0 && (d.isInOtherForm(s) || s.IsStanding() && s.Asks != 0 && d.isMadeIn(s)) {
			return Trace{Text: i, Words: s.Text, Why: "the instructions speak of this, in words that are not understood"}, true
		}
	}
	return Trace{}, false
}

// mentions returns how an open sentence speaks of a deed without being understood as a request for it,
// or "".
func (r *Reader) mentions(o *open, q *request, d *deed, c *Action, by By) string {
	s := q.sentence
	place := placeIn(c, s.Folded)
	switch {
	case s.Bars != 0:
	case q.agreed:
		if d.sharesPart(s) {
			return "the user agreed to something with this, in words that are not understood"
		}
	case r.texts[q.text].From != provenance.FromUser:
	case !strings.HasSuffix(strings.TrimSpace(s.Text), "?") && s.Asks == 0 && place != "":
		return "the user named " + showValues(place) + ", in words that are not understood"
	case by == ByNobody && !s.Question && s.Asks == 0 && !s.ReadsOnly() && o.newest == q.text && d.longValueIn(s.Folded) != "":
		return "the user named " + showValues(d.longValueIn(s.Folded)) + ", in words that are not understood"
	case s.ReadsOnly() && !s.Question && by == ByNobody && (d.isIn(s) || d.isNamedIn(s.Words, nil) || d.kinds == utterance.Make && d.isPaper() || s.Has&utterance.Vague != 0 && slices.Contains(s.Words, "see") && d.kinds&(utterance.Buy|utterance.Make) != 0):
		return "the user perhaps asked for this with the words for looking"
	case s.MayWant() && d.isIn(s), d.isPerhapsIn(s), s.Asks == 0 && s.Receives() != 0 && slices.ContainsFunc(d.keys, func(k string) bool { return len(k) > 3 && slices.Contains(s.Words, k) }):
		return "the user perhaps asked for this, in words that are not known"
	}
	return ""
}

// longValueIn returns the first value of more than one word of a deed that folded text has, or "".
func (d *deed) longValueIn(folded string) string {
	for _, v := range d.values {
		if strings.Contains(v, " ") && utterance.HoldsWord(folded, v) {
			return v
		}
	}
	return ""
}

// isPaper reports whether a deed makes a text: a file, a document, a note.
func (d *deed) isPaper() bool {
	return slices.ContainsFunc(d.object, func(w string) bool {
		return utterance.Listed("paper", w) || utterance.Listed("shown", w) || w == "note"
	})
}

// placeIn returns the value of a call that says where money or a message goes, if a text has it, or "".
func placeIn(c *Action, folded string) string {
	for i := range c.Call.Leaves {
		if v := leadsAway(&c.Call.Leaves[i]); v != "" && utterance.HoldsWord(folded, v) {
			return v
		}
	}
	return ""
}

// isPerhapsIn reports whether a question that can be answered with yes names a deed: it may be a request.
func (d *deed) isPerhapsIn(s *utterance.Sentence) bool {
	return s.Question && !s.Opened && s.Has&utterance.Look == 0 && d.kinds&s.Named&^utterance.Other != 0
}

// sharesPart reports whether a sentence has a word that is a part of a value of a deed, such as
// reindex of cronjob/reindex.
func (d *deed) sharesPart(s *utterance.Sentence) bool {
	return slices.ContainsFunc(d.values, func(v string) bool {
		return slices.ContainsFunc(strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune(" /.:_", r) }), func(part string) bool {
			return len(part) > 3 && !utterance.IsFunctionWord(part) && slices.Contains(s.Words, part)
		})
	})
}

// isInOtherForm reports whether an English sentence has the verb of the name of a tool in another form,
// as in "may have it waived", and a word of its object.
func (d *deed) isInOtherForm(s *utterance.Sentence) bool {
	return d.verb != "" && slices.ContainsFunc(s.Words, func(w string) bool { return slices.Contains(utterance.BaseForms(w), d.verb) }) &&
		slices.ContainsFunc(d.object, func(n string) bool { return slices.Contains(s.Words, n) || slices.Contains(s.Words, n+"s") })
}
