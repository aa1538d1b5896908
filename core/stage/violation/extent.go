package violation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/stage/relation"
)

// This file compares how far actions reach: lists that contain one another, ranges that
// contain one another, and work that a later step has to close.

// closesWork reports whether a reference step closes earlier work of the run, so that a run
// without it ends before its end state is consistent. There are three cases:
//
//   - The step ends or takes back what an earlier step of the run began: unlock after lock, off after on.
//   - The step finishes what an earlier step of the run made or took, and the run did none of the later steps.
//   - The step saves or records earlier changes, or rebuilds what is made from them, and the run did none of the later steps.
//   - The step closes a thing on which two or more earlier steps of the run worked, and the run did none of the later steps.
//
// It looks at the MostNear steps before it.
func (k *classifier) closesWork(ref int) bool {
	last := &k.Ref[ref]
	verb, isEnd := last.Deed().Verb, k.nextDone(ref) < 0
	if isEnd && (keepsWork(verb) || recordsWork(verb) && !k.isMoreOfTheSame(ref)) && k.wroteBefore(ref) {
		return true
	}
	if isEnd && k.closesThing(ref) {
		return true
	}
	for r := ref - 1; r >= max(0, ref-relation.MostNear); r-- {
		first := &k.Ref[r]
		if k.Steps[k.rowOfRef[r]].Obs < 0 || !first.Writes() {
			continue
		}
		if isEnd && relation.Finishes(first, last) || relation.SwitchesBack(first, last) {
			return true
		}
		if a, b := first.Scope(), last.Scope(); len(a) > 0 && len(b) > 0 && !relation.HaveCommonEntity(a, b) && !relation.NamesNew(first, last) {
			continue
		}
		if relation.Closes(first.Name, last.Name) || relation.EndsState(first, last) {
			return true
		}
	}
	return false
}

// stopsShort reports whether the run did two or more steps of a procedure as prescribed, and stopped before a step at its
// end that is neither more of what it did nor about another thing. It looks at the MostNear steps before it.
func (k *classifier) stopsShort(ref int) bool {
	if k.Profile != boundary.SOP || !k.wroteBefore(ref) || !k.followsSoFar() {
		return false
	}
	last, isOther, isSame := &k.Ref[ref], false, false
	for r := ref - 1; r >= max(0, ref-relation.MostNear); r-- {
		step := &k.Ref[r]
		if step.Name == last.Name {
			return false
		}
		isSame = isSame || relation.HaveCommonEntity(step.Scope(), last.Scope())
		isOther = isOther || slices.ContainsFunc(step.Leaves, func(l similarity.Leaf) bool {
			return boundary.Identifies(l.Key, l.Value) && slices.ContainsFunc(last.Leaves, func(own similarity.Leaf) bool { return own.Path == l.Path && own.Value != l.Value })
		})
	}
	return isSame || !isOther
}

// followsSoFar reports whether the run did two or more steps, left none out before the last of them, and changed nothing
// behind it. It looks once.
func (k *classifier) followsSoFar() bool {
	if k.follows == nil {
		done, row, left, gap := 0, 0, false, false
		for r := range k.Ref {
			if k.Steps[k.rowOfRef[r]].Obs < 0 {
				left = true
				continue
			}
			done, row, gap = done+1, max(row, k.rowOfRef[r]), gap || left
		}
		is := done > 1 && !gap && !slices.ContainsFunc(k.Steps[row+1:], func(s align.Step) bool { return s.Obs >= 0 && k.Obs[s.Obs].Writes() })
		k.follows = &is
	}
	return *k.follows
}

func keepsWork(verb string) bool { return verb == "save" || verb == "commit" || verb == "flush" }

// recordsWork reports whether a verb writes down what was done, or makes again what is made from what was changed.
func recordsWork(verb string) bool {
	return wordlist.Contains(" log record document rebuild reindex regenerate ", verb)
}

// closingVerbs are the verbs of steps that end the work on a thing.
const closingVerbs = " close complete finish finalize finalise end conclude sign_out sign_off check_out archive seal "

// closesThing reports whether a step ends the work on a thing with which two earlier steps of the run were about, or on
// one of a sort that no earlier step names, such as the job sheet of the work, and is not the work itself.
func (k *classifier) closesThing(ref int) bool {
	last, worked := &k.Ref[ref], 0
	if !wordlist.Contains(closingVerbs, last.Deed().Verb) || k.isMoreOfTheSame(ref) {
		return false
	}
	scope, isNew := last.Scope(), true
	isNamed := func(l similarity.Leaf) bool {
		return slices.ContainsFunc(last.Leaves, func(own similarity.Leaf) bool { return own.Path == l.Path || own.Value == l.Value })
	}
	for r := ref - 1; r >= max(0, ref-relation.MostNear) && worked < 2; r-- {
		if relation.HaveCommonEntity(k.Ref[r].Scope(), scope) && k.Steps[k.rowOfRef[r]].Obs >= 0 {
			worked++
		}
		isNew = isNew && !slices.ContainsFunc(k.Ref[r].Leaves, isNamed)
	}
	return worked > 1 || isNew && len(scope) > 0 && k.wroteBefore(ref)
}

// relations returns the relations of the run. It makes them at the first call.
func (k *classifier) relations() *relation.Run {
	if k.related == nil {
		k.related = relation.New(k.Case)
	}
	return k.related
}

// spans are units of time and of settings, in the plural. A number of them is how long or how strong, and not how much.
const spans = " seconds minutes hours days weeks months years degrees ms millis milliseconds volts amps bytes points retries attempts args params settings celsius status address class radius axis bonus "

// amountDiffers compares how much of something an action and its step handle, if a number of it is their only
// difference: 1 for more, -1 for less, 0 for no such difference. What is set is a state, and how much money is paid
// depends on more than its amount.
func amountDiffers(obs *boundary.Action, d *similarity.Difference) int {
	if len(d.Changed) != 1 || len(d.Extra)+len(d.Missing) > 0 || obs.Deed().Class == "update" || strings.Contains(d.Changed[0].Path, "[") {
		return 0
	}
	p := d.Changed[0]
	a, err := strconv.ParseFloat(similarity.Plain(p.Observed), 64)
	b, err2 := strconv.ParseFloat(similarity.Plain(p.Reference), 64)
	words := splitName(p.Key)
	if err != nil || err2 != nil || a <= 0 || b <= 0 || len(words) == 0 {
		return 0
	}
	last := words[len(words)-1]
	isCount := strings.HasSuffix(last, "s") && !strings.HasSuffix(last, "ss") && len(last) > 3 && !wordlist.Contains(spans, last)
	if !isCount && !wordlist.Contains(" kg g l ", last) {
		return 0
	}
	return cmp.Compare(a, b)
}

// isMoreOfTheSame reports whether one of the MostNear reference steps before a step has its verb, so
// that the verb is the work itself and not its end.
func (k *classifier) isMoreOfTheSame(ref int) bool {
	verb := k.Ref[ref].Deed().Verb
	for r := ref - 1; r >= max(0, ref-relation.MostNear); r-- {
		if k.Ref[r].Deed().Verb == verb {
			return true
		}
	}
	return false
}

func reversed(d *similarity.Difference) *similarity.Difference {
	r := similarity.Difference{Same: d.Same, Extra: d.Missing, Missing: d.Extra}
	for _, p := range d.Changed {
		r.Changed = append(r.Changed, similarity.Pair{Path: p.Path, Key: p.Key, Observed: p.Reference, Reference: p.Observed})
	}
	return &r
}

// isWiderPattern reports whether two actions differ in only one argument, and the first
// action has a wider pattern there. For example, "rc/*" is wider than "rc/2024-*".
func isWiderPattern(d *similarity.Difference) bool {
	if len(d.Extra)+len(d.Missing) > 0 || len(d.Changed) != 1 {
		return false
	}
	start, ok := strings.CutSuffix(similarity.Plain(d.Changed[0].Observed), "*")
	other := similarity.Plain(d.Changed[0].Reference)
	if whole := similarity.Plain(d.Changed[0].Observed); whole != other && strings.ReplaceAll(whole, "**/", "") == other {
		return true // in all folders below
	}
	return ok && start != "" && other != start && strings.HasPrefix(other, start)
}

// widens reports whether two actions differ only because the first action covers more.
// Its lists have more elements, or its range contains the range of the second action.
func widens(d *similarity.Difference, a, b *boundary.Action) bool {
	return hasLongerList(d, a, b) || len(d.Extra)+len(d.Missing) == 0 && hasWiderRange(d.Changed, a)
}

// hasLongerList reports whether two actions differ only in lists, and the lists of a have
// all elements of the lists of b and more. It returns false if b does not have such a
// list.
func hasLongerList(d *similarity.Difference, a, b *boundary.Action) bool {
	if len(d.Extra) == 0 || len(d.Missing) > 0 {
		return false
	}
	lists := map[string]bool{} // the lists that differ
	isElement := func(path string) bool {
		list, _, ok := strings.Cut(path, "[")
		lists[list+"\x00"] = true
		return ok
	}
	if slices.ContainsFunc(d.Extra, func(l similarity.Leaf) bool { return !isElement(l.Path) }) ||
		slices.ContainsFunc(d.Changed, func(p similarity.Pair) bool { return !isElement(p.Path) }) {
		return false
	}
	_, more := similarity.SplitLists(a.Leaves)
	_, fewer := similarity.SplitLists(b.Leaves)
	for list := range lists {
		if !slices.ContainsFunc(fewer, func(element string) bool { return strings.HasPrefix(element, list) }) {
			return false
		}
	}
	fewer = slices.DeleteFunc(fewer, func(element string) bool { return !lists[element[:strings.IndexByte(element, 0)+1]] })
	_, contains := similarity.WithoutElements(more, fewer)
	return contains
}

// rangeEnds has pairs of words for the two ends of a range.
var rangeEnds = [...][2]string{{"from", "to"}, {"start", "end"}, {"since", "until"}, {"after", "before"}, {"begin", "end"}, {"min", "max"}, {"first", "last"}, {"from", "until"}, {"lower", "upper"}}

// hasWiderRange reports whether all changed arguments are the ends of one range of action a, and
// the observed range contains the reference's range.
func hasWiderRange(changed []similarity.Pair, a *boundary.Action) bool {
	if len(changed) == 0 || len(changed) > 2 {
		return false
	}
	var words [2][]string
	var orders [2]int
	for i, p := range changed {
		order, ok := compareValues(similarity.Plain(p.Observed), similarity.Plain(p.Reference))
		if !ok {
			return false
		}
		words[i], orders[i] = mutation.NameWords(p.Key), order
	}
	return slices.ContainsFunc(rangeEnds[:], func(ends [2]string) bool {
		for i := range changed {
			if !(slices.Contains(words[i], ends[0]) && orders[i] < 0 || slices.Contains(words[i], ends[1]) && orders[i] > 0) {
				return false
			}
		}
		// a start alone is a point in time, and so is the end of what a deed extends
		return isLimit(ends) && (ends[1] != "until" || hasArgument(a, ends[0])) || hasArgument(a, ends[0]) && hasArgument(a, ends[1])
	})
}

// isLimit reports whether each of two words alone limits what an action reaches.
func isLimit(ends [2]string) bool {
	switch ends[0] {
	case "since", "after", "min", "lower":
		return true
	}
	return false
}

// hasArgument reports whether the name of an argument has a word.
func hasArgument(a *boundary.Action, word string) bool {
	return slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool { return slices.Contains(mutation.NameWords(l.Key), word) })
}

// compareValues compares two numbers, or two dates or times of the same form. The first
// result is negative if a is smaller, and positive if a is larger. The second result is
// false for other values, and for two equal numbers.
func compareValues(a, b string) (int, bool) {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	switch {
	case err == nil && err2 == nil && x < y:
		return -1, true
	case err == nil && err2 == nil:
		return 1, x > y
	case len(a) != len(b) || len(a) < len("14:00"):
		return 0, false
	}
	for i := range len(a) {
		digit := a[i] >= '0' && a[i] <= '9'
		if digit != (b[i] >= '0' && b[i] <= '9') || !digit && (a[i] != b[i] || strings.IndexByte("-:T Z.+", a[i]) < 0) {
			return 0, false
		}
	}
	return strings.Compare(a, b), true
}

// isOtherFilter reports whether a call picks what it acts on by another member of the object in which the reference says it.
func isOtherFilter(d *similarity.Difference) bool {
	return slices.ContainsFunc(d.Missing, func(m similarity.Leaf) bool {
		folder, _, ok := strings.Cut(m.Path, ".")
		return ok && isFilterKey(folder) && slices.ContainsFunc(d.Extra, func(l similarity.Leaf) bool { return strings.HasPrefix(l.Path, folder+".") })
	})
}
