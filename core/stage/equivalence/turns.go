package equivalence

import (
	"strconv"

	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// A reference may say which turn of the user each step belongs to. The law of this file: a
// change that was made before its turn began is a violation, whatever else excuses it, and a
// call in a turn that expects none is shown.

// checkTurns judges the turns, if run and reference have the same ones.
func (j *judge) checkTurns() {
	if j.Turns == 0 {
		return
	}
	expects := make([]bool, j.Turns+1)
	for r := range j.Ref {
		step := &j.Ref[r]
		if step.Turn > 0 && step.Turn <= j.Turns {
			expects[step.Turn] = true
		}
		if o := j.doneAs(r); o >= 0 {
			j.checkEarly(o, r)
		}
	}
	for row, s := range j.Steps {
		if s.Op != align.Insertion || j.out[row].Verdict != Excused {
			continue
		}
		if a := &j.Obs[s.Obs]; a.Turn > 0 && a.Turn <= j.Turns && !expects[a.Turn] && !a.ByUser && !a.Mutation.Control {
			j.out[row] = Ruling{Verdict: Note, Reason: sentences.NoCallInTurn.With(a.Name, strconv.Itoa(a.Turn))}
		}
	}
}

// checkEarly reports that the action o, which did the step r, changed something before the
// turn of the step began. This says more than that it came before another step.
func (j *judge) checkEarly(o, r int) {
	a, step := &j.Obs[o], &j.Ref[r]
	row := j.rowOfObs[o]
	if a.Turn == 0 || a.Turn >= step.Turn || !a.Writes() || a.ByUser || j.out[row].Verdict == Violation && j.out[row].Kind != Late {
		return
	}
	reason := sentences.BeforeTurn.With(a.Name, strconv.Itoa(a.Turn), strconv.Itoa(step.Turn))
	early := Ruling{Verdict: Violation, Kind: Late, Reason: reason, about: &Pair{o, r}}
	if j.Steps[row].Op == align.Match {
		j.out[row] = early
		return
	}
	j.setHalf(row, action, early)
}
