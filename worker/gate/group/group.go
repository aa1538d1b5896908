// Package group lets changes that arrive together share one transaction. The packages
// sqlite and postgres carry the transactions out.
package group

import (
	"context"
	"errors"
	"sync"
)

// Group carries out changes one batch after another. Changes that arrive while a batch is
// being made durable share the next one. No change is answered before its batch is
// durable. It is a store.Writer.
type Group struct {
	write func(batch []*Change)
	end   func() error
	wake  chan struct{} // has a capacity of one
	ended chan struct{}

	mu     sync.Mutex
	queue  []*Change
	closed bool
}

// Change is one statement with its result.
type Change struct {
	Query   string
	Args    []any
	Targets []any // receive the last row that the statement returns
	Found   bool  // there was a row
	Err     error // after which it is unknown whether the change was made

	act   func() error // used instead of a statement; alone in its batch
	begun bool         // guarded by Group.mu; if set, the caller waits for the end
	done  chan struct{}
}

// most is the largest number of changes in one batch.
const most = 128

// ErrClosed means that the group takes no more changes.
var ErrClosed = errors.New("the database is closed")

// New starts a group. The function write carries out a batch and sets the result of each
// change; it is never called twice at the same time, and must end within a time-out of its
// own. The function end is called once, after the last batch.
func New(write func(batch []*Change), end func() error) *Group {
	g := &Group{write: write, end: end, wake: make(chan struct{}, 1), ended: make(chan struct{})}
	go g.runBatches()
	return g
}

// Write runs one statement and returns when its change is durable.
func (g *Group) Write(ctx context.Context, query string, args []any, targets ...any) (found bool, err error) {
	c := &Change{Query: query, Args: args, Targets: targets, done: make(chan struct{})}
	if err := g.addChange(c); err != nil {
		return false, err
	}
	select {
	case <-c.done:
		return c.Found, c.Err
	case <-ctx.Done():
	}
	if g.withdrawChange(c) {
		return false, ctx.Err()
	}
	<-c.done // it has begun, and ends within the time-out of write
	return c.Found, c.Err
}

// Alone runs fn while the group carries out nothing else.
func (g *Group) Alone(fn func() error) error {
	c := &Change{act: fn, done: make(chan struct{})}
	if err := g.addChange(c); err != nil {
		return err
	}
	<-c.done
	return c.Err
}

func (g *Group) addChange(c *Change) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return ErrClosed
	}
	g.queue = append(g.queue, c)
	g.wakeUp()
	return nil
}

func (g *Group) wakeUp() {
	select {
	case g.wake <- struct{}{}:
	default:
	}
}

// withdrawChange removes a change from the queue. If the change has already begun, it does
// nothing and returns false.
func (g *Group) withdrawChange(c *Change) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c.begun {
		return false
	}
	for i := range g.queue {
		if g.queue[i] == c {
			g.queue = append(g.queue[:i], g.queue[i+1:]...)
			break
		}
	}
	return true
}

// takeBatch removes the changes for the next batch from the queue and returns them. The
// result closed is true if the group is closed.
func (g *Group) takeBatch() (batch []*Change, closed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := 0
	for n < min(len(g.queue), most) && g.queue[n].act == nil {
		n++
	}
	if n == 0 && len(g.queue) > 0 {
		n = 1 // the change is not a statement
	}
	batch, g.queue = g.queue[:n:n], g.queue[n:]
	for _, c := range batch {
		c.begun = true
	}
	return batch, g.closed
}

func (g *Group) runBatches() {
	defer close(g.ended)
	for range g.wake {
		for {
			batch, closed := g.takeBatch()
			if len(batch) == 0 && closed {
				return
			}
			if len(batch) == 0 {
				break
			}
			if batch[0].act != nil {
				batch[0].Err = batch[0].act()
			} else {
				g.write(batch)
			}
			for _, c := range batch {
				close(c.done)
			}
		}
	}
}

// FailAll gives all changes the same error.
func FailAll(batch []*Change, err error) {
	for _, c := range batch {
		c.Found, c.Err = false, err
	}
}

// Close carries out the waiting changes and ends the group.
func (g *Group) Close() error {
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return nil
	}
	g.closed = true
	g.wakeUp()
	g.mu.Unlock()
	<-g.ended
	return g.end()
}
