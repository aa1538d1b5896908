package requests

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// That a sentence asks for a deed of a wider kind says little: "Put a note on the file" asks for something that is made or
// changed. It asks for this deed only if it also names the deed, or what it is done to.

// findUnproven returns a trace in place of one to a request, if the request does not ask for this deed (see isProven). Where the
// data gives the order for it, the data asks.
func (r *Reader) findUnproven(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	s := r.sentenceOf(t)
	if s == nil || t.Agreed || t.delegated || r.isProven(o, s, t.Text, d, c) {
		return Trace{}, false
	}
	if other, ok := r.findOrder(d, c); ok {
		return other, true
	}
	if v := o.served[s]; v.exact && v.named && v.tool != d.Tool && (d.Kinds&^utterance.Other != 0 || c.Sure) && o.isServed() && !o.leavesVerb() && !o.leavesRest(v.doneWords()) && !o.namesKey(d, v.doneWords()) && !o.namesValue(d, v.doneWords()) {
		return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "what the user asked for had been done, and he did not ask for this"}, true
	}
	return Trace{Text: t.Text, Words: t.Words, Why: "nobody named what this is done to"}, true
}

// isProven reports whether a sentence that asks for a wider kind of deed asks for this one: it has the verb of its name, or
// a word of what it is done to, of its name, its values or a result with one of these. A sentence with a pronoun or no
// object asks for what was spoken of before. One that another tool carried out asks for no more deeds than it has verbs.
func (r *Reader) isProven(o *open, s *utterance.Sentence, text int, d *deed.Deed, c *Action) bool {
	if r.means != NoMeans || c.Call.Text != "" || d.Kinds == 0 || len(d.Commands) > 0 || len(s.AskedBy) == 0 { // the words of a gesture name no thing
		return true
	}
	if lang := r.ReadingOf(text).Lang; lang != "en" && !d.Foreign || lang == "en" && d.Foreign {
		return true // the names are in another language
	}
	if d.HasVerb(s) || d.Noun {
		return true
	}
	if d.Kinds&utterance.Pay != 0 && slices.ContainsFunc(d.Measures, func(m string) bool { return utterance.HoldsWord(r.Folded(text), m) }) {
		return true // he named the amount
	}
	if v := o.served[s]; v.tool != "" && v.tool != d.Tool && (v.exact || v.named) && len(s.AskedBy) <= len(v.tools) && !slices.ContainsFunc(s.Words, utterance.IsWide) {
		return d.HasObject(s.Words, v.doneWords()) || d.HasPart(s.Folded, s.Words, v.doneWords())
	}
	return d.IsExactly(s) || s.PointsBack() || d.HasObject(s.Words, nil) || d.HasPart(s.Folded, s.Words, nil) || r.reachesWord(d, s.Words, c.Before)
}

// findOrder returns the passage of the data that gives the order for a deed, with a value that no person named.
func (r *Reader) findOrder(d *deed.Deed, c *Action) (Trace, bool) {
	own := *d
	own.Values = slices.DeleteFunc(slices.Clone(d.Values), func(v string) bool {
		return r.IsSaidIn(c.Before, func(text string) bool { return utterance.HoldsWord(utterance.FoldTimes(text), utterance.FoldTimes(v)) })
	})
	if len(own.Values) == 0 {
		return Trace{}, false
	}
	t, ok := r.findPassage(&own, c, false)
	return t, ok && t.Plain
}

// reachesWord reports whether a result that has a value of a deed also has one of some words.
func (r *Reader) reachesWord(d *deed.Deed, said []string, before int) bool {
	for i := range r.ResultsBefore(before) {
		text := r.Folded(i)
		if !slices.ContainsFunc(d.Values, func(v string) bool { return utterance.HoldsWord(text, v) }) && !slices.ContainsFunc(d.Chosen, func(v string) bool { return strings.Contains(text, `"`+utterance.Fold(v)+`"`) }) {
			continue
		}
		if slices.ContainsFunc(said, func(w string) bool {
			return len(w) > 3 && !utterance.IsFunctionWord(w) && !utterance.Listed("filler", w) && utterance.HoldsName(text, w)
		}) {
			return true
		}
	}
	return false
}

// handedOver are the kinds of deeds that somebody else does even if the tool has another verb for them.
const handedOver = utterance.Pay | utterance.Send | utterance.Cancel | utterance.Remove | utterance.Refund | utterance.Grant

// findOtherDoer returns the sentence that says that somebody else does a deed, or the user himself, as in "Lars has to
// approve it".
func (r *Reader) findOtherDoer(o *open, d *deed.Deed) (Trace, bool) {
	if r.means == PlaceMeans {
		return Trace{}, false
	}
	for i := len(o.requests) - 1; i >= 0; i-- {
		q := &o.requests[i]
		s := q.sentence
		if q.agreed || len(s.ByOthers) == 0 || s.Reported != 0 && r.means != NoMeans || (&deed.Deed{Kinds: d.Kinds}).SameOrWider(s.Asks, nil) {
			continue
		}
		if d.HasVerb(&utterance.Sentence{Words: s.ByOthers}) || d.Kinds&s.Planned&handedOver != 0 && len(d.Commands) == 0 || slices.ContainsFunc(d.Runs, func(w string) bool { return slices.Contains(s.ByOthers, w) }) {
			out := Trace{By: ByNobody, Text: q.text, Words: s.Text, Why: "the user said that somebody does this himself", Against: true}
			if s.Reported != 0 {
				if out.Why, out.Against = "the user only told what somebody wants", false; len(o.requests) == 1 && s.Asks == 0 {
					out.By = Undecided // perhaps he hands it on
				}
			}
			return out, true
		}
	}
	return Trace{}, false
}

// isServed reports whether each request was carried out, as far as it is understood.
func (o *open) isServed() bool {
	return !slices.ContainsFunc(o.requests, func(q request) bool {
		s := q.sentence
		return !q.agreed && !s.Question && (s.Asks&^o.served[s].kinds&^utterance.Look != 0 || s.Foreign && len(s.Words) > 0 || s.Rest || s.IsVague() || s.Has&utterance.Delegates != 0 || s.ByText != 0)
	})
}

// findBeyondQuestion returns a trace in place of consent, if the question named other things of its sort than the deed is
// done to, or if the deed is repeated and nobody said that.
func (r *Reader) findBeyondQuestion(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if r.means != NoMeans || t.Text < 0 || c.Call.Text != "" {
		return Trace{}, false
	}
	out := Trace{By: ByNobody, Text: t.Text, Words: t.Words}
	for i := range c.Call.Leaves {
		l := &c.Call.Leaves[i]
		if deed.KeyHas(l, "repeatKey") && !utterance.Listed("once", deed.FoldValue(l)) && !r.isSaid(o, -1, c.Before, func(text string) bool {
			return utterance.AnyListed("repeatWord", utterance.Tokens(text)) || strings.Contains(text, "每") || strings.Contains(text, "毎") || strings.Contains(text, "重复")
		}) {
			if out.Why = "nobody said " + l.Key; !t.Agreed {
				out.By = Undecided
			}
			return out, true
		}
	}
	if !t.Agreed || r.Texts[t.Text].From != provenance.FromAgent {
		return Trace{}, false
	}
	sentences := r.ReadingOf(t.Text).Sentences
	for k := range sentences {
		s := &sentences[k]
		if !strings.HasSuffix(s.Text, "?") || !d.IsAgreedIn(s) && !d.HasVerb(s) || utterance.IsAboutMore(s.Folded) {
			continue
		}
		fields := utterance.Fields(s.Folded)
		for _, v := range d.Chosen {
			v = utterance.Fold(v)
			if !strings.ContainsFunc(v, unicode.IsDigit) || slices.Contains(fields, v) || utterance.IsDate(v) || len(d.Measures) > 0 {
				continue
			}
			if n := slices.IndexFunc(fields, func(w string) bool { return utterance.FormOf(w) == utterance.FormOf(v) && len(v) > 1 }); n >= 0 && !r.IsSaidAfter(t.Text, c.Before, func(text string) bool { return utterance.HoldsWord(text, v) }) && slices.ContainsFunc(fields, func(w string) bool { return w != fields[n] && utterance.FormOf(w) == utterance.FormOf(v) }) {
				out.Why = "the user agreed to this with " + showValues(fields[n]) + ", not with " + showValues(v)
				return out, true
			}
		}
	}
	return Trace{}, false
}
