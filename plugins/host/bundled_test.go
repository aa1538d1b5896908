package host

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// newTestTree writes files below a new folder and makes it the working directory. It also
// sets a user cache below the folder and clears the environment variable EnvDir.
func newTestTree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	keepGoCache(t)
	t.Setenv(EnvDir, "")
	t.Setenv("XDG_CACHE_HOME", filepath.Join(root, ".cache"))
	t.Setenv("HOME", root)
	t.Chdir(root)
	return root
}

// keepGoCache keeps the paths of the toolchain's caches when HOME changes.
func keepGoCache(t *testing.T) {
	t.Helper()
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Skip("SKIPPED: no Go toolchain on PATH, building bundled plugins is NOT tested")
		}
		t.Setenv(name, strings.TrimSpace(string(out)))
	}
}

// smallTreeFiles returns the files of a source tree with one plugin, named t, which links
// no packages.
func smallTreeFiles() map[string]string {
	return map[string]string{
		"go.mod":                  "module " + modulePath + "\n\ngo 1.26.0\n",
		"plugins/abi/abi.go":      "package abi\n",
		"plugins/sdk/sdk.go":      "package sdk\n",
		"plugins/t/guest/main.go": "//go:build wasip1\n\npackage main\n\nfunc main() {}\n",
		"plugins/t/t_test.go":     "package t\n",
		"sub/folder/file":         "",
	}
}

func findBundled(t *testing.T, name string, s Sources) (module string, log string, err error) {
	t.Helper()
	var b bytes.Buffer
	s.Log = &b
	wasm, err := Bundled(context.Background(), name, s)
	return string(wasm), b.String(), err
}

func TestBundledDirectory(t *testing.T) {
	files := smallTreeFiles()
	files["mine/t.wasm"], files["other/t.wasm"], files["dist/plugins/t.wasm"] = "mine", "other", "dist"
	newTestTree(t, files)
	if got, _, err := findBundled(t, "t", Sources{Dir: "mine"}); got != "mine" {
		t.Errorf("from a directory: %q, %v", got, err)
	}
	t.Setenv(EnvDir, "other")
	if got, _, err := findBundled(t, "t", Sources{}); got != "other" {
		t.Errorf("from the environment: %q, %v", got, err)
	}
	if got, _, err := findBundled(t, "t", Sources{Dir: "mine"}); got != "mine" {
		t.Errorf("a directory before the environment: %q, %v", got, err)
	}
	// A named directory is the only place: a fallback would run another plugin than the
	// user asked for.
	_, _, err := findBundled(t, "t", Sources{Dir: "sub"})
	wantError(t, err, "t", NotFound)
}

func TestBundledDist(t *testing.T) {
	files := smallTreeFiles()
	files["dist/plugins/t.wasm"] = "dist"
	root := newTestTree(t, files)
	touch := func(name string, ahead time.Duration) {
		at := time.Now().Add(ahead)
		if err := os.Chtimes(filepath.Join(root, filepath.FromSlash(name)), at, at); err != nil {
			t.Fatal(err)
		}
	}
	touch("dist/plugins/t.wasm", time.Minute)
	t.Chdir(filepath.Join(root, "sub", "folder"))
	if got, log, err := findBundled(t, "t", Sources{Tree: root}); got != "dist" || log != "" {
		t.Errorf("from a folder below: %.8q, %q, %v", got, log, err)
	}
	touch("plugins/sdk/sdk.go", time.Hour)
	got, log, err := findBundled(t, "t", Sources{Tree: root})
	if err != nil || !strings.HasPrefix(got, "\x00asm") || !strings.Contains(log, "older than its sources") {
		t.Errorf("an old module: %.8q, %q, %v", got, log, err)
	}
}

// TestBundledBuild checks that a plugin is built the first time, and then taken from
// the cache until one of its sources changes.
func TestBundledBuild(t *testing.T) {
	root := newTestTree(t, smallTreeFiles())
	first, log, err := findBundled(t, "t", Sources{Tree: root})
	if err != nil || !strings.HasPrefix(first, "\x00asm") || !strings.Contains(log, `building plugin "t"`) {
		t.Fatalf("%.8q, %q, %v", first, log, err)
	}
	if again, log, err := findBundled(t, "t", Sources{Tree: root}); again != first || log != "" {
		t.Errorf("second time: same module %t, %q, %v", again == first, log, err)
	}
	edit := func(name, text string) {
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	edit("plugins/t/t_test.go", "package t // a test is not a source")
	if _, log, _ := findBundled(t, "t", Sources{Tree: root}); log != "" {
		t.Errorf("a changed test: %q", log)
	}
	edit("plugins/t/guest/main.go", "//go:build wasip1\n\npackage main\n\nfunc main() { nonsense }\n")
	_, _, err = findBundled(t, "t", Sources{Tree: root})
	wantError(t, err, "t", BuildFailed)
	if !strings.Contains(err.Error(), "undefined: nonsense") {
		t.Errorf("error %q does not say what the compiler said", err)
	}
}

func TestBundledNone(t *testing.T) {
	root := newTestTree(t, smallTreeFiles())
	_, _, err := findBundled(t, "nosuch", Sources{Tree: root})
	wantError(t, err, "nosuch", NotFound)
	for _, name := range []string{"", "../t", "a/b", "t.wasm"} {
		_, _, err := findBundled(t, name, Sources{Dir: root})
		wantError(t, err, name, NotFound)
	}
	t.Setenv("PATH", root)
	_, _, err = findBundled(t, "t", Sources{Tree: root})
	wantError(t, err, "t", NotFound)
	if !strings.Contains(err.Error(), "install a release ("+Releases+") or Go") || !strings.Contains(err.Error(), EnvDir) {
		t.Errorf("error %q does not say what to do", err)
	}
}

// TestBundledForgedTree checks that nothing in or above the working directory is built
// or loaded. Anybody can write a go.mod with this module's name there.
func TestBundledForgedTree(t *testing.T) {
	files := smallTreeFiles()
	files["dist/plugins/forged.wasm"], files["plugins/forged.wasm"] = "forged", "forged"
	files["plugins/forged/guest/main.go"] = files["plugins/t/guest/main.go"]
	root := newTestTree(t, files)
	for _, dir := range []string{".", "sub/folder"} {
		t.Chdir(filepath.Join(root, dir))
		for _, name := range []string{"t", "forged"} {
			got, log, err := findBundled(t, name, Sources{})
			if wantError(t, err, name, NotFound); got != "" || log != "" {
				t.Errorf("in %s: built or loaded %.8q, said %q", dir, got, log)
			}
		}
	}
}

func TestSourceTree(t *testing.T) {
	root := newTestTree(t, map[string]string{"go.mod": "module example.org/else\n", "a/file": ""})
	if got := findModuleRoot(filepath.Join(root, "a")); got != "" {
		t.Errorf("somebody else's module taken for ours: %s", got)
	}
}
