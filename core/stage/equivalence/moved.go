package equivalence

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/kind"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/stage/relation"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// moves pairs observed actions with equal reference steps that the alignment left
// unmatched, because an alignment keeps the order of both sides. The fields obs and ref
// have these pairs.
//
// nearObs and nearRef pair other actions and steps that share a name and an entity. Such
// a step was done at another position with different arguments.
type moves struct{ obs, ref, nearObs, nearRef []int }

func (m moves) ofObs(i int) int { return m.obs[i] }
func (m moves) ofRef(i int) int { return m.ref[i] }

// pairMoved pairs each unmatched reference step with the first equal action that is
// unmatched. Failed actions are never paired, because they did nothing. Time O(n), or
// O(n·m) for steps with special terms of comparison.
func (j *judge) pairMoved() moves {
	c := j.Case
	m := moves{unpairedIndices(len(c.Obs)), unpairedIndices(len(c.Ref)), unpairedIndices(len(c.Obs)), unpairedIndices(len(c.Ref))}
	matchedObs, matchedRef := j.matchedActions()
	w := waiting{byKey: map[string][]int{}, byName: map[string][]int{}}
	for i := range c.Obs {
		if a := &c.Obs[i]; !matchedObs[i] && !a.Failed {
			w.byKey[a.Key] = append(w.byKey[a.Key], i)
			w.byName[a.Name] = append(w.byName[a.Name], i)
		}
	}
	for r := range c.Ref {
		if matchedRef[r] {
			continue
		}
		if o := m.findMatch(c, r, w); o >= 0 {
			m.obs[o], m.ref[r] = r, o
		}
	}
	m.pairNotations(c, matchedRef, w)
	m.pairNear(c, matchedObs)
	return m
}

// pairNotations pairs unmatched writes whose calls are the same in different notations,
// and that the alignment did not pair with each other. At most mostNear comparisons for
// each step, and of mostNotations arguments for all steps: later calls are compared as they
// are written.
func (m moves) pairNotations(c *boundary.Case, matchedRef []bool, w waiting) {
	left := mostNotations
	var partner map[int]int // of steps: the action that the alignment pairs with it
	for r := range c.Ref {
		ref := &c.Ref[r]
		if matchedRef[r] || m.ref[r] >= 0 || !ref.Writes() || len(w.byName[ref.Name]) == 0 {
			continue
		}
		if left < 0 {
			c.Bounds.Notations++
			continue
		}
		if partner == nil {
			partner = substitutedSteps(c)
		}
		near := w.byName[ref.Name][:min(relation.MostNear, len(w.byName[ref.Name]))]
		if o, ok := partner[r]; ok && (!slices.ContainsFunc(near, func(other int) bool { return other != o && m.obs[other] < 0 }) || isSame(&c.Obs[o], ref)) {
			continue
		}
		for _, o := range near {
			if p, ok := partner[r]; m.obs[o] >= 0 || ok && p == o {
				continue
			}
			if left -= 1 + len(c.Obs[o].Leaves)*len(ref.Leaves); left < 0 {
				c.Bounds.Notations++
				break
			}
			if isSame(&c.Obs[o], ref) {
				m.obs[o], m.ref[r] = r, o
				break
			}
			if m.nearObs[o] < 0 && m.nearRef[r] < 0 && relation.HaveSamePaths(&c.Obs[o], ref) && !isPaired(partner, r) && mayBeSame(&c.Obs[o], ref) {
				m.nearObs[o], m.nearRef[r] = r, o
			}
		}
		if o := m.nearRef[r]; m.ref[r] >= 0 && o >= 0 {
			m.nearObs[o], m.nearRef[r] = -1, -1
		}
	}
}

// isPaired reports whether the alignment pairs a step with an action.
func isPaired(partner map[int]int, r int) bool {
	_, ok := partner[r]
	return ok
}

// mayBeSame reports whether two calls differ only in what a judge may call the same.
func mayBeSame(obs, ref *boundary.Action) bool {
	k := settleCalls(obs, ref)
	return k.Certainty == kind.Unsure && k.Rest.Same > 0
}

func substitutedSteps(c *boundary.Case) map[int]int {
	out := map[int]int{}
	for _, s := range c.Steps {
		if s.Op == align.Substitution {
			out[s.Ref] = s.Obs
		}
	}
	return out
}

// waiting indexes the actions without a match, in order.
type waiting struct{ byKey, byName map[string][]int }

// mostNotations is the largest number of pairs of arguments whose notations are compared in
// one run.
const mostNotations = 1 << 11

// pairNear pairs extra writes with missing writes of the same name on a common entity.
// Each missing write gets the extra write with the most equal arguments, or the first of
// several such writes. Writes that name no entity are paired if they differ in one of several
// arguments. O(extra + missing) comparisons, at most mostNear for each entity.
func (m moves) pairNear(c *boundary.Case, matched []bool) {
	extra := map[string][]int{} // name and entity → actions
	for _, s := range c.Steps {
		if s.Op == align.Insertion && m.obs[s.Obs] < 0 && !matched[s.Obs] && c.Obs[s.Obs].Writes() && !c.Obs[s.Obs].ByUser {
			a := &c.Obs[s.Obs]
			for _, entity := range scopeOrNone(a) {
				key := likeName(a) + "\x00" + entity
				extra[key] = append(extra[key], s.Obs)
			}
		}
	}
	for _, s := range c.Steps {
		if s.Op != align.Deletion || m.ref[s.Ref] >= 0 || len(extra) == 0 || !c.Ref[s.Ref].Writes() {
			continue
		}
		if o := m.nearestExtra(c, &c.Ref[s.Ref], extra); o >= 0 {
			m.nearObs[o], m.nearRef[s.Ref] = s.Ref, o
		}
	}
}

// scopeOrNone returns the scope of an action, or one empty entity if it names none.
func scopeOrNone(a *boundary.Action) []string {
	if scope := a.Scope(); len(scope) > 0 {
		return scope
	}
	return []string{""}
}

// likeName returns the words of an action's name in the singular, so that delete_items
// equals delete_item.
func likeName(a *boundary.Action) string {
	if words := a.Words(); len(words) > 0 {
		return strings.Join(words, " ")
	}
	return a.Name
}

func (m moves) nearestExtra(c *boundary.Case, ref *boundary.Action, extra map[string][]int) int {
	var candidates []int
	for _, entity := range scopeOrNone(ref) {
		left := relation.MostNear
		for _, o := range extra[likeName(ref)+"\x00"+entity] {
			if left == 0 {
				break
			}
			if m.nearObs[o] < 0 && (entity != "" || differInOne(&c.Obs[o], ref)) {
				candidates = append(candidates, o)
				left--
			}
		}
	}
	slices.Sort(candidates)
	best, most := -1, 0
	var equal map[string]string
	if len(candidates) > 1 && ref.Terms.Plain() {
		equal = valuesByPath(ref)
	}
	for _, o := range slices.Compact(candidates) {
		if same := countSame(&c.Obs[o], ref, equal); same > most {
			best, most = o, same
		}
	}
	return best
}

// differInOne reports whether two calls have the same arguments, one of them an equal word, and
// differ in the value of one.
func differInOne(obs, ref *boundary.Action) bool {
	if obs.Text != "" || ref.Text != "" || obs.Name != ref.Name || len(ref.Leaves) < 2 || !relation.HaveSamePaths(obs, ref) {
		return false
	}
	differ, word := 0, false
	for i := range ref.Leaves {
		if obs.Leaves[i].Value != ref.Leaves[i].Value {
			differ++
		} else {
			word = word || strings.HasPrefix(ref.Leaves[i].Value, `"`)
		}
	}
	return differ == 1 && word
}

// valuesByPath returns the values of an action's arguments, or nil if a path occurs twice.
func valuesByPath(a *boundary.Action) map[string]string {
	out := make(map[string]string, len(a.Leaves))
	for _, l := range a.Leaves {
		out[l.Path] = l.Value
	}
	if len(out) < len(a.Leaves) {
		return nil
	}
	return out
}

// countSame returns the number of equal arguments of an action and a step. values is the
// result of valuesByPath for the step, or nil.
func countSame(obs, ref *boundary.Action, values map[string]string) (same int) {
	if values == nil {
		d := similarity.Compare(&obs.Call, &ref.Call, ref.Terms)
		return d.Same
	}
	for _, l := range obs.Leaves {
		if v, ok := values[l.Path]; ok && v == l.Value {
			same++
		}
	}
	return same
}

func (m moves) findMatch(c *boundary.Case, r int, w waiting) int {
	ref := &c.Ref[r]
	if ref.Terms.Plain() {
		list := w.byKey[ref.Key]
		for len(list) > 0 && m.obs[list[0]] >= 0 {
			list = list[1:]
		}
		if len(list) == 0 {
			return -1
		}
		w.byKey[ref.Key] = list[1:]
		return list[0]
	}
	for _, o := range w.byName[ref.Name] {
		if m.obs[o] < 0 {
			if d := similarity.Compare(&c.Obs[o].Call, &ref.Call, ref.Terms); d.Equal() {
				return o
			}
		}
	}
	return -1
}

func unpairedIndices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = -1
	}
	return out
}

// matchedActions returns which actions and steps need no other partner. An action of which nothing is left
// gets none.
func (j *judge) matchedActions() (obs, ref []bool) {
	obs, ref = make([]bool, len(j.Obs)), make([]bool, len(j.Ref))
	for _, s := range j.Steps {
		switch {
		case s.Obs >= 0 && j.IsGone(s.Obs):
			obs[s.Obs] = true
		case s.Op == align.Match:
			obs[s.Obs], ref[s.Ref] = true, true
		}
	}
	return obs, ref
}

// checkOrder reports the actions that came too early: the run has such an action before a step
// that had to come first, and this order matters (see the method orderMatters). For each
// moved action only the first such step is reported. If the order is only worth a note, the
// row of the moved action gets the note. At most mostOrders pairs are looked at.
func (j *judge) checkOrder() {
	var done []int
	left := mostOrders
	for o, r := range j.moved.obs {
		if r < 0 {
			continue
		}
		if done == nil {
			done = j.allDone()
		}
		if left -= len(done) / 16; left <= 0 {
			j.Bounds.Orders++
			continue
		}
		noted := false
		for r2, o2 := range done {
			if o2 < 0 || o2 == o || (r < r2) == (o < o2) || j.haveNoOrder(o, o2) {
				continue
			}
			if left -= 1 + len(j.Obs[o].Leaves) + len(j.Obs[o2].Leaves); j.orderMatters(r, r2) {
				j.reportLate(o, r, r2)
				break
			}
			if !noted && j.out[j.rowOfObs[o]].Verdict == Excused {
				noted = j.noteOrder(o, r, r2, o2)
			}
		}
	}
}

// mostOrders is the largest number of pairs of an action and a step in another order than the reference that are looked
// at in one run, with the arguments of both, give or take those of one action.
const mostOrders = 1 << 21

// noteOrder adds a note about the action o, which did the step r, if it and the step r2
// change the same entity in the other order. o2 is the action that did r2.
func (j *judge) noteOrder(o, r, r2, o2 int) bool {
	if j.Profile != boundary.Outcome || !j.Ref[max(r, r2)].Writes() {
		return false
	}
	how, e := j.Dependence(min(r, r2), max(r, r2))
	early, late, reason := &j.Obs[min(o, o2)], &j.Obs[max(o, o2)], ""
	if how != relation.Independent && e.Value == "" {
		reason = sentences.TooEarly.With(relation.CallName(early, late), relation.CallName(late, early))
	} else if how != relation.Independent {
		reason = sentences.CameBefore.With(relation.CallName(early, late), relation.CallName(late, early), similarity.ShowValue(e.Value))
	} else if reason = j.OrderReason(min(r, r2), max(r, r2), early, late); reason == "" {
		return false
	}
	j.setHalf(j.rowOfObs[o], action, Ruling{Verdict: Note, Reason: reason})
	return true
}

// haveNoOrder reports whether two actions are equal calls, or calls of one message.
func (j *judge) haveNoOrder(o, o2 int) bool {
	a, b := &j.Obs[o], &j.Obs[o2]
	return a.Key == b.Key || a.Message > 0 && a.Message == b.Message
}

// allDone returns the result of doneAs for each reference step.
func (j *judge) allDone() []int {
	done := make([]int, len(j.Ref))
	for r := range done {
		done[r] = j.doneAs(r)
	}
	return done
}

// reportLate reports that the run has the action o and the reference step r2 in the wrong
// order. r is the reference step that is paired with o. The finding is about the action that
// came too early and about the step that had to come before it. If its row says so already, the
// finding is about o, which came too late.
func (j *judge) reportLate(o, r, r2 int) {
	o2 := j.doneAs(r2)
	early, late, needed := o, o2, r2
	if o2 < o {
		early, late, needed = o2, o, r
	}
	names := [2]string{relation.CallName(&j.Obs[early], &j.Obs[late]), relation.CallName(&j.Obs[late], &j.Obs[early])}
	reason := sentences.TooEarly.With(names[0], names[1])
	about := &Pair{early, needed}
	if j.lateFor(early) != nil {
		if o == early {
			return
		}
		about, reason = &Pair{o, r2}, sentences.TooLate.With(names[1], names[0])
	}
	if _, e := j.Dependence(min(r, r2), max(r, r2)); j.Profile == boundary.Outcome && e.Value != "" {
		reason = sentences.CameBeforeSame.With(names[0], names[1], e.Noun, similarity.ShowValue(e.Value))
	}
	row := j.rowOfObs[about.Obs]
	same := j.out[row].same
	j.setHalf(row, action, Ruling{Verdict: Violation, Kind: Late, about: about, Reason: reason})
	j.out[row].same = same
}

// lateFor returns the action and the step of the ruling that an action came too early or too late.
// It returns nil if the row of the action has none.
func (j *judge) lateFor(obs int) *Pair {
	for r := &j.out[j.rowOfObs[obs]]; r != nil; r = r.Also {
		if r.Verdict == Violation && r.Kind == Late {
			return r.about
		}
	}
	return nil
}

// doneAs returns the observed action that did a reference step, or -1 if it was not done.
func (j *judge) doneAs(ref int) int {
	if o := j.moved.ofRef(ref); o >= 0 {
		return o
	}
	if row := j.rowOfRef[ref]; (j.Steps[row].Op == align.Match || j.out[row].same) && !j.IsGone(j.Steps[row].Obs) {
		return j.Steps[row].Obs
	}
	return -1
}

// stepOf returns the reference step that an observed action did, or -1: doneAs the other way round.
func (j *judge) stepOf(obs int) int {
	if r := j.moved.ofObs(obs); r >= 0 {
		return r
	}
	if r := j.Steps[j.rowOfObs[obs]].Ref; r >= 0 && j.moved.ofRef(r) < 0 && j.doneAs(r) == obs {
		return r
	}
	return -1
}

// orderMatters reports whether two steps had to keep the order of the reference. This
// depends on the two steps:
//
//   - If the later step only reads, the order does not matter, except under the profile sop for a reading behind a check of the same entity, and for what is computed of an entity that the earlier step changes.
//   - If both steps write, the order matters under the profile sop if both may concern the same entity and are not one deed for two persons, or if the instructions or the user name them in this order, and under the profile outcome if one depends on the other (see dependsOn).
//   - If the earlier step opens something for later steps, such as a lock, the order matters under the profile sop.
//   - Under the profile sop, the order matters to a step between what opens something and what ends it (see StandsBetween).
//   - If the earlier step only reads, for example as a check, the order matters under the profile sop or if that step is required. It also matters if that step carries away what the later one destroys.
//
// In the last two cases, the order does not matter if the earlier step belongs to other
// steps (see guardsOther).
func (j *judge) orderMatters(r, r2 int) bool {
	r, r2 = min(r, r2), max(r, r2)
	first, second := &j.Ref[r], &j.Ref[r2]
	switch {
	case !second.Writes():
		// What shows a secret to somebody waits for the check who that is, and what computes something of a thing for its change.
		waits := first.Deed().Class == "check" || first.Deed().Class == "approve"
		if first.Writes() {
			waits = computesFacts(second)
		}
		return j.Profile == boundary.SOP && waits && relation.HaveCommonEntity(j.Values(r), j.Values(r2))
	case first.Writes() && j.Profile == boundary.Outcome:
		how, _ := j.Dependence(r, r2)
		return how == relation.NeedsTheSame
	case first.Writes() && !Opening(first.Deed()):
		how, _ := j.Dependence(r, r2)
		return how != relation.Independent || mayOverlap(j.stepScope(r), j.stepScope(r2)) && !j.forOthers(r, r2) && !relation.MakeOthers(first, second) || relation.MayDepend(first, second) || j.StandsBetween(r, r2) || j.IsToldInOrder(first, second)
	case first.Writes():
		return !j.guardsOther(r, r2) || j.StandsBetween(r, r2)
	}
	if how, _ := j.Dependence(r, r2); how == relation.NeedsTheSame || how == relation.Touching && j.Profile == boundary.SOP {
		return true
	}
	return !j.mayLeaveOut(first) && !j.guardsOther(r, r2)
}

// forOthers reports whether two steps are calls of one tool for two persons, as an argument says
// that both have.
func (j *judge) forOthers(r, r2 int) bool {
	if j.Ref[r].Name != j.Ref[r2].Name {
		return false
	}
	a, b := j.personOf(r), j.personOf(r2)
	return a != nil && b != nil && a.Path == b.Path && a.Value != b.Value
}

// personOf returns the first argument of a step that names a person, or nil. It caches the result.
func (j *judge) personOf(ref int) *similarity.Leaf {
	if j.persons == nil {
		j.persons = make([]int, len(j.Ref))
	}
	a := &j.Ref[ref]
	if j.persons[ref] == 0 {
		i := slices.IndexFunc(a.Leaves, func(l similarity.Leaf) bool { return relation.IsPerson(relation.NounOf(a, l.Key)) })
		j.persons[ref] = 2 + i
	}
	if i := j.persons[ref] - 2; i >= 0 {
		return &a.Leaves[i]
	}
	return nil
}

// guardsOther reports whether a check, or a step that opens something, belongs to other
// steps than the given later step. This is so if the check shares no entity with the
// later step, but shares one with another write after the check. For example, the check
// of one person does not guard the registration of another person.
func (j *judge) guardsOther(check, later int) bool {
	scope := j.stepScope(check)
	if mayOverlap(scope, j.stepScope(later)) {
		return false
	}
	if j.lastWrite == nil {
		j.lastWrite = map[string]int{}
		for r := range j.Ref {
			if j.Ref[r].Writes() {
				for _, entity := range j.stepScope(r) {
					j.lastWrite[entity] = r
				}
			}
		}
	}
	return slices.ContainsFunc(scope, func(entity string) bool { return j.lastWrite[entity] > check })
}

// stepScope returns the scope of a reference step. If the step names no entity, it
// returns the values of the step's objects (see objectValues). It caches the result.
func (j *judge) stepScope(ref int) []string {
	if j.scopes == nil {
		j.scopes = make([][]string, len(j.Ref))
	}
	if j.scopes[ref] == nil {
		if j.scopes[ref] = append([]string{}, j.Ref[ref].Scope()...); len(j.scopes[ref]) == 0 {
			j.scopes[ref] = append(j.scopes[ref], objectValues(&j.Ref[ref])...)
		}
	}
	return j.scopes[ref]
}

// objectValues returns the values of the arguments that are named after the object in an
// action's name. For example, water_bed has the object bed, so the result for the
// argument bed=7 is 7. It returns nil for actions that set or send a value, because their
// argument is the new value.
func objectValues(a *boundary.Action) (out []string) {
	d := a.Deed()
	if a.Text != "" || d.Class == "update" || d.Class == "create" || d.Class == "send" || d.Class == "post" {
		return nil
	}
	for _, l := range a.Leaves {
		if words := mutation.NameWords(l.Key); len(words) == 1 && slices.Contains(d.Object, words[0]) && !strings.Contains(l.Value, " ") {
			out = append(out, l.Value)
		}
	}
	slices.Sort(out)
	return out
}

// mayOverlap reports whether two sorted scopes may share an entity. An empty scope may
// contain any entity.
func mayOverlap(a, b []string) bool {
	return len(a) == 0 || len(b) == 0 || relation.HaveCommonEntity(a, b)
}

func rowIndices(c *boundary.Case) (obs, ref []int) {
	obs, ref = make([]int, len(c.Obs)), make([]int, len(c.Ref))
	for row, s := range c.Steps {
		if s.Obs >= 0 {
			obs[s.Obs] = row
		}
		if s.Ref >= 0 {
			ref[s.Ref] = row
		}
	}
	return obs, ref
}
