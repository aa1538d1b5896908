package engine

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/byshape"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// Home-made traces are trees: a thing with a name and an input holds the calls that it made.
// The law of this file: the deepest reading wins. A thing that holds calls is a run, and
// never a call.

// holdsCalls reports whether an object holds calls in one of its lists, at most maxFind
// levels deep. It visits each part once. O(size).
func holdsCalls(o *shape.Object) bool { return shape.HoldsCallsWithin(o, maxFind) }

// isSpanCall reports whether a part of a span is the call of a tool, and holds no calls.
func isSpanCall(o *shape.Object) bool { return shape.NamesCall(o) && !holdsCalls(o) }

// isToolSpan reports whether an object anywhere is a span whose type says that it is the call
// of a tool.
func isToolSpan(o *shape.Object) bool {
	return shape.OneOf(shape.KindOf(o), "tool tool_execution execute_tool toolcall") && o.HasAny("span_id spanId id trace_id traceId start_time startTime start_ns") &&
		o.HasAny("input inputs output outputs meta") && !o.IsObject("state") && isSpanCall(o)
}

// spanList reads the parts of a span that are calls, and searches all others. Each call may
// be a block with a type of its own, such as tool_use. calls says that the list is one of calls, so that
// an element which only names a tool is a call, too.
func (r *Run) spanList(list jsonval.Value, calls bool) {
	list.Each(func(_ string, e jsonval.Value) bool {
		o := shape.OpenObject(e)
		switch b := shape.OpenBlock(e); {
		case calls && !isSpanCall(o) && shape.IsNameAlone(o):
			r.addSpanCall(o)
			if n := len(r.Trajectory.Actions); n > 0 && r.Trajectory.Actions[n-1].Broken != "" {
				r.Decoder.listed++
			}
		case calls && e.Kind() == jsonval.String:
			if !r.namedCall(e) {
				r.Decoder.leaveUnread(e, "calls")
			}
		case !isSpanCall(o) || shape.IsCallKind(b.Kind) || b.Nested.Exists():
			r.findValue(e)
		default:
			r.addSpanCall(o)
		}
		return true
	})
}

// addSpanCall adds the call of a span, with its result.
func (r *Run) addSpanCall(o *shape.Object) {
	if r.Role != "assistant" {
		r.BeginTurn("assistant")
	}
	c := Call{
		ID: o.FirstText("tool_call_id toolCallId call_id callId span_id spanId id uuid uid"), Name: ExecutedName(o.FirstText("name tool_name toolName tool function_name")),
		Arguments: ToolArguments(o.SpanArguments()), At: o.Value,
	}
	c.unrecorded = !c.Arguments.Exists()
	if k := c.Arguments.Kind(); k != jsonval.Object && (k != jsonval.String || c.Arguments.Text() == "") {
		c.Arguments = jsonval.Value{}
	}
	i := r.requestedCall(o, &c)
	if i < 0 {
		if i = r.wrappingCall(o.FirstText(parentNames), &c); i >= 0 {
			r.Decoder.LeaveOut(o.Value)
		}
	}
	if i < 0 {
		i = r.AddCall(c)
	} else if c.ID != "" {
		r.open[c.ID], r.Seen[c.ID] = append(r.open[c.ID], i), true
	}
	r.noteDone(i)
	state := shape.StateOf(o)
	if r.markAction(i, state) && !o.HasAny("error "+shape.ResultNames) {
		return
	}
	result := o.FirstNonNull(shape.ResultNames)
	if !result.Exists() {
		result = o.OpenMember("meta").OpenMember("output").Get("value")
	}
	fault, f := o.Get("error error_message errorMessage error_info errorInfo"), state.Flag
	switch {
	case result.Exists() && result.Kind() != jsonval.Null:
		r.AttachResult(c.ID, c.Name, shape.NewObservation(ToolText(result), f), o.Value)
	case f == shape.Failed:
		r.AttachResult(c.ID, c.Name, shape.NewObservation(shape.ErrorWords(fault), f), o.Value)
	}
}

// parentNames are the members in which a span names the one around it.
const parentNames = "parent_id parentId parent_span_id parentSpanId parent"

// maxWrapped is the largest number of calls between a wrapper and its function.
const maxWrapped = 32

// wrappingCall returns the index of the equal call whose span has the id of a span's parent, or -1: the wrapper of a
// tool and its function are one call.
func (r *Run) wrappingCall(parent string, c *Call) int {
	if parent == "" {
		return -1
	}
	for i := len(r.Trajectory.Actions) - 1; i >= max(0, len(r.Trajectory.Actions)-maxWrapped); i-- {
		if a := &r.Trajectory.Actions[i]; a.CallID == parent && a.Name == c.Name && jsonval.Equal(a.Arguments, shape.EncodedValue(c.Arguments)) {
			return i
		}
	}
	return -1
}

// requestedCall returns the index of the call of a model that the span of a tool executed, or -1: the
// earliest one with its name and arguments that has no result and is no span itself. It returns -1 if the
// span names the id of a call.
func (r *Run) requestedCall(o *shape.Object, c *Call) int {
	if !shape.IsToolKind(shape.KindOf(o)) || o.HasAny("tool_call_id toolCallId call_id callId") || c.unrecorded {
		return -1
	}
	for i := range r.Trajectory.Actions {
		if a := &r.Trajectory.Actions[i]; a.Observation == nil && !a.Proposed && a.Name == c.Name && jsonval.Equal(a.Arguments, shape.EncodedValue(c.Arguments)) && !slices.Contains(r.hosted, i) {
			return i
		}
	}
	return -1
}

// HoldsCall reports whether a value may hold a call, in a form that is known or in one that nobody described.
func HoldsCall(v jsonval.Value) bool { return MayHoldCall(v) || holdsShaped(v) }

// holdsShaped reports whether a value holds a call in a form that nobody described.
func holdsShaped(v jsonval.Value) bool {
	return v.Kind() >= jsonval.Array && len(byshape.Find([]jsonval.Value{v}, false).Runs) > 0
}
