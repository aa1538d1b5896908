package requests

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// What is not understood is not denied: words of a request that ask for something, but not in words that
// are known, leave open who asked for a deed.

// findPointed returns the request for a deed in a text of the user that says to do "that" after a sentence
// that names the deed or one of its values.
func (r *Reader) findPointed(o *open, d *deed) (Trace, bool) {
	for i := len(o.requests) - 1; i > 0; i-- {
		q := &o.requests[i]
		if q.agreed || !q.sentence.IsVague() && q.sentence.Has&utterance.Agrees == 0 || q.sentence.Asks != 0 || utterance.PlainWords(q.sentence.Words) > 4 {
			continue
		}
		for k := i - 1; k >= 0 && o.requests[k].text == q.text; k-- {
			s := o.requests[k].sentence
			if !s.Question && (d.isIn(s) || d.sameOrWider(s.Named, nil) || d.isNamedIn(s.Words, nil)) {
				return Trace{By: ByUser, Text: q.text, Words: s.Text, Why: "the user said to do this"}, true
			}
		}
	}
	return Trace{}, false
}

// findWidened returns a trace in place of one to a request, if the deed lets everybody see something, and no
// person said so.
func (r *Reader) findWidened(o *open, t *Trace, d *deed, c *Action) (Trace, bool) {
	if t.Text < 0 {
		return Trace{}, false
	}
	at := slices.IndexFunc(d.values, func(v string) bool { return utterance.Listed("public", v) })
	if at < 0 || r.isSaid(o, -1, c.Before, func(text string) bool {
		return slices.ContainsFunc(utterance.Tokens(text), func(w string) bool { return utterance.Listed("everybody", w) || utterance.Listed("publish", w) })
	}) {
		return Trace{}, false
	}
	out := Trace{Text: t.Text, Words: t.Words, Why: "nobody said that it is to be " + d.values[at]}
	if utterance.AnyListed("audience", utterance.Tokens(t.Words)) {
		out.By = ByNobody
	}
	return out, true
}

// findLeak returns a trace in place of one to a request, if the text that the deed sends has a secret that a
// result called one, and no person spoke of it.
func (r *Reader) findLeak(o *open, t *Trace, d *deed, c *Action) (Trace, bool) {
	if d.kinds&(utterance.Send|utterance.Make|utterance.Change) == 0 || t.delegated || r.means != NoMeans {
		return Trace{}, false
	}
	for i := range c.Call.Leaves {
		for _, w := range utterance.Fields(foldValue(&c.Call.Leaves[i])) {
			if w = strings.Trim(w, "."); len(w) < 4 || len(w) > 80 || !strings.ContainsFunc(w, unicode.IsDigit) || utterance.IsDate(w) || r.isMade(w) {
				continue
			}
			if key := r.secretKey(w, c.Before); key != "" && !r.isSaid(o, -1, c.Before, func(text string) bool {
				return utterance.HoldsWord(text, w) || strings.Contains(text, key) || slices.ContainsFunc(utterance.Tokens(text), func(w string) bool { return utterance.Listed("secretWord", w) || utterance.Listed("codeWord", w) })
			}) {
				return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "nobody said to use the " + key + " that was read"}, true
			}
		}
	}
	return Trace{}, false
}

// secretKey returns the name under which a result has a value, if that is the name of a secret, or "".
func (r *Reader) secretKey(value string, before int) string {
	for i := range r.resultsBefore(before) {
		if !strings.Contains(r.folded(i), value) {
			continue
		}
		v, _ := jsonval.Parse(strings.TrimSpace(r.texts[i].Text))
		for _, l := range v.Leaves() {
			if utterance.Fold(l.Value.Text()) == value && isSecretKey(l.Key) {
				return strings.ReplaceAll(utterance.Fold(l.Key), "_", " ")
			}
		}
	}
	return ""
}

// namesAside reports whether a clause of a request that looks at nothing names a deed of this kind, as in
// "Check who has not paid, a short mail each".
func (r *Reader) namesAside(o *open, d *deed) bool {
	return slices.ContainsFunc(o.requests, func(q request) bool {
		s := q.sentence
		if q.agreed || s.Question || !slices.Contains(s.Words, ",") {
			return false
		}
		for from, first := 0, true; from < len(s.Words); first = false {
			to := from
			for to < len(s.Words) && s.Words[to] != "," {
				to++
			}
			var k utterance.Kinds
			utterance.EachKind(r.language(), s.Words[from:to], func(_ string, has utterance.Kinds) { k |= has })
			if !first && to-from > 2 && k&utterance.Look == 0 && k&d.kinds&^utterance.Other != 0 {
				return true
			}
			from = to + 1
		}
		return false
	})
}

// isSecretKey reports whether the name of a member is that of a secret: a password, or the code of a door.
func isSecretKey(key string) bool {
	words := mutation.NameWords(key)
	code := slices.ContainsFunc(words, func(w string) bool { return utterance.Listed("codeWord", utterance.FoldName(w)) })
	return slices.ContainsFunc(words, func(w string) bool {
		return utterance.Listed("secretWord", utterance.FoldName(w)) || code && utterance.Listed("secretCode", utterance.FoldName(w))
	})
}
