package violation

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// This file joins findings that have one cause, and says which action the cause is in. No
// figure of steps depends on it: the same rows stay broken.

// joinCollapsed makes one finding of the findings about missing steps in whose place the
// agent guessed values of one action.
func (k *classifier) joinCollapsed() {
	first := map[int]int{} // action → its finding
	joined := map[int]bool{}
	for i := range k.found {
		f := &k.found[i]
		if f.Rule != "collapsed-steps" || len(f.Evidence) == 0 || f.Within == 0 {
			continue
		}
		at, ok := first[f.Within]
		if !ok {
			first[f.Within] = i
			continue
		}
		g := &k.found[at]
		if g.Rows == nil {
			g.Rows = []int{g.Row}
		}
		g.Rows = append(g.Rows, f.Row)
		g.addEvidence(f.Evidence)
		joined[i] = true
	}
	if len(joined) == 0 {
		return
	}
	for _, i := range first {
		if f := &k.found[i]; f.Rows != nil {
			f.Reason = k.collapsedReason(f)
		}
	}
	kept := k.found[:0]
	for i := range k.found {
		if !joined[i] {
			kept = append(kept, k.found[i])
		}
	}
	k.found = kept
}

func (f *Finding) addEvidence(more []Evidence) {
	for _, e := range more {
		if !slices.Contains(f.Evidence, e) {
			f.Evidence = append(f.Evidence, e)
		}
	}
}

func (k *classifier) collapsedReason(f *Finding) string {
	steps := make([]string, len(f.Rows))
	for i, row := range f.Rows {
		steps[i] = k.Ref[k.Steps[row].Ref].Name
	}
	var values []string
	for _, e := range f.Evidence {
		if !slices.Contains(values, e.Path) {
			values = append(values, e.Path)
		}
	}
	return sentences.Collapsed.With(k.Obs[f.Within-1].Name, sentences.List(steps), sentences.List(values))
}

// The words of names that select things, and of names that act on the selection.
var (
	selecting = []string{"select", "filter", "mark", "choose", "pick", "tick", "highlight", "search", "find"}
	selected  = []string{"selected", "selection", "marked", "chosen", "picked", "ticked", "highlighted", "filtered"}
)

// blameSelection changes a finding about an extra action that selects things, for example
// select_all. The fault is in the later action that acts on the selection, if the reference
// selects with other steps, which are missing.
func (k *classifier) blameSelection(f *Finding) {
	if f.Rule != "extra-action" || !hasWord(k.Obs[f.Obs].Name, selecting...) {
		return
	}
	for row := f.Row + 1; row < len(k.Steps); row++ {
		s := k.Steps[row]
		if s.Obs < 0 {
			continue
		}
		a := &k.Obs[s.Obs]
		if !hasWord(a.Name, selected...) {
			if hasWord(a.Name, selecting...) {
				return // it selects again
			}
			continue
		}
		if meant := k.missingSelection(s.Ref); a.Mutation.Counts() && meant != nil {
			f.Pattern, f.Confidence, f.Within = ScopeOvergeneralisation, writeConfidence(a), 1+s.Obs
			f.Reason = sentences.Selection.With(a.Name, k.Obs[f.Obs].Name, callText(meant))
		}
		return
	}
}

// missingSelection returns the last reference step before ref that selects things, if the run
// did not do it, or else nil.
func (k *classifier) missingSelection(ref int) *boundary.Action {
	for r := ref - 1; r >= 0; r-- {
		if a := &k.Ref[r]; hasWord(a.Name, selecting...) {
			if k.Steps[k.rowOfRef[r]].Obs >= 0 {
				return nil
			}
			return a
		}
	}
	return nil
}

// callText returns an action with its arguments, as in "filter_reviews(status=pending)".
func callText(a *boundary.Action) string {
	arguments := make([]string, 0, len(a.Leaves))
	for _, l := range a.Leaves {
		arguments = append(arguments, sentences.ValueIs.With(l.Path, similarity.ShowValue(l.Value)))
	}
	if len(arguments) == 0 {
		return a.Name
	}
	return sentences.CallWith.With(a.Name, strings.Join(arguments, ", "))
}
