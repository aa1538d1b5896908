package requests

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/heard"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// An id says little to a person. The list or the search that returned it says to what it belongs:
// {"id": "l2", "name": "nursery"}. A request that names another row of the same result, and not
// this one, does not ask for the deed on this one.

// findOtherRow returns a trace in place of one to a request, if the deed is done to a row of a result
// of which the request names another row only.
func (r *Reader) findOtherRow(o *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	for i := len(o.requests) - 1; i >= 0 && !t.Agreed && o.requests[i].text >= t.Text-1; i-- {
		if q := &o.requests[i]; q.agreed && q.sentence.Question && q.choice == nil && q.but == "" { // "To Alice?" "Yes."
			t = &Trace{By: ByUser, Text: q.text, Words: q.sentence.Text, Agreed: true}
		}
	}
	targets := slices.Concat(d.Targets, d.Numbered)
	if t.Agreed {
		targets = slices.Concat(d.Chosen, d.Numbered)
	}
	if t.By != ByUser || t.Text < 0 || len(targets) == 0 || utterance.IsAboutMore(utterance.Fold(t.Words)) || !t.Agreed && r.isWidened(t, c) {
		return Trace{}, false
	}
	if t.Agreed && r.isInPlan(t.Text, d) {
		return Trace{}, false
	}
	var scopes []string
	whole := ""
	for i, v := range targets {
		targets[i] = utterance.Fold(v)
	}
	for i, held := range r.ResultsWith(targets, c.Before) {
		for _, v := range held {
			if scopes == nil {
				scopes, whole = r.scopesOf(t), utterance.FoldTimes(r.Folded(t.Text))
			}
			if utterance.HoldsName(scopes[0], v) {
				continue
			}
			rows := r.RowsOf(i)
			for k := range rows {
				if !rows[k].IsOneOf([]string{v}) || heard.IsShared(rows, v) {
					continue
				}
				if r.isOtherPlace(scopes[0], k, len(rows)) && rows[k].IsUnnamed(scopes[0]) {
					return Trace{Text: t.Text, Words: t.Words, Why: "the user spoke of another place in the list"}, true
				}
				if other := r.otherRow(o, rows, k, d, scopes, whole, t.Agreed, t.Text, c.Before); other != "" {
					return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user named " + other + ", and not " + showValues(rows[k].Values...)}, true
				}
			}
		}
	}
	return Trace{}, false
}

// isInPlan reports whether one sentence of a text of the agent asks for a deed and names what it is done to: one step of several.
func (r *Reader) isInPlan(text int, d *deed.Deed) bool {
	return slices.ContainsFunc(r.ReadingOf(text).Sentences, func(s utterance.Sentence) bool {
		return d.SameOrWider(s.Named, s.Words) && slices.ContainsFunc(d.Chosen, func(v string) bool { return len(v) > 1 && utterance.HoldsWord(s.Folded, utterance.Fold(v)) })
	})
}

// isRowOf reports whether one of some words names the row of a result that a deed is done to, and not all of its rows.
func (r *Reader) isRowOf(words []string, d *deed.Deed, before int) bool {
	targets := slices.Concat(d.Chosen, d.Numbered)
	if len(targets) == 0 || slices.ContainsFunc(d.Values, func(v string) bool { return slices.Contains(words, v) }) {
		return false
	}
	has := func(x *heard.Row) bool {
		return slices.ContainsFunc(words, func(w string) bool {
			return len(w) > 3 && (slices.Contains(x.Values, w) || slices.ContainsFunc(x.Words, func(list []string) bool {
				return slices.ContainsFunc(list, func(v string) bool { return len(v) > 3 && (v == w || strings.HasPrefix(w, v)) })
			}))
		})
	}
	for i := range r.ResultsBefore(before) {
		rows := r.RowsOf(i)
		others := slices.ContainsFunc(rows, func(x heard.Row) bool { return !has(&x) })
		if others && slices.ContainsFunc(rows, func(x heard.Row) bool { return x.IsOneOf(targets) && has(&x) }) {
			return true
		}
	}
	return false
}

// scopesOf returns the folded words in which the object of a request may be named, the narrowest first:
// its sentence, and what its text says before. Of a text of the agent, the sentence is the last one that
// asks.
func (r *Reader) scopesOf(t *Trace) []string {
	sentences := r.ReadingOf(t.Text).Sentences
	at := len(sentences) - 1
	for i := range sentences {
		if sentences[i].Text == t.Words {
			at = i
		}
	}
	if t.Agreed {
		for i := range sentences {
			if strings.HasSuffix(sentences[i].Text, "?") {
				at = i
			}
		}
	}
	if at < 0 {
		return []string{utterance.FoldTimes(utterance.Fold(t.Words))}
	}
	scopes := []string{utterance.FoldTimes(sentences[at].Folded)}
	for _, w := range slices.Concat(sentences[at].Without, sentences[at].Kept) { // what is not meant names nothing
		scopes[0] = strings.ReplaceAll(" "+scopes[0]+" ", " "+w+" ", " ")
	}
	for from := at - 1; from >= 0 && from >= at-2; from-- {
		scopes = append(scopes, utterance.FoldTimes(utterance.Fold(sentences[from].Text))+" "+scopes[len(scopes)-1])
	}
	return scopes
}

// otherRow returns the row other than rows[k] that a request names, if nobody named rows[k], and the
// deed has nothing to do with the other one. Consent is to the row that the question names, whatever was
// said before.
func (r *Reader) otherRow(o *open, rows []heard.Row, k int, d *deed.Deed, scopes []string, whole string, agreed bool, after, before int) string {
	own := &rows[k]
	isSaid := func(is func(text string) bool) bool {
		if agreed {
			return r.IsSaidAfter(after, before, is)
		}
		return r.isSaid(o, -1, before, is)
	}
	if slices.ContainsFunc(own.Values, func(v string) bool {
		return len(v) > 1 && isSaid(func(text string) bool { return utterance.HoldsName(utterance.FoldTimes(text), v) })
	}) {
		return ""
	}
	for n, scope := range scopes {
		if utterance.IsAboutMore(scope) || n > 0 && own.IsNamedIn(whole) || utterance.AnyListed("relation", utterance.Tokens(scope)) {
			return ""
		}
		for i := range rows {
			if x := &rows[i]; i == k || !x.IsNamedBesides(own, scope, agreed) || x.IsOneOf(d.Targets) && !d.Listed || x.IsOneOf(d.Numbered) {
				continue
			}
			if own.IsHinted(&rows[i], func(stem string) bool {
				return isSaid(func(text string) bool { return heard.HoldsStem(heard.DropAddresses(text), stem, &rows[i]) }) || agreed && heard.HoldsStem(heard.DropAddresses(scopes[0]), stem, &rows[i])
			}) {
				return ""
			}
			if slices.ContainsFunc(own.Values, func(v string) bool {
				return isSaid(func(text string) bool { return utterance.SharesUnspaced(text, v) })
			}) {
				return "" // 顧客価格表 for 価格表
			}
			return showValues(slices.DeleteFunc(slices.Clone(rows[i].Values), func(v string) bool { return strings.Count(v, " ") > 3 })...)
		}
	}
	return ""
}

// isOtherPlace reports whether a request speaks of the first, the second or the last of several things, and
// another one is meant by the place of a row.
func (r *Reader) isOtherPlace(asked string, k, n int) bool {
	for _, w := range utterance.Tokens(asked) {
		if m := utterance.MemberOf(w); m.Class == "place" {
			return m.Order != k+1 && m.Order <= n
		}
	}
	return false
}

// isSaid reports whether a person said something after a text: the user, the developer, or the agent
// in words to which the user agreed.
func (r *Reader) isSaid(o *open, after, n int, is func(text string) bool) bool {
	for i := min(n, len(r.Texts)) - 1; i > after; i-- {
		if from := r.Texts[i].From; (from == provenance.FromUser || from == provenance.FromPolicy) && is(r.Folded(i)) {
			return true
		}
	}
	return slices.ContainsFunc(o.requests, func(q request) bool { return q.agreed && q.sentence.Named != 0 && is(q.sentence.Folded) })
}

// isWidened reports whether the user later spoke of all, or of a group.
func (r *Reader) isWidened(t *Trace, c *Action) bool {
	return r.IsSaidAfter(t.Text, c.Before, func(text string) bool {
		return slices.ContainsFunc(utterance.Tokens(text), func(w string) bool { return utterance.IsWide(w) || utterance.Listed("audience", w) })
	})
}

// findBeyond returns a trace in place of one to a request, if a list of a call has things that the
// request names, and others that nobody named.
func (r *Reader) findBeyond(o *open, t *Trace, _ *deed.Deed, c *Action) (Trace, bool) {
	asked := utterance.Fold(t.Words)
	if t.By != ByUser || slices.ContainsFunc(strings.Fields(asked), utterance.IsWide) || r.isWidened(t, c) {
		return Trace{}, false
	}
	named, other := map[string]string{}, map[string]string{}
	for i := range c.Call.Leaves {
		l := &c.Call.Leaves[i]
		value := deed.FoldValue(l)
		value = value[strings.LastIndexByte(value, '/')+1:]
		list, _, _ := strings.Cut(l.Path, "[")
		if list += "." + l.Key; list == l.Path+"."+l.Key || len(value) < 3 || len(value) > utterance.MostText || utterance.IsDate(value) || !strings.ContainsFunc(value, unicode.IsLetter) {
			continue
		}
		switch is := func(text string) bool { return utterance.HoldsName(text, value) || deed.IsAddressOf(value, text) }; {
		case is(asked):
			named[list] = value
		case !r.isSaid(o, -1, c.Before, is) && !r.isMade(value):
			other[list] = value
		}
	}
	for list, v := range other {
		if named[list] != "" {
			return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user named " + showValues(named[list]) + ", and not " + showValues(v)}, true
		}
	}
	return Trace{}, false
}
