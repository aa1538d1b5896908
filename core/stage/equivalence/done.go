package equivalence

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/math/align"
)

// linkDone returns which actions did which steps, rightly or wrongly. An action did the
// step that it equals at another position, the step of its row, or the steps of its group.
// The moves are used up: the result has their slices. O(rows).
func (j *judge) linkDone(groups []Group) boundary.Done {
	d := boundary.Done{Step: j.moved.obs, Action: j.moved.ref}
	for row, s := range j.Steps {
		if s.Op != align.Match && s.Op != align.Substitution || d.Step[s.Obs] >= 0 || d.Action[s.Ref] >= 0 {
			continue
		}
		pair := Pair{s.Obs, s.Ref}
		if r := &j.out[row]; r.Kind == Late && (s.Op == align.Match || r.same) { // the step was done, but too early
			d.Step[s.Obs], d.Action[s.Ref] = s.Ref, s.Obs
		} else if j.apart[row] == nil && r.Verdict != Note && (r.Kind == Unmet || r.About(s) == pair) {
			d.Step[s.Obs], d.Action[s.Ref] = s.Ref, s.Obs
		}
	}
	for o, r := range j.moved.nearObs {
		if r >= 0 && d.Step[o] < 0 && d.Action[r] < 0 {
			d.Step[o], d.Action[r] = r, o
		}
	}
	for i := range groups {
		if g := &groups[i]; g.linked {
			joinGroup(d, g)
		}
	}
	for i := range j.uneven {
		joinGroup(d, &j.uneven[i])
	}
	return d
}

// joinGroup links the actions and the steps of a group, and removes their other links.
func joinGroup(d boundary.Done, g *Group) {
	for _, o := range g.Obs {
		if r := d.Step[o]; r >= 0 {
			d.Action[r] = -1
		}
		d.Step[o] = g.Ref[0]
	}
	for _, r := range g.Ref {
		if o := d.Action[r]; o >= 0 && !slices.Contains(g.Obs, o) {
			d.Step[o] = -1
		}
		d.Action[r] = g.Obs[0]
	}
}
