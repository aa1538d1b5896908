// Package deviation measures how far a run departs from its reference, separately for
// actions that change the environment and for actions that do not. For a failing run it
// also returns the decisive step, after which the run could no longer succeed.
//
// SABER (section 3) defines d_mut = |M(τ′) − M(τ*)| and d_non = |N(τ′) − N(τ*)|, where M
// counts a trajectory's mutating actions and N the others. It does not say what counts as
// an action (failed calls, control actions). This was decided by a measurement on 200
// airline runs, compared with an independent computation of the regression (see the
// command "study deviations"). Other interpretations of the difference were measured as
// well: the size of the symmetric difference of multisets or of sets over (name,
// arguments) or names alone, edit distances of the two sequences, and the difference of
// the two counts; each with and without failed calls and control actions. One
// interpretation leads to the four figures of that computation and of the paper (−2.448
// with p = 2.1·10⁻¹¹, −0.143 with p = 0.016): **the absolute difference of the counts, of
// calls as attempted, failed ones too, with control actions (thinking, arithmetic,
// handing over) among the non-mutating ones**. The others lead to these figures: counts
// without control actions −2.473 and −0.185; counts without failed calls separate the
// outcomes, so that there is no estimate; multisets over names −2.555 and −0.066, over
// names and arguments −3.084 and −0.011, the latter without failed calls −6.430 and
// −0.224.
//
// So d is a difference of counts. It does not show a write with wrong arguments, because
// such a write does not change the count. Two other functions show it: Effects, which is
// the last of those interpretations, and decisive, which compares the actions step by
// step. Their results are reported in addition to d and never instead of it.
package deviation

import "github.com/boundcheck/boundcheck/core/action/boundary"

// Distance holds the differences between the numbers of actions of a run and of its
// reference: d_mut and d_non of SABER. They are never negative.
type Distance struct {
	Mutating    int
	NonMutating int
}

// Measure returns |M(τ′) − M(τ*)| and |N(τ′) − N(τ*)| for the observed actions τ′ and the
// reference τ*. M is the number of mutating actions, and N the number of the other
// actions. An action of unknown effect counts as mutating, and a control action as
// non-mutating. A failed action counts like a successful one. O(n).
func Measure(obs, ref []boundary.Action) Distance {
	m, n := countActions(obs)
	mr, nr := countActions(ref)
	return Distance{abs(m - mr), abs(n - nr)}
}

func countActions(actions []boundary.Action) (mutating, others int) {
	for i := range actions {
		if actions[i].Mutation.Counts() {
			mutating++
		}
	}
	return mutating, len(actions) - mutating
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// Effects counts the actions that only one of the two runs has. Two actions are equal if
// they have the same name and the same normalised arguments. Repetitions count, but
// failed calls do not. An action with wrong arguments counts twice, once for each run.
// O(n·m).
func Effects(obs, ref []boundary.Action) Distance {
	var d Distance
	left := make([]*boundary.Action, 0, len(ref))
	for i := range ref {
		left = append(left, &ref[i])
	}
	for i := range obs {
		if obs[i].Failed {
			continue
		}
		if rest, ok := withoutAction(left, &obs[i]); ok {
			left = rest
		} else {
			d.addAction(&obs[i])
		}
	}
	for _, a := range left {
		d.addAction(a)
	}
	return d
}

func (d *Distance) addAction(a *boundary.Action) {
	if a.Mutation.Counts() {
		d.Mutating++
	} else {
		d.NonMutating++
	}
}
