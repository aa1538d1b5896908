// Package judge asks a language model for its opinion on uncertain findings. It uses any
// server with OpenAI's /v1/chat/completions. It implements the Judge of core/stage/judge, which
// writes the questions and parses the answers.
//
// If the server gives a bad answer on a case, the opinion on this case has no label, and
// the reason says why. If the server cannot be used at all, the result is an error.
package judge

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/boundcheck/boundcheck/core/stage/judge"
	"github.com/boundcheck/boundcheck/remote/openai"
)

// Defaults of Options.
const (
	DefaultParallel = 4
	DefaultMaxBytes = 1 << 20 // an opinion is one sentence
)

// patience is the number of consecutive cases without an answer after which the client
// stops asking. With a time-out of minutes for each, a server that does not respond would
// cost hours.
const patience = 3

// Options select the server and the model.
type Options struct {
	openai.Options
	Model    string // the server's name for it; must not be empty
	Parallel int    // cases to ask about at the same time; 0 means DefaultParallel
}

// Client asks one model. It caches opinions, so that it asks about equal cases only once.
// It is safe for concurrent use; concurrent calls of Judge run one after another.
type Client struct {
	api      *openai.Client
	model    string
	parallel int
	plain    atomic.Bool // the server does not support response_format

	mu    sync.Mutex
	known map[question]judge.Opinion
}

// question is a prompt. Equal prompts get the same answer.
type question struct{ role, user string }

// New checks the options and returns a client. It sends nothing.
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

// Judge asks about every case and returns the opinions in the order of the cases. If a
// case gets no usable answer, its opinion has no label and contains the reason. Judge
// returns an error in these cases:
//
//   - The context ended.
//   - The server has given no answer so far, and cannot be reached, refuses the key, or does not know the model.
func (c *Client) Judge(cases []judge.Case) ([]judge.Opinion, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	prompts := make([]question, len(cases))
	for i := range cases {
		prompts[i].role, prompts[i].user = judge.Prompt(cases[i])
	}
	missing, err := c.askAll(c.unknownQuestions(prompts))
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

func (c *Client) unknownQuestions(prompts []question) []question {
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

// askAll asks the questions in groups and stores the answers in c.known. It waits for all
// answers of a group before it starts the next group, so the result does not depend on
// their timing. The map missing has an opinion on each question that was not answered.
func (c *Client) askAll(todo []question) (missing map[question]judge.Opinion, err error) {
	missing = map[question]judge.Opinion{}
	unanswered := 0 // consecutive questions without an answer
	for len(todo) > 0 {
		wave := todo[:min(c.parallel, len(todo))]
		todo = todo[len(wave):]
		opinions, troubles := c.askGroup(wave)
		for i, q := range wave {
			if troubles[i] == nil {
				c.known[q] = opinions[i]
				unanswered = 0
				continue
			}
			unanswered++
			missing[q] = opinions[i]
		}
		if err := c.unusableError(troubles); err != nil {
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
		missing[q] = judge.NoOpinion(fmt.Sprintf("the judge was not asked, because %d cases in a row got no answer. The last error: %v", patience, last))
	}
}

// unusableError returns the first of the errors that shows that the server cannot be used
// or that the context ended. It returns nil if there is none. After an answer from the
// server, only the end of the context counts.
func (c *Client) unusableError(troubles []error) error {
	for _, t := range troubles {
		var e *openai.Error
		if errors.As(t, &e) && (e.Kind == openai.Canceled || e.Unusable() && len(c.known) == 0) {
			return fmt.Errorf("the judge's server cannot be used: %w", t)
		}
	}
	return nil
}

// askGroup sends the questions of a group at the same time. For each question it returns
// an opinion and an error, which is nil if the server answered.
func (c *Client) askGroup(wave []question) (opinions []judge.Opinion, troubles []error) {
	opinions, troubles = make([]judge.Opinion, len(wave)), make([]error, len(wave))
	var all sync.WaitGroup
	for i := range wave {
		all.Go(func() {
			if opinions[i], troubles[i] = c.askQuestion(wave[i]); troubles[i] != nil {
				opinions[i] = judge.NoOpinion(troubles[i].Error())
			}
		})
	}
	all.Wait()
	return opinions, troubles
}

// String returns the name of the model, for a report.
func (c *Client) String() string { return c.model }
