package scripted

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// readRequest reads a request in OpenAI's or in Anthropic's protocol, and returns it in
// OpenAI's form.
func readRequest(body []byte, anthropic bool) (*request, error) {
	var q request
	if !anthropic {
		if err := json.Unmarshal(body, &q); err != nil {
			return nil, fmt.Errorf("invalid request: %w", err)
		}
	} else if err := q.readAnthropic(body); err != nil {
		return nil, err
	}
	if len(q.Messages) == 0 {
		return nil, errors.New("missing messages")
	}
	return &q, nil
}

// block is a part of a message's content. The content of a tool result is always a text
// here.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   string          `json:"content"`
}

func (q *request) readAnthropic(body []byte) error {
	var r struct {
		System   string `json:"system"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	type plain struct { // everything but the messages is the same
		Model    *string            `json:"model"`
		Tools    *[]json.RawMessage `json:"tools"`
		Stream   *bool              `json:"stream"`
		Metadata any                `json:"metadata"`
	}
	if err := json.Unmarshal(body, &plain{&q.Model, &q.Tools, &q.Stream, &q.Metadata}); err != nil {
		return fmt.Errorf("invalid request: %w", err)
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return fmt.Errorf("invalid request: %w", err)
	}
	if r.System != "" {
		q.Messages = append(q.Messages, message{Role: "system", Content: r.System})
	}
	for i, m := range r.Messages {
		var text string
		if json.Unmarshal(m.Content, &text) == nil {
			q.Messages = append(q.Messages, message{Role: m.Role, Content: text})
			continue
		}
		var blocks []block
		if err := json.Unmarshal(m.Content, &blocks); err != nil {
			return fmt.Errorf("invalid content of message %d: %w", i+1, err)
		}
		one := message{Role: m.Role}
		for _, b := range blocks {
			switch b.Type {
			case "text":
				one.Content += b.Text
			case "tool_use":
				c := toolCall{ID: b.ID, Type: "function"}
				c.Function.Name, c.Function.Arguments = b.Name, string(b.Input)
				one.ToolCalls = append(one.ToolCalls, c)
			case "tool_result":
				q.Messages = append(q.Messages, message{Role: "tool", ToolCallID: b.ToolUseID, Content: b.Content})
			}
		}
		if one.Content != "" || len(one.ToolCalls) > 0 {
			q.Messages = append(q.Messages, one)
		}
	}
	return nil
}

func (a *answer) writeAnthropic(w http.ResponseWriter) {
	content, reason := []any{map[string]any{"type": "text", "text": a.text}}, "end_turn"
	if a.call != nil {
		content, reason = []any{map[string]any{"type": "tool_use", "id": a.id, "name": a.call.Name, "input": json.RawMessage(a.arguments)}}, "tool_use"
	}
	usage := map[string]any{"input_tokens": a.in, "output_tokens": a.out}
	whole := map[string]any{"id": "msg_1", "type": "message", "role": "assistant", "model": a.model, "content": content, "stop_reason": reason, "stop_sequence": nil, "usage": usage}
	if !a.stream {
		w.Header().Set("Content-Type", "application/json")
		writeJSON(w, whole)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(kind string, members map[string]any) {
		members["type"] = kind
		fmt.Fprintf(w, "event: %s\ndata: ", kind)
		writeJSON(w, members)
		fmt.Fprint(w, "\n\n")
	}
	whole["content"], whole["stop_reason"] = []any{}, nil
	event("message_start", map[string]any{"message": whole})
	if a.call != nil {
		event("content_block_start", map[string]any{"index": 0, "content_block": map[string]any{"type": "tool_use", "id": a.id, "name": a.call.Name, "input": map[string]any{}}})
		event("content_block_delta", map[string]any{"index": 0, "delta": map[string]any{"type": "input_json_delta", "partial_json": a.arguments}})
	} else {
		event("content_block_start", map[string]any{"index": 0, "content_block": map[string]any{"type": "text", "text": ""}})
		event("content_block_delta", map[string]any{"index": 0, "delta": map[string]any{"type": "text_delta", "text": a.text}})
	}
	event("content_block_stop", map[string]any{"index": 0})
	event("message_delta", map[string]any{"delta": map[string]any{"stop_reason": reason}, "usage": usage})
	event("message_stop", map[string]any{})
}
