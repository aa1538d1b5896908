//go:build !js

package gate_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// openBefore returns a database with the migrations before the one with this number, and a
// function that runs a statement in it.
func openBefore(t testing.TB, number string) (db *sql.DB, exec func(query string, args ...any)) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "gate.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	exec = func(query string, args ...any) {
		t.Helper()
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatal(err)
		}
	}
	exec(`CREATE TABLE migrations (name TEXT PRIMARY KEY NOT NULL)`)
	names, err := store.Migrations.ReadDir("migrations")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range names {
		if f.Name() >= number {
			break
		}
		text, err := store.Migrations.ReadFile("migrations/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		exec(string(text))
		exec(`INSERT INTO migrations (name) VALUES (?)`, "migrations/"+f.Name())
	}
	return db, exec
}

// openOld returns a database of before the running counts, with n rows of one rule and key
// and another row of each hundredth failed.
func openOld(t testing.TB, n int) (s *store.Store, live, sum int64) {
	t.Helper()
	db, exec := openBefore(t, "0011")
	exec(`WITH RECURSIVE each(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM each WHERE i < ?)
		INSERT INTO marks (tenant, rule, key, at, claim, amount, until, state, seen)
		SELECT 't', 'rule r', 'k', printf('%016d', ? + i/3), 'p' || i, i, printf('%016d', ? + 100000000), CASE WHEN i % 100 = 0 THEN 'failed' ELSE 'executed' END, '' FROM each`, n, start, start)
	if err := store.Migrate(context.Background(), db, false); err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= n; i++ {
		if i%100 != 0 {
			live, sum = live+1, sum+int64(i)
		}
	}
	return store.NewStore(db, db), live, sum
}

// TestClaimsTakeTheSameTime checks that the answer to a question about rows, which a claim
// asks in its own statement, takes the same time after few and many others, and that the
// rows of an older database are still counted.
func TestClaimsTakeTheSameTime(t *testing.T) {
	took := func(n int) time.Duration {
		s, live, sum := openOld(t, n)
		var all []time.Duration
		questions := []machine.Count{{Rule: "rule r", Key: "k", Since: start - 1, Rows: machine.LiveRows}, {Rule: "rule r", Key: "k", Since: start, Rows: machine.ExecutedRows},
			{Rule: "rule r", Key: "k", Since: start, Rows: machine.AllRows}, {Rule: "rule r", Key: "k", Since: start, Rows: machine.ExecutedRows, Seen: "x"}, {Rule: "rule r", Key: "k", Since: start + int64(n)/3 - 100, Rows: machine.LiveRows}}
		for range 21 {
			begin := time.Now()
			got, err := s.Tallies(t.Context(), "t", questions)
			all = append(all, time.Since(begin))
			if err != nil {
				t.Fatal(err)
			}
			if want := (machine.Tally{N: live, Sum: sum}); got[questions[0]] != want || got[questions[1]].N != 1 || got[questions[2]].N != 1 || got[questions[3]].N != 0 {
				t.Fatalf("%d rows: %+v, want %+v", n, got, want)
			}
			late := machine.Tally{}
			for i := 1; i <= n; i++ {
				if i/3 > n/3-100 && i%100 != 0 {
					late.N, late.Sum = late.N+1, late.Sum+int64(i)
				}
			}
			if got[questions[4]] != late {
				t.Fatalf("%d rows: the last ones are %+v, want %+v", n, got[questions[4]], late)
			}
		}
		slices.Sort(all)
		return all[len(all)/4]
	}
	few, many := took(300), took(12_000)
	t.Logf("%s with 300 rows, %s with 12,000", few, many)
	if many > 8*few {
		t.Errorf("a question takes %s with 300 rows and %s with 12,000", few, many)
	}
}

// BenchmarkClaimAfter measures the questions of a claim after many others.
func BenchmarkClaimAfter(b *testing.B) {
	for _, n := range []int{100, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s, _, _ := openOld(b, n)
			for b.Loop() {
				if _, err := s.Tallies(b.Context(), "t", []machine.Count{{Rule: "rule r", Key: "k", Since: start - 1, Rows: machine.LiveRows}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
