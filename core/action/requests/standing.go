package requests

import (
	"iter"
	"slices"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// findStanding returns the standing instruction that asks for a deed.
func (r *Reader) findStanding(d *deed.Deed, n int) (Trace, bool) {
	for i, s := range r.instructions(n) {
		english := r.readingOf(i).Lang == "en"
		if !s.IsStanding() || s.Has&utterance.Wishes != 0 || s.Bars&^s.Asks&d.Kinds != 0 || !d.SameOrWider(s.Asks|s.Receives()|s.Passive, s.Verbs) && !r.isOrdered(d, s, english) && !slices.Contains(s.Words, d.Tool) && !(d.Opens && slices.Contains(s.Words, "open")) {
			continue
		}
		if d.IsIn(s) || !english || d.IsNamedIn(s.Words, nil) || slices.Contains(s.Words, d.Tool) {
			return Trace{By: ByDeveloper, Text: i, Words: s.Text, Why: "a standing instruction asks for this"}, true
		}
	}
	return Trace{}, false
}

// isOrdered reports whether an instruction has the verb of the name of a deed where an order may have it: at the
// beginning of a clause, in another form, or with what the deed makes.
func (r *Reader) isOrdered(d *deed.Deed, s *utterance.Sentence, english bool) bool {
	if !english {
		return d.IsDoneIn(s)
	}
	if d.Foreign || d.Verb == "" || d.Kinds&s.Bars&^utterance.Other != 0 {
		return false
	}
	return d.BeginsClause(s) || d.IsDone(s) || slices.Contains(s.Words, d.Verb) && d.NamesObject(s)
}

// instructions returns the sentences of the instructions before text number n, each with the number of its text.
func (r *Reader) instructions(n int) iter.Seq2[int, *utterance.Sentence] {
	return func(yield func(int, *utterance.Sentence) bool) {
		for _, i := range r.policies {
			read := r.readingOf(i)
			for k := range read.Sentences {
				if i >= n || !yield(i, &read.Sentences[k]) {
					return
				}
			}
		}
	}
}

// isInstructed reports whether a sentence of the instructions begins with a deed that a call does, as
// in "Hide posts with slurs". It may be meant for the task that the user speaks of.
func (r *Reader) isInstructed(d *deed.Deed, n int) bool {
	for _, s := range r.instructions(n) {
		if s.Bars != 0 || s.Has&utterance.Wishes != 0 || slices.Contains(s.Words, "can") || !d.SameOrWider(s.Asks, s.Verbs) || len(s.Words) == 0 || utterance.KindOf(s.Words[0])&utterance.Deeds == 0 {
			continue
		}
		if d.SharesWord(s.Words) {
			return true
		}
	}
	return false
}

// findBar returns the instruction that forbids a deed on any condition.
func (r *Reader) findBar(d *deed.Deed, n int) (Trace, bool) {
	for i, s := range r.instructions(n) {
		if d.Kinds&s.Bars&^utterance.Other == 0 && !slices.ContainsFunc(s.Barred, func(w string) bool { return slices.Contains(d.Words, w) }) || utterance.AnyListed("condition", s.Words) && !(s.Asks != 0 && utterance.AnyListed("never", s.Words)) { // "When you are done, commit it, but never push it"
			continue
		}
		if d.SharesWord(s.Words) {
			return Trace{By: ByNobody, Text: i, Words: s.Text, Why: "the instructions forbid this", Against: true}, true
		}
	}
	return Trace{}, false
}

// isLeftToData reports whether an instruction says that requests in what is read are to be carried out.
func (r *Reader) isLeftToData(before int) bool {
	for _, s := range r.instructions(before) {
		if s.Bars == 0 && s.Has&utterance.Delegates != 0 && utterance.AnyListed("requested", s.Words) && !utterance.AnyListed("userWord", s.Words) {
			return true
		}
	}
	return false
}

// isAbsolute reports whether a sentence forbids a deed on any condition, in so many words.
func isAbsolute(s *utterance.Sentence) bool {
	return utterance.AnyListed("never", s.Words) && !utterance.AnyListed("condition", s.Words) && !utterance.AnyListed("if", s.Words) && utterance.ExceptIn(s.Words) == nil
}

// findDescribed returns the instruction that describes a deed, if the user only wished for
// help: how to help is then what the developer says.
func (r *Reader) findDescribed(o *open, d *deed.Deed, c *Action) (Trace, bool) {
	if !slices.ContainsFunc(o.requests, func(q request) bool { return !q.agreed && q.sentence.IsVague() }) {
		return Trace{}, false
	}
	for i, s := range r.instructions(c.Before) {
		if s.Bars != 0 || !d.SameOrWider(s.Named, s.Verbs) {
			continue
		}
		if d.SharesWord(s.Words) {
			return Trace{By: ByDeveloper, Text: i, Words: s.Text, Why: "the user wished for help, and the instructions describe this"}, true
		}
	}
	return Trace{}, false
}

// isSpokenOf reports whether an instruction has a word of the name of a deed.
func (r *Reader) isSpokenOf(d *deed.Deed, before int) bool {
	for _, s := range r.instructions(before) {
		if s.Has&utterance.Wishes == 0 && s.Bars == 0 && (d.IsNamedIn(s.Words, nil) || slices.Contains(s.Words, d.Tool) || d.SharesValue(s)) {
			return true
		}
	}
	return false
}
