// Package store keeps the gate's records, keys, counts and audit in SQLite, D1 or
// PostgreSQL.
package store

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// Migrations holds the SQL files that create the tables, in the order of their names.
// wrangler applies the same files to D1.
//
//go:embed migrations/*.sql
var Migrations embed.FS

// Store keeps records and the audit in a database. Every change is one statement, which
// also writes the audit entry of the change, because D1 has no transactions. A Store is
// safe for several goroutines and several processes.
//
// The statements are in the SQL that SQLite and PostgreSQL share, but for the forms in
// package postgres: "?" for a parameter, and json_each with its columns key and value. A
// value is always an array or an object, and a number in it is cast.
//
// SQLite plans a statement again at each use if it reads a bound value during planning.
// So the statements avoid the two forms for which it does that: they say "LIMIT ?+0"
// instead of "LIMIT ?", and compare a column of a partial index by "state||” = ?".
type Store struct {
	write Writer
	read  Reader
}

// Writer carries out one changing statement and returns when the change is durable.
// targets receive the last row that the statement returns; found reports whether there
// was one. After an error it is unknown whether the change was made.
type Writer interface {
	Write(ctx context.Context, query string, args []any, targets ...any) (found bool, err error)
	Close() error
}

// Reader runs one statement that only reads, and sees all changes that were answered before.
type Reader interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	Close() error
}

// NewStore returns a Store that writes to one database and reads from another. Both must
// have the tables, and both may be the same database. On SQLite, the database for writing
// should have a single connection.
func NewStore(write, read *sql.DB) *Store { return NewStoreWith(plainWriter{write}, read) }

// NewStoreWith returns a Store that writes through a Writer and reads through a Reader.
func NewStoreWith(write Writer, read Reader) *Store { return &Store{write, read} }

// KeepPrepared returns a Reader that keeps its statements prepared.
func KeepPrepared(db *sql.DB) Reader { return &preparedReader{DB: db} }

type preparedReader struct {
	*sql.DB
	statements sync.Map // query → *sql.Stmt
}

// Close closes the databases.
func (s *Store) Close() error { return errors.Join(s.write.Close(), s.read.Close()) }

// plainWriter sends each statement by itself.
type plainWriter struct{ *sql.DB }

// Write runs one statement and reads all rows that it returns.
func (w plainWriter) Write(ctx context.Context, query string, args []any, targets ...any) (bool, error) {
	rows, err := w.QueryContext(ctx, query, args...)
	return readOne(rows, err, targets)
}

// Change runs one statement that changes data. It passes an error to Blame.
func (s *Store) Change(ctx context.Context, query string, args []any, targets ...any) (found bool, err error) {
	found, err = s.write.Write(ctx, query, args, targets...)
	Blame(ctx, err)
	return found, err
}

// queryRead runs one statement that only reads. It passes an error to Blame.
func (s *Store) queryRead(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	rows, err := s.read.QueryContext(ctx, query, args...)
	Blame(ctx, err)
	return rows, err
}

func (r *preparedReader) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	kept, ok := r.statements.Load(query)
	if !ok {
		statement, err := r.PrepareContext(ctx, query)
		if err != nil {
			return nil, err
		}
		var twice bool
		if kept, twice = r.statements.LoadOrStore(query, statement); twice {
			statement.Close()
		}
	}
	return kept.(*sql.Stmt).QueryContext(ctx, args...)
}

// queryOne runs a statement that reads at most one row, and reports whether there was
// one.
func (s *Store) queryOne(ctx context.Context, query string, args []any, targets ...any) (found bool, err error) {
	rows, err := s.queryRead(ctx, query, args...)
	found, err = readOne(rows, err, targets)
	Blame(ctx, err)
	return found, err
}

// readOne reads all rows and stores the last row in targets. The result found is true if
// there was a row. If err is not nil, readOne returns it.
func readOne(rows *sql.Rows, err error, targets []any) (found bool, _ error) {
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
	if err := rows.Err(); err != nil {
		return false, err
	}
	return found, rows.Close()
}

// ErrNone means that the tenant has no such record.
var ErrNone = errors.New("no such proposal")

// Migrate applies the migrations that db does not have yet. After a crash, each migration
// was applied completely or not at all. Migrate is for native programs, because wrangler
// applies the migrations on D1.
//
// If the database has a migration that this program does not know, a newer program has
// written it, and Migrate changes nothing. Then the error wraps ErrNewer, unless
// downgrade is true.
func Migrate(ctx context.Context, db *sql.DB, downgrade bool) error {
	if _, err := db.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY NOT NULL)`); err != nil {
		return err
	}
	files, err := fs.Glob(Migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	sort.Strings(files)
	unknown, err := unknownMigrations(ctx, db, files)
	if err != nil {
		return err
	}
	if len(unknown) > 0 && !downgrade {
		return fmt.Errorf("%w: it has %s, which this program does not know", ErrNewer, strings.Join(unknown, ", "))
	}
	for _, name := range files {
		if err := runMigration(ctx, db, name); err != nil {
			return fmt.Errorf("cannot apply %s: %w", name, err)
		}
	}
	return nil
}

// ErrNewer means that a newer version of the program has written the database.
var ErrNewer = errors.New("a newer version of boundcheck has written the database")

// unknownMigrations returns the migrations of the database that are not among the files.
func unknownMigrations(ctx context.Context, db *sql.DB, files []string) (unknown []string, err error) {
	rows, err := db.QueryContext(ctx, `SELECT name FROM migrations ORDER BY name`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		if !slices.Contains(files, name) {
			unknown = append(unknown, name)
		}
	}
	return unknown, rows.Err()
}

func runMigration(ctx context.Context, db *sql.DB, name string) error {
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

// Stamp formats a time in Unix milliseconds with 16 digits, so that the texts sort
// in the order of the times. It returns "" for 0.
func Stamp(ms int64) string {
	if ms <= 0 {
		return ""
	}
	return fmt.Sprintf("%016d", ms)
}

func parseStamp(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

// row is a record in the form of the table.
type row struct {
	id, tenant, batch            string
	place, size                  int
	session, principal, approver string
	tool, arguments, digest      string
	prompt, promptHash           string
	needs                        int
	why, created, expires, grace string
	sources                      string // JSON; "" if there was no conversation
	replaced                     string // id of the call in its place
	state, rev, life             string
	due, entry                   string
	same, sameRoot               string // see machine.Record.Key
	editOf, standsFor, supersede string // of an edited call
}

// proposalColumns names the table's columns, each with its field in a row. The last five
// are written but not read.
var proposalColumns = [...]struct {
	name string
	cell func(*row) any
}{
	{"id", func(w *row) any { return &w.id }},
	{"tenant", func(w *row) any { return &w.tenant }},
	{"batch", func(w *row) any { return &w.batch }},
	{"place", func(w *row) any { return &w.place }},
	{"size", func(w *row) any { return &w.size }},
	{"session", func(w *row) any { return &w.session }},
	{"principal", func(w *row) any { return &w.principal }},
	{"approver", func(w *row) any { return &w.approver }},
	{"tool", func(w *row) any { return &w.tool }},
	{"arguments", func(w *row) any { return &w.arguments }},
	{"digest", func(w *row) any { return &w.digest }},
	{"prompt", func(w *row) any { return &w.prompt }},
	{"prompt_hash", func(w *row) any { return &w.promptHash }},
	{"needs", func(w *row) any { return &w.needs }},
	{"why", func(w *row) any { return &w.why }},
	{"created", func(w *row) any { return &w.created }},
	{"expires", func(w *row) any { return &w.expires }},
	{"grace", func(w *row) any { return &w.grace }},
	{"sources", func(w *row) any { return &w.sources }},
	{"replaced", func(w *row) any { return &w.replaced }},
	{"same", func(w *row) any { return &w.same }},
	{"same_root", func(w *row) any { return &w.sameRoot }},
	{"state", func(w *row) any { return &w.state }},
	{"rev", func(w *row) any { return &w.rev }},
	{"life", func(w *row) any { return &w.life }},
	{"due", func(w *row) any { return &w.due }},
	{"entry", func(w *row) any { return &w.entry }},
	{"edit_of", func(w *row) any { return &w.editOf }},
	{"stands_for", func(w *row) any { return &w.standsFor }},
	{"supersede", func(w *row) any { return &w.supersede }},
}

// columnsRead is the number of columns that form a record.
const columnsRead = len(proposalColumns) - 5

// columnList returns the first n columns as a list for a statement. The function formOf
// returns the text of one column in the list.
func columnList(n int, formOf func(i int, name string) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = formOf(i, proposalColumns[i].name)
	}
	return strings.Join(all, ", ")
}

func columnName(_ int, name string) string { return name }

// asRows returns a list in the form in which the statements read it: a row for each text or
// number.
func asRows[T any](list []T) [][1]T {
	rows := make([][1]T, len(list))
	for i, v := range list {
		rows[i][0] = v
	}
	return rows
}

// Statements that are built from the columns.
var (
	selectProposals = sync.OnceValue(func() string {
		return `SELECT ` + columnList(columnsRead, columnName) + ` FROM proposals WHERE `
	})
	insertProposal = sync.OnceValue(func() string {
		return insertColumns(func(int, string) string { return "?" }) + ` `
	})
	insertProposals = sync.OnceValue(func() string {
		return insertColumns(func(i int, _ string) string {
			if _, number := proposalColumns[i].cell(&row{}).(*int); number {
				return fmt.Sprintf("CAST(value->>%d AS INTEGER)", i)
			}
			return fmt.Sprintf("value->>%d", i)
		}) + ` FROM json_each(?) `
	})
)

func insertColumns(cell func(i int, name string) string) string {
	return `INSERT INTO proposals (` + columnList(len(proposalColumns), columnName) + `) SELECT ` + columnList(len(proposalColumns), cell)
}

func rowOf(r *machine.Record, e machine.Entry) *row {
	why, _ := json.Marshal(r.Why)
	sources := ""
	if r.Sources != nil {
		text, _ := json.Marshal(r.Sources)
		sources = string(text)
	}
	w := &row{
		id: r.ID, tenant: r.Tenant, batch: r.Batch, place: r.Index, size: r.Size, session: r.Session, principal: r.Principal, approver: r.For,
		tool: r.Tool, arguments: r.Arguments, digest: r.Digest, prompt: r.Prompt, promptHash: r.PromptHash, needs: r.Needs, why: string(why), sources: sources,
		same: r.Same, sameRoot: r.SameRoot, created: Stamp(r.Created), expires: Stamp(r.Expires), grace: strconv.FormatInt(r.Grace, 10),
		state: storedState(r), rev: strconv.FormatInt(r.Rev, 10), life: lifeOf(r), due: Stamp(r.Due()), entry: e.Bytes(),
	}
	if edit := r.Why.Edit; edit != nil {
		w.editOf, w.standsFor = edit.Of, edit.Root
	}
	return w
}

// storedState returns the state of a record as the table has it. A call that was edited or
// answered is denied there, as a program of an older version must treat it. What else it is
// follows from the call in its place, or from its last vote.
func storedState(r *machine.Record) string {
	if r.State == machine.Superseded || r.State == machine.Answered {
		return string(machine.Denied)
	}
	return string(r.State)
}

// fullState returns the state of a record that has the given state in the table.
func fullState(r *machine.Record, stored string) machine.State {
	switch n := len(r.Votes); {
	case stored != string(machine.Denied):
	case r.Replaced != "":
		return machine.Superseded
	case n > 0 && r.Votes[n-1].Answer:
		return machine.Answered
	}
	return machine.State(stored)
}

func lifeOf(r *machine.Record) string {
	life, _ := json.Marshal(r.Life)
	return string(life)
}

// columnCells returns pointers to the fields of the first n columns.
func (w *row) columnCells(n int) []any {
	all := make([]any, n)
	for i := range all {
		all[i] = proposalColumns[i].cell(w)
	}
	return all
}

// columnValues returns the values of all columns.
func (w *row) columnValues() []any {
	all := w.columnCells(len(proposalColumns))
	for i, cell := range all {
		switch v := cell.(type) {
		case *string:
			all[i] = *v
		case *int:
			all[i] = *v
		}
	}
	return all
}

// toRecord converts a row to a record. It returns an error if the row cannot be read.
func (w *row) toRecord() (r machine.Record, err error) {
	r = machine.Record{
		ID: w.id, Tenant: w.tenant, Batch: w.batch, Index: w.place, Size: w.size, Session: w.session, Principal: w.principal, For: w.approver,
		Tool: w.tool, Arguments: w.arguments, Digest: w.digest, Prompt: w.prompt, PromptHash: w.promptHash, Needs: w.needs,
		Same: w.same, SameRoot: w.sameRoot, Replaced: w.replaced, Created: parseStamp(w.created), Expires: parseStamp(w.expires), Grace: parseStamp(w.grace),
	}
	if err = json.Unmarshal([]byte(w.why), &r.Why); err != nil {
		return r, fmt.Errorf("invalid row %s: %w", w.id, err)
	}
	if w.sources != "" {
		if err = json.Unmarshal([]byte(w.sources), &r.Sources); err != nil {
			return r, fmt.Errorf("invalid row %s: %w", w.id, err)
		}
	}
	if err = json.Unmarshal([]byte(w.life), &r.Life); err != nil {
		return r, fmt.Errorf("invalid row %s: %w", w.id, err)
	}
	switch r.Why.Verdict {
	case "yes":
		r.Why.Mutating = mutation.Yes
	case "no":
		r.Why.Mutating = mutation.No
	}
	r.State = fullState(&r, w.state)
	if r.Rev, err = strconv.ParseInt(w.rev, 10, 64); err != nil {
		return r, fmt.Errorf("invalid row %s: %w", w.id, err)
	}
	return r, nil
}

// probeLife is after how many milliseconds the probe of a check that did not end is deleted.
const probeLife = 20_000

// typicalRow is the size in bytes of what one flow of a call adds to the database.
const typicalRow = 5 << 10

// Ping returns an error if the store does not accept a write of typical size, if what was
// written cannot be read, if the newest rows cannot be read, or if a table is missing.
// The parameter probe is a name that no other call uses.
func (s *Store) Ping(ctx context.Context, now int64, probe string) error {
	// The row is new each time, because writing over an old one needs no space.
	name, text, got := "probe "+Stamp(now)+" "+probe, strings.Repeat("x", typicalRow), ""
	if _, err := s.Change(ctx, `INSERT INTO health (name, at) VALUES (?, ?)`, []any{name, text}); err != nil {
		return err
	}
	if _, err := s.queryOne(ctx, `SELECT at FROM health WHERE name = ?`, []any{name}, &got); err != nil {
		return err
	}
	if got != text {
		err := errors.New("the store returned other bytes than were written")
		Blame(ctx, err)
		return err
	}
	for _, newest := range [...]string{`SELECT entry FROM audit ORDER BY seq DESC LIMIT 1`, `SELECT arguments FROM proposals ORDER BY rowid DESC LIMIT 1`} {
		if _, err := s.queryOne(ctx, newest, nil, &got); err != nil {
			return err
		}
	}
	before := "probe " + Stamp(max(1, now-probeLife)) // of checks that did not end
	_, err := s.Change(ctx, `DELETE FROM health WHERE name = ? OR name >= 'probe ' AND name < ?`, []any{name, before})
	return err
}
