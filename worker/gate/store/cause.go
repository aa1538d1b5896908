package store

import (
	"context"
	"errors"
	"sync"
)

// Cause holds why one request could not be served, for the log. It is safe for several
// goroutines.
type Cause struct {
	mu  sync.Mutex
	err error
}

type causeKey struct{}

// WithCause returns a context in which Blame records to c.
func WithCause(ctx context.Context, c *Cause) context.Context {
	return context.WithValue(ctx, causeKey{}, c)
}

// Err returns the first cause, or nil.
func (c *Cause) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Blame records for the log why a request could not be served. Only the first cause of
// each request is recorded. A client that disconnected is not a failure.
func Blame(ctx context.Context, err error) {
	c, ok := ctx.Value(causeKey{}).(*Cause)
	if !ok || err == nil || errors.Is(err, context.Canceled) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
}
