package cli

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// TestReadme runs every command of the README. It builds the command only once, and
// starts the server on a port of its own.
func TestReadme(t *testing.T) {
	d := readDocument(t, "README.md")
	url := serveForTest(t, d.command)
	ran := 0
	for _, block := range d.codeBlocks("sh") {
		script := strings.ReplaceAll(block, "go run ./cmd/boundcheck", d.command)
		script = strings.ReplaceAll(script, "http://localhost:8080", url)
		if strings.HasPrefix(script, "make ") { // make test is what runs now, and make run has a test of its own
			continue
		}
		if strings.HasPrefix(script, "curl") {
			if _, err := exec.LookPath("curl"); err != nil {
				t.Run("curl", func(t *testing.T) { t.Skip("SKIPPED: no curl on PATH, one command of the README was NOT run") })
				continue
			}
		}
		out, err := d.runScript("../..", script)
		if err != nil || out == "" || strings.Contains(out, `"error":`) {
			t.Errorf("the README's command failed: %v\n%s\n%s", err, block, out)
		}
		ran++
	}
	if ran < 4 {
		t.Errorf("only %d commands were run", ran)
	}
}

// TestRecordedResults compares the table of 200 recorded runs in docs/results.md with
// the command's output.
func TestRecordedResults(t *testing.T) {
	path := recordings.Path(t, "tau-bench/gpt-4o-airline.json")
	text, err := os.ReadFile("../../docs/results.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```\n(tau-bench · 200 .*?)```").FindStringSubmatch(string(text))
	if shown == nil {
		t.Fatal("docs/results.md has no table of the 200 runs")
	}
	code, out, errs := runCommand("", "score", path)
	if code != cmd.ExitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	head, _, _ := strings.Cut(out, "\n")
	table := regexp.MustCompile(`(?s)\n(  corpus .*?\n)\n`).FindStringSubmatch(out) // the text after the runs and before the warnings
	if table == nil {
		t.Fatalf("the command prints no figures:\n%s", out)
	}
	t.Logf("\n%s\n%s", head, table[1])
	if got := head + "\n" + table[1]; got != shown[1] {
		t.Errorf("the command prints\n%s\nthe document shows\n%s", got, shown[1])
	}
}

// serveForTest starts the built command's server on a free port.
func serveForTest(t *testing.T, command string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, command, "serve", "--addr", "localhost:0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); cmd.Wait() })
	line := make([]byte, 4096)
	n, _ := out.Read(line)
	url := regexp.MustCompile(`http://[^ ]+`).FindString(string(line[:n]))
	if url == "" {
		t.Fatalf("the server said %q", line[:n])
	}
	return strings.TrimSuffix(url, "/")
}
