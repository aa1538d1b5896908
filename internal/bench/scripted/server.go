// Package scripted is a model server without a model. It implements OpenAI's chat
// completions and Anthropic's messages, streamed or not. It plays fixed policies on the
// tasks of the embedded environments, which it recognises by the user's first message. The
// only state between requests is a count of repeated requests, which it needs for faults.
//
// Runs with this server show that the parts of an experiment work together, and that the
// evaluation finds an effect which the policies contain. They say nothing about any model.
package scripted

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/internal/bench/env"
)

// Server is the handler. The path selects the protocol, and the model's name in a request
// selects the policy.
type Server struct {
	Slow        time.Duration   // how long a fault delays an answer; 0 means a minute
	Environment env.Environment // the environment whose tasks it knows; nil for the embedded ones

	mu   sync.Mutex
	seen map[string]int // number of requests by their text
}

type message struct {
	Role       string     `json:"role"`
	Content    string     `json:"content"`
	ToolCalls  []toolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type request struct {
	Model    string            `json:"model"`
	Messages []message         `json:"messages"`
	Tools    []json.RawMessage `json:"tools"`
	Stream   bool              `json:"stream"`
	Seed     json.Number       `json:"seed"`
	Metadata struct {
		User string `json:"user_id"` // Anthropic has no seed
	} `json:"metadata"`
}

func (q *request) seedText() string {
	if q.Seed != "" {
		return q.Seed.String()
	}
	return q.Metadata.User
}

// Serve answers on a free port of the loopback interface until stop is called.
func (s *Server) Serve() (url string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	go server.Serve(l)
	return "http://" + l.Addr().String(), func() { server.Close() }, nil
}

const maxRequest = 16 << 20

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	anthropic := r.URL.Path == "/v1/messages"
	if r.Method != "POST" || !anthropic && r.URL.Path != "/v1/chat/completions" {
		writeError(w, http.StatusNotFound, "unknown path; the known paths are POST /v1/chat/completions and POST /v1/messages")
		return
	}
	var body json.RawMessage
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest)).Decode(&body); err != nil {
		writeError(w, http.StatusBadRequest, "the body is not JSON")
		return
	}
	q, err := readRequest(body, anthropic)
	if err != nil {
		writeError(w, http.StatusBadRequest, err.Error())
		return
	}
	p, err := ReadPolicy(strings.TrimPrefix(q.Model, "scripted:"))
	if err != nil {
		writeError(w, http.StatusNotFound, err.Error())
		return
	}
	text, call := s.nextAnswer(&p, q)
	a := answer{text: text, id: fmt.Sprintf("call_%d", len(q.Messages)), model: q.Model, in: len(body) / 4, out: len(text)/4 + 1, stream: q.Stream}
	if call != nil {
		raw, err := json.Marshal(call.Arguments)
		if err != nil {
			panic(err) // an embedded task
		}
		a.call, a.arguments, a.out = call, string(raw), a.out+len(raw)/4+4
	}
	write := a.openAI
	if anthropic {
		write = a.writeAnthropic
	}
	if s.drawFault(&p, string(body)) {
		s.writeFault(w, r, string(body), write)
		return
	}
	write(w)
}

// drawFault reports whether the server answers a request with a fault. If a client
// repeats a request, the repeated request never gets a fault.
func (s *Server) drawFault(p *Policy, body string) bool {
	if p.Fail == 0 || drawRandom("fail", body) >= p.Fail {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil {
		s.seen = map[string]int{}
	}
	s.seen[body]++
	return s.seen[body] == 1
}

// writeFault answers a request like a broken server. The answer is one of:
//
//   - an error that comes too late
//   - status 429
//   - half of a correct answer
//   - a text that is not valid JSON
func (s *Server) writeFault(w http.ResponseWriter, r *http.Request, body string, write func(http.ResponseWriter)) {
	switch int(drawRandom("kind", body) * 4) {
	case 0:
		slow := s.Slow
		if slow == 0 {
			slow = time.Minute
		}
		select {
		case <-time.After(slow):
		case <-r.Context().Done():
		}
		writeError(w, http.StatusServiceUnavailable, "overloaded")
	case 1:
		w.Header().Set("Retry-After", "0")
		writeError(w, http.StatusTooManyRequests, "rate limit")
	case 2:
		half := &cut{ResponseWriter: w, left: 40}
		write(half)
		panic(http.ErrAbortHandler) // breaks the connection
	default:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"choices": [{"message": {"role": "assistant", "content": `)
	}
}

// cut is a response writer that passes on only the first bytes.
type cut struct {
	http.ResponseWriter
	left int
}

func (c *cut) Write(b []byte) (int, error) {
	n := min(len(b), c.left)
	c.left -= n
	if _, err := c.ResponseWriter.Write(b[:n]); err != nil {
		return 0, err
	}
	http.NewResponseController(c.ResponseWriter).Flush()
	return len(b), nil
}

func writeError(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	writeJSON(w, map[string]any{"error": map[string]any{"type": "invalid_request_error", "message": text}})
}

func writeJSON(w http.ResponseWriter, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of strings and numbers
	}
	w.Write(text)
}

// answer is the model's answer: a text or one call.
type answer struct {
	text, id, model, arguments string
	call                       *env.Call
	in, out                    int // tokens; a token is taken as four bytes
	stream                     bool
}

func (a *answer) openAI(w http.ResponseWriter) {
	message := map[string]any{"role": "assistant", "content": a.text}
	reason := "stop"
	if a.call != nil {
		message["content"], reason = nil, "tool_calls"
		message["tool_calls"] = []any{map[string]any{"index": 0, "id": a.id, "type": "function", "function": map[string]any{"name": a.call.Name, "arguments": a.arguments}}}
	}
	usage := map[string]any{"prompt_tokens": a.in, "completion_tokens": a.out, "total_tokens": a.in + a.out}
	if !a.stream {
		w.Header().Set("Content-Type", "application/json")
		writeJSON(w, map[string]any{"id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": a.model, "usage": usage,
			"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": reason}}})
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	chunk := func(delta any, reason any) {
		fmt.Fprint(w, "data: ")
		writeJSON(w, map[string]any{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": a.model,
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason}}})
		fmt.Fprint(w, "\n\n")
	}
	chunk(message, nil)
	chunk(map[string]any{}, reason)
	fmt.Fprint(w, "data: [DONE]\n\n")
}
