package requests

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
)

// How much of what, and for how many: a request names a currency, a number of things or persons, or one
// thing. Only what is plain is decided: the request names one, the call has another one, and no person
// said that.

// findOtherCurrency returns a trace in place of one to a request, if the request names a currency, and the
// call has another one.
func (r *Reader) findOtherCurrency(_ *open, t *Trace, _ *deed.Deed, c *Action) (Trace, bool) {
	if t.Text < 0 {
		return Trace{}, false
	}
	var asked []utterance.Member
	for i := range c.Call.Leaves {
		l := &c.Call.Leaves[i]
		own, word := currencyOf(l)
		if word == "" {
			continue
		}
		if asked == nil {
			if asked = utterance.CurrenciesIn(t.Words); len(asked) == 0 || utterance.IsAboutMore(utterance.Fold(t.Words)) {
				return Trace{}, false
			}
		}
		if slices.Contains(asked, own) || utterance.Listed("dollar", word) && slices.Contains(asked, utterance.MemberOf("dollar")) {
			return Trace{}, false
		}
		if r.IsSaidIn(c.Before, func(text string) bool { return slices.Contains(utterance.CurrenciesIn(text), own) }) {
			continue
		}
		return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this in another currency than " + strings.ToUpper(word)}, true
	}
	return Trace{}, false
}

// longestCurrency is the largest number of bytes of a word for a currency.
const longestCurrency = 10

// currencyOf returns the currency that an argument holds, alone or beside an amount, and its word; "" for
// any other argument.
func currencyOf(l *similarity.Leaf) (own utterance.Member, word string) {
	value := strings.Trim(deed.TrimQuotes(l.Raw), "0123456789., ")
	if value == "" || len(value) > longestCurrency {
		return utterance.Member{}, ""
	}
	value = utterance.Fold(value)
	m := utterance.MemberOf(value)
	if m.Class != "currency" {
		return utterance.Member{}, ""
	}
	if !slices.ContainsFunc(mutation.NameWords(l.Key), func(w string) bool { return utterance.Listed("moneyKey", w) || utterance.Listed("measure", w) }) {
		return utterance.Member{}, ""
	}
	return m, value
}

// findOtherCount returns a trace in place of one to a request, if the request says of how many things or
// for how many persons, and the call has another number of them, up to 99.
func (r *Reader) findOtherCount(_ *open, t *Trace, _ *deed.Deed, c *Action) (Trace, bool) {
	if t.Text < 0 || r.means != NoMeans {
		return Trace{}, false
	}
	for i := range c.Call.Leaves {
		l := &c.Call.Leaves[i]
		value := 0
		if len(l.Raw) < 3 {
			value, _ = strconv.Atoi(l.Raw)
		}
		if value < 1 {
			continue
		}
		noun := deed.CountedThing(l.Key)
		if noun == "" {
			continue
		}
		asked := utterance.CountsOf(utterance.Tokens(t.Words), noun)
		if len(asked) != 1 || asked[0] == value || r.IsSaidIn(c.Before, func(text string) bool {
			return slices.ContainsFunc(strings.Fields(text), func(w string) bool { return utterance.NumberOf(strings.Trim(w, ".,;:!?()")) == value }) // H-2 says no number
		}) {
			continue
		}
		return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this with " + strconv.Itoa(asked[0]) + ", not with " + l.Raw}, true
	}
	return Trace{}, false
}

// findSeveral returns a trace in place of one to a request for one thing, if the call is for a list of
// several, of which no person named any.
func (r *Reader) findSeveral(_ *open, t *Trace, d *deed.Deed, c *Action) (Trace, bool) {
	if len(d.Object) == 0 || d.Kinds&(utterance.Remove|utterance.Cancel|utterance.Pay|utterance.Refund|utterance.Block|utterance.Grant) == 0 || t.Agreed || t.delegated || r.means != NoMeans {
		return Trace{}, false
	}
	var listed []string
	for i := range c.Call.Leaves {
		l := &c.Call.Leaves[i]
		if at := strings.IndexByte(l.Path, '['); at > 0 && strings.IndexByte(l.Path[at:], '.') < 0 {
			listed = append(listed, l.Raw)
		}
	}
	if len(listed) < 2 {
		return Trace{}, false
	}
	s, noun := r.sentenceOf(t), utterance.Singular(d.Object[len(d.Object)-1])
	if s == nil || !slices.Contains(s.Words, noun) || s.IsOfSeveral(r.ReadingOf(t.Text).Lang) ||
		slices.ContainsFunc(listed, func(raw string) bool { return r.IsNamed(utterance.Fold(deed.TrimQuotes(raw)), c.Before) }) {
		return Trace{}, false
	}
	return Trace{Text: t.Text, Words: t.Words, Why: "the user asked for this once, and it is done to several things"}, true
}
