package equivalence

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/stage/relation"
)

// This file finds several calls that together have the values of one call: the elements
// of its list, the pieces of its text, or the steps towards its number.

// findListParts finds open actions that together do the same as whole, an action with
// lists. Each of them has some of the list elements, and all other arguments are equal.
// For example, three calls that assign one post each do the same as one call with a list
// of the three assignments. It returns nil if there are fewer than two parts, or if an
// element is in no part.
func (c *composer) findListParts(whole *boundary.Action, side []boundary.Action, open []int, isOpen map[int]bool, index *openIndex) []int {
	if !whole.Writes() || !whole.Terms.Plain() || !slices.ContainsFunc(whole.Leaves, func(l similarity.Leaf) bool {
		return strings.HasSuffix(l.Path, "[1]") || strings.Contains(l.Path, "[1].")
	}) {
		return nil
	}
	if index.countNamed(whole.Name, side, open) < 2 { // the parts have its name
		return nil
	}
	fixed, all := similarity.SplitLists(whole.Leaves)
	if len(all) < 2 {
		return nil
	}
	index.indexLists(side, open)
	left, rest := map[string]int{}, len(all)
	for _, e := range all {
		left[e]++
	}
	var parts []int
	for _, o := range index.listParts(whole.Name, fixed, left) {
		if !isOpen[o] || !side[o].Writes() {
			continue
		}
		_, elements := similarity.SplitLists(side[o].Leaves)
		if len(elements) < len(all) && takeElements(left, elements) { // each element is needed, and no other part has it
			parts, rest = append(parts, o), rest-len(elements)
		}
	}
	if len(parts) < 2 || rest > 0 {
		return nil
	}
	return parts
}

// takeElements removes elements from a count of elements. If some are not there, it
// changes nothing and returns false.
func takeElements(left map[string]int, elements []string) bool {
	for i, e := range elements {
		if left[e] == 0 {
			for _, taken := range elements[:i] {
				left[taken]++
			}
			return false
		}
		left[e]--
	}
	return true
}

// findTextParts finds actions with the name of whole that together have its arguments.
// Each argument is either equal in all of them, or their values in order make up the
// value of whole. For example, three short messages make up one long message. At least
// one argument must be made up of texts with words. It returns nil if there are no such
// actions. same is whether they are known to do what whole does: their headings are its
// heading, and no numbers add up.
func findTextParts(whole *boundary.Action, side []boundary.Action, near []int) (parts []int, same bool) {
	if !whole.Writes() || whole.Text != "" || !whole.Terms.Plain() {
		return nil, false
	}
	fits := func(o int) bool {
		return side[o].Name == whole.Name && side[o].Writes() && relation.HaveSamePaths(&side[o], whole)
	}
	if i := slices.IndexFunc(near, fits); i < 0 || !slices.ContainsFunc(near[i+1:], fits) {
		return nil, false
	}
	near = slices.DeleteFunc(slices.Clone(near), func(o int) bool { return !fits(o) })
	texts := make([]string, len(whole.Leaves))
	for i, w := range whole.Leaves {
		texts[i] = lettersAndDigits(w.Raw)
	}
	for from := range near {
		j := newJoiner(whole, texts)
		for to, o := range near[from:] {
			if !j.add(&side[o]) {
				break
			}
			if to > 0 && j.isWhole() {
				return near[from : from+to+1], !j.isOther
			}
		}
	}
	return nil, false
}

// joiner compares the arguments of actions, one after another, with those of one action.
type joiner struct {
	whole    *boundary.Action
	rest     []string   // for each argument: what of its text no part has had
	equal    []bool     // for each argument: every part has the same value as whole
	values   [][]string // for each argument: the values of the parts
	hasWords bool       // an argument was made up of texts with letters
	isOther  bool       // the parts have other headings, or numbers that add up: it is open whether they do the same
}

func newJoiner(whole *boundary.Action, texts []string) *joiner {
	j := joiner{whole: whole, rest: slices.Clone(texts), equal: make([]bool, len(texts)), values: make([][]string, len(texts))}
	for i := range j.equal {
		j.equal[i] = true
	}
	return &j
}

// add adds the arguments of a part. The part must have the same argument paths as whole.
// The result is false if the parts can no longer make up an argument of whole.
func (j *joiner) add(part *boundary.Action) bool {
	for i, l := range part.Leaves {
		j.equal[i] = j.equal[i] && l.Value == j.whole.Leaves[i].Value
		j.values[i] = append(j.values[i], similarity.Plain(l.Raw))
		if j.equal[i] {
			continue
		}
		piece := lettersAndDigits(l.Raw)
		rest, ok := strings.CutPrefix(j.rest[i], piece)
		if ok = ok && piece != ""; ok {
			j.rest[i] = rest
			j.hasWords = j.hasWords || strings.ContainsFunc(piece, unicode.IsLetter)
		}
		if !ok && (isHeading(l.Key) || isNumber(l.Raw) && isNumber(j.whole.Leaves[i].Raw)) {
			continue
		}
		if !ok && !mayBeRange(j.whole.Leaves[i].Raw) {
			return false
		}
		if _, err := strconv.Atoi(j.values[i][0]); !ok && err != nil {
			return false
		}
	}
	return true
}

// isWhole reports whether each argument is equal in all parts, or made up of their values.
func (j *joiner) isWhole() bool {
	for i, w := range j.whole.Leaves {
		if j.equal[i] || j.rest[i] == "" || isRangeOf(similarity.Plain(w.Raw), j.values[i]) {
			continue
		}
		if !isHeading(w.Key) && !addUp(similarity.Plain(w.Raw), j.values[i]) {
			return false
		}
		j.isOther = true
	}
	return j.hasWords
}

// isHeading reports whether an argument is the heading of the text in another one.
func isHeading(key string) bool {
	return wordlist.HasLast(" subject title heading headline topic ", mutation.NameWords(key))
}

func isNumber(raw string) bool {
	_, err := strconv.ParseFloat(similarity.Plain(raw), 64)
	return err == nil
}

// addUp reports whether numbers add up to a number.
func addUp(whole string, parts []string) bool {
	want, err := strconv.ParseFloat(whole, 64)
	sum := 0.0
	for _, p := range parts {
		n, err := strconv.ParseFloat(p, 64)
		if err != nil {
			return false
		}
		sum += n
	}
	return err == nil && math.Abs(sum-want) <= math.Abs(want)*1e-9
}

// lettersAndDigits returns the letters and digits of a value, without the characters that
// join pieces of a text, such as spaces and semicolons.
func lettersAndDigits(raw string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, similarity.Plain(raw))
}

// mayBeRange reports whether a value is longer than a number and has the characters of a
// range of numbers.
func mayBeRange(raw string) bool {
	return strings.Contains(raw, "–") || strings.Contains(raw, " to ") || strings.LastIndexByte(raw, '-') > 0
}

// isRangeOf reports whether a text such as "61-63" or "61 to 63" is the range of exactly
// the given values. The values must be whole numbers in ascending order without a gap.
func isRangeOf(text string, values []string) bool {
	first, last, ok := strings.Cut(strings.NewReplacer("–", "-", " to ", "-").Replace(text), "-")
	from, err := strconv.Atoi(strings.TrimSpace(first))
	to, err2 := strconv.Atoi(strings.TrimSpace(last))
	if !ok || err != nil || err2 != nil || to-from+1 != len(values) {
		return false
	}
	for i, v := range values {
		if v != strconv.Itoa(from+i) {
			return false
		}
	}
	return true
}

// findMoveParts finds two actions that together move a thing or start it again, as the action whole does
// alone. There are three cases:
//
//   - the first action stops the thing, and the second starts it;
//   - the first action takes the thing from its place, and the second puts it in the new place;
//   - the first action copies the thing, and the second deletes the original.
func findMoveParts(whole *boundary.Action, side []boundary.Action, near []int) []int {
	isRestart := hasVerb(whole, "restart", "reboot")
	if !isRestart && !hasVerb(whole, "move", "transfer", "relocate", "shift", "rename") {
		return nil
	}
	for i, first := range near {
		takes := hasVerb(&side[first], "remove", "take", "withdraw", "unload", "debit", "detach", "unassign", "pick", "delete")
		copies := hasVerb(&side[first], "copy", "duplicate", "clone")
		for _, second := range near[i+1:] {
			if isRestart && hasVerb(&side[first], "stop", "shutdown") && hasVerb(&side[second], "start", "boot") && haveSameValues(&side[first], whole) && haveSameValues(&side[second], whole) ||
				!isRestart && takes && hasVerb(&side[second], "add", "place", "put", "insert", "deposit", "load", "credit", "attach", "assign", "store") ||
				!isRestart && copies && hasVerb(&side[second], "delete", "remove", "unlink", "discard") {
				return []int{first, second}
			}
		}
	}
	return nil
}

// haveSameValues reports whether two actions have the same values at the same places.
func haveSameValues(a, b *boundary.Action) bool {
	return slices.EqualFunc(a.Leaves, b.Leaves, func(x, y similarity.Leaf) bool { return x.Path == y.Path && x.Value == y.Value })
}

// hasVerb reports whether one of the given verbs is the verb or the first word of an
// action's name. The first word is compared because words such as place are verbs only at
// the beginning.
func hasVerb(a *boundary.Action, verbs ...string) bool {
	words := a.Words()
	return slices.Contains(verbs, a.Deed().Verb) || len(words) > 1 && slices.Contains(verbs, words[0])
}

// findApproaches finds extra actions that change a number step by step, until the last
// action sets the value of a reference step. For example, the agent set 20, 21 and 22
// degrees, but the reference has only 22. There must be at least three actions that
// differ only in this number, and the number must always rise or always fall.
func (c *composer) findApproaches() {
	for row, s := range c.Steps {
		if s.Op != align.Match || c.IsGone(s.Obs) || !c.Obs[s.Obs].Writes() || len(c.Obs[s.Obs].Leaves) < 2 {
			continue
		}
		parts := []int{s.Obs}
		for r := row - 1; r >= 0 && len(parts) < mostParts && c.Steps[r].Op == align.Insertion && c.isOpen[c.Steps[r].Obs]; r-- {
			parts = append(parts, c.Steps[r].Obs)
		}
		slices.Reverse(parts)
		for len(parts) > 2 && !approaches(c.Obs, parts) {
			parts = parts[1:]
		}
		if len(parts) > 2 {
			c.addGroup(Group{Split: true, Obs: parts, Ref: []int{s.Ref}, Rule: "steps", Same: true})
		}
	}
}

// approaches reports whether actions differ only in one number, which rises or falls from
// each action to the next.
func approaches(actions []boundary.Action, parts []int) bool {
	place, sign := -1, 0
	for i := 1; i < len(parts); i++ {
		a, b := &actions[parts[i-1]], &actions[parts[i]]
		if a.Name != b.Name || !relation.HaveSamePaths(a, b) {
			return false
		}
		for k := range a.Leaves {
			if a.Leaves[k].Value == b.Leaves[k].Value {
				continue
			}
			x, err := strconv.ParseFloat(similarity.Plain(a.Leaves[k].Raw), 64)
			y, err2 := strconv.ParseFloat(similarity.Plain(b.Leaves[k].Raw), 64)
			if err != nil || err2 != nil || boundary.Identifies(a.Leaves[k].Key, a.Leaves[k].Value) || place >= 0 && place != k || sign != 0 && sign != cmp.Compare(y, x) {
				return false
			}
			place, sign = k, cmp.Compare(y, x)
		}
	}
	return place >= 0
}

// isShortcut reports whether a name has a word for doing several things at once or in a
// short way.
func isShortcut(name string) bool {
	for _, w := range mutation.NameWords(name) {
		switch w {
		case "quick", "quickly", "fast", "express", "direct", "bulk", "batch", "mass", "everywhere", "instant", "auto", "automatic", "automatically", "macro", "shortcut", "oneclick", "onestep", "complete", "full", "entire", "combined", "simple", "simplified",
			"process", "handle", "perform", "onboard", "offboard", "provision", "finalize", "finalise", "pipeline", "workflow", "routine", "procedure", "wizard":
			return true
		}
	}
	return false
}
