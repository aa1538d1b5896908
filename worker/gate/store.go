package gate

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sort"
	"strconv"

	machine "github.com/boundcheck/boundcheck/core/gate"
	"github.com/boundcheck/boundcheck/core/mutation"
)

// Migrations are the SQL files that make the tables, in the order of their
// names; wrangler applies the same ones to D1.
//
//go:embed migrations/*.sql
var Migrations embed.FS

// Store keeps records and the audit in SQLite or D1. It uses no transactions,
// which D1 does not have: every change is one statement, and the audit entry of
// a change is written by the same statement. Safe for several goroutines and
// several processes.
type Store struct {
	write, read *sql.DB
}

// NewStore makes a Store on databases that hold the tables. Both may be the
// same; on SQLite the one for writing should have a single connection.
func NewStore(write, read *sql.DB) *Store { return &Store{write, read} }

// Close closes the databases.
func (s *Store) Close() error { return errors.Join(s.write.Close(), s.read.Close()) }

// ErrNone is returned when there is no such record for the tenant.
var ErrNone = errors.New("no such proposal")

// Migrate applies the migrations that db has not seen. Native only: D1 is
// migrated by wrangler. A crash in between leaves whole files done or not.
func Migrate(ctx context.Context, db *sql.DB) error {
	if _, err := db.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY NOT NULL)`); err != nil {
		return err
	}
	files, err := fs.Glob(Migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	sort.Strings(files)
	for _, name := range files {
		if err := migrate(ctx, db, name); err != nil {
			return fmt.Errorf("cannot apply %s: %w", name, err)
		}
	}
	return nil
}

func migrate(ctx context.Context, db *sql.DB, name string) error {
	text, err := Migrations.ReadFile(name)
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	done := 0
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM migrations WHERE name = ?`, name).Scan(&done); err != nil || done > 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, string(text)); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO migrations (name) VALUES (?)`, name); err != nil {
		return err
	}
	return tx.Commit()
}

// stamp writes a time so that the order of texts is the order of times.
func stamp(ms int64) string {
	if ms <= 0 {
		return ""
	}
	return fmt.Sprintf("%016d", ms)
}

func unstamp(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

// row is a record as the table has it; the names are those of the columns.
type row struct {
	ID         string `json:"id"`
	Tenant     string `json:"tenant"`
	Batch      string `json:"batch"`
	Place      int    `json:"place"`
	Size       int    `json:"size"`
	Session    string `json:"session"`
	Principal  string `json:"principal"`
	Approver   string `json:"approver"`
	Tool       string `json:"tool"`
	Arguments  string `json:"arguments"`
	Digest     string `json:"digest"`
	Prompt     string `json:"prompt"`
	PromptHash string `json:"prompt_hash"`
	Needs      int    `json:"needs"`
	Why        string `json:"why"`
	Created    string `json:"created"`
	Expires    string `json:"expires"`
	Grace      string `json:"grace"`
	State      string `json:"state"`
	Rev        string `json:"rev"`
	Life       string `json:"life"`
	Due        string `json:"due"`
	Entry      string `json:"entry"`
}

// columns are those that a record is read from.
const columns = `id, tenant, batch, place, size, session, principal, approver, tool, arguments, digest, prompt, prompt_hash, needs, why, created, expires, grace, state, rev, life`

func rowOf(r *machine.Record, e machine.Entry) row {
	why, _ := json.Marshal(r.Why)
	return row{
		r.ID, r.Tenant, r.Batch, r.Index, r.Size, r.Session, r.Principal, r.For, r.Tool, r.Arguments, r.Digest, r.Prompt, r.PromptHash,
		r.Needs, string(why), stamp(r.Created), stamp(r.Expires), strconv.FormatInt(r.Grace, 10),
		string(r.State), strconv.FormatInt(r.Rev, 10), lifeOf(r), stamp(r.Due()), e.Bytes(),
	}
}

func lifeOf(r *machine.Record) string {
	life, _ := json.Marshal(r.Life)
	return string(life)
}

func (w *row) targets() []any {
	return []any{&w.ID, &w.Tenant, &w.Batch, &w.Place, &w.Size, &w.Session, &w.Principal, &w.Approver, &w.Tool, &w.Arguments, &w.Digest,
		&w.Prompt, &w.PromptHash, &w.Needs, &w.Why, &w.Created, &w.Expires, &w.Grace, &w.State, &w.Rev, &w.Life}
}

// record reads a row back. A row that cannot be read is an error: the gate
// does not guess.
func (w *row) record() (r machine.Record, err error) {
	r = machine.Record{
		ID: w.ID, Tenant: w.Tenant, Batch: w.Batch, Index: w.Place, Size: w.Size, Session: w.Session, Principal: w.Principal, For: w.Approver,
		Tool: w.Tool, Arguments: w.Arguments, Digest: w.Digest, Prompt: w.Prompt, PromptHash: w.PromptHash, Needs: w.Needs,
		Created: unstamp(w.Created), Expires: unstamp(w.Expires), Grace: unstamp(w.Grace),
	}
	if err = json.Unmarshal([]byte(w.Why), &r.Why); err != nil {
		return r, fmt.Errorf("invalid row %s: %w", w.ID, err)
	}
	if err = json.Unmarshal([]byte(w.Life), &r.Life); err != nil {
		return r, fmt.Errorf("invalid row %s: %w", w.ID, err)
	}
	switch r.Why.Verdict {
	case "yes":
		r.Why.Mutating = mutation.Yes
	case "no":
		r.Why.Mutating = mutation.No
	}
	r.State = machine.State(w.State)
	if r.Rev, err = strconv.ParseInt(w.Rev, 10, 64); err != nil {
		return r, fmt.Errorf("invalid row %s: %w", w.ID, err)
	}
	return r, nil
}
