package engine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Home-made traces are trees: a thing with a name and an input holds the calls that it made.
// The law of this file: the deepest reading wins. A thing that holds calls is a run, and
// never a call.

// isSpanList reports whether a member with this name contains the parts of a span or a run.
func isSpanList(name string) bool {
	return OneOf(name, "spans toolSpans tool_spans children child_runs childRuns steps observations nodes sub_spans subspans tool_calls toolCalls tools_called toolsCalled calls")
}

// hasSpanList reports whether an object has such a list. It needs no memory.
func hasSpanList(v jsonval.Value) bool {
	found := false
	v.Each(func(key string, m jsonval.Value) bool {
		found = m.Kind() == jsonval.Array && isSpanList(key)
		return !found
	})
	return found
}

// holdsCalls reports whether an object holds calls in one of its lists, at most maxFind
// levels deep. It visits each part once. O(size).
func holdsCalls(o *Object) bool { return holdsCallsWithin(o, maxFind) }

func holdsCallsWithin(o *Object, depth int) bool {
	for i, key := range o.Keys {
		if depth > 0 && o.Values[i].Kind() == jsonval.Array && (isSpanList(key) || isRunSide(key)) &&
			InContent(o, key, func(e *Object) bool { return namesCall(e) || holdsCallsWithin(e, depth-1) }) {
			return true
		}
	}
	return false
}

// isSpanCall reports whether a part of a span is the call of a tool, and holds no calls.
func isSpanCall(o *Object) bool { return namesCall(o) && !holdsCalls(o) }

// isToolSpan reports whether an object anywhere is a span whose type says that it is the call
// of a tool.
func isToolSpan(o *Object) bool {
	return OneOf(kindOf(o), "tool tool_execution execute_tool toolcall") && o.HasAny("span_id spanId id trace_id traceId start_time startTime start_ns") &&
		o.HasAny("input inputs output outputs meta") && !o.IsObject("state") && isSpanCall(o)
}

// namesCall reports whether a part of a span names a tool and its call: its type says so, or,
// without a type, it has arguments. Such a part is a run if it holds calls.
func namesCall(o *Object) bool {
	if o.FirstText("name tool_name toolName tool function_name") == "" {
		return false
	}
	if kind := kindOf(o); kind != "" {
		return strings.Contains(kind, "tool") || strings.Contains(kind, "function")
	}
	return isObjectText(o.spanArguments())
}

// spanArguments returns the member of a span that has the arguments of its call, or Missing.
func (o *Object) spanArguments() jsonval.Value {
	if v := o.FirstNonNull("input inputs arguments args parameters kwargs tool_input input_parameters inputParameters"); v.Exists() {
		return v
	}
	if v := o.OpenMember("meta").OpenMember("input").Get("value"); v.Exists() {
		return v
	}
	return o.otherArguments()
}

// isObjectText reports whether a value is an object, or a string that contains one.
func isObjectText(v jsonval.Value) bool {
	return v.Kind() == jsonval.Object || EncodedValue(v).Kind() == jsonval.Object
}

// spanList reads the parts of a span that are calls, and searches all others. Each call may
// be a block with a type of its own, such as tool_use.
func (r *Run) spanList(list jsonval.Value) {
	list.Each(func(_ string, e jsonval.Value) bool {
		o := OpenObject(e)
		switch b := OpenBlock(e); {
		case !isSpanCall(o) || IsCallKind(b.Kind) || b.nested.Exists():
			r.findValue(e)
		default:
			r.addSpanCall(o)
		}
		return true
	})
}

// resultNames are the members of a span or a call with its result.
const resultNames = "output outputs result response observation tool_result toolResult tool_output toolOutput tool_response toolResponse tool_return return_value returnValue"

// addSpanCall adds the call of a span, with its result.
func (r *Run) addSpanCall(o *Object) {
	if r.Role != "assistant" {
		r.BeginTurn("assistant")
	}
	c := Call{
		ID: o.FirstText("tool_call_id toolCallId call_id callId span_id spanId id uuid"), Name: ExecutedName(o.FirstText("name tool_name toolName tool function_name")),
		Arguments: ToolArguments(o.spanArguments()), At: o.Value,
	}
	c.unrecorded = !c.Arguments.Exists()
	if k := c.Arguments.Kind(); k != jsonval.Object && (k != jsonval.String || c.Arguments.Text() == "") {
		c.Arguments = jsonval.Value{}
	}
	i := r.AddCall(c)
	r.noteDone(i)
	state := stateOf(o)
	if r.markAction(i, state) && !o.HasAny("error "+resultNames) {
		return
	}
	result := o.FirstNonNull(resultNames)
	if !result.Exists() {
		result = o.OpenMember("meta").OpenMember("output").Get("value")
	}
	fault, f := o.Get("error error_message errorMessage error_info errorInfo"), state.flag
	switch {
	case result.Exists() && result.Kind() != jsonval.Null:
		r.AttachResult(c.ID, c.Name, NewObservation(ToolText(result), f), o.Value)
	case f == Failed:
		r.AttachResult(c.ID, c.Name, NewObservation(ErrorWords(fault), f), o.Value)
	}
}
