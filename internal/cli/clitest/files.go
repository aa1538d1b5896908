package clitest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// SpoilFile writes a file into a folder, and replaces a file with the same name. It is
// often used to write an invalid file.
func SpoilFile(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// WriteTemp writes a file in a new temporary folder, and returns its path.
func WriteTemp(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// WriteTest writes a file for a test, and creates the folder of the file.
func WriteTest(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// root returns the repository's folder, as seen from the folder in which a test began.
var root = sync.OnceValue(func() string {
	for dir := started; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
	}
})

// started is the folder in which the test began; tests change it.
var started, _ = os.Getwd()
