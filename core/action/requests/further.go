package requests

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// A request covers its own deed and what that deed needs, and what a deed needs comes before it. Once
// a request is carried out, a deed of another kind, or on something that nobody named, needs words of
// its own.

// serving is how a request was carried out so far.
type serving struct {
	tool  string          // the tool that did so first
	tools []string        // the tools of such deeds
	exact bool            // a deed of the same kind was done, and not only of one that may be a means
	kinds utterance.Kinds // the kinds of the deeds that it asks for and that were done
	named bool            // the request names the object of such a deed, or one of its values
	deeds [][]string      // the words of such deeds (see doneWords)
	// closed has the value with which such a deed was done, if the request names it, by tool and argument.
	closed map[string]string
}

// doneWords returns the words of the deeds that carried out a request.
func (v *serving) doneWords() []string { return slices.Concat(v.deeds...) }

// serveAll notes that a deed carries out the requests for it. It ends early where there is too much to compare.
func (o *open) serveAll(d *deed.Deed, c *Action) {
	words := slices.Concat(d.Words, d.Values, d.Keys)
	for i := range o.requests {
		q := &o.requests[i]
		if o.countCompared(q.sentence, d, 1) {
			return
		}
		if q.asksFor(d) != "" {
			o.countCompared(q.sentence, d, 4)
			o.serve(q.sentence, d, c, words)
		}
	}
}

// serve notes that a deed with some words carries out a request.
func (o *open) serve(s *utterance.Sentence, d *deed.Deed, c *Action, words []string) {
	v, known := o.served[s]
	if !known {
		v = serving{tool: d.Tool, closed: map[string]string{}}
	}
	named := d.IsIn(s) || d.IsNamedIn(s.Words, nil) || slices.ContainsFunc(s.Words, func(x string) bool {
		return len(x) > 3 && slices.ContainsFunc(d.Words, func(w string) bool { return utterance.AreAlike(w, x) }) && !utterance.IsFunctionWord(x)
	})
	if exact := d.IsExactly(s); exact || named && bits.OnesCount64(uint64(s.Asks)) == 1 {
		if v.kinds == 0 {
			v.tool = d.Tool
		}
		v.kinds, v.named, v.exact = v.kinds|d.Kinds&utterance.Deeds|utterance.Other, v.named || named, v.exact || exact
		if !exact {
			v.kinds |= s.Asks
		}
		for _, w := range s.Verbs {
			if slices.Contains(d.Name, w) { // log the call: log_call
				v.kinds |= utterance.KindOf(w) & utterance.Deeds
			}
		}
		v.deeds = append(v.deeds, words)
		if !slices.Contains(v.tools, d.Tool) {
			v.tools = append(v.tools, d.Tool)
		}
	}
	v.closeWith(s, c)
	o.served[s] = v
}

// findFurther returns a trace in place of one to a request, or of none, if everything that the user
// asked for is carried out, and he did not ask for this deed: it is of another kind than all that he
// asked for, or the request named another thing, and nobody names that of the deed.
func (r *Reader) findFurther(o *open, d *deed.Deed, c *Action) (Trace, bool) {
	if r.means != NoMeans || o.from != provenance.FromUser || d.Kinds == 0 && c.Sure {
		return Trace{}, false
	}
	if _, s := r.findUnclear(o, d); s != nil || d.Kinds&(utterance.Remove|utterance.Cancel) != 0 && slices.ContainsFunc(d.Values, r.isMade) { // it may undo its own mistake
		return Trace{}, false
	}
	standing, perhaps := r.findStanding(d, c)
	if standing.By == ByDeveloper {
		return standing, true
	}
	last, named, asked, done := -1, true, utterance.Kinds(0), []string(nil)
	for i := range o.requests {
		q := &o.requests[i]
		s := q.sentence
		v, served := o.served[s]
		switch {
		case d.IsNamedIn(s.Words, v.doneWords()) && (!q.agreed || s.Named != 0) && !hasOnlyVerb(d, s, &v):
			return Trace{}, false
		case d.IsNounOf(s.AskedBy):
			return Trace{}, false
		case s.IsCourtesy() && s.Asks == 0 && !q.agreed:
		case s.Foreign && len(s.Words) > 0, s.Has&utterance.Delegates != 0, s.IsVague() && !q.agreed:
			return Trace{}, false
		case q.agreed && d.SharesValue(s):
			return Trace{}, false
		case q.agreed && s.Named == 0, s.Question, s.ReadsOnly():
		case v.kinds == 0 && s.Asks == 0 && !q.agreed:
			if last >= 0 { // it may correct what was done
				return Trace{}, false
			}
		case !served || v.kinds == 0 || s.Asks&^v.kinds&^utterance.Look != 0 && !q.agreed:
			return Trace{}, false
		case v.tool == d.Tool, !v.exact && (d.IsExactly(s) || q.asksFor(d) != "" && d.IsIn(s)):
			return Trace{}, false
		default:
			last, named, asked, done = i, named && v.named, asked|s.Asks|v.kinds, append(done, v.doneWords()...)
		}
	}
	if last < 0 || d.Kinds&asked&^utterance.Other != 0 && (!named || o.namesValue(d, done)) {
		return Trace{}, false
	}
	if t, ok := r.findPassage(d, c, false); ok {
		return t, true
	}
	if d.Kinds&(lasting|utterance.Make|utterance.Move) == 0 && slices.ContainsFunc(d.Values, r.isMade) { // it may complete what was begun, as the confirmation of what was reserved
		perhaps = true
	}
	t := Trace{Text: o.requests[last].text, Words: o.requests[last].sentence.Text, Why: "what the user asked for had been done, and he did not ask for this"}
	if (d.Kinds&^utterance.Other != 0 || c.Sure && len(d.Object) > 0) && o.requests[last].sentence.Has&utterance.Corrects == 0 && !o.leavesVerb() && !o.leavesRest(done) && !o.namesValue(d, done) && !o.namesKey(d, done) {
		if standing.Why != "" && perhaps {
			return standing, true
		}
		if !perhaps {
			t.By = ByNobody
		}
	}
	return t, true
}

// findBesidesPlan returns a trace in place of one to a request, if the user agreed to what the agent would do, a part of
// that was done, and neither these words nor those of a person name what the deed is done to.
func (r *Reader) findBesidesPlan(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if r.means != NoMeans || t.delegated || d.Foreign || len(d.Object) == 0 || d.Kinds&^utterance.Pay == 0 {
		return Trace{}, false
	}
	plan := -1
	for i := range o.requests {
		if q := &o.requests[i]; q.agreed && q.text >= t.Text && o.served[q.sentence].named && r.Texts[q.text].From == provenance.FromAgent {
			plan = q.text
		}
	}
	if plan < 0 || r.ReadingOf(plan).Lang != "en" {
		return Trace{}, false
	}
	names := func(text string) bool {
		return slices.ContainsFunc(utterance.Tokens(text), func(w string) bool {
			return len(w) > 2 && slices.ContainsFunc(append(d.Object, d.Tool), func(n string) bool { return utterance.AreAlike(n, w) })
		})
	}
	if parts := strings.FieldsFunc(strings.Join(d.Values, " "), func(r rune) bool { return strings.ContainsRune(" /:", r) }); slices.ContainsFunc(parts, func(part string) bool {
		return len(part) > 1 && !utterance.IsFunctionWord(part) && utterance.HoldsWord(r.Folded(plan), part)
	}) || names(r.Folded(plan)) || r.isSaid(o, -1, c.Before, names) {
		return Trace{}, false
	}
	out := Trace{Text: plan, Words: t.Words, Why: "the user agreed to a plan, and this is no step of it"}
	if !t.Agreed {
		out.Text = t.Text
	}
	if d.Kinds&(utterance.Remove|utterance.Cancel|utterance.Buy|utterance.Block|utterance.Grant) != 0 {
		out.By = ByNobody
	}
	return out, true
}

// hasOnlyVerb reports whether a request, which names its object and was carried out by another tool, has only the
// verb of a deed, as "Update my address" has of update_password.
func hasOnlyVerb(d *deed.Deed, s *utterance.Sentence, v *serving) bool {
	if !v.exact || !v.named || v.tool == d.Tool || len(d.Object) == 0 || d.Verb == "" || d.Foreign {
		return false
	}
	rest := deed.Deed{Name: slices.DeleteFunc(slices.Clone(d.Name), func(w string) bool { return utterance.FoldName(w) == d.Verb })}
	return !rest.IsNamedIn(s.Words, nil) && !d.SharesValue(s)
}

// namesValue reports whether a request has a value of a deed that is not in the words of what was done.
func (o *open) namesValue(d *deed.Deed, done []string) bool {
	rest := deed.Deed{Values: slices.DeleteFunc(slices.Clone(d.Values), func(v string) bool { return slices.Contains(done, v) })}
	return slices.ContainsFunc(o.requests, func(q request) bool { return rest.SharesValue(q.sentence) })
}

// leavesVerb reports whether a request asks with more verbs than tools were called for it.
func (o *open) leavesVerb() bool {
	return slices.ContainsFunc(o.requests, func(q request) bool {
		v, served := o.served[q.sentence]
		return served && !q.agreed && len(q.sentence.AskedBy) > max(len(v.tools), 1)
	})
}

// namesKey reports whether a request has the name of an argument of a deed that what was done did not have, as
// in "put it in the folder".
func (o *open) namesKey(d *deed.Deed, done []string) bool {
	return slices.ContainsFunc(d.Keys, func(k string) bool {
		return len(k) > 3 && !utterance.Listed("anyKey", k) && !slices.Contains(done, k) && slices.ContainsFunc(o.requests, func(q request) bool {
			return !q.sentence.Question && slices.Contains(q.sentence.Words, k)
		})
	})
}

// saysMore reports whether the text with which the user took a request back goes on to say what he wants
// instead, in words that are not understood, and the deed is none of those that he took back.
func (r *Reader) saysMore(o *open, d *deed.Deed) bool {
	if slices.ContainsFunc(o.shelved, func(q request) bool { return o.served[q.sentence].kinds == 0 && d.IsExactly(q.sentence) }) {
		return false
	}
	sentences := r.ReadingOf(o.closedAt).Sentences
	if at := slices.IndexFunc(sentences, func(s utterance.Sentence) bool { return s.Text == o.closed && s.TakesItBack() }); at > 0 {
		sentences = sentences[at:] // what stands before it is taken back
	}
	return slices.ContainsFunc(sentences, func(s utterance.Sentence) bool {
		if s.Text == o.closed || s.Has&(utterance.Withdraws|utterance.Refuses) != 0 || s.Question || s.IsCourtesy() {
			return false
		}
		return s.Asks != 0 || s.Rest || s.Foreign || s.IsVague() || s.Has&utterance.Polite != 0 || d.IsIn(&s) || d.IsNamedIn(s.Words, nil)
	})
}

// onlyStates reports whether the user only said how he is or what is so, and a deed that is hard to undo
// has nothing to do with his words.
func (r *Reader) onlyStates(o *open, d *deed.Deed) bool {
	if r.means != NoMeans || o.from != provenance.FromUser || d.Kinds&(utterance.Remove|utterance.Cancel|utterance.Pay|utterance.Buy|utterance.Send|utterance.Block|utterance.Grant) == 0 || o.closedAt >= 0 {
		return false
	}
	states := false
	for i := range o.requests {
		s := o.requests[i].sentence
		switch {
		case s.IsCourtesy() && s.Asks == 0 && !o.requests[i].agreed:
		case o.requests[i].agreed, s.Foreign, s.Rest, s.Asks != 0, s.Has&(utterance.Delegates|utterance.Agrees|utterance.Refuses|utterance.Polite) != 0, s.IsVague(), d.SharesValue(s):
			return false
		case s.Question, s.ReadsOnly():
		case utterance.AnyListed("stating", s.Words) && len(s.Words) > 3:
			states = true
		default:
			return false
		}
	}
	return states
}

// findDictation returns the message of the user that has the text which a deed writes or sends.
func (r *Reader) findDictation(o *open, d *deed.Deed) (Trace, bool) {
	if d.Kinds&(utterance.Send|utterance.Make) == 0 {
		return Trace{}, false
	}
	for i := len(o.requests) - 1; i >= 0; i-- {
		q := &o.requests[i]
		for _, v := range d.Values {
			if !q.agreed && q.sentence.Asks != 0 && strings.Count(v, " ") > 1 && utterance.HoldsWord(r.Folded(q.text), strings.TrimRight(v, ".!")) {
				return Trace{By: ByUser, Text: q.text, Words: q.sentence.Text, Why: "the user gave the text"}, true
			}
		}
	}
	return Trace{}, false
}
