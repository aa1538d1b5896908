//go:build !js

package postgres

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// migrations has two files for each step: NAME.sql makes it, NAME.back.sql takes it back.
//
//go:embed migrations/*.sql
var migrations embed.FS

// newest stands for the last migration of this program.
const newest = ""

// migrationNames returns the names of the migrations in order.
func migrationNames() (names []string) {
	files, _ := fs.Glob(migrations, "migrations/*.sql")
	for _, f := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(f, "migrations/"), ".sql")
		if !strings.HasSuffix(name, ".back") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Migrate brings the tables to the state after the named migration, forward or back, or to
// the newest state if the name is "". It changes all or nothing. A migration whose rows
// would be lost is not taken back. No gate may run meanwhile if it goes back.
func Migrate(ctx context.Context, address, to string) error {
	config, _, err := readAddress(address, changeLimit)
	if err != nil {
		return err
	}
	conn, err := openConn(ctx, config)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return migrateTables(ctx, conn, to, false)
}

func migrateTables(ctx context.Context, conn *pgx.Conn, to string, downgrade bool) error {
	names := migrationNames()
	want := len(names)
	if to != newest {
		if want = slices.Index(names, to) + 1; want == 0 {
			return fmt.Errorf("unknown migration %q: want one of %s", to, strings.Join(names, ", "))
		}
	}
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(context.WithoutCancel(ctx))
	// Gates that start together take turns, before there is a row that they could lock.
	if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(hashtext('boundcheck gate ' || current_schema()))`); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `CREATE TABLE IF NOT EXISTS migrations (name TEXT COLLATE "C" PRIMARY KEY NOT NULL)`); err != nil {
		return err
	}
	rows, err := tx.Query(ctx, `SELECT name FROM migrations ORDER BY name`)
	if err != nil {
		return err
	}
	done, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	var unknown []string
	for _, name := range done {
		if !slices.Contains(names, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 && !downgrade {
		return fmt.Errorf("%w: it has %s, which this program does not know", store.ErrNewer, strings.Join(unknown, ", "))
	}
	for _, name := range names[:want] {
		if !slices.Contains(done, name) {
			if err := runStep(ctx, tx, name, name, `INSERT INTO migrations (name) VALUES ($1)`); err != nil {
				return err
			}
		}
	}
	for i := len(names) - 1; i >= want; i-- {
		if name := names[i]; slices.Contains(done, name) {
			if err := runStep(ctx, tx, name, name+".back", `DELETE FROM migrations WHERE name = $1`); err != nil {
				return err
			}
		}
	}
	return tx.Commit(ctx)
}

// runStep runs one file, and notes it with a statement about its name.
func runStep(ctx context.Context, tx pgx.Tx, name, file, note string) error {
	text, err := migrations.ReadFile("migrations/" + file + ".sql")
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, string(text)); err != nil {
		return fmt.Errorf("cannot apply %s: %w", file, err)
	}
	_, err = tx.Exec(ctx, note, name)
	return err
}
