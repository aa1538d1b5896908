package heard

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Row is one thing of a list: its values, and the words of each.
type Row struct {
	Values []string
	Words  [][]string
	fields []string // of its numbers, the names and values: zone=1
	codes  []string // its texts of four digits or more, such as the last ones of a card
}

// mostRows is the number of rows of one result beyond which none is compared.
const mostRows = 60

// RowsOf returns the rows of a result: the objects or texts of its lists, or the names in a line of
// plain text.
func (r *Run) RowsOf(i int) []Row {
	if list, known := r.rows[i]; known {
		return list
	}
	var out []Row
	text := strings.TrimSpace(r.Texts[i].Text)
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
func readRows(v jsonval.Value, depth int) (out []Row) {
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
		var x Row
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
							x.Values, x.Words = append(x.Values, utterance.Fold(s)), append(x.Words, nil)
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
func readLines(text string) (out []Row) {
	lines := strings.Split(utterance.Fold(text), "\n")
	if len(lines) < 2 || len(lines) > mostRows {
		return nil
	}
	for _, line := range lines {
		fields := strings.Fields(line)
		if len(fields) < 2 || len(fields) > 8 || len(fields) != len(strings.Fields(lines[0])) {
			return nil
		}
		var x Row
		for _, f := range fields {
			x.add(f)
		}
		out = append(out, x)
	}
	return out
}

// readPrices returns the members of an object of which all are numbers, such as those of a list of prices.
func readPrices(v jsonval.Value) (out []Row) {
	v.Each(func(name string, member jsonval.Value) bool {
		text, ok := member.Str()
		if member.Kind() != jsonval.Number && !(ok && isMeasured(text)) {
			out = nil
			return false
		}
		var x Row
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
func readNames(text string) (out []Row) {
	fields := strings.Fields(utterance.Fold(text))
	if len(fields) > mostRows {
		return nil
	}
	for _, f := range fields {
		if deed.IsJoined(f) {
			var x Row
			x.add(f)
			out = append(out, x)
		}
	}
	if len(out)*2 < len(fields) || len(out) < 2 {
		return nil // a sentence
	}
	return out
}

func (x *Row) add(value string) {
	if len(value) <= utterance.MostText {
		x.Values, x.Words = append(x.Values, value), append(x.Words, nameParts(value))
	}
}

// Has reports whether one of the names of a row has a word.
func (x *Row) Has(word string) bool {
	return slices.ContainsFunc(x.Words, func(list []string) bool { return slices.Contains(list, word) })
}

// IsOneOf reports whether a row has one of some values, perhaps without their folder.
func (x *Row) IsOneOf(values []string) bool {
	return slices.ContainsFunc(values, func(v string) bool {
		v = utterance.FoldTimes(utterance.Fold(v))
		return slices.Contains(x.Values, v) || slices.Contains(x.fields, v) || slices.Contains(x.Values, v[strings.LastIndexByte(v, '/')+1:])
	})
}

// nameParts returns the words of a name, without numbers.
func nameParts(s string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }), func(w string) bool { return len(w) < 2 || utterance.IsFunctionWord(w) })
}

// IsShared reports whether several rows have a value, so that it says nothing about which is meant.
func IsShared(rows []Row, v string) bool {
	n := 0
	for i := range rows {
		if rows[i].IsOneOf([]string{v}) {
			n++
		}
	}
	return n > 1
}

// HoldsStem reports whether a text has a stem in a word that is no word of another row, such as Whitlock
// beside White.
func HoldsStem(text, stem string, other *Row) bool {
	return strings.Contains(text, stem) && slices.ContainsFunc(strings.Fields(text), func(w string) bool {
		return strings.Contains(w, stem) && !other.Has(strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
	})
}

// IsUnnamed reports whether folded text has no word of a row.
func (x *Row) IsUnnamed(text string) bool {
	for i, v := range x.Values {
		if utterance.HoldsName(text, v) || slices.ContainsFunc(x.Words[i], func(w string) bool { return utterance.HoldsName(text, w) }) {
			return false
		}
	}
	return true
}

// DropAddresses returns a text without the words that are addresses.
func DropAddresses(text string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	return strings.Join(slices.DeleteFunc(strings.Fields(text), func(w string) bool { return strings.Contains(w, "@") }), " ")
}

// IsNamedIn reports whether folded text has one of the values of a row.
func (x *Row) IsNamedIn(text string) bool {
	return slices.ContainsFunc(x.Values, func(v string) bool { return len(v) > 1 && utterance.HoldsName(text, v) })
}

// IsHinted reports whether a word of a row that another row has not is said, perhaps with another ending.
func (x *Row) IsHinted(other *Row, isSaid func(stem string) bool) bool {
	for _, list := range x.Words {
		for _, w := range list {
			if !other.Has(w) && isSaid(stemOf(w)) {
				return true
			}
		}
	}
	return false
}

// IsNamedBesides reports whether a request has one of the names of a row, apart from the words that
// another row has too. In a question to which the user agreed, numbers are names.
func (x *Row) IsNamedBesides(own *Row, asked string, numbers bool) bool {
	for i, v := range x.Values {
		if slices.ContainsFunc(own.Values, func(o string) bool { return o != v && utterance.HoldsWord(o, v) }) {
			continue // Ira, and Ira Boll
		}
		if !slices.Contains(own.Values, v) && !utterance.Listed("filler", v) && (len(v) > 2 && strings.ContainsFunc(v, unicode.IsLetter) || numbers && len(v) > 1 || len(v) > 5 || slices.Contains(x.codes, v)) && utterance.HoldsName(asked, v) {
			return true
		}
		n, of, ownWords, long := 0, 0, false, false
		for _, w := range x.Words[i] {
			if own.Has(w) {
				continue
			}
			if of++; !utterance.Listed("anyThing", w) && utterance.HoldsName(asked, w) {
				n, long = n+1, long || len(w) > 6
			}
		}
		for _, list := range own.Words {
			ownWords = ownWords || slices.ContainsFunc(list, func(w string) bool { return !x.Has(w) })
		}
		if n > 0 && (n*2 >= of || long) && ownWords {
			return true
		}
	}
	return false
}

// stemOf returns the beginning of a word, without what endings may change.
func stemOf(w string) string { return w[:max(min(4, len(w)), len(w)-2)] }

// AreTogether reports whether a row of a result has two values.
func (r *Run) AreTogether(v, w string, before int) bool {
	for i := range r.ResultsBefore(before) {
		if !strings.Contains(r.Folded(i), v) {
			continue
		}
		if text := r.Folded(i); len(r.RowsOf(i)) == 0 && strings.Contains(text, w) {
			return true
		}
		for _, x := range r.RowsOf(i) {
			if slices.Contains(x.Values, v) && slices.Contains(x.Values, w) {
				return true
			}
		}
	}
	return false
}
