package engine

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/spent"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// IsGeneric reports whether an object is a call without a special format, for example
// {"name": …, "arguments": …}. It returns false for events, and for other things that
// have a name.
func IsGeneric(o *shape.Object) bool {
	if o.HasAny("event") || o.IsText("type") && !shape.OneOf(o.FirstString("type"), "function tool call tool_call action") {
		return false
	}
	if o.OpenMember("input inputs").IsList("messages") || holdsCalls(o) || shape.HasRunSide(o) {
		return false // a node of a graph, a model, or a run with its calls
	}
	return o.IsText("name") && !o.IsText("role") && isNamedCall(o) && !slices.ContainsFunc(o.Keys, shape.IsExpected) && !namesSort(o) || o.IsText("text") && len(o.Keys) <= 4 && o.HasAny("result error name")
}

// namesSort reports whether an object is an event, whose sort stands in a member of any name.
func namesSort(o *shape.Object) bool {
	for i, key := range o.Keys {
		if word, ok := o.Values[i].Str(); ok && !shape.OneOf(key, "name type") && shape.IsSort(word) {
			return true
		}
	}
	return false
}

// isNamedCall reports whether an object with a name is a call. A call has arguments or a
// result, or it has only members that every call may have, such as id and time. The
// definition of a tool is not a call.
func isNamedCall(o *shape.Object) bool {
	if o.HasAny("arguments kwargs args result output observation error") || o.HasAny("parameters input") && !o.HasAny("description") {
		return true
	}
	for _, key := range o.Keys {
		if !shape.OneOf(key, "id name type text requestor call_id step index time timestamp") {
			return false
		}
	}
	return true
}

// DecodeGeneric reads a list of actions, {"name", "arguments", "result"?, "error"?}, into one
// run, or into one for each thread that the actions name.
func DecodeGeneric(d *Decoder, in Batch) {
	groups := shape.ByThread(in.Values)
	for _, list := range groups {
		r := d.NewRun()
		CopyMeta(&r.Trajectory, in.Outer)
		if len(groups) > 1 {
			r.Trajectory.ID = shape.ThreadOf(shape.OpenObject(list[0]))
		}
		r.genericActions(list)
		r.AddToDocument()
	}
}

// IsGenericDocument reports whether an object is a document in this project's generic
// format.
func IsGenericDocument(o *shape.Object) bool {
	list := o.Get("trajectories")
	return list.Kind() == jsonval.Array && (shape.FirstElement(list).Kind() == jsonval.Missing || shape.FirstElement(list).Get("actions").Kind() == jsonval.Array) ||
		o.IsList("actions") && !o.IsText("role") && (shape.FirstElement(o.Get("actions")).Kind() != jsonval.Object || shape.InContent(o, "actions", func(a *shape.Object) bool { return a.HasAny("name text") }))
}

// DecodeGenericDocument reads documents of this project's own format, each with a list of
// trajectories or with the actions of one.
func DecodeGenericDocument(d *Decoder, in Batch) {
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		if o.IsList("actions") {
			d.genericTrajectory(o)
			continue
		}
		if !o.IsList("trajectories") {
			d.WarnForeign(v)
		}
		before := len(d.Trajectories)
		for _, t := range o.FirstList("trajectories") {
			d.genericTrajectory(shape.OpenObject(t))
		}
		d.doubtMapped(d.Trajectories[before:], o.FirstString("notRead"))
	}
}

func (d *Decoder) genericTrajectory(o *shape.Object) {
	r := d.NewRun()
	CopyMeta(&r.Trajectory, o)
	r.Trajectory.ID, r.Trajectory.Task = o.FirstText("id"), o.FirstText("task")
	r.Trajectory.Reference = d.ownReference(o.Get("reference"), len(d.Trajectories))
	r.genericActions(o.FirstList("actions"))
	r.AddToDocument()
	d.copyOutcome(d.Trajectories[len(d.Trajectories)-1:], o)
}

// ownReference reads the reference next to the actions of a run with the given index. It
// returns nil if there is no reference. If the reference cannot be read, it adds a warning
// and returns nil, too.
func (d *Decoder) ownReference(v jsonval.Value, index int) *reference.Reference {
	if !v.Exists() || v.Kind() == jsonval.Null {
		return nil
	}
	ref, err := reference.FromValue(v)
	if err != nil {
		d.Warn("reference-not-read", "the reference of a run cannot be read: "+err.Error(), d.offsetOf(v), index)
		return nil
	}
	return ref
}

// heldTo sets the reference of those runs that have none. The runs are the last ones that
// were read. v is the value of the row's
// member "reference". ours reports whether the row is in this project's own format. In
// other formats, a value that cannot be read as a reference is ignored, but makes the runs doubtful if it
// has constraints.
func (d *Decoder) heldTo(runs []trajectory.Trajectory, v jsonval.Value, ours bool) {
	if k := v.Kind(); !ours && (k != jsonval.Array && k != jsonval.Object || shape.FirstElement(v).Kind() == jsonval.Array || v.Get("turns").Exists()) {
		return // SetExpected reads lists of turns
	}
	ref, err := (*reference.Reference)(nil), error(nil)
	if ours {
		ref = d.ownReference(v, len(d.Trajectories)-len(runs))
	} else if ref, err = reference.FromValue(v); err != nil {
		if reference.HasConstraints(v) {
			d.doubtConstraints(runs, v, err)
		}
		return
	}
	for i := range runs {
		if runs[i].Reference == nil {
			runs[i].Reference = ref
		}
	}
}

// doubtConstraints marks runs whose reference has constraints that could not be read.
func (d *Decoder) doubtConstraints(runs []trajectory.Trajectory, v jsonval.Value, err error) {
	doubt := "the reference of the run cannot be read: " + err.Error()
	for i := range runs {
		addDoubt(&runs[i], doubt)
	}
	d.Warn("reference-not-read", doubt, d.offsetOf(v), len(d.Trajectories)-1)
}

func (r *Run) genericActions(list []jsonval.Value) {
	r.unplaced = true
	for _, e := range list {
		if e.Kind() != jsonval.Object {
			r.Decoder.WarnAt("action-not-object", "an action has the kind "+e.Kind().String()+"; it must be an object with a name", e)
			continue
		}
		switch o := shape.OpenObject(e); {
		case shape.HasSpanList(e) && holdsCalls(o):
			r.genericParts(o)
		case shape.IsOtherKind(shape.KindOf(o)) && o.HasAny(parentNames): // the span of an agent or a model
		default:
			r.genericAction(e)
		}
	}
}

// genericParts reads the calls in the lists of an element that is not a call, because it
// holds calls.
func (r *Run) genericParts(o *shape.Object) {
	for i, key := range o.Keys {
		if v := o.Values[i]; v.Kind() == jsonval.Array && shape.IsSpanList(key) {
			r.genericActions(slices.DeleteFunc(v.Elements(), func(e jsonval.Value) bool {
				part := shape.OpenObject(e)
				return !shape.NamesCall(part) && !holdsCalls(part)
			}))
		}
	}
}

func (r *Run) genericAction(e jsonval.Value) {
	c := Call{At: e}
	var result, fault jsonval.Value
	var state shape.CallState
	var took *spent.Collected
	notRun, parent := false, ""
	e.Each(func(key string, m jsonval.Value) bool {
		switch key {
		case "id":
			c.ID = m.Text()
		case "name":
			c.Name = m.Text()
		case "arguments", "kwargs", "args", "parameters", "input":
			c.Arguments = m
		case "result", "output", "observation", "tool_result", "toolResult", "tool_output", "toolOutput", "response", "return_value":
			if !result.Exists() || m.Kind() != jsonval.Null {
				result = m
			}
		case "error":
			fault = m
		case "text":
			c.Text = m.Text()
		case "requestor":
			r.Requestor = m.Text()
		case "span_id", "spanId":
			c.ID = shape.IfElse(c.ID == "", m.Text(), c.ID)
		case "parent_id", "parentId", "parent_span_id", "parentSpanId", "parent":
			parent = m.Text()
		default:
			if m.Kind() == jsonval.Array && shape.FirstElement(m).Kind() == jsonval.Object {
				r.Decoder.beside = append(r.Decoder.beside, e)
			}
			state.NoteMember(key, m)
			spent.Note(&took, key, m)
			notRun = notRun || shape.SaysNotRun(key, m)
		}
		return true
	})
	if c.Name == "" {
		c.Name = ActionVerb(c.Text)
	}
	if parent != "" && r.wrappingCall(parent, &c) >= 0 {
		r.Decoder.LeaveOut(e)
		return
	}
	i := r.AddCall(c)
	r.Requestor = ""
	a := &r.Trajectory.Actions[i]
	a.Spent = took.Result()
	if a.Observation = genericObservation(result, fault); a.Observation == nil && state.Flag == shape.Failed && !state.Refused {
		a.Observation = &trajectory.Observation{Error: true}
	}
	if notRun {
		if a.Observation == nil {
			a.Observation = &trajectory.Observation{}
		}
		a.Observation.Error = true
	}
	markState(a, state)
}

func genericObservation(result, failed jsonval.Value) *trajectory.Observation {
	flag, isFlag := failed.Bool()
	switch {
	case isFlag:
		return &trajectory.Observation{Text: result.Text(), Error: flag}
	case failed.Exists() && failed.Kind() != jsonval.Null && failed.Text() != "":
		return &trajectory.Observation{Text: failed.Text(), Error: true}
	case result.Exists():
		o := shape.NewObservation(result.Text(), shape.Unsaid)
		return &o
	}
	return nil
}

// doubtMapped marks runs that were read with a mapping which leaves something out, and adds
// a warning. fault says what; "" for nothing.
func (d *Decoder) doubtMapped(runs []trajectory.Trajectory, fault string) {
	if fault == "" {
		return
	}
	for i := range runs {
		runs[i].Doubt = fault
	}
	d.Warn("calls-not-read", fault, -1, -1)
}
