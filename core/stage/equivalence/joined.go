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
func (c *composer) findTextParts(whole *boundary.Action, side []boundary.Action, near []int) (parts []int, same bool) {
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
	goals := newGoals(whole, c.piecesOf(whole))
	for from := range near {
		j := newJoiner(goals)
		for to, o := range near[from:] {
			if !j.add(c.piecesOf(&side[o])) {
				break
			}
			if to > 0 && j.isWhole() {
				return near[from : from+to+1], !j.isOther
			}
		}
	}
	return nil, false
}

// piece is an argument as a possible part of another one.
type piece struct {
	value    string
	plain    string // without quotes
	letters  string // its letters and digits alone
	isWord   bool   // it has a letter
	number   float64
	isNumber bool
}

// piecesOf returns the arguments of an action as pieces. They are made once for each action.
func (c *composer) piecesOf(a *boundary.Action) []piece {
	pieces, known := c.pieces[a]
	if !known {
		if c.pieces == nil {
			c.pieces = map[*boundary.Action][]piece{}
		}
		pieces = make([]piece, len(a.Leaves))
		for i := range a.Leaves {
			plain := similarity.Plain(a.Leaves[i].Raw)
			p := piece{value: a.Leaves[i].Value, plain: plain, letters: lettersAndDigits(plain)}
			p.isWord = strings.ContainsFunc(p.letters, unicode.IsLetter)
			if n, err := strconv.ParseFloat(plain, 64); err == nil {
				p.number, p.isNumber = n, true
			}
			pieces[i] = p
		}
		c.pieces[a] = pieces
	}
	return pieces
}

// goal is an argument that the arguments of several parts may make up.
type goal struct {
	piece
	isHeading  bool
	mayBeRange bool
	first      int // of a range such as "61-63"
	length     int // of that range; 0 if it is none
}

func newGoals(whole *boundary.Action, pieces []piece) []goal {
	goals := make([]goal, len(pieces))
	for i, p := range pieces {
		goals[i] = goal{piece: p, isHeading: isHeading(whole.Leaves[i].Key), mayBeRange: mayBeRange(whole.Leaves[i].Raw)}
		if goals[i].mayBeRange {
			goals[i].first, goals[i].length = readRange(p.plain)
		}
	}
	return goals
}

// joiner compares the arguments of actions, one after another, with those of one action.
type joiner struct {
	goals    []goal
	had      []joined // for each goal
	parts    int
	hasWords bool // an argument was made up of texts with letters
	isOther  bool // the parts have other headings, or numbers that add up: it is open whether they do the same
}

// joined is what the parts had so far for a goal.
type joined struct {
	rest       string // what of its text no part has had
	differs    bool   // a part has another value
	sum        float64
	hasOther   bool // a part's value is not a number
	startsElse bool // the first part's value is not a whole number
	isNoRange  bool // the values are not those from the start of the range
}

func newJoiner(goals []goal) *joiner {
	j := joiner{goals: goals, had: make([]joined, len(goals))}
	for i := range goals {
		j.had[i].rest = goals[i].letters
	}
	return &j
}

// add adds the arguments of a part. The part must have the same argument paths as the whole.
// The result is false if the parts can no longer make up an argument of it.
func (j *joiner) add(part []piece) bool {
	for i := range part {
		p, g, h := &part[i], &j.goals[i], &j.had[i]
		h.sum += p.number
		h.differs = h.differs || p.value != g.value
		h.hasOther = h.hasOther || !p.isNumber
		if g.mayBeRange {
			h.isNoRange = h.isNoRange || p.plain != strconv.Itoa(g.first+j.parts)
			if j.parts == 0 {
				_, err := strconv.Atoi(p.plain)
				h.startsElse = err != nil
			}
		}
		if !h.differs {
			continue
		}
		rest, ok := strings.CutPrefix(h.rest, p.letters)
		if ok = ok && p.letters != ""; ok {
			h.rest = rest
			j.hasWords = j.hasWords || p.isWord
		}
		if !ok && !g.isHeading && !h.addsUp(p, g) && (!g.mayBeRange || h.startsElse) {
			return false
		}
	}
	j.parts++
	return true
}

// addsUp reports whether the numbers so far, with that of a part, may still add up to that of the whole. A number of
// the other sign is no part of it, so the sum only grows.
func (h *joined) addsUp(part *piece, whole *goal) bool {
	return part.isNumber && whole.isNumber && part.number*whole.number >= 0 && math.Abs(h.sum) <= math.Abs(whole.number)*(1+1e-9)
}

// isWhole reports whether each argument is equal in all parts, or made up of their values.
func (j *joiner) isWhole() bool {
	for i := range j.goals {
		g, h := &j.goals[i], &j.had[i]
		if !h.differs || h.rest == "" || g.length == j.parts && !h.isNoRange {
			continue
		}
		if addsUp := g.isNumber && !h.hasOther && math.Abs(h.sum-g.number) <= math.Abs(g.number)*1e-9; !g.isHeading && !addsUp {
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

// lettersAndDigits returns the letters and digits of a text, without the characters that
// join pieces of it, such as spaces and semicolons.
func lettersAndDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// mayBeRange reports whether a value is longer than a number and has the characters of a
// range of numbers.
func mayBeRange(raw string) bool {
	return strings.Contains(raw, "–") || strings.Contains(raw, " to ") || strings.LastIndexByte(raw, '-') > 0
}

// readRange returns the first number of a text such as "61-63" or "61 to 63", and how many whole numbers it
// stands for. The length is 0 if the text is no range.
func readRange(text string) (first, length int) {
	one, other, ok := strings.Cut(strings.NewReplacer("–", "-", " to ", "-").Replace(text), "-")
	from, err := strconv.Atoi(strings.TrimSpace(one))
	to, err2 := strconv.Atoi(strings.TrimSpace(other))
	if !ok || err != nil || err2 != nil || to < from {
		return 0, 0
	}
	return from, to - from + 1
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
				!isRestart && takes && hasVerb(&side[second], "add", "place", "put", "insert", "deposit", "load", "credit", "attach", "assign", "store") && relation.MayMove(whole, &side[first], &side[second], false) ||
				!isRestart && copies && hasVerb(&side[second], "delete", "remove", "unlink", "discard") && relation.MayMove(whole, &side[second], &side[first], true) {
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
		case "quick", "quickly", "now", "fast", "express", "direct", "bulk", "batch", "mass", "everywhere", "instant", "auto", "automatic", "automatically", "macro", "shortcut", "oneclick", "onestep", "complete", "full", "entire", "combined", "simple", "simplified",
			"process", "handle", "perform", "onboard", "offboard", "provision", "finalize", "finalise", "pipeline", "workflow", "routine", "procedure", "wizard":
			return true
		}
	}
	return false
}
