package engine

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/envelope"
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
	row = shape.OpenSideTexts(row)
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
		if shape.IsExpected(key) || v.Kind() < jsonval.Array {
			continue
		}
		list := shape.MainList(v, 0)
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
	var never []reference.Step
	var sides []side
	for i, key := range row.Keys {
		v := row.Values[i]
		if v.Kind() != jsonval.Null && shape.IsApart(key) {
			never = append(never, d.readApart(&runs[0], key, v)...)
		}
		if v.Kind() == jsonval.Null || !shape.IsExpected(key) {
			continue
		}
		d.LeaveOut(v)
		never = append(never, d.forbiddenIn(&runs[0], v)...)
		if runs[0].Reference != nil || ours && key == "reference" { // which heldTo has read
			continue
		}
		ref, whole := d.readExpected(key, v)
		if ref == nil && whole {
			ref = d.expectedNames(&runs[0], v)
		}
		if unused = unused || ref == nil; ref != nil {
			sides = append(sides, side{key, ref})
		}
		if (!whole || ref == nil && namesTool(&runs[0], key, v)) && unread == "" {
			unread = key
		}
	}
	if len(sides) > 0 {
		runs[0].Reference = chooseSide(&runs[0], sides)
	}
	d.joinArguments(&runs[0], row)
	if !ours {
		d.ReadTarget(&runs[0], row)
	}
	if len(never) > 0 {
		addForbidden(&runs[0], never)
		unused = false
	}
	switch {
	case runs[0].Reference != nil || !unused:
	case unread == "":
		d.AddTally("expected-not-used", expectedUnused, 1)
	default:
		doubt := "the expected calls in " + shape.QuoteExcerpt(unread, 0, 40) + " could not be read, so they were not compared"
		if v := shape.OpenText(row.Get(unread)); reference.HasConstraints(v) {
			if _, err := reference.FromValue(v); err != nil {
				doubt += ": " + err.Error()
			}
		}
		addDoubt(&runs[0], doubt)
		d.Warn("expected-not-read", doubt, d.offsetOf(row.Get(unread)), len(d.Trajectories)-1)
	}
}

// readApart leaves out the calls in a member that are of no run. It returns those that must not be
// made. A run of which a judge names calls, such as missing ones, is doubtful.
func (d *Decoder) readApart(t *trajectory.Trajectory, key string, v jsonval.Value) []reference.Step {
	if shape.IsAssertions(key) {
		return d.readAsserted(t, v)
	}
	d.LeaveOut(v)
	if shape.SideOf(key) == shape.ForbiddenSide {
		return d.readForbidden(v)
	}
	if v.Kind() == jsonval.Array && v.Len() > 0 {
		addDoubt(t, "its record names calls in "+shape.QuoteExcerpt(key, 0, 40)+", which were not compared")
	}
	return nil
}

// readAsserted makes the reference of a run from the calls that a test asserts, in any order, and returns
// those of which it asserts that they were not made.
func (d *Decoder) readAsserted(t *trajectory.Trajectory, list jsonval.Value) (never []reference.Step) {
	all := reference.Node{Kind: reference.AnyOrder}
	for _, e := range list.Elements() {
		o := shape.OpenObject(e)
		name, not := shape.AssertedCall(o)
		if !shape.IsName(name) {
			continue
		}
		d.LeaveOut(e)
		s := reference.Step{Name: name, MustNot: not}
		if s.Arguments = o.Get("args arguments params parameters input with"); s.Arguments.Kind() != jsonval.Object {
			s.Arguments, s.Compare = jsonval.Value{}, []string{}
		}
		if not {
			never = append(never, s)
		} else {
			all.Children = append(all.Children, reference.Node{Kind: reference.Action, Step: s})
		}
	}
	if len(all.Children) > 0 && t.Reference == nil {
		t.Reference = reference.FromNode(reference.Node{Kind: reference.Sequence, Children: []reference.Node{all}})
	}
	return never
}

// forbiddenIn returns the calls that an expected side says must not be made.
func (d *Decoder) forbiddenIn(t *trajectory.Trajectory, v jsonval.Value) (never []reference.Step) {
	o := shape.OpenObject(v)
	for i, key := range o.Keys {
		if shape.IsApart(key) {
			never = append(never, d.readApart(t, key, o.Values[i])...)
		}
	}
	return never
}

// readForbidden returns the calls in a value as steps that must not be done.
func (d *Decoder) readForbidden(v jsonval.Value) (never []reference.Step) {
	if text, ok := v.Str(); ok {
		for _, name := range strings.Split(text, ",") {
			if name = strings.TrimSpace(name); shape.IsName(name) {
				never = append(never, reference.Step{Name: name, MustNot: true, Compare: []string{}})
			}
		}
		return never
	}
	ref, _ := d.expectedCalls(v)
	if ref == nil {
		return nil
	}
	for _, s := range ref.Steps {
		s.MustNot, s.Turn = true, 0
		never = append(never, s)
	}
	return never
}

// addForbidden adds steps that must not be done to the reference of a run. Without a reference, a
// run that did none of them has kept what was asked, and nothing says what else it should have done.
func addForbidden(t *trajectory.Trajectory, never []reference.Step) {
	done := func(s reference.Step) bool {
		return slices.ContainsFunc(t.Actions, func(a trajectory.Action) bool {
			return a.Name == s.Name && (s.Compare != nil || a.Arguments.Canonical() == s.Arguments.Canonical())
		})
	}
	switch {
	case t.Reference != nil:
		own := *t.Reference
		own.Steps = slices.Concat(own.Steps, never)
		t.Reference = &own
	case slices.ContainsFunc(never, done):
		t.Reference = &reference.Reference{Steps: never}
	}
}

// setInnerExpected is like SetExpected for the expected sides in the objects that say what the
// case is. It reports whether there is one that was not used. A member of the row itself comes
// first.
func (d *Decoder) setInnerExpected(runs []trajectory.Trajectory, row *shape.Object) (unused bool) {
	if runs[0].Reference != nil || slices.ContainsFunc(row.Keys, shape.IsExpected) {
		return false
	}
	if runs[0].Reference = d.expectedOfTurns(row); runs[0].Reference != nil {
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
	v = shape.OpenText(v)
	if name, list := shape.NamedTools(v); name != "" {
		key, v = name, list
	} else if name, inner := shape.InnerExpected(v); name != "" {
		key, v = name, shape.OpenText(inner)
	}
	if reference.HasConstraints(v) {
		ref, err := reference.FromValue(v)
		return ref, err == nil
	}
	ofCalls := shape.SpeaksOfCalls(key)
	if list := shape.AnyOf(key, v); list != nil {
		ref = d.expectedOneOf(list)
		return ref, ref != nil
	}
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
		return expectedTexts(key, v)
	case shape.AreKeyedCalls(v):
		return shape.KeyedReference(v), true
	case v.Kind() == jsonval.Object && v.Get("steps").Exists():
		if ref, err := reference.FromValue(v); err == nil {
			return ref, true
		}
	}
	ref, whole = d.expectedCalls(v)
	return ref, whole && (ref != nil || !ofCalls || v.Kind() < jsonval.Array)
}

// expectedTexts returns the reference in a list of texts if each is written as a call, or else nil.
func expectedTexts(key string, list jsonval.Value) (*reference.Reference, bool) {
	var lines []string
	for _, e := range list.Elements() {
		text := strings.TrimSpace(e.Text())
		if !strings.HasSuffix(text, ")") || !strings.Contains(text, "(") || strings.Contains(text, "\n") {
			return nil, true
		}
		lines = append(lines, text)
	}
	return shape.ExpectedText(key, strings.Join(lines, "\n"))
}

// namesTool reports whether what was expected speaks of a tool of the run, so that it is more than an answer.
// A member that is named as an answer is one.
func namesTool(t *trajectory.Trajectory, key string, v jsonval.Value) bool {
	if shape.IsAnswerName(key) {
		return false
	}
	is := func(name string) bool { return len(name) > 2 && strings.Contains(v.Raw(), name) }
	return slices.ContainsFunc(t.Tools, is) || slices.ContainsFunc(t.Actions, func(a trajectory.Action) bool { return is(a.Name) })
}

// expectedOneOf returns the reference that accepts each of several lists of calls, or nil if one of them
// cannot be read.
func (d *Decoder) expectedOneOf(list []jsonval.Value) *reference.Reference {
	one := reference.Node{Kind: reference.OneOf}
	for _, v := range list {
		ref, whole := d.expectedCalls(v)
		if shape.IsCallValue(v) {
			ref, whole = d.expectedCalls(shape.ListOf(v))
		}
		if !whole || ref == nil || ref.Process != nil {
			return nil
		}
		all := reference.Node{Kind: reference.Sequence}
		for _, s := range ref.Steps {
			all.Children = append(all.Children, reference.Node{Kind: reference.Action, Step: s})
		}
		one.Children = append(one.Children, all)
	}
	return reference.FromNode(reference.Node{Kind: reference.Sequence, Children: []reference.Node{one}})
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
	if turns := v.Get("turns"); shape.FirstElement(turns).Kind() == jsonval.Array {
		v = turns
	}
	if shape.FirstElement(v).Kind() == jsonval.Array {
		return d.expectedTurns(v.Elements())
	}
	probe := Decoder{text: d.text, formats: d.formats, golds: d.golds}
	r := probe.NewFindingRun()
	r.readExpectedCalls(v)
	r.CompleteCalls()
	if ref = expectedSteps(&probe.Trajectories[0]); ref == nil {
		return nil, false
	}
	read := len(probe.unread) == 0
	switch {
	case read && len(ref.Steps) > 0:
		return ref, true
	case read && shape.ExpectsNothing(shape.OpenObject(v)):
		return &reference.Reference{Steps: []reference.Step{}}, true
	}
	if ref := d.expectedRun(v); ref != nil {
		return ref, true
	}
	return nil, read
}

// expectedRun returns the reference in an expected side that is written like a run in any form, or nil.
func (d *Decoder) expectedRun(v jsonval.Value) *reference.Reference {
	if v.Kind() < jsonval.Array || d.depth > MaxUnits || !HoldsCall(v) {
		return nil
	}
	p := d.newInner()
	if p.readChecked(envelope.Source{Values: []jsonval.Value{v}}) != nil || len(p.Trajectories) != 1 || p.Trajectories[0].Doubt != "" || len(p.Warnings) > 0 {
		return nil
	}
	return expectedSteps(&p.Trajectories[0])
}

// expectedSteps returns the reference that the actions of an expected side are, or nil if one of
// them cannot be read.
func expectedSteps(t *trajectory.Trajectory) *reference.Reference {
	ref := &reference.Reference{}
	for i := range t.Actions {
		a := &t.Actions[i]
		if a.Broken != "" {
			return nil
		}
		step := reference.Step{Name: a.Name, Arguments: a.Arguments, Text: a.Text}
		if !a.Arguments.Exists() {
			step.Compare = []string{}
		}
		ref.Steps = append(ref.Steps, step)
	}
	return ref
}

// expectedTurns returns the reference in lists with the calls of each turn.
func (d *Decoder) expectedTurns(list []jsonval.Value) (ref *reference.Reference, whole bool) {
	ref = &reference.Reference{Steps: []reference.Step{}, Turns: len(list)}
	for i, v := range list {
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

// expectedOfTurns returns the reference of a dialogue of which each turn says which calls it expects, perhaps
// none, or nil for another record. O(turns), after a look at the first one.
func (d *Decoder) expectedOfTurns(row *shape.Object) *reference.Reference {
	list := row.Get("turns rounds")
	first := shape.OpenObject(shape.FirstElement(list))
	at := slices.IndexFunc(first.Keys, func(key string) bool { return shape.IsExpected(key) && shape.SpeaksOfCalls(key) })
	if at < 0 {
		return nil
	}
	var sides []jsonval.Value
	for _, turn := range list.Elements() {
		sides = append(sides, turn.Get(first.Keys[at]))
		d.LeaveOut(sides[len(sides)-1])
	}
	ref, _ := d.expectedTurns(sides)
	return ref
}

// readExpectedCalls reads the calls in an expected side: a list of calls, a list of messages,
// a list of such lists, or an object around one of them.
func (r *Run) readExpectedCalls(v jsonval.Value) {
	first := shape.OpenObject(shape.FirstElement(v))
	switch {
	case v.Kind() == jsonval.Object:
		o := shape.OpenObject(v)
		for i, key := range o.Keys {
			if m := o.Values[i]; shape.IsExpected(key) || shape.IsCallList(key) || shape.OneOf(key, "messages trajectory actions steps calls") || shape.OneOf(key, "tools tool_names toolNames sequence") && m.Kind() == jsonval.Array {
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
	case v.Kind() == jsonval.Array && isTypedStep(first):
		for _, e := range v.Elements() {
			o := shape.OpenObject(e)
			arguments := o.FirstNonNull("data toolArgs tool_args args arguments input")
			r.AddCall(Call{Name: o.FirstString("name"), Arguments: arguments, At: e, unrecorded: !arguments.Exists()})
		}
	case v.Kind() == jsonval.Array:
		r.callList("calls", v)
		for _, e := range v.Elements() {
			if shape.HidesArguments(e) {
				r.Decoder.leaveUnread(e, "calls")
			}
		}
	}
}

// isTypedStep reports whether an object is a step of a trajectory whose type says that it is a call.
func isTypedStep(o *shape.Object) bool {
	return shape.IsName(o.FirstString("name")) && strings.Contains(o.FirstString("stepType step_type"), "tool_call")
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
