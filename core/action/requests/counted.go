package requests

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/similarity"
)

// How much of what, and for how many: a request names a currency, a number of things or persons, or one
// thing. Only what is plain is decided: the request names one, the call has another one, and no person
// said that.

// findOtherCurrency returns a trace in place of one to a request, if the request names a currency, and the
// call has another one.
func (r *Reader) findOtherCurrency(t *Trace, c *Action) (Trace, bool) {
	if t.Text < 0 {
		return Trace{}, false
	}
	var asked []member
	for i := range c.Call.Leaves {
		l := &c.Call.Leaves[i]
		own, word := currencyOf(l)
		if word == "" {
			continue
		}
		if asked == nil {
			if asked = currenciesIn(t.Words); len(asked) == 0 || isAboutMore(foldText(t.Words)) {
				return Trace{}, false
			}
		}
		if slices.Contains(asked, own) || isListed("dollar", word) && slices.Contains(asked, theTables().members["dollar"]) {
			return Trace{}, false
		}
		if r.isSaidIn(c.Before, func(text string) bool { return slices.Contains(currenciesIn(text), own) }) {
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
func currencyOf(l *similarity.Leaf) (own member, word string) {
	value := strings.Trim(trimQuotes(l.Raw), "0123456789., ")
	if value == "" || len(value) > longestCurrency {
		return member{}, ""
	}
	value = foldText(value)
	m, ok := theTables().members[value]
	if !ok || m.class != "currency" {
		return member{}, ""
	}
	if !slices.ContainsFunc(mutation.NameWords(l.Key), func(w string) bool { return isListed("moneyKey", w) || isMeasure(w) }) {
		return member{}, ""
	}
	return m, value
}

// currenciesIn returns the currencies that a text names in words, codes or signs.
func currenciesIn(text string) (found []member) {
	words := readTokens(text)
	for _, sign := range text {
		if unicode.Is(unicode.Sc, sign) {
			words = append(words, string(sign))
		}
	}
	for _, w := range words {
		if m := theTables().members[strings.TrimLeft(w, "0123456789.")]; m.class == "currency" && !slices.Contains(found, m) {
			found = append(found, m)
		}
	}
	return found
}

// isSaidIn reports whether a person said something, or the agent in a text that the user has answered.
func (r *Reader) isSaidIn(before int, is func(text string) bool) bool {
	answered := false
	for i := min(before, len(r.texts)) - 1; i >= 0; i-- {
		from := r.texts[i].From
		answered = answered || from == provenance.FromUser
		if (from == provenance.FromUser || from == provenance.FromPolicy || from == provenance.FromAgent && answered) && is(r.texts[i].Text) {
			return true
		}
	}
	return false
}

// findOtherCount returns a trace in place of one to a request, if the request says of how many things or
// for how many persons, and the call has another number of them, up to 99.
func (r *Reader) findOtherCount(t *Trace, c *Action) (Trace, bool) {
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
		noun := countedThing(l.Key)
		if noun == "" {
			continue
		}
		asked := countsOf(readTokens(t.Words), noun)
		if len(asked) != 1 || asked[0] == value || r.isSaidIn(c.Before, func(text string) bool {
			return slices.ContainsFunc(strings.Fields(foldText(text)), func(w string) bool { return numberOf(strings.Trim(w, ".,;:!?()")) == value }) // H-2 says no number
		}) {
			continue
		}
		return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user asked for this with " + strconv.Itoa(asked[0]) + ", not with " + l.Raw}, true
	}
	return Trace{}, false
}

// countedThing returns the noun, in the singular, of which an argument holds the number, or "".
func countedThing(key string) string {
	noun := ""
	for _, w := range mutation.NameWords(key) {
		switch {
		case isListed("heads", w):
			return "heads"
		case len(w) > 3 && !isMeasure(w) && !isListed("unit", w):
			noun = w
		}
	}
	return noun
}

// countsOf returns the numbers of a thing or of persons that the words of a request name: before the noun,
// or for persons after a word such as for, as in "a table for two". It returns none if the request is
// about more, such as more persons.
func countsOf(tokens []string, noun string) (found []int) {
	for i, w := range tokens {
		if w != "from" && isWide(w) || noun == "heads" && isListed("headsMore", w) {
			return nil
		}
		n := numberOf(w)
		next := ""
		if i+1 < len(tokens) {
			next = tokens[i+1]
		}
		switch {
		case n == 0:
		case singularOf(next) == noun, noun == "heads" && isListed("heads", singularOf(next)):
			found = append(found, n)
		case noun == "heads" && n > 1 && i > 0 && isListed("forWhom", tokens[i-1]) && (next == "" || next == "," || isListed("notAlone", next) || isListed("beforePlace", next)):
			found = append(found, n)
		}
	}
	return found
}

// numberOf returns the number that a word is, in digits or as a word up to ten, or 0.
func numberOf(w string) int {
	if isDigits(w) && len(w) < 3 {
		n, _ := strconv.Atoi(w)
		return n
	}
	return theTables().numbers[w]
}

// findSeveral returns a trace in place of one to a request for one thing, if the call is for a list of
// several, of which no person named any.
func (r *Reader) findSeveral(t *Trace, d *deed, c *Action) (Trace, bool) {
	if len(d.object) == 0 || d.kinds&(Remove|Cancel|Pay|Refund|Block|Grant) == 0 || t.Agreed || t.delegated || r.means != NoMeans {
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
	s, noun := r.sentenceOf(t), singularOf(d.object[len(d.object)-1])
	if s == nil || !slices.Contains(s.words, noun) || s.isOfSeveral(r.readingOf(t.Text).lang) ||
		slices.ContainsFunc(listed, func(raw string) bool { return r.isNamed(foldText(trimQuotes(raw)), c.Before) }) {
		return Trace{}, false
	}
	return Trace{Text: t.Text, Words: t.Words, Why: "the user asked for this once, and it is done to several things"}, true
}
