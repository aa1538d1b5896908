package snapshot

import (
	"errors"
	"fmt"
	"slices"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// Updated is the result of an update.
type Updated struct {
	Text    string    // of the file; the old text if there is nothing to change
	Refused []Refusal // the trials that contradict what a person wrote, in order
	Notes   []string  // for people
}

// Compare compares all trials with a reference. The reports are in the order of the trials
// and contain only the findings that count.
type Compare func(*reference.Reference) ([]core.Trajectory, error)

// Update changes the reference of a task so that it describes the trials: runs of the task
// that went well. name and old are the name and the text of the file; task selects the
// reference in a suite, and is "" otherwise.
//
// The law: an update never loosens what a person wrote. In a file that boundcheck did not
// make, every byte is still there, in order, and each run that the reference rejected is
// still rejected, unless the update added an accepted value or an optional read that the
// trials show. In a file that boundcheck made, the same holds for each step that a person
// touched, and each run that was rejected because of a mark is still rejected. The method
// apply holds the part about bytes, keepDemands the part about runs.
//
// A file is made by boundcheck if its header says so. A step in it is a person's if its
// bytes differ from what boundcheck writes, and if it has a mark or comment. Marks are the
// members of a call besides its name and arguments, and all groups. The comments of a
// proposal, and the marks that it writes with them, are told apart from a person's.
//
// A person's step only gets accepted values, and only if it has no mark that demands
// something. To a file of a person, only reads are added, as optional steps. Any other
// step follows the trials: it gets the arguments of the trials, merged as in Of; it is
// removed if no trial does it; if only some trials do a read, it becomes optional. To a
// file that boundcheck made, a new call is added if all trials made it. A trial that
// contradicts anything else is refused and changes nothing. So is a trial that is recorded
// as failed, that was not scored, that perhaps was not read as it was, or that shows no step.
// Each step that an update removes is in a note, and no update makes a reference right for a
// run that does nothing.
func Update(name, old, task string, trials []Trial, compare Compare) (Updated, error) {
	u := updater{name: name, task: task, trials: trials, compare: compare}
	text := old
	for range 10 {
		next, err := u.settle(text)
		if err == nil && next != old {
			err = u.keepDemands(old, next)
		}
		if err != nil {
			return Updated{}, err
		}
		if next == text {
			return u.result(text), nil
		}
		text = next // a trial that was refused may agree now, and the same update must change nothing more
	}
	return Updated{}, errUnsettled
}

var errUnsettled = errors.New("the runs do not lead to one reference; edit the file by hand")

func (u *updater) result(text string) Updated {
	out := Updated{Text: text, Notes: slices.Concat(u.removed, u.notes)}
	for i := range u.trials {
		if r, ok := u.refused[i]; ok {
			out.Refused = append(out.Refused, r)
		}
	}
	return out
}

type updater struct {
	name, task string
	old        string // the text with which settle begins
	trials     []Trial
	compare    Compare
	refused    map[int]Refusal // by trial
	notes      []string
	removed    []string // notes about steps that the new text lacks
	edits      [][]edit // the edits of each change so far, in order
}

// settle changes a text until the trials ask for no further change. If a trial is refused,
// it begins again without the trial.
func (u *updater) settle(old string) (string, error) {
	u.old, u.refused = old, map[int]Refusal{}
	text := old
	u.edits = nil
	for range 10 + len(u.trials) {
		next, refused, err := u.change(text)
		switch {
		case err != nil:
			return "", err
		case refused:
			text, u.edits = old, nil
			continue
		case next == text:
			return text, nil
		}
		text = next
	}
	return "", errUnsettled
}

// change returns a text with the changes that the trials ask for. refused reports whether
// it refused a trial; then the text is worthless.
func (u *updater) change(text string) (next string, refused bool, err error) {
	o, ref, err := u.read(text)
	if err != nil {
		return "", false, err
	}
	reports, err := u.compare(ref)
	if err != nil {
		return "", false, err
	}
	if len(reports) != len(u.trials) {
		return "", false, errors.New("not every run could be compared with the reference")
	}
	e := newEvidence(o, ref)
	for i, t := range u.trials {
		if _, known := u.refused[i]; known {
			continue
		}
		j := judgeTrial(t, &reports[i])
		if r := e.refusal(j); r != nil {
			if r.Mark != "" {
				r.Line = newSource(u.old).line(u.offsetInOld(r.at))
			}
			u.refused[i], refused = *r, true
			continue
		}
		e.addTrial(j)
	}
	if refused || e.trials == 0 {
		return text, refused, nil
	}
	next, err = u.edit(e)
	return next, false, err
}

func (u *updater) read(text string) (*outline, *reference.Reference, error) {
	one, byTask, err := Read(u.name, []byte(text))
	if err != nil {
		return nil, nil, err
	}
	if byTask != nil {
		one = byTask[u.task]
	}
	if one == nil || one.Origin != reference.Person {
		return nil, nil, fmt.Errorf("the file has no reference for task %q that an update can edit", u.task)
	}
	o, err := outlineOf(u.name, text, u.task)
	return o, one, err
}

// edit returns the text of an outline with the changes that the evidence asks for.
func (u *updater) edit(e *evidence) (string, error) {
	u.notes = nil
	c := &changes{removed: map[*entry]bool{}, replaced: map[*entry]Step{}, behind: map[*entry][]Step{}}
	edits, err := u.changeSteps(e, e.list, c)
	if err != nil {
		return "", err
	}
	for _, x := range slices.Concat([]*entry{nil}, e.list) {
		steps, notes := e.newSteps(e.extra[x])
		for _, s := range steps {
			if e.holds(&s) {
				c.behind[x] = append(c.behind[x], s)
			} else {
				notes = append(notes, "one line cannot hold the new step "+s.Name+"; write the reference in YAML")
			}
		}
		u.notes = append(u.notes, notes...)
	}
	more, err := e.insertions(c)
	if err != nil {
		return "", err
	}
	edits = append(edits, more...)
	if more, err = e.editsOf(e.list, c); err != nil {
		return "", err
	}
	edits = append(edits, more...)
	text, err := e.apply(edits)
	u.edits = append(u.edits, edits)
	return text, err
}

// offsetInOld returns the offset in the old text of a byte that a person wrote, from its
// offset after all edits so far.
func (u *updater) offsetInOld(at int) int {
	for _, edits := range slices.Backward(u.edits) {
		shift := 0
		for _, x := range edits { // apply has sorted them
			if x.start+shift+len(x.text) > at {
				at = min(at, x.start+shift) // a byte of a new text stands for the place of the text
				break
			}
			shift += len(x.text) - (x.end - x.start)
		}
		at -= shift
	}
	return at
}

// changeSteps decides what happens to each step of a list. It returns the edits of steps
// that a person wrote about, and adds the other changes to c.
func (u *updater) changeSteps(e *evidence, list []*entry, c *changes) (edits []edit, err error) {
	for _, x := range list {
		more, err := u.changeSteps(e, x.children, c)
		if err != nil {
			return nil, err
		}
		edits = append(edits, more...)
		if gone(x.children, c) && x.editable() {
			c.removed[x] = true
		}
		missing, done, wrong := len(e.missing[x]), e.done[x], e.wrong[x]
		switch {
		case missing == e.trials:
			c.removed[x] = true
		case !x.editable() && len(wrong) > 0:
			more, err := e.acceptEdits(x, wrong)
			if err != nil {
				return nil, err
			}
			edits = append(edits, more...)
		case (missing > 0 || len(wrong) > 0) && len(done) > 0:
			u.followTrials(e, x, c)
		}
	}
	return edits, nil
}

// gone reports whether a group has children and all of them are removed.
func gone(children []*entry, c *changes) bool {
	return len(children) > 0 && !slices.ContainsFunc(children, func(x *entry) bool { return !c.removed[x] })
}

// followTrials replaces a step by what the trials did.
func (u *updater) followTrials(e *evidence, x *entry, c *changes) {
	s := e.done[x][0]
	for _, other := range e.done[x][1:] {
		s = mergePair(s, other)
	}
	if n := len(e.missing[x]); n > 0 && s.reads {
		s.Optional = fmt.Sprintf("good run %d did not make this call", e.missing[x][0]+1)
	} else if n > 0 {
		u.notes = append(u.notes, fmt.Sprintf("line %d: %d of %d runs do not call %s; check whether the reference needs this call", e.line(x.start), n, e.trials, s.Name))
		if len(e.wrong[x]) == 0 {
			return
		}
	}
	c.replaced[x] = s
}

// keepDemands returns an error if the reference lacks a demand that it had before: a
// person's step, a forbidden or required step, a step with a part of its boundary or with
// the list compare, an alternative, a text to say, or a synonym. Only the accepted values of
// a person's step may differ, if it has no mark that demands something.
func (u *updater) keepDemands(old, now string) error {
	o, before, err := u.read(old)
	if err != nil {
		return err
	}
	_, after, err := u.read(now)
	if err != nil {
		return fmt.Errorf("the updated file cannot be read, so it was not written: %w", err)
	}
	left := map[string]int{}
	for _, d := range demandsOf(after, nil) {
		left[d]++
	}
	for _, d := range demandsOf(before, o) {
		if left[d]--; left[d] < 0 {
			return errors.New("the update would loosen the reference, so it was not written; edit the file by hand")
		}
	}
	if asksForStep(before) && !asksForStep(after) {
		return errors.New("no required step would be left, and a run that does nothing would agree; edit the file by hand, or remove it and update again")
	}
	u.removed = removedSteps(before, after)
	return nil
}

// asksForStep reports whether a reference requires at least one step of every run.
func asksForStep(r *reference.Reference) bool {
	if r.Process != nil {
		return nodeAsks(r.Process)
	}
	return slices.ContainsFunc(r.Steps, func(s reference.Step) bool { return !s.MustNot })
}

func nodeAsks(n *reference.Node) bool {
	empty := func(c reference.Node) bool { return !nodeAsks(&c) }
	switch n.Kind {
	case reference.Action:
		return !n.Step.MustNot
	case reference.Optional:
		return false
	case reference.OneOf:
		return !slices.ContainsFunc(n.Children, empty)
	}
	return slices.ContainsFunc(n.Children, func(c reference.Node) bool { return nodeAsks(&c) })
}

// removedSteps returns a note for each tool of which a reference has fewer steps than before.
func removedSteps(before, after *reference.Reference) (notes []string) {
	fewer := map[string]int{}
	visitSteps(before, func(s *reference.Step, _ bool) { fewer[s.Name]++ })
	visitSteps(after, func(s *reference.Step, _ bool) { fewer[s.Name]-- })
	for _, name := range sortedKeys(fewer) {
		if n := fewer[name]; n > 0 {
			notes = append(notes, fmt.Sprintf("removed %s of %s: no good run makes it; if it was required, add it by hand", countText(n, "step"), name))
		}
	}
	return notes
}

// demandsOf returns a text for each demand of a reference. The outline says which steps are
// a person's; if it is nil, all steps count.
func demandsOf(r *reference.Reference, o *outline) (all []string) {
	visitSteps(r, func(s *reference.Step, oneOf bool) {
		if s.MustNot || s.Required || s.Compare != nil || s.Expect != nil || s.Times != nil || s.Fails || !s.Stated.Empty() || oneOf {
			all = append(all, fmt.Sprint(oneOf, s.Key()))
		}
		if o == nil || o.byPlace[s.Place] == nil || o.byPlace[s.Place].kept.name != "" {
			bare := *s
			bare.Accept = nil
			all = append(all, fmt.Sprint("step ", bare.Key()))
		}
	})
	for _, text := range r.Says {
		all = append(all, "says "+text)
	}
	if r.Only != nil {
		all = append(all, "only "+r.OnlyText())
	}
	if r.Vocabulary != nil {
		all = append(all, vocabularyText(r.Vocabulary))
	}
	return all
}

func vocabularyText(v *boundary.Vocabulary) string {
	return fmt.Sprint(v.Aliases, v.Compositions)
}
