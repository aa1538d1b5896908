package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Home-made traces are trees: a thing with a name and an input holds the calls that it made.
// The law of this file: the deepest reading wins. A thing that holds calls is a run, and
// never a call.

// isSpanList reports whether a member with this name contains the parts of a span or a run.
func isSpanList(name string) bool {
	return oneOf(name, "spans toolSpans tool_spans children child_runs childRuns steps observations nodes sub_spans subspans tool_calls toolCalls tools_called toolsCalled calls")
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
func holdsCalls(o *object) bool { return holdsCallsWithin(o, maxFind) }

func holdsCallsWithin(o *object, depth int) bool {
	for i, key := range o.keys {
		if depth > 0 && o.values[i].Kind() == jsonval.Array && (isSpanList(key) || isRunSide(key)) &&
			inContent(o, key, func(e *object) bool { return namesCall(e) || holdsCallsWithin(e, depth-1) }) {
			return true
		}
	}
	return false
}

// isSpanCall reports whether a part of a span is the call of a tool, and holds no calls.
func isSpanCall(o *object) bool { return namesCall(o) && !holdsCalls(o) }

// isToolSpan reports whether an object anywhere is a span whose type says that it is the call
// of a tool.
func isToolSpan(o *object) bool {
	return oneOf(kindOf(o), "tool tool_execution execute_tool toolcall") && o.hasAny("span_id spanId id trace_id traceId start_time startTime start_ns") &&
		o.hasAny("input inputs output outputs meta") && !o.isObject("state") && isSpanCall(o)
}

// namesCall reports whether a part of a span names a tool and its call: its type says so, or,
// without a type, it has arguments. Such a part is a run if it holds calls.
func namesCall(o *object) bool {
	if o.firstText("name tool_name toolName tool function_name") == "" {
		return false
	}
	if kind := kindOf(o); kind != "" {
		return strings.Contains(kind, "tool") || strings.Contains(kind, "function")
	}
	return isObjectText(o.spanArguments())
}

// spanArguments returns the member of a span that has the arguments of its call, or Missing.
func (o *object) spanArguments() jsonval.Value {
	if v := o.firstNonNull("input inputs arguments args parameters kwargs tool_input input_parameters inputParameters"); v.Exists() {
		return v
	}
	if v := o.openMember("meta").openMember("input").get("value"); v.Exists() {
		return v
	}
	return o.otherArguments()
}

// isObjectText reports whether a value is an object, or a string that contains one.
func isObjectText(v jsonval.Value) bool {
	return v.Kind() == jsonval.Object || encodedValue(v).Kind() == jsonval.Object
}

// spanList reads the parts of a span that are calls, and searches all others. Each call may
// be a block with a type of its own, such as tool_use.
func (r *run) spanList(list jsonval.Value) {
	list.Each(func(_ string, e jsonval.Value) bool {
		o := openObject(e)
		switch b := openBlock(e); {
		case !isSpanCall(o) || isCallKind(b.kind) || b.nested.Exists():
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
func (r *run) addSpanCall(o *object) {
	if r.role != "assistant" {
		r.beginTurn("assistant")
	}
	c := call{
		id: o.firstText("tool_call_id toolCallId call_id callId span_id spanId id uuid"), name: executedName(o.firstText("name tool_name toolName tool function_name")),
		arguments: toolArguments(o.spanArguments()), at: o.v,
	}
	c.unrecorded = !c.arguments.Exists()
	if k := c.arguments.Kind(); k != jsonval.Object && (k != jsonval.String || c.arguments.Text() == "") {
		c.arguments = jsonval.Value{}
	}
	i := r.addCall(c)
	r.noteDone(i)
	state := stateOf(o)
	if r.markAction(i, state) && !o.hasAny("error "+resultNames) {
		return
	}
	result := o.firstNonNull(resultNames)
	if !result.Exists() {
		result = o.openMember("meta").openMember("output").get("value")
	}
	fault, f := o.get("error error_message errorMessage error_info errorInfo"), state.flag
	switch {
	case result.Exists() && result.Kind() != jsonval.Null:
		r.attachResult(c.id, c.name, newObservation(toolText(result), f), o.v)
	case f == failed:
		r.attachResult(c.id, c.name, newObservation(errorWords(fault), f), o.v)
	}
}
