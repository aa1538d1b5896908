package shape

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// FactNames contains the members by which facts are found. The values of some are calls
// or results; others contain an object's type, or the id by which a result refers to its
// call.
var FactNames = jsonval.NewNames("type", "part_kind", "content_type", "$type", "functionCall", "function_call", "toolUse", "toolRequest", "toolInvocation",
	"tool_call", "toolCall", "tool_calls", "toolCalls", "toolRequests", "tools_called", "toolInvocations", "functionResponse", "function_response",
	"toolResult", "toolResponse", "tool_call_result", "toolResults", "tool_call_id", "tool_use_id", "toolName", "tool_name", "callID",
	"is_error", "isError", "status", "state", "success", "approve", "approved", "tool_call_error",
	"interruptions", "approvals", "pending_approvals", "pendingApprovals", "pending_tool_calls", "pendingToolCalls",
	"tool_kwargs", "action_input", "actionInput", "gen_ai.tool.call.arguments", "recipient_name",
	"arguments", "tool_input", "toolInput", "tool_args", "toolArgs", "tool_arguments", "toolArguments", "input_parameters", "inputParameters", "toolKwargs", "function_args",
	"args", "params", "kwargs", "input")

// Count contains the numbers of places that look like calls and results, including
// repetitions. failed is true if one of them reports a failure. Counting does not open
// the places, so it takes little time compared with reading the text.
type Count struct {
	Calls, Results int
	Failed         bool
	Callees        int // members that name a tool, and never something else
	Inputs         int // members that may be the arguments of a call, without those in strings
}

// IsZero reports whether nothing looks like a call or a result.
func (c Count) IsZero() bool { return c.Calls == 0 && c.Results == 0 && !c.Failed }

// CountFacts counts what looks like a call or a result anywhere in the values. O(n).
func CountFacts(values []jsonval.Value) Count {
	var c Count
	for _, v := range values {
		v.Find(FactNames, c.countMember)
	}
	return c
}

func (c *Count) countMember(_ jsonval.Value, name string, v jsonval.Value) {
	switch name {
	case "type", "part_kind", "content_type", "$type":
		switch word, _ := v.Str(); {
		case IsResultWord(word):
			c.Results++
		case IsCallWord(word):
			c.Calls++
		}
	case "tool_calls", "toolCalls", "toolRequests", "tools_called", "toolInvocations", "toolCall":
		c.Calls += IfElse(v.Kind() == jsonval.Array, v.Len(), 1)
	case "toolResults":
		c.Results += v.Len()
	case "functionCall", "function_call", "toolUse", "toolRequest", "toolInvocation", "tool_call", "callID":
		c.Calls++
	case "functionResponse", "function_response", "toolResult", "toolResponse", "tool_call_result", "tool_call_id", "tool_use_id":
		c.Results++
	case "is_error", "isError":
		c.Failed = c.Failed || v.Raw() == "true"
	case "interruptions", "approvals", "pending_approvals", "pendingApprovals", "pending_tool_calls", "pendingToolCalls":
		c.Failed = c.Failed || v.Kind() == jsonval.Array && v.Len() > 0
	case "status", "state", "success", "approve", "approved", "tool_call_error":
		if raw := v.Raw(); !c.Failed && (raw == "false" || raw == "true" || len(raw) < 24 && raw[0] == '"') {
			var s CallState
			s.NoteMember(name, v)
			c.Failed = s.Refused || s.Flag == Failed
		}
	case "toolName", "tool_name", "recipient_name":
		c.Callees += IfElse(v.Kind() == jsonval.String, 1, 0)
	default:
		c.Inputs += IfElse(IsCountedInput(name, v.Kind()), 1, 0)
	}
}

// IsCountedInput reports whether a member with this name and kind is in Count.Inputs.
func IsCountedInput(name string, kind jsonval.Kind) bool {
	switch name {
	case "args", "params", "kwargs", "input":
		return kind == jsonval.Object
	case "arguments", "tool_kwargs", "action_input", "actionInput", "gen_ai.tool.call.arguments", "tool_input", "toolInput", "tool_args", "toolArgs", "tool_arguments", "toolArguments", "input_parameters", "inputParameters", "toolKwargs", "function_args":
		return kind == jsonval.Object || kind == jsonval.String
	}
	return false
}

// IsCallWord reports whether the type of an object says that it is a call.
func IsCallWord(kind string) bool {
	return !isPlainType(kind) && (OneOf(kind, "function_call custom_tool_call") || IsCallKind(kind))
}

// IsResultWord reports whether the type of an object says that it is a result.
func IsResultWord(kind string) bool {
	return !isPlainType(kind) && (OneOf(kind, "function_call_output function_call_result custom_tool_call_output tool-return retry-prompt") || IsResultKind(kind))
}

// isPlainType reports whether the type of an object is one of the most frequent that are neither a
// call nor a result. It spares them the lists.
func isPlainType(kind string) bool {
	return kind == "function" || kind == "text" || kind == "string" || kind == "object" || kind == "message"
}
