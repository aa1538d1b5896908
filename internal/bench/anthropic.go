package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// anthropic is a transport that accepts requests of OpenAI's chat completions and sends
// them as Anthropic's messages, so that the rest of the package knows only one protocol.
type anthropic struct{ next http.RoundTripper }

const anthropicVersion = "2023-06-01"

func (t anthropic) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if body, err = toAnthropic(body); err != nil {
		return nil, err
	}
	out := r.Clone(r.Context())
	out.URL.Path = strings.TrimSuffix(out.URL.Path, "/chat/completions") + "/messages"
	out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	out.Header.Set("anthropic-version", anthropicVersion)
	if key, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		out.Header.Set("x-api-key", key)
	}
	out.Header.Del("Authorization")
	a, err := t.next.RoundTrip(out)
	if err != nil || a.StatusCode != 200 {
		return a, err
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		return nil, err
	}
	if text, err = fromAnthropic(text); err != nil {
		return nil, err
	}
	return newResponse(200, text), nil
}

type object = map[string]any

func toAnthropic(body []byte) ([]byte, error) {
	var q struct {
		request
		Tools []struct {
			Function struct {
				Name, Description string
				Parameters        json.RawMessage
			}
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, err
	}
	var system []string
	var messages []object
	add := func(role string, blocks ...any) {
		if n := len(messages); n > 0 && messages[n-1]["role"] == role { // roles must alternate
			messages[n-1]["content"] = append(messages[n-1]["content"].([]any), blocks...)
			return
		}
		messages = append(messages, object{"role": role, "content": blocks})
	}
	for i := range q.Messages {
		switch m := &q.Messages[i]; m.Role {
		case "system", "developer":
			system = append(system, m.contentText())
		case "tool":
			add("user", object{"type": "tool_result", "tool_use_id": m.ToolCallID, "content": m.contentText()})
		case "assistant":
			if strings.TrimSpace(m.contentText()) != "" { // the server refuses blank blocks
				add("assistant", object{"type": "text", "text": m.contentText()})
			}
			for _, c := range m.ToolCalls {
				add("assistant", object{"type": "tool_use", "id": c.ID, "name": c.Function.Name, "input": inputObject(c.Function.Arguments)})
			}
		default:
			text := m.contentText()
			if strings.TrimSpace(text) == "" {
				text = "(no words)" // without this message, two messages of the assistant would be adjacent
			}
			add("user", object{"type": "text", "text": text})
		}
	}
	out := object{"model": q.Model, "max_tokens": max(q.MaxTokens, q.MaxCompletion, 1), "messages": messages,
		"metadata": object{"user_id": fmt.Sprint(q.Seed)}}
	if q.Temperature != nil {
		out["temperature"] = *q.Temperature
	}
	if system != nil {
		out["system"] = strings.Join(system, "\n\n")
	}
	var tools []object
	for _, t := range q.Tools {
		tools = append(tools, object{"name": t.Function.Name, "description": t.Function.Description, "input_schema": t.Function.Parameters})
	}
	if tools != nil {
		out["tools"] = tools
	}
	return json.Marshal(out)
}

// inputObject returns the arguments of a call, which the protocol requires to be a JSON
// object. If the arguments are not an object, it returns an empty one.
func inputObject(arguments string) json.RawMessage {
	var o map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &o) != nil || o == nil {
		return json.RawMessage("{}")
	}
	return json.RawMessage(arguments)
}

func fromAnthropic(body []byte) ([]byte, error) {
	var a struct {
		Content []struct {
			Type, Text, ID, Name string
			Input                json.RawMessage
		}
		StopReason string `json:"stop_reason"`
		Usage      struct {
			In  int `json:"input_tokens"`
			Out int `json:"output_tokens"`
		}
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, fmt.Errorf("invalid answer of the model's server: %w", err)
	}
	m := message{Role: "assistant"}
	text := ""
	for _, b := range a.Content {
		switch b.Type {
		case "text":
			text += b.Text
		case "tool_use":
			c := toolCall{ID: b.ID, Type: "function"}
			c.Function.Name, c.Function.Arguments = b.Name, string(b.Input)
			m.ToolCalls = append(m.ToolCalls, c)
		}
	}
	if text != "" || m.ToolCalls == nil {
		m.Content = &text
	}
	reason := map[string]string{"tool_use": "tool_calls", "max_tokens": "length"}[a.StopReason]
	if reason == "" {
		reason = "stop"
	}
	return json.Marshal(object{"object": "chat.completion", "choices": []any{object{"index": 0, "message": m, "finish_reason": reason}},
		"usage": object{"prompt_tokens": a.Usage.In, "completion_tokens": a.Usage.Out, "total_tokens": a.Usage.In + a.Usage.Out}})
}
