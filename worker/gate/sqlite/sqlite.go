//go:build !js

// Package sqlite opens the gate's store in a SQLite file. It is separate from package
// gate so that the edge, which has D1, does not link a database engine.
package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver, in pure Go

	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// openForWriting opens the file for writing. If the file is missing, it is created and
// only its owner can read it.
func openForWriting(file string) (*sql.DB, error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	f.Close()
	return openFile(file, "rwc", 1)
}

// Open opens the file and brings its tables up to date. If the file is missing, Open
// creates it. Open does not check for other processes, but Serve does.
func Open(ctx context.Context, file string) (*store.Store, error) {
	write, err := openForWriting(file)
	if err != nil {
		return nil, err
	}
	if err := store.Migrate(ctx, write, false); err != nil {
		write.Close()
		return nil, fmt.Errorf("cannot use %s as the gate's database: %w", file, err)
	}
	read, err := openFile(file, "rw", 8)
	if err != nil {
		write.Close()
		return nil, err
	}
	return store.NewStoreWith(newGroup(write), store.KeepPrepared(read)), nil
}

// View opens the file for reading only, to verify or export its data.
func View(file string) (*store.Store, error) {
	if _, err := os.Stat(file); err != nil {
		return nil, err
	}
	db, err := openFile(file, "ro", 1)
	if err != nil {
		return nil, err
	}
	return store.NewStore(db, db), nil
}

// openFile opens the file with the settings that are needed so that no call runs twice.
// The write-ahead log is synced at every commit, because a claim must survive a power
// cut. Writers wait for each other.
func openFile(file, mode string, connections int) (*sql.DB, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	q := url.Values{"mode": {mode}, "_txlock": {"immediate"}, "_pragma": {"busy_timeout(5000)", "synchronous(FULL)"}}
	if mode != "ro" {
		q["_pragma"] = append(q["_pragma"], "journal_mode(WAL)")
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	return db, nil
}
