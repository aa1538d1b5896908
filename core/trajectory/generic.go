package trajectory

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/failure"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// isGeneric reports whether an object is a call without a special format, for example
// {"name": …, "arguments": …}. It returns false for events, and for other things that
// have a name.
func isGeneric(o *object) bool {
	if o.hasAny("event") || o.isText("type") && !oneOf(o.firstString("type"), "function tool call tool_call action") {
		return false
	}
	if o.openMember("input inputs").isList("messages") || holdsCalls(o) || hasRunSide(o) {
		return false // a node of a graph, a model, or a run with its calls
	}
	return o.isText("name") && !o.isText("role") && isNamedCall(o) || o.isText("text") && len(o.keys) <= 4 && o.hasAny("result error name")
}

// isNamedCall reports whether an object with a name is a call. A call has arguments or a
// result, or it has only members that every call may have, such as id and time. The
// definition of a tool is not a call.
func isNamedCall(o *object) bool {
	if o.hasAny("arguments kwargs args result output observation error") || o.hasAny("parameters input") && !o.hasAny("description") {
		return true
	}
	for _, key := range o.keys {
		if !oneOf(key, "id name type text requestor call_id step index time timestamp") {
			return false
		}
	}
	return true
}

func decodeGeneric(d *decoder, in batch) {
	groups := byThread(in.values)
	for _, list := range groups {
		r := d.newRun()
		r.t.copyMeta(in.outer)
		if len(groups) > 1 {
			r.t.ID = threadOf(openObject(list[0]))
		}
		r.genericActions(list)
		r.addToDocument()
	}
}

// isGenericDocument reports whether an object is a document in this project's generic
// format.
func isGenericDocument(o *object) bool {
	list := o.get("trajectories")
	return list.Kind() == jsonval.Array && (firstElement(list).Kind() == jsonval.Missing || firstElement(list).Get("actions").Kind() == jsonval.Array) ||
		o.isList("actions") && !o.isText("role") && (firstElement(o.get("actions")).Kind() != jsonval.Object || inContent(o, "actions", func(a *object) bool { return a.hasAny("name text") }))
}

func decodeGenericDocument(d *decoder, in batch) {
	for _, v := range in.values {
		o := openObject(v)
		if o.isList("actions") {
			d.genericTrajectory(o)
			continue
		}
		if !o.isList("trajectories") {
			d.warnForeign(v)
		}
		before := len(d.Trajectories)
		for _, t := range o.firstList("trajectories") {
			d.genericTrajectory(openObject(t))
		}
		d.doubtMapped(d.Trajectories[before:], o.firstString("notRead"))
	}
}

func (d *decoder) genericTrajectory(o *object) {
	r := d.newRun()
	r.t.copyMeta(o)
	r.t.ID, r.t.Task = o.firstText("id"), o.firstText("task")
	r.t.Reference = d.ownReference(o.get("reference"), len(d.Trajectories))
	r.genericActions(o.firstList("actions"))
	r.addToDocument()
	d.copyOutcome(d.Trajectories[len(d.Trajectories)-1:], o)
}

// ownReference reads the reference next to the actions of a run with the given index. It
// returns nil if there is no reference. If the reference cannot be read, it adds a warning
// and returns nil, too.
func (d *decoder) ownReference(v jsonval.Value, index int) *reference.Reference {
	if !v.Exists() || v.Kind() == jsonval.Null {
		return nil
	}
	ref, err := reference.FromValue(v)
	if err != nil {
		d.warn("reference-not-read", "the reference of a run cannot be read: "+err.Error(), d.offsetOf(v), index)
		return nil
	}
	return ref
}

// heldTo sets the reference of those runs that have none. The runs are the last ones that
// were read. v is the value of the row's
// member "reference". ours reports whether the row is in this project's own format. In
// other formats, a value that cannot be read as a reference is ignored.
func (d *decoder) heldTo(runs []Trajectory, v jsonval.Value, ours bool) {
	if k := v.Kind(); !ours && k != jsonval.Array && k != jsonval.Object {
		return
	}
	ref, err := (*reference.Reference)(nil), error(nil)
	if ours {
		ref = d.ownReference(v, len(d.Trajectories)-len(runs))
	} else if ref, err = reference.FromValue(v); err != nil {
		return
	}
	for i := range runs {
		if runs[i].Reference == nil {
			runs[i].Reference = ref
		}
	}
}

func (r *run) genericActions(list []jsonval.Value) {
	r.unplaced = true
	for _, e := range list {
		if e.Kind() != jsonval.Object {
			r.d.warnAt("action-not-object", "an action has the kind "+e.Kind().String()+"; it must be an object with a name", e)
			continue
		}
		if hasSpanList(e) && holdsCalls(openObject(e)) {
			r.genericParts(openObject(e))
		} else {
			r.genericAction(e)
		}
	}
}

// genericParts reads the calls in the lists of an element that is not a call, because it
// holds calls.
func (r *run) genericParts(o *object) {
	for i, key := range o.keys {
		if v := o.values[i]; v.Kind() == jsonval.Array && isSpanList(key) {
			r.genericActions(slices.DeleteFunc(v.Elements(), func(e jsonval.Value) bool {
				part := openObject(e)
				return !namesCall(part) && !holdsCalls(part)
			}))
		}
	}
}

func (r *run) genericAction(e jsonval.Value) {
	c := call{at: e}
	var result, fault jsonval.Value
	var state callState
	e.Each(func(key string, m jsonval.Value) bool {
		switch key {
		case "id":
			c.id = m.Text()
		case "name":
			c.name = m.Text()
		case "arguments", "kwargs", "args", "parameters", "input":
			c.arguments = m
		case "result", "output", "observation", "tool_result", "toolResult", "tool_output", "toolOutput", "response", "return_value":
			if !result.Exists() || m.Kind() != jsonval.Null {
				result = m
			}
		case "error":
			fault = m
		case "text":
			c.text = m.Text()
		case "requestor":
			r.requestor = m.Text()
		default:
			state.noteMember(key, m)
		}
		return true
	})
	if c.name == "" {
		c.name = actionVerb(c.text)
	}
	i := r.addCall(c)
	r.requestor = ""
	a := &r.t.Actions[i]
	if a.Observation = genericObservation(result, fault); a.Observation == nil && state.flag == failed && !state.refused {
		a.Observation = &Observation{Error: true}
	}
	a.markState(state)
}

func genericObservation(result, failed jsonval.Value) *Observation {
	flag, isFlag := failed.Bool()
	switch {
	case isFlag:
		return &Observation{Text: result.Text(), Error: flag}
	case failed.Exists() && failed.Kind() != jsonval.Null && failed.Text() != "":
		return &Observation{Text: failed.Text(), Error: true}
	case result.Exists():
		return &Observation{Text: result.Text(), Error: failure.Says(result.Text())}
	}
	return nil
}
