package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// message is a message of OpenAI's chat completions.
type message struct {
	Role       string     `json:"role"`
	Content    *string    `json:"content"`
	Name       string     `json:"name,omitempty"`
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

func newMessage(role, text string) message { return message{Role: role, Content: &text} }

func (m *message) contentText() string {
	if m.Content == nil {
		return ""
	}
	return *m.Content
}

type request struct {
	Model         string    `json:"model"`
	Messages      []message `json:"messages"`
	Tools         []any     `json:"tools,omitempty"`
	Seed          uint64    `json:"seed"`
	Temperature   *float64  `json:"temperature,omitempty"`
	MaxTokens     int       `json:"max_tokens,omitempty"`
	MaxCompletion int       `json:"max_completion_tokens,omitempty"` // in its place, for models that reason
}

// maxAnswer is the default limit for the length of a model's answer, in tokens.
const maxAnswer = 2048

// answerLimit returns the maximum length of a model's answer, in tokens. The budget
// reserves this number of tokens for each answer.
func (x *Experiment) answerLimit() int {
	if x.Answer > 0 {
		return x.Answer
	}
	return maxAnswer
}

type response struct {
	Choices []struct {
		Message message `json:"message"`
	} `json:"choices"`
	Usage usage `json:"usage"`
}

// usage counts tokens.
type usage struct {
	In  int `json:"prompt_tokens"`
	Out int `json:"completion_tokens"`
}

// askModel sends one request through a transport and returns the model's message.
func askModel(ctx context.Context, via http.RoundTripper, url, key string, q *request) (*message, error) {
	body, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, "POST", url+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	a, err := via.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		return nil, err
	}
	if a.StatusCode != 200 {
		return nil, fmt.Errorf("the model's server answered with status %d: %s", a.StatusCode, bodyStart(text))
	}
	var out response
	if err := json.Unmarshal(text, &out); err != nil || len(out.Choices) == 0 {
		return nil, fmt.Errorf("invalid answer of the model's server: %s", bodyStart(text))
	}
	return &out.Choices[0].Message, nil
}

func bodyStart(text []byte) string { return string(text[:min(len(text), 300)]) }

// newResponse returns a complete HTTP response with the given status and body.
func newResponse(status int, body []byte) *http.Response {
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body))}
}

// persistent is a transport that repeats a request after an error that may be temporary: no
// answer in time, a broken connection, an incomplete answer, or one of the statuses 408,
// 409, 429 and 5xx. It returns all other answers unchanged.
type persistent struct {
	next    http.RoundTripper
	timeout time.Duration // for each attempt
	tries   int
	pause   time.Duration // before the second attempt; doubled for each further one, at most a minute
	pace    *pace
}

func (p *persistent) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	pause := p.pause
	for try := 1; ; try++ {
		if err := p.pace.wait(r.Context()); err != nil {
			return nil, err
		}
		a, after, err := p.tryOnce(r, body)
		if err == nil || try >= p.tries || r.Context().Err() != nil {
			return a, err
		}
		if after < 0 {
			after = pause
		}
		if err := sleep(r.Context(), min(after, 10*time.Minute)); err != nil {
			return nil, err
		}
		pause = min(2*pause, time.Minute)
	}
}

// tryOnce sends a request once and returns the answer. The result after is the time that
// the server tells the client to wait. It is negative if the server names no time.
func (p *persistent) tryOnce(r *http.Request, body []byte) (a *http.Response, after time.Duration, err error) {
	ctx, cancel := context.WithTimeout(r.Context(), p.timeout)
	defer cancel()
	again := r.Clone(ctx)
	again.Body, again.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	again.Header.Del("Accept-Encoding") // so that the transport decompresses the answer itself
	if a, err = p.next.RoundTrip(again); err != nil {
		return nil, -1, err
	}
	defer a.Body.Close()
	text, err := io.ReadAll(io.LimitReader(a.Body, 32<<20))
	if err != nil {
		return nil, -1, err
	}
	switch s := a.StatusCode; {
	case s == 408 || s == 409 || s == 429 || s >= 500:
		after = -1
		if n, bad := strconv.Atoi(a.Header.Get("Retry-After")); bad == nil && n >= 0 {
			after = time.Duration(n) * time.Second
		}
		return nil, after, fmt.Errorf("the model's server answered with status %d: %s", s, bodyStart(text))
	case s == 200 && !json.Valid(text):
		return nil, -1, errors.New("the model's server returned incomplete JSON")
	}
	return newResponse(a.StatusCode, text), -1, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pace spreads requests evenly: at most one in every interval.
type pace struct {
	interval time.Duration // 0 for no limit
	mu       sync.Mutex
	next     time.Time
}

func (p *pace) wait(ctx context.Context) error {
	if p.interval == 0 {
		return ctx.Err()
	}
	p.mu.Lock()
	now := time.Now()
	if p.next.Before(now) {
		p.next = now
	}
	d := p.next.Sub(now)
	p.next = p.next.Add(p.interval)
	p.mu.Unlock()
	return sleep(ctx, d)
}
