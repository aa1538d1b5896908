//go:build !js

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	driver "modernc.org/sqlite"
)

// group carries out changes on one connection. Changes that arrive while another one is
// being synced to disk share the next transaction, and so one sync. No change is
// answered before its transaction is durable. It is a store.Writer.
type group struct {
	db     *sql.DB
	wake   chan struct{} // has a capacity of one
	ended  chan struct{}
	mu     sync.Mutex
	queue  []*change
	closed bool

	// Used only by the goroutine that writes.
	conn       *sql.Conn
	statements map[string]*sql.Stmt
}

// change is one statement with its result.
type change struct {
	query   string
	args    []any
	targets []any
	act     func() error // used instead of a statement; alone in its transaction
	begun   bool         // guarded by group.mu; if set, the caller waits for the end
	done    chan struct{}
	found   bool
	err     error
}

// maxGroup is the largest number of changes in one transaction.
const maxGroup = 128

var errClosed = errors.New("the database is closed")

// newGroup starts a group and returns it. The group writes to db on one connection of its
// own.
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

// withdraw removes a change from the queue. If the change has already begun, it does
// nothing and returns false.
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

// takeBatch removes the changes for the next transaction from the queue and returns them.
// The result closed is true if the group is closed.
func (g *group) takeBatch() (batch []*change, closed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := 0
	for n < min(len(g.queue), maxGroup) && g.queue[n].act == nil {
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

func (g *group) run() {
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
			g.writeBatch(batch)
			for _, c := range batch {
				close(c.done)
			}
		}
	}
}

// writeBatch carries out several changes in one transaction. If the database refuses one
// of them, it rolls all of them back and carries out each by itself. If the database
// cannot write at all, all changes get the error.
func (g *group) writeBatch(batch []*change) {
	if len(batch) == 1 && batch[0].act != nil {
		batch[0].err = batch[0].act()
		return
	}
	ctx := context.Background() // a caller that cancels must not end a shared transaction
	if g.conn == nil {
		conn, err := g.db.Conn(ctx)
		if err != nil {
			failAll(batch, err)
			return
		}
		g.conn = conn
	}
	if len(batch) > 1 {
		switch err := g.runTogether(ctx, batch); {
		case err == nil:
			return
		case !ownFault(err):
			failAll(batch, err)
			return
		}
	}
	for i, c := range batch {
		c.found, c.err = g.runOne(ctx, c)
		if c.err != nil && !ownFault(c.err) {
			failAll(batch[i+1:], c.err) // the disk or the lock: the others would fail as well
			return
		}
	}
}

func failAll(batch []*change, err error) {
	for _, c := range batch {
		c.found, c.err = false, err
	}
}

// runTogether carries out changes in one transaction. If one change fails, no change is
// carried out.
func (g *group) runTogether(ctx context.Context, batch []*change) (err error) {
	if _, err := g.runOne(ctx, &change{query: "BEGIN IMMEDIATE"}); err != nil {
		return err
	}
	for _, c := range batch {
		if c.found, err = g.runOne(ctx, c); err != nil {
			break
		}
	}
	if err == nil {
		_, err = g.runOne(ctx, &change{query: "COMMIT"})
	}
	if err != nil {
		g.runOne(ctx, &change{query: "ROLLBACK"}) // fails if SQLite has rolled back by itself
	}
	return err
}

// runOne runs one statement and reads all of its rows. The result found is true if there
// was a row.
func (g *group) runOne(ctx context.Context, c *change) (found bool, err error) {
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

// ownFault reports whether the statement itself caused an error. This is so if the tables
// refuse the change or the statement is wrong. Any other error, such as a full disk,
// would affect every statement.
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

// runExclusively runs fn while the group writes nothing. The group first releases its
// connection, so fn can use the database.
func (g *group) runExclusively(fn func() error) error {
	c := &change{act: func() error {
		if err := g.releaseConn(); err != nil {
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

// releaseConn closes the prepared statements and gives the connection back to db.
func (g *group) releaseConn() error {
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
	return errors.Join(g.releaseConn(), g.db.Close())
}
