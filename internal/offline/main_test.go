package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestList(t *testing.T) {
	dir := fstest.MapFS{}
	for _, name := range []string{
		"index.html", "app.js", "_headers", "sw.js", "docs/index.html", "lessons/1/lesson.json", "npm/boundcheck.wasm", "npm/cli.js", "npm/client.js",
		"npm/package.json", "npm/seldom.wasm", "plugins/catalog.json", "plugins/a.wasm", "saved.json",
	} {
		dir[name] = &fstest.MapFile{Data: []byte(name)}
	}
	files, err := listFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for name, f := range files {
		names = append(names, name)
		if f.Asked != (name == "plugins/a.wasm" || name == "saved.json") {
			t.Errorf("%s is fetched only when asked for: %v", name, f.Asked)
		}
	}
	slices.Sort(names)
	want := "app.js index.html lessons/1/lesson.json npm/boundcheck.wasm npm/seldom.wasm plugins/a.wasm plugins/catalog.json saved.json"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the page's files are %s, want %s", got, want)
	}
	if got := files["app.js"].SHA256; got != fmt.Sprintf("%x", sha256.Sum256([]byte("app.js"))) {
		t.Errorf("hash %q", got)
	}
	delete(dir, "index.html")
	if _, err := listFiles(dir); err == nil {
		t.Error("a folder without a page is none")
	}
}

// TestWriteIsTheSame checks that the same page always results in the same worker. A
// browser treats a worker with another text as a new version.
func TestWriteIsTheSame(t *testing.T) {
	t.Chdir("../..")
	dir := t.TempDir()
	read := func() string {
		t.Helper()
		if err := writeWorker(dir); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, worker))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	page := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page("1")
	first := read()
	if read() != first {
		t.Error("written again it is another")
	}
	page("2")
	if read() == first {
		t.Error("it does not change with the page")
	}
}
