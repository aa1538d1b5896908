package recordings

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// fake is a test that records why it was skipped or failed.
type fake struct {
	testing.TB
	skipped, failed string
}

func (f *fake) Helper()                      {}
func (f *fake) Skipf(form string, a ...any)  { f.skipped = fmt.Sprintf(form, a...); runtime.Goexit() }
func (f *fake) Fatalf(form string, a ...any) { f.failed = fmt.Sprintf(form, a...); runtime.Goexit() }

// runFake calls run with a fake test and returns the fake test. The function run may skip
// or fail the fake test.
func runFake(run func(t testing.TB)) *fake {
	f := &fake{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		run(f)
	}()
	<-done
	return f
}

func TestDir(t *testing.T) {
	root := Root()
	if _, err := os.Stat(filepath.Join(root, "core", "core.go")); err != nil {
		t.Fatalf("Root is %s: %v", root, err)
	}
	absolute := t.TempDir()
	for value, want := range map[string]string{
		"":          filepath.Join(filepath.Dir(root), "shared", "data"),
		"data/runs": filepath.Join(root, "data", "runs"),
		"../x":      filepath.Join(filepath.Dir(root), "x"),
		absolute:    absolute,
	} {
		t.Setenv(Variable, value)
		if got := Dir(); got != want {
			t.Errorf("%s=%q: %s, want %s", Variable, value, got, want)
		}
	}
}

func TestSkipsAndFails(t *testing.T) {
	const known = "tau-bench/gpt-4o-airline.json"
	dir := t.TempDir()
	t.Setenv(Variable, dir)
	if f := runFake(func(t testing.TB) { Read(t, known) }); !strings.Contains(f.skipped, known+" is not in "+dir) {
		t.Errorf("an absent file: skipped %q, failed %q", f.skipped, f.failed)
	}
	if f := runFake(func(t testing.TB) { Glob(t, "tau2/*.json") }); f.skipped == "" {
		t.Errorf("no file matches: failed %q", f.failed)
	}
	if f := runFake(func(t testing.TB) { Read(t, "tau-bench/unlisted.json") }); !strings.Contains(f.failed, "does not list tau-bench/unlisted.json") {
		t.Errorf("an unlisted file: skipped %q, failed %q", f.skipped, f.failed)
	}
	t.Setenv(Variable, filepath.Join(dir, "nowhere"))
	if f := runFake(func(t testing.TB) { Read(t, known) }); !strings.Contains(f.failed, Variable+" names a folder that does not exist") {
		t.Errorf("a folder that is not there: skipped %q, failed %q", f.skipped, f.failed)
	}
}

func TestFinds(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(Variable, dir)
	for _, name := range []string{"tau2/azure-airline-full.json", "tau2/own.json", "tau2/whissle_airline_run1.json"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := Glob(t, "tau2/*.json"); fmt.Sprint(got) != "[tau2/azure-airline-full.json tau2/whissle_airline_run1.json]" {
		t.Errorf("Glob finds %v; want the two listed files", got)
	}
	if got := string(Read(t, "tau2/azure-airline-full.json")); got != "tau2/azure-airline-full.json" {
		t.Errorf("Read returns %q", got)
	}
	if got := Path(t, "tau2"); got != filepath.Join(dir, "tau2") {
		t.Errorf("Path of a folder is %s", got)
	}
}

// TestOwnList checks that docs/data.md can be read, and that all files are downloaded
// over https.
func TestOwnList(t *testing.T) {
	files, err := list()
	if err != nil {
		t.Fatal(err)
	}
	public := 0
	for _, f := range files {
		if f.URL != "" {
			public++
		}
		if f.URL != "" && !strings.HasPrefix(f.URL, "https://") {
			t.Errorf("%s comes from %s", f.Name, f.URL)
		}
	}
	if len(files) < 140 || public < 35 {
		t.Errorf("%d files, %d public", len(files), public)
	}
}

func TestReadListRefuses(t *testing.T) {
	sum := strings.Repeat("0a", 32)
	good := "| `a.json` | `x/a b.json` | 1,024 | `" + sum + "` |"
	files, err := ReadList("Download: `https://host.example/at/`\n" + good)
	if err != nil || len(files) != 1 || files[0] != (File{"a.json", 1024, sum, "https://host.example/at/x/a%20b.json"}) {
		t.Fatalf("%+v, %v", files, err)
	}
	for text, want := range map[string]string{
		good: "line 1: a row with a path at the source needs a line above it",
		"Download: `https://host.example/`\n# Next\n" + good:        "line 3: a row with a path at the source needs a line above it",
		"| `a.json` | – | many | `" + sum + "` |":                   "the row must have four columns",
		"| `a.json` | – | 1 | `" + sum[1:] + "` |":                  "the row must have four columns",
		"| `../a.json` | – | 1 | `" + sum + "` |":                   "stays below the folder",
		"| `/a.json` | – | 1 | `" + sum + "` |":                     "stays below the folder",
		"| `a/../b` | – | 1 | `" + sum + "` |":                      "stays below the folder",
		"| `..\\a` | – | 1 | `" + sum + "` |":                       "stays below the folder",
		strings.Repeat("| `a.json` | – | 1 | `"+sum+"` |\n", 2):     "line 2: this file is listed twice",
		"| `a.json` | – | 99999999999999999999 | `" + sum + "` |\n": "the row must have four columns",
	} {
		if _, err := ReadList(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
}
