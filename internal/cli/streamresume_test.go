package cli

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// mixedRows returns rows of every kind:
//
//   - several trials of a task
//   - runs without a name
//   - rows that contain several runs
//   - rows that cause warnings or errors
func mixedRows(t *testing.T) []string {
	rows := clitest.TauRows(t, 4)
	for i := range 12 {
		rows = append(rows, `{"actions":[{"name":"pay","arguments":{"id":1}},17]}`, `oops`,
			`{"trajectories":[{"id":"x","actions":[]},{"id":"y","actions":[{"name":"pay"}]},{"actions":[]}]}`)
		if i%3 == 0 {
			rows = append(rows, clitest.TauRows(t, 1)...)
		}
	}
	return rows
}

// TestResumeAfterEveryCut checks that --resume produces the bytes of an uninterrupted run,
// wherever the run was killed.
func TestResumeAfterEveryCut(t *testing.T) {
	rows := mixedRows(t)
	check := func(name string, files ...string) {
		t.Helper()
		dir := t.TempDir()
		whole, out := filepath.Join(dir, "whole"), filepath.Join(dir, "out")
		args := append([]string{"score", "--stream", "--seed", "7"}, files...)
		if code, _, errs := runCommand("", append(args, "--out", whole)...); code != cmd.ExitInput {
			t.Fatalf("%s: exit %d %s", name, code, errs)
		}
		want, _ := os.ReadFile(whole)
		random := rand.New(rand.NewPCG(5, 6))
		for range 60 {
			cut := random.IntN(len(want) + 1)
			text := bytes.Clone(want[:cut])
			if i := bytes.LastIndexByte(text, '\n'); i >= 0 && random.IntN(2) == 0 { // cut at a line end, as after Ctrl-C
				text = append(text[:i+1], `{"partial":true,"reason":"interrupted"}`+"\n"...)
			}
			os.WriteFile(out, text, 0o644)
			code, stdout, errs := runCommand("", append(args, "--out", out, "--resume")...)
			got, _ := os.ReadFile(out)
			if code != cmd.ExitInput || stdout != "" || !bytes.Equal(got, want) {
				t.Fatalf("%s: cut at %d of %d: exit %d, %s\n%d bytes, want %d", name, cut, len(want), code, errs, len(got), len(want))
			}
		}
	}
	list := "[" + strings.ReplaceAll(strings.Join(rows, ",\n"), "oops", "17") + "]"
	a, b := clitest.WriteTemp(t, "a.jsonl", clitest.JoinLines(rows)), clitest.WriteTemp(t, "b.json", list)
	check("JSONL", a)
	check("list", b)
	check("several", a, b, a)
}

func TestResumeRefuses(t *testing.T) {
	rows := mixedRows(t)
	file, other := clitest.WriteTemp(t, "a.jsonl", clitest.JoinLines(rows)), clitest.WriteTemp(t, "b.jsonl", clitest.JoinLines(rows))
	ref := clitest.WriteTemp(t, "reference.txt", "pay\n")
	begun := func() string {
		out := filepath.Join(t.TempDir(), "out")
		runCommand("", "score", "--stream", file, "--out", out)
		text, _ := os.ReadFile(out)
		os.WriteFile(out, text[:len(text)/2], 0o644)
		return out
	}
	check := func(out, part string, args ...string) {
		t.Helper()
		before, _ := os.ReadFile(out)
		code, _, errs := runCommand("", append([]string{"score", "--stream", "--out", out}, args...)...)
		after, _ := os.ReadFile(out)
		if code != cmd.ExitInput || !strings.Contains(errs, part) {
			t.Errorf("%v: exit %d, want %q: %s", args, code, part, errs)
		}
		if part != "from another input" && !bytes.Equal(before, after) {
			t.Errorf("%v: FILE was changed", args)
		}
	}
	check(begun(), "was made from", "--resume", other)
	check(begun(), "was made from", "--resume", file, file)
	check(begun(), "--profile auto", "--resume", file, "--profile", "sop")
	check(begun(), "--seed 42", "--resume", file, "--seed", "1")
	check(begun(), "another --reference", "--resume", file, "--reference", ref)
	check(begun(), "add --resume", file)
	check(clitest.WriteTemp(t, "notes.txt", "my notes\n"), "not the output of boundcheck score --stream", "--resume", file)
	check(clitest.WriteTemp(t, "notes.txt", "my notes"), "not the output of boundcheck score --stream", "--resume", file)

	out := begun() // the input changed, but not its size
	text, _ := os.ReadFile(file)
	os.WriteFile(file, append([]byte("\n"), bytes.Replace(text, []byte("\n"), nil, 1)...), 0o644)
	check(out, "from another input", "--resume", file)

	out = begun()
	text, _ = os.ReadFile(out)
	lines := bytes.SplitAfter(text, []byte("\n"))
	lines[1] = []byte("{\"id\":\n")
	os.WriteFile(out, bytes.Join(lines, nil), 0o644)
	check(out, "line 2 is damaged", "--resume", file)
}

// TestOutBegins checks that --out FILE creates a missing file, and overwrites the output
// of a complete run.
func TestOutBegins(t *testing.T) {
	file, out := clitest.WriteTemp(t, "a.jsonl", clitest.JoinLines(clitest.TauRows(t, 2))), filepath.Join(t.TempDir(), "out")
	for _, flag := range []string{"--resume=true", "--resume=false", "--resume=true"} {
		code, stdout, errs := runCommand("", "score", "--stream", file, "--out", out, flag)
		text, _ := os.ReadFile(out)
		if code != 0 || stdout != "" || !bytes.HasPrefix(text, []byte(`{"stream":{"schema":`)) || !bytes.HasSuffix(text, []byte("\"partial\":false}\n")) {
			t.Errorf("%s: exit %d, %s\n%s", flag, code, errs, text)
		}
	}
}
