package clitest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/boundcheck/boundcheck/internal/recordings"
)

// WriteFile writes a file, and makes its folder if there is none.
func WriteFile(t *testing.T, path, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// SpoilFile writes a file into a folder, and replaces a file with the same name. It is
// often used to write an invalid file.
func SpoilFile(t *testing.T, dir, name, text string) {
	t.Helper()
	WriteFile(t, filepath.Join(dir, name), text)
}

// WriteTemp writes a file in a new temporary folder, and returns its path.
func WriteTemp(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	WriteFile(t, path, text)
	return path
}

// root is the repository's folder. Tests change the working directory, so it is found when they begin.
var root = recordings.Root()
