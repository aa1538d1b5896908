// Package recordings finds the recorded runs that tests measure against. They
// were published by others, are listed in docs/data.md and are never part of the
// repository. A test that needs one is skipped, with a reason, where it is absent.
package recordings

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// Variable names the environment variable that says where the files are. A
// relative value is relative to the root of the repository.
const Variable = "BOUNDCHECK_DATA"

// module is the first line of the root's go.mod.
const module = "module github.com/boundcheck/boundcheck\n"

// Root returns the root of the repository: the nearest folder above the working
// directory that holds its go.mod. Without one it returns the working directory.
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

// Dir returns the folder of recorded runs: what BOUNDCHECK_DATA names, else
// shared/data beside the repository. The folder may be absent.
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

// Path returns where a file or folder is, by its name with slashes below Dir. It
// skips the test where the file is absent, and fails it where docs/data.md does
// not list the name or BOUNDCHECK_DATA names no folder.
func Path(t testing.TB, name string) string {
	t.Helper()
	dir := Dir()
	if !listed(t, name) {
		t.Fatalf("recordings: docs/data.md does not list %s", name)
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		missing(t, dir, name)
	}
	return path
}

// Read returns the bytes of a file. It skips or fails the test as Path does.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(Path(t, name))
	if err != nil {
		t.Fatalf("recordings: %v", err)
	}
	return data
}

// Glob returns the names, with slashes below Dir, of the listed files that match
// one of the patterns of path.Match: in the order of the patterns, and of names
// within one. It skips the test where there is none.
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
			if name := filepath.ToSlash(rel); listed(t, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		missing(t, dir, strings.Join(patterns, ", "))
	}
	return names
}

func missing(t testing.TB, dir, name string) {
	t.Helper()
	if _, err := os.Stat(dir); err != nil && os.Getenv(Variable) != "" {
		t.Fatalf("recordings: %s names a folder that is not there: %v", Variable, err)
	}
	t.Skipf("SKIPPED: no recorded runs: %s is not in %s; docs/data.md says where it comes from, make data downloads what is public", name, dir)
}

var list = sync.OnceValues(func() ([]File, error) {
	text, err := os.ReadFile(filepath.Join(Root(), "docs", "data.md"))
	if err != nil {
		return nil, err
	}
	return ReadList(string(text))
})

// listed reports whether docs/data.md lists a file, or a file in a folder of
// that name.
func listed(t testing.TB, name string) bool {
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
	Name   string // below the folder of recorded runs, with slashes
	Bytes  int64
	SHA256 string // 64 lower-case hexadecimal digits
	URL    string // where the same bytes are public; empty where they are not
}

var (
	base = regexp.MustCompile("^Download: `(https?://[^`]+/)`")
	row  = regexp.MustCompile("^\\| `([^`|]+)` \\| (?:`([^`|]+)`|[^`|]*) \\| ([0-9,]+) \\| `([0-9a-f]{64})` \\|$")
)

// ReadList reads the tables of docs/data.md: a row is a file's name, its path at
// the source, its size and its sha256. The path is relative to the "Download:"
// line of its section. It fails on a table row of another form, on a name that
// leaves the folder or occurs twice, and on a path without a "Download:" line.
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
