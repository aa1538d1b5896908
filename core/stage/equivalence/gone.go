package equivalence

import (
	"slices"
	"strconv"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/core/stage/relation"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// This file judges a run once more without the actions of which nothing is left at its end. The law: under the
// profile outcome, two runs whose writes leave each entity in the same state by the same last writes get the
// same verdict, unless an act that nobody can take back lies between, or a read that shows a value that was replaced.

// goneRuling returns the ruling on an action of which nothing is left: a note, or a finding that
// only a judge can settle.
func (j *judge) goneRuling(obs int) Ruling {
	f := j.Fates[obs]
	r := Ruling{Verdict: Note, Reason: f.Sentence.With(j.Obs[obs].Name, strconv.Itoa(f.By+1))}
	switch {
	case j.Profile == boundary.SOP:
		r.Reason = sentences.BothReasons.With(r.Reason, sentences.NotInReference.With())
	case f.Doubtful:
		r.Reason = sentences.BothReasons.With(r.Reason, sentences.MayHaveActed.With())
	case f.Unproven:
		r.Reason = sentences.BothReasons.With(r.Reason, sentences.UnprovenUndo.With())
	default:
		return r
	}
	r.Verdict, r.Kind, r.Hint = Violation, Extra, true
	return r
}

// judgeWithoutGone judges a run once more without the actions of which nothing is left. It returns
// the first rulings if there are no such actions, or if the run is no better without them.
func judgeWithoutGone(c *boundary.Case, j *judge) *judge {
	if j.Without.Effect || countCertain(j.out) == 0 || c.Profile == boundary.SOP && !slices.ContainsFunc(j.out, func(r Ruling) bool { return r.Kind == Extra && r.Verdict == Violation }) {
		return j
	}
	gone, set := j.FindFates(), relation.Fates(nil)
	if len(c.Ref) > 1 && c.Profile == boundary.Outcome && (slices.ContainsFunc(j.out, func(r Ruling) bool { return r.Kind == Missing && r.Verdict == Violation }) ||
		slices.ContainsFunc(c.Steps, func(s align.Step) bool { return s.Op == align.Match && gone.IsGone(s.Obs) })) {
		set = relation.New(&boundary.Case{Obs: c.Ref}).FindFates()
	}
	if gone == nil && set == nil {
		return j
	}
	if c.Profile == boundary.SOP {
		for row := range j.out {
			if o := j.Steps[row].Obs; o >= 0 && j.out[row].Kind == Extra && j.out[row].Also == nil && (gone[o].Sentence == sentences.Undone || gone[o].Sentence == sentences.Undoes) {
				j.Fates = gone
				j.out[row] = j.goneRuling(o)
			}
		}
		return j
	}
	for _, s := range c.Steps { // the reference undoes its step as the run does
		if gone != nil && s.Op == align.Match && set.IsGone(s.Ref) {
			gone[s.Obs] = relation.Fate{}
		}
	}
	done, bounds := c.Done, c.Bounds
	again := judgeOnce(c, gone, set)
	if countCertain(again.out) < countCertain(j.out) {
		return again
	}
	c.Done, c.Bounds = done, bounds
	return j
}

// countCertain returns the number of violations that are not hints.
func countCertain(out []Ruling) (n int) {
	for i := range out {
		for r := &out[i]; r != nil; r = r.Also {
			if r.Verdict == Violation && !r.Hint {
				n++
			}
		}
	}
	return n
}

// setAgainLater returns the later step of the reference that sets again what a step sets, or -1.
func (j *judge) setAgainLater(ref int) int {
	if j.later != nil && (j.later[ref].Sentence == sentences.Overwritten || j.later[ref].Sentence == sentences.SetAgain) {
		return j.later[ref].By
	}
	return -1
}

// missingReason says that a step is missing, or which action did it in vain. gone is whether one did. In one run, at most
// mostNotations pairs are compared that are not written alike.
func (j *judge) missingReason(step *boundary.Action) (why string, gone bool) {
	for o := len(j.Fates) - 1; o >= 0; o-- {
		f, a := &j.Fates[o], &j.Obs[o]
		if !j.IsGone(o) || f.Sentence == sentences.SetAgain || a.Name != step.Name {
			continue
		}
		if a.Key != step.Key {
			if j.inVain++; j.inVain == mostNotations {
				j.Bounds.Notations++
			}
		}
		if a.Key == step.Key && areCalls(a, step) || j.inVain < mostNotations && isSame(a, step) {
			return sentences.StepGone.With(step.Name, strconv.Itoa(o+1), f.Sentence.With(step.Name, strconv.Itoa(f.By+1))), true
		}
	}
	return sentences.StepMissing.With(step.Name), false
}

// judgeGonePair judges a row whose action is gone: its step is done elsewhere, or missing.
func (j *judge) judgeGonePair(row int, s align.Step) {
	gone := j.goneRuling(s.Obs)
	j.judgeDeletion(row, s.Ref)
	if j.apart == nil {
		j.apart = map[int]*halves{}
	}
	j.apart[row] = &halves{action: gone, step: j.out[row]}
	switch {
	case j.out[row].Verdict != Violation:
		both := sentences.BothReasons.With(gone.Reason, j.out[row].Reason)
		j.out[row] = gone
		j.out[row].Reason = both
	case gone.Verdict == Violation:
		j.out[row].Also = &gone
	}
}

// findMended finds two actions that together do a step: the first one is of the step's tool and gives the
// thing other values, and the second one gives it those of the step. So it is with a thing that is made and then
// renamed, and with one that is moved in two steps.
func (c *composer) findMended(whole *boundary.Action, side []boundary.Action, near []int) []int {
	if !whole.Terms.Plain() || whole.Text != "" {
		return nil
	}
	for i, p := range near {
		first := &side[p]
		if first.Name != whole.Name || !relation.HaveSamePaths(first, whole) || !first.Writes() {
			continue
		}
		for _, q := range near[i+1:] {
			if second := &side[q]; second.Writes() && second.Text == "" && c.Mends(whole, p, q) {
				return []int{p, q}
			}
		}
	}
	return nil
}
