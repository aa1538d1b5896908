//go:build !js

package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/boundcheck/boundcheck/worker/gate/group"
)

// turn is the first statement of each transaction. It waits until no other gate is in a
// transaction, and the statements behind it see what the others have changed. The lock ends
// with the transaction, also if its gate is killed.
const turn = `SELECT seq FROM numbers WHERE name = 'audit' FOR UPDATE`

// writer carries out changes on one connection. Changes that arrive together share one
// transaction and one exchange with the server.
type writer struct {
	*group.Group
	config *pgx.ConnConfig

	// Used only by the goroutine that writes.
	conn *pgx.Conn
	used time.Time
}

func newWriter(config *pgx.ConnConfig, conn *pgx.Conn) *writer {
	w := &writer{config: config, conn: conn}
	w.Group = group.New(w.writeBatch, w.closeConn)
	return w
}

// writeBatch carries out several changes in one transaction. If the database refuses one of
// them, all are rolled back, and each is carried out by itself. After any other error, all
// changes get it: the server or the way to it has failed.
func (w *writer) writeBatch(batch []*group.Change) {
	// A caller that cancels must not end a shared transaction.
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(len(batch)+1)*changeLimit+slack)
	defer cancel()
	if err := w.reviveConn(ctx); err != nil {
		group.FailAll(batch, err)
		return
	}
	err := w.runTogether(ctx, batch)
	if err == nil {
		return
	}
	if len(batch) == 1 || !ownFault(err) {
		group.FailAll(batch, err)
		return
	}
	for i, c := range batch {
		if c.Found, c.Err = false, w.runTogether(ctx, batch[i:i+1]); c.Err != nil && !ownFault(c.Err) {
			group.FailAll(batch[i+1:], c.Err)
			return
		}
	}
}

// reviveConn connects again if the connection has ended.
func (w *writer) reviveConn(ctx context.Context) (err error) {
	if w.conn != nil && !w.conn.IsClosed() && time.Since(w.used) > time.Second {
		ping, cancel := context.WithTimeout(ctx, slack)
		w.conn.Ping(ping) // closes a connection that is broken
		cancel()
	}
	if w.conn == nil || w.conn.IsClosed() {
		w.conn, err = openConn(ctx, w.config)
	}
	w.used = time.Now()
	return err
}

// runTogether carries out changes in one transaction. If one change fails, no change is
// carried out. It returns nil only after the transaction is durable.
func (w *writer) runTogether(ctx context.Context, batch []*group.Change) (err error) {
	all := &pgx.Batch{} // the server runs it as one transaction
	all.Queue(turn)
	for _, c := range batch {
		all.Queue(translateQuery(c.Query), c.Args...)
	}
	results := w.conn.SendBatch(ctx, all)
	defer func() { err = errors.Join(err, results.Close()) }() // the commit
	var number int64
	if err := results.QueryRow().Scan(&number); err != nil {
		return err
	}
	for _, c := range batch {
		if c.Found, err = readLast(results, c.Targets); err != nil {
			return err
		}
	}
	return nil
}

// readLast reads all rows of the next result, and stores the last one in targets.
func readLast(results pgx.BatchResults, targets []any) (found bool, err error) {
	rows, err := results.Query()
	if err != nil {
		return false, err
	}
	defer rows.Close()
	for rows.Next() {
		found = true
		if err := rows.Scan(targets...); err != nil {
			return false, err
		}
	}
	rows.Close()
	return found, rows.Err()
}

// ownFault reports whether the statement itself caused an error: its data, a rule of the
// tables, its text, or a limit of the server for one statement. Any other error, such as a
// full disk, would affect every statement.
func ownFault(err error) bool {
	var e *pgconn.PgError
	if !errors.As(err, &e) || len(e.Code) != 5 {
		return false
	}
	switch e.Code[:2] {
	case "21", "22", "23", "42", "54", "P0":
		return true
	}
	return false
}

// closeConn closes the connection.
func (w *writer) closeConn() error {
	if w.conn == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), slack)
	defer cancel()
	return w.conn.Close(ctx)
}
