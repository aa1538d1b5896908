// Package record makes a trace from the requests of an agent to its model and the model's
// answers. It reads the APIs Chat Completions, Responses and Messages, streamed or not,
// and joins the exchanges to conversations.
package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// Log collects exchanges between an agent and its model. The zero value of a Log is ready
// for use. A Log is safe for concurrent use.
type Log struct {
	sync.Mutex
	talks []*talk
	odd   []string
}

// talk is one conversation. It holds the messages of the last request and of the answer to
// that request.
type talk struct {
	member   string // the trace's member: "messages", or "items" for responses
	model    string
	system   json.RawMessage // Anthropic's system prompt; nil for none
	sent     []json.RawMessage
	answered []json.RawMessage
	id       string // the id of the last response
}

// Add records one exchange, which is a request and its answer. The path must belong to
// one of the APIs Chat Completions, Responses and Messages. Add ignores any other path.
// If Add cannot read the exchange, it stores a message, which Trace returns.
func (l *Log) Add(path string, request, answer []byte, stream bool) {
	read := map[string]func([]byte, []byte, bool) (*talk, string, error){"/chat/completions": parseChat, "/responses": parseResponses, "/messages": parseMessages}
	for ending, kind := range read {
		if !strings.HasSuffix(path, ending) {
			continue
		}
		t, previous, err := kind(request, answer, stream)
		l.Lock()
		if err != nil {
			l.odd = append(l.odd, fmt.Sprintf("a request to %s was not recorded: %v", path, err))
		} else {
			l.joinExchange(t, previous)
		}
		l.Unlock()
	}
}

// joinExchange adds the exchange t to the conversation that it continues. A conversation
// is continued in two cases:
//
//   - previous is the id of the conversation's last response.
//   - previous is "", and t starts with all messages of the conversation. The latest
//     conversation of this kind is used.
//
// In any other case, t begins a new conversation.
func (l *Log) joinExchange(t *talk, previous string) {
	for i, old := range l.talks {
		if previous != "" && old.id == previous {
			t.sent = append(append(append([]json.RawMessage(nil), old.sent...), old.answered...), t.sent...)
			l.talks[i] = t
			return
		}
	}
	for i := len(l.talks) - 1; i >= 0 && previous == ""; i-- {
		if old := l.talks[i]; old.member == t.member && startsWith(t.sent, old.sent) {
			l.talks[i] = t
			return
		}
	}
	l.talks = append(l.talks, t)
}

// startsWith reports whether the first elements of list are equal to all elements of
// with. It returns false if with is empty.
func startsWith(list, with []json.RawMessage) bool {
	if len(with) == 0 || len(with) > len(list) {
		return false
	}
	for i := range with {
		if !bytes.Equal(compactJSON(with[i]), compactJSON(list[i])) {
			return false
		}
	}
	return true
}

func compactJSON(m json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, m) != nil {
		return m
	}
	return b.Bytes()
}

// Trace returns the recorded conversations as JSON lines. odd contains a message for each
// exchange that could not be recorded.
func (l *Log) Trace() (trace []byte, odd []string) {
	l.Lock()
	defer l.Unlock()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i, t := range l.talks {
		row := map[string]any{"id": fmt.Sprintf("conversation-%d", i+1), t.member: append(append([]json.RawMessage{}, t.sent...), t.answered...)}
		if t.model != "" {
			row["model"] = t.model
		}
		if t.system != nil {
			row["system"] = t.system
		}
		if err := e.Encode(row); err != nil {
			l.odd = append(l.odd, err.Error())
		}
	}
	return b.Bytes(), l.odd
}

func parseChat(request, answer []byte, stream bool) (*talk, string, error) {
	var q struct {
		Model    string
		Messages []json.RawMessage
	}
	if err := json.Unmarshal(request, &q); err != nil {
		return nil, "", err
	}
	t := &talk{member: "messages", model: q.Model, sent: q.Messages}
	if stream {
		m, err := joinedChat(answer)
		t.answered = []json.RawMessage{m}
		return t, "", err
	}
	var a struct {
		Choices []struct{ Message json.RawMessage }
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return nil, "", err
	}
	if len(a.Choices) > 0 { // agents continue with the first choice
		t.answered = []json.RawMessage{a.Choices[0].Message}
	}
	return t, "", nil
}

// eventData returns the data fields of a stream's events.
func eventData(stream []byte) (all [][]byte) {
	for _, line := range bytes.Split(stream, []byte("\n")) {
		data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:"))
		if data = bytes.TrimSpace(data); ok && len(data) > 0 && !bytes.Equal(data, []byte("[DONE]")) {
			all = append(all, data)
		}
	}
	return all
}

// function is a tool call in the format of chat completions.
type function struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// joinedChat joins the pieces of a streamed chat completion to one message. It reads only
// the first choice.
func joinedChat(stream []byte) (json.RawMessage, error) {
	var text strings.Builder
	var calls []*function
	at := map[int]*function{}
	for _, e := range eventData(stream) {
		var c struct {
			Choices []struct {
				Index int
				Delta struct {
					Content   string
					ToolCalls []struct {
						Index int
						function
					} `json:"tool_calls"`
				}
			}
		}
		if err := json.Unmarshal(e, &c); err != nil {
			return nil, fmt.Errorf("invalid event in the stream: %w", err)
		}
		for _, choice := range c.Choices {
			if choice.Index != 0 {
				continue
			}
			text.WriteString(choice.Delta.Content)
			for _, p := range choice.Delta.ToolCalls {
				f := at[p.Index]
				if f == nil {
					f = &function{Type: "function"}
					at[p.Index], calls = f, append(calls, f)
				}
				f.ID += p.ID
				f.Function.Name += p.Function.Name
				f.Function.Arguments += p.Function.Arguments
			}
		}
	}
	m := map[string]any{"role": "assistant", "content": text.String()}
	if len(calls) > 0 {
		m["tool_calls"] = calls
	}
	return json.Marshal(m)
}

func parseResponses(request, answer []byte, stream bool) (*talk, string, error) {
	var q struct {
		Model    string
		Input    json.RawMessage
		Previous string `json:"previous_response_id"`
	}
	if err := json.Unmarshal(request, &q); err != nil {
		return nil, "", err
	}
	t := &talk{member: "items", model: q.Model}
	if text := ""; json.Unmarshal(q.Input, &text) == nil {
		m, err := json.Marshal(map[string]any{"role": "user", "content": text})
		if err != nil {
			return nil, "", err
		}
		t.sent = []json.RawMessage{m}
	} else if err := json.Unmarshal(q.Input, &t.sent); err != nil {
		return nil, "", fmt.Errorf("input: %w", err)
	}
	if stream {
		answer = lastResponse(answer)
	}
	var a struct {
		ID     string
		Output []json.RawMessage
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return nil, "", err
	}
	t.id, t.answered = a.ID, a.Output
	return t, q.Previous, nil
}

// lastResponse returns the last response object in a stream. It ignores the events
// response.created and response.in_progress. It returns {} if the stream has no other
// response object.
func lastResponse(stream []byte) []byte {
	last := []byte("{}")
	for _, e := range eventData(stream) {
		var event struct {
			Type     string
			Response json.RawMessage
		}
		if json.Unmarshal(e, &event) == nil && event.Response != nil && event.Type != "response.created" && event.Type != "response.in_progress" {
			last = event.Response
		}
	}
	return last
}

func parseMessages(request, answer []byte, stream bool) (*talk, string, error) {
	var q struct {
		Model    string
		System   json.RawMessage
		Messages []json.RawMessage
	}
	if err := json.Unmarshal(request, &q); err != nil {
		return nil, "", err
	}
	t := &talk{member: "messages", model: q.Model, system: q.System, sent: q.Messages}
	var a struct{ Content []json.RawMessage }
	var err error
	if stream {
		a.Content, err = joinedBlocks(answer)
	} else {
		err = json.Unmarshal(answer, &a)
	}
	if err != nil {
		return nil, "", err
	}
	m, err := json.Marshal(map[string]any{"role": "assistant", "content": a.Content})
	t.answered = []json.RawMessage{m}
	return t, "", err
}

// joinedBlocks joins the pieces of a streamed answer of the Messages API to content blocks.
func joinedBlocks(stream []byte) (blocks []json.RawMessage, err error) {
	var open []map[string]any
	var inputs, texts []string
	for _, e := range eventData(stream) {
		var v struct {
			Type  string
			Index int
			Block map[string]any `json:"content_block"`
			Delta struct {
				Text    string
				Partial string `json:"partial_json"`
			}
		}
		if err := json.Unmarshal(e, &v); err != nil {
			return nil, fmt.Errorf("invalid event in the stream: %w", err)
		}
		switch {
		case v.Type == "content_block_start":
			open, inputs, texts = append(open, v.Block), append(inputs, ""), append(texts, "")
		case v.Type == "content_block_delta" && v.Index >= 0 && v.Index < len(open):
			inputs[v.Index] += v.Delta.Partial
			texts[v.Index] += v.Delta.Text
		}
	}
	for i, b := range open {
		if inputs[i] != "" {
			b["input"] = json.RawMessage(inputs[i])
		}
		if texts[i] != "" {
			b["text"] = texts[i]
		}
		text, err := json.Marshal(b)
		if err != nil {
			return nil, fmt.Errorf("invalid block in the stream: %w", err)
		}
		blocks = append(blocks, text)
	}
	return blocks, nil
}
