//go:build !js

package sqlite

import (
	"context"
	"database/sql"
	"errors"

	driver "modernc.org/sqlite"

	changes "github.com/boundcheck/boundcheck/worker/gate/group"
)

// group carries out changes on one connection. Changes that share a transaction share one
// sync to disk.
type group struct {
	*changes.Group
	db *sql.DB

	// Used only by the goroutine that writes.
	conn       *sql.Conn
	statements map[string]*sql.Stmt
}

// newGroup starts a group and returns it. The group writes to db on one connection of its
// own.
func newGroup(db *sql.DB) *group {
	g := &group{db: db, statements: map[string]*sql.Stmt{}}
	g.Group = changes.New(g.writeBatch, func() error { return errors.Join(g.releaseConn(), g.db.Close()) })
	return g
}

// writeBatch carries out several changes in one transaction. If the database refuses one
// of them, it rolls all of them back and carries out each by itself. If the database
// cannot write at all, all changes get the error.
func (g *group) writeBatch(batch []*changes.Change) {
	ctx := context.Background() // a caller that cancels must not end a shared transaction
	if g.conn == nil {
		conn, err := g.db.Conn(ctx)
		if err != nil {
			changes.FailAll(batch, err)
			return
		}
		g.conn = conn
	}
	if len(batch) > 1 {
		switch err := g.runTogether(ctx, batch); {
		case err == nil:
			return
		case !ownFault(err):
			changes.FailAll(batch, err)
			return
		}
	}
	for i, c := range batch {
		c.Found, c.Err = g.runOne(ctx, c)
		if c.Err != nil && !ownFault(c.Err) {
			changes.FailAll(batch[i+1:], c.Err) // the disk or the lock: the others would fail as well
			return
		}
	}
}

// runTogether carries out changes in one transaction. If one change fails, no change is
// carried out.
func (g *group) runTogether(ctx context.Context, batch []*changes.Change) (err error) {
	if _, err := g.runOne(ctx, &changes.Change{Query: "BEGIN IMMEDIATE"}); err != nil {
		return err
	}
	for _, c := range batch {
		if c.Found, err = g.runOne(ctx, c); err != nil {
			break
		}
	}
	if err == nil {
		_, err = g.runOne(ctx, &changes.Change{Query: "COMMIT"})
	}
	if err != nil {
		g.runOne(ctx, &changes.Change{Query: "ROLLBACK"}) // fails if SQLite has rolled back by itself
	}
	return err
}

// runOne runs one statement and reads all of its rows. The result found is true if there
// was a row.
func (g *group) runOne(ctx context.Context, c *changes.Change) (found bool, err error) {
	statement := g.statements[c.Query]
	if statement == nil {
		if statement, err = g.conn.PrepareContext(ctx, c.Query); err != nil {
			return false, err
		}
		g.statements[c.Query] = statement
	}
	rows, err := statement.QueryContext(ctx, c.Args...)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	for rows.Next() {
		found = true
		if err := rows.Scan(c.Targets...); err != nil {
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
	return g.Alone(func() error {
		if err := g.releaseConn(); err != nil {
			return err
		}
		return fn()
	})
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
