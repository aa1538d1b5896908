package equivalence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/stage/relation"
)

// This file finds actions on another level than the reference, whatever they are called: one action in
// the place of several steps, or several actions in the place of one step. Whether both sides have the
// same effect stays open. Such a group only says of which type a violation is.

// findLevels finds the groups of two levels among what is still open. O(unmatched · mostParts²).
func (c *composer) findLevels() {
	actions, steps := countOpen(c.obs, c.isOpen), countOpen(c.ref, c.openRef)
	if actions > 0 && steps > 1 {
		c.findMerged()
	}
	if steps > 0 && actions > 1 {
		c.findSplit()
	}
}

func countOpen(at []int, isOpen map[int]bool) (n int) {
	for _, i := range at {
		if isOpen[i] {
			n++
		}
	}
	return n
}

// findMerged finds one action in the place of several steps.
func (c *composer) findMerged() {
	for _, o := range c.obs {
		a := &c.Obs[o]
		if !c.isOpen[o] || !a.Writes() || a.Text != "" {
			continue
		}
		steps := c.openActionsNear(c.rowOfObs[o], c.ref, c.openRef, c.rowOfRef)
		if len(steps) < 2 {
			continue
		}
		alone := c.countWrites(c.Obs, c.openActionsNear(c.rowOfObs[o], c.obs, c.isOpen, c.rowOfObs)) == 1
		parts, rule := c.mergedSteps(a, steps, alone)
		if parts == nil && alone && len(steps) > 2 {
			parts, rule = c.inPlaceOf(a, steps, false), "place"
		}
		if parts != nil {
			c.addGroup(Group{Obs: []int{o}, Ref: parts, Rule: rule})
		}
	}
}

// findSplit finds several actions in the place of one step.
func (c *composer) findSplit() {
	for _, r := range c.ref {
		if !c.openRef[r] || !c.Ref[r].Writes() || c.Ref[r].Text != "" {
			continue
		}
		done := c.openActionsNear(c.rowOfRef[r], c.obs, c.isOpen, c.rowOfObs)
		if len(done) < 2 || c.countWrites(c.Ref, c.openActionsNear(c.rowOfRef[r], c.ref, c.openRef, c.rowOfRef)) != 1 {
			continue
		}
		parts, rule := c.splitStep(&c.Ref[r], c.Obs, done), "level"
		if len(done) > 2 {
			if all := c.inPlaceOf(&c.Ref[r], done, true); len(all) > len(parts) {
				parts, rule = all, "place"
			}
		}
		if parts != nil {
			c.addGroup(Group{Split: true, Obs: parts, Ref: []int{r}, Rule: rule})
		}
	}
}

// inPlaceOf returns the actions of one side that stand in the place of whole, the only change of the other side there, or
// nil. There are three or more near it, and most of them are about what whole is about: they share a value or the
// object with it; of an action that says by its name that it does several things, one is enough. Those that share a value
// with one of these are parts, too. split says that the parts are observed. Whatever is
// observed has tools that the reference never uses. What takes something away has a part that does so, too.
// O(near² · arguments).
func (c *composer) inPlaceOf(whole *boundary.Action, near []int, split bool) (parts []int) {
	side, isShort := c.Ref, !split && (isShortcut(whole.Name) || len(joinedDeeds(whole.Words())) > 1)
	if split {
		side = c.Obs
	} else if c.usesTool(whole) || isPreparatory(whole.Deed().Class) && !isShort {
		return nil
	}
	var left []int
	for _, o := range near {
		if a := &side[o]; a.Text == "" && (a.Writes() || !split && c.Profile == boundary.SOP) && !(split && c.usesTool(a)) {
			left = append(left, o)
		}
	}
	if len(left) < 3 {
		return nil
	}
	all := len(left)
	take := func(isPart func(o int) bool) {
		left = slices.DeleteFunc(left, func(o int) bool {
			is := isPart(o)
			if is {
				parts = append(parts, o)
			}
			return is
		})
	}
	take(func(o int) bool { return c.sharesValue(&side[o], whole) || sharesObject(&side[o], whole) })
	if !isShort && (len(parts) < 2 || 2*len(parts) <= all) || !split && !c.namesNothingElse(whole, parts) {
		return nil
	}
	for range 2 {
		take(func(o int) bool {
			return slices.ContainsFunc(parts, func(p int) bool {
				return c.sharesValue(&side[o], &side[p]) || isShort && sharesObject(&side[o], &side[p])
			})
		})
	}
	if len(parts) < 2 {
		return nil
	}
	if slices.Sort(parts); takesAway(whole) && !slices.ContainsFunc(parts, func(o int) bool { return takesAway(&side[o]) }) {
		return nil
	}
	return parts
}

func sharesObject(a, b *boundary.Action) bool {
	d, e := a.Deed().Object, b.Deed().Object
	return len(d) > 0 && len(e) > 0 && relation.AreRelated(d, e)
}

func takesAway(a *boundary.Action) bool {
	class := a.Deed().Class
	return class == "delete" || class == "remove" || class == "cancel"
}

// usesTool reports whether the reference has a step with the name of an action. The names are collected once.
func (c *composer) usesTool(a *boundary.Action) bool {
	if c.tools == nil {
		c.tools = make(map[string]bool, len(c.Ref))
		for i := range c.Ref {
			c.tools[c.Ref[i].Name] = true
		}
	}
	return c.tools[a.Name]
}

func (c *composer) countWrites(side []boundary.Action, at []int) (n int) {
	for _, i := range at {
		if side[i].Writes() {
			n++
		}
	}
	return n
}

// mergedSteps returns the steps for which the action a stands, or nil. Its name says that it does several
// things at once and two steps share a value with it; or it is alone among the extra actions, names
// nothing that the steps do not name, and has the verb of two steps or most of their values; or its list names the
// things of several steps.
func (c *composer) mergedSteps(a *boundary.Action, steps []int, alone bool) (parts []int, rule string) {
	verb := cmp.Or(a.Deed().Verb, relation.FirstWord(a))
	var related []int
	writes, sameVerb, sameName, common := 0, 0, 0, 0
	for _, r := range steps {
		s := &c.Ref[r]
		shares, isVerb := c.sharesValue(a, s), verb != "" && cmp.Or(s.Deed().Verb, relation.FirstWord(s)) == verb && s.Writes()
		if !shares && !isVerb {
			continue
		}
		related = append(related, r)
		for _, is := range [...]struct {
			so bool
			n  *int
		}{{s.Writes(), &writes}, {isVerb, &sameVerb}, {s.Name == a.Name, &sameName}, {shares, &common}} {
			if is.so {
				*is.n++
			}
		}
	}
	switch {
	case len(related) < 2 || writes == 0:
		return nil, ""
	case sameName == 0 && common > 1 && (isShortcut(a.Name) || len(joinedDeeds(a.Words())) > 1):
		return c.spanOf(related, steps), "shortcut"
	case sameName == 0 && alone && sameVerb > 1 && common > 0 && c.namesNothingElse(a, related), c.listsSteps(a, related),
		sameName == 0 && alone && c.coversSteps(a, steps, related):
		return c.spanOf(related, steps), "level"
	}
	return nil, ""
}

// spanOf returns the steps from the first to the last of some, and those around them that share a value
// with one of them. Under the profile outcome, reads do not count.
func (c *composer) spanOf(some, steps []int) (span []int) {
	first, last := some[0], some[len(some)-1]
	for _, r := range steps {
		near := r >= first && r <= last || slices.ContainsFunc(some, func(s int) bool { return c.sharesValue(&c.Ref[r], &c.Ref[s]) })
		if near && (c.Profile != boundary.Outcome || c.Ref[r].Writes()) {
			span = append(span, r)
		}
	}
	if len(span) < 2 {
		return nil
	}
	return span
}

// coversSteps reports whether an action has more than half of the values of steps with several tools, more of them than
// any one step has, and names nothing that related steps do not name: it does at once what they do one after the other.
func (c *composer) coversSteps(a *boundary.Action, steps, related []int) bool {
	all, covered, ofOne, different, several, texts := 0, 0, 0, map[string]bool{}, false, longTexts(a)
	for _, r := range steps {
		if c.Ref[r].Text != "" {
			return false
		}
		several = several || c.Ref[r].Name != c.Ref[steps[0]].Name
		own := map[string]bool{}
		for i := range c.Ref[r].Leaves {
			l := &c.Ref[r].Leaves[i]
			if isOption(l) {
				continue
			}
			if all++; c.hasValue(a, l.Value) || isQuoted(texts, l.Value) {
				covered++
				own[l.Value], different[l.Value] = true, true
			}
		}
		ofOne = max(ofOne, len(own))
	}
	return several && 2*covered > all && len(different) > ofOne && c.namesNothingElse(a, related)
}

// mostTexts is the number of bytes of an action's texts in which values of steps are looked for.
const mostTexts = 1 << 12

// longTexts returns the texts of an action that may contain other values, such as a query; none if they are too long.
func longTexts(a *boundary.Action) (texts []string) {
	size := 0
	for i := range a.Leaves {
		if v := a.Leaves[i].Value; strings.Contains(v, " ") {
			texts, size = append(texts, v), size+len(v)
		}
		if size > mostTexts {
			return nil
		}
	}
	return texts
}

// isQuoted reports whether a text contains a value of at least four bytes.
func isQuoted(texts []string, value string) bool {
	return len(value) >= 4 && slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, value) })
}

// namesNothingElse reports whether each entity of an action is a value of one of some steps.
func (c *composer) namesNothingElse(a *boundary.Action, steps []int) bool {
	return !slices.ContainsFunc(a.Scope(), func(e string) bool {
		return !slices.ContainsFunc(steps, func(r int) bool { return c.hasValue(&c.Ref[r], e) })
	})
}

// listsSteps reports whether an action has a list, each element of which is a value of another one of some
// steps. If a step has the name of the action, the arguments outside lists differ at most in options.
func (c *composer) listsSteps(a *boundary.Action, steps []int) bool {
	taken := map[int]bool{}
	for i := range a.Leaves {
		l := &a.Leaves[i]
		if !strings.HasSuffix(l.Path, "]") {
			continue
		}
		at := slices.IndexFunc(steps, func(r int) bool {
			return !taken[r] && c.hasValue(&c.Ref[r], l.Value) && c.Ref[r].Writes() && doesAlike(a, &c.Ref[r])
		})
		if at < 0 || c.Ref[steps[at]].Name == a.Name && !differInOptions(a, &c.Ref[steps[at]]) {
			return false
		}
		taken[steps[at]] = true
	}
	return len(taken) > 1
}

// doesAlike reports whether two actions have one verb, or deeds of one kind, as rent_cars and rent_car.
func doesAlike(a, b *boundary.Action) bool {
	d, e := a.Deed(), b.Deed()
	return cmp.Or(d.Verb, relation.FirstWord(a)) == cmp.Or(e.Verb, relation.FirstWord(b)) || Kin(a, b) != "" || d.Class != "" && d.Class == e.Class
}

// differInOptions reports whether two calls differ outside lists at most in arguments that are true or false.
func differInOptions(a, b *boundary.Action) bool {
	has := make(map[[2]string]bool, len(b.Leaves))
	for i := range b.Leaves {
		has[[2]string{b.Leaves[i].Path, b.Leaves[i].Value}] = true
	}
	return !slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool {
		return !strings.Contains(l.Path, "[") && l.Raw != "true" && l.Raw != "false" && !has[[2]string{l.Path, l.Value}]
	})
}

// splitStep returns the actions that together stand for a step, or nil. Each has a value of the step, and
// two of them have values of it that those before them lack.
func (c *composer) splitStep(step *boundary.Action, side []boundary.Action, near []int) (parts []int) {
	covered, fresh := map[string]bool{}, 0
	for _, o := range near {
		a := &side[o]
		if a.NameKey() == step.NameKey() {
			return nil
		}
		if !a.Writes() || a.Text != "" || partsContradict(step, side, []int{o}) {
			continue
		}
		more, shares := false, false
		for i := range step.Leaves {
			l := &step.Leaves[i]
			if isOption(l) || !c.hasValue(a, l.Value) {
				continue
			}
			shares, more = true, more || !covered[l.Value]
			covered[l.Value] = true
		}
		if shares {
			parts = append(parts, o)
		}
		if more {
			fresh++
		}
	}
	if len(parts) < 2 || fresh < 2 && !areRounds(side, parts) {
		return nil
	}
	return parts
}

// areRounds reports whether one tool was called three times or more among some actions: many small moves on
// the thing of one step.
func areRounds(side []boundary.Action, parts []int) bool {
	rounds := map[string]int{}
	for _, o := range parts {
		if name := side[o].NameKey(); len(side[o].Scope()) > 0 {
			rounds[name]++
			if rounds[name] > 2 {
				return true
			}
		}
	}
	return false
}

// sharesValue reports whether two actions have a value in common that is no option.
func (c *composer) sharesValue(a, b *boundary.Action) bool {
	return slices.ContainsFunc(a.Leaves, func(l similarity.Leaf) bool { return !isOption(&l) && c.hasValue(b, l.Value) })
}

func isOption(l *similarity.Leaf) bool { return l.Raw == "true" || l.Raw == "false" }

// hasValue reports whether an action has a value. The values of each action are collected once.
func (c *composer) hasValue(a *boundary.Action, value string) bool {
	all, known := c.values[a]
	if !known {
		if c.values == nil {
			c.values = map[*boundary.Action]map[string]bool{}
		}
		all = make(map[string]bool, len(a.Leaves))
		for i := range a.Leaves {
			all[a.Leaves[i].Value] = true
		}
		c.values[a] = all
	}
	return all[value]
}

// findJumps finds an action that matches the last of several steps which change one number step by step,
// if the others are missing: the mirror of findApproaches.
func (c *composer) findJumps() {
	missing := 0
	for i := range c.Steps {
		switch s := &c.Steps[i]; {
		case s.Op == align.Deletion && c.openRef[s.Ref]:
			missing++
		case s.Op == align.Match && missing > 1 && c.Ref[s.Ref].Writes():
			c.findJumpsTo()
			return
		default:
			missing = 0
		}
	}
}

// findJumpsTo is findJumps where several steps before an action are missing.
func (c *composer) findJumpsTo() {
	for row, s := range c.Steps {
		if s.Op != align.Match || c.IsGone(s.Obs) || !c.Ref[s.Ref].Writes() || len(c.Ref[s.Ref].Leaves) < 2 {
			continue
		}
		parts := []int{s.Ref}
		for r := row - 1; r >= 0 && len(parts) < mostParts && c.Steps[r].Op == align.Deletion && c.openRef[c.Steps[r].Ref]; r-- {
			if c.Ref[c.Steps[r].Ref].Writes() {
				parts = append(parts, c.Steps[r].Ref)
			}
		}
		slices.Reverse(parts)
		for len(parts) > 2 && !approaches(c.Ref, parts) {
			parts = parts[1:]
		}
		if len(parts) > 2 {
			c.addGroup(Group{Obs: []int{s.Obs}, Ref: parts, Rule: "steps", Same: true})
		}
	}
}
