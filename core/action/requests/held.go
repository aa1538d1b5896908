package requests

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// A later sentence puts off what it speaks of: "Hold the invitation back until Friday", "so that one stays". It takes the
// request for just that back, and leaves the others open.

// holdRequests notes which open requests a sentence of text number i puts off: those that have a word of it, or, if it only points
// back, those that the last words of the agent are about.
func (r *Reader) holdRequests(o *open, i int, s *utterance.Sentence) {
	for k := range o.requests {
		q := &o.requests[k]
		if q.sentence.Asks|q.sentence.Named == 0 || q.sentence == s || q.text == i && !q.agreed && q.sentence.Has&utterance.Holds != 0 {
			continue
		}
		q.held, q.heldAt = s, i
	}
	if s.PointsBackHeld() {
		o.heldBack, o.heldBackAt, o.heldWords = r.LastOfAgent(i), i, s
	}
}

// holdsBack reports whether the words that put a request off are about a deed: they have a word of it, or else one of
// the clauses that ask for it, and nothing else in the request is what the deed is done to.
func (q *request) holdsBack(d *deed.Deed) bool {
	held := utterance.ThingWords(q.held.Held)
	if len(held) == 0 || q.isOfOtherNumber(d) || slices.ContainsFunc(d.Chosen, func(v string) bool {
		named, denied := q.held.Speaks(utterance.Fold(v))
		return named && denied == 0
	}) {
		return false
	}
	if d.HasObject(held, nil) || d.HasPart(q.held.Folded, held, nil) {
		return true
	}
	if rest := slices.DeleteFunc(utterance.ThingWords(q.sentence.Words), func(w string) bool { return slices.Contains(held, w) }); d.HasPart("", rest, nil) || d.HasObject(rest, nil) {
		return false // it is done to another thing of the request
	}
	clause := q.clauseOf(d)
	return slices.ContainsFunc(held, func(w string) bool {
		return slices.ContainsFunc(clause, func(x string) bool { return utterance.AreAlike(w, x) })
	})
}

// isOfOtherNumber reports whether the words that put a request off name something by its number, and the request the deed's own:
// "Cancel order 17. The order 18 stays".
func (q *request) isOfOtherNumber(d *deed.Deed) bool {
	own := slices.Concat(d.Values, d.Chosen)
	other := false
	for _, w := range q.held.Held {
		if strings.ContainsAny(w, "0123456789") {
			if other = true; slices.Contains(own, w) {
				return false
			}
		}
	}
	return other && slices.ContainsFunc(q.sentence.Words, func(w string) bool { return strings.ContainsAny(w, "0123456789") && slices.Contains(own, w) })
}

// clauseOf returns the words that may name things of the clauses of a request that ask for a deed.
func (q *request) clauseOf(d *deed.Deed) (out []string) {
	words := q.sentence.Words
	for from := 0; from < len(words); {
		to := from
		for to < len(words) && words[to] != "," && !(to > from && utterance.Listed("and", words[to])) {
			to++
		}
		if clause := words[from:to]; d.HasVerb(&utterance.Sentence{Words: clause}) || d.Kinds&utterance.KindsIn(clause)&^utterance.Other != 0 {
			out = append(out, utterance.ThingWords(clause)...)
		}
		from = to + 1
	}
	return out
}

// findHeldBack returns a trace in place of one to a request, if the user said that what the agent had just named stays, and
// the deed is done to it.
func (r *Reader) findHeldBack(o *open, t *Trace, d *deed.Deed, _ *Action) (Trace, bool) {
	if o.heldWords == nil || o.heldBack < 0 || t.Text > o.heldBackAt || r.means != NoMeans {
		return Trace{}, false
	}
	text := r.Folded(o.heldBack)
	if !slices.ContainsFunc(d.Values, func(v string) bool { return len(v) > 3 && utterance.HoldsWord(text, v) }) {
		return Trace{}, false
	}
	return Trace{By: ByNobody, Text: o.heldBackAt, Words: o.heldWords.Text, Why: "the user left this as it is", Against: true}, true
}

// findDeclined returns the sentence behind a question of the agent with which the user puts the deed off, leaves it out, or
// does it himself, as in "Merge it. The deploy waits" and "Miller yes, Novak I'll call".
func (r *Reader) findDeclined(o *open, offer int, d *deed.Deed) (Trace, bool) {
	for i := range o.requests {
		q := &o.requests[i]
		s := q.sentence
		if q.agreed || q.text <= offer || s.Question {
			continue
		}
		out := Trace{By: ByNobody, Text: q.text, Words: s.Text, Against: true}
		own := deed.Deed{Name: d.Name, Verb: d.Verb, Values: append(d.Values, d.Chosen...)}
		switch names := func(words []string) bool { return own.HasObject(words, nil) || own.HasPart("", words, nil) }; {
		case len(s.Held) > 0 && (names(s.Held) || own.HasVerb(&utterance.Sentence{Words: s.Held})):
			out.Why = "the user put this off"
		case len(s.Without) > 0 && d.IsNamedBy(s.Without):
			out.Why = "the user left this out of what he asked for"
		case slices.ContainsFunc(s.DoneBySelf(), names):
			out.Why = "the user said that somebody does this himself"
		case s.Has&utterance.Limits != 0 && own.IsBesides(s, r.Folded(offer)):
			out.Why = "the user left this out of what he asked for"
		default:
			continue
		}
		return out, true
	}
	return Trace{}, false
}
