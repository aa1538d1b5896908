package engine

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// A record has sides: the run, and what should have been done. Its laws: a member with a name
// that speaks of an expectation is never a part of the run. What says that a member is the
// run is its name (IsRunSide), and not what its list holds, because a run may have no call.

// CopySides sets what a row says about its runs beside the trace: the reference, the outcome
// and the profile. ours reports whether the row is in this project's own format, so that its
// other settings cause warnings.
func (d *Decoder) CopySides(runs []trajectory.Trajectory, row *shape.Object, ours bool) {
	d.heldTo(runs, row.Get("reference"), ours)
	d.SetExpected(runs, row, ours)
	if ours {
		d.ownSettings(runs, row)
		d.copyOutcome(runs, row)
		return
	}
	nameTask(runs, row)
	d.copyOutcome(runs, row)
	if len(runs) == 1 && waits(row) {
		proposeWaiting(&runs[0])
	}
	if p := row.FirstString("profile"); shape.OneOf(p, "outcome sop") {
		askProfile(runs, p)
	}
}

func askProfile(runs []trajectory.Trajectory, profile string) {
	for i := range runs {
		runs[i].AskedProfile = profile
	}
}

// expectedUnused are the words of the warning about expected sides that no run was compared with.
const expectedUnused = "of the records: what was expected is not written as calls, or is of no run, so it was not compared"

// doubtUnrecorded marks the run of a record that expects calls, but has no place for those
// that were made: no list of calls, spans or events, and no word of an assistant in a
// conversation.
func (d *Decoder) doubtUnrecorded(t *trajectory.Trajectory, row *shape.Object) {
	if t.Reference == nil || len(t.Reference.Steps) == 0 || len(t.Actions) > 0 || d.probing {
		return
	}
	for i, key := range row.Keys {
		v := row.Values[i]
		if shape.IsExpected(key) || v.Kind() < jsonval.Array || v.Kind() == jsonval.String {
			continue
		}
		list := mainList(v, 0)
		if list == nil && (v.Kind() == jsonval.Array || shape.HasRunSide(shape.OpenObject(v)) || shape.HasCallList(shape.OpenObject(v))) && (shape.IsRunSide(key) || shape.IsCallList(key) || shape.IsSpanList(key) || shape.IsPartList(key) || shape.OneOf(key, "trace actions output outputs response prediction")) ||
			slices.ContainsFunc(list, func(m jsonval.Value) bool { return shape.OneOf(shape.RoleOf(shape.OpenObject(m)), "assistant tool") }) {
			return
		}
	}
	addDoubt(t, "the record does not say which calls were made")
}

// SetExpected makes the reference of a row's runs from the members that contain what should
// have been done. It does nothing if the runs have a reference. An expected side with calls
// that cannot be read makes the runs doubtful.
func (d *Decoder) SetExpected(runs []trajectory.Trajectory, row *shape.Object, ours bool) {
	if len(runs) != 1 || d.probing {
		return
	}
	unused, unread := d.setInnerExpected(runs, row), ""
	for i, key := range row.Keys {
		v := row.Values[i]
		if v.Kind() == jsonval.Null || !shape.IsExpected(key) {
			continue
		}
		d.LeaveOut(v)
		if runs[0].Reference != nil || ours && key == "reference" { // which heldTo has read
			continue
		}
		ref, whole := d.readExpected(key, v)
		if ref == nil && whole {
			ref = d.expectedNames(&runs[0], v)
		}
		runs[0].Reference = ref
		unused = unused || ref == nil
		if !whole && unread == "" {
			unread = key
		}
	}
	switch {
	case runs[0].Reference != nil || !unused:
	case unread == "":
		d.AddTally("expected-not-used", expectedUnused, 1)
	default:
		doubt := "the expected calls in " + shape.QuoteExcerpt(unread, 0, 40) + " could not be read, so they were not compared"
		if runs[0].Doubt == "" {
			runs[0].Doubt = doubt
		}
		d.Warn("expected-not-read", doubt, d.offsetOf(row.Get(unread)), len(d.Trajectories)-1)
	}
}

// setInnerExpected is like SetExpected for the expected sides in the objects that say what the
// case is. It reports whether there is one that was not used. A member of the row itself comes
// first.
func (d *Decoder) setInnerExpected(runs []trajectory.Trajectory, row *shape.Object) (unused bool) {
	if runs[0].Reference != nil || slices.ContainsFunc(row.Keys, shape.IsExpected) {
		return false
	}
	for _, o := range shape.CaseObjects(row, 2) {
		for i, key := range o.Keys {
			if v := o.Values[i]; v.Kind() != jsonval.Null && shape.IsExpected(key) {
				d.LeaveOut(v)
				ref, whole := d.readExpected(key, v)
				if ref == nil && whole {
					ref = d.expectedNames(&runs[0], v)
				}
				unused = unused || ref == nil
				if runs[0].Reference == nil {
					runs[0].Reference = ref
				}
			}
		}
	}
	return unused
}

// readExpected returns the reference in an expected side, or nil if the side has no calls.
// The name of the member decides whether words are names of tools. whole is false if the side
// speaks of calls that cannot be read.
func (d *Decoder) readExpected(key string, v jsonval.Value) (ref *reference.Reference, whole bool) {
	if inner, err := jsonval.Parse(v.Text()); v.Kind() == jsonval.String && err == nil && inner.Kind() >= jsonval.Array {
		v = inner
	}
	ofCalls := shape.SpeaksOfCalls(key)
	if shape.SaysNothing(v) {
		return nil, true
	}
	switch {
	case v.Kind() == jsonval.String:
		return shape.ExpectedText(key, v.Text())
	case v.Kind() == jsonval.Array && v.Len() == 0:
		if ofCalls {
			return &reference.Reference{Steps: []reference.Step{}}, true
		}
		return nil, true
	case v.Kind() == jsonval.Array && shape.FirstElement(v).Kind() == jsonval.String && !ofCalls:
		return nil, true
	case v.Kind() == jsonval.Object && v.Get("steps").Exists():
		if ref, err := reference.FromValue(v); err == nil {
			return ref, true
		}
	}
	ref, whole = d.expectedCalls(v)
	return ref, whole && (ref != nil || !ofCalls || v.Kind() < jsonval.Array)
}

// expectedNames returns the reference in a list of texts, if all are names and one is that of a
// tool of the run. Otherwise the texts may be an answer, and it returns nil.
func (d *Decoder) expectedNames(t *trajectory.Trajectory, list jsonval.Value) *reference.Reference {
	known := false
	for _, e := range list.Elements() {
		name, ok := e.Str()
		if !ok || !shape.IsName(name) {
			return nil
		}
		known = known || slices.Contains(t.Tools, name) || slices.ContainsFunc(t.Actions, func(a trajectory.Action) bool { return a.Name == name })
	}
	if !known {
		return nil
	}
	ref, _ := d.expectedCalls(list)
	return ref
}

// expectedCalls returns the reference with the calls in v, or nil if there are none. The
// calls may be in any shape, or in messages. whole is false if a part of them cannot be read.
func (d *Decoder) expectedCalls(v jsonval.Value) (ref *reference.Reference, whole bool) {
	if shape.FirstElement(v).Kind() == jsonval.Array {
		return d.expectedTurns(v)
	}
	probe := Decoder{text: d.text, formats: d.formats, golds: d.golds}
	r := probe.NewFindingRun()
	r.readExpectedCalls(v)
	r.CompleteCalls()
	ref = &reference.Reference{}
	for i := range probe.Trajectories[0].Actions {
		a := &probe.Trajectories[0].Actions[i]
		if a.Broken != "" {
			return nil, false
		}
		step := reference.Step{Name: a.Name, Arguments: a.Arguments, Text: a.Text}
		if !a.Arguments.Exists() {
			step.Compare = []string{}
		}
		ref.Steps = append(ref.Steps, step)
	}
	switch {
	case len(probe.unread) > 0:
		return nil, false
	case len(ref.Steps) > 0:
		return ref, true
	case shape.ExpectsNothing(shape.OpenObject(v)):
		return &reference.Reference{Steps: []reference.Step{}}, true
	}
	return nil, true
}

// expectedTurns returns the reference in a list with the calls of each turn.
func (d *Decoder) expectedTurns(list jsonval.Value) (ref *reference.Reference, whole bool) {
	ref = &reference.Reference{Steps: []reference.Step{}, Turns: list.Len()}
	for i, v := range list.Elements() {
		one, whole := d.expectedCalls(v)
		if !whole || one == nil && v.Len() > 0 {
			return nil, false
		}
		if one == nil {
			continue
		}
		for _, s := range one.Steps {
			s.Turn = i + 1
			ref.Steps = append(ref.Steps, s)
		}
	}
	return ref, true
}

// readExpectedCalls reads the calls in an expected side: a list of calls, a list of messages,
// a list of such lists, or an object around one of them.
func (r *Run) readExpectedCalls(v jsonval.Value) {
	first := shape.OpenObject(shape.FirstElement(v))
	switch {
	case v.Kind() == jsonval.Object:
		o := shape.OpenObject(v)
		for i, key := range o.Keys {
			if m := o.Values[i]; shape.IsExpected(key) || shape.IsCallList(key) || shape.OneOf(key, "messages trajectory actions") {
				r.readExpectedCalls(m)
			}
		}
		if shape.OpenBlock(v).Name != "" {
			if r.ToolCall(v); shape.HidesArguments(v) {
				r.Decoder.leaveUnread(v, "calls")
			}
		}
	case shape.FirstElement(v).Kind() == jsonval.Array:
		for _, list := range v.Elements() {
			r.readExpectedCalls(list)
		}
	case shape.RoleOf(first) != "":
		r.readMessageList(v)
	case v.Kind() == jsonval.Array:
		r.callList("calls", v)
		for _, e := range v.Elements() {
			if shape.HidesArguments(e) {
				r.Decoder.leaveUnread(e, "calls")
			}
		}
	}
}

// ReadGold reads the reference in a benchmark's task. It returns nil if there is none. If
// the reference cannot be read, it adds a warning and returns nil, too.
func (d *Decoder) ReadGold(task jsonval.Value) *reference.Reference {
	r, err := d.golds.Read(task)
	if err != nil {
		d.WarnAt("invalid-reference", err.Error(), task)
	}
	return r
}
