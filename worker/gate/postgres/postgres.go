//go:build !js

// Package postgres opens the gate's store in a PostgreSQL database, which several gates may
// share.
//
// All changes are one conditional statement each, as on SQLite and D1. A statement of
// PostgreSQL does not see what others change at the same time, so two claims of different
// calls could both find a count below its limit. Therefore the transactions of all gates take
// turns: each locks one row first (see the constant turn), and the statements behind it see
// everything that was answered before.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// IsAddress reports whether a text is the address of a PostgreSQL database.
func IsAddress(text string) bool {
	return strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://")
}

// The time limits of a connection, unless the address has other ones. A lost server is
// noticed within these times, and so is a lost gate by the server.
const (
	connectLimit = 5 * time.Second
	changeLimit  = 5 * time.Second  // for one statement of a change, with its wait for the turn
	readLimit    = 30 * time.Second // for one statement that reads
	slack        = 5 * time.Second  // for the network, on top of the server's own limits
)

// poolSize is the number of connections that read, unless the address has pool_max_conns.
const poolSize = 8

// Open connects to the database, brings its tables up to date, and returns the store. If the
// database has a migration that this program does not know, the error wraps store.ErrNewer,
// unless downgrade is true.
func Open(ctx context.Context, address string, downgrade bool) (*store.Store, error) {
	config, size, err := readAddress(address, changeLimit)
	if err != nil {
		return nil, err
	}
	conn, err := openConn(ctx, config)
	if err != nil {
		return nil, err
	}
	if err := migrateTables(ctx, conn, newest, downgrade); err != nil {
		conn.Close(context.WithoutCancel(ctx))
		return nil, fmt.Errorf("cannot use %s as the gate's database: %w", config.Database, err)
	}
	read, err := openPool(address, size, readLimit, false)
	if err != nil {
		conn.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	return store.NewStoreWith(newWriter(config, conn), read), nil
}

// View opens the database for reading only, to verify or export its data. Its statements may
// take any time.
func View(address string) (*store.Store, error) {
	read, err := openPool(address, 2, 0, true)
	if err != nil {
		return nil, err
	}
	return store.NewStoreWith(noWriter{}, read), nil
}

// noWriter refuses every change.
type noWriter struct{}

func (noWriter) Close() error { return nil }
func (noWriter) Write(context.Context, string, []any, ...any) (bool, error) {
	return false, errors.New("the database is open for reading only")
}

// readAddress parses the address of a database. The result size is the number of connections
// for reading.
func readAddress(address string, statement time.Duration) (config *pgx.ConnConfig, size int, err error) {
	if config, err = pgx.ParseConfig(address); err != nil {
		return nil, 0, err // its text hides the password
	}
	size = poolSize
	if text, given := config.RuntimeParams["pool_max_conns"]; given {
		if size, err = strconv.Atoi(text); err != nil || size < 1 || size > 1000 {
			return nil, 0, fmt.Errorf("invalid pool_max_conns %q: want a number from 1 to 1000", text)
		}
		delete(config.RuntimeParams, "pool_max_conns")
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectLimit
	}
	dialer := net.Dialer{Timeout: config.ConnectTimeout, KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 5 * time.Second, Count: 2}}
	config.DialFunc = dialer.DialContext
	settings := map[string]string{
		"application_name": "boundcheck gate", "statement_timeout": strconv.FormatInt(statement.Milliseconds(), 10), "idle_in_transaction_session_timeout": "10000",
		"tcp_keepalives_idle": "5", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "2", "tcp_user_timeout": "15000",
	}
	for name := range config.RuntimeParams {
		delete(settings, name) // the server has it from the address
	}
	// Another level would let a statement see the rows of before its turn.
	settings["default_transaction_isolation"] = "read committed"
	primary := config.ValidateConnect
	config.ValidateConnect = func(ctx context.Context, c *pgconn.PgConn) error {
		if primary != nil {
			if err := primary(ctx, c); err != nil {
				return err
			}
		}
		if err := pgconn.ValidateConnectTargetSessionAttrsReadWrite(ctx, c); err != nil {
			return err
		}
		return prepareSession(ctx, c, settings)
	}
	return config, size, nil
}

// prepareSession gives a new connection its settings. It returns an error if the server
// could lose a change that it has confirmed, or cannot store every text.
func prepareSession(ctx context.Context, c *pgconn.PgConn, settings map[string]string) error {
	query := `SELECT current_setting('fsync'), current_setting('server_encoding'), set_config('synchronous_commit',
		CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)`
	for name, value := range settings {
		query += `, set_config('` + name + `', '` + value + `', false)`
	}
	result := c.ExecParams(ctx, query, nil, nil, nil, nil).Read()
	if result.Err != nil {
		return result.Err
	}
	if len(result.Rows) != 1 {
		return errors.New("the server does not answer as PostgreSQL does")
	}
	switch row := result.Rows[0]; {
	case string(row[0]) != "on":
		return errors.New("the server has fsync off, so it may lose a claim that it has confirmed")
	case string(row[1]) != "UTF8":
		return fmt.Errorf("the database has the encoding %s; it must have UTF8", row[1])
	}
	return nil
}

// openConn opens one connection.
func openConn(ctx context.Context, config *pgx.ConnConfig) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, config.ConnectTimeout+slack)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("cannot reach the gate's database: %w", err)
	}
	return conn, nil
}

// reader reads on a pool of connections. It is a store.Reader.
type reader struct {
	db    *sql.DB
	limit time.Duration // of one statement and its rows; 0 means none
}

func openPool(address string, size int, limit time.Duration, only bool) (*reader, error) {
	config, _, err := readAddress(address, limit)
	if err != nil {
		return nil, err
	}
	if only {
		config.RuntimeParams["default_transaction_read_only"] = "on"
		config.ValidateConnect = nil // a standby may be read, and nothing is written
	}
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	db.SetConnMaxIdleTime(5 * time.Minute)
	db.SetConnMaxLifetime(time.Hour) // so that a gate returns to a server that was away
	if limit > 0 {
		limit += slack
	}
	return &reader{db, limit}, nil
}

// QueryContext runs one statement of the store.
func (r *reader) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if r.limit > 0 {
		// The rows live as long as this context, and nobody says when they were read.
		limited, cancel := context.WithCancelCause(ctx)
		time.AfterFunc(r.limit, func() { cancel(context.DeadlineExceeded) })
		ctx = limited
	}
	return r.db.QueryContext(ctx, translateQuery(query), args...)
}

func (r *reader) Close() error { return r.db.Close() }

// translated holds the statements that translateQuery has returned. The store has a fixed number
// of them.
var translated sync.Map // string → string

// translateQuery returns a statement of the store in PostgreSQL's form.
func translateQuery(query string) string {
	if kept, ok := translated.Load(query); ok {
		return kept.(string)
	}
	parts := strings.Split(strings.NewReplacer("json_each(", "each_row(", "sqlite_sequence", "numbers").Replace(query), "?")
	var b strings.Builder
	b.WriteString(parts[0])
	for i, part := range parts[1:] { // no statement has a question mark in a text
		fmt.Fprintf(&b, "$%d%s", i+1, part)
	}
	translated.Store(query, b.String())
	return b.String()
}
