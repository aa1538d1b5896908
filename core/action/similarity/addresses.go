package similarity

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// AddsAddress reports whether the only difference is a text or a list with addresses of mail, and the action has all of the step and
// more; the step may have an empty list of them. reversed says whether the step has more.
func AddsAddress(d *Difference, reversed bool) bool {
	added, empty := d.Extra, d.Missing
	if reversed {
		added, empty = empty, added
	}
	if len(d.Changed) == 0 && len(empty) == 1 && empty[0].Raw == "[]" && len(added) > 0 {
		return !slices.ContainsFunc(added, func(l Leaf) bool {
			return !strings.HasPrefix(l.Path, empty[0].Path+"[") || strings.Count(l.Raw, "@") != 1
		})
	}
	if len(d.Changed) != 1 || len(d.Extra)+len(d.Missing) > 0 || !strings.ContainsRune(d.Changed[0].Observed+d.Changed[0].Reference, '@') {
		return false
	}
	split := func(raw string) []string {
		return strings.FieldsFunc(Plain(raw), func(r rune) bool { return r == ',' || r == ';' || r == ' ' })
	}
	more, fewer := split(d.Changed[0].Observed), split(d.Changed[0].Reference)
	if reversed {
		more, fewer = fewer, more
	}
	if len(fewer) == 1 && fewer[0] == "[]" {
		fewer = nil // a list in which nobody is
	} else if len(fewer) == 0 {
		return false
	}
	return len(more) > len(fewer) && !slices.ContainsFunc(more, func(a string) bool { return strings.Count(a, "@") != 1 }) &&
		!slices.ContainsFunc(fewer, func(a string) bool { return !slices.Contains(more, a) })
}

// AddsElement reports whether a list of objects has an element beyond those of the reference, and lacks none.
func AddsElement(d *Difference, ref *Call) bool {
	has := func(path string) bool {
		return slices.ContainsFunc(ref.Leaves, func(l Leaf) bool { return strings.HasPrefix(l.Path, path) })
	}
	return len(d.Missing) == 0 && slices.ContainsFunc(d.Extra, func(l Leaf) bool {
		at := strings.LastIndex(l.Path, "].")
		if at < 0 {
			return false
		}
		list := l.Path[:strings.LastIndexByte(l.Path[:at], '[')]
		return has(list+"[") && !has(l.Path[:at+2])
	})
}

// ForcesMore reports whether a call turns on a switch that makes it go further, beside other differences.
func ForcesMore(d *Difference) bool {
	on := func(key, value string) bool {
		return value == "true" && wordlist.HasAny(" recursive cascade force all ", mutation.NameWords(key))
	}
	return slices.ContainsFunc(d.Extra, func(l Leaf) bool { return on(l.Key, l.Value) }) ||
		slices.ContainsFunc(d.Changed, func(p Pair) bool { return on(p.Key, p.Observed) })
}
