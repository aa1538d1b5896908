// Package judge asks a language model for its opinion on uncertain findings,
// through any server with OpenAI's /v1/chat/completions. It implements the Judge
// of core/judge, which writes the questions and reads the answers.
//
// A server that answers badly costs an opinion, not a report: each case gets its
// reason. A server that cannot be used at all is an error.
package judge

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/boundcheck/boundcheck/core/judge"
	"github.com/boundcheck/boundcheck/remote/openai"
)

// Defaults of Options.
const (
	DefaultParallel = 4
	DefaultMaxBytes = 1 << 20 // an opinion is one sentence
)

// patience is how many cases in a row may go unanswered before the rest is not
// asked: with a time-out of minutes each, a dead server would cost hours.
const patience = 3

// Options say which server and model to ask.
type Options struct {
	openai.Options
	Model    string // as the server calls it; must not be empty
	Parallel int    // cases that are asked at once; 0 means DefaultParallel
}

// Client asks one model. It remembers opinions, so that the same case is asked
// once. It is safe for concurrent use; callers wait for each other.
type Client struct {
	api      *openai.Client
	model    string
	parallel int
	plain    atomic.Bool // the server does not know response_format

	mu    sync.Mutex
	known map[question]judge.Opinion
}

// question is a prompt; equal prompts get one answer.
type question struct{ role, user string }

// New checks the options. Nothing is sent yet.
func New(o Options) (*Client, error) {
	if strings.TrimSpace(o.Model) == "" {
		return nil, errors.New("missing judge model")
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	api, err := openai.New(o.Options)
	if err != nil {
		return nil, err
	}
	c := &Client{api: api, model: o.Model, parallel: o.Parallel, known: map[question]judge.Opinion{}}
	if c.parallel <= 0 {
		c.parallel = DefaultParallel
	}
	return c, nil
}

// Judge asks about every case and returns the opinions in their order. The error says
// that the context ended, or that the server has answered nothing so far and cannot be
// reached, refuses the key, or does not know the model. After any other failure the
// opinion has no label and says why.
func (c *Client) Judge(cases []judge.Case) ([]judge.Opinion, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	prompts := make([]question, len(cases))
	for i := range cases {
		prompts[i].role, prompts[i].user = judge.Prompt(cases[i])
	}
	missing, err := c.askAll(c.unknown(prompts))
	if err != nil {
		return nil, err
	}
	out := make([]judge.Opinion, len(cases))
	for i, q := range prompts {
		o, ok := c.known[q]
		if !ok {
			o = missing[q]
		}
		out[i] = o
	}
	return out, nil
}

func (c *Client) unknown(prompts []question) []question {
	var out []question
	seen := map[question]bool{}
	for _, q := range prompts {
		if _, known := c.known[q]; !known && !seen[q] {
			seen[q] = true
			out = append(out, q)
		}
	}
	return out
}

// askAll puts the questions, a few at once, and waits for all of these before
// the next few, so that what happens depends on the answers and not on their
// timing. It gives the opinions of those that went unanswered.
func (c *Client) askAll(todo []question) (missing map[question]judge.Opinion, err error) {
	missing = map[question]judge.Opinion{}
	unanswered := 0 // in a row
	for len(todo) > 0 {
		wave := todo[:min(c.parallel, len(todo))]
		todo = todo[len(wave):]
		opinions, troubles := c.ask(wave)
		for i, q := range wave {
			if troubles[i] == nil {
				c.known[q] = opinions[i]
				unanswered = 0
				continue
			}
			unanswered++
			missing[q] = opinions[i]
		}
		if err := c.hopeless(troubles); err != nil {
			return nil, err
		}
		if unanswered >= patience {
			c.giveUp(todo, missing, troubles[len(wave)-1])
			return missing, nil
		}
	}
	return missing, nil
}

func (c *Client) giveUp(todo []question, missing map[question]judge.Opinion, last error) {
	for _, q := range todo {
		missing[q] = judge.NoOpinion(fmt.Sprintf("not asked: the judge left %d cases in a row unanswered; at last: %v", patience, last))
	}
}

// hopeless returns the first trouble that makes the server unusable, unless it
// has answered before.
func (c *Client) hopeless(troubles []error) error {
	for _, t := range troubles {
		var e *openai.Error
		if errors.As(t, &e) && (e.Kind == openai.Canceled || e.Unusable() && len(c.known) == 0) {
			return fmt.Errorf("the judge cannot be asked: %w", t)
		}
	}
	return nil
}

// ask puts a few questions at once.
func (c *Client) ask(wave []question) (opinions []judge.Opinion, troubles []error) {
	opinions, troubles = make([]judge.Opinion, len(wave)), make([]error, len(wave))
	var all sync.WaitGroup
	for i := range wave {
		all.Go(func() {
			if opinions[i], troubles[i] = c.one(wave[i]); troubles[i] != nil {
				opinions[i] = judge.NoOpinion(troubles[i].Error())
			}
		})
	}
	all.Wait()
	return opinions, troubles
}

// String names the model, for a report.
func (c *Client) String() string { return c.model }
