package bench_test

import (
	"net/http"
	"sync/atomic"
	"time"
)

// counted counts requests.
type counted struct {
	next http.RoundTripper
	n    atomic.Int64
}

func (c *counted) RoundTrip(r *http.Request) (*http.Response, error) {
	c.n.Add(1)
	return c.next.RoundTrip(r)
}

// slow delays each request a little, so that a kill interrupts a request.
type slow struct{ next http.RoundTripper }

func (s slow) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(4 * time.Millisecond)
	return s.next.RoundTrip(r)
}
