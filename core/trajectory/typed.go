package trajectory

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Tracers and evaluators keep a run as spans with types. The decoder of such a format gives
// each of its spans one of the kinds below, and readTypedSpans reads them. Its law: a call
// that a model requested and the span in which the tool ran are one call, and a span of any
// other kind is a call only if a model requested it.
const (
	kindModel = "GENERATION"
	kindTool  = "TOOL"
)

// openRows opens the rows of a format. A row may be in a list of rows, such as a page of an
// API. The names are those of the members that may have such a list.
func openRows(values []jsonval.Value, names string) []*object {
	var rows []*object
	for _, v := range values {
		o := openObject(v)
		list := o.firstList(names)
		if len(list) == 0 || firstElement(o.get(names)).Kind() != jsonval.Object {
			rows = append(rows, o)
			continue
		}
		for _, e := range list {
			rows = append(rows, openObject(e))
		}
	}
	return rows
}

// warnForeign says that no run was found in a row among the rows of a format.
func (d *decoder) warnForeign(row jsonval.Value) {
	d.warnAt("row-not-read", "an element of the list is "+describeValue(row)+"; no run was found in it", row)
}

// openKnownRows is like openRows, but leaves out rows that the function is does not accept,
// with a warning for each.
func (d *decoder) openKnownRows(values []jsonval.Value, names string, is func(*object) bool) []*object {
	rows := openRows(values, names)
	return slices.DeleteFunc(rows, func(o *object) bool {
		if is(o) {
			return false
		}
		d.warnForeign(o.v)
		return true
	})
}

// readTypedSpans reads the spans of one trace, in their order.
func (t *tracer) readTypedSpans(spans []*span) {
	typed := map[string]bool{} // the names of the tools that have spans of their own type
	for _, s := range spans {
		typed[s.name] = typed[s.name] || s.kind == kindTool
	}
	for _, s := range spans {
		t.readTypedSpan(s, typed[s.name])
	}
}

// readTypedSpan reads one span. A span of the kind TOOL is the execution of a tool. If typed
// is false, a span of another kind with the id or the name of a requested call is an
// execution, too.
func (t *tracer) readTypedSpan(s *span, typed bool) {
	if s.kind == kindModel {
		t.readModel(s.input, s.output)
		return
	}
	e := s.execution()
	if s.kind == kindTool || !typed && t.isRequested(&e) {
		t.addExecution(e)
	}
}

// readModel reads the input and the output of a model.
func (t *tracer) readModel(input, output jsonval.Value) {
	t.beginHistory()
	before := len(t.t.Actions)
	t.readHistory(func() { t.readModelData(input) })
	t.readModelData(output)
	t.recordRequested(before)
}

// execution returns the execution of a tool in a span.
func (s *span) execution() execution {
	e := execution{call: call{name: s.name, arguments: toolArguments(s.input), at: s.v}, result: s.output}
	e.done = s.output.Exists() && s.output.Kind() != jsonval.Null
	e.id = s.output.Get("tool_call_id").Text() + s.output.Get("kwargs").Get("tool_call_id").Text()
	e.unrecorded = !s.input.Exists() || s.input.Kind() == jsonval.Null
	if inner := wrappedCall(e.arguments); inner != nil {
		e.name, e.arguments = inner.name, inner.input
		e.id = ifElse(e.id != "", e.id, inner.callID)
	}
	if s.failed {
		e.flag = failed
		if !e.done {
			e.result = objectFromPairs("error", s.status).Get("error")
		}
	}
	return e
}

// wrappedCall returns the call in the arguments of a framework's own function that makes the
// call, for example {"call": {"tool_name", "args"}}. It returns nil if there is none.
func wrappedCall(arguments jsonval.Value) *block {
	b := openBlock(openObject(arguments).get("call tool_call toolCall"))
	if b.name == "" || !b.input.Exists() {
		return nil
	}
	return b
}

// addOrFind adds the run of t to the document. If t has no call, it searches v for calls
// without a format, and adds the run with these instead.
func (t *tracer) addOrFind(v jsonval.Value) {
	if len(t.t.Actions) == 0 && v.Exists() {
		r := t.d.newFindingRun()
		r.t.ID, r.t.Task, r.t.Model, r.t.Reward, r.t.Success = t.t.ID, t.t.Task, t.t.Model, t.t.Reward, t.t.Success
		for _, m := range t.t.Messages {
			r.addMessage(m.Role, m.Text)
		}
		r.findRun([]jsonval.Value{v})
		if len(r.t.Actions) > 0 {
			r.completeCalls()
			return
		}
	}
	t.addToDocument()
}

// holdsMessages reports whether a value is a list of messages, items or blocks.
func holdsMessages(v jsonval.Value) bool {
	return v.Kind() == jsonval.Array && firstElement(v).Kind() == jsonval.Object
}

// isRequested reports whether a model requested the call of an execution. The call must
// have the execution's id. If the execution has no id, the call must have the execution's
// name, and no span yet.
func (t *tracer) isRequested(e *execution) bool {
	if e.id != "" {
		_, known := t.ids[e.id]
		return known
	}
	return slices.ContainsFunc(t.named[e.name], func(i int) bool { return !t.executed[i] })
}

// readModelData reads the input or output of a model. The value v has one of these forms:
//
//   - a list of messages or of calls
//   - an object with such a list
//   - a complete API response
//   - one message
//   - a prompt
func (t *tracer) readModelData(v jsonval.Value) {
	o := openObject(v)
	switch {
	case openBlock(firstElement(v)).tool != "", firstElement(v).Get("function").Kind() == jsonval.Object && !firstElement(v).Get("role").Exists():
		t.callList("calls", v)
	case v.Kind() == jsonval.Array:
		t.readNestedList(v)
	case o.hasAny("messages contents"):
		t.readNestedList(o.get("messages contents"))
	case isResponse(o):
		t.responseDocument(o)
	case holdsMessages(o.get("input")), holdsMessages(o.get("output")):
		t.readNestedList(o.get("input"))
		t.readNestedList(o.get("output"))
	case o.isList("generations"):
		for _, g := range o.firstList("generations") {
			t.readGeneration(g)
		}
	case o.isList("choices"), o.isList("candidates"):
		for _, c := range o.firstList("choices candidates") {
			t.readModelData(c)
		}
	case o.isObject("message"), o.isObject("content"):
		t.readModelData(o.openMember("message content").v)
	case o.isText("prompt"):
		t.addMessage("user", o.firstString("prompt"))
	case o.hasAny("role type kwargs tool_calls"):
		t.readMessageValue(v)
	}
}
