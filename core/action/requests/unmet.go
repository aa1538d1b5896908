package requests

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/heard"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

const (
	// mostConditions is the number of bytes of results in which conditions are looked for in one run, give or take those
	// before one action. Beyond it, no condition is known to be met, and no such request is traced.
	mostConditions = 1 << 22
	// leastResult is what the shortest result counts.
	leastResult = 256

	tooMany = "the user asked for this on a condition, and there are too many results to look for it"
)

func (r *Reader) tooManyConditions() bool { return r.conditions > mostConditions }

// findUnmet returns a trace in place of one to a request, if the request has a condition and the
// newest result that says anything about it says no.
func (r *Reader) findUnmet(_ *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	s := r.sentenceOf(t)
	if s == nil || t.By != ByUser {
		return Trace{}, false
	}
	if clause := utterance.ExceptIn(s.Words); clause != nil {
		return r.findExcepted(t, clause, d, c)
	}
	at := slices.IndexFunc(s.Words, func(w string) bool { return utterance.Listed("if", w) })
	end := slices.IndexFunc(s.Words, func(w string) bool { return utterance.Listed("else", w) })
	if end < 0 {
		end = len(s.Words)
	}
	if at < 0 || end < at || end < len(s.Words) && !d.HasVerb(&utterance.Sentence{Words: s.Words[at:end]}) && d.Kinds&utterance.KindsIn(s.Words[at:end])&^utterance.Other == 0 {
		return Trace{}, false
	}
	if r.isElsewhere(s.Words[:at], d) {
		return Trace{}, false
	}
	clause := s.Words[at:end]
	if len(clause) > 1 && utterance.Listed("bare", clause[1]) { // "Check whether it is paid; if not, …"
		clause = slices.Concat(r.wordsBefore(t), clause[1:2])
	}
	told := false
	if r.tooManyConditions() {
		return Trace{Text: t.Text, Words: t.Words, Why: tooMany}, true
	}
	for i := min(c.Before, len(r.Texts)) - 1; i > t.Text; i-- {
		if x := &r.Texts[i]; x.From == provenance.FromTool && len(x.Text) <= heard.MostData {
			r.conditions += len(x.Text) + leastResult
			if met, known := utterance.IsMet(clause, x.Text); known && !met {
				return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this on a condition that the result does not meet"}, true
			} else if known {
				return Trace{}, false
			}
			told = true
		}
	}
	if told && r.means == NoMeans && utterance.AsksState(clause) {
		return Trace{Text: t.Text, Words: t.Words, Why: "the user asked for this on a condition of which no result says whether it is met"}, true
	}
	return Trace{}, false
}

// isElsewhere reports whether the words before a condition ask for a deed in another clause than the last one, and the last one asks for
// something else: "Fix it, and push when the tests are green" sets no condition for the fix.
func (r *Reader) isElsewhere(words []string, d *deed.Deed) bool {
	from := 1 + lastIndex(words, ",")
	own := func(clause []string) bool {
		return d.HasVerb(&utterance.Sentence{Words: clause}) || d.Kinds&utterance.KindsIn(clause)&^utterance.Other != 0
	}
	last := words[from:]
	return from > 1 && len(last) > 0 && !own(last) && (utterance.KindsIn(last)&utterance.Deeds != 0) && (r.means == FileMeans || own(words[:from]))
}

func lastIndex(words []string, w string) int {
	for i := len(words) - 1; i >= 0; i-- {
		if words[i] == w {
			return i
		}
	}
	return -1
}

// findExcepted returns a trace in place of one to a request that says when the deed is not to be done, if
// the newest result that says anything about it says that it is so. What it asks for is a known state or
// limit, or else what its own words say.
func (r *Reader) findExcepted(t *Trace, clause []string, d *deed.Deed, c *Action) (Trace, bool) {
	var own []string
	for _, w := range clause {
		if len(w) > 3 && !utterance.IsFunctionWord(w) && !utterance.Listed("denial", w) && !slices.Contains(d.Words, utterance.Singular(w)) && !slices.Contains(d.Values, w) {
			own = append(own, w)
		}
	}
	if r.tooManyConditions() {
		return Trace{Text: t.Text, Words: t.Words, Why: tooMany}, true
	}
	denied := utterance.AnyListed("denial", clause)
	for i := min(c.Before, len(r.Texts)) - 1; i > t.Text; i-- {
		x := &r.Texts[i]
		if x.From != provenance.FromTool || len(x.Text) > heard.MostData {
			continue
		}
		r.conditions += len(x.Text) + leastResult
		is, known := utterance.IsMet(clause, x.Text)
		if !known {
			is, known = utterance.HoldsIn(own, x.Text)
			is = is != denied
		}
		if known && is {
			return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this unless something is so, and a result says that it is"}, true
		}
		if known {
			return Trace{}, false
		}
	}
	return Trace{}, false
}

// wordsBefore returns the words of the sentence before that of a trace.
func (r *Reader) wordsBefore(t *Trace) []string {
	read := r.ReadingOf(t.Text)
	for k := range read.Sentences {
		if k > 0 && read.Sentences[k].Text == t.Words {
			return read.Sentences[k-1].Words
		}
	}
	return nil
}
