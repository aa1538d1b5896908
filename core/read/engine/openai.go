package engine

import "github.com/boundcheck/boundcheck/core/base/jsonval"

// IsOpenAIChat reports whether an object is a message with a role.
func IsOpenAIChat(o *Object) bool {
	return o.IsText("role") && o.HasAny("content tool_calls name tool_call_id parts")
}

// IsLegacyFunction reports whether an object is a message of OpenAI with the function_call
// that came before tool_calls, or its result.
func IsLegacyFunction(o *Object) bool {
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
	b := OpenBlock(v)
	requestor := r.Requestor
	var c Call
	typed := false // the call has the member "function", which has arguments in every API
	v.Each(func(key string, m jsonval.Value) bool {
		switch key {
		case "function", "custom":
			if s, ok := m.Str(); ok {
				b.name = s
			} else {
				typed = key == "function"
				m.Each(b.setMember)
			}
		case "requestor":
			r.Requestor = m.Text()
		}
		return true
	})
	if b.nested.Kind() == jsonval.Object && b.name == "" {
		r.Requestor = requestor
		return r.ReadBlock(b)
	}
	if !b.input.Exists() || b.name == "" {
		b.completeCall()
	}
	if r.found != nil && b.name == "" {
		r.Requestor = requestor
		return false
	}
	c = Call{ID: b.pairingID(), Name: b.name, Arguments: b.input, At: v, unrecorded: (r.bare || typed) && !b.input.Exists()}
	i := r.AddCall(c)
	if r.Requestor = requestor; r.bare || r.found != nil && r.once.repeats {
		r.noteDone(i)
	}
	if !r.markAction(i, b.marks) || b.output.Exists() && b.output.Kind() != jsonval.Null {
		r.attachOwnResult(&c, b)
	}
	return true
}

// attachOwnResult attaches a result to the call c. The result is in b, the object that
// also contains the call. It does nothing if b has no result.
func (r *Run) attachOwnResult(c *Call, b *Block) {
	f := StrictestFlag(ErrorFlag(b.failed), b.marks.flag)
	text, flagged := modelOutput(b.output)
	switch {
	case b.output.Kind() > jsonval.Null:
	case f != Failed:
		return
	default:
		text = ErrorWords(b.failed)
	}
	switch {
	case b.output.Kind() == jsonval.Array && FirstElement(b.output).Get("functionResponse").Exists(): // gemini-cli
		text, flagged = functionResponse(FirstElement(b.output).Get("functionResponse").Get("response"))
	}
	r.AttachResult(c.ID, c.Name, NewObservation(text, StrictestFlag(f, flagged)), c.At)
}
