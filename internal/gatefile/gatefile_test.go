package gatefile

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
)

// TestNew checks that a new file has what the gate makes of no file: the same tables, indexes and triggers, and
// as many rows in each table. A row that is written to one file is in no other.
func TestNew(t *testing.T) {
	made := filepath.Join(t.TempDir(), "gate.db")
	opened, other := New(t), New(t)
	for _, file := range []string{made, opened} {
		store, err := sqlite.Open(context.Background(), file)
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	want := contents(t, made)
	if got := contents(t, opened); got != want || !strings.Contains(want, "CREATE TABLE proposals") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := contents(t, other); got != want {
		t.Errorf("before it is opened:\n%s\nwant\n%s", got, want)
	}
	db, err := sql.Open("sqlite", opened)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`INSERT INTO migrations (name) VALUES ('mine')`); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, opened); got == want {
		t.Error("a row that was written is not seen")
	}
	if got := contents(t, New(t)); got != want {
		t.Error("a new file has a row of another one")
	}
}

// contents returns the statements that made a database, and the number of rows of each table.
func contents(t *testing.T, file string) string {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT type, name, coalesce(sql, '') FROM sqlite_master ORDER BY type, name`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var b strings.Builder
	var tables []string
	for rows.Next() {
		var kind, name, made string
		if err := rows.Scan(&kind, &name, &made); err != nil {
			t.Fatal(err)
		}
		b.WriteString(kind + " " + name + ": " + made + "\n")
		if kind == "table" {
			tables = append(tables, name)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for _, name := range tables {
		var n string
		if err := db.QueryRow(`SELECT count(*) FROM "` + name + `"`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		b.WriteString(name + ": " + n + " rows\n")
	}
	return b.String()
}
