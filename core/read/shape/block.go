package shape

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Block is one element of a message's content: text, a call or a result. Its fields
// collect the members of all dialects.
type Block struct {
	Value                               jsonval.Value
	Kind, ID, Name, text, UseID, CallID string
	Input, Content, Output, Nested      jsonval.Value
	Failed, Status, thought, metadata   jsonval.Value
	ErrorText                           string
	Tool                                string // the tool's name, from a member that never contains anything else
	action                              string
	Marks                               CallState
}

// OpenBlock reads the members of one element of a message's content. A v that is no object
// yields a block without members.
func OpenBlock(v jsonval.Value) *Block {
	b := &Block{Value: v}
	v.Each(b.SetMember)
	if b.action != "" && b.Name == "" && b.Kind == "" && b.Input.Kind() == jsonval.Object && IsName(b.action) { // {action, arguments}
		b.Name, b.Tool = b.action, b.action
	}
	return b
}

// SetMember sets what a member of the element says, and reports true, so that all members are
// visited.
func (b *Block) SetMember(key string, v jsonval.Value) bool {
	switch key {
	case "type", "content_type", "$type", "event_type":
		b.Kind = v.Text()
	case "id", "Id":
		b.ID = v.Text()
	case "name":
		if b.Tool == "" { // the order of the members says nothing
			b.Name = v.Text()
		}
	case "toolName", "tool_name", "tool", "function_name", "FunctionName", "func_name":
		if s, ok := v.Str(); ok {
			b.Name, b.Tool = s, s
		}
	case "action":
		b.action, _ = v.Str()
	case "text", "Text":
		b.text = v.Text()
	case "tool_use_id", "custom_tool_use_id", "mcp_tool_use_id":
		b.UseID = v.Text()
	case "toolCallId", "tool_call_id", "call_id", "callId", "callID", "CallId", "tool_id", "toolId", "toolUseId", "ref":
		b.CallID = v.Text()
	case "input", "args", "arguments", "Arguments", "parameters", "toolKwargs", "tool_input", "toolInput", "tool_args", "toolArgs", "input_parameters", "inputParameters", "kwargs":
		if !b.Input.Exists() || b.Input.Kind() == jsonval.Null {
			b.Input = v
		}
	case "content":
		b.Content = v
	case "output", "result", "response", "toolOutput", "tool_output", "observation", "Result", "tool_return", "toolReturn", "return_value", "returnValue":
		if !b.Output.Exists() || b.Output.Kind() == jsonval.Null {
			b.Output = v
		}
	case "is_error", "isError":
		b.Failed = v
	case "error":
		if b.Failed.Kind() == jsonval.Missing || b.Failed.Raw() == "false" {
			b.Failed = v
		}
	case "state", "status":
		b.Status = v
		b.Marks.NoteMember(key, v)
	case "metadata":
		b.metadata = v
		b.Marks.NoteMember(key, v)
	case "errorText":
		b.ErrorText = v.Text()
	case "thought":
		b.thought = v
	case "toolUse", "toolResult", "functionCall", "functionResponse", "function_call", "function_response", "toolInvocation",
		"toolRequest", "toolResponse", "tool_call", "tool_call_result", "toolCall":
		if v.Kind() == jsonval.Object && !b.unwrapResult(key, v) {
			b.Kind, b.Nested = key, v
		}
	case "payload": // Mastra's chunks have all members one level deeper
		if v.Get("toolCallId").Exists() || v.Get("toolName").Exists() {
			v.Each(b.SetMember)
		}
	default:
		b.Marks.NoteMember(key, v)
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
	if b.Marks.NoteMember("status", status); OneOf(key, "toolResult toolResponse functionResponse function_response tool_call_result") {
		b.Output, b.Failed = IfElse(value.Exists(), value, fault), IfElse(WordState(status.Text()).Flag == Failed, fault, b.Failed)
		return true
	}
	b.Kind, b.Nested = key, value
	return true
}

// IsCallKind reports whether blocks or events of the given type are calls. It returns
// false for types that need special code.
func IsCallKind(kind string) bool {
	return OneOf(kind, "tool_use server_tool_use mcp_tool_use agent.tool_use agent.custom_tool_use agent.mcp_tool_use tool-call tool_call toolCall tool_calls tool-input-available tool-input-error tool_execution_start tool_usage_started FunctionCallContent ToolCallRequest tool_request function_call functionCall")
}

// IsResultKind reports whether blocks or events of the given type are results. It returns
// false for types that need special code.
func IsResultKind(kind string) bool {
	return strings.HasSuffix(kind, "tool_result") || OneOf(kind, "tool-result tool-error tool-output-available tool-output-error tool-output-denied tool_call_response tool_execution_end tool_usage_finished tool_usage_error function_result functionResult FunctionResultContent tool_response toolResult toolResponse")
}

// TextContent returns the text of a text block, and reports whether b is a text block.
// Reasoning counts as an empty text, because the agent did not send it to anybody. Images
// and files count as empty texts, too.
func (b *Block) TextContent() (string, bool) {
	switch b.Kind {
	case "text", "output_text", "input_text", "Text", "TextContent", "":
		if thinking, _ := b.thought.Bool(); thinking {
			return "", true
		}
		if b.text != "" {
			return b.text, true
		}
		return b.Content.Text(), true
	case "reasoning", "thinking", "redacted_thinking", "step-start", "image", "image_url", "file", "input_image":
		return "", true
	}
	return "", false
}

// PairingID returns the id by which a result refers to its call. The tool's name is not
// such an id.
func (b *Block) PairingID() string {
	switch {
	case b.UseID != "":
		return b.UseID
	case b.CallID != "" && b.CallID != b.Tool:
		return b.CallID
	}
	return b.ID
}

// IsStreamPiece reports whether kind is the type of an event in an AI SDK stream that
// contains only a part of a call. A later event of the stream has the complete call.
func IsStreamPiece(kind string) bool {
	return strings.HasPrefix(kind, "tool-input-") || strings.HasPrefix(kind, "tool-call-") || strings.HasPrefix(kind, "tool-output") || kind == "tool-approval-request"
}

// OtherText returns the members of a result without a text as JSON, or "" if all members are
// known ones. A result with something in it is never read as empty.
func (b *Block) OtherText(content jsonval.Value) string {
	if content.Exists() {
		return OtherContent(content)
	}
	var members []string
	b.Value.Each(func(key string, m jsonval.Value) bool {
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

// OtherContent returns the blocks of a content that have neither a text nor a medium as
// JSON, one on each line. A block {"type": "tool_result", "tool_result": …} has its result
// there.
func OtherContent(content jsonval.Value) string {
	if content.Kind() != jsonval.Array {
		return ""
	}
	var parts []string
	content.Each(func(_ string, e jsonval.Value) bool {
		b := OpenBlock(e)
		if inner := e.Get("tool_result"); inner.Exists() {
			parts = append(parts, inner.Text())
		} else if e.Kind() == jsonval.Object && e.Len() > 1 && b.text == "" && !b.isMedium() && !b.Content.Exists() && !e.Get("text").Exists() {
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
	return OpenObject(b.Value).HasAny("source data mimeType mime_type mediaType media_type image image_url file inlineData fileData document video blob")
}

// IsNameless reports whether the results in the content of a tool's message have no ids of
// their own, so that they belong to the message's call.
func IsNameless(content jsonval.Value) bool {
	nameless := true
	content.Each(func(_ string, e jsonval.Value) bool {
		b := OpenBlock(e)
		nameless = nameless && b.PairingID() == "" && !b.Nested.Exists()
		return nameless
	})
	return nameless
}

// HoldsResults reports whether the content of a tool's message has blocks that are
// results.
func HoldsResults(content jsonval.Value) bool {
	found := false
	if content.Kind() == jsonval.Array {
		content.Each(func(_ string, e jsonval.Value) bool {
			b := OpenBlock(e)
			found = IsResultKind(b.Kind) || b.Nested.Exists()
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
