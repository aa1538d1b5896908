package judge

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/boundcheck/boundcheck/core/stage/judge"
	"github.com/boundcheck/boundcheck/remote/openai"
)

const path = "chat/completions"

// maxTokens is the largest length of an answer, as in the paper's Table 7.
const maxTokens = 4096

type request struct {
	Model       string    `json:"model"`
	Messages    []message `json:"messages"`
	Temperature float64   `json:"temperature"`
	MaxTokens   int       `json:"max_tokens"`
	Stream      bool      `json:"stream"`
	Format      *format   `json:"response_format,omitempty"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type format struct {
	Type string `json:"type"`
}

type answer struct {
	Choices []struct {
		Finish  string `json:"finish_reason"`
		Message struct {
			Content json.RawMessage `json:"content"`
			Refusal string          `json:"refusal"`
		} `json:"message"`
	} `json:"choices"`
}

// askQuestion sends one question to the server. It returns an error if the server fails.
// If the answer cannot be used, the opinion has no label.
func (c *Client) askQuestion(q question) (judge.Opinion, error) {
	r := request{Model: c.model, MaxTokens: maxTokens, Messages: []message{{"system", q.role}, {"user", q.user}}}
	if !c.plain.Load() {
		r.Format = &format{"json_object"}
	}
	var a answer
	err := c.api.Post(path, r, &a)
	if r.Format != nil && isFormatRefusal(err) {
		c.plain.Store(true)
		r.Format, a = nil, answer{}
		err = c.api.Post(path, r, &a)
	}
	if err != nil {
		return judge.Opinion{}, err
	}
	return a.toOpinion(), nil
}

// isFormatRefusal reports whether the server refused the request because it does not
// support JSON output. The prompt asks for JSON anyway.
func isFormatRefusal(err error) bool {
	var e *openai.Error
	return errors.As(err, &e) && e.Kind == openai.Invalid && strings.Contains(e.Msg, "response_format")
}

func (a *answer) toOpinion() judge.Opinion {
	if len(a.Choices) == 0 {
		return judge.NoOpinion("the judge's answer contains no choice")
	}
	first := &a.Choices[0]
	switch {
	case first.Message.Refusal != "":
		return judge.NoOpinion("the judge refused: " + openai.Clip(first.Message.Refusal, 200))
	case first.Finish == "length":
		return judge.NoOpinion("the judge's answer was cut off at the length limit")
	case first.Finish == "content_filter":
		return judge.NoOpinion("the judge's answer was blocked by a content filter")
	}
	text, ok := messageText(first.Message.Content)
	if !ok {
		return judge.NoOpinion("the judge's answer contains no text")
	}
	return judge.Parse(text)
}

// messageText returns the text of a message. The text is a string or a list of parts.
func messageText(raw json.RawMessage) (string, bool) {
	var s *string
	if json.Unmarshal(raw, &s) == nil && s != nil {
		return *s, true
	}
	var parts []struct{ Text string }
	if json.Unmarshal(raw, &parts) != nil || len(parts) == 0 {
		return "", false
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String(), true
}
