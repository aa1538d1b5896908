package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestJoinModules(t *testing.T) {
	read := func(dir, name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	one, two := t.TempDir(), t.TempDir()
	for _, dir := range []string{one, two} {
		if err := joinModules("../..", dir); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"app.js", "embed.js"} {
		text := read(one, name)
		if strings.Contains(text, "\nimport ") || !strings.Contains(text, "Client = class") || !strings.Contains(text, "npm/seldom.wasm") {
			t.Errorf("%s imports modules, or lacks the client", name)
		}
		if text != read(two, name) {
			t.Errorf("%s is not the same when it is made again", name)
		}
	}
	if err := joinModules(t.TempDir(), one); err == nil || !strings.Contains(err.Error(), "playground/app.js") {
		t.Errorf("without sources the error is %v, want one that names the file", err)
	}
}
