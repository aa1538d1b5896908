package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// block is one element of a message's content: text, a call or a result, in any
// dialect's words.
type block struct {
	v                                   jsonval.Value
	kind, id, name, text, useID, callID string
	input, content, output, nested      jsonval.Value
	failed, status, thought             jsonval.Value
	errorText                           string
}

// content reads a message's content: a string, or a list of blocks in order.
func (r *run) content(v jsonval.Value) {
	switch v.Kind() {
	case jsonval.Array:
	case jsonval.Missing, jsonval.Null:
		return
	default:
		if s := contentText(v); s != "" || r.once == nil {
			r.say(s)
		}
		return
	}
	var texts []string // joined once, however many there are
	flush := func() {
		if len(texts) > 0 {
			r.say(strings.Join(texts, "\n"))
			texts = texts[:0]
		}
	}
	v.Each(func(_ string, e jsonval.Value) bool {
		if s, ok := e.Str(); ok {
			texts = append(texts, s)
			return true
		}
		b := openBlock(e)
		if s, ok := b.words(); ok {
			texts = append(texts, s)
			return true
		}
		flush()
		r.block(b)
		return true
	})
	flush()
}

func openBlock(v jsonval.Value) *block {
	b := &block{v: v}
	v.Each(b.member)
	return b
}

func (b *block) member(key string, v jsonval.Value) bool {
	switch key {
	case "type":
		b.kind = v.Text()
	case "id":
		b.id = v.Text()
	case "name", "toolName":
		b.name = v.Text()
	case "text":
		b.text = v.Text()
	case "tool_use_id":
		b.useID = v.Text()
	case "toolCallId", "tool_call_id", "call_id":
		b.callID = v.Text()
	case "input", "args", "arguments":
		b.input = v
	case "content":
		b.content = v
	case "output", "result", "response":
		b.output = v
	case "is_error", "isError":
		b.failed = v
	case "state", "status":
		b.status = v
	case "errorText":
		b.errorText = v.Text()
	case "thought":
		b.thought = v
	case "toolUse", "toolResult", "functionCall", "functionResponse", "function_call", "function_response", "toolInvocation":
		b.kind, b.nested = key, v
	}
	return true
}

// words gives a text block's text. Reasoning is no text: nobody was told it.
func (b *block) words() (string, bool) {
	switch b.kind {
	case "text", "output_text", "input_text", "":
		if thinking, _ := b.thought.Bool(); thinking {
			return "", true
		}
		if b.kind == "" && b.text == "" {
			return b.content.Text(), true
		}
		if b.text == "" {
			return b.content.Text(), true
		}
		return b.text, true
	case "reasoning", "thinking", "redacted_thinking", "step-start", "image", "image_url", "file", "input_image":
		return "", true
	}
	return "", false
}

// block reads a call or a result.
func (r *run) block(b *block) {
	switch {
	case oneOf(b.kind, "tool_use", "server_tool_use", "mcp_tool_use"):
		r.call(call{id: b.id, name: b.name, arguments: b.input, at: b.v})
	case strings.HasSuffix(b.kind, "tool_result"):
		r.answer(b.useID, "", observe(contentText(b.content), errorFlag(b.failed)), b.v)
	case b.kind == "toolUse", b.kind == "toolResult":
		r.bedrock(b)
	case oneOf(b.kind, "functionCall", "functionResponse", "function_call", "function_response") && b.nested.Exists():
		r.gemini(b)
	case oneOf(b.kind, "tool-call", "tool-result", "tool-invocation", "toolInvocation", "dynamic-tool", "tool-error"), strings.HasPrefix(b.kind, "tool-"):
		r.aiSDK(b)
	case b.kind == "tool_call":
		r.call(call{id: b.id, name: b.name, arguments: b.input, at: b.v})
	case b.kind == "tool_call_response":
		r.answer(b.id, b.name, observe(contentText(b.output), errorFlag(b.failed)), b.v)
	case isItem(b.kind):
		r.read(b.v)
	}
}

// holdsResults tells whether a tool's message keeps its results in blocks.
func holdsResults(content jsonval.Value) bool {
	found := false
	if content.Kind() == jsonval.Array {
		content.Each(func(_ string, e jsonval.Value) bool {
			kind := e.Get("type").Text()
			found = kind == "tool-result" || kind == "tool-error" || strings.HasSuffix(kind, "tool_result") || kind == "tool_call_response" || e.Get("toolResult").Exists() || e.Get("functionResponse").Exists()
			return !found
		})
	}
	return found
}

// inContent tells whether a message's content, or parts, hold a block that is
// told by is.
func inContent(o *object, member string, is func(*object) bool) bool {
	found := false
	if list := o.get(member); list.Kind() == jsonval.Array {
		list.Each(func(_ string, e jsonval.Value) bool {
			b := open(e)
			found = len(b.keys) > 0 && is(b)
			return !found
		})
	}
	return found
}
