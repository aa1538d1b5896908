package embed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

const path = "embeddings"

type request struct {
	Model string   `json:"model"`
	Input []string `json:"input"`
}

type answer struct {
	Data []struct {
		Index     *int    `json:"index"`
		Embedding numbers `json:"embedding"`
	} `json:"data"`
}

// numbers is a list of numbers in JSON that must not contain null. Servers write null for
// NaN, and encoding/json would read null as zero.
type numbers []float64

// UnmarshalJSON reads a list of finite numbers.
func (n *numbers) UnmarshalJSON(b []byte) error {
	if bytes.Contains(b, []byte("null")) {
		return errors.New("a vector contains null")
	}
	return json.Unmarshal(b, (*[]float64)(n))
}

// requestVectors sends one request. It returns the vectors in the order of the batch.
func (c *Client) requestVectors(batch []string) ([]numbers, error) {
	var a answer
	if err := c.api.Post(path, request{c.model, batch}, &a); err != nil {
		return nil, err
	}
	fail := func(format string, args ...any) ([]numbers, error) {
		return nil, fmt.Errorf("%s: "+format, append([]any{c.api.Endpoint(path)}, args...)...)
	}
	if len(a.Data) != len(batch) {
		return fail("asked for %d vectors, got %d", len(batch), len(a.Data))
	}
	out := make([]numbers, len(batch))
	for at, d := range a.Data {
		i := at // a server that omits the index keeps the order
		if d.Index != nil {
			i = *d.Index
		}
		if i < 0 || i >= len(out) || out[i] != nil {
			return fail("invalid or repeated index %d: want each index from 0 to %d once", i, len(out)-1)
		}
		if len(d.Embedding) == 0 {
			return fail("the vector with index %d is empty", i)
		}
		out[i] = d.Embedding
	}
	return out, nil
}

// scaleToUnit returns a vector scaled to length 1. The result has the same bits on all
// platforms. A vector that is zero or not finite is an error.
func scaleToUnit(v numbers) ([]float32, error) {
	largest := 0.0
	for _, x := range v {
		largest = math.Max(largest, math.Abs(x))
	}
	if largest == 0 || math.IsInf(largest, 0) || math.IsNaN(largest) {
		return nil, errors.New("the vector is zero or not finite")
	}
	sum := 0.0
	for _, x := range v {
		x /= largest // so that no square overflows or becomes zero
		sum += float64(x * x)
	}
	length := math.Sqrt(sum)
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x / largest / length)
	}
	return out, nil
}
