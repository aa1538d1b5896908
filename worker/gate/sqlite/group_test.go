//go:build !js

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/pace"
	changes "github.com/boundcheck/boundcheck/worker/gate/group"
)

// newTestGroup returns a group that writes to a new database with one table. The second
// result is another connection, which can lock the database.
func newTestGroup(t *testing.T) (*group, *sql.DB) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "group.db")
	write, err := openFile(file, "rwc", 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := write.Exec(`CREATE TABLE names (name TEXT PRIMARY KEY NOT NULL)`); err != nil {
		t.Fatal(err)
	}
	g := newGroup(write)
	t.Cleanup(func() { g.Close() })
	other, err := openFile(file, "rw", 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close() })
	return g, other
}

// lockDatabase keeps the database locked until the returned function is called.
func lockDatabase(t *testing.T, other *sql.DB) (release func()) {
	t.Helper()
	tx, err := other.Begin() // immediate, because of the connection's settings
	if err != nil {
		t.Fatal(err)
	}
	return func() { tx.Rollback() }
}

func countNames(t *testing.T, db *sql.DB) (n int) {
	t.Helper()
	if err := db.QueryRow(`SELECT count(*) FROM names`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

const insertName = `INSERT INTO names (name) VALUES (?) RETURNING name`

// TestGroupApart checks a transaction with several changes, some of which the database
// refuses. Only the refused changes must fail. Each other change must get its own row
// back.
func TestGroupApart(t *testing.T) {
	g, other := newTestGroup(t)
	release := lockDatabase(t, other)
	var wait sync.WaitGroup
	failed := make([]error, 50)
	for i := range failed {
		wait.Go(func() {
			name, got := fmt.Sprint("n", i), ""
			if i%10 == 0 {
				name = "twice"
			}
			found, err := g.Write(context.Background(), insertName, []any{name}, &got)
			if failed[i] = err; err == nil && (!found || got != name) {
				t.Errorf("%s: %v, found %v", name, got, found)
			}
		})
	}
	time.Sleep(50 * time.Millisecond) // until all of them wait for the lock
	release()
	wait.Wait()
	n := 0
	for i, err := range failed {
		if err == nil {
			n++
		} else if i%10 != 0 || !ownFault(err) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if got := countNames(t, other); n != 46 || got != 46 {
		t.Errorf("%d succeeded, %d stored, want 46", n, got)
	}
}

// TestGroupWithdrawn checks that a change is not carried out if its caller cancelled
// before it began.
func TestGroupWithdrawn(t *testing.T) {
	g, other := newTestGroup(t)
	release := lockDatabase(t, other)
	first := make(chan error)
	go func() {
		_, err := g.Write(context.Background(), insertName, []any{"first"}, new(string))
		first <- err
	}()
	time.Sleep(20 * time.Millisecond) // it waits for the lock
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := g.Write(ctx, insertName, []any{"second"}, new(string)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a caller that went away: %v", err)
	}
	release()
	if err := <-first; err != nil {
		t.Error(err)
	}
	if n := countNames(t, other); n != 1 {
		t.Errorf("%d stored, want 1", n)
	}
}

// TestGroupLocked checks that all waiting changes get an error after one time-out if the
// database cannot be written. Nothing may be stored.
func TestGroupLocked(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: takes a time-out of five seconds")
	}
	g, other := newTestGroup(t)
	release := lockDatabase(t, other)
	begun := time.Now()
	var wait sync.WaitGroup
	for i := range 20 {
		wait.Go(func() {
			if _, err := g.Write(context.Background(), insertName, []any{fmt.Sprint(i)}, new(string)); err == nil {
				t.Error("written under another's lock")
			}
		})
	}
	wait.Wait()
	if d := time.Since(begun); d > pace.Within(14*time.Second) { // one time-out for the first, one for the rest
		t.Errorf("told after %v", d)
	}
	release()
	if n := countNames(t, other); n != 0 {
		t.Errorf("%d stored", n)
	}
	if _, err := g.Write(context.Background(), insertName, []any{"after"}, new(string)); err != nil {
		t.Errorf("after the lock: %v", err)
	}
}

// TestGroupClosed checks that Close carries out the changes that the group has accepted,
// and that later changes are refused.
func TestGroupClosed(t *testing.T) {
	g, other := newTestGroup(t)
	var wait sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for i := range 40 {
		wait.Go(func() {
			if _, err := g.Write(context.Background(), insertName, []any{fmt.Sprint(i)}, new(string)); err == nil {
				mu.Lock()
				n++
				mu.Unlock()
			}
		})
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	wait.Wait()
	if got := countNames(t, other); got != n {
		t.Errorf("%d stored, %d answered", got, n)
	}
	if _, err := g.Write(context.Background(), insertName, []any{"late"}, new(string)); !errors.Is(err, changes.ErrClosed) {
		t.Errorf("after closing: %v", err)
	}
}
