package host

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/hostile"
)

// writeAgedFiles writes a file of 100 bytes for each name in the map. The value in the
// map is the age of the file in days.
func writeAgedFiles(t *testing.T, dir string, days map[string]int, now time.Time) {
	t.Helper()
	for name, n := range days {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, make([]byte, 100), 0o600); err != nil {
			t.Fatal(err)
		}
		when := now.AddDate(0, 0, -n)
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
}

// remainingFiles returns the names of the files below dir, sorted.
func remainingFiles(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestClean(t *testing.T) {
	now := time.Now()
	check := func(size int64, want ...string) {
		t.Helper()
		dir := t.TempDir()
		writeAgedFiles(t, dir, map[string]int{"v1/a": 40, "v1/b": 31, "v2/c": 20, "v2/d": 5, "e": 1}, now)
		if cleanCache(dir, size, 30*24*time.Hour, now); !slices.Equal(remainingFiles(t, dir), want) {
			t.Errorf("%d bytes: left %q, want %q", size, remainingFiles(t, dir), want)
		}
	}
	check(1000, "e", "v2/c", "v2/d")
	check(300, "e", "v2/c", "v2/d")
	check(299, "e", "v2/d")
	check(150, "e")
	check(0)
	cleanCache(filepath.Join(t.TempDir(), "none"), 0, 0, now)
}

// TestCacheIsCleaned checks that a new host deletes the old files in the cache of
// compiled code and keeps the young ones.
func TestCacheIsCleaned(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	load := func() {
		t.Helper()
		h, err := New(ctx, Options{CacheDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close(ctx)
		if _, err := h.Load(ctx, hostile.Bare("bare"), Manifest{Name: "bare"}); err != nil {
			t.Fatal(err)
		}
	}
	load()
	compiled := remainingFiles(t, dir)
	writeAgedFiles(t, dir, map[string]int{"wazero-v0-other/old": 31, "wazero-v0-other/young": 29}, time.Now())
	load()
	if got, want := remainingFiles(t, dir), append([]string{"wazero-v0-other/young"}, compiled...); len(compiled) == 0 || !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("left %q, want %q", got, want)
	}
}
