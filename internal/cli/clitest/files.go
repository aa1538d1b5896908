package clitest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/boundcheck/boundcheck/internal/recordings"
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

// root is the repository's folder. Tests change the working directory, so it is found when they begin.
var root = recordings.Root()
