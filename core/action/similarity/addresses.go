package similarity

import (
	"slices"
	"strings"
)

// AddsAddress reports whether the only difference is a text with addresses of mail, and the action has all of the step and
// more. reversed says whether the step has more.
func AddsAddress(d *Difference, reversed bool) bool {
	if len(d.Changed) != 1 || len(d.Extra)+len(d.Missing) > 0 || !strings.ContainsRune(d.Changed[0].Observed, '@') {
		return false
	}
	split := func(raw string) []string {
		return strings.FieldsFunc(Plain(raw), func(r rune) bool { return r == ',' || r == ';' || r == ' ' })
	}
	more, fewer := split(d.Changed[0].Observed), split(d.Changed[0].Reference)
	if reversed {
		more, fewer = fewer, more
	}
	return len(more) > len(fewer) && len(fewer) > 0 && !slices.ContainsFunc(more, func(a string) bool { return strings.Count(a, "@") != 1 }) &&
		!slices.ContainsFunc(fewer, func(a string) bool { return !slices.Contains(more, a) })
}
