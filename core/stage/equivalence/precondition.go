package equivalence

import (
	"slices"
	"strconv"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/stage/relation"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// checkPreconditions finds actions that began although their precondition was not met.
// The step that establishes the precondition was left out, or was tried and failed. The
// action gets the violation, and the row of the missing step becomes a note. O(rows).
func (j *judge) checkPreconditions() {
	j.statedBefore()
	j.checkJobs()
	j.checkAnswers()
	var failed map[string]int
	var next []int
	for row := range j.out {
		if r := &j.out[row]; r.Kind != Missing || r.Verdict != Violation || j.Steps[row].Op != align.Deletion {
			continue
		}
		if failed == nil {
			failed, next = j.firstByName(true), j.nextDoneSteps()
		}
		ref := j.Steps[row].Ref
		act := next[ref]
		if act < 0 {
			continue
		}
		obs := j.doneAs(act)
		at := j.rowOfObs[obs]
		if v := j.out[at].Verdict; v == Violation || v == Note {
			continue // the action is wrong already
		}
		why := j.unmetReason(ref, act, obs, failed)
		if why == "" {
			continue
		}
		j.out[at] = Ruling{Verdict: Violation, Kind: Unmet, about: &Pair{obs, ref}, Reason: why}
		j.out[row] = Ruling{Verdict: Note, neededBy: 1 + at, Reason: sentences.StepNeeded.With(j.Ref[ref].Name, strconv.Itoa(obs+1))}
	}
}

// statedBefore finds actions whose stated preconditions were not done earlier in the run.
// Missing reference steps are handled by checkPreconditions.
func (j *judge) statedBefore() {
	var first map[string]int // by name: the first action that was done
	for row := range j.out {
		s := j.Steps[row]
		if s.Obs < 0 || j.Obs[s.Obs].Failed || j.Obs[s.Obs].ByUser || j.out[row].Verdict == Violation {
			continue
		}
		stated := j.Obs[s.Obs].Stated
		if s.Ref >= 0 && j.Ref[s.Ref].Stated != nil {
			stated = j.Ref[s.Ref].Stated
		}
		if stated == nil {
			continue
		}
		if first == nil {
			first = j.firstByName(false)
		}
		for _, name := range stated.Pre {
			if at, ok := first[name]; !ok || at >= s.Obs {
				j.out[row] = Ruling{Verdict: Violation, Kind: Unmet,
					Reason: sentences.StatedBefore.With(j.Obs[s.Obs].Name, name)}
				break
			}
		}
	}
}

// checkJobs finds actions that destroyed a thing, although the job that was to make a copy of it was not done
// when the run asked for it last.
func (j *judge) checkJobs() {
	for r := range j.Ref {
		o := j.doneAs(r)
		if o < 0 || !j.Obs[o].Open || !relation.KeepsCopy(&j.Ref[r]) && !relation.DoesOneOf(&j.Ref[r], relation.CarryVerbs) {
			continue
		}
		for later := r + 1; later < len(j.Ref); later++ {
			act := j.doneAs(later)
			if act < 0 || act < o || !j.Ref[later].Writes() || j.out[j.rowOfObs[act]].Verdict == Violation {
				continue
			}
			if how, _ := j.Dependence(r, later); how == relation.NeedsTheSame && relation.DoesOneOf(&j.Ref[later], relation.DestroyVerbs) {
				j.out[j.rowOfObs[act]] = Ruling{Verdict: Violation, Kind: Unmet, about: &Pair{act, later},
					Reason: sentences.JobOpen.With(j.Obs[act].Name, j.Obs[o].Name, strconv.Itoa(o+1))}
			}
		}
	}
}

// firstByName returns the index of the first action for each name that failed, or that did not fail.
func (j *judge) firstByName(failed bool) map[string]int {
	out := map[string]int{}
	for i := range j.Obs {
		if _, known := out[j.Obs[i].Name]; !known && j.Obs[i].Failed == failed {
			out[j.Obs[i].Name] = i
		}
	}
	return out
}

// nextDoneSteps returns, for each step, the first step after it that has an effect and was
// done, or -1 if there is none.
func (j *judge) nextDoneSteps() []int {
	next, after := make([]int, len(j.Ref)), -1
	for r := len(j.Ref) - 1; r >= 0; r-- {
		next[r] = after
		if j.Ref[r].Writes() && j.doneAs(r) >= 0 {
			after = r
		}
	}
	return next
}

// unmetReason returns the reason why the later step act lacks its precondition because
// the step ref is missing. The result is "" if the later step does not depend on the
// missing step. obs is the action that did the later step, and failed is the result of
// firstFailures.
func (j *judge) unmetReason(ref, act, obs int, failed map[string]int) string {
	step, later := &j.Ref[ref], &j.Ref[act]
	if step.Name == later.Name { // a second step of the same name does not depend on the first
		return ""
	}
	// A change that failed is left out itself, whatever came after it: only what opens, checks or permits is a precondition.
	isDeed := step.Mutation.Mutating == mutation.Yes && !Opening(step.Deed()) && !relation.IsGuard(step) &&
		!relation.DoesOneOf(step, " approve authorize authorise allow permit grant sign ")
	if first, ok := failed[step.Name]; ok && !isDeed && first < obs && j.triedFor(step, first, obs) {
		return sentences.FailedBefore.With(later.Name, step.Name, strconv.Itoa(first+1))
	}
	switch {
	case j.opensWorkspace(ref, act):
		return sentences.NotOpened.With(later.Name, step.Name)
	case readsTarget(step, later):
		return sentences.NotRead.With(later.Name, step.Name)
	}
	return ""
}

// Opening reports whether a deed opens something in which later actions work, such as a
// transaction or a session.
func Opening(d *mutation.Deed) bool {
	switch d.Class {
	case "acquire", "lock", "unlock", "checkout", "connect", "login", "init", "initialize", "initialise", "mount":
		return true
	}
	return d.Verb == "begin" || (d.Class == "start" || d.Class == "open") && slices.ContainsFunc(d.Object, isWorkspace)
}

// isWorkspace reports whether a word names something that must be opened before work in
// it.
func isWorkspace(w string) bool {
	switch w {
	case "transaction", "session", "connection", "lock", "lease", "channel", "tunnel", "socket", "cursor", "handle", "file", "editor", "mode":
		return true
	}
	return false
}

// triedFor reports whether a failed action with an index in [from, to) was an attempt at
// the step. Such an action has the step's name, and the same arguments or a common
// entity. If the step names no entity, the same name is enough.
func (j *judge) triedFor(step *boundary.Action, from, to int) bool {
	scope := step.Scope()
	for i := from; i < to; i++ {
		a := &j.Obs[i]
		if a.Failed && a.Name == step.Name && (a.Key == step.Key || len(scope) == 0 || relation.HaveCommonEntity(a.Scope(), scope)) {
			return true
		}
	}
	return false
}

// opensWorkspace reports whether a step opens something in which a later step works, for
// example lock before write. Verbs such as begin, acquire and connect always open
// something. Other verbs count if the reference closes the same thing later, as in enter and
// exit, and start and open also if their object is a transaction, a session or similar.
func (j *judge) opensWorkspace(ref, act int) bool {
	d := j.Ref[ref].Deed()
	if Opening(d) {
		return true
	}
	for r := act + 1; r < len(j.Ref); r++ {
		if relation.MayClose(j.Ref[r].Name) && closesDeed(&j.Ref[ref], &j.Ref[r]) {
			return true
		}
	}
	return false
}

// closesDeed reports whether a step closes what an earlier step opened: by its name, or by its
// verb on a related object.
func closesDeed(first, last *boundary.Action) bool {
	d, e := first.Deed(), last.Deed()
	switch {
	case relation.Closes(first.Name, last.Name):
		return true
	case d.Class == "start":
		return (e.Class == "stop" || e.Class == "commit" || e.Verb == "end" || e.Verb == "finish") && relation.AreRelated(d.Object, e.Object)
	case d.Class == "open":
		return e.Class == "close" && relation.AreRelated(d.Object, e.Object)
	}
	return false
}

// readsTarget reports whether a step reads exactly the thing that a later step edits.
func readsTarget(step, later *boundary.Action) bool {
	d, e := step.Deed(), later.Deed()
	if d.Class != "read" || e.Class != "update" || step.Writes() {
		return false
	}
	what, changed := relation.ThingWords(d.Object), relation.ThingWords(e.Object)
	if len(what) > 0 && len(changed) > 0 {
		a, b := step.Scope(), later.Scope()
		return mutation.SameWords(what, changed) && (len(a) == 0 || len(b) == 0 || relation.HaveCommonEntity(a, b))
	}
	return relation.HaveCommonEntity(step.Scope(), later.Scope())
}
