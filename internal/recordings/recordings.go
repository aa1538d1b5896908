// Package recordings finds the recorded runs that tests use. Others have published these
// files. docs/data.md lists them, and they are never part of the repository. If a test
// needs a missing file, the test is skipped with a reason.
package recordings

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// Variable is the environment variable that names the folder of the files. A relative
// path is relative to the root of the repository.
const Variable = "BOUNDCHECK_DATA"

// module is the first line of go.mod in the root.
const module = "module github.com/boundcheck/boundcheck\n"

// Root returns the root folder of the repository. It searches the working directory and
// the folders above for the go.mod of this module. If there is no such file, Root returns
// the working directory.
func Root() string {
	start, err := os.Getwd()
	if err != nil {
		return "."
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil && strings.HasPrefix(strings.ReplaceAll(string(text), "\r\n", "\n"), module) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return start
		}
	}
}

// Dir returns the folder of the recorded runs. The environment variable BOUNDCHECK_DATA
// names this folder. If the variable is empty, the folder is shared/data beside the
// repository. The folder may be missing.
func Dir() string {
	dir := os.Getenv(Variable)
	if dir == "" {
		dir = "../shared/data"
	}
	if filepath.IsAbs(dir) {
		return filepath.Clean(dir)
	}
	return filepath.Join(Root(), dir)
}

// Path returns the path of a recorded file or folder. name is the path below Dir, with
// slashes. Path skips the test if the file is missing. It fails the test in two cases:
//
//   - docs/data.md does not list the name.
//   - BOUNDCHECK_DATA names a folder that does not exist.
func Path(t testing.TB, name string) string {
	t.Helper()
	dir := Dir()
	if !isListed(t, name) {
		t.Fatalf("recordings: docs/data.md does not list %s", name)
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		skipMissing(t, dir, name)
	}
	return path
}

// Read returns the bytes of a file. It skips or fails the test like Path.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(Path(t, name))
	if err != nil {
		t.Fatalf("recordings: %v", err)
	}
	return data
}

// Glob returns the names of the recorded files that match one of the patterns. Only files
// in docs/data.md are returned. The patterns have the syntax of path.Match and are
// relative to Dir. Glob skips the test if no file matches.
func Glob(t testing.TB, patterns ...string) []string {
	t.Helper()
	dir := Dir()
	var names []string
	for _, pattern := range patterns {
		paths, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatalf("recordings: pattern %s: %v", pattern, err)
		}
		for _, path := range paths {
			rel, _ := filepath.Rel(dir, path)
			if name := filepath.ToSlash(rel); isListed(t, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		skipMissing(t, dir, strings.Join(patterns, ", "))
	}
	return names
}

// Small returns the names of the files that have at most a megabyte, for a test that reads each
// file several times. make nightly sets BOUNDCHECK_LONG=1, and Small returns all of them.
func Small(t testing.TB, names []string) (small []string) {
	t.Helper()
	if os.Getenv("BOUNDCHECK_LONG") != "" {
		return names
	}
	for _, name := range names {
		if about, err := os.Stat(Path(t, name)); err == nil && about.Size() <= 1<<20 {
			small = append(small, name)
		}
	}
	t.Logf("%d of %d files; BOUNDCHECK_LONG=1 takes those of over 1 MB, too", len(small), len(names))
	return small
}

// Some returns every sixth of the small files, and with BOUNDCHECK_LONG=1 all files. It is for tests that run the
// whole command several times on each file, beside others that take them all.
func Some(t testing.TB, names []string) (some []string) {
	t.Helper()
	for i, name := range Small(t, names) {
		if drawn.InShare(i, 6) {
			some = append(some, name)
		}
	}
	return some
}

func skipMissing(t testing.TB, dir, name string) {
	t.Helper()
	if _, err := os.Stat(dir); err != nil && os.Getenv(Variable) != "" {
		t.Fatalf("recordings: %s names a folder that does not exist: %v", Variable, err)
	}
	t.Skipf("SKIPPED: no recorded runs: %s is not in %s; docs/data.md names the source, and make data downloads public files", name, dir)
}

var list = sync.OnceValues(func() ([]File, error) {
	text, err := os.ReadFile(filepath.Join(Root(), "docs", "data.md"))
	if err != nil {
		return nil, err
	}
	return ReadList(string(text))
})

// isListed reports whether docs/data.md lists a file with that name, or a file in a
// folder with that name.
func isListed(t testing.TB, name string) bool {
	t.Helper()
	files, err := list()
	if err != nil {
		t.Fatalf("recordings: %v", err)
	}
	for _, f := range files {
		if f.Name == name || strings.HasPrefix(f.Name, name+"/") {
			return true
		}
	}
	return false
}

// File is one row of docs/data.md.
type File struct {
	Name   string // relative to the folder of recorded runs, with slashes
	Bytes  int64
	SHA256 string // 64 lower-case hexadecimal digits
	URL    string // public source of the same bytes; "" if there is none
}

var (
	base = regexp.MustCompile("^Download: `(https?://[^`]+/)`")
	row  = regexp.MustCompile("^\\| `([^`|]+)` \\| (?:`([^`|]+)`|[^`|]*) \\| ([0-9,]+) \\| `([0-9a-f]{64})` \\|$")
)

// ReadList reads the tables of docs/data.md. Each row has a file's name, its path at the
// source, its size and its sha256. The path is relative to the URL in the "Download:"
// line of the section. ReadList returns an error in these cases:
//
//   - A row does not have the expected form.
//   - A name is not a clean path below the folder, or occurs twice.
//   - A row has a path, but its section has no "Download:" line.
func ReadList(text string) ([]File, error) {
	var files []File
	var url string
	seen := map[string]bool{}
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			url = ""
		}
		if m := base.FindStringSubmatch(line); m != nil {
			url = m[1]
		}
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		f, err := readRow(line, url)
		if err == nil && seen[f.Name] {
			err = errTwice
		}
		if err != nil {
			return nil, lineError{i + 1, err, line}
		}
		seen[f.Name] = true
		files = append(files, f)
	}
	return files, nil
}
