// Package embed converts texts to sentence vectors. It uses any server with OpenAI's
// /v1/embeddings: Ollama (all-minilm), text-embeddings-inference, OpenAI. It implements
// the Embedder of core/action/similarity.
package embed

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/remote/openai"
)

// DefaultBatch is the number of texts in one request.
const DefaultBatch = 64

// Options select the server and the model.
type Options struct {
	openai.Options
	Model string // the server's name for it; must not be empty
	Batch int    // texts in one request; 0 means DefaultBatch
	Cache string // folder that keeps vectors between runs; "" for none
}

// Client requests vectors and caches them. It is safe for concurrent use, and sends one
// request at a time.
type Client struct {
	api   *openai.Client
	model string
	batch int
	disk  disk

	mu    sync.Mutex
	known map[string][]float32
	dim   int // dimension of all vectors; 0 before the first one
}

// New checks the options and returns a client. It sends nothing.
func New(o Options) (*Client, error) {
	if strings.TrimSpace(o.Model) == "" {
		return nil, errors.New("missing embeddings model")
	}
	api, err := openai.New(o.Options)
	if err != nil {
		return nil, err
	}
	c := &Client{api: api, model: o.Model, batch: o.Batch, known: map[string][]float32{}}
	if c.batch <= 0 {
		c.batch = DefaultBatch
	}
	c.disk, err = openDisk(o.Cache, o.Model)
	return c, err
}

// Embed returns one vector for each text, in order. All vectors have length 1 and the
// same dimension, but the vector of a blank text is zero. Embed requests each different
// text only once. The caller must not change the vectors.
func (c *Client) Embed(texts []string) ([][]float32, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	todo, err := c.unknownTexts(texts)
	if err != nil {
		return nil, err
	}
	for len(todo) > 0 {
		n := min(c.batch, len(todo))
		if err := c.fetchVectors(todo[:n]); err != nil {
			return nil, err
		}
		todo = todo[n:]
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if out[i] = c.known[text]; out[i] == nil {
			out[i] = make([]float32, c.dim)
		}
	}
	return out, nil
}

// unknownTexts returns the texts that are in no cache, each once, in the order of the
// arguments.
func (c *Client) unknownTexts(texts []string) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	for _, text := range texts {
		if seen[text] || c.known[text] != nil || strings.TrimSpace(text) == "" {
			continue
		}
		seen[text] = true
		if v := c.disk.loadVector(text); v != nil {
			if err := c.keepVector(text, v); err != nil {
				return nil, fmt.Errorf("%w; delete the files in the cache folder", err)
			}
			continue
		}
		out = append(out, text)
	}
	return out, nil
}

// fetchVectors requests the vectors of a batch and caches them. If the batch is too long
// for the server, it requests the two halves separately.
func (c *Client) fetchVectors(batch []string) error {
	vectors, err := c.requestVectors(batch)
	var e *openai.Error
	if errors.As(err, &e) && e.Kind == openai.TooLong {
		if len(batch) == 1 {
			return fmt.Errorf("the text %q is too long for the model: %w", openai.Clip(batch[0], 60), err)
		}
		half := len(batch) / 2
		if err := c.fetchVectors(batch[:half]); err != nil {
			return err
		}
		return c.fetchVectors(batch[half:])
	}
	if err != nil {
		return err
	}
	for i, text := range batch {
		v, err := scaleToUnit(vectors[i])
		if err == nil {
			err = c.keepVector(text, v)
		}
		if err != nil {
			return fmt.Errorf("%s: text %q: %w", c.api.Endpoint(path), openai.Clip(text, 60), err)
		}
		c.disk.saveVector(text, v)
	}
	return nil
}

// keepVector caches a vector in memory. It returns an error if the dimension differs from
// that of earlier vectors.
func (c *Client) keepVector(text string, v []float32) error {
	if c.dim == 0 {
		c.dim = len(v)
	}
	if len(v) != c.dim {
		return fmt.Errorf("the vector has %d dimensions, but earlier vectors have %d", len(v), c.dim)
	}
	c.known[text] = v
	return nil
}

// String returns the name of the model, for a report.
func (c *Client) String() string { return c.model }
