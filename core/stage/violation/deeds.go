package violation

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/kind"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// This file finds changed arguments that add a deed to an action or take one away, such as
// a second command, a flag that forces, or a condition that is gone.

// forcing has words of the names of arguments that make an action go further if they are
// true.
const forcing = " force forced recursive recurse overwrite cascade permanent permanently purge all skip ignore bypass override unlimited immediate hard admin public recurring "

// fillDeeds fills in a finding about a call that does a deed more or less than the
// reference. It returns false for any other difference.
func fillDeeds(f *Finding, obs *boundary.Action, r *equivalence.Ruling) bool {
	if more := addedDeed(r, false); more != "" {
		f.Type, f.Reason = OverAction, sentences.AlsoDoes.With(obs.Name, shortenValue(more))
		return true
	}
	if less := addedDeed(r, true); less != "" {
		f.Type, f.Reason = UnderAction, sentences.DoesNotDo.With(obs.Name, shortenValue(less))
		return true
	}
	if p, ok := onlyCommand(r); ok && kind.AddsWords(p[0], p[1]) {
		f.Type, f.Reason = OverAction, sentences.MoreElements.With(obs.Name, describeDifference(&r.Diff))
		return true
	} else if ok && kind.AddsWords(p[1], p[0]) {
		f.Type, f.Reason = UnderAction, sentences.FewerElements.With(obs.Name, describeDifference(&r.Diff))
		return true
	}
	switch queryReach(r) {
	case 1:
		f.Type, f.Reason = OverAction, sentences.MoreElements.With(obs.Name, describeDifference(&r.Diff))
		return true
	case -1:
		f.Type, f.Reason = UnderAction, sentences.FewerElements.With(obs.Name, describeDifference(&r.Diff))
		return true
	}
	forces := len(r.Diff.Missing) == 0 && onlySwitches(forcing, r.Diff.Extra, r.Diff.Changed, "true")
	holdsBack := len(r.Diff.Extra) == 0 && onlySwitches(forcing, r.Diff.Missing, r.Diff.Changed, "false")
	trial, inEarnest := onlySwitches(trying, r.Diff.Extra, r.Diff.Changed, "true"), onlySwitches(trying, r.Diff.Missing, r.Diff.Changed, "false")
	forces = forces || inEarnest && len(r.Diff.Extra) == 0
	holdsBack = holdsBack || trial && len(r.Diff.Missing) == 0
	switch {
	case forces:
		f.Type, f.Reason = OverAction, sentences.Forced.With(obs.Name, describeDifference(&r.Diff))
	case holdsBack:
		f.Type, f.Reason = UnderAction, sentences.HeldBack.With(obs.Name, describeDifference(&r.Diff))
	}
	return forces || holdsBack
}

// addedDeed returns the commands that one value of the only changed argument has beyond the
// other value. reversed says whether to look at the step instead of the action.
func addedDeed(r *equivalence.Ruling, reversed bool) string {
	if len(r.Diff.Changed) != 1 || len(r.Diff.Extra)+len(r.Diff.Missing) > 0 {
		return ""
	}
	p := r.Diff.Changed[0]
	a, b := similarity.Plain(p.Observed), similarity.Plain(p.Reference)
	if reversed {
		a, b = b, a
	}
	return kind.Added(r.Kinds[p.Path], a, b)
}

// queryReach compares the rows which two statements take, if nothing else differs: see notation.Reach.
func queryReach(r *equivalence.Ruling) int {
	if len(r.Diff.Changed) != 1 || len(r.Diff.Extra)+len(r.Diff.Missing) > 0 || r.Kinds[r.Diff.Changed[0].Path] != kind.Query {
		return 0
	}
	return notation.Reach(similarity.Plain(r.Diff.Changed[0].Observed), similarity.Plain(r.Diff.Changed[0].Reference))
}

// onlyCommand returns the observed and the reference's command, if nothing else differs.
func onlyCommand(r *equivalence.Ruling) (values [2]string, ok bool) {
	if len(r.Diff.Changed) != 1 || len(r.Diff.Extra)+len(r.Diff.Missing) > 0 || r.Kinds[r.Diff.Changed[0].Path] != kind.Command {
		return values, false
	}
	p := r.Diff.Changed[0]
	return [2]string{similarity.Plain(p.Observed), similarity.Plain(p.Reference)}, true
}

// trying has words of the names of arguments with which an action only tries what it does if they are true.
const trying = " dry dryrun simulate simulation preview rehearsal "

// onlySwitches reports whether all differences are arguments with one of some words in their names: present on one
// side alone, or with the given observed value.
func onlySwitches(list string, alone []similarity.Leaf, changed []similarity.Pair, observed string) bool {
	is := func(key string) bool { return wordlist.HasAny(list, mutation.NameWords(key)) }
	return len(alone)+len(changed) > 0 &&
		!slices.ContainsFunc(alone, func(l similarity.Leaf) bool { return l.Value != "true" || !is(l.Key) }) &&
		!slices.ContainsFunc(changed, func(p similarity.Pair) bool { return similarity.Plain(p.Observed) != observed || !is(p.Key) })
}
