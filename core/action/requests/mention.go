package requests

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/provenance"
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
		if why := r.mentions(q, d, c, t.By); why != "" {
			return Trace{Text: q.text, Words: q.sentence.text, Why: why}, true
		}
	}
	for _, i := range r.policies {
		if i >= c.Before {
			break
		}
		for k := range r.readingOf(i).sentences {
			if s := &r.readingOf(i).sentences[k]; s.bars == 0 && s.has&wishes == 0 && (d.isInOtherForm(s) || s.isStanding() && s.asks != 0 && d.isMadeIn(s)) {
				return Trace{Text: i, Words: s.text, Why: "the instructions speak of this, in words that are not understood"}, true
			}
		}
	}
	return Trace{}, false
}

// mentions returns how an open sentence speaks of a deed without being understood as a request for it,
// or "".
func (r *Reader) mentions(q *request, d *deed, c *Action, by By) string {
	s := q.sentence
	folded := foldText(s.text)
	values, word := d.countShared(folded, s.words)
	place := placeIn(c, folded)
	switch {
	case s.bars != 0:
	case q.agreed:
		if d.sharesPart(s) {
			return "the user agreed to something with this, in words that are not understood"
		}
	case r.texts[q.text].From != provenance.FromUser:
	case !strings.HasSuffix(strings.TrimSpace(s.text), "?") && s.asks == 0 && place != "":
		return "the user named " + place + ", in words that are not understood"
	case s.readsOnly() && !s.question && by == ByNobody && (values > 0 || word || d.isNamedIn(s.words, nil) || d.kinds == Make && d.isPaper() || s.has&vague != 0 && slices.Contains(s.words, "see") && d.kinds&(Buy|Make) != 0):
		return "the user perhaps asked for this with the words for looking"
	case s.mayWant() && (values > 0 || word), s.mayMean(d), s.asks == 0 && s.receives() != 0 && slices.ContainsFunc(d.keys, func(k string) bool { return len(k) > 3 && slices.Contains(s.words, k) }):
		return "the user perhaps asked for this, in words that are not known"
	}
	return ""
}

// isPaper reports whether a deed makes a text: a file, a document, a note.
func (d *deed) isPaper() bool {
	return slices.ContainsFunc(d.object, func(w string) bool { return isListed("paper", w) || isListed("shown", w) || w == "note" })
}

// placeIn returns the value of a call that says where money or a message goes, if a text has it, or "".
func placeIn(c *Action, folded string) string {
	for i := range c.Call.Leaves {
		if v := leadsAway(&c.Call.Leaves[i]); v != "" && holdsWord(folded, v) {
			return v
		}
	}
	return ""
}

// mayWant reports whether a sentence has the form of a request or a wish, but no verb that is known.
func (s *sentence) mayWant() bool {
	return s.asks == 0 && s.has&Look == 0 && !s.question && s.has&(polite|vague) != 0
}

// mayMean reports whether a question that can be answered with yes names a deed: it may be a request.
func (s *sentence) mayMean(d *deed) bool {
	return s.question && !s.opened && s.has&Look == 0 && d.kinds&s.named&^Other != 0
}

// sharesPart reports whether a sentence has a word that is a part of a value of a deed, such as
// reindex of cronjob/reindex.
func (d *deed) sharesPart(s *sentence) bool {
	return slices.ContainsFunc(d.values, func(v string) bool {
		return slices.ContainsFunc(strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune(" /.:_", r) }), func(part string) bool {
			return len(part) > 3 && !isFunctionWord(part) && slices.Contains(s.words, part)
		})
	})
}

// isInOtherForm reports whether an English sentence has the verb of the name of a tool in another form,
// as in "may have it waived", and a word of its object.
func (d *deed) isInOtherForm(s *sentence) bool {
	return d.verb != "" && slices.ContainsFunc(s.words, func(w string) bool { return slices.Contains(baseForms(w), d.verb) }) &&
		slices.ContainsFunc(d.object, func(n string) bool { return slices.Contains(s.words, n) || slices.Contains(s.words, n+"s") })
}
