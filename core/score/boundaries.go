package score

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// lookBack is the number of earlier actions among which findPreconditions searches for
// the preconditions of an action.
const lookBack = 24

// setBoundaries sets the boundary B(a) of each observed action and of each reference
// step.
func (r *run) setBoundaries(t *report.Trajectory) {
	gran := r.granularityLevels()
	all := make([]report.Boundary, len(r.Obs)+len(r.Ref))
	answered := func(j int) string { return observationText(&r.Actions[j]) }
	for i := range r.Obs {
		t.Observed[i].Boundary = describeAction(&all[i], r.Obs, i, gran.obs[i], answered)
	}
	nothing := func(int) string { return "" }
	for i := range r.Ref {
		t.Reference[i].Boundary = describeAction(&all[len(r.Obs)+i], r.Ref, i, gran.ref[i], nothing)
	}
}

func observationText(a *trajectory.Action) string {
	if a.Observation == nil {
		return ""
	}
	return a.Observation.Text
}

// levels holds the granularity of each observed action (obs) and of each reference step
// (ref). The granularity is 1 for an action that does exactly one step. It is more than 1
// for an action that does several steps, and a fraction for an action that does only a
// part of a step.
type levels struct{ obs, ref []float64 }

func (r *run) granularityLevels() levels {
	l := levels{onesVector(len(r.Obs)), onesVector(len(r.Ref))}
	for i := range r.findings {
		f := &r.findings[i]
		if f.Within > 0 && f.Obs < 0 {
			l.obs[f.Within-1]++
		}
		var obs, ref []int
		for _, row := range f.Rows {
			if s := r.Steps[row]; s.Obs >= 0 {
				obs = append(obs, s.Obs)
			}
			if s := r.Steps[row]; s.Ref >= 0 {
				ref = append(ref, s.Ref)
			}
		}
		if len(obs) == 0 || len(ref) == 0 {
			continue
		}
		for _, o := range obs {
			l.obs[o] = float64(len(ref)) / float64(len(obs))
		}
	}
	return l
}

func onesVector(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

// The empty list for actions without preconditions. It is not nil, so
// that the JSON has [], not null.
var noPreconditions = []report.Precondition{}

// noScope is the empty list for actions without entities.
var noScope = []string{}

// describeAction sets b to the boundary B(a) of the action side[i], and returns b. The
// function answered returns the result of an earlier action, or "" if there is none.
func describeAction(b *report.Boundary, side []boundary.Action, i int, gran float64, answered func(int) string) *report.Boundary {
	a := &side[i]
	b.Pre, b.Scope, b.Gran, b.Eff = noPreconditions, a.Scope(), gran, effectText(a)
	if a.Writes() {
		b.Pre = findPreconditions(side, i, b.Scope, answered)
	}
	b.Scope = shownScope(b.Scope)
	applyStated(b, side, i)
	return b
}

// shownScope returns a scope with its numbers in usual notation, for example 12 instead
// of 12e0. The caller must not change it.
func shownScope(scope []string) []string {
	if len(scope) == 0 {
		return noScope
	}
	out := make([]string, len(scope))
	for i, entity := range scope {
		out[i] = similarity.ShowValue(entity)
	}
	return out
}

// applyStated changes b to what is stated about the boundary of the action side[i]:
//
//   - a stated effect or list of entities replaces the inferred one;
//   - the granularity is multiplied by the stated granularity;
//   - stated preconditions are added.
func applyStated(b *report.Boundary, side []boundary.Action, i int) {
	s := side[i].Stated
	if s.Empty() {
		return
	}
	if s.Eff != "" {
		b.Eff, b.Stated = s.Eff, append(b.Stated, "eff")
	}
	if len(s.Scope) > 0 {
		if b.Stated = append(b.Stated, "scope"); !s.Arguments {
			b.Scope = s.Scope
		}
	}
	if s.Gran > 0 {
		b.Gran, b.Stated = b.Gran*s.Gran, append(b.Stated, "gran")
	}
	if len(s.Pre) > 0 {
		b.Stated = append(b.Stated, "pre")
	}
	for _, name := range s.Pre {
		p := report.Precondition{Name: name, Kind: "stated"}
		for j := i - 1; j >= 0; j-- {
			if side[j].Name == name {
				p.Action, p.Failed = indexOrNil(j), side[j].Failed
				break
			}
		}
		b.Pre = append(b.Pre, p)
	}
}

// effectText returns the verb and the object of the change that an action makes. It
// returns "none" if the action changes nothing, and "unknown" if its name has no known
// verb or object.
func effectText(a *boundary.Action) string {
	switch {
	case a.Failed:
		return "none"
	case !a.Mutation.Counts():
		return "none"
	}
	d := a.Deed()
	word := d.Class
	if word == "" {
		word = d.Verb
	}
	text := strings.TrimSpace(word + " " + strings.Join(d.Object, " "))
	if word == "" || text == "" {
		return "unknown"
	}
	return text
}

// findPreconditions returns the earlier actions on which side[i], an action with an
// effect, depends. scope has the entities that side[i] changes. The result has:
//
//   - reads whose result has a value in scope, and reads of the entities in scope;
//   - checks, consents and opening actions (such as begin, lock and login), if no action
//     with an effect lies between them and side[i].
func findPreconditions(side []boundary.Action, i int, scope []string, answered func(int) string) []report.Precondition {
	out := noPreconditions
	values := make([]string, len(scope))
	for k, entity := range scope {
		values[k] = similarity.Plain(entity)
	}
	direct := true
	for j := i - 1; j >= 0 && j >= i-lookBack; j-- {
		a := &side[j]
		if kind := preconditionKind(a, scope, values, answered(j), direct); kind != "" {
			out = append(out, report.Precondition{Name: a.Name, Action: indexOrNil(j), Kind: kind, Failed: a.Failed})
		}
		if a.Writes() && a.Deed().Effectful() {
			direct = false
		}
	}
	for l, r := 0, len(out)-1; l < r; l, r = l+1, r-1 {
		out[l], out[r] = out[r], out[l]
	}
	return out
}

func preconditionKind(a *boundary.Action, scope, values []string, answer string, direct bool) string {
	if !direct && a.Writes() {
		return ""
	}
	d := a.Deed()
	switch {
	case direct && (d.Class == "approve" || a.Mutation.Control && d.Class == "check"):
		return "consent"
	case direct && d.Class == "check":
		return "check"
	case direct && equivalence.Opening(d):
		return "opening"
	case a.Writes():
		return ""
	}
	for _, v := range values {
		if answer != "" && !a.Failed && strings.Contains(answer, v) {
			return "value"
		}
	}
	for i := range a.Leaves {
		if slices.Contains(scope, a.Leaves[i].Value) && boundary.Identifies(a.Leaves[i].Key, a.Leaves[i].Value) {
			return "entity"
		}
	}
	return ""
}
