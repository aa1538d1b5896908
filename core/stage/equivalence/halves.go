package equivalence

import "github.com/boundcheck/boundcheck/core/math/align"

// half is one half of a row: its action or its step.
type half int

const (
	action half = iota
	step
)

// halves holds two rulings on one row, by half. The alignment paired the action with the
// step, but one of them, or each, belongs to something else.
type halves [2]Ruling

// Pair is an observed action and a reference step, as indices. -1 means none.
type Pair struct{ Obs, Ref int }

// About returns the action and the step that the ruling is about. s is the ruling's row.
// Both exist for Wrong and Late. Extra and Unmet have an action, and Missing has a step.
// Uneven has the action or the step with the list. The action also has the first of the
// steps that are its parts.
func (r *Ruling) About(s align.Step) Pair {
	switch {
	case r.about != nil:
		return *r.about
	case r.Kind == Extra:
		return Pair{s.Obs, -1}
	case r.Kind == Missing:
		return Pair{-1, s.Ref}
	}
	return Pair{s.Obs, s.Ref}
}

// NeededBy returns the row of the action that needed the missing step of a note. It
// returns -1 for any other ruling.
func (r *Ruling) NeededBy() int { return r.neededBy - 1 }

// setHalf sets the ruling on one half of a row that does not belong to the other half. The
// other half keeps its own ruling. If it has none, because the row was a violation of both
// halves together, it is judged alone. So a violation never hides that of the other half,
// and an excuse excuses only its own half.
func (j *judge) setHalf(row int, which half, r Ruling) {
	j.unpairNear(row, which)
	if s := j.Steps[row]; s.Obs < 0 || s.Ref < 0 {
		j.out[row] = r
		return
	}
	both := j.separate(row)
	both[which] = r
	first, second := both[step], both[action]
	switch {
	case first.Verdict == Violation && second.Verdict == Violation && (first.Group == nil || first.Group != second.Group):
		first.Also = &second
	case second.Verdict == Violation, first.Verdict != Violation && which == action:
		first = second
	}
	j.out[row] = first
}

// separate returns the rulings on the halves of a row that has both.
func (j *judge) separate(row int) *halves {
	if both := j.apart[row]; both != nil {
		return both
	}
	both := &halves{j.out[row], j.out[row]}
	if s := j.Steps[row]; j.out[row].Verdict == Violation {
		j.judgeInsertion(row, s.Obs)
		both[action] = j.out[row]
		j.judgeDeletion(row, s.Ref)
		both[step] = j.out[row]
	}
	if j.apart == nil {
		j.apart = map[int]*halves{}
	}
	j.apart[row] = both
	return both
}

// unpairNear ends the pair of an action and a step on a common entity (see moves) if one of
// them belongs to something else. The other one is judged alone. Pairs that are excused
// stay.
func (j *judge) unpairNear(row int, which half) {
	obs, ref := j.Steps[row].Obs, j.Steps[row].Ref
	switch {
	case which == action && j.moved.nearObs[obs] >= 0:
		ref = j.moved.nearObs[obs]
	case which == step && j.moved.nearRef[ref] >= 0:
		obs = j.moved.nearRef[ref]
	default:
		return
	}
	if r := &j.out[j.rowOfObs[obs]]; r.Kind != Wrong || r.Verdict != Violation {
		return
	}
	j.moved.nearObs[obs], j.moved.nearRef[ref] = -1, -1
	j.judgeInsertion(j.rowOfObs[obs], obs)
	j.judgeDeletion(j.rowOfRef[ref], ref)
}
