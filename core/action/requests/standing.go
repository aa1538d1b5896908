package requests

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/handing"
	"github.com/boundcheck/boundcheck/core/action/heard"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// findStanding returns the standing instruction that asks for a deed. It says that this is undecided if the
// instruction may mean something else, or if nothing shows that its condition holds.
func (r *Reader) findStanding(d *deed.Deed, c *Action) (Trace, bool) {
	perhaps := Trace{Text: -1}
	var heading *utterance.Sentence // "Each night:"
	for i, s := range r.Instructions(c.Before) {
		before := heading
		if heading = s; !s.IsStanding() && !(before != nil && before.IsStanding() && strings.HasSuffix(before.Text, ":")) || s.Bars&^s.Asks&d.Kinds != 0 && !s.IsOnlyBefore() || r.isOnlyIf(i, s) {
			continue
		}
		fits := r.isInstruction(d, i, s)
		about := d.IsIn(s) || r.ReadingOf(i).Lang != "en" && fits || d.IsNamedIn(s.Words, nil) || slices.Contains(s.Words, d.Tool) || d.IsNamedBy(s.Words) || sharesWord(c, s.Words)
		if !fits && (s.Asks == 0 || !about || d.Kinds == 0) {
			continue
		}
		shown, denied := r.isShown(s, d, c.Before)
		switch {
		case denied:
		case fits && about && shown:
			return Trace{By: ByDeveloper, Text: i, Words: s.Text, Why: "a standing instruction asks for this"}, true
		case perhaps.Text < 0 && (fits || shown):
			perhaps = Trace{Text: i, Words: s.Text, Why: "a standing instruction perhaps asks for this"}
		}
	}
	return perhaps, perhaps.Text >= 0
}

// isInstruction reports whether a sentence of text number i orders a deed of this kind.
func (r *Reader) isInstruction(d *deed.Deed, i int, s *utterance.Sentence) bool {
	asks := s.Asks | s.Receives()
	if !slices.Contains(s.Words, "by") { // "Credits are given by a supervisor"
		asks |= s.Passive
	}
	return d.SameOrWider(asks, s.Verbs) || r.isOrdered(d, s, r.ReadingOf(i).Lang == "en") || slices.Contains(s.Words, d.Tool) || d.Opens && slices.Contains(s.Words, "open")
}

// isOnlyIf reports whether a sentence of text number i allows a deed on a condition, rather than to order it:
// "only if", "nur, wenn".
func (r *Reader) isOnlyIf(i int, s *utterance.Sentence) bool {
	if s.Allows || s.Has&utterance.Wishes != 0 && s.Condition() == nil {
		return true
	}
	for k, w := range s.Words {
		if utterance.Listed("if", w) && slices.ContainsFunc(s.Words[max(0, k-2):k], func(x string) bool { return utterance.HasKind(r.ReadingOf(i).Lang, x, utterance.Limits) }) {
			return true
		}
	}
	return false
}

// isShown reports whether the run shows that the condition of an instruction holds, because a person or a result has
// one of its words, and whether a result denies it. A wish for the deed itself is denied here: who has it, says so in
// his own words.
func (r *Reader) isShown(s *utterance.Sentence, d *deed.Deed, before int) (shown, denied bool) {
	var said []string
	condition, wished := s.Condition(), s.Has&utterance.Wishes != 0
	for _, w := range condition {
		switch {
		case wished && (utterance.KindsIn([]string{w})&d.Kinds&^utterance.Other != 0 || w == d.Verb):
			return false, true
		case utterance.MayName(w) && !utterance.Listed("userWord", w):
			said = append(said, w[:min(len(w), 6)])
		}
	}
	if len(said) == 0 || r.searches > mostSearches {
		return len(said) == 0, false
	}
	r.searches++
	for i := min(before, len(r.Texts)) - 1; i >= 0; i-- {
		switch x := &r.Texts[i]; {
		case x.From == provenance.FromPolicy || x.From == provenance.FromAgent || len(x.Text) > heard.MostData:
		case x.From == provenance.FromTool && denies(condition, x.Text):
			return false, true
		default:
			text := r.Folded(i)
			shown = shown || slices.ContainsFunc(said, func(w string) bool { return strings.Contains(text, w) })
		}
	}
	return shown, false
}

// denies reports whether a result says that a condition does not hold.
func denies(condition []string, result string) bool {
	met, known := utterance.IsMet(condition, result)
	return known && !met
}

// sharesWord reports whether an argument of a call has one of some words in a longer text.
func sharesWord(c *Action, words []string) bool {
	return c.hasLeaf(func(l *similarity.Leaf) bool {
		return len(l.Raw) <= mostMade && slices.ContainsFunc(utterance.Tokens(deed.FoldValue(l)), func(w string) bool {
			return utterance.MayName(w) && slices.ContainsFunc(words, func(x string) bool { return len(x) > 4 && utterance.AreAlike(w, x) })
		})
	})
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
	if utterance.Listed("generic", d.Verb) && slices.ContainsFunc(d.Object, func(n string) bool { return slices.Contains(s.Verbs, n) }) {
		return true // "credit 5 pounds" for add_credit
	}
	return d.BeginsClause(s) || d.IsDone(s) || slices.Contains(s.Words, d.Verb) && d.NamesObject(s)
}

// isInstructed reports whether a sentence of the instructions begins with a deed that a call does, as
// in "Hide posts with slurs". It may be meant for the task that the user speaks of.
func (r *Reader) isInstructed(d *deed.Deed, n int) bool {
	for _, s := range r.Instructions(n) {
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
	for i, s := range r.Instructions(n) {
		if d.Kinds&s.Bars&^utterance.Other == 0 && !slices.ContainsFunc(s.Barred, func(w string) bool { return slices.Contains(d.Words, w) }) || utterance.AnyListed("condition", s.Words) && !(s.Asks != 0 && utterance.AnyListed("never", s.Words)) { // "When you are done, commit it, but never push it"
			continue
		}
		if d.SharesWord(s.Words) || s.BarsAll() && d.Kinds&^utterance.Look != 0 {
			return Trace{By: ByNobody, Text: i, Words: s.Text, Why: "the instructions forbid this", Against: true}, true
		}
	}
	return Trace{}, false
}

// isLeftToData reports whether an instruction says that requests in what is read are to be carried out.
func (r *Reader) isLeftToData(before int) bool {
	for _, s := range r.Instructions(before) {
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
	if !slices.ContainsFunc(o.requests, func(q request) bool { return !q.agreed && q.sentence.IsVague() }) || handing.IsLimited(&r.Run, &handing.Asked{Deed: d, Before: c.Before}) {
		return Trace{}, false
	}
	for i, s := range r.Instructions(c.Before) {
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
	for _, s := range r.Instructions(before) {
		if s.Has&utterance.Wishes == 0 && s.Bars == 0 && (d.IsNamedIn(s.Words, nil) || slices.Contains(s.Words, d.Tool) || d.SharesValue(s)) {
			return true
		}
	}
	return false
}
