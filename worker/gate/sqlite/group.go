//go:build !js

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	driver "modernc.org/sqlite"
)

// group carries changes out on one connection. Changes that come while another
// one is being synced to disk share the next transaction, and so one sync: none is
// answered before its transaction is durable. It is a gate.Writer.
type group struct {
	db     *sql.DB
	wake   chan struct{} // has room for one
	ended  chan struct{}
	mu     sync.Mutex
	queue  []*change
	closed bool

	// For the one goroutine that writes.
	conn       *sql.Conn
	statements map[string]*sql.Stmt
}

// change is one statement that waits to be carried out, or was.
type change struct {
	query   string
	args    []any
	targets []any
	act     func() error // instead of a statement; alone in its transaction
	begun   bool         // guarded by group.mu; then the caller waits for the end
	done    chan struct{}
	found   bool
	err     error
}

// maxGroup bounds how many changes share a transaction.
const maxGroup = 128

var errClosed = errors.New("the database is closed")

// newGroup begins to write to db, of which it takes one connection.
func newGroup(db *sql.DB) *group {
	g := &group{db: db, wake: make(chan struct{}, 1), ended: make(chan struct{}), statements: map[string]*sql.Stmt{}}
	go g.run()
	return g
}

// Write runs one statement and returns when its change is durable.
func (g *group) Write(ctx context.Context, query string, args []any, targets ...any) (found bool, err error) {
	c := &change{query: query, args: args, targets: targets, done: make(chan struct{})}
	if err := g.enqueue(c); err != nil {
		return false, err
	}
	select {
	case <-c.done:
		return c.found, c.err
	case <-ctx.Done():
	}
	if g.withdraw(c) {
		return false, ctx.Err()
	}
	<-c.done // it has begun, and ends within SQLite's own time-out
	return c.found, c.err
}

func (g *group) enqueue(c *change) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return errClosed
	}
	g.queue = append(g.queue, c)
	select {
	case g.wake <- struct{}{}:
	default:
	}
	return nil
}

// withdraw takes a change back that has not begun.
func (g *group) withdraw(c *change) bool {
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

// take returns the changes that share the next transaction; none when there is
// nothing to do.
func (g *group) take() (batch []*change, closed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := 0
	for n < min(len(g.queue), maxGroup) && g.queue[n].act == nil {
		n++
	}
	if n == 0 && len(g.queue) > 0 {
		n = 1 // it has something else to do than a statement
	}
	batch, g.queue = g.queue[:n:n], g.queue[n:]
	for _, c := range batch {
		c.begun = true
	}
	return batch, g.closed
}

func (g *group) run() {
	defer close(g.ended)
	for range g.wake {
		for {
			batch, closed := g.take()
			if len(batch) == 0 && closed {
				return
			}
			if len(batch) == 0 {
				break
			}
			g.write(batch)
			for _, c := range batch {
				close(c.done)
			}
		}
	}
}

// write carries out several changes in one transaction. When one of them fails, all are
// rolled back, and each is carried out by itself.
func (g *group) write(batch []*change) {
	if len(batch) == 1 && batch[0].act != nil {
		batch[0].err = batch[0].act()
		return
	}
	ctx := context.Background() // the callers' own ends must not tear a shared transaction
	if g.conn == nil {
		conn, err := g.db.Conn(ctx)
		if err != nil {
			fail(batch, err)
			return
		}
		g.conn = conn
	}
	if len(batch) > 1 {
		switch err := g.together(ctx, batch); {
		case err == nil:
			return
		case !ownFault(err):
			fail(batch, err)
			return
		}
	}
	for i, c := range batch {
		c.found, c.err = g.one(ctx, c)
		if c.err != nil && !ownFault(c.err) {
			fail(batch[i+1:], c.err) // the disk or the lock: nobody else fares better
			return
		}
	}
}

func fail(batch []*change, err error) {
	for _, c := range batch {
		c.found, c.err = false, err
	}
}

// together carries changes out in one transaction: all, or none with an error.
func (g *group) together(ctx context.Context, batch []*change) (err error) {
	if _, err := g.one(ctx, &change{query: "BEGIN IMMEDIATE"}); err != nil {
		return err
	}
	for _, c := range batch {
		if c.found, err = g.one(ctx, c); err != nil {
			break
		}
	}
	if err == nil {
		_, err = g.one(ctx, &change{query: "COMMIT"})
	}
	if err != nil {
		g.one(ctx, &change{query: "ROLLBACK"}) // fails when SQLite has rolled back by itself
	}
	return err
}

// one runs one statement to its end: only then has the database said that the
// change is done.
func (g *group) one(ctx context.Context, c *change) (found bool, err error) {
	statement := g.statements[c.query]
	if statement == nil {
		if statement, err = g.conn.PrepareContext(ctx, c.query); err != nil {
			return false, err
		}
		g.statements[c.query] = statement
	}
	rows, err := statement.QueryContext(ctx, c.args...)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	for rows.Next() {
		found = true
		if err := rows.Scan(c.targets...); err != nil {
			return false, err
		}
	}
	if err := rows.Err(); err != nil {
		return false, err
	}
	return found, rows.Close()
}

// ownFault reports whether an error is the statement's own: a condition that the
// tables refuse, or a mistake in it. Any other one (a full disk, a lock that is
// held) would meet every statement.
func ownFault(err error) bool {
	var e *driver.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code() & 0xff {
	case sqliteError, sqliteTooBig, sqliteConstraint, sqliteMismatch, sqliteRange:
		return true
	}
	return false
}

// SQLite's primary result codes for a statement's own faults.
const (
	sqliteError      = 1
	sqliteTooBig     = 18
	sqliteConstraint = 19
	sqliteMismatch   = 20
	sqliteRange      = 25
)

// exclusively runs fn while nothing is written, with the connection given back.
func (g *group) exclusively(fn func() error) error {
	c := &change{act: func() error {
		if err := g.release(); err != nil {
			return err
		}
		return fn()
	}, done: make(chan struct{})}
	if err := g.enqueue(c); err != nil {
		return err
	}
	<-c.done
	return c.err
}

// release returns the connection back to the database.
func (g *group) release() error {
	var all []error
	for _, s := range g.statements {
		all = append(all, s.Close())
	}
	clear(g.statements)
	if g.conn != nil {
		all = append(all, g.conn.Close())
		g.conn = nil
	}
	return errors.Join(all...)
}

// Close carries out the waiting changes and closes the database.
func (g *group) Close() error {
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return nil
	}
	g.closed = true
	g.mu.Unlock()
	select {
	case g.wake <- struct{}{}:
	default:
	}
	<-g.ended
	return errors.Join(g.release(), g.db.Close())
}
