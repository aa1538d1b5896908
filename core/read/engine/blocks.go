package engine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/spent"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

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
		b := shape.OpenBlock(e)
		if s, ok := b.TextContent(); ok {
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

// ReadBlock reads a block that is a call or a result, and reports whether b is such a
// block.
func (r *Run) ReadBlock(b *shape.Block) bool {
	switch {
	case IsItem(b.Kind) && !shape.OneOf(b.Kind, "function_call reasoning"), b.Kind == "function_call" && b.Nested.Kind() == jsonval.Missing && b.Tool == "" && b.Name+b.CallID != "":
		r.ReadMessageValue(b.Value)
	case b.Kind == "toolUse", b.Kind == "toolResult" && b.Nested.Exists():
		r.readBedrockBlock(b)
	case shape.OneOf(b.Kind, "functionCall functionResponse function_call function_response") && b.Nested.Exists():
		r.readGeminiBlock(b)
	case b.Nested.Exists() && b.Kind != "tool-invocation" && b.Kind != "toolInvocation":
		return r.nestedBlock(b)
	case shape.OneOf(b.Kind, "tool-invocation toolInvocation"):
		r.ToolCall(b.Nested)
	case b.Kind == "tool" && b.Status.Kind() == jsonval.Object:
		r.statefulPart(b)
	case shape.IsCallKind(b.Kind) && b.Name != "":
		if !b.Input.Exists() {
			b.CompleteCall()
		}
		c := Call{ID: b.PairingID(), Name: b.Name, Arguments: b.Input, At: b.Value, unrecorded: !b.Input.Exists() && shape.OneOf(b.Kind, "tool_use tool_call tool-call")}
		i := r.AddCall(c)
		if i >= 0 && b.Kind != "tool-input-error" && (!r.markAction(i, b.Marks) || b.Output.Exists()) {
			r.attachOwnResult(&c, b)
		}
		if shape.OneOf(b.Kind, "server_tool_use mcp_tool_use") {
			r.noteDone(i)
		}
		if b.Kind == "tool-input-error" {
			r.AttachResult(b.PairingID(), b.Name, trajectory.Observation{Text: b.ErrorText, Error: true}, b.Value)
		}
	case shape.IsResultKind(b.Kind):
		r.resultBlock(b)
	case b.Kind == "dynamic-tool", strings.HasPrefix(b.Kind, "tool-") && b.CallID != "" && !shape.IsStreamPiece(b.Kind):
		r.uiPart(b)
	default:
		return false
	}
	return true
}

// resultBlock reads the result of a call.
func (r *Run) resultBlock(b *shape.Block) {
	if inner := shape.OpenBlock(shape.OpenObject(b.Value).Get("data payload body")); !b.Output.Exists() && !b.Content.Exists() && inner.Output.Exists() {
		inner.Kind, b = b.Kind, inner
	}
	value := b.Output
	if !value.Exists() {
		value = b.Content
	}
	text, f := modelOutput(value)
	if value.Get("content").Kind() == jsonval.Array {
		text = shape.ContentText(value.Get("content"))
	}
	f = shape.StrictestFlag(f, shape.ErrorFlag(b.Failed), shape.ErrorFlag(value.Get("isError")), shape.ExitFlag(value.Get("return_code")))
	switch {
	case strings.HasSuffix(value.Get("type").Text(), "_tool_result_error"): // of Anthropic's servers
		f = shape.Failed
	case shape.OneOf(b.Kind, "tool-error tool-output-error tool-output-denied tool_usage_error"):
		f = shape.Failed
	case b.Marks.Flag == shape.Failed:
		f = shape.Failed
	}
	if text == "" {
		text = b.ErrorText
	}
	if text == "" && f == shape.Failed {
		text = shape.ErrorWords(b.Failed)
	}
	if text == "" {
		text = b.OtherText(value)
	}
	r.markAction(r.AttachResult(b.PairingID(), b.Name, shape.NewObservation(text, f), b.Value), b.Marks)
}

// nestedBlock reads a block that has its call or result in a nested object, such as
// {toolRequest} and {toolResponse} of Genkit, or {tool_call} and {tool_call_result} of
// Haystack. It reports whether b is such a block.
func (r *Run) nestedBlock(b *shape.Block) bool {
	inner := shape.OpenBlock(b.Nested)
	switch b.Kind {
	case "toolRequest", "tool_call", "toolCall":
		if inner.Name == "" {
			return r.ToolCall(b.Nested)
		}
		r.markAction(r.AddCall(Call{ID: shape.IfElse(inner.PairingID() != "", inner.PairingID(), b.PairingID()), Name: inner.Name, Arguments: inner.Input, At: b.Value}), b.Marks)
	case "toolResponse", "tool_call_result", "toolResult":
		if origin := b.Nested.Get("origin"); origin.Kind() == jsonval.Object {
			from := shape.OpenBlock(origin)
			inner.ID, inner.Name = from.PairingID(), from.Name
		}
		r.resultBlock(inner)
	default:
		return false
	}
	return true
}

// statefulPart reads a part of a message of opencode. The part contains a call and its
// result: {CallID, tool, state: {status, input, output, error, metadata}}.
func (r *Run) statefulPart(b *shape.Block) {
	state := shape.OpenObject(b.Status)
	i := r.AddCall(Call{ID: b.PairingID(), Name: b.Name, Arguments: state.Get("input"), At: b.Value})
	if i >= 0 {
		a := &r.Trajectory.Actions[i]
		a.Spent = spent.Of(state).Timing().Over(a.Spent)
	}
	r.markAction(i, shape.WordState(state.FirstString("status")))
	status := state.FirstString("status")
	if !shape.OneOf(status, "completed error") {
		return
	}
	text := shape.ContentText(state.FirstNonNull("output error"))
	f := shape.StrictestFlag(shape.IfElse(status == "error", shape.Failed, shape.Unsaid), shape.ExitFlag(state.OpenMember("metadata").Get("exit")))
	r.AttachResult(b.PairingID(), b.Name, shape.NewObservation(text, f), b.Value)
}
