package requests

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/handing"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// handOver returns a trace to a sentence with which the user handed a deed over, for one of which only the data or nothing that is
// understood asks. What he forbade, took back or kept is not handed over.
func (r *Reader) handOver(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if r.Strict || t.Unread || t.By != ByData && (t.By != Undecided || t.Against) || o.from != provenance.FromUser || o.closedAt == o.newest {
		return Trace{}, false
	}
	var said []handing.Said
	for i := max(0, len(o.requests)-handing.MostSaid); i < len(o.requests); i++ {
		if q := &o.requests[i]; !q.agreed && q.held == nil && q.barred&d.Kinds&^utterance.Other == 0 {
			said = append(said, handing.Said{Text: q.text, Sentence: q.sentence})
		}
	}
	asked := &handing.Asked{Deed: d, Call: c.Call, Before: c.Before, Data: t.Why == inOtherWords}
	f, ok := handing.Find(&r.Run, said, asked)
	if !ok {
		if t.By == Undecided && (t.Why == inOtherWords || t.Why == inWordsUnknown || t.Why == asOnlyData || t.Why == saysNothing) && r.means != PlaceMeans {
			if x, ok := r.wished.Find(&r.Run, said, asked); ok {
				out := Trace{By: ByUser, Text: x.Text, Words: x.Sentence.Text, Why: "the user wanted something done in words that may mean this"}
				_, differs := r.findDifference(o, &out, d, c)
				return out, !differs
			}
		}
		return Trace{}, false
	}
	out := Trace{By: ByUser, Text: f.Text, Words: f.Sentence.Text, Why: "the user asked for this with what was spoken of", delegated: f.ToWords}
	if f.ToWords {
		out.Why = asItSays
	}
	return out, true
}

// orHandedOver returns a trace to a sentence that hands a deed over, or else the given one.
func (r *Reader) orHandedOver(o *open, t *Trace, d *deed.Deed, c *Action) Trace {
	if t.By == ByData || t.Why == asOnlyData {
		if other, ok := r.handOver(o, t, d, c); ok {
			return other
		}
	}
	return *t
}

// findUnchosen returns a trace in place of one to a request for those things only of which a result says something, by whether the
// result has the deed's thing among them.
func (r *Reader) findUnchosen(t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	s := r.sentenceOf(t)
	if s == nil || t.By != ByUser || t.Agreed {
		return Trace{}, false
	}
	in, known := handing.Chosen(&r.Run, s, &handing.Asked{Deed: d, Call: c.Call, Before: c.Before})
	switch {
	case !known:
		return Trace{}, false
	case in:
		return *t, true
	}
	return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this on others, which a result has", Against: true}, true
}

// findLook returns the newest sentence that wants what is made to be seen first, if the deed sends it and no later text asks for
// anything; nil for none.
func (o *open) findLook(r *Reader, d *deed.Deed) *request {
	if d.Kinds&utterance.Send == 0 || r.means != NoMeans {
		return nil
	}
	for i := len(o.requests) - 1; i >= 0 && o.requests[i].text == o.newest; i-- {
		if q := &o.requests[i]; !q.agreed && handing.LooksFirst(q.sentence, r.ReadingOf(q.text).Lang) {
			return q
		}
	}
	return nil
}

// hasStem reports whether a sentence, which is no question, has a word that begins like one of the name of a deed, up to its ending:
// "Si está fuera de la ruta, inmovilízala".
func (o *open) hasStem(d *deed.Deed) bool {
	return slices.ContainsFunc(o.requests, func(q request) bool {
		return !q.sentence.Question && slices.ContainsFunc(q.sentence.Words, func(w string) bool {
			return slices.ContainsFunc(d.Name, func(n string) bool { return len(n) > 5 && len(w) > 5 && strings.HasPrefix(w, n[:len(n)-2]) })
		})
	})
}

// wantsMore reports whether the user wants something else done, in words that may mean this deed. In the gate, the data's order is said.
func (r *Reader) wantsMore(o *open, d *deed.Deed) bool {
	return !r.Strict && slices.ContainsFunc(o.requests, func(q request) bool {
		if q.agreed || q.held != nil || q.barred&d.Kinds&^utterance.Other != 0 || r.Texts[q.text].From != provenance.FromUser {
			return false
		}
		served := o.served[q.sentence]
		done := served.doneWords()
		return slices.ContainsFunc(handing.Wants(q.sentence, r.ReadingOf(q.text).Lang), func(part []string) bool {
			return !slices.ContainsFunc(part, func(w string) bool { return slices.Contains(done, w) })
		})
	})
}
