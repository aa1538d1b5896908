package engine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Block is one element of a message's content: text, a call or a result. Its fields
// collect the members of all dialects.
type Block struct {
	v                                   jsonval.Value
	Kind, id, name, text, useID, callID string
	input, content, output, nested      jsonval.Value
	failed, status, thought, metadata   jsonval.Value
	errorText                           string
	tool                                string // the tool's name, from a member that never contains anything else
	marks                               callState
}

// ReadContent reads a message's content, which is a string or a list of blocks.
func (r *Run) ReadContent(v jsonval.Value) {
	switch v.Kind() {
	case jsonval.Array:
	case jsonval.Missing, jsonval.Null:
		return
	default:
		if s := r.Decoder.contentText(r.Role, v); s != "" || r.once == nil {
			r.AddText(s)
		}
		return
	}
	var texts []string // joined once, to keep long lists linear
	flush := func() {
		if len(texts) > 0 {
			r.AddText(strings.Join(texts, "\n"))
			texts = texts[:0]
		}
	}
	v.Each(func(_ string, e jsonval.Value) bool {
		if s, ok := e.Str(); ok {
			texts = append(texts, s)
			return true
		}
		b := OpenBlock(e)
		if s, ok := b.textContent(); ok {
			texts = append(texts, s)
			return true
		}
		flush()
		if b.Kind == "function" && e.Get("function").Kind() == jsonval.Object {
			r.ToolCall(e)
		} else {
			r.ReadBlock(b)
		}
		return true
	})
	flush()
}

// OpenBlock reads the members of one element of a message's content. A v that is no object
// yields a block without members.
func OpenBlock(v jsonval.Value) *Block {
	b := &Block{v: v}
	v.Each(b.setMember)
	return b
}

func (b *Block) setMember(key string, v jsonval.Value) bool {
	switch key {
	case "type", "content_type", "$type", "event_type":
		b.Kind = v.Text()
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
			b.Kind, b.nested = key, v
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
func (b *Block) unwrapResult(key string, v jsonval.Value) bool {
	status := v.Get("status")
	value, fault := v.Get("value"), v.Get("error")
	if status.Kind() != jsonval.String || !value.Exists() && !fault.Exists() || v.Get("name").Exists() || v.Get("content").Exists() {
		return false
	}
	if b.marks.noteMember("status", status); OneOf(key, "toolResult toolResponse functionResponse function_response tool_call_result") {
		b.output, b.failed = IfElse(value.Exists(), value, fault), IfElse(wordState(status.Text()).flag == Failed, fault, b.failed)
		return true
	}
	b.Kind, b.nested = key, value
	return true
}

// IsCallKind reports whether blocks or events of the given type are calls. It returns
// false for types that need special code.
func IsCallKind(kind string) bool {
	return OneOf(kind, "tool_use server_tool_use mcp_tool_use agent.tool_use agent.custom_tool_use agent.mcp_tool_use tool-call tool_call toolCall tool_calls tool-input-available tool-input-error tool_execution_start tool_usage_started FunctionCallContent ToolCallRequest tool_request function_call")
}

// IsResultKind reports whether blocks or events of the given type are results. It returns
// false for types that need special code.
func IsResultKind(kind string) bool {
	return strings.HasSuffix(kind, "tool_result") || OneOf(kind, "tool-result tool-error tool-output-available tool-output-error tool-output-denied tool_call_response tool_execution_end tool_usage_finished tool_usage_error function_result FunctionResultContent tool_response toolResult toolResponse")
}

// textContent returns the text of a text block, and reports whether b is a text block.
// Reasoning counts as an empty text, because the agent did not send it to anybody. Images
// and files count as empty texts, too.
func (b *Block) textContent() (string, bool) {
	switch b.Kind {
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

// ReadBlock reads a block that is a call or a result, and reports whether b is such a
// block.
func (r *Run) ReadBlock(b *Block) bool {
	switch {
	case IsItem(b.Kind) && !OneOf(b.Kind, "function_call reasoning"), b.Kind == "function_call" && b.nested.Kind() == jsonval.Missing && b.tool == "" && b.name+b.callID != "":
		r.ReadMessageValue(b.v)
	case b.Kind == "toolUse", b.Kind == "toolResult" && b.nested.Exists():
		r.readBedrockBlock(b)
	case OneOf(b.Kind, "functionCall functionResponse function_call function_response") && b.nested.Exists():
		r.readGeminiBlock(b)
	case b.nested.Exists() && b.Kind != "tool-invocation" && b.Kind != "toolInvocation":
		return r.nestedBlock(b)
	case OneOf(b.Kind, "tool-invocation toolInvocation"):
		r.ToolCall(b.nested)
	case b.Kind == "tool" && b.status.Kind() == jsonval.Object:
		r.statefulPart(b)
	case IsCallKind(b.Kind) && b.name != "":
		if !b.input.Exists() {
			b.completeCall()
		}
		c := Call{ID: b.pairingID(), Name: b.name, Arguments: b.input, At: b.v, unrecorded: !b.input.Exists() && OneOf(b.Kind, "tool_use tool_call tool-call")}
		i := r.AddCall(c)
		if i >= 0 && b.Kind != "tool-input-error" && (!r.markAction(i, b.marks) || b.output.Exists()) {
			r.attachOwnResult(&c, b)
		}
		if OneOf(b.Kind, "server_tool_use mcp_tool_use") {
			r.noteDone(i)
		}
		if b.Kind == "tool-input-error" {
			r.AttachResult(b.pairingID(), b.name, trajectory.Observation{Text: b.errorText, Error: true}, b.v)
		}
	case IsResultKind(b.Kind):
		r.resultBlock(b)
	case b.Kind == "dynamic-tool", strings.HasPrefix(b.Kind, "tool-") && b.callID != "" && !isStreamPiece(b.Kind):
		r.uiPart(b)
	default:
		return false
	}
	return true
}

// pairingID returns the id by which a result refers to its call. The tool's name is not
// such an id.
func (b *Block) pairingID() string {
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
func (r *Run) resultBlock(b *Block) {
	value := b.output
	if !value.Exists() {
		value = b.content
	}
	text, f := modelOutput(value)
	if value.Get("content").Kind() == jsonval.Array {
		text = ContentText(value.Get("content"))
	}
	f = StrictestFlag(f, ErrorFlag(b.failed), ErrorFlag(value.Get("isError")), ExitFlag(value.Get("return_code")))
	switch {
	case strings.HasSuffix(value.Get("type").Text(), "_tool_result_error"): // of Anthropic's servers
		f = Failed
	case OneOf(b.Kind, "tool-error tool-output-error tool-output-denied tool_usage_error"):
		f = Failed
	case b.marks.flag == Failed:
		f = Failed
	}
	if text == "" {
		text = b.errorText
	}
	if text == "" && f == Failed {
		text = ErrorWords(b.failed)
	}
	if text == "" {
		text = b.otherText(value)
	}
	r.markAction(r.AttachResult(b.pairingID(), b.name, NewObservation(text, f), b.v), b.marks)
}

// otherText returns the members of a result without a text as JSON, or "" if all members are
// known ones. A result with something in it is never read as empty.
func (b *Block) otherText(content jsonval.Value) string {
	if content.Exists() {
		return otherContent(content)
	}
	var members []string
	b.v.Each(func(key string, m jsonval.Value) bool {
		if key == "tool_result" {
			members = []string{m.Text()}
			return false
		}
		if !OneOf(key, "type id Id name toolName tool_name tool tool_use_id toolUseId tool_call_id toolCallId call_id callId callID is_error isError error errorText state status metadata cache_control providerExecuted dynamic preliminary title providerMetadata callProviderMetadata") {
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
		b := OpenBlock(e)
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
func (b *Block) isMedium() bool {
	for _, word := range [...]string{"image", "file", "document", "audio", "video", "media", "resource", "blob", "thinking", "reasoning"} {
		if strings.Contains(strings.ToLower(b.Kind), word) {
			return true
		}
	}
	return OpenObject(b.v).HasAny("source data mimeType mime_type mediaType media_type image image_url file inlineData fileData document video blob")
}

// isNameless reports whether the results in the content of a tool's message have no ids of
// their own, so that they belong to the message's call.
func isNameless(content jsonval.Value) bool {
	nameless := true
	content.Each(func(_ string, e jsonval.Value) bool {
		b := OpenBlock(e)
		nameless = nameless && b.pairingID() == "" && !b.nested.Exists()
		return nameless
	})
	return nameless
}

// nestedBlock reads a block that has its call or result in a nested object, such as
// {toolRequest} and {toolResponse} of Genkit, or {tool_call} and {tool_call_result} of
// Haystack. It reports whether b is such a block.
func (r *Run) nestedBlock(b *Block) bool {
	inner := OpenBlock(b.nested)
	switch b.Kind {
	case "toolRequest", "tool_call", "toolCall":
		if inner.name == "" {
			return r.ToolCall(b.nested)
		}
		r.markAction(r.AddCall(Call{ID: IfElse(inner.pairingID() != "", inner.pairingID(), b.pairingID()), Name: inner.name, Arguments: inner.input, At: b.v}), b.marks)
	case "toolResponse", "tool_call_result", "toolResult":
		if origin := b.nested.Get("origin"); origin.Kind() == jsonval.Object {
			from := OpenBlock(origin)
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
func (r *Run) statefulPart(b *Block) {
	state := OpenObject(b.status)
	i := r.AddCall(Call{ID: b.pairingID(), Name: b.name, Arguments: state.Get("input"), At: b.v})
	r.markAction(i, wordState(state.FirstString("status")))
	status := state.FirstString("status")
	if !OneOf(status, "completed error") {
		return
	}
	text := ContentText(state.FirstNonNull("output error"))
	f := StrictestFlag(IfElse(status == "error", Failed, Unsaid), ExitFlag(state.OpenMember("metadata").Get("exit")))
	r.AttachResult(b.pairingID(), b.name, NewObservation(text, f), b.v)
}

// HoldsResults reports whether the content of a tool's message has blocks that are
// results.
func HoldsResults(content jsonval.Value) bool {
	found := false
	if content.Kind() == jsonval.Array {
		content.Each(func(_ string, e jsonval.Value) bool {
			b := OpenBlock(e)
			found = IsResultKind(b.Kind) || b.nested.Exists()
			return !found
		})
	}
	return found
}

// InContent reports whether the given function accepts at least one object in the list
// o[member].
func InContent(o *Object, member string, is func(*Object) bool) bool {
	found := false
	if list := o.Get(member); list.Kind() == jsonval.Array {
		list.Each(func(_ string, e jsonval.Value) bool {
			b := OpenObject(e)
			found = len(b.Keys) > 0 && is(b)
			return !found
		})
	}
	return found
}
