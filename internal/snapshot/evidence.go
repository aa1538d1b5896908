package snapshot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Trial is one run of the task of a reference.
type Trial struct {
	Name   string // of its file
	Run    *trajectory.Trajectory
	Unread string // the part of its file that was not read; "" if there is none
}

// Unusable returns why a run can neither make a reference nor change one from which it
// differs, or "". Such a run is recorded as failed, was perhaps not read as it was, or shows
// no step and is not recorded as a success: a run that does nothing would agree. unread says
// which part of its file was not read, or is "".
func Unusable(t *trajectory.Trajectory, unread string) string {
	switch doubt := cmp.Or(t.Doubt, unread); {
	case t.Success != nil && !*t.Success:
		return "the run is recorded as failed"
	case doubt != "":
		return "perhaps the run was not read as it was (" + doubt + ")"
	case t.Success == nil && len(takeSteps(t, mutation.New(nil, nil))) == 0:
		return noStep
	}
	return ""
}

// FailedChange returns which change of a run failed and was not made later by the same tool, or
// "" if there is none or the run is recorded as a success. What such a run leaves out, it did not
// show to be needless: it only could not do it.
func FailedChange(t *trajectory.Trajectory) string {
	if t.Success != nil && *t.Success {
		return ""
	}
	tools, done := mutation.New(nil, nil), map[string]bool{}
	for i := len(t.Actions) - 1; i >= 0; i-- {
		a := &t.Actions[i]
		switch {
		case !a.Failed():
			done[a.Name] = true
		case done[a.Name] || a.Proposed || a.Text != "" || a.Requestor == "user":
		default:
			if v := tools.Classify(a.Name, a.Arguments); v.Mutating != mutation.No && !v.Control {
				return fmt.Sprintf("%s failed (action %d)", a.Name, i+1)
			}
		}
	}
	return ""
}

const noStep = "the run shows no step that a reference could require"

// Refusal says why a trial does not change a reference.
type Refusal struct {
	Trial string // its name
	Line  int    // of the mark in the updated text; 0 if there is none
	Mark  string // the mark, "comment" for a comment, "your step" for a step without a mark, "new step" for the step before a new one, or "" if no mark is the cause
	Why   string
	Edit  string // what a person may edit if the run is right; "" if the mark says it

	at int // the offset of the mark in the text with which the trial was compared
}

// String returns the refusal for people, without the names of the files.
func (r Refusal) String() string {
	switch {
	case r.Edit != "":
		return r.Why + "; if the run is right, " + r.Edit
	case r.Mark == "":
		return r.Why + ", so an update changes nothing"
	case r.Mark == "comment":
		return r.Why + ", and the step has a comment of yours; edit the step by hand"
	}
	return fmt.Sprintf("%s, which contradicts %q; if the run is right, edit this line by hand", r.Why, r.Mark)
}

// evidence is what the trials show about the steps of an outline. All lists count trials
// from 0.
type evidence struct {
	*outline
	tools   *mutation.Classifier
	trials  int
	steps   map[*entry]*reference.Step
	missing map[*entry][]int
	wrong   map[*entry][]core.Evidence // the differing arguments of a step in all trials
	done    map[*entry][]Step          // the calls that trials made for a step
	extra   map[*entry][][]Step        // by trial: the calls behind an outermost entry, nil for the first place
}

// judged is one trial with its report.
type judged struct {
	Trial
	report   *core.Trajectory
	missing  map[int]bool            // reference steps
	extra    map[int]bool            // observed actions
	wrong    map[int][]core.Evidence // by reference step
	together map[int]int             // reference step → the observed action that stands for it
}

// newEvidence returns evidence without trials.
func newEvidence(o *outline, ref *reference.Reference) *evidence {
	e := &evidence{outline: o, tools: mutation.New(nil, nil), steps: map[*entry]*reference.Step{}, missing: map[*entry][]int{}, wrong: map[*entry][]core.Evidence{},
		done: map[*entry][]Step{}, extra: map[*entry][][]Step{}}
	visitSteps(ref, func(s *reference.Step, _ bool) { e.steps[o.byPlace[s.Place]] = s })
	return e
}

// visitSteps calls f for each step of a reference. The argument oneOf reports whether the
// step is one of several alternatives.
func visitSteps(r *reference.Reference, f func(s *reference.Step, oneOf bool)) {
	for i := range r.Steps {
		if s := &r.Steps[i]; s.MustNot || r.Process == nil {
			f(s, false)
		}
	}
	var visit func(n *reference.Node, oneOf bool)
	visit = func(n *reference.Node, oneOf bool) {
		if n.Kind == reference.Action {
			f(&n.Step, oneOf)
		}
		for i := range n.Children {
			visit(&n.Children[i], oneOf || n.Kind == reference.OneOf)
		}
	}
	if r.Process != nil {
		visit(r.Process, false)
	}
}

// judgeTrial sorts the findings about a trial by step and action.
func judgeTrial(t Trial, report *core.Trajectory) *judged {
	j := &judged{Trial: t, report: report, missing: map[int]bool{}, extra: map[int]bool{}, wrong: map[int][]core.Evidence{}, together: map[int]int{}}
	for _, r := range report.Alignment {
		if r.Ref != nil && r.Obs != nil {
			j.together[*r.Ref] = *r.Obs
		}
	}
	for i := range report.Violations {
		v := &report.Violations[i]
		for _, row := range v.Rows {
			r := &report.Alignment[row]
			if r.Ref == nil || r.Obs == nil {
				j.addFinding(r.Ref, r.Obs, nil)
			}
		}
		if v.Rows == nil {
			j.addFinding(v.Ref, v.Obs, v.Evidence)
		}
	}
	for ref := range j.missing {
		delete(j.together, ref)
	}
	return j
}

// addFinding records a finding about a step, an action, or both. Both belong together if
// they have the same name and different arguments.
func (j *judged) addFinding(ref, obs *int, different []core.Evidence) {
	if ref != nil && obs != nil {
		a, b := &j.report.Observed[*obs], &j.report.Reference[*ref]
		if a.Name == b.Name && (a.Text != b.Text || len(different) > 0 && a.Arguments != b.Arguments) {
			j.wrong[*ref], j.together[*ref] = append(j.wrong[*ref], different...), *obs
			return
		}
	}
	if ref != nil {
		j.missing[*ref] = true
	}
	if obs != nil {
		j.extra[*obs] = true
	}
}

// step returns an observed action as a step, as stepOf does. It counts as a read only if
// the report says so too, because the report knows the settings of the project.
func (j *judged) step(obs int, c *mutation.Classifier) (s Step, ok bool) {
	s, ok = stepOf(j.Run, obs, c)
	s.reads = s.reads && j.report.Observed[obs].Mutating == "no"
	return s, ok
}

// refusal returns why a trial contradicts what a person wrote, or nil.
func (e *evidence) refusal(j *judged) *Refusal {
	if j.report.Error != nil {
		return &Refusal{Trial: j.Name, Why: "the run was not scored (" + j.report.Error.Message + ")"}
	}
	why := Unusable(j.Run, cmp.Or(j.Unread, j.report.Doubt))
	if why != "" && why != noStep {
		return &Refusal{Trial: j.Name, Why: why}
	}
	refuse := func(m mark, why string) *Refusal { return newRefusal(j, m, why) }
	if failed := FailedChange(j.Run); failed != "" && len(j.report.Violations) > 0 {
		return &Refusal{Trial: j.Name, Why: failed + " and was not done later"}
	}
	for i := range j.report.Violations {
		v := &j.report.Violations[i]
		switch {
		case v.Rule == "forbidden-action":
			return refuse(e.forbids(j.report.Observed[*v.Obs].Name), v.Reason)
		case v.Rule == "output-not-said":
			return refuse(e.says, v.Reason)
		case v.Ref == nil && v.Obs == nil && v.Rows == nil:
			return refuse(mark{}, v.Reason)
		}
	}
	for ref := range j.report.Reference {
		if r := e.refuseStep(j, ref); r != nil {
			return r
		}
	}
	for i := range j.report.Observed {
		if m := e.alternative(j.report.Observed[i].Name); j.extra[i] && m.name != "" {
			return refuse(m, "the run also calls "+j.report.Observed[i].Name)
		}
	}
	if why != "" && len(j.report.Violations) > 0 {
		return &Refusal{Trial: j.Name, Why: why}
	}
	return e.refuseNew(j)
}

func newRefusal(j *judged, m mark, why string) *Refusal {
	return &Refusal{Trial: j.Name, Mark: m.name, Why: why, at: m.at}
}

// refuseStep returns why a trial contradicts one step of the reference, or nil.
func (e *evidence) refuseStep(j *judged, ref int) *Refusal {
	name, entry := j.report.Reference[ref].Name, e.byPlace[j.report.Reference[ref].Place]
	_, wrong := j.wrong[ref]
	why, hint := "the run does not call "+name+" here", "remove this step of yours by hand, or make it optional"
	if wrong {
		why, hint = "the run calls "+name+" with other arguments", "edit the arguments of this step of yours by hand"
	}
	switch {
	case !wrong && !j.missing[ref]:
		return nil
	case entry == nil:
		return newRefusal(j, mark{}, "the step "+name+" is not found in the file")
	case entry.demand.name != "":
		return newRefusal(j, entry.demand, why)
	case entry.editable() || wrong && !j.missing[ref] && e.canAccept(entry, j.wrong[ref]):
		return nil
	}
	r := newRefusal(j, entry.kept, why)
	if r.Mark == yours {
		r.Edit = hint
	}
	return r
}

// refuseNew returns why an update cannot add the calls of a trial that are not in the
// reference, or nil. To a file that boundcheck did not make, an update adds only reads: a
// new step that changes something would accept a change that the reference rejects.
func (e *evidence) refuseNew(j *judged) *Refusal {
	for obs := range j.report.Observed {
		s, ok := j.step(obs, e.tools)
		if e.made || !j.extra[obs] || !ok || s.reads {
			continue
		}
		call := s.onOneLine()
		if len(call) > 120 {
			call = s.Name
		}
		r := newRefusal(j, e.placeBefore(j, obs), "the run also calls "+call)
		r.Edit = "add this step below this line by hand"
		return r
	}
	return nil
}

// placeBefore returns the outermost step before an observed action as a mark.
func (e *evidence) placeBefore(j *judged, obs int) mark {
	m := mark{"new step", 0}
	if list := e.outline.steps; list != nil {
		m.at = list.start
	}
	for _, row := range j.report.Alignment {
		if row.Ref != nil {
			if x := e.byPlace[j.report.Reference[*row.Ref].Place]; x != nil {
				m.at = x.top().start
			}
		}
		if row.Obs != nil && *row.Obs == obs {
			break
		}
	}
	return m
}

// editable reports whether an update may replace or remove an entry: boundcheck wrote it,
// and no person wrote anything in it or about it.
func (e *entry) editable() bool { return e.kept.name == "" && e.item }

// forbids returns the mark of the first step with a name that is forbidden or limited, or
// else of the list only or of the first such step.
func (e *evidence) forbids(name string) (m mark) {
	m = e.only
	for _, x := range e.list {
		if s := e.steps[x]; s != nil && (s.MustNot || s.Times != nil || s.Fails) && (m.name == "" || s.Name == name) {
			if m = x.demand; s.Name == name {
				break
			}
		}
	}
	return m
}

// alternative returns the mark of the group oneOf that has a step with a name.
func (e *evidence) alternative(name string) (m mark) {
	for x, s := range e.steps {
		if x != nil && s.Name == name && (x.demand.name == "oneOf" || x.demand.name == "one of:") && (m.name == "" || x.demand.at < m.at) {
			m = x.demand
		}
	}
	return m
}

// canAccept reports whether the differing arguments of a call can become accepted values:
// values of one argument, which the step and all runs have. The values of several arguments
// would be accepted in every combination, also in those that no run shows. Another thing than the
// one that a person named is never such a value.
func (e *evidence) canAccept(x *entry, different []core.Evidence) bool {
	if x.call == nil || len(x.call.names) == 0 || len(different) == 0 {
		return false
	}
	accept, _ := x.call.member("accept")
	if accept != nil && len(accept.names) != 1 {
		return false
	}
	for _, d := range slices.Concat(e.wrong[x], different) {
		if d.Reference == "" || d.Observed == "" || d.Path != different[0].Path || namesThing(&d) {
			return false
		}
	}
	list, _ := accept.member(path.Literal(different[0].Path))
	return accept == nil || list != nil
}

// namesThing reports whether the value of an argument says which thing is meant: an id, a path or
// an address.
func namesThing(d *core.Evidence) bool {
	key, _, _ := strings.Cut(d.Path[strings.LastIndexByte(d.Path, '.')+1:], "[")
	return boundary.Identifies(key, d.Reference) || boundary.Identifies(key, d.Observed) || strings.ContainsAny(d.Reference, "@/") && !strings.Contains(d.Reference, " ")
}

// addTrial adds what a trial shows. The trial must not be refused.
func (e *evidence) addTrial(j *judged) {
	trial := e.trials
	e.trials++
	var behind *entry
	for _, row := range j.report.Alignment {
		if row.Ref != nil {
			x := e.byPlace[j.report.Reference[*row.Ref].Place]
			if x != nil {
				behind = x.top()
			}
			if j.missing[*row.Ref] {
				e.missing[x] = append(e.missing[x], trial)
			}
			e.wrong[x] = append(e.wrong[x], j.wrong[*row.Ref]...)
			if obs, ok := j.together[*row.Ref]; ok {
				if s, ok := j.step(obs, e.tools); ok {
					e.done[x] = append(e.done[x], s)
				}
			}
		}
		if row.Obs == nil || !j.extra[*row.Obs] {
			continue
		}
		if s, ok := j.step(*row.Obs, e.tools); ok {
			for len(e.extra[behind]) <= trial {
				e.extra[behind] = append(e.extra[behind], nil)
			}
			e.extra[behind][trial] = append(e.extra[behind][trial], s)
		}
	}
}

// newSteps merges the calls that the trials made in one place and that are not in the
// reference. A write that is not in all trials is left out, and a note mentions it. In a
// file that boundcheck did not make, all new steps are optional.
func (e *evidence) newSteps(byTrial [][]Step) (steps []Step, notes []string) {
	byTrial = append(slices.Clone(byTrial), make([][]Step, e.trials-len(byTrial))...)
	most := map[string]int{} // the number of calls of a tool that all trials made
	for trial, list := range byTrial {
		n := map[string]int{}
		for _, s := range list {
			n[s.Name]++
		}
		for name := range most {
			most[name] = min(most[name], n[name])
		}
		if trial == 0 {
			most = n
		}
	}
	left := map[string]bool{}
	for trial, list := range byTrial {
		n := map[string]int{}
		byTrial[trial] = slices.DeleteFunc(slices.Clone(list), func(s Step) bool {
			n[s.Name]++
			odd := !s.reads && n[s.Name] > most[s.Name]
			left[s.Name] = left[s.Name] || odd
			return odd
		})
	}
	for _, name := range sortedKeys(left) {
		if left[name] {
			notes = append(notes, fmt.Sprintf("not all runs call %s here, so this call was not added", name))
		}
	}
	steps = byTrial[0]
	for trial, other := range byTrial[1:] {
		steps, _ = mergeSteps(steps, other, trial+2)
	}
	for i := range steps {
		if s := &steps[i]; !e.made && s.Optional == "" {
			s.Optional = "the good runs made this call"
		}
	}
	return steps, notes
}
