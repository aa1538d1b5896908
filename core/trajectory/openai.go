package trajectory

import "github.com/boundcheck/boundcheck/core/base/jsonval"

// isOpenAIChat reports whether an object is a message with a role.
func isOpenAIChat(o *object) bool {
	return o.isText("role") && o.hasAny("content tool_calls name tool_call_id parts")
}

func isLegacyFunction(o *object) bool {
	return o.isText("role") && (o.isObject("function_call") || o.firstString("role") == "function")
}

// toolCalls reads the calls of a message that are in members next to the content. It
// reads these forms:
//
//   - OpenAI's {function: {name, arguments}}
//   - {name, arguments} or {name, args}, as in τ² and LangChain
//   - Inspect's {function: NAME, arguments}
//   - OpenAI's older single function_call
func (r *run) toolCalls(m *message) {
	calls := m.calls
	if !calls.Exists() {
		calls = m.extra.Get("tool_calls")
	}
	calls.Each(func(_ string, v jsonval.Value) bool {
		r.toolCall(v)
		return true
	})
	m.broken.Each(func(_ string, v jsonval.Value) bool { // LangChain's calls with arguments that are not JSON
		r.toolCall(v)
		return true
	})
	legacy := m.legacy
	if !legacy.Exists() && !calls.Exists() {
		legacy = m.extra.Get("function_call")
	}
	if legacy.Kind() == jsonval.Object {
		r.addCall(call{name: legacy.Get("name").Text(), arguments: legacy.Get("arguments"), at: legacy})
	}
}

// toolCall reads one element of a list of calls, with its result if it has one. It
// reports whether the element was a call.
func (r *run) toolCall(v jsonval.Value) bool {
	if v.Kind() != jsonval.Object {
		r.d.warnAt("call-not-object", "a tool call is "+v.Kind().String()+", not an object", v)
		r.d.leaveUnread(v, "calls")
		return false
	}
	b := openBlock(v)
	requestor := r.requestor
	var c call
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
			r.requestor = m.Text()
		}
		return true
	})
	if b.nested.Kind() == jsonval.Object && b.name == "" {
		r.requestor = requestor
		return r.readBlock(b)
	}
	if !b.input.Exists() || b.name == "" {
		b.completeCall()
	}
	if r.found != nil && b.name == "" {
		r.requestor = requestor
		return false
	}
	c = call{id: b.pairingID(), name: b.name, arguments: b.input, at: v, unrecorded: (r.bare || typed) && !b.input.Exists()}
	i := r.addCall(c)
	if r.requestor = requestor; r.bare || r.found != nil && r.once.repeats {
		r.noteDone(i)
	}
	if !r.markAction(i, b.marks) || b.output.Exists() && b.output.Kind() != jsonval.Null {
		r.attachOwnResult(&c, b)
	}
	return true
}

// attachOwnResult attaches a result to the call c. The result is in b, the object that
// also contains the call. It does nothing if b has no result.
func (r *run) attachOwnResult(c *call, b *block) {
	f := strictestFlag(errorFlag(b.failed), b.marks.flag)
	text, flagged := modelOutput(b.output)
	switch {
	case b.output.Kind() > jsonval.Null:
	case f != failed:
		return
	default:
		text = errorWords(b.failed)
	}
	switch {
	case b.output.Kind() == jsonval.Array && firstElement(b.output).Get("functionResponse").Exists(): // gemini-cli
		text, flagged = functionResponse(firstElement(b.output).Get("functionResponse").Get("response"))
	}
	r.attachResult(c.id, c.name, newObservation(text, strictestFlag(f, flagged)), c.at)
}
