package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestArchives checks that the same files and the same release time produce the same
// archive, and that only the program has an executable mode.
func TestArchives(t *testing.T) {
	r := &release{at: time.Unix(1_700_000_000, 0).UTC()}
	all := []member{{"boundcheck", []byte("program")}, {"LICENSE", []byte("text")}, {"completions/boundcheck.bash", []byte("x")}}
	for name, pack := range map[string]func([]member) ([]byte, error){"tar.gz": r.packTarball, "zip": r.packZip} {
		one, err := pack(all)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
		if two, _ := pack(all); !bytes.Equal(one, two) {
			t.Errorf("%s: another archive the second time", name)
		}
	}
	for name, want := range map[string]int64{"boundcheck": 0o755, "LICENSE": 0o644, "completions/boundcheck.bash": 0o644} {
		if got := memberMode(name); got != want {
			t.Errorf("%s has mode %o", name, got)
		}
	}
}

// TestNotices checks that the notices contain the licence of everything that is linked.
func TestNotices(t *testing.T) {
	text, err := joinLicenses()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Go (runtime", "github.com/tetratelabs/wazero v", "modernc.org/sqlite v", "github.com/klauspost/compress v", "Apache License", "Redistribution and use"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the notices lack %q", want)
		}
	}
	if strings.Contains(string(text), "\n"+module+" ") {
		t.Error("our own module is listed as somebody else's")
	}
}

// TestFormulas checks that the formulas name each archive with its hash.
func TestFormulas(t *testing.T) {
	r := &release{version: "v1.2.3", out: t.TempDir(), targets: []target{{"linux", "arm64"}, {"darwin", "arm64"}, {"windows", "amd64"}}}
	for _, x := range r.targets {
		ending := map[bool]string{true: ".zip", false: ".tar.gz"}[x.os == "windows"]
		if err := os.WriteFile(filepath.Join(r.out, r.fileName(x, ending)), []byte(x.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.writeFormulas(); err != nil {
		t.Fatal(err)
	}
	brew, _ := os.ReadFile(filepath.Join(r.out, "boundcheck.rb"))
	for _, x := range r.targets[:2] {
		if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(x.String()))); !strings.Contains(string(brew), sum) {
			t.Errorf("the formula lacks the hash of %s:\n%s", x, brew)
		}
	}
	scoop, _ := os.ReadFile(filepath.Join(r.out, "boundcheck.json"))
	var manifest struct {
		Version      string
		Architecture map[string]struct{ URL, Hash string }
	}
	if err := json.Unmarshal(scoop, &manifest); err != nil || manifest.Version != "1.2.3" || len(manifest.Architecture) != 1 ||
		!strings.HasSuffix(manifest.Architecture["64bit"].URL, "/v1.2.3/boundcheck_1.2.3_windows_amd64.zip") {
		t.Errorf("%v\n%s", err, scoop)
	}
}

// TestReleased tests the released program from the archive that BOUNDCHECK_RELEASE names.
// The program runs in an empty folder, without Go, and HOME is its only environment
// variable.
func TestReleased(t *testing.T) {
	archive := os.Getenv("BOUNDCHECK_RELEASE")
	if archive == "" {
		t.Skip("SKIPPED: no BOUNDCHECK_RELEASE; make release-test tries a released program")
	}
	p := unpackArchive(t, archive)
	for _, c := range tryCases() {
		out, err := p.runProgram(c.stdin, c.args...)
		if err != nil || !strings.Contains(out, c.want) {
			t.Errorf("boundcheck %s: %v, want %q in\n%.2000s", strings.Join(c.args, " "), err, c.want, out)
			continue
		}
		t.Logf("%-50.50s %s", strings.Join(c.args, " "), "as wanted")
	}
	t.Run("serve", func(t *testing.T) { p.servesPage(t) })
	t.Run("gate", func(t *testing.T) { p.runsGate(t) })
	if size := p.archiveSize(t, archive); size > 16<<20 {
		t.Errorf("the archive has %d bytes, want at most 16 MiB", size)
	}
	p.startsQuickly(t)
}

// try is a command line and a text that its output must contain.
type try struct {
	stdin string
	args  []string
	want  string
}

func tryCases() []try {
	const calls = `[{"name":"get_order","arguments":{"order_id":"W-7"}},{"name":"cancel_order","arguments":{"order_id":"W-7"}}]`
	const hook = `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf build"},"tool_use_id":"t1"}`
	return []try{
		{"", []string{"--version"}, "playground page and plugins included"},
		{"", []string{"version"}, `"wire":1`},
		{calls, []string{"score", "-", "--reference", "reference.txt"}, "ABS (max)"},
		{calls, []string{"score", "-", "--format", "html"}, "<!doctype html>"},
		{"", []string{"score", "tau.json", "--env-data", "env", "--plugin", "taubench", "--format", "json"}, `"plugins":[{"name":"taubench"`},
		{calls, []string{"lint", "-"}, "cancel_order"},
		{calls, []string{"convert", "--to", "generic", "-"}, "cancel_order"},
		{"", []string{"explain", "ABS"}, "boundary"},
		{`{"tool":"cancel_order","arguments":{"order_id":"W-7"}}`, []string{"check", "-"}, "confirm"},
		{`[{"name":"cancel_order"}]`, []string{"tools", "classify", "-"}, "cancel_order"},
		{"", []string{"prompt", "list"}, "ebp-full"},
		{"", []string{"prompt", "ebp", "--variant", "checklist"}, "Check where you start"},
		{"", []string{"plugin", "list"}, "webarena"},
		{"", []string{"plugin", "verify", "taubench"}, "taubench"},
		{hook, []string{"hook", "claude-code"}, `"ask"`},
		{"", []string{"completion", "bash"}, "complete -o"},
		{calls, []string{"reference", "new", "-"}, "cancel_order"},
		{"", []string{"reference", "check", "reference.txt"}, "steps"},
		{`{"log":[{"toolName":"get_order","input":{}}]}`, []string{"map", "-"}, "toolName"},
		{"", []string{"audit", "key"}, "ed25519"},
	}
}

// place is a folder that holds the program and its inputs, and nothing else.
type place struct{ dir string }

func unpackArchive(t *testing.T, archive string) place {
	t.Helper()
	data, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	gz, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	p := place{t.TempDir()}
	names := map[string]bool{}
	for r := tar.NewReader(gz); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		names[h.Name] = true
		if h.Name == "boundcheck" {
			p.writeFile(t, "bin/boundcheck", r, 0o755)
		}
	}
	for _, want := range []string{"boundcheck", "LICENSE", "README.md", "THIRD_PARTY_NOTICES.txt", "completions/boundcheck.bash", "completions/boundcheck.fish", "completions/_boundcheck", "man/boundcheck.1"} {
		if !names[want] {
			t.Errorf("the archive has no %s", want)
		}
	}
	p.writeFile(t, "reference.txt", strings.NewReader("get_order(order_id=\"W-7\")\ncancel_order(order_id=\"W-7\")\n"), 0o644)
	trace, err := os.Open("../../testdata/traces/tau-bench.json")
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	p.writeFile(t, "tau.json", trace, 0o644)
	if err := os.CopyFS(filepath.Join(p.dir, "env"), os.DirFS("../../plugins/taubench/testdata/env")); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p place) writeFile(t *testing.T, name string, from io.Reader, mode os.FileMode) {
	t.Helper()
	data, err := io.ReadAll(from)
	path := filepath.Join(p.dir, name)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(path, data, mode)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// newCommand returns a command that runs the program in the empty folder. HOME is the
// only environment variable of the command.
func (p place) newCommand(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(p.dir, "bin", "boundcheck"), args...)
	cmd.Dir, cmd.Env = p.dir, []string{"HOME=" + filepath.Join(p.dir, "home")}
	return cmd
}

func (p place) runProgram(stdin string, args ...string) (string, error) {
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
	defer stop()
	cmd := p.newCommand(ctx, args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// startServer runs a server until the test ends, and returns the address that the server
// prints.
func (p place) startServer(t *testing.T, args ...string) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	cmd := p.newCommand(ctx, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var trouble bytes.Buffer
	cmd.Stderr = &trouble
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); cmd.Wait() })
	said := ""
	buffer := make([]byte, 4096)
	for !strings.Contains(said, "http://") || !strings.Contains(said[strings.Index(said, "http://"):], "\n") {
		n, err := out.Read(buffer)
		said += string(buffer[:n])
		if err != nil {
			t.Fatalf("%q ended: %v\n%s%s", args, err, said, &trouble)
		}
	}
	go io.Copy(io.Discard, out)
	from := said[strings.Index(said, "http://"):]
	return strings.TrimRight(strings.FieldsFunc(from, func(c rune) bool { return strings.ContainsRune(" \n\"", c) })[0], "/")
}

func getBody(t *testing.T, url string) []byte {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != 200 {
		t.Errorf("%s: %d, %v", url, r.StatusCode, err)
	}
	return b
}

// servesPage checks that a server delivers the page, the core, the documentation and each
// plugin of the catalog.
func (p place) servesPage(t *testing.T) {
	url := p.startServer(t, "serve", "--addr", "localhost:0")
	for path, want := range map[string]string{"/": "<title>", "/npm/boundcheck.wasm": "\x00asm", "/npm/seldom.wasm": "\x00asm", "/app.js": "scoreView", "/healthz": `"ok":true`, "/examples.json": "notify_finance",
		"/docs/": "First golden trace", "/docs/formats.html": "openai-chat", "/docs/pictures/abs.svg": "<svg", "/docs/report.schema.json": "boundcheck.report/1"} {
		if body := getBody(t, url+path); !strings.Contains(string(body), want) {
			t.Errorf("%s lacks %q", path, want)
		}
	}
	var catalog struct {
		Modules []struct{ File, SHA256 string }
	}
	if err := json.Unmarshal(getBody(t, url+"/plugins/catalog.json"), &catalog); err != nil || len(catalog.Modules) == 0 {
		t.Fatal(err, catalog)
	}
	for _, m := range catalog.Modules {
		if sum := fmt.Sprintf("%x", sha256.Sum256(getBody(t, url+"/plugins/"+m.File))); sum != m.SHA256 {
			t.Errorf("%s is served with hash %s, the catalog says %s", m.File, sum, m.SHA256)
		}
	}
}

func (p place) runsGate(t *testing.T) {
	url := p.startServer(t, "gate", "--dev", "--addr", "localhost:0")
	if body := getBody(t, url+"/healthz"); !strings.Contains(string(body), `"ok":true`) {
		t.Errorf("the gate says %s", body)
	}
}

func (p place) archiveSize(t *testing.T, archive string) int64 {
	info, err := os.Stat(archive)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Stat(filepath.Join(p.dir, "bin", "boundcheck"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("archive %.2f MB, program %.2f MB", float64(info.Size())/1e6, float64(program.Size())/1e6)
	return info.Size()
}

// startsQuickly starts the program twenty times and checks the shortest time. The longer
// times do not count, because other programs use the machine too.
func (p place) startsQuickly(t *testing.T) {
	best := time.Hour
	for range 20 {
		begun := time.Now()
		if _, err := p.runProgram("", "--version"); err != nil {
			t.Fatal(err)
		}
		best = min(best, time.Since(begun))
	}
	t.Logf("start-up %v", best)
	if best > 200*time.Millisecond {
		t.Errorf("the program needs %v to start", best)
	}
}
