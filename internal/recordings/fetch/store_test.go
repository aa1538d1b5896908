package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/recordings"
)

// writeList writes a data.md with one section that downloads from a server, and returns
// its path.
func writeList(t *testing.T, server string, rows ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data.md")
	text := "# Runs\n\nDownload: `" + server + "/raw/`\n\n| file | path at the source | bytes | sha256 |\n|---|---|---:|---|\n" + strings.Join(rows, "\n") + "\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func listRow(name, source, body string) string {
	if source != "–" {
		source = "`" + source + "`"
	}
	return fmt.Sprintf("| `%s` | %s | %d | `%x` |", name, source, len(body), sha256.Sum256([]byte(body)))
}

func readText(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestFetchesWhatIsMissing(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.URL.Path != "/raw/a/one two.json" {
			t.Errorf("the server was asked for %s", r.URL.Path)
		}
		fmt.Fprint(w, "first")
	}))
	defer server.Close()
	dir := filepath.Join(t.TempDir(), "new", "data")
	path := writeList(t, server.URL, listRow("runs/one.json", "a/one two.json", "first"), listRow("runs/private.json", "–", "kept aside"))
	for range 2 { // the second time there is no request
		if code := run(context.Background(), path, dir); code != 0 {
			t.Fatalf("exit %d", code)
		}
		if got := readText(t, filepath.Join(dir, "runs", "one.json")); got != "first" {
			t.Fatalf("fetched %q", got)
		}
	}
	if asked.Load() != 1 {
		t.Errorf("the server was asked %d times, want once", asked.Load())
	}
}

// TestRefusesOtherBytes checks a download from a server that does not send the listed
// bytes. The old file must stay unchanged, and no temporary file may be left in the
// folder.
func TestRefusesOtherBytes(t *testing.T) {
	answers := map[string]http.HandlerFunc{
		"other bytes": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "fir5t") },
		"too long":    func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "first and more") },
		"cut off":     func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "fir") },
		"missing":     http.NotFound,
		"refused":     func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusForbidden) },
		"broken":      func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(answer)
			defer server.Close()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "one.json"), []byte("older"), 0o644); err != nil {
				t.Fatal(err)
			}
			s := store{dir: dir, client: &http.Client{Timeout: 10 * time.Second}, tries: 2, wait: time.Millisecond}
			results := s.fetchFiles(context.Background(), readFileList(t, writeList(t, server.URL, listRow("one.json", "one.json", "first"))))
			var said strings.Builder
			if code := printReport(&said, results); code != 1 || !strings.Contains(said.String(), "FAILED  one.json: ") {
				t.Errorf("exit %d:\n%s", code, &said)
			}
			entries, _ := os.ReadDir(dir)
			if got := readText(t, filepath.Join(dir, "one.json")); got != "older" || len(entries) != 1 {
				t.Errorf("the folder holds %v, the file %q", entries, got)
			}
		})
	}
}

func readFileList(t *testing.T, path string) []recordings.File {
	t.Helper()
	all, err := recordings.ReadList(readText(t, path))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTriesAgain(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) < 3 {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, "first")
	}))
	defer server.Close()
	s := store{dir: t.TempDir(), client: &http.Client{Timeout: 10 * time.Second}, tries: 3, wait: time.Millisecond}
	if got := s.fetchFiles(context.Background(), readFileList(t, writeList(t, server.URL, listRow("one.json", "one.json", "first")))); got[0].state != fetched {
		t.Errorf("%+v", got[0])
	}
}

// TestReplacesAndKeeps checks that a public file with other bytes is replaced. A file
// with other bytes that is not public must be kept and reported.
func TestReplacesAndKeeps(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "first") }))
	defer server.Close()
	dir := t.TempDir()
	for _, name := range []string{"one.json", "own.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("changed"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := store{dir: dir, client: &http.Client{Timeout: 10 * time.Second}, tries: 1}
	results := s.fetchFiles(context.Background(), readFileList(t, writeList(t, server.URL, listRow("one.json", "one.json", "first"), listRow("own.json", "–", "private"))))
	var said strings.Builder
	code := printReport(&said, results)
	if code != 1 || !strings.Contains(said.String(), "DIFFERS own.json: the file's sha256 is ") || !strings.Contains(said.String(), "1 fetched") {
		t.Errorf("exit %d:\n%s", code, &said)
	}
	if one, own := readText(t, filepath.Join(dir, "one.json")), readText(t, filepath.Join(dir, "own.json")); one != "first" || own != "changed" {
		t.Errorf("one %q, own %q", one, own)
	}
}

func TestCancelled(t *testing.T) {
	asked := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	}))
	defer server.Close()
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-asked
		cancel()
	}()
	s := store{dir: t.TempDir(), client: &http.Client{Timeout: time.Minute}, tries: 3, wait: time.Hour}
	if got := s.fetchFiles(ctx, readFileList(t, writeList(t, server.URL, listRow("one.json", "one.json", "first")))); got[0].state != failed {
		t.Errorf("%+v", got[0])
	}
}
