package engine

import (
	"sort"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// fact is one place in a text that looks like a call or a result in any format. Facts are
// found without a decoder, so that they can be used to check what the decoder read.
type fact struct {
	at       jsonval.Value
	offset   int
	id, name string
	member   string // the name or the type that identified it
	result   bool
	failed   bool

	arguments jsonval.Value // of a call
	history   int           // the history that has the call
	untyped   bool          // the values of the arguments are texts, whatever they were
}

// callKey returns the id of a fact, or the name of the fact if it has no id. Facts about
// the same call have the same key.
func (f *fact) callKey() string {
	if f.id != "" {
		return f.id
	}
	return "\x00" + f.name
}

// factNames contains the members by which facts are found. The values of some are calls
// or results; others contain an object's type, or the id by which a result refers to its
// call.
var factNames = jsonval.NewNames("type", "part_kind", "content_type", "$type", "functionCall", "function_call", "toolUse", "toolRequest", "toolInvocation",
	"tool_call", "toolCall", "tool_calls", "toolCalls", "toolRequests", "tools_called", "toolInvocations", "functionResponse", "function_response",
	"toolResult", "toolResponse", "tool_call_result", "toolResults", "tool_call_id", "tool_use_id", "toolName", "tool_name", "callID",
	"is_error", "isError", "status", "state", "success", "approve", "approved", "tool_call_error",
	"interruptions", "approvals", "pending_approvals", "pendingApprovals", "pending_tool_calls", "pendingToolCalls",
	"tool_kwargs", "action_input", "actionInput", "gen_ai.tool.call.arguments", "recipient_name",
	"arguments", "tool_input", "toolInput", "tool_args", "toolArgs", "tool_arguments", "toolArguments", "input_parameters", "inputParameters", "toolKwargs", "function_args",
	"args", "params", "kwargs", "input")

// count contains the numbers of places that look like calls and results, including
// repetitions. failed is true if one of them reports a failure. Counting does not open
// the places, so it takes little time compared with reading the text.
type count struct {
	calls, results int
	failed         bool
	callees        int // members that name a tool, and never something else
	inputs         int // members that may be the arguments of a call, without those in strings
}

// isZero reports whether nothing looks like a call or a result.
func (c count) isZero() bool { return c.calls == 0 && c.results == 0 && !c.failed }

func countFacts(values []jsonval.Value) count {
	var c count
	for _, v := range values {
		v.Find(factNames, c.countMember)
	}
	return c
}

func (c *count) countMember(_ jsonval.Value, name string, v jsonval.Value) {
	switch name {
	case "type", "part_kind", "content_type", "$type":
		switch word, _ := v.Str(); {
		case isResultWord(word):
			c.results++
		case isCallWord(word):
			c.calls++
		}
	case "tool_calls", "toolCalls", "toolRequests", "tools_called", "toolInvocations", "toolCall":
		c.calls += IfElse(v.Kind() == jsonval.Array, v.Len(), 1)
	case "toolResults":
		c.results += v.Len()
	case "functionCall", "function_call", "toolUse", "toolRequest", "toolInvocation", "tool_call", "callID":
		c.calls++
	case "functionResponse", "function_response", "toolResult", "toolResponse", "tool_call_result", "tool_call_id", "tool_use_id":
		c.results++
	case "is_error", "isError":
		c.failed = c.failed || v.Raw() == "true"
	case "interruptions", "approvals", "pending_approvals", "pendingApprovals", "pending_tool_calls", "pendingToolCalls":
		c.failed = c.failed || v.Kind() == jsonval.Array && v.Len() > 0
	case "status", "state", "success", "approve", "approved", "tool_call_error":
		if raw := v.Raw(); !c.failed && (raw == "false" || raw == "true" || len(raw) < 24 && raw[0] == '"') {
			var s callState
			s.noteMember(name, v)
			c.failed = s.refused || s.flag == Failed
		}
	case "toolName", "tool_name", "recipient_name":
		c.callees += IfElse(v.Kind() == jsonval.String, 1, 0)
	case "args", "params", "kwargs", "input":
		c.inputs += IfElse(v.Kind() == jsonval.Object, 1, 0)
	case "arguments", "tool_kwargs", "action_input", "actionInput", "gen_ai.tool.call.arguments", "tool_input", "toolInput", "tool_args", "toolArgs", "tool_arguments", "toolArguments", "input_parameters", "inputParameters", "toolKwargs", "function_args":
		c.inputs += IfElse(v.Kind() == jsonval.Object || v.Kind() == jsonval.String, 1, 0)
	}
}

func isCallWord(kind string) bool {
	return OneOf(kind, "function_call custom_tool_call") || IsCallKind(kind)
}

func isResultWord(kind string) bool {
	return OneOf(kind, "function_call_output function_call_result custom_tool_call_output tool-return retry-prompt") || IsResultKind(kind)
}

// surveyFacts returns the facts in values, in text order. A fact is a place that looks
// like a call or a result.
func (d *Decoder) surveyFacts(values []jsonval.Value) []fact {
	s := surveyor{d: d}
	for _, v := range values {
		v.Find(factNames, s.surveyMember)
	}
	sort.SliceStable(s.facts, func(i, j int) bool { return s.facts[i].offset < s.facts[j].offset })
	return s.facts
}

type surveyor struct {
	d     *Decoder
	facts []fact
}

func (s *surveyor) surveyMember(object jsonval.Value, name string, v jsonval.Value) {
	switch name {
	case "type", "part_kind", "content_type", "$type":
		if word, ok := v.Str(); ok {
			s.addTyped(object, word)
		}
	case "tool_calls", "toolCalls", "toolRequests", "tools_called", "toolInvocations", "toolCall", "toolResults":
		if v.Kind() == jsonval.Array {
			v.Each(func(_ string, e jsonval.Value) bool { s.addFact(e, name, name == "toolResults"); return true })
		} else if name == "toolCall" {
			s.addFact(v, name, false)
		}
	case "functionCall", "function_call", "toolUse", "toolRequest", "toolInvocation", "tool_call":
		s.addFact(v, name, false)
	case "functionResponse", "function_response", "toolResult", "toolResponse", "tool_call_result":
		s.addFact(v, name, true)
	case "tool_call_id", "tool_use_id":
		if v.Kind() == jsonval.String && !object.Get("args").Exists() && !object.Get("arguments").Exists() && !object.Get("tool_calls").Exists() {
			s.addFact(object, name, object.Get("content").Exists() || object.Get("output").Exists())
		}
	case "callID":
		s.addFact(object, name, false)
	case "toolName", "tool_name":
		if b := OpenBlock(object); b.input.Exists() && !b.output.Exists() && b.pairingID() != "" {
			s.addFact(object, name, false)
		}
	}
}

// addTyped adds an object whose type is that of a call or a result.
func (s *surveyor) addTyped(object jsonval.Value, kind string) {
	switch {
	case isResultWord(kind):
		s.addFact(object, kind, true)
	case isCallWord(kind):
		s.addFact(object, kind, false)
	}
}

// addFact adds an object that looks like a call or a result. It ignores an object that
// has no id and no name.
func (s *surveyor) addFact(v jsonval.Value, member string, result bool) {
	if v.Kind() != jsonval.Object {
		return
	}
	b := OpenBlock(v)
	v.Get("function").Each(b.setMember)
	if s, ok := v.Get("function").Str(); ok && b.name == "" {
		b.name = s
	}
	if b.nested.Exists() {
		return // identified by its own member
	}
	f := fact{at: v, offset: s.d.offsetOf(v), id: b.pairingID(), name: b.name, member: member, result: result, arguments: b.input}
	switch {
	case !result && (f.name == "" || v.Get("description").Exists() && !b.input.Exists()):
		return
	case result && f.id == "" && f.name == "":
		return
	case result:
		f.failed = ErrorFlag(b.failed) == Failed || b.marks.flag == Failed || b.Kind == "tool-error"
	}
	s.facts = append(s.facts, f)
}
