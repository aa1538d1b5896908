//go:build linux

package readcmd

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEverywhereReal runs generated lines that pass in every shell of this machine, with
// programs that leave a file behind if a line starts something else.
func TestEverywhereReal(t *testing.T) {
	bin, work := t.TempDir(), t.TempDir()
	mark := filepath.Join(bin, "mark")
	for _, name := range []string{"ls", "cat", "grep", "head", "wc"} {
		writeProgram(t, bin, name, "exit 0")
	}
	writeProgram(t, bin, "sort", `for w in "$@"; do case "$w" in -o*) echo sort "$@" >> `+mark+`;; esac; done`)
	for _, name := range []string{"rm", "del", "x", "y"} {
		writeProgram(t, bin, name, "echo "+name+` "$@" >> `+mark)
	}
	if err := os.WriteFile(filepath.Join(work, "in"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	g := lineMaker{rand.New(rand.NewPCG(42, 2))}
	var lines []string
	for len(lines) < 200 {
		if line := g.line(); readsEverywhere(line) {
			lines = append(lines, strings.ReplaceAll(line, "'", `'\''`))
		}
	}
	script := "eval '" + strings.Join(lines, "' </dev/null 2>/dev/null\neval '") + "'\n:"
	for _, shell := range []string{"sh", "bash", "zsh"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("SKIPPED: no %s here; lines were not run in it", shell)
			continue
		}
		cmd := exec.Command(path, "-c", script)
		cmd.Dir, cmd.Env = work, []string{"PATH=" + bin, "x=a -o y"}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Logf("%s: %v: %.300s", shell, err, out)
		}
		if found, err := os.ReadFile(mark); err == nil {
			t.Errorf("%s started %s", shell, found)
		}
		if files, err := os.ReadDir(work); err != nil || len(files) != 1 {
			t.Errorf("%s wrote %v (%v)", shell, files, err)
		}
	}
}

func writeProgram(t *testing.T, dir, name, body string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}
