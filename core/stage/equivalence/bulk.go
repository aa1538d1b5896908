package equivalence

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/kind"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/action/readcmd"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/stage/relation"
)

// This file finds several calls that are the elements of one call's list of objects, the
// addends of its number, or the deeds that its name joins with "and".

// listsObjects reports whether an action has a list of objects with several members. What
// belongs together there must be together in one part.
func listsObjects(a *boundary.Action) bool {
	for i := 1; i < len(a.Leaves); i++ {
		x, y := a.Leaves[i-1].Path, a.Leaves[i].Path
		if end := strings.Index(x, "]."); end >= 0 && strings.HasPrefix(y, x[:end+2]) {
			return true
		}
	}
	return false
}

// findObjectParts finds open actions each of which has the members of one object in the list
// of whole as its arguments. Together they have all of these objects, and each has all
// arguments of whole outside the list. It returns nil if whole has no such list, or more
// than one.
func (c *composer) findObjectParts(whole *boundary.Action, side []boundary.Action, open []int, isOpen map[int]bool, index *openIndex) []int {
	if len(open) < 2 || !whole.Writes() || !whole.Terms.Plain() || !listsObjects(whole) {
		return nil
	}
	index.indexEntities(side, open)
	values := whole.Scope()
	if len(values) == 0 {
		for _, l := range whole.Leaves {
			values = append(values, l.Value)
		}
	}
	within := index.findWithin(values)
	if len(within) < 2 {
		return nil
	}
	fixed, objects := splitObjects(whole.Leaves)
	if len(objects) < 2 {
		return nil
	}
	left := map[string]int{}
	for _, o := range objects {
		left[memberText(o)]++
	}
	rest := len(objects)
	var parts []int
	for _, o := range within {
		a := &side[o]
		if !isOpen[o] || !a.Writes() || !sameDeed(a, whole) {
			continue
		}
		own, ok := withoutLeaves(a.Leaves, fixed)
		if text := memberText(own); ok && left[text] > 0 {
			left[text]--
			rest--
			parts = append(parts, o)
		}
	}
	if len(parts) < 2 || rest > 0 {
		return nil
	}
	return parts
}

// splitObjects returns the arguments outside the only list of an action, and the members of
// each object in the list, with their paths inside the object. It returns no objects if
// there are several lists, or if an element is not an object.
func splitObjects(leaves []similarity.Leaf) (fixed []similarity.Leaf, objects [][]similarity.Leaf) {
	list, element := "", ""
	for _, l := range leaves {
		name, rest, ok := strings.Cut(l.Path, "[")
		if !ok {
			fixed = append(fixed, l)
			continue
		}
		at, member, isObject := strings.Cut(rest, "].")
		if !isObject || list != "" && list != name {
			return nil, nil
		}
		if list = name; element != at || len(objects) == 0 {
			objects, element = append(objects, nil), at
		}
		l.Path = member
		objects[len(objects)-1] = append(objects[len(objects)-1], l)
	}
	return fixed, objects
}

// memberText returns a text that is equal for two objects with the same members. The name of
// the only member that identifies something does not count.
func memberText(members []similarity.Leaf) string {
	ids := 0
	for _, l := range members {
		if boundary.Identifies(l.Key, l.Value) {
			ids++
		}
	}
	out := make([]string, 0, len(members))
	for _, l := range members {
		name := l.Path
		if ids == 1 && boundary.Identifies(l.Key, l.Value) {
			name = "id"
		}
		out = append(out, name+"\x01"+l.Value)
	}
	slices.Sort(out)
	return strings.Join(out, "\x00")
}

// withoutLeaves returns leaves without some, all of which must be there.
func withoutLeaves(leaves, some []similarity.Leaf) (rest []similarity.Leaf, ok bool) {
	found := 0
	for _, l := range leaves {
		if slices.ContainsFunc(some, func(s similarity.Leaf) bool { return s.Path == l.Path && s.Value == l.Value }) {
			found++
		} else {
			rest = append(rest, l)
		}
	}
	return rest, found == len(some)
}

// The verbs of deeds that add to what was there, and the last words of arguments that say how
// much. Twice half of such a deed is the whole deed. A verb that sets a value is none.
const (
	addingVerbs = " add put restock refill deposit withdraw donate contribute pour transfer pay repay refund reimburse credit debit top_up recharge load dispense feed water bake cook charge deduct file claim log buy order sell ship print extend prolong increase decrease reduce redeem invest drive walk move run play wait raise lower lift tilt rotate turn shift scroll zoom advance rewind nudge slide dim "
	changeWords = " delta increment decrement by "
	muchWords   = " amount quantity qty count unit duration minute hour second day week month distance weight volume portion piece copy cm mm meter metre inch degree percent px pixel ml liter litre gram kg step "
)

// findAddends finds calls of the tool of whole that differ from it only in one number, and
// whose numbers add up to its number. It returns nil if there are none. same is whether they are
// known to do what whole does: the verb adds, and the number says how much. A deed that sets a value
// has no addends. O(arguments · calls).
func findAddends(whole *boundary.Action, side []boundary.Action, near []int) (parts []int, same bool) {
	if !whole.Writes() || !whole.Terms.Plain() {
		return nil, false
	}
	var calls, at []int // those that may be addends, and where each differs
	for _, o := range near {
		if place, ok := differenceOf(&side[o], whole); ok && !side[o].Failed {
			calls, at = append(calls, o), append(at, place)
		}
	}
	if len(calls) < 2 {
		return nil, false
	}
	for i := range whole.Leaves {
		l := &whole.Leaves[i]
		want, unit, ok := splitMeasure(l.Raw)
		if !ok || boundary.Identifies(l.Key, l.Value) {
			continue
		}
		parts, sum := []int(nil), 0.0
		for k, o := range calls {
			if at[k] != i && at[k] != everywhereEqual {
				continue
			}
			if n, own, ok := splitMeasure(side[o].Leaves[i].Raw); ok && own == unit && sum+n <= want*(1+1e-12) {
				parts, sum = append(parts, o), sum+n
			}
		}
		if len(parts) < 2 || math.Abs(sum-want) > want*1e-9 {
			continue
		}
		words := mutation.NameWords(l.Key)
		isChange := wordlist.HasAny(changeWords, words)
		if adds := isChange || addsAmount(whole); adds || !setsValue(whole) {
			return parts, isChange || adds && wordlist.HasLast(muchWords, words)
		}
	}
	return nil, false
}

// findPages finds calls of the tool of whole that differ from it in two arguments: where each begins, and how
// much it takes. The first one begins where whole does, each other one behind the one before it, and what they take
// adds up to what whole takes: three pages of 100 rows for one of 300. It returns nil if there are none.
// O(arguments · calls).
func findPages(whole *boundary.Action, side []boundary.Action, near []int) []int {
	if !whole.Writes() || !whole.Terms.Plain() {
		return nil
	}
	near = slices.DeleteFunc(slices.Clone(near), func(o int) bool {
		a := &side[o]
		return a.Name != whole.Name || a.Failed || !a.Writes() || !relation.HaveSamePaths(a, whole)
	})
	if len(near) < 2 {
		return nil
	}
	first, last := &side[near[0]], &side[near[len(near)-1]]
	begin, much := -1, -1
	for i := range whole.Leaves {
		w := whole.Leaves[i].Value
		switch {
		case first.Leaves[i].Value == w && last.Leaves[i].Value == w:
		case first.Leaves[i].Value == w && begin < 0 && isPlace(&whole.Leaves[i]):
			begin = i
		case first.Leaves[i].Value != w && much < 0:
			much = i
		default:
			return nil
		}
	}
	if begin < 0 || much < 0 || !addUp(whole, side, near, begin, much) {
		return nil
	}
	return near
}

// rises reports whether a number or a time is behind another one in the same notation.
func rises(from, to string) bool {
	a, err := strconv.ParseFloat(similarity.Plain(from), 64)
	b, err2 := strconv.ParseFloat(similarity.Plain(to), 64)
	return err == nil && err2 == nil && a < b || err != nil && err2 != nil && len(from) == len(to) && from < to
}

// isPlace reports whether an argument may say where something begins: a number or a time, and no name.
func isPlace(l *similarity.Leaf) bool {
	return kind.IsMeasure(l.Raw) || !boundary.Identifies(l.Key, l.Value) && strings.Trim(l.Raw, "0123456789") == ""
}

// addUp reports whether calls differ from whole only in two arguments, of which one rises from call to call, and the
// other one adds up to that of whole.
func addUp(whole *boundary.Action, side []boundary.Action, calls []int, begin, much int) bool {
	want, unit, ok := splitMeasure(whole.Leaves[much].Raw)
	sum, before := 0.0, (*similarity.Leaf)(nil)
	for _, o := range calls {
		a := &side[o]
		n, own, isNumber := splitMeasure(a.Leaves[much].Raw)
		at := &a.Leaves[begin]
		if !ok || !isNumber || own != unit || before != nil && !rises(before.Raw, at.Raw) {
			return false
		}
		for i := range a.Leaves {
			if i != begin && i != much && a.Leaves[i].Value != whole.Leaves[i].Value {
				return false
			}
		}
		sum, before = sum+n, at
	}
	return math.Abs(sum-want) <= want*1e-9
}

// setsValue reports whether a deed sets what it names, so that doing it again replaces what it did.
func setsValue(a *boundary.Action) bool {
	switch a.Deed().Class {
	case "update", "fill", "enter", "configure", "set":
		return true
	}
	return false
}

// findStretches finds calls of the tool of whole that differ from it only in two arguments, where
// one of them begins and ends. The first call begins where whole begins, each other one where the one
// before it ends, and the last one ends where whole ends: three bookings of an hour for one of three
// hours. Whole numbers may begin behind it: pages 12 to 14 after 10 to 11. It returns nil if there are none.
// O(arguments² + arguments · calls).
func findStretches(whole *boundary.Action, side []boundary.Action, near []int) []int {
	if !whole.Writes() || !whole.Terms.Plain() {
		return nil
	}
	near = slices.DeleteFunc(slices.Clone(near), func(o int) bool {
		a := &side[o]
		return a.Name != whole.Name || a.Failed || !relation.HaveSamePaths(a, whole)
	})
	if len(near) < 2 {
		return nil
	}
	return stretchesOf(whole, side, near)
}

// stretchesOf is findStretches for calls of the tool of whole with arguments at the same places.
func stretchesOf(whole *boundary.Action, side []boundary.Action, near []int) []int {
	first, end := &side[near[0]], -1
	for i := range whole.Leaves {
		if whole.Leaves[i].Value == first.Leaves[i].Value {
			continue
		}
		if end >= 0 {
			return nil
		}
		end = i
	}
	if end < 0 {
		return nil
	}
	for begin := range whole.Leaves {
		if begin == end {
			continue
		}
		if parts := stretchAlong(whole, side, near, begin, end); parts != nil {
			return parts
		}
	}
	return nil
}

// stretchAlong returns the calls that follow each other from the value at one index to the one at
// another one, or nil.
func stretchAlong(whole *boundary.Action, side []boundary.Action, near []int, begin, end int) (parts []int) {
	at := whole.Leaves[begin].Value
	for _, o := range near {
		a := &side[o]
		from, to := a.Leaves[begin].Value, a.Leaves[end].Value
		if isNext := from == at && to != at; !isNext && (parts == nil && from != at || parts != nil && !isNextNumber(at, from) || to != from && !rises(from, to)) {
			return nil
		}
		for i := range a.Leaves {
			if i != begin && i != end && a.Leaves[i].Value != whole.Leaves[i].Value {
				return nil
			}
		}
		parts, at = append(parts, o), a.Leaves[end].Value
		if at == whole.Leaves[end].Value {
			break
		}
	}
	if len(parts) < 2 || at != whole.Leaves[end].Value {
		return nil
	}
	return parts
}

// isNextNumber reports whether a whole number or a day follows another one: pages 12 to 14 follow 10 to 11.
func isNextNumber(before, n string) bool {
	if day, err := time.Parse(time.DateOnly, similarity.Plain(before)); err == nil {
		return day.AddDate(0, 0, 1).Format(time.DateOnly) == similarity.Plain(n)
	}
	a, err := strconv.Atoi(similarity.Plain(before))
	b, err2 := strconv.Atoi(similarity.Plain(n))
	return err == nil && err2 == nil && b == a+1
}

// addsAmount reports whether the verb of an action, or its first word if it has no known verb, adds.
func addsAmount(a *boundary.Action) bool {
	return wordlist.Contains(addingVerbs, cmp.Or(a.Deed().Verb, relation.FirstWord(a)))
}

// everywhereEqual is the place of no argument, for a call that has the values of another one.
const everywhereEqual = -1

// differenceOf returns the place of the one argument in which a change by the tool of whole differs from it, or
// everywhereEqual. ok is false if several differ, or if it is another call.
func differenceOf(a, whole *boundary.Action) (place int, ok bool) {
	place = everywhereEqual
	if a.Name != whole.Name || !a.Writes() || !relation.HaveSamePaths(a, whole) {
		return place, false
	}
	for i := range a.Leaves {
		if a.Leaves[i].Value != whole.Leaves[i].Value {
			if place != everywhereEqual {
				return place, false
			}
			place = i
		}
	}
	return place, true
}

// splitMeasure splits a value such as 25 or "25 min" into a positive number and its unit.
func splitMeasure(raw string) (n float64, unit string, ok bool) {
	plain := similarity.Plain(raw)
	if plain == "" || plain[0] > '9' { // words, of which most arguments consist
		return 0, "", false
	}
	number, unit, _ := strings.Cut(plain, " ")
	n, err := strconv.ParseFloat(number, 64)
	return n, unit, err == nil && n > 0 && !math.IsInf(n, 0)
}

// findNamedParts finds the actions that the name of whole joins with "and", in their order:
// lock_case and archive_case for lock_and_archive_case. It returns nil if one is not there.
func findNamedParts(whole *boundary.Action, side []boundary.Action, near []int) []int {
	if !whole.Writes() {
		return nil
	}
	phrases := joinedDeeds(whole.Words())
	if len(phrases) < 2 {
		return nil
	}
	var parts []int
	for _, o := range near {
		if len(parts) < len(phrases) && side[o].Text == "" && saysPhrase(&side[o], whole, phrases[len(parts)]) {
			parts = append(parts, o)
		}
	}
	if len(parts) < len(phrases) {
		return nil
	}
	return parts
}

// saysPhrase reports whether the name of an action says one phrase of the name of whole. If only one of
// them names the object, the other call names it in an argument, such as article_id.
func saysPhrase(a, whole *boundary.Action, phrase []string) bool {
	if mutation.SameName(strings.Join(phrase, "_"), a.Name) {
		return true
	}
	words, other := a.Words(), whole
	if len(words) < len(phrase) {
		words, phrase, other = phrase, words, a
	}
	return len(phrase) == 1 && len(words) > 1 && words[0] == phrase[0] && !slices.ContainsFunc(words[1:], func(w string) bool {
		return !slices.ContainsFunc(other.Leaves, func(l similarity.Leaf) bool { return slices.Contains(mutation.NameWords(l.Key), w) })
	})
}

// joinedDeeds splits the words of a name at "and" and "then". A phrase that is only a verb
// has the object of the next one. It returns nil if there is one phrase.
func joinedDeeds(words []string) [][]string {
	var out [][]string
	from := 0
	for i, w := range words {
		if w == "and" || w == "then" {
			out, from = append(out, words[from:i]), i+1
		}
	}
	if from == 0 {
		return nil
	}
	out = append(out, words[from:])
	for i := len(out) - 1; i >= 0; i-- {
		switch {
		case len(out[i]) == 0:
			return nil
		case len(out[i]) == 1 && i+1 < len(out):
			out[i] = slices.Concat(out[i], out[i+1][1:])
		}
	}
	return out
}

// findStatementParts finds open calls each of which has a statement about one of the values in the list of
// whole's statement. Together they have all of these values.
func findStatementParts(whole *boundary.Action, side []boundary.Action, open []int, isOpen map[int]bool) []int {
	if len(open) < 2 || !whole.Writes() || !whole.Terms.Plain() || whole.Text != "" {
		return nil
	}
	for i := range whole.Leaves {
		if len(whole.Leaves[i].Raw) > 4096 || !strings.Contains(wordlist.Lower(whole.Leaves[i].Raw), " in ") {
			continue
		}
		if parts := matchStatementParts(whole, i, side, open, isOpen); parts != nil {
			return parts
		}
	}
	return nil
}

// matchStatementParts returns the open actions that together are the statement in a leaf, or nil.
func matchStatementParts(whole *boundary.Action, i int, side []boundary.Action, open []int, isOpen map[int]bool) []int {
	left := notation.OneByOne(similarity.Plain(whole.Leaves[i].Raw))
	if len(left) < 2 {
		return nil
	}
	var parts []int
	for _, o := range open[:min(len(open), mostParts)] {
		a := &side[o]
		if place, ok := differenceOf(a, whole); !ok || !isOpen[o] || place != i && place != everywhereEqual {
			continue
		}
		own, ok := notation.Statement(similarity.Plain(a.Leaves[i].Raw))
		if at := slices.IndexFunc(left, func(t []string) bool { return slices.Equal(t, own) }); ok && at >= 0 {
			left, parts = slices.Delete(left, at, at+1), append(parts, o)
		}
	}
	if len(left) > 0 {
		return nil
	}
	return parts
}

// findFolders finds the open calls that each make one of the folders which the line of whole makes at once, as mkdir a and
// mkdir a/b do for mkdir -p a/b. The outer folders may be there. It returns nil if there are not at least two.
func findFolders(whole *boundary.Action, side []boundary.Action, near []int) (parts []int) {
	for i := range whole.Leaves {
		line := similarity.Plain(whole.Leaves[i].Raw)
		if !strings.HasPrefix(line, "mkdir ") || len(line) > 4096 {
			continue
		}
		tokens, ok := readcmd.Tokens(line)
		if !ok {
			return nil
		}
		lines := notation.FoldersOf(tokens)
		for _, o := range near {
			place, ok := differenceOf(&side[o], whole)
			if !ok || place != i || len(lines) == 0 {
				continue
			}
			own := strings.TrimRight(similarity.Plain(side[o].Leaves[i].Raw), "/")
			if at := slices.Index(lines, own); at >= 0 && (len(parts) == 0 || at == 0) {
				parts, lines = append(parts, o), lines[at+1:]
			}
		}
		if len(parts) < 2 || len(lines) > 0 {
			return nil
		}
		return parts
	}
	return nil
}
