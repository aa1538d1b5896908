package equivalence

import (
	"strconv"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// A deed may be done by another tool: the reference has move_file, and the agent runs mv. The law: two calls
// of different tools are one deed only if one is a single simple command or request, both have a verb of one
// class, and each value on either side is on the other, in the same role. What both name must be the same;
// where a command or a request may reach another system or another file than the tool, it is only a hint. What a call
// says is read once, and calls that say more than mostSaid things are not compared: then nothing is excused.

// detour is a step that an action did, or may have done, by another tool.
type detour struct {
	ref  int
	sure bool
}

// detours are the steps that were done by another tool.
type detours struct {
	ofObs      map[int]detour // of actions
	ofRef      map[int]int    // of steps
	partners   map[int]int    // of steps: the action that the alignment pairs with it
	hasPartner map[int]bool   // of actions
}

const (
	// mostSaid is the largest number of words or values of a call that are compared with another call's.
	mostSaid = 24
	// mostAlike is the largest number of calls with a common value that one call is compared with.
	mostAlike = 16
)

// pairDetours pairs unmatched writes with unmatched steps that another tool does. O(bytes), and mostAlike comparisons
// for each call.
func (j *judge) pairDetours() {
	if j.Profile != boundary.Outcome {
		return
	}
	matchedObs, matchedRef := j.matchedActions()
	var actions, steps []int
	for r := range j.Ref {
		if a := &j.Ref[r]; !matchedRef[r] && j.moved.ref[r] < 0 && j.moved.nearRef[r] < 0 && a.Writes() && a.Text == "" && a.Terms.Plain() {
			steps = append(steps, r)
		}
	}
	if len(steps) == 0 {
		return
	}
	for o := range j.Obs {
		if a := &j.Obs[o]; !matchedObs[o] && j.moved.obs[o] < 0 && j.moved.nearObs[o] < 0 && a.Attempts() && !a.Failed && !a.Partly && a.Text == "" {
			actions = append(actions, o)
		}
	}
	if len(actions) > 0 {
		j.pairSpoken(actions, steps)
	}
}

// pairSpoken pairs commands and requests among the actions with steps that name a tool, then the other way round.
func (j *judge) pairSpoken(actions, steps []int) {
	did, done := spokenOf(j.Obs, actions), spokenOf(j.Ref, steps)
	for _, s := range did.speakers {
		done.findSame(s, did, func(t *spoken, sure bool) bool { return j.linkDetour(s, t, sure) })
	}
	for _, s := range done.speakers {
		did.findSame(s, done, func(t *spoken, sure bool) bool { return j.linkDetour(t, s, sure) })
	}
}

// linkDetour links an action with a step that it did by another tool. It returns false if both are linked with
// others, or if their rows say more.
func (j *judge) linkDetour(obs, ref *spoken, sure bool) bool {
	if obs.linked || ref.linked {
		return false
	}
	if j.detours.ofObs == nil {
		j.detours = detours{map[int]detour{}, map[int]int{}, substitutedSteps(j.Case), map[int]bool{}}
		for _, o := range j.detours.partners {
			j.detours.hasPartner[o] = true
		}
	}
	if partner, ok := j.detours.partners[ref.at]; !sure && (ok && partner != obs.at || !ok && j.detours.hasPartner[obs.at]) {
		return false
	}
	obs.linked, ref.linked = true, true
	j.detours.ofObs[obs.at], j.detours.ofRef[ref.at] = detour{ref.at, sure}, obs.at
	if sure {
		j.moved.obs[obs.at], j.moved.ref[ref.at] = ref.at, obs.at
	}
	return true
}

// judgeDetour rules on an action that did a step by another tool.
func (j *judge) judgeDetour(row, obs int) {
	d := j.detours.ofObs[obs]
	if d.sure {
		j.excuseRow(row, sentences.OtherTool.With(j.Obs[obs].Name, j.Ref[d.ref].Name, strconv.Itoa(d.ref+1)))
		return
	}
	j.out[row] = Ruling{Verdict: Violation, Kind: Extra, Hint: true, Reason: sentences.MayBeOtherTool.With(j.Obs[obs].Name, j.Ref[d.ref].Name, strconv.Itoa(d.ref+1))}
}

// detourOf returns the action that did a step by another tool, or -1.
func (j *judge) detourOf(ref int) int {
	if o, ok := j.detours.ofRef[ref]; ok {
		return o
	}
	return -1
}
