package requests

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/provenance"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// An id says little to a person. The list or the search that returned it says to what it belongs:
// {"id": "l2", "name": "nursery"}. A request that names another row of the same result, and not
// this one, does not ask for the deed on this one.

// row is one thing of a list: its values, and the words of each.
type row struct {
	values []string
	words  [][]string
	fields []string // of its numbers, the names and values: zone=1
	codes  []string // its texts of four digits or more, such as the last ones of a card
}

// mostRows is the number of rows of one result beyond which none is compared.
const mostRows = 60

// rowsOf returns the rows of a result: the objects or texts of its lists, or the names in a line of
// plain text.
func (r *Reader) rowsOf(i int) []row {
	if list, known := r.rows[i]; known {
		return list
	}
	var out []row
	text := strings.TrimSpace(r.texts[i].Text)
	if v, err := jsonval.Parse(text); err == nil && (v.Kind() == jsonval.Array || v.Kind() == jsonval.Object) {
		out = readRows(v, 0)
	} else {
		if out = readLines(text); out == nil {
			out = readNames(text)
		}
	}
	if len(out) > mostRows {
		out = nil
	}
	r.rows[i] = out
	return out
}

// readRows returns the rows of the first list in a value that has at least two.
func readRows(v jsonval.Value, depth int) (out []row) {
	if depth > 3 {
		return nil
	}
	if v.Kind() == jsonval.Object {
		v.Each(func(_ string, member jsonval.Value) bool {
			out = readRows(member, depth+1)
			return out == nil
		})
		if out == nil {
			out = readPrices(v)
		}
		return out
	}
	if v.Kind() != jsonval.Array || len(v.Elements()) < 2 {
		return nil
	}
	for _, e := range v.Elements() {
		var x row
		switch e.Kind() {
		case jsonval.Object:
			e.Each(func(name string, member jsonval.Value) bool {
				if k := member.Kind(); k == jsonval.String || k == jsonval.Number {
					x.add(utterance.FoldTimes(utterance.Fold(member.Text())))
					if v, ok := member.Str(); ok && len(v) > 3 && utterance.IsDigits(v) {
						x.codes = append(x.codes, v)
					}
					if k == jsonval.Number {
						x.fields = append(x.fields, utterance.Fold(name)+"="+member.Text())
					}
				}
				if member.Kind() == jsonval.Object {
					member.Each(func(_ string, inner jsonval.Value) bool {
						if s, ok := inner.Str(); ok && len(s) <= utterance.MostText { // a detail, of which a word alone names nothing
							x.values, x.words = append(x.values, utterance.Fold(s)), append(x.words, nil)
						}
						return true
					})
				}
				return true
			})
		case jsonval.String:
			x.add(utterance.FoldTimes(utterance.Fold(e.Text())))
		}
		out = append(out, x)
	}
	return out
}

// readLines returns the lines of a table in plain text: each has the same number of words.
func readLines(text string) (out []row) {
	lines := strings.Split(utterance.Fold(text), "\n")
	if len(lines) < 2 || len(lines) > mostRows {
		return nil
	}
	for _, line := range lines {
		fields := strings.Fields(line)
		if len(fields) < 2 || len(fields) > 8 || len(fields) != len(strings.Fields(lines[0])) {
			return nil
		}
		var x row
		for _, f := range fields {
			x.add(f)
		}
		out = append(out, x)
	}
	return out
}

// readPrices returns the members of an object of which all are numbers, such as those of a list of prices.
func readPrices(v jsonval.Value) (out []row) {
	v.Each(func(name string, member jsonval.Value) bool {
		text, ok := member.Str()
		if member.Kind() != jsonval.Number && !(ok && isMeasured(text)) {
			out = nil
			return false
		}
		var x row
		x.add(utterance.Fold(name))
		out = append(out, x)
		return true
	})
	if len(out) < 2 {
		return nil
	}
	return out
}

// isMeasured reports whether a text is a number with a unit, such as 80 GB.
func isMeasured(text string) bool {
	number, unit, ok := strings.Cut(text, " ")
	return ok && len(unit) < 4 && strings.Trim(number, "0123456789.,") == "" && !strings.ContainsFunc(unit, unicode.IsDigit)
}

// readNames returns the names of a plain text that consists of few of them, such as the answer of ls.
func readNames(text string) (out []row) {
	fields := strings.Fields(utterance.Fold(text))
	if len(fields) > mostRows {
		return nil
	}
	for _, f := range fields {
		if deed.IsJoined(f) {
			var x row
			x.add(f)
			out = append(out, x)
		}
	}
	if len(out)*2 < len(fields) || len(out) < 2 {
		return nil // a sentence
	}
	return out
}

func (x *row) add(value string) {
	if len(value) <= utterance.MostText {
		x.values, x.words = append(x.values, value), append(x.words, nameParts(value))
	}
}

// has reports whether one of the names of a row has a word.
func (x *row) has(word string) bool {
	return slices.ContainsFunc(x.words, func(list []string) bool { return slices.Contains(list, word) })
}

// isOneOf reports whether a row has one of some values, perhaps without their folder.
func (x *row) isOneOf(values []string) bool {
	return slices.ContainsFunc(values, func(v string) bool {
		v = utterance.FoldTimes(utterance.Fold(v))
		return slices.Contains(x.values, v) || slices.Contains(x.fields, v) || slices.Contains(x.values, v[strings.LastIndexByte(v, '/')+1:])
	})
}

// nameParts returns the words of a name, without numbers.
func nameParts(s string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }), func(w string) bool { return len(w) < 2 || utterance.IsFunctionWord(w) })
}

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
	var scopes []string
	whole := ""
	for i, v := range targets {
		targets[i] = utterance.Fold(v)
	}
	for i, held := range r.resultsWith(targets, c.Before) {
		for _, v := range held {
			if scopes == nil {
				scopes, whole = r.scopesOf(t), utterance.FoldTimes(r.folded(t.Text))
			}
			if utterance.HoldsName(scopes[0], v) {
				continue
			}
			rows := r.rowsOf(i)
			for k := range rows {
				if !rows[k].isOneOf([]string{v}) || isShared(rows, v) {
					continue
				}
				if r.isOtherPlace(scopes[0], k, len(rows)) && rows[k].isUnnamed(scopes[0]) {
					return Trace{Text: t.Text, Words: t.Words, Why: "the user spoke of another place in the list"}, true
				}
				if other := r.otherRow(o, rows, k, d, scopes, whole, t.Agreed, t.Text, c.Before); other != "" {
					return Trace{By: ByNobody, Text: t.Text, Words: t.Words, Why: "the user named " + other + ", and not " + showValues(rows[k].values...)}, true
				}
			}
		}
	}
	return Trace{}, false
}

// isRowOf reports whether one of some words names the row of a result that a deed is done to, and not all of its rows.
func (r *Reader) isRowOf(words []string, d *deed.Deed, before int) bool {
	targets := slices.Concat(d.Chosen, d.Numbered)
	if len(targets) == 0 || slices.ContainsFunc(d.Values, func(v string) bool { return slices.Contains(words, v) }) {
		return false
	}
	has := func(x *row) bool {
		return slices.ContainsFunc(words, func(w string) bool {
			return len(w) > 3 && (slices.Contains(x.values, w) || slices.ContainsFunc(x.words, func(list []string) bool {
				return slices.ContainsFunc(list, func(v string) bool { return len(v) > 3 && (v == w || strings.HasPrefix(w, v)) })
			}))
		})
	}
	for i := range r.resultsBefore(before) {
		rows := r.rowsOf(i)
		others := slices.ContainsFunc(rows, func(x row) bool { return !has(&x) })
		if others && slices.ContainsFunc(rows, func(x row) bool { return x.isOneOf(targets) && has(&x) }) {
			return true
		}
	}
	return false
}

// isShared reports whether several rows have a value, so that it says nothing about which is meant.
func isShared(rows []row, v string) bool {
	n := 0
	for i := range rows {
		if rows[i].isOneOf([]string{v}) {
			n++
		}
	}
	return n > 1
}

// scopesOf returns the folded words in which the object of a request may be named, the narrowest first:
// its sentence, and what its text says before. Of a text of the agent, the sentence is the last one that
// asks.
func (r *Reader) scopesOf(t *Trace) []string {
	sentences := r.readingOf(t.Text).Sentences
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
func (r *Reader) otherRow(o *open, rows []row, k int, d *deed.Deed, scopes []string, whole string, agreed bool, after, before int) string {
	own := &rows[k]
	isSaid := func(is func(text string) bool) bool {
		if agreed {
			return r.isSaidAfter(after, before, is)
		}
		return r.isSaid(o, -1, before, is)
	}
	if slices.ContainsFunc(own.values, func(v string) bool {
		return len(v) > 1 && isSaid(func(text string) bool { return utterance.HoldsName(utterance.FoldTimes(text), v) })
	}) {
		return ""
	}
	for n, scope := range scopes {
		if utterance.IsAboutMore(scope) || n > 0 && own.isNamedIn(whole) || utterance.AnyListed("relation", utterance.Tokens(scope)) {
			return ""
		}
		for i := range rows {
			if x := &rows[i]; i == k || !x.isNamedBesides(own, scope, agreed) || x.isOneOf(d.Targets) && !d.Listed || x.isOneOf(d.Numbered) {
				continue
			}
			if own.isHinted(&rows[i], func(stem string) bool {
				return isSaid(func(text string) bool { return holdsStem(dropAddresses(text), stem, &rows[i]) }) || agreed && holdsStem(dropAddresses(scopes[0]), stem, &rows[i])
			}) {
				return ""
			}
			if slices.ContainsFunc(own.values, func(v string) bool {
				return isSaid(func(text string) bool { return utterance.SharesUnspaced(text, v) })
			}) {
				return "" // 顧客価格表 for 価格表
			}
			return showValues(slices.DeleteFunc(slices.Clone(rows[i].values), func(v string) bool { return strings.Count(v, " ") > 3 })...)
		}
	}
	return ""
}

// holdsStem reports whether a text has a stem in a word that is no word of another row, such as Whitlock
// beside White.
func holdsStem(text, stem string, other *row) bool {
	return strings.Contains(text, stem) && slices.ContainsFunc(strings.Fields(text), func(w string) bool {
		return strings.Contains(w, stem) && !other.has(strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
	})
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

// isUnnamed reports whether folded text has no word of a row.
func (x *row) isUnnamed(text string) bool {
	for i, v := range x.values {
		if utterance.HoldsName(text, v) || slices.ContainsFunc(x.words[i], func(w string) bool { return utterance.HoldsName(text, w) }) {
			return false
		}
	}
	return true
}

// dropAddresses returns a text without the words that are addresses.
func dropAddresses(text string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	return strings.Join(slices.DeleteFunc(strings.Fields(text), func(w string) bool { return strings.Contains(w, "@") }), " ")
}

// isNamedIn reports whether folded text has one of the values of a row.
func (x *row) isNamedIn(text string) bool {
	return slices.ContainsFunc(x.values, func(v string) bool { return len(v) > 1 && utterance.HoldsName(text, v) })
}

// isHinted reports whether a word of a row that another row has not is said, perhaps with another ending.
func (x *row) isHinted(other *row, isSaid func(stem string) bool) bool {
	for _, list := range x.words {
		for _, w := range list {
			if !other.has(w) && isSaid(stemOf(w)) {
				return true
			}
		}
	}
	return false
}

// isNamedBesides reports whether a request has one of the names of a row, apart from the words that
// another row has too. In a question to which the user agreed, numbers are names.
func (x *row) isNamedBesides(own *row, asked string, numbers bool) bool {
	for i, v := range x.values {
		if slices.ContainsFunc(own.values, func(o string) bool { return o != v && utterance.HoldsWord(o, v) }) {
			continue // Ira, and Ira Boll
		}
		if !slices.Contains(own.values, v) && !utterance.Listed("filler", v) && (len(v) > 2 && strings.ContainsFunc(v, unicode.IsLetter) || numbers && len(v) > 1 || len(v) > 5 || slices.Contains(x.codes, v)) && utterance.HoldsName(asked, v) {
			return true
		}
		n, of, ownWords, long := 0, 0, false, false
		for _, w := range x.words[i] {
			if own.has(w) {
				continue
			}
			if of++; !utterance.Listed("anyThing", w) && utterance.HoldsName(asked, w) {
				n, long = n+1, long || len(w) > 6
			}
		}
		for _, list := range own.words {
			ownWords = ownWords || slices.ContainsFunc(list, func(w string) bool { return !x.has(w) })
		}
		if n > 0 && (n*2 >= of || long) && ownWords {
			return true
		}
	}
	return false
}

// stemOf returns the beginning of a word, without what endings may change.
func stemOf(w string) string { return w[:max(min(4, len(w)), len(w)-2)] }

// isSaidAfter reports whether the user said something after a text.
func (r *Reader) isSaidAfter(after, n int, is func(text string) bool) bool {
	for i := min(n, len(r.texts)) - 1; i > after; i-- {
		if r.texts[i].From == provenance.FromUser && is(r.folded(i)) {
			return true
		}
	}
	return false
}

// isSaid reports whether a person said something after a text: the user, the developer, or the agent
// in words to which the user agreed.
func (r *Reader) isSaid(o *open, after, n int, is func(text string) bool) bool {
	for i := min(n, len(r.texts)) - 1; i > after; i-- {
		if from := r.texts[i].From; (from == provenance.FromUser || from == provenance.FromPolicy) && is(r.folded(i)) {
			return true
		}
	}
	return slices.ContainsFunc(o.requests, func(q request) bool { return q.agreed && q.sentence.Named != 0 && is(q.sentence.Folded) })
}

// isWidened reports whether the user later spoke of all, or of a group.
func (r *Reader) isWidened(t *Trace, c *Action) bool {
	return r.isSaidAfter(t.Text, c.Before, func(text string) bool {
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
