//go:build !js

// Package database opens the gate's store by the address of its database: a SQLite file, or
// a PostgreSQL database.
package database

import (
	"context"
	"errors"
	"os"

	"github.com/boundcheck/boundcheck/worker/gate/postgres"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Database is an open store of a gate.
type Database struct {
	*store.Store
	// Shared means that other gates may serve the database at the same time.
	Shared bool
	// Clean means that the claims without an outcome are still valid, because no gate ended
	// before it was told the outcome, or because other gates may be told.
	Clean bool

	held *sqlite.Held // nil if the database is shared
}

// Serve opens a database for a gate and brings its tables up to date. A file has one gate
// at a time, which holds its lease; if another gate has it, the error wraps sqlite.ErrHeld.
func Serve(ctx context.Context, address string, l sqlite.Lease) (Database, error) {
	if postgres.IsAddress(address) {
		if l.TakeOver {
			return Database{}, errors.New("--take-over is for a file: several gates can serve a PostgreSQL database")
		}
		s, err := postgres.Open(ctx, address, l.Downgrade)
		return Database{Store: s, Shared: true, Clean: true}, err
	}
	s, held, err := sqlite.Serve(ctx, address, l)
	if err != nil {
		return Database{}, err
	}
	return Database{s, false, held.Clean, held}, nil
}

// Change opens a database for a change beside the gates that serve it. Its tables must be up
// to date.
func Change(ctx context.Context, address string) (*store.Store, error) {
	if postgres.IsAddress(address) {
		return postgres.Open(ctx, address, false)
	}
	if _, err := os.Stat(address); err != nil {
		return nil, err
	}
	return sqlite.Open(ctx, address)
}

// View opens a database for reading only.
func View(address string) (*store.Store, error) {
	if postgres.IsAddress(address) {
		return postgres.View(address)
	}
	return sqlite.View(address)
}

// Keep holds the database until ctx ends, and then returns "". Otherwise it returns a reason
// why this process must stop. The function report receives errors.
func (d *Database) Keep(ctx context.Context, report func(error)) string {
	if d.held == nil {
		return ""
	}
	return d.held.Keep(ctx, report)
}

// Close lets other processes have the database, and closes the store.
func (d *Database) Close() error {
	var err error
	if d.held != nil {
		err = d.held.Release()
	}
	return errors.Join(err, d.Store.Close())
}

// Migrate brings the tables of a PostgreSQL database to the state after the named migration,
// forward or back, or to the newest state if the name is "".
func Migrate(ctx context.Context, address, to string) error {
	if !postgres.IsAddress(address) {
		return errors.New("only a PostgreSQL database has migrations back; a gate brings a file up to date when it starts, so make a copy of the file before")
	}
	return postgres.Migrate(ctx, address, to)
}
