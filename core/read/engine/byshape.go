package engine

import (
	"maps"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/byshape"
	"github.com/boundcheck/boundcheck/core/read/envelope"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/spent"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// decodeByShape reads a text of a form that nobody described, and returns the calls that it found
// as facts. sure says how surely each record is a run. See core/read/byshape.
func (d *Decoder) decodeByShape(values []jsonval.Value, loose bool) (found []fact, sure int) {
	reading := byshape.Find(values, loose)
	if reading.Unused > 0 {
		d.AddTally("expected-not-used", expectedUnused, reading.Unused)
	}
	d.Format = trajectory.FoundFormat
	for _, b := range reading.Runs {
		r := d.NewRun()
		if len(b.Records) > 0 {
			CopyMeta(&r.Trajectory, b.Records[0])
		}
		if r.Trajectory.ID == "" {
			r.Trajectory.ID = b.Name
		}
		for _, item := range b.Items {
			if c := item.Call; c != nil {
				found = append(found, shapedFact(d, c))
				r.addShaped(c)
			} else {
				r.AddMessage(item.Role, item.Text)
			}
		}
		for _, at := range b.Lost {
			d.WarnAt("result-without-call", "no call waits for this tool result", at)
			doubtResult(&r.Trajectory)
		}
		if len(reading.Runs) == 1 {
			r.readEndOfStream(values)
		}
		d.Within(b.At, r.AddToDocument)
		d.completeShaped(b)
	}
	return found, reading.Sure
}

// addShaped adds a call with its result.
func (r *Run) addShaped(c *byshape.Call) {
	if c.At.Kind() == jsonval.Object {
		r.Took.Enter(shape.OpenObject(c.At))
	}
	if r.Role != "assistant" {
		r.BeginTurn("assistant")
	}
	i := r.AddCall(Call{ID: c.ID, Name: c.Name, Arguments: c.Arguments, At: c.At, unrecorded: !c.Arguments.Exists()})
	text := ToolText(c.Result)
	if !c.Result.Exists() && c.State.Flag == shape.Failed {
		text = shape.ErrorWords(c.Fault)
	}
	if c.Result.Exists() || c.State.Flag == shape.Failed {
		r.SetObservation(i, shape.NewObservation(text, c.State.Flag))
		r.AddToolMessage(text)
	}
	markState(&r.Trajectory.Actions[i], c.State)
}

// readEndOfStream reads what the last event of a stream says that the run took.
func (r *Run) readEndOfStream(values []jsonval.Value) {
	if last := values[len(values)-1]; len(values) > 1 && last.Kind() == jsonval.Object {
		if o := shape.OpenObject(last); o.FirstString("type") == "result" && r.Trajectory.Whole == nil {
			r.Trajectory.Whole = spent.OfRun(o, "")
		}
	}
}

// completeShaped gives the last run what its record says beside the calls.
func (d *Decoder) completeShaped(b *byshape.Run) {
	runs := d.Trajectories[len(d.Trajectories)-1:]
	t := &runs[0]
	if b.Expects {
		t.Reference = &reference.Reference{Steps: []reference.Step{}}
		for _, c := range b.Wanted {
			d.LeaveOut(c.At)
			step := reference.Step{Name: c.Name, Arguments: c.Arguments}
			if !c.Arguments.Exists() {
				step.Compare = []string{}
			}
			t.Reference.Steps = append(t.Reference.Steps, step)
		}
	}
	if slices.ContainsFunc(b.Records, hasConstrainedSide) {
		t.Reference = nil // which CopySides reads, as a shape knows no constraints
	}
	for _, o := range b.Records {
		if i := slices.IndexFunc(o.Keys, shape.IsExpected); i >= 0 && t.Reference != nil && b.Expects && o.Values[i].Kind() >= jsonval.Array {
			if ref, whole := d.readExpected(o.Keys[i], o.Values[i]); whole && ref != nil && (ref.Process != nil || len(ref.Steps) > len(t.Reference.Steps)) {
				t.Reference = ref // alternatives, or a step without arguments has no shape of a call
			}
		}
		d.CopySides(runs, o, false)
	}
}

// hasConstrainedSide reports whether an expected side of a record constrains its steps.
func hasConstrainedSide(o *shape.Object) bool {
	for i, key := range o.Keys {
		if shape.IsExpected(key) && reference.HasConstraints(shape.OpenText(o.Values[i])) {
			return true
		}
	}
	return false
}

// isGuess reports whether a reading is not that of a known format with calls, so that one by shape
// may be better: it has no call, or neither arguments nor results of any. A format that says of a
// value that it is no call where one should be is known: a search would leave the value out.
func (d *Decoder) isGuess() bool {
	if shape.OneOf(d.Format, trajectory.FoundFormat+" generic-actions") {
		return true
	}
	return !d.settled && !d.hasWarning("call-not-object") && !slices.ContainsFunc(d.Trajectories, func(t trajectory.Trajectory) bool {
		return slices.ContainsFunc(t.Actions, func(a trajectory.Action) bool { return a.Observation != nil || a.Arguments.Len() > 0 || a.Text != "" })
	})
}

// readShaped reads the text of a guess by shape, and returns the better of the two, with its
// balance. err is the error of d, the facts are those of which b is the balance, and fresh is a
// decoder that has read nothing.
func (d *Decoder) readShaped(s envelope.Source, err error, facts, others []fact, b balance, fresh Decoder) (*Decoder, balance, error) {
	if strings.HasPrefix(s.Values[0].Get("schema").Text(), "boundcheck.") || len(fresh.Warnings) > len(s.Values)+sample {
		return d, b, err // a report, which tells what was read, or a text that is mostly not JSON
	}
	shaped, sure := fresh.decodeByShape(s.Rows(), err != nil || d.countActions() == 0 && d.hasSkipWarning())
	if len(shaped) == 0 || err != nil && d.hasOnlyExpected(s, facts, shaped) {
		return d, b, err
	}
	fresh.applyStates(s.Values)
	poor := b.countMistakes()+d.countOdd() > 0 || d.countActions() == 0 || len(d.beside) > 0
	if poor && err == nil {
		others = dropHolders(others, shaped)
		others = slices.Concat(others, d.selectNew(shaped, others))
		b = d.compareFacts(facts, others)
	}
	c := fresh.compareFacts(facts, others)
	n, m := b.countMistakes()+d.countOdd()+d.countUnreadRows(), c.countMistakes()+fresh.countOdd()+fresh.countUnreadRows()
	if told := fresh.countTold() - d.countTold(); err == nil && d.countActions() > 0 && d.hasToolsOf(&fresh) && fresh.countActions() == d.countActions() && !(sure >= byshape.Sure && len(fresh.Trajectories) > len(d.Trajectories)) {
		n, m = n+max(0, told)+d.ordered, m+max(0, -told)
	}
	if err != nil || fresh.saysMore(d, n-m, sure) && (m < n || fresh.joinsEnds(d) || !isPartly(s.Rows())) {
		return &fresh, c, nil
	}
	return d, b, err
}

// hasOnlyExpected reports whether a text has expected sides, and by shape no call but in these, or whole
// records, such as the examples of a data set. A member named as expected is never the run.
func (d *Decoder) hasOnlyExpected(s envelope.Source, facts, shaped []fact) bool {
	if d.onlyExpected(s, facts) == nil {
		return false
	}
	return reference.IsOldSet(s.Values[0]) || !slices.ContainsFunc(shaped, func(f fact) bool {
		return !d.isLeftOut(f.offset) && !slices.ContainsFunc(shape.OpenObject(f.at).Keys, shape.IsExpected)
	})
}

// saysMore reports whether a reading by shape is better than another one. fewer is the number of
// mistakes that it does not make, and sure says how surely each record is a run. It reads no call
// twice that the other one reads once, and no less of what should have been done.
func (d *Decoder) saysMore(other *Decoder, fewer, sure int) bool {
	calls, runs, steps := d.countActions()-other.countActions(), len(d.Trajectories)-len(other.Trajectories), d.countSteps()-other.countSteps()
	switch {
	case fewer < 0 || steps < 0:
		return false
	case other.countActions() == 0:
		return true
	case d.hasAllOf(other) && !other.hasAllOf(d):
		return d.countTwice(other) == 0
	case d.joinsEnds(other):
		return true
	}
	return calls <= fewer && (fewer > 0 || steps > 0 || sure >= byshape.Sure && runs > 0 || sure >= byshape.VerySure && runs < 0)
}

// joinsEnds reports whether another reading has the same runs and calls, and some of them twice: it took the
// ends of calls for calls. Each call of d has a result.
func (d *Decoder) joinsEnds(other *Decoder) bool {
	n := d.countActions()
	return n > 0 && n < other.countActions() && len(d.Trajectories) == len(other.Trajectories) && d.countAnswered() == n && n >= other.countAnswered() && d.hasAllOf(other) && other.hasAllOf(d)
}

// countAnswered returns the number of calls with a result.
func (d *Decoder) countAnswered() (n int) {
	for i := range d.Trajectories {
		for j := range d.Trajectories[i].Actions {
			n += shape.IfElse(d.Trajectories[i].Actions[j].Observation != nil, 1, 0)
		}
	}
	return n
}

// countSteps returns the number of calls that should have been done.
func (d *Decoder) countSteps() (n int) {
	for i := range d.Trajectories {
		if ref := d.Trajectories[i].Reference; ref != nil {
			n += len(ref.Steps)
		}
	}
	return n
}

// hasAllOf reports whether all calls of another reading were read, perhaps not as often.
func (d *Decoder) hasAllOf(other *Decoder) bool {
	all, others := d.allReadings(), other.allReadings()
	for arguments, names := range others.spelt {
		for name := range names {
			if all.spelt[arguments][name] == 0 {
				return false
			}
		}
	}
	return true
}

// countTwice returns the number of calls that were read and that another reading has not as often,
// but has.
func (d *Decoder) countTwice(other *Decoder) (n int) {
	all, others := d.allReadings(), other.allReadings()
	for arguments, names := range others.spelt {
		for name, times := range names {
			n += max(0, all.spelt[arguments][name]-times)
		}
	}
	return n
}

// countOdd returns the number of calls that were read and are perhaps none: they have no name,
// what is no name, or no arguments that can be read.
func (d *Decoder) countOdd() (n int) {
	n = -d.listed
	for i := range d.Trajectories {
		for j := range d.Trajectories[i].Actions {
			a := &d.Trajectories[i].Actions[j]
			n += shape.IfElse(a.Text == "" && (a.Broken != "" || !shape.IsName(a.Name)), 1, 0)
		}
	}
	return n
}

// countUnreadRows returns 1 if a row was left out, because no run was found in it.
func (d *Decoder) countUnreadRows() int { return shape.IfElse(d.hasWarning("row-not-read"), 1, 0) }

// hasToolsOf reports whether the tools of another reading were called as often.
func (d *Decoder) hasToolsOf(other *Decoder) bool {
	times := map[string]int{}
	for _, list := range [...][]trajectory.Trajectory{d.Trajectories, other.Trajectories} {
		for i := range list {
			for j := range list[i].Actions {
				times[list[i].Actions[j].Name] += shape.IfElse(&list[0] == &d.Trajectories[0], 1, -1)
			}
		}
	}
	for _, n := range times {
		if n != 0 {
			return false
		}
	}
	return true
}

// countTold says how much was read of the calls: arguments and results count, a result that says that its
// call failed counts more, and one of no call counts less.
func (d *Decoder) countTold() (n int) {
	for i := range d.Trajectories {
		for j := range d.Trajectories[i].Actions {
			a := &d.Trajectories[i].Actions[j]
			n += shape.IfElse(a.Arguments.Len() > 0, 2, 0)
			if o := a.Observation; o != nil {
				n += shape.IfElse(o.Error, 3, 2)
			}
		}
	}
	for _, w := range d.Warnings {
		n += shape.IfElse(w.Code == "result-without-call", 1, 0)
	}
	return n
}

// isPartly reports whether rows are parts of runs, of which a search for calls knows more.
func isPartly(rows []jsonval.Value) bool {
	kind := KindOfRows(rows)
	return len(rows) > 1 && (kind == shape.PartRows || kind == shape.ExchangeRows || kind == shape.EventRows)
}

// selectNew returns the calls of tools of which d has read none, without those that are in known.
func (d *Decoder) selectNew(shaped, known []fact) []fact {
	type told struct {
		offset int
		name   string
	}
	twice := map[told]bool{}
	for _, f := range known {
		twice[told{f.offset, f.name}] = true
	}
	read := slices.Collect(maps.Keys(d.allReadings().names))
	return slices.DeleteFunc(slices.Clone(shaped), func(f fact) bool {
		return twice[told{f.offset, f.name}] || slices.ContainsFunc(read, func(name string) bool { return sameTool(name, f.name) })
	})
}

// dropHolders returns facts without the things that hold calls beside their arguments, because
// these are none.
func dropHolders(facts, shaped []fact) []fact {
	return slices.DeleteFunc(slices.Clone(facts), func(f fact) bool {
		end := f.offset + len(f.at.Raw())
		return f.offset >= 0 && slices.ContainsFunc(shaped, func(inner fact) bool {
			return inner.offset > f.offset && inner.offset < end && !strings.Contains(f.arguments.Raw(), inner.at.Raw())
		})
	})
}

// noteBeside notes the lists of objects beside the member of an object from which its run was read.
func (d *Decoder) noteBeside(o *shape.Object, name string) {
	for i, key := range o.Keys {
		v := o.Values[i]
		if v.Kind() == jsonval.Array && key != name && !d.probing && shape.FirstElement(v).Kind() == jsonval.Object && shape.MemberRank(key, v) < 3 && !shape.IsExpected(key) {
			d.beside = append(d.beside, v)
		}
	}
}

// findBeside returns the calls that the shape of what decoders left shows, if they are of tools of
// which none was read.
func (d *Decoder) findBeside() (found []fact) {
	if len(d.beside) == 0 {
		return nil
	}
	for _, b := range byshape.Find(d.beside, false).Runs {
		for _, item := range b.Items {
			if c := item.Call; c != nil {
				found = append(found, shapedFact(d, c))
			}
		}
	}
	return d.selectNew(found, nil)
}

func shapedFact(d *Decoder, c *byshape.Call) fact {
	return fact{at: c.At, offset: d.offsetOf(c.At), name: c.Name, member: "name", arguments: c.Arguments}
}
