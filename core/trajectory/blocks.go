package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// block is one element of a message's content: text, a call or a result. Its fields
// collect the members of all dialects.
type block struct {
	v                                   jsonval.Value
	kind, id, name, text, useID, callID string
	input, content, output, nested      jsonval.Value
	failed, status, thought, metadata   jsonval.Value
	errorText                           string
	tool                                string // the tool's name, from a member that never contains anything else
	marks                               callState
}

// readContent reads a message's content, which is a string or a list of blocks.
func (r *run) readContent(v jsonval.Value) {
	switch v.Kind() {
	case jsonval.Array:
	case jsonval.Missing, jsonval.Null:
		return
	default:
		if s := r.d.contentText(r.role, v); s != "" || r.once == nil {
			r.addText(s)
		}
		return
	}
	var texts []string // joined once, to keep long lists linear
	flush := func() {
		if len(texts) > 0 {
			r.addText(strings.Join(texts, "\n"))
			texts = texts[:0]
		}
	}
	v.Each(func(_ string, e jsonval.Value) bool {
		if s, ok := e.Str(); ok {
			texts = append(texts, s)
			return true
		}
		b := openBlock(e)
		if s, ok := b.textContent(); ok {
			texts = append(texts, s)
			return true
		}
		flush()
		if b.kind == "function" && e.Get("function").Kind() == jsonval.Object {
			r.toolCall(e)
		} else {
			r.readBlock(b)
		}
		return true
	})
	flush()
}

func openBlock(v jsonval.Value) *block {
	b := &block{v: v}
	v.Each(b.setMember)
	return b
}

func (b *block) setMember(key string, v jsonval.Value) bool {
	switch key {
	case "type", "content_type", "$type", "event_type":
		b.kind = v.Text()
	case "id", "Id":
		b.id = v.Text()
	case "name":
		b.name = v.Text()
	case "toolName", "tool_name", "tool", "function_name", "FunctionName", "func_name":
		if s, ok := v.Str(); ok {
			b.name, b.tool = s, s
		}
	case "text", "Text":
		b.text = v.Text()
	case "tool_use_id", "custom_tool_use_id", "mcp_tool_use_id":
		b.useID = v.Text()
	case "toolCallId", "tool_call_id", "call_id", "callId", "callID", "CallId", "tool_id", "toolId", "toolUseId", "ref":
		b.callID = v.Text()
	case "input", "args", "arguments", "Arguments", "parameters", "toolKwargs", "tool_input", "toolInput", "tool_args", "toolArgs", "input_parameters", "inputParameters", "kwargs":
		if !b.input.Exists() || b.input.Kind() == jsonval.Null {
			b.input = v
		}
	case "content":
		b.content = v
	case "output", "result", "response", "toolOutput", "tool_output", "observation", "Result", "tool_return", "toolReturn", "return_value", "returnValue":
		if !b.output.Exists() || b.output.Kind() == jsonval.Null {
			b.output = v
		}
	case "is_error", "isError":
		b.failed = v
	case "error":
		if b.failed.Kind() == jsonval.Missing || b.failed.Raw() == "false" {
			b.failed = v
		}
	case "state", "status":
		b.status = v
		b.marks.noteMember(key, v)
	case "metadata":
		b.metadata = v
	case "errorText":
		b.errorText = v.Text()
	case "thought":
		b.thought = v
	case "toolUse", "toolResult", "functionCall", "functionResponse", "function_call", "function_response", "toolInvocation",
		"toolRequest", "toolResponse", "tool_call", "tool_call_result", "toolCall":
		if v.Kind() == jsonval.Object && !b.unwrapResult(key, v) {
			b.kind, b.nested = key, v
		}
	case "payload": // Mastra's chunks have all members one level deeper
		if v.Get("toolCallId").Exists() || v.Get("toolName").Exists() {
			v.Each(b.setMember)
		}
	default:
		b.marks.noteMember(key, v)
	}
	return true
}

// unwrapResult reads a call or a result that is wrapped as the result of an operation, such as
// {status: "success", value} or {status: "error", error}. It reports whether v is such an
// object.
func (b *block) unwrapResult(key string, v jsonval.Value) bool {
	status := v.Get("status")
	value, fault := v.Get("value"), v.Get("error")
	if status.Kind() != jsonval.String || !value.Exists() && !fault.Exists() || v.Get("name").Exists() || v.Get("content").Exists() {
		return false
	}
	if b.marks.noteMember("status", status); oneOf(key, "toolResult toolResponse functionResponse function_response tool_call_result") {
		b.output, b.failed = ifElse(value.Exists(), value, fault), ifElse(wordState(status.Text()).flag == failed, fault, b.failed)
		return true
	}
	b.kind, b.nested = key, value
	return true
}

// isCallKind reports whether blocks or events of the given type are calls. It returns
// false for types that need special code.
func isCallKind(kind string) bool {
	return oneOf(kind, "tool_use server_tool_use mcp_tool_use agent.tool_use agent.custom_tool_use agent.mcp_tool_use tool-call tool_call toolCall tool_calls tool-input-available tool-input-error tool_execution_start tool_usage_started FunctionCallContent ToolCallRequest tool_request function_call")
}

// isResultKind reports whether blocks or events of the given type are results. It returns
// false for types that need special code.
func isResultKind(kind string) bool {
	return strings.HasSuffix(kind, "tool_result") || oneOf(kind, "tool-result tool-error tool-output-available tool-output-error tool-output-denied tool_call_response tool_execution_end tool_usage_finished tool_usage_error function_result FunctionResultContent tool_response toolResult toolResponse")
}

// textContent returns the text of a text block, and reports whether b is a text block.
// Reasoning counts as an empty text, because the agent did not send it to anybody. Images
// and files count as empty texts, too.
func (b *block) textContent() (string, bool) {
	switch b.kind {
	case "text", "output_text", "input_text", "Text", "TextContent", "":
		if thinking, _ := b.thought.Bool(); thinking {
			return "", true
		}
		if b.text != "" {
			return b.text, true
		}
		return b.content.Text(), true
	case "reasoning", "thinking", "redacted_thinking", "step-start", "image", "image_url", "file", "input_image":
		return "", true
	}
	return "", false
}

// readBlock reads a block that is a call or a result, and reports whether b is such a
// block.
func (r *run) readBlock(b *block) bool {
	switch {
	case isItem(b.kind) && !oneOf(b.kind, "function_call reasoning"), b.kind == "function_call" && b.nested.Kind() == jsonval.Missing && b.tool == "" && b.name+b.callID != "":
		r.readMessageValue(b.v)
	case b.kind == "toolUse", b.kind == "toolResult" && b.nested.Exists():
		r.readBedrockBlock(b)
	case oneOf(b.kind, "functionCall functionResponse function_call function_response") && b.nested.Exists():
		r.readGeminiBlock(b)
	case b.nested.Exists() && b.kind != "tool-invocation" && b.kind != "toolInvocation":
		return r.nestedBlock(b)
	case oneOf(b.kind, "tool-invocation toolInvocation"):
		r.toolCall(b.nested)
	case b.kind == "tool" && b.status.Kind() == jsonval.Object:
		r.statefulPart(b)
	case isCallKind(b.kind) && b.name != "":
		if !b.input.Exists() {
			b.completeCall()
		}
		c := call{id: b.pairingID(), name: b.name, arguments: b.input, at: b.v, unrecorded: !b.input.Exists() && oneOf(b.kind, "tool_use tool_call tool-call")}
		i := r.addCall(c)
		if i >= 0 && b.kind != "tool-input-error" && (!r.markAction(i, b.marks) || b.output.Exists()) {
			r.attachOwnResult(&c, b)
		}
		if oneOf(b.kind, "server_tool_use mcp_tool_use") {
			r.noteDone(i)
		}
		if b.kind == "tool-input-error" {
			r.attachResult(b.pairingID(), b.name, Observation{Text: b.errorText, Error: true}, b.v)
		}
	case isResultKind(b.kind):
		r.resultBlock(b)
	case b.kind == "dynamic-tool", strings.HasPrefix(b.kind, "tool-") && b.callID != "" && !isStreamPiece(b.kind):
		r.uiPart(b)
	default:
		return false
	}
	return true
}

// pairingID returns the id by which a result refers to its call. The tool's name is not
// such an id.
func (b *block) pairingID() string {
	switch {
	case b.useID != "":
		return b.useID
	case b.callID != "" && b.callID != b.tool:
		return b.callID
	}
	return b.id
}

// isStreamPiece reports whether kind is the type of an event in an AI SDK stream that
// contains only a part of a call. A later event of the stream has the complete call.
func isStreamPiece(kind string) bool {
	return strings.HasPrefix(kind, "tool-input-") || strings.HasPrefix(kind, "tool-call-") || strings.HasPrefix(kind, "tool-output") || kind == "tool-approval-request"
}

// resultBlock reads the result of a call.
func (r *run) resultBlock(b *block) {
	value := b.output
	if !value.Exists() {
		value = b.content
	}
	text, f := modelOutput(value)
	if value.Get("content").Kind() == jsonval.Array {
		text = contentText(value.Get("content"))
	}
	f = strictestFlag(f, errorFlag(b.failed), errorFlag(value.Get("isError")), exitFlag(value.Get("return_code")))
	switch {
	case strings.HasSuffix(value.Get("type").Text(), "_tool_result_error"): // of Anthropic's servers
		f = failed
	case oneOf(b.kind, "tool-error tool-output-error tool-output-denied tool_usage_error"):
		f = failed
	case b.marks.flag == failed:
		f = failed
	}
	if text == "" {
		text = b.errorText
	}
	if text == "" && f == failed {
		text = errorWords(b.failed)
	}
	if text == "" {
		text = b.otherText(value)
	}
	r.markAction(r.attachResult(b.pairingID(), b.name, newObservation(text, f), b.v), b.marks)
}

// otherText returns the members of a result without a text as JSON, or "" if all members are
// known ones. A result with something in it is never read as empty.
func (b *block) otherText(content jsonval.Value) string {
	if content.Exists() {
		return otherContent(content)
	}
	var members []string
	b.v.Each(func(key string, m jsonval.Value) bool {
		if key == "tool_result" {
			members = []string{m.Text()}
			return false
		}
		if !oneOf(key, "type id Id name toolName tool_name tool tool_use_id toolUseId tool_call_id toolCallId call_id callId callID is_error isError error errorText state status metadata cache_control providerExecuted dynamic preliminary title providerMetadata callProviderMetadata") {
			members = append(members, jsonval.Quoted(key)+":"+m.Raw())
		}
		return true
	})
	if len(members) == 1 && !strings.HasPrefix(members[0], `"`) || len(members) == 0 {
		return strings.Join(members, "")
	}
	return "{" + strings.Join(members, ",") + "}"
}

// otherContent returns the blocks of a content that have neither a text nor a medium as
// JSON, one on each line. A block {"type": "tool_result", "tool_result": …} has its result
// there.
func otherContent(content jsonval.Value) string {
	if content.Kind() != jsonval.Array {
		return ""
	}
	var parts []string
	content.Each(func(_ string, e jsonval.Value) bool {
		b := openBlock(e)
		if inner := e.Get("tool_result"); inner.Exists() {
			parts = append(parts, inner.Text())
		} else if e.Kind() == jsonval.Object && e.Len() > 1 && b.text == "" && !b.isMedium() && !b.content.Exists() && !e.Get("text").Exists() {
			parts = append(parts, e.Raw())
		}
		return true
	})
	return strings.Join(parts, "\n")
}

// isMedium reports whether a block is an image, a file or another medium.
func (b *block) isMedium() bool {
	for _, word := range [...]string{"image", "file", "document", "audio", "video", "media", "resource", "blob", "thinking", "reasoning"} {
		if strings.Contains(strings.ToLower(b.kind), word) {
			return true
		}
	}
	return openObject(b.v).hasAny("source data mimeType mime_type mediaType media_type image image_url file inlineData fileData document video blob")
}

// isNameless reports whether the results in the content of a tool's message have no ids of
// their own, so that they belong to the message's call.
func isNameless(content jsonval.Value) bool {
	nameless := true
	content.Each(func(_ string, e jsonval.Value) bool {
		b := openBlock(e)
		nameless = nameless && b.pairingID() == "" && !b.nested.Exists()
		return nameless
	})
	return nameless
}

// nestedBlock reads a block that has its call or result in a nested object, such as
// {toolRequest} and {toolResponse} of Genkit, or {tool_call} and {tool_call_result} of
// Haystack. It reports whether b is such a block.
func (r *run) nestedBlock(b *block) bool {
	inner := openBlock(b.nested)
	switch b.kind {
	case "toolRequest", "tool_call", "toolCall":
		if inner.name == "" {
			return r.toolCall(b.nested)
		}
		r.markAction(r.addCall(call{id: ifElse(inner.pairingID() != "", inner.pairingID(), b.pairingID()), name: inner.name, arguments: inner.input, at: b.v}), b.marks)
	case "toolResponse", "tool_call_result", "toolResult":
		if origin := b.nested.Get("origin"); origin.Kind() == jsonval.Object {
			from := openBlock(origin)
			inner.id, inner.name = from.pairingID(), from.name
		}
		r.resultBlock(inner)
	default:
		return false
	}
	return true
}

// statefulPart reads a part of a message of opencode. The part contains a call and its
// result: {callID, tool, state: {status, input, output, error, metadata}}.
func (r *run) statefulPart(b *block) {
	state := openObject(b.status)
	i := r.addCall(call{id: b.pairingID(), name: b.name, arguments: state.get("input"), at: b.v})
	r.markAction(i, wordState(state.firstString("status")))
	status := state.firstString("status")
	if !oneOf(status, "completed error") {
		return
	}
	text := contentText(state.firstNonNull("output error"))
	f := strictestFlag(ifElse(status == "error", failed, unsaid), exitFlag(state.openMember("metadata").get("exit")))
	r.attachResult(b.pairingID(), b.name, newObservation(text, f), b.v)
}

// holdsResults reports whether the content of a tool's message has blocks that are
// results.
func holdsResults(content jsonval.Value) bool {
	found := false
	if content.Kind() == jsonval.Array {
		content.Each(func(_ string, e jsonval.Value) bool {
			b := openBlock(e)
			found = isResultKind(b.kind) || b.nested.Exists()
			return !found
		})
	}
	return found
}

// inContent reports whether the given function accepts at least one object in the list
// o[member].
func inContent(o *object, member string, is func(*object) bool) bool {
	found := false
	if list := o.get(member); list.Kind() == jsonval.Array {
		list.Each(func(_ string, e jsonval.Value) bool {
			b := openObject(e)
			found = len(b.keys) > 0 && is(b)
			return !found
		})
	}
	return found
}
