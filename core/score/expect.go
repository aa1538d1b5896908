package score

import (
	"fmt"
	"slices"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
)

// noteSeen records for each action which of its values an earlier result holds, where a
// drawStep says sameAs. Two equal calls, one before and one after the look, thereby differ.
func (r *run) noteSeen(ref *reference.Reference) {
	ref.EachStep(func(s *reference.Step) {
		for i := range s.Expect {
			for _, source := range s.Expect[i].Matcher.Sources() {
				for o := range r.Obs {
					if r.Obs[o].Name == s.Name {
						r.noteValues(o, s.Expect[i].Path, source, ref)
					}
				}
			}
		}
	})
}

// noteValues records which values at a path of an action are in the results that a source
// names.
func (r *run) noteValues(obs int, at string, source match.Source, ref *reference.Reference) {
	p, err := path.CompilePlaces(at)
	v, err2 := jsonval.Parse(r.Obs[obs].Raw)
	if err != nil || err2 != nil {
		return
	}
	seen, held := r.resultsOf(obs, source, ref)
	for _, place := range match.Places(v, p) {
		if slices.Contains(seen, place.Value.Text()) {
			r.Obs[obs].NoteSeen(source.Step+"."+source.Path, place.Value)
		} else {
			r.Obs[obs].NoteHeld(source.Step+"."+source.Path, held)
		}
	}
}

// stepsNamed returns the steps of a reference with a name and with arguments.
func (r *run) stepsNamed(name string, ref *reference.Reference) (steps []boundary.Action) {
	ref.EachStep(func(s *reference.Step) {
		if s.Name == name && !s.MustNot && s.Arguments.Len() > 0 {
			steps = append(steps, boundary.Action{Call: similarity.NewCall(name, s.Arguments, "", ""), Terms: stepTerms(s)})
		}
	})
	return steps
}

// resultsOf returns the values at a path of the results of a step that came before an
// action, and says in words which they are. An element of a list counts as a value. If the
// reference has steps of this name with arguments and the run did one of them, only the
// results of such calls count.
func (r *run) resultsOf(obs int, source match.Source, ref *reference.Reference) (out []string, held string) {
	at, err := path.Compile(source.Path)
	if err != nil {
		return nil, ""
	}
	steps := r.stepsNamed(source.Step, ref)
	isStep := func(i int) bool {
		return slices.ContainsFunc(steps, func(s boundary.Action) bool { return equivalence.Does(&r.Obs[i], &s) })
	}
	didStep, isCalled, shown := false, false, []string(nil)
	for i := range r.Actions[:obs] {
		didStep = didStep || r.Actions[i].Name == source.Step && isStep(i)
	}
	for i := range r.Actions[:obs] {
		a := &r.Actions[i]
		if a.Name != source.Step || didStep && !isStep(i) {
			continue
		}
		isCalled = true
		if a.Failed() || a.Observation == nil {
			continue
		}
		result, err := jsonval.Parse(a.Observation.Text)
		if err != nil {
			continue
		}
		v := at.Get(result)
		for _, e := range v.Elements() {
			out = append(out, e.Text())
		}
		if v.Exists() && v.Kind() != jsonval.Null {
			out = append(out, v.Text())
			shown = append(shown, v.Raw())
		}
	}
	return out, equivalence.HeldText(shown, isCalled, source.Step)
}

// findForbidden records the actions that a reference forbids by only, times and fails.
func (r *run) findForbidden(ref *reference.Reference) {
	forbid := func(obs int, format string, a ...any) {
		if r.Forbidden == nil {
			r.Forbidden = map[int]string{}
		}
		if r.Forbidden[obs] == "" {
			r.Forbidden[obs] = fmt.Sprintf(format, a...)
		}
	}
	for i := range r.Obs {
		if a := &r.Obs[i]; ref.Only != nil && a.Text == "" && !a.Failed && !a.ByUser && !ref.Allows(a.Name) {
			forbid(i, "the reference allows only %s, not %s", orElseText(ref.OnlyText(), "no tool"), a.Name)
		}
	}
	for _, s := range r.Steps {
		if s.Obs >= 0 && s.Ref >= 0 && r.Ref[s.Ref].Failed && !r.Obs[s.Obs].Failed && r.Obs[s.Obs].Name == r.Ref[s.Ref].Name {
			forbid(s.Obs, "the reference says that %s must be refused, but it was carried out", r.Obs[s.Obs].Name)
		}
	}
	r.findCarriedOut(forbid)
	r.findRepeated(ref, forbid)
}

// findCarriedOut finds the actions beside the alignment that do a step that must be refused, and no
// other step, such as a second try that was carried out.
func (r *run) findCarriedOut(forbid func(obs int, format string, a ...any)) {
	refuses := false
	for i := range r.Ref {
		refuses = refuses || r.Ref[i].Failed
	}
	if !refuses {
		return
	}
	for _, s := range r.Steps {
		if s.Obs < 0 || s.Ref >= 0 || r.Obs[s.Obs].Failed || r.Obs[s.Obs].ByUser {
			continue
		}
		does := func(failed bool) bool {
			return slices.ContainsFunc(r.Ref, func(a boundary.Action) bool { return a.Failed == failed && equivalence.Does(&r.Obs[s.Obs], &a) })
		}
		if does(true) && !does(false) {
			forbid(s.Obs, "the reference says that %s must be refused, but it was carried out", r.Obs[s.Obs].Name)
		}
	}
}

func orElseText(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// findRepeated finds the actions that do a step more often than its times allow. A step
// that the same call may do, too, makes room for as many calls as it allows.
func (r *run) findRepeated(ref *reference.Reference, forbid func(obs int, format string, a ...any)) {
	limited := false
	ref.EachStep(func(s *reference.Step) { limited = limited || s.Times != nil })
	if !limited {
		return
	}
	var steps []boundary.Action
	var most []int
	ref.EachStep(func(s *reference.Step) {
		if s.MustNot || s.Fails {
			return
		}
		limit := 1
		if s.Times != nil {
			limit = s.Times.Max
		}
		steps = append(steps, boundary.Action{Call: similarity.NewCall(r.observedName(s.Name), s.Arguments, "", s.Text), Terms: stepTerms(s), Required: s.Times != nil})
		most = append(most, limit)
	})
	for k := range steps {
		if !steps[k].Required || most[k] < 0 {
			continue
		}
		var done []int
		room := most[k]
		for i := range r.Obs {
			if a := &r.Obs[i]; !a.Failed && !a.ByUser && a.Does(&steps[k]) {
				done = append(done, i)
			}
		}
		for j := range steps {
			if j != k && room >= 0 && slices.ContainsFunc(done, func(i int) bool { return r.Obs[i].Does(&steps[j]) }) {
				if room += most[j]; most[j] < 0 {
					room = -1
				}
			}
		}
		for n, i := range done {
			if room >= 0 && n >= room {
				forbid(i, "the reference allows %s at most %d times", r.Obs[i].Name, most[k])
			}
		}
	}
}
