//go:build !js

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Copied says what a copy of a database has.
type Copied struct {
	Proposals, Delegations, Remembered int64
	Checked                            []store.Checked // its audit, by tenant
}

// Backup makes a copy of the database in a file, as it is at one moment, while a gate may serve the file. It never writes
// over a file: if there is one with the name to, it returns an error. It checks the copy's pages and its audit. If the pages
// are not whole, the copy is removed; if only the audit has faults, which then are those of the database, they are in the
// result. Time and space O(size).
func Backup(ctx context.Context, file, to string) (c Copied, err error) {
	if _, err := os.Stat(file); err != nil {
		return c, err
	}
	made, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600) // SQLite fills an empty file
	if err != nil {
		return c, fmt.Errorf("cannot make the copy: %w", err)
	}
	defer func() {
		if err = errors.Join(err, made.Close()); err != nil {
			err = errors.Join(err, os.Remove(to))
		}
	}()
	if err = copyInto(ctx, file, to); err != nil {
		return c, fmt.Errorf("cannot copy %s: %w", file, err)
	}
	if err = made.Sync(); err != nil {
		return c, err
	}
	if folder, err := os.Open(filepath.Dir(to)); err == nil { // so that the name survives a power cut, too, where a system has this
		folder.Sync()
		folder.Close()
	}
	if err = c.count(ctx, to); err != nil {
		return c, fmt.Errorf("the copy of %s is not whole: %w", file, err)
	}
	s, err := View(to)
	if err != nil {
		return c, err
	}
	defer s.Close()
	c.Checked, err = s.VerifyStore(ctx, store.Known{})
	return c, err
}

// copyInto reads the database in one transaction, which stops no writer.
func copyInto(ctx context.Context, file, to string) error {
	db, err := openFile(file, "ro", 1)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, `VACUUM INTO ?`, to)
	return err
}

// count checks the pages of a copy and counts its rows.
func (c *Copied) count(ctx context.Context, file string) error {
	db, err := openFile(file, "ro", 1)
	if err != nil {
		return err
	}
	defer db.Close()
	return errors.Join(checkPages(ctx, db),
		db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM proposals), (SELECT count(*) FROM delegations), (SELECT count(*) FROM remembered)`).Scan(&c.Proposals, &c.Delegations, &c.Remembered))
}

func checkPages(ctx context.Context, db *sql.DB) error {
	said := ""
	if err := db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&said); err != nil {
		return err
	}
	if said != "ok" {
		return errors.New(said)
	}
	return nil
}
