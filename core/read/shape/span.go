package shape

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// IsSpanList reports whether a member with this name contains the parts of a span or a run.
func IsSpanList(name string) bool {
	return OneOf(name, "spans toolSpans tool_spans children child_runs childRuns steps observations nodes sub_spans subspans tool_calls toolCalls tools_called toolsCalled calls")
}

// HasSpanList reports whether an object has such a list. It needs no memory.
func HasSpanList(v jsonval.Value) bool {
	found := false
	v.Each(func(key string, m jsonval.Value) bool {
		found = m.Kind() == jsonval.Array && IsSpanList(key)
		return !found
	})
	return found
}

// HoldsCallsWithin reports whether a list of spans or of calls in an object, at most depth objects
// deep, has a call.
func HoldsCallsWithin(o *Object, depth int) bool {
	for i, key := range o.Keys {
		if depth > 0 && o.Values[i].Kind() == jsonval.Array && (IsSpanList(key) || IsRunSide(key)) &&
			InContent(o, key, func(e *Object) bool { return NamesCall(e) || HoldsCallsWithin(e, depth-1) }) {
			return true
		}
	}
	return false
}

// NamesCall reports whether a part of a span names a tool and its call: its type says so, or,
// without a type, it has arguments. Such a part is a run if it holds calls.
func NamesCall(o *Object) bool {
	if o.FirstText("name tool_name toolName tool function_name") == "" {
		return false
	}
	if kind := KindOf(o); kind != "" {
		return strings.Contains(kind, "tool") || strings.Contains(kind, "function")
	}
	return IsObjectText(o.SpanArguments())
}

// SpanArguments returns the member of a span that has the arguments of its call, or Missing.
func (o *Object) SpanArguments() jsonval.Value {
	if v := o.FirstNonNull("input inputs arguments args parameters kwargs tool_input input_parameters inputParameters"); v.Exists() {
		return v
	}
	if v := o.OpenMember("meta").OpenMember("input").Get("value"); v.Exists() {
		return v
	}
	return o.OtherArguments()
}

// IsObjectText reports whether a value is an object, or a string that contains one.
func IsObjectText(v jsonval.Value) bool {
	return v.Kind() == jsonval.Object || EncodedValue(v).Kind() == jsonval.Object
}

// ResultNames are the members of a span or a call with its result.
const ResultNames = "output outputs result response observation tool_result toolResult tool_output toolOutput tool_response toolResponse tool_return return_value returnValue"
