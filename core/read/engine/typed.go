package engine

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// Tracers and evaluators keep a run as spans with types. The decoder of such a format gives
// each of its spans one of the kinds below, and ReadTypedSpans reads them. Its law: a call
// that a model requested and the span in which the tool ran are one call, and a span of any
// other kind is a call only if a model requested it.
const (
	KindModel = "GENERATION" // a call of a model, with what it was sent and what it answered
	KindTool  = "TOOL"       // the execution of a call
)

// OpenRows opens the rows of a format. A row may be in a list of rows, such as a page of an
// API. The names are those of the members that may have such a list.
func OpenRows(values []jsonval.Value, names string) []*shape.Object {
	var rows []*shape.Object
	for _, v := range values {
		o := shape.OpenObject(v)
		list := o.FirstList(names)
		if len(list) == 0 || shape.FirstElement(o.Get(names)).Kind() != jsonval.Object {
			rows = append(rows, o)
			continue
		}
		for _, e := range list {
			rows = append(rows, shape.OpenObject(e))
		}
	}
	return rows
}

// WarnForeign says that no run was found in a row among the rows of a format.
func (d *Decoder) WarnForeign(row jsonval.Value) {
	d.WarnAt("row-not-read", "an element of the list is "+shape.DescribeValue(row)+"; no run was found in it", row)
}

// OpenKnownRows is like OpenRows, but leaves out rows that the function is does not accept,
// with a warning for each.
func (d *Decoder) OpenKnownRows(values []jsonval.Value, names string, is func(*shape.Object) bool) []*shape.Object {
	rows := OpenRows(values, names)
	return slices.DeleteFunc(rows, func(o *shape.Object) bool {
		if is(o) {
			return false
		}
		d.WarnForeign(o.Value)
		return true
	})
}

// ReadTypedSpans reads the spans of one trace, in their order.
func (t *Tracer) ReadTypedSpans(spans []*Span) {
	typed := map[string]bool{} // the names of the tools that have spans of their own type
	for _, s := range spans {
		typed[s.Name] = typed[s.Name] || s.Kind == KindTool
	}
	for i, s := range spans {
		if s.Kind == KindTool && s.isWrapped(spans[max(0, i-maxWrapped):min(len(spans), i+maxWrapped)]) {
			t.Decoder.LeaveOut(s.Value)
			continue
		}
		t.EnterSpan(s)
		t.readTypedSpan(s, typed[s.Name])
	}
	t.LeaveSpan()
}

// isWrapped reports whether the span of a tool stands in the span of an equal call, which is one of those near it: the
// wrapper of a tool and its function are one call.
func (s *Span) isWrapped(near []*Span) bool {
	for _, outer := range near {
		if outer != s && outer.Kind == KindTool && outer.Name == s.Name && outer.ID != "" && outer.Input.Raw() == s.Input.Raw() && s.Input.Exists() {
			if shape.OpenObject(s.Value).FirstText(parentNames+" parentObservationId parent_observation_id") == outer.ID {
				return true
			}
		}
	}
	return false
}

// readTypedSpan reads one span. A span of the kind TOOL is the execution of a tool. If typed
// is false, a span of another kind with the id or the name of a requested call is an
// execution, too.
func (t *Tracer) readTypedSpan(s *Span, typed bool) {
	if s.Kind == KindModel {
		t.ReadModel(s.Input, s.Output)
		return
	}
	e := s.Execution()
	if s.Kind == KindTool || !typed && t.isRequested(&e) {
		t.AddExecution(e)
	}
}

// ReadModel reads the input and the output of a model.
func (t *Tracer) ReadModel(input, output jsonval.Value) {
	t.BeginHistory()
	before := len(t.Trajectory.Actions)
	t.ReadHistory(func() { t.ReadModelData(input) })
	t.ReadModelData(output)
	t.RecordRequested(before)
}

// Execution returns the execution of a tool in a span.
func (s *Span) Execution() Execution {
	e := Execution{Call: Call{Name: s.Name, Arguments: ToolArguments(s.Input), At: s.Value}, Result: s.Output}
	e.Done = s.Output.Exists() && s.Output.Kind() != jsonval.Null
	e.ID = s.Output.Get("tool_call_id").Text() + s.Output.Get("kwargs").Get("tool_call_id").Text()
	e.unrecorded = !s.Input.Exists() || s.Input.Kind() == jsonval.Null
	if inner := wrappedCall(e.Arguments); inner != nil {
		e.Name, e.Arguments = inner.Name, inner.Input
		e.ID = shape.IfElse(e.ID != "", e.ID, inner.CallID)
	}
	if s.Failed {
		e.Flag = shape.Failed
		if !e.Done {
			e.Result = literal.Object("error", s.Status).Get("error")
		}
	}
	return e
}

// wrappedCall returns the call in the arguments of a framework's own function that makes the
// call, for example {"call": {"tool_name", "args"}}. It returns nil if there is none.
func wrappedCall(arguments jsonval.Value) *shape.Block {
	b := shape.OpenBlock(shape.OpenObject(arguments).Get("call tool_call toolCall"))
	if b.Name == "" || !b.Input.Exists() {
		return nil
	}
	return b
}

// AddOrFind adds the run of t to the document. If t has no call, it searches v for calls
// without a format, and adds the run with these instead.
func (t *Tracer) AddOrFind(v jsonval.Value) {
	if len(t.Trajectory.Actions) == 0 && v.Exists() {
		r := t.Decoder.NewFindingRun()
		r.Trajectory.ID, r.Trajectory.Task, r.Trajectory.Model, r.Trajectory.Reward, r.Trajectory.Success = t.Trajectory.ID, t.Trajectory.Task, t.Trajectory.Model, t.Trajectory.Reward, t.Trajectory.Success
		for _, m := range t.Trajectory.Messages {
			r.AddMessage(m.Role, m.Text)
		}
		r.FindRun([]jsonval.Value{v})
		if len(r.Trajectory.Actions) > 0 {
			r.CompleteCalls()
			return
		}
	}
	t.AddToDocument()
}

// HoldsMessages reports whether a value is a list of messages, items or blocks.
func HoldsMessages(v jsonval.Value) bool {
	return v.Kind() == jsonval.Array && shape.FirstElement(v).Kind() == jsonval.Object
}

// isRequested reports whether a model requested the call of an execution. The call must
// have the execution's id. If the execution has no id, the call must have the execution's
// name, and no span yet.
func (t *Tracer) isRequested(e *Execution) bool {
	if e.ID != "" {
		_, known := t.ids[e.ID]
		return known
	}
	return slices.ContainsFunc(t.named[e.Name], func(i int) bool { return !t.executed[i] })
}

// ReadModelData reads the input or output of a model. The value v has one of these forms:
//
//   - a list of messages or of calls
//   - an object with such a list
//   - a complete API response
//   - one message
//   - a prompt
func (t *Tracer) ReadModelData(v jsonval.Value) {
	o := shape.OpenObject(v)
	switch {
	case shape.OpenBlock(shape.FirstElement(v)).Tool != "", shape.FirstElement(v).Get("function").Kind() == jsonval.Object && !shape.FirstElement(v).Get("role").Exists():
		t.callList("calls", v)
	case v.Kind() == jsonval.Array:
		t.readNestedList(v)
	case o.HasAny("messages contents"):
		t.readNestedList(o.Get("messages contents"))
	case IsResponse(o):
		t.responseDocument(o)
	case HoldsMessages(o.Get("input")), HoldsMessages(o.Get("output")):
		t.readNestedList(o.Get("input"))
		t.readNestedList(o.Get("output"))
	case o.IsList("generations"):
		for _, g := range o.FirstList("generations") {
			t.readGeneration(g)
		}
	case o.IsList("choices"), o.IsList("candidates"):
		for _, c := range o.FirstList("choices candidates") {
			t.ReadModelData(c)
		}
	case o.IsObject("message"), o.IsObject("content"):
		t.ReadModelData(o.OpenMember("message content").Value)
	case o.IsText("prompt"):
		t.AddMessage("user", o.FirstString("prompt"))
	case o.HasAny("role type kwargs tool_calls"):
		t.ReadMessageValue(v)
	}
}

// InFirst reports whether the first element of the list o[member] is an object that the
// given function accepts.
func InFirst(o *shape.Object, member string, is func(*shape.Object) bool) bool {
	e := shape.OpenObject(shape.FirstElement(o.Get(member)))
	return len(e.Keys) > 0 && is(e)
}
