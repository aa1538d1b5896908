// Package gatefile gives tests new files of a gate's database.
package gatefile

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
)

// New returns the path of a new database for a test, which has all tables and no row. Most of what a test
// of the gate needed was the creation of the tables, so they are created once a process and copied. The
// result is what sqlite.Open makes of no file, see TestNew.
func New(t testing.TB) string {
	t.Helper()
	text, err := empty()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "gate.db")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// empty returns the bytes of a database without rows. Closing the database writes its log into the file.
var empty = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "boundcheck-gatefile-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "gate.db")
	store, err := sqlite.Open(context.Background(), file)
	if err != nil {
		return nil, err
	}
	if err := store.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})
