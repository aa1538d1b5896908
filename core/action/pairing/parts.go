package pairing

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/argname"
	"github.com/boundcheck/boundcheck/core/action/kind"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
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
	commandWords = " command cmd commandline script line "
	lastWords    = " last family sur surname lastname "
	folderWords  = " cwd workdir dir directory folder "
)

// settleUnits excuses a value whose argument has the unit in its name, beside one with another unit in
// its name or without: amount_in_cents and amount, timeout_minutes and timeout_seconds. It excuses a choice beside the
// opposite choice under the opposite name, too: hidden: false and visible: true.
func (s *settler) settleUnits(d similarity.Difference) similarity.Difference {
	for _, x := range d.Extra {
		for _, y := range d.Missing {
			at := strings.LastIndexByte(x.Path, '.') + 1
			if areOtherTruths(x.Raw, y.Raw) && at == strings.LastIndexByte(y.Path, '.')+1 && x.Path[:at] == y.Path[:at] && argname.AreOppositeNames(x.Key, y.Key) {
				s.addExcuse(x.Path, kind.Boolean)
				return s.settleUnits(withoutPaths(d, x.Path, y.Path))
			}
			if !beginAlike(x.Key, y.Key) || strings.HasSuffix(x.Path, "]") || at != strings.LastIndexByte(y.Path, '.')+1 || x.Path[:at] != y.Path[:at] {
				continue
			}
			if name, o := kind.CompareUnits(s.tool, x.Key, y.Key, sideOf(s.obs, x.Path, x.Raw), sideOf(s.ref, y.Path, y.Raw)); o == kind.Same {
				s.addExcuse(x.Path, name)
				return s.settleUnits(withoutPaths(d, x.Path, y.Path))
			}
		}
	}
	return d
}

// areOtherTruths reports whether one of two values is true and the other one false.
func areOtherTruths(a, b string) bool {
	return a == "true" && b == "false" || a == "false" && b == "true"
}

// beginAlike reports whether two names begin with the same two letters. It spares reading their words.
func beginAlike(a, b string) bool { return len(a) > 1 && len(b) > 1 && a[:2] == b[:2] }

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
	seconds := namedParts(at.parts, clockWords, unitWords+folderWords+" name lastname surname ")
	if len(seconds) == 0 {
		return d
	}
	firsts := namedParts(at.parts, dayWords, countedWords+commandWords+" name firstname ")
	for _, whole := range at.wholes {
		for _, first := range firsts {
			for _, second := range seconds {
				name, ok := s.joinsTo(whole, first, second)
				if !ok {
					continue
				}
				s.addExcuse(whole.Path, name)
				return s.joinParts(withoutPaths(d, whole.Path, first.Path, second.Path), reversed)
			}
		}
	}
	return d
}

// namedParts returns the leaves whose names end in a word of one of two lists.
func namedParts(all []similarity.Leaf, list, list2 string) (out []similarity.Leaf) {
	for _, l := range all {
		if words := kind.ArgumentWords(l.Key); wordlist.HasLast(list, words) || wordlist.HasLast(list2, words) {
			out = append(out, l)
		}
	}
	return out
}

// joinsTo reports whether two arguments are the parts of one, and returns the kind of the
// value. The parts stand beside the whole value, or in an object in its place.
func (s *settler) joinsTo(whole, first, second similarity.Leaf) (kind.Name, bool) {
	if first.Path == second.Path || !standFor(whole.Path, first.Path) || !standFor(whole.Path, second.Path) {
		return "", false
	}
	name, a, b := kind.ArgumentWords(whole.Key), kind.ArgumentWords(first.Key), kind.ArgumentWords(second.Key)
	text, x, y := similarity.Plain(whole.Raw), similarity.Plain(first.Raw), similarity.Plain(second.Raw)
	switch {
	case wordlist.HasLast(dayWords, a) && wordlist.HasLast(clockWords, b) && sameStem(name, a, b):
		return kind.Instant, kind.SameParts(s.tool, whole.Key, text, x+" "+y)
	case isName(name) && isName(a) && isName(b) && wordlist.HasAny(" first given firstname ", a) && wordlist.HasAny(lastWords, b):
		return kind.Text, text == x+" "+y
	case wordlist.HasLast(commandWords, a) && wordlist.HasLast(folderWords, b) && whole.Path == first.Path && !strings.ContainsAny(y, " \"'"):
		return kind.Command, kind.SameParts(s.tool, whole.Key, text, "cd "+y+" && "+x)
	case wordlist.HasLast(countedWords, a) && wordlist.HasLast(unitWords, b) && isBelow(first.Path, whole.Path):
		return kind.Quantity, kind.SameParts(s.tool, whole.Key, text, x+" "+y)
	}
	return "", false
}

// isName reports whether an argument is called a name.
func isName(words []string) bool {
	return wordlist.HasLast(" name fullname firstname lastname surname ", words)
}

// standFor reports whether a path is beside another one, or directly below it.
func standFor(whole, part string) bool {
	if rest, ok := strings.CutPrefix(part, whole+"."); ok {
		return !strings.ContainsAny(rest, ".[")
	}
	beside, ok := strings.CutPrefix(part, whole[:strings.LastIndexByte(whole, '.')+1])
	return ok && !strings.ContainsAny(beside, ".[")
}

// sameStem reports whether two parts belong to one value: the words before the last are the
// same in both, and in the name of the whole value if that is not about the end of something.
func sameStem(whole, a, b []string) bool {
	stem := a[:len(a)-1]
	if !slices.Equal(stem, b[:len(b)-1]) {
		return false
	}
	if len(stem) == 0 {
		return !wordlist.HasAny(" end ends until till finish due deadline expiry expires return ", whole)
	}
	return slices.Equal(stem, whole[:min(len(stem), len(whole))])
}

func withoutPaths(d similarity.Difference, paths ...string) similarity.Difference {
	isOne := func(l similarity.Leaf) bool { return slices.Contains(paths, l.Path) }
	d.Extra, d.Missing = slices.DeleteFunc(slices.Clone(d.Extra), isOne), slices.DeleteFunc(slices.Clone(d.Missing), isOne)
	d.Changed = slices.DeleteFunc(slices.Clone(d.Changed), func(p similarity.Pair) bool { return slices.Contains(paths, p.Path) })
	return d
}
