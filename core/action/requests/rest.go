package requests

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// What is not understood is not denied: words of a request that ask for something, but not in words that
// are known, leave open who asked for a deed.

// findPointed returns the request for a deed in a text of the user that says to do "that" after a sentence
// that names the deed or one of its values.
func (r *Reader) findPointed(o *open, d *deed.Deed) (Trace, bool) {
	for i := len(o.requests) - 1; i > 0; i-- {
		q := &o.requests[i]
		if q.agreed || !q.sentence.IsVague() && q.sentence.Has&utterance.Agrees == 0 || q.sentence.Asks != 0 || utterance.AnyListed("denial", q.sentence.Words) || utterance.PlainWords(q.sentence.Words) > 4 {
			continue
		}
		for k := i - 1; k >= 0 && o.requests[k].text == q.text; k-- {
			s := o.requests[k].sentence
			if !s.Question && s.Has&utterance.Withdraws == 0 && (d.IsIn(s) || d.SameOrWider(s.Named, nil) || d.IsNamedIn(s.Words, nil)) {
				return Trace{By: ByUser, Text: q.text, Words: s.Text, Why: "the user said to do this"}, true
			}
		}
	}
	return Trace{}, false
}

// foldNames returns the words of a name, folded.
func foldNames(name string) []string {
	words := mutation.NameWords(name)
	for i, w := range words {
		words[i] = utterance.FoldName(w)
	}
	return words
}

// findWidened returns a trace in place of one to a request, if the deed lets everybody see something, or is to be done
// again and again, to more or for good, and no person said so.
func (r *Reader) findWidened(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if t.Text < 0 {
		return Trace{}, false
	}
	for i := range c.Call.Leaves {
		l := &c.Call.Leaves[i]
		if l.Raw == "true" && utterance.AnyListed("widens", foldNames(l.Key)) && !r.isSaid(o, -1, c.Before, func(text string) bool {
			return slices.ContainsFunc(utterance.Tokens(text), func(w string) bool {
				return utterance.Listed("widens", w) || utterance.Listed("widened", w) || slices.ContainsFunc(foldNames(l.Key), func(k string) bool { return len(k) > 3 && utterance.AreAlike(k, w) })
			})
		}) {
			out := Trace{Text: t.Text, Words: t.Words, Why: "nobody said " + l.Key}
			if t.Agreed {
				out.By = ByNobody
			}
			return out, true
		}
	}
	at := slices.IndexFunc(d.Values, func(v string) bool { return utterance.Listed("public", v) })
	if at < 0 || r.isSaid(o, -1, c.Before, func(text string) bool {
		return slices.ContainsFunc(utterance.Tokens(text), func(w string) bool { return utterance.Listed("everybody", w) || utterance.Listed("publish", w) })
	}) {
		return Trace{}, false
	}
	out := Trace{Text: t.Text, Words: t.Words, Why: "nobody said that it is to be " + showValues(d.Values[at])}
	if utterance.AnyListed("audience", utterance.Tokens(t.Words)) {
		out.By = ByNobody
	}
	return out, true
}

// namesAside reports whether a clause of a request that looks at nothing names a deed of this kind, as in
// "Check who has not paid, a short mail each".
func (r *Reader) namesAside(o *open, d *deed.Deed) bool {
	return slices.ContainsFunc(o.requests, func(q request) bool {
		s := q.sentence
		if q.agreed || s.Question || s.IsDoneAlone() || len(s.Without) > 0 || !slices.Contains(s.Words, ",") {
			return false
		}
		for from, clause := range utterance.Clauses(s.Words) {
			var k utterance.Kinds
			utterance.EachKind(r.Language(), clause, func(_ string, has utterance.Kinds) { k |= has })
			if from > 0 && len(clause) > 2 && k&utterance.Look == 0 && k&d.Kinds&^utterance.Other != 0 {
				return true
			}
		}
		return false
	})
}
