package kind

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/similarity"
)

// This file joins the parts of a value that one call has in one argument and the other call
// in two: a point in time in a date and a time of day, an amount of money in a number and a
// currency, and a quantity in a number and a unit.

// The words that end the names of arguments with a part of a value.
const (
	dayWords     = " date day "
	clockWords   = " time hour clock "
	countedWords = " amount value price total number quantity "
	unitWords    = " currency unit units "
)

// settleParts excuses a value of one call that has its two parts in the other call.
func (s *settler) settleParts(d similarity.Difference) similarity.Difference {
	d = s.joinParts(d, false)
	return s.joinParts(d, true)
}

// side is the part of a difference that one call has.
type side struct{ wholes, parts []similarity.Leaf }

// sidesOf returns the values that only one call has, or has with another value, and those of
// the other call. reversed says that the reference has the whole values.
func sidesOf(d *similarity.Difference, reversed bool) (out side) {
	out.wholes, out.parts = slices.Clone(d.Extra), slices.Clone(d.Missing)
	for _, p := range d.Changed {
		out.wholes = append(out.wholes, similarity.Leaf{Path: p.Path, Key: p.Key, Raw: p.Observed})
		out.parts = append(out.parts, similarity.Leaf{Path: p.Path, Key: p.Key, Raw: p.Reference})
	}
	if reversed {
		out.wholes, out.parts = out.parts, out.wholes
	}
	return out
}

func (s *settler) joinParts(d similarity.Difference, reversed bool) similarity.Difference {
	if len(d.Extra)+len(d.Missing) == 0 {
		return d
	}
	at := sidesOf(&d, reversed)
	seconds := namedParts(at.parts, clockWords, unitWords)
	if len(seconds) == 0 {
		return d
	}
	firsts := namedParts(at.parts, dayWords, countedWords)
	for _, whole := range at.wholes {
		for _, first := range firsts {
			for _, second := range seconds {
				kind, ok := s.joinsTo(whole, first, second)
				if !ok {
					continue
				}
				s.addExcuse(whole.Path, kind)
				return s.joinParts(withoutPaths(d, whole.Path, first.Path, second.Path), reversed)
			}
		}
	}
	return d
}

// namedParts returns the leaves whose names end in a word of one of two lists.
func namedParts(all []similarity.Leaf, list, list2 string) (out []similarity.Leaf) {
	for _, l := range all {
		if words := argumentWords(l.Key); endIn(words, list) || endIn(words, list2) {
			out = append(out, l)
		}
	}
	return out
}

// joinsTo reports whether two arguments are the parts of one, and returns the kind of the
// value. The parts stand beside the whole value, or in an object in its place.
func (s *settler) joinsTo(whole, first, second similarity.Leaf) (Name, bool) {
	if first.Path == second.Path || !standFor(whole.Path, first.Path) || !standFor(whole.Path, second.Path) {
		return "", false
	}
	name, a, b := argumentWords(whole.Key), argumentWords(first.Key), argumentWords(second.Key)
	text, x, y := similarity.Plain(whole.Raw), similarity.Plain(first.Raw), similarity.Plain(second.Raw)
	switch {
	case endIn(a, dayWords) && endIn(b, clockWords) && sameStem(name, a, b):
		return Instant, s.sameNotation(whole, text, x+" "+y)
	case endIn(a, countedWords) && endIn(b, unitWords) && isBelow(first.Path, whole.Path):
		return Quantity, s.sameNotation(whole, text, x+" "+y)
	}
	return "", false
}

// standFor reports whether a path is beside another one, or directly below it.
func standFor(whole, part string) bool {
	if rest, ok := strings.CutPrefix(part, whole+"."); ok {
		return !strings.ContainsAny(rest, ".[")
	}
	beside, ok := strings.CutPrefix(part, whole[:strings.LastIndexByte(whole, '.')+1])
	return ok && !strings.ContainsAny(beside, ".[")
}

func endIn(words []string, list string) bool {
	return len(words) > 0 && isListed(words[len(words)-1], list)
}

// sameStem reports whether two parts belong to one value: the words before the last are the
// same in both, and in the name of the whole value if that is not about the end of something.
func sameStem(whole, a, b []string) bool {
	stem := a[:len(a)-1]
	if !slices.Equal(stem, b[:len(b)-1]) {
		return false
	}
	if len(stem) == 0 {
		return !anyListed(whole, " end ends until till finish due deadline expiry expires return ")
	}
	return slices.Equal(stem, whole[:min(len(stem), len(whole))])
}

// sameNotation reports whether a text and the joined parts are notations of one value.
func (s *settler) sameNotation(whole similarity.Leaf, text, joined string) bool {
	none := func(string) string { return "" }
	p := pair{tool: s.tool, name: argumentWords(whole.Key), a: stringValue(text, none), b: stringValue(joined, none)}
	for _, compare := range [...]func(*pair) Outcome{(*pair).compareInstants, (*pair).compareAmounts, (*pair).compareDurations, (*pair).compareQuantities} {
		if o := compare(&p); o != Open {
			return o == Same
		}
	}
	return false
}

func withoutPaths(d similarity.Difference, paths ...string) similarity.Difference {
	isOne := func(l similarity.Leaf) bool { return slices.Contains(paths, l.Path) }
	d.Extra, d.Missing = slices.DeleteFunc(slices.Clone(d.Extra), isOne), slices.DeleteFunc(slices.Clone(d.Missing), isOne)
	d.Changed = slices.DeleteFunc(slices.Clone(d.Changed), func(p similarity.Pair) bool { return slices.Contains(paths, p.Path) })
	return d
}

// IsMeasure reports whether a value, as a JSON text, is a date, a time, an amount of money, a
// number with a unit, or a formula. Nothing can be done to such a value. A number with one letter
// may be a seat or a page, so it is none.
func IsMeasure(raw string) bool {
	v := newValue(raw, func(string) string { return "" })
	if !v.isString() || len(v.text) < 2 || len(v.text) > mostShort {
		return false
	}
	if strings.HasPrefix(v.text, "=") {
		return true
	}
	if c := v.text[0]; !v.hasDigit() || isCode(v.text) {
		return false
	} else if 'a' <= c|' ' && c|' ' <= 'z' {
		_, code := splitCurrency(v.text)
		return code != ""
	}
	p := pair{tool: &tool{}}
	_, _, instant := p.readInstant(v.text)
	_, clock := readClock(v.text)
	if instant || clock || normalDay(v.text) != "" {
		return true
	}
	if n, name := splitUnit(v.text); len(name) > 1 || name == "%" {
		_, unit := unitOf(name)
		_, number := readNumber(n)
		return number && (unit || spanOf(strings.ToLower(name)) > 0 || currencyOf(name) != "")
	}
	_, code, money := readMoney(&v)
	return money && code != ""
}
