package trajectory

import "github.com/boundcheck/boundcheck/core/jsonval"

// isOpenAIChat tells messages with roles.
func isOpenAIChat(o *object) bool {
	return o.isText("role") && o.any("content", "tool_calls", "name", "tool_call_id", "parts")
}

func isLegacyFunction(o *object) bool {
	return o.isText("role") && (o.isObject("function_call") || o.word("role") == "function")
}

// toolCalls reads the calls that a message keeps beside its content: OpenAI's
// {function: {name, arguments}}, the flat {name, arguments | args} of τ² and
// LangChain, Inspect's {function: NAME, arguments}, and the single
// function_call of before.
func (r *run) toolCalls(m *message) {
	calls := m.calls
	if !calls.Exists() {
		calls = m.extra.Get("tool_calls")
	}
	calls.Each(func(_ string, v jsonval.Value) bool {
		r.toolCall(v)
		return true
	})
	m.broken.Each(func(_ string, v jsonval.Value) bool { // LangChain's calls whose arguments are no JSON
		r.toolCall(v)
		return true
	})
	legacy := m.legacy
	if !legacy.Exists() && !calls.Exists() {
		legacy = m.extra.Get("function_call")
	}
	if legacy.Kind() == jsonval.Object {
		r.call(call{name: legacy.Get("name").Text(), arguments: legacy.Get("arguments"), at: legacy})
	}
}

func (r *run) toolCall(v jsonval.Value) {
	if v.Kind() != jsonval.Object {
		r.d.warnAt("call-not-object", "a tool call is "+v.Kind().String()+", not an object", v)
		return
	}
	c := call{at: v}
	var nested, result, status jsonval.Value
	requestor := r.requestor
	read := func(key string, m jsonval.Value) bool {
		switch key {
		case "id", "tool_call_id", "toolCallId", "call_id":
			c.id = m.Text()
		case "name", "toolName", "function_name":
			c.name = m.Text()
		case "arguments", "args", "input":
			c.arguments = m
		case "function":
			if s, ok := m.Str(); ok {
				c.name = s
			} else {
				nested = m
			}
		case "custom":
			nested = m
		case "requestor":
			r.requestor = either(m.Text() == "user", "user", "")
		case "result":
			result = m
		case "state":
			status = m
		}
		return true
	}
	v.Each(read)
	nested.Each(read)
	r.call(c)
	r.requestor = requestor
	if result.Exists() && status.Text() == "result" {
		r.answer(c.id, c.name, observe(contentText(result), unsaid), v)
	}
}
