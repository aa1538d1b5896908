package engine

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// IsOpenAIChat reports whether an object is a message with a role.
func IsOpenAIChat(o *shape.Object) bool {
	return o.IsText("role") && o.HasAny("content tool_calls name tool_call_id parts")
}

// IsLegacyFunction reports whether an object is a message of OpenAI with the function_call
// that came before tool_calls, or its result.
func IsLegacyFunction(o *shape.Object) bool {
	return o.IsText("role") && (o.IsObject("function_call") || o.FirstString("role") == "function")
}

// toolCalls reads the calls of a message that are in members next to the content. It
// reads these forms:
//
//   - OpenAI's {function: {name, arguments}}
//   - {name, arguments} or {name, args}, as in τ² and LangChain
//   - Inspect's {function: NAME, arguments}
//   - OpenAI's older single function_call
func (r *Run) toolCalls(m *message) {
	calls := m.calls
	if !calls.Exists() {
		calls = m.extra.Get("tool_calls")
	}
	calls.Each(func(_ string, v jsonval.Value) bool {
		r.ToolCall(v)
		return true
	})
	m.broken.Each(func(_ string, v jsonval.Value) bool { // LangChain's calls with arguments that are not JSON
		r.ToolCall(v)
		return true
	})
	legacy := m.legacy
	if !legacy.Exists() && !calls.Exists() {
		legacy = m.extra.Get("function_call")
	}
	if legacy.Kind() == jsonval.Object {
		r.AddCall(Call{Name: legacy.Get("name").Text(), Arguments: legacy.Get("arguments"), At: legacy})
	}
}

// ToolCall reads one element of a list of calls, with its result if it has one. It
// reports whether the element was a call.
func (r *Run) ToolCall(v jsonval.Value) bool {
	if v.Kind() != jsonval.Object {
		r.Decoder.WarnAt("call-not-object", "a tool call is "+v.Kind().String()+", not an object", v)
		r.Decoder.leaveUnread(v, "calls")
		return false
	}
	b := shape.OpenBlock(v)
	requestor := r.Requestor
	var c Call
	typed := false // the call has the member "function", which has arguments in every API
	v.Each(func(key string, m jsonval.Value) bool {
		switch key {
		case "function", "custom":
			if s, ok := m.Str(); ok {
				b.Name = s
			} else {
				typed = key == "function"
				m.Each(b.SetMember)
			}
		case "requestor":
			r.Requestor = m.Text()
		}
		return true
	})
	if b.Nested.Kind() == jsonval.Object && b.Name == "" {
		r.Requestor = requestor
		return r.ReadBlock(b)
	}
	if !b.Input.Exists() || b.Name == "" {
		b.CompleteCall()
	}
	if r.found != nil && b.Name == "" {
		r.Requestor = requestor
		return false
	}
	c = Call{ID: b.PairingID(), Name: b.Name, Arguments: b.Input, At: v, unrecorded: (r.bare || typed) && !b.Input.Exists()}
	i := r.AddCall(c)
	if r.Requestor = requestor; r.bare || r.found != nil && r.once.repeats {
		r.noteDone(i)
	}
	if !r.markAction(i, b.Marks) || b.Output.Exists() && b.Output.Kind() != jsonval.Null {
		r.attachOwnResult(&c, b)
	}
	return true
}

// attachOwnResult attaches a result to the call c. The result is in b, the object that
// also contains the call. It does nothing if b has no result.
func (r *Run) attachOwnResult(c *Call, b *shape.Block) {
	f := shape.StrictestFlag(shape.ErrorFlag(b.Failed), b.Marks.Flag)
	text, flagged := modelOutput(b.Output)
	switch {
	case b.Output.Kind() > jsonval.Null:
	case f != shape.Failed:
		return
	default:
		text = shape.ErrorWords(b.Failed)
	}
	switch {
	case b.Output.Kind() == jsonval.Array && shape.FirstElement(b.Output).Get("functionResponse").Exists(): // gemini-cli
		text, flagged = functionResponse(shape.FirstElement(b.Output).Get("functionResponse").Get("response"))
	}
	r.AttachResult(c.ID, c.Name, shape.NewObservation(text, shape.StrictestFlag(f, flagged)), c.At)
}
