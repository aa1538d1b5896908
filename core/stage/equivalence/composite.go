package equivalence

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/kind"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/stage/relation"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// Group is one action on one side, and several actions on the other side that do the same
// together. Split means that the agent took several actions for one reference step.
// Otherwise the agent took one action for several steps.
type Group struct {
	Split    bool
	Obs, Ref []int
	Same     bool   // both sides have the same effect, as far as the arguments show
	Rule     string // table, scope, list, text, fields, mended, sum, stretch, together, gesture, move, preparation, steps, level, place or shortcut
	Reason   string
	Rows     []int // of the alignment, in order
	linked   bool  // all its actions and steps have the same ruling, an excuse or a violation
}

// mostParts is the largest number of actions that count as the parts of one action.
const mostParts = 64

// composer finds groups among the rows that have no match. An action or step is open as
// long as it has no match and is in no group. O(unmatched · mostParts).
type composer struct {
	*judge
	obs, ref []int // unmatched, in order
	isOpen   map[int]bool
	openRef  map[int]bool
	groups   []Group
	openObs  openIndex
	openRefs openIndex
	values   map[*boundary.Action]map[string]bool // see hasValue
	pieces   map[*boundary.Action][]piece         // see piecesOf
	tools    map[string]bool                      // see usesTool
}

func (j *judge) composeGroups() []Group {
	extra := j.extraWrite()
	if !extra && !j.leavesOut() {
		return nil // both sides of a group must contain an action with an effect
	}
	c := composer{judge: j, isOpen: map[int]bool{}, openRef: map[int]bool{}}
	for row, s := range j.Steps {
		if j.isMatched(row) || s.Op == align.Substitution && j.out[row].Verdict != Violation && j.equalPair(s) {
			continue
		}
		if s.Obs >= 0 && j.moved.ofObs(s.Obs) < 0 && !j.Obs[s.Obs].Failed && !j.Obs[s.Obs].ByUser && !j.IsGone(s.Obs) {
			c.obs = append(c.obs, s.Obs)
			c.isOpen[s.Obs] = true
		}
		if s.Ref >= 0 && j.moved.ofRef(s.Ref) < 0 {
			c.ref = append(c.ref, s.Ref)
			c.openRef[s.Ref] = true
		}
	}
	if len(c.obs) == 0 || !extra {
		c.findJumps()
		return c.groups
	}
	slices.Sort(c.obs)
	slices.Sort(c.ref)
	for _, r := range c.ref {
		if g, ok := c.findParts(&j.Ref[r], j.Obs, c.obs, c.isOpen, &c.openObs, c.rowOfRef[r], c.rowOfObs); ok && c.openRef[r] {
			g.Split, g.Ref = true, []int{r}
			c.addGroup(g)
		}
		if c.openRef[r] && len(c.obs) > 1 && j.Profile == boundary.Outcome && relation.IsMendable(&j.Ref[r]) {
			if parts := c.findMended(&j.Ref[r], j.Obs, c.openActionsNear(c.rowOfRef[r], c.obs, c.isOpen, c.rowOfObs)); parts != nil {
				c.addGroup(Group{Split: true, Obs: parts, Ref: []int{r}, Rule: "mended", Same: true})
			}
		}
	}
	for _, o := range c.obs {
		if !c.isOpen[o] {
			continue
		}
		if g, ok := c.findParts(&j.Obs[o], j.Ref, c.ref, c.openRef, &c.openRefs, c.rowOfObs[o], c.rowOfRef); ok {
			g.Obs, g.Ref = []int{o}, g.Obs
			c.addGroup(g)
		}
	}
	c.findPreparations()
	c.findApproaches()
	c.findScripts()
	c.findJumps()
	c.findLevels()
	for _, o := range c.obs {
		if c.isOpen[o] && j.moved.nearObs[o] < 0 && c.judgeUneven(action, o) {
			delete(c.isOpen, o)
		}
	}
	for _, r := range c.ref {
		if c.openRef[r] && j.moved.nearRef[r] < 0 {
			c.judgeUneven(step, r)
		}
	}
	return c.groups
}

// findPreparations finds extra actions that only prepare the next action, which matches a
// reference step. For example, the agent called compose and attach before send_email, but
// the reference has only send_email.
func (c *composer) findPreparations() {
	for row, s := range c.Steps {
		if s.Op != align.Match || c.IsGone(s.Obs) || !c.Obs[s.Obs].Writes() || !c.Obs[s.Obs].Deed().Effectful() {
			continue
		}
		parts := []int{s.Obs}
		for r := row - 1; r >= 0 && len(parts) < mostParts && c.Steps[r].Op == align.Insertion; r-- {
			if o := c.Steps[r].Obs; !c.isOpen[o] || !Constituent(&c.Obs[o], &c.Obs[s.Obs]) {
				break
			} else {
				parts = append(parts, o)
			}
		}
		slices.Reverse(parts)
		if len(parts) > 1 && !partsExceed(&c.Ref[s.Ref], c.Obs, parts) {
			c.addGroup(Group{Split: true, Obs: parts, Ref: []int{s.Ref}, Rule: "preparation", Same: true})
		}
	}
}

// extraWrite reports whether the run has an action with an effect that equals no
// reference step.
func (j *judge) extraWrite() bool {
	for row, s := range j.Steps {
		if s.Obs >= 0 && !j.isMatched(row) && j.Obs[s.Obs].Writes() && j.moved.ofObs(s.Obs) < 0 && !j.IsGone(s.Obs) {
			return true
		}
	}
	return false
}

// leavesOut reports whether two steps with an effect that no action did stand before one that was done.
func (j *judge) leavesOut() bool {
	left := 0
	for _, s := range j.Steps {
		switch {
		case s.Op == align.Deletion && j.Ref[s.Ref].Writes():
			left++
		case s.Op == align.Match && left > 1 && j.Ref[s.Ref].Writes():
			return true
		}
	}
	return false
}

// isMatched reports whether the alignment matches the action and the step of a row, and
// their arguments do not differ, although the action may have come too early. The alignment also matches actions that are only similar.
func (j *judge) isMatched(row int) bool {
	if s := j.Steps[row]; s.Obs >= 0 && j.IsGone(s.Obs) {
		return false
	}
	return (j.Steps[row].Op == align.Match || j.out[row].same) && (j.out[row].Verdict != Violation || j.out[row].Kind == Late)
}

func (j *judge) equalPair(s align.Step) bool {
	d := similarity.Compare(&j.Obs[s.Obs].Call, &j.Ref[s.Ref].Call, j.Ref[s.Ref].Terms)
	return d.Equal()
}

// addGroup records a group of actions, and sets its rows and its reason. From then on, no
// other group can contain these actions.
func (c *composer) addGroup(g Group) {
	for _, o := range g.Obs {
		delete(c.isOpen, o)
		g.Rows = append(g.Rows, c.rowOfObs[o])
	}
	for _, r := range g.Ref {
		delete(c.openRef, r)
		g.Rows = append(g.Rows, c.rowOfRef[r])
	}
	slices.Sort(g.Rows)
	g.Rows = slices.Compact(g.Rows)
	g.Same = g.Same && (g.Rule == "mended" || !c.madeInParts(&g))
	g.Reason = c.groupReason(&g)
	c.groups = append(c.groups, g)
}

func (c *composer) groupReason(g *Group) string {
	if g.Split {
		return sentences.Split.With(joinNames(c.Obs, g.Obs), c.Ref[g.Ref[0]].Name, ruleReason(g.Rule))
	}
	return sentences.Merged.With(c.Obs[g.Obs[0]].Name, strconv.Itoa(len(g.Ref)), joinNames(c.Ref, g.Ref), ruleReason(g.Rule))
}

func ruleReason(rule string) string {
	switch rule {
	case "table":
		return sentences.ByTable.With()
	case "scope":
		return sentences.ByScope.With()
	case "list":
		return sentences.ByList.With()
	case "text":
		return sentences.ByText.With()
	case "move":
		return sentences.ByMove.With()
	case "steps":
		return sentences.BySteps.With()
	case "shortcut":
		return sentences.ByShortcut.With()
	case "place":
		return sentences.ByPlace.With()
	case "level":
		return sentences.ByLevel.With()
	case "gesture":
		return sentences.ByGesture.With()
	case "sum":
		return sentences.BySum.With()
	case "stretch":
		return sentences.ByStretch.With()
	case "together":
		return sentences.ByTogether.With()
	case "fields":
		return sentences.ByFields.With()
	case "mended":
		return sentences.ByMending.With()
	}
	return sentences.ByPreparation.With()
}

// joinNames returns the names of the actions with the given indices, separated by commas.
// Adjacent equal names are counted, for example "3 × delete_file".
func joinNames(actions []boundary.Action, at []int) string {
	var out []string
	for i := 0; i < len(at); {
		n := i
		for n < len(at) && actions[at[n]].Name == actions[at[i]].Name {
			n++
		}
		if name := actions[at[i]].Name; n-i > 1 {
			out = append(out, sentences.Times.With(strconv.Itoa(n-i), name))
		} else {
			out = append(out, name)
		}
		i = n
	}
	return strings.Join(out, ", ")
}

// madeInParts reports whether several actions of one tool each make a thing of which the other side
// makes one, such as three orders of one item for an order of three items. A list of what is made,
// such as the labels of create_labels, may be made in parts.
func (c *composer) madeInParts(g *Group) bool {
	whole, part := &c.Obs[g.Obs[0]], &c.Ref[g.Ref[0]]
	if g.Split {
		whole, part = part, whole
	}
	const making = " create order open generate compose "
	d, words := whole.Deed(), whole.Words()
	if whole.Name != part.Name || len(words) == 0 || !wordlist.Contains(making, d.Verb) && !wordlist.Contains(making, words[0]) {
		return false
	}
	thing := d.Verb // of create_order
	if n := len(d.Object); n > 0 {
		thing = d.Object[n-1]
	}
	if !wordlist.Contains(making, d.Verb) {
		thing = words[len(words)-1] // of create_test_order
	}
	if strings.Contains(strings.ToLower(whole.Name), thing+"s") {
		return false // several by its name
	}
	return !slices.ContainsFunc(whole.Leaves, func(l similarity.Leaf) bool {
		list, _, ok := strings.Cut(l.Path, "[")
		return ok && relation.SameKey(list[strings.LastIndexByte(list, '.')+1:], thing)
	})
}

// findParts looks for actions of one side that together do what the action whole of the
// other side does alone. Only open actions are considered, which have no match and are in
// no other group. The field Obs of the returned group has their indices, even if they are
// reference steps. The second result is false if there are no such actions.
func (c *composer) findParts(whole *boundary.Action, side []boundary.Action, open []int, isOpen map[int]bool, index *openIndex, row int, rowOf []int) (Group, bool) {
	if parts := c.findObjectParts(whole, side, open, isOpen, index); parts != nil {
		return Group{Obs: parts, Rule: "list", Same: true}, true
	}
	if g, ok := c.findUnion(whole, side, open, isOpen, index); ok {
		return g, true
	}
	if parts := c.findListParts(whole, side, open, isOpen, index); parts != nil {
		return Group{Obs: parts, Rule: "list", Same: true}, true
	}
	if parts := findStatementParts(whole, side, open, isOpen); parts != nil {
		return Group{Obs: parts, Rule: "list", Same: true}, true
	}
	near := c.openActionsNear(row, open, isOpen, rowOf)
	if len(near) < 2 {
		return Group{}, false
	}
	if parts := findFolders(whole, side, near); parts != nil {
		return Group{Obs: parts, Rule: "list", Same: true}, true
	}
	if parts, same := c.findTextParts(whole, side, near); parts != nil {
		return Group{Obs: parts, Rule: "text", Same: same}, true
	}
	if parts := findFieldUpdates(whole, side, near); parts != nil {
		return Group{Obs: parts, Rule: "fields", Same: setsValue(whole)}, true
	}
	if parts, same := findAddends(whole, side, near); parts != nil {
		return Group{Obs: parts, Rule: "sum", Same: same}, true
	}
	if len(near) > 1 && len(whole.Leaves) > 1 && whole.Writes() && side[near[0]].Name == whole.Name && side[near[1]].Name == whole.Name {
		if parts := findPages(whole, side, near); parts != nil {
			return Group{Obs: parts, Rule: "sum"}, true
		}
	}
	if parts := findStretches(whole, side, near); parts != nil {
		return Group{Obs: parts, Rule: "stretch"}, true
	}
	if parts := findLumped(whole, side, near); parts != nil {
		return Group{Obs: parts, Rule: "together"}, true
	}
	if parts := findNamedParts(whole, side, near); parts != nil && !partsContradict(whole, side, parts) {
		return Group{Obs: parts, Rule: "shortcut", Same: partsCover(whole, side, parts) && !partsExceed(whole, side, parts)}, true
	}
	for _, comp := range c.Vocabulary.Made(whole.Name) {
		if parts := findSequence(side, near, comp.Parts); parts != nil {
			return Group{Obs: parts, Rule: "table", Same: partsCover(whole, side, parts)}, true
		}
	}
	if parts, spelt := findGesture(whole, side, near); parts != nil && (!partsContradict(whole, side, parts) || inputMotion(whole) == "drag" && partsCover(whole, side, parts)) {
		return Group{Obs: parts, Rule: "gesture", Same: spelt || partsCover(whole, side, parts)}, true
	}
	if parts := findHandMotions(whole, side, near); parts != nil && !partsContradict(whole, side, parts) && !partsExceed(whole, side, parts) {
		return Group{Obs: parts, Rule: "gesture", Same: partsCover(whole, side, parts)}, true
	}
	if parts := findMoveParts(whole, side, near); parts != nil && partsCover(whole, side, parts) && !partsExceed(whole, side, parts) {
		if all := c.splitStep(whole, side, near); len(all) > len(parts) {
			return Group{Obs: all, Rule: "level"}, true
		}
		return Group{Obs: parts, Rule: "move", Same: true}, true
	}
	isOfRun := len(side) > 0 && len(c.Obs) > 0 && &side[0] == &c.Obs[0]
	if parts := findPreparedAct(whole, side, near); parts != nil && !(isOfRun && c.ActsOnOther(parts)) && !partsContradict(whole, side, parts) && (partsCoverBut(whole, side, parts, kind.IsMessage) || partsAreBare(side, parts)) {
		return Group{Obs: parts, Rule: "preparation", Same: partsCover(whole, side, parts) && !partsExceed(whole, side, parts)}, true
	}
	return Group{}, false
}

// openActionsNear returns the open actions of one side, the run or the reference, that
// are near a row. In each direction, it stops before the next matched action that has an
// effect, and after a fixed number of rows.
func (c *composer) openActionsNear(row int, open []int, isOpen map[int]bool, rowOf []int) []int {
	from, to := row, row
	for from > 0 && row-from < 2*mostParts && !c.isWall(from-1) {
		from--
	}
	for to+1 < len(c.Steps) && to-row < 2*mostParts && !c.isWall(to+1) {
		to++
	}
	var out []int
	first := sort.Search(len(open), func(i int) bool { return rowOf[open[i]] >= from })
	for _, o := range open[first:] {
		if rowOf[o] > to || len(out) == mostParts {
			break
		}
		if isOpen[o] {
			out = append(out, o)
		}
	}
	return out
}

func (c *composer) isWall(row int) bool {
	s := c.Steps[row]
	return c.isMatched(row) && (c.Obs[s.Obs].Writes() || c.Ref[s.Ref].Writes())
}

// findUnion finds open actions that together do the same as whole, an action with several
// entities. Each of the open actions handles only some of these entities. For example,
// five calls that delete one file each do the same as one call that deletes five files.
func (c *composer) findUnion(whole *boundary.Action, side []boundary.Action, open []int, isOpen map[int]bool, index *openIndex) (Group, bool) {
	if !whole.Writes() || listsObjects(whole) || slices.ContainsFunc(whole.Leaves, takesOut) {
		return Group{}, false
	}
	lists := listKeys(whole)
	scope := entitiesOf(whole, lists)
	if len(scope) < 2 {
		return Group{}, false
	}
	index.indexEntities(side, open)
	within := index.findWithin(scope)
	if len(within) < 2 {
		return Group{}, false
	}
	w := newWholeAction(whole, scope, lists)
	covered, shared := map[string]int{}, commonScope(whole)
	var parts []int
	for _, o := range within {
		a := &side[o]
		if !isOpen[o] || len(parts) > 4096 || !a.Writes() || !sameDeed(a, whole) {
			continue
		}
		own := entitiesOf(a, lists)
		if len(own) == 0 || len(own) >= len(scope) || !w.holdsAll(own) || !w.fitsPart(a) || !sameRoles(a, whole) {
			continue
		}
		fresh := false
		for _, e := range own {
			fresh = fresh || covered[e] == 0 && !shared[e]
			covered[e]++
		}
		if fresh {
			parts = append(parts, o)
		}
	}
	if len(parts) < 2 || len(covered) < len(scope) {
		return Group{}, false
	}
	return Group{Obs: parts, Rule: "scope", Same: true}, true
}

// sameRoles reports whether each value of a part that the whole has, too, stands there in an
// argument that may say the same (see sameRole).
func sameRoles(part, whole *boundary.Action) bool {
	for i := range part.Leaves {
		l := &part.Leaves[i]
		known, same := false, false
		for k := range whole.Leaves {
			if w := &whole.Leaves[k]; w.Value == l.Value {
				known = true
				if same = sameRole(*l, part, *w, whole); same {
					break
				}
			}
		}
		if known && !same {
			return false
		}
	}
	return true
}

// takesOut reports whether an argument names things on which an action does not act, as
// except=[3] does. The entities of such an action are not the ones that it acts on.
func takesOut(l similarity.Leaf) bool {
	switch l.Raw {
	case "true", "false", "null":
		return false
	}
	return slices.ContainsFunc(mutation.NameWords(l.Path), func(w string) bool {
		return wordlist.Contains("except excepting exclude excluded excludes excluding exclusion exclusions without but skip skipped skips omit omitted ignore ignored not unless", w)
	})
}

// listKeys returns the singular forms of the plural names under which an action has a list
// of plain values. For example, names is such a name in {"names":["Ann","Bob"]}. A part of
// the action has one of the values as its name.
func listKeys(a *boundary.Action) []string {
	var out []string
	for i := range a.Leaves {
		l := &a.Leaves[i]
		if !strings.HasSuffix(l.Path, "[1]") {
			continue
		}
		key := strings.ToLower(l.Key)
		if one := mutation.WordForm(key); one != key || key == "to" || key == "cc" || key == "bcc" { // an address, or a list of them
			out = append(out, one)
		}
	}
	return out
}

// isListed reports whether an argument has a name in lists, in the singular or plural.
func isListed(l *similarity.Leaf, lists []string) bool {
	return len(lists) > 0 && slices.Contains(lists, mutation.WordForm(strings.ToLower(l.Key)))
}

// entitiesOf returns the entities that an action names, and the values of its arguments
// with a name in lists, sorted, each once. The caller must not change the result.
func entitiesOf(a *boundary.Action, lists []string) []string {
	out := a.Scope()
	if !slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool { return isListed(&l, lists) && !slices.Contains(out, l.Value) }) {
		return out
	}
	out = slices.Clone(out)
	for i := range a.Leaves {
		if l := &a.Leaves[i]; isListed(l, lists) {
			out = append(out, l.Value)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// commonScope returns the entities of an action that are outside its lists. If the action
// is done in parts, every part has these entities. For example, if several files of one
// folder are deleted one by one, every deletion names the folder.
func commonScope(a *boundary.Action) map[string]bool {
	out := map[string]bool{}
	for _, l := range a.Leaves {
		if !strings.Contains(l.Path, "[") && boundary.Identifies(l.Key, l.Value) {
			out[l.Value] = true
		}
	}
	return out
}

// sameDeed reports whether the names of two actions are the same (see sameName), or have
// verbs that are one deed on the same object. A name without an object fits any object.
func sameDeed(a, b *boundary.Action) bool {
	if sameName(a, b) {
		return true
	}
	d, e := deedOf(a), deedOf(b)
	return (len(d.Object) == 0 || len(e.Object) == 0 || sameObject(d, e)) && sameVerb(d, e) && !leavesPlace(a, b)
}

// findSequence returns the indices of the first actions that have the given names in the
// given order. It returns nil if a name is missing.
func findSequence(side []boundary.Action, near []int, names []string) []int {
	var parts []int
	for _, o := range near {
		if len(parts) < len(names) && side[o].Name == names[len(parts)] {
			parts = append(parts, o)
		}
	}
	if len(parts) < len(names) {
		return nil
	}
	return parts
}

// partsCover reports whether every argument value of the whole appears in one of its
// parts.
func partsCover(whole *boundary.Action, side []boundary.Action, parts []int) bool {
	return partsCoverBut(whole, side, parts, func(similarity.Leaf) bool { return false })
}

// partsCoverBut is like partsCover, but it skips the arguments for which skip is true.
func partsCoverBut(whole *boundary.Action, side []boundary.Action, parts []int, skip func(similarity.Leaf) bool) bool {
	for _, w := range whole.Leaves {
		if whole.Terms.Ignores(w.Path) || skip(w) {
			continue
		}
		if !slices.ContainsFunc(parts, func(p int) bool {
			return slices.ContainsFunc(side[p].Leaves, func(l similarity.Leaf) bool { return l.Value == w.Value })
		}) {
			return false
		}
	}
	return true
}

// partsAreBare reports whether none of the parts has arguments. Then only their names can
// be compared.
func partsAreBare(side []boundary.Action, parts []int) bool {
	return !slices.ContainsFunc(parts, func(p int) bool { return len(side[p].Leaves) > 0 })
}

// partsContradict reports whether a part has a different value for an argument of the
// whole. The wording of a message does not count.
func partsContradict(whole *boundary.Action, side []boundary.Action, parts []int) bool {
	for _, p := range parts {
		for _, l := range side[p].Leaves {
			for _, w := range whole.Leaves {
				if w.Path == l.Path && w.Value != l.Value && !whole.Terms.Ignores(w.Path) && !kind.IsMessage(w) {
					return true
				}
			}
		}
	}
	return false
}

// partsExceed reports whether a part names an entity that the whole does not name. Ids of
// a draft or a session do not count, because they refer to unfinished work.
func partsExceed(whole *boundary.Action, side []boundary.Action, parts []int) bool {
	for _, p := range parts {
		for _, l := range side[p].Leaves {
			if !boundary.Identifies(l.Key, l.Value) || strings.HasPrefix(l.Key, "draft") || strings.HasPrefix(l.Key, "session") {
				continue
			}
			if !slices.ContainsFunc(whole.Leaves, func(w similarity.Leaf) bool { return w.Value == l.Value }) {
				return true
			}
		}
	}
	return false
}

// levelDifference returns the difference between the number of observed actions and the
// number of reference steps in a group. A step with a stated granularity counts as that
// many actions.
func (c *judge) levelDifference(g *Group) float64 {
	count := func(side []boundary.Action, at []int) (n float64) {
		for _, i := range at {
			if s := side[i].Stated; s != nil && s.Gran > 0 {
				n += s.Gran
			} else {
				n++
			}
		}
		return n
	}
	return math.Abs(count(c.Obs, g.Obs) - count(c.Ref, g.Ref))
}

// judgeGroup judges the rows of a group. It excuses them if both sides have the same
// effect and one of these conditions is true:
//
//   - the numbers of actions differ by at most ThetaG;
//   - the profile is outcome, no step of the group is required, and the user did not ask for one call.
//
// If the rows are not excused and the numbers differ by more than ThetaG, all rows
// together are one granularity violation.
func (j *judge) judgeGroup(g *Group) {
	required := false
	for _, r := range g.Ref {
		required = required || j.Ref[r].Required && j.Profile == boundary.Outcome
	}
	near := j.levelDifference(g) <= j.ThetaG
	switch {
	case near && g.Same, g.Same && j.Profile == boundary.Outcome && !required && !(g.Split && j.IsToldAtOnce(&j.Ref[g.Ref[0]])):
		j.setGroup(g, Ruling{Verdict: Excused, Stage: Effect, Reason: g.Reason})
		return
	case near: // the number of actions is not an error, but their effect may be
		return
	}
	j.setGroup(g, Ruling{Verdict: Violation, Kind: Granular, Reason: g.Reason, Group: g})
}

// setGroup sets the ruling on all actions and steps of a group.
func (j *judge) setGroup(g *Group, r Ruling) {
	g.linked = true
	for _, o := range g.Obs {
		j.setHalf(j.rowOfObs[o], action, r)
	}
	for _, s := range g.Ref {
		j.setHalf(j.rowOfRef[s], step, r)
	}
}
