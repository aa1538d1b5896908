package cli

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestCompletion checks that the completions of each shell and the manual page contain
// every command, and every flag in the usage text of the command.
func TestCompletion(t *testing.T) {
	for _, form := range []string{"bash", "zsh", "fish", "man"} {
		var out, trouble bytes.Buffer
		if code := Run([]string{"completion", form}, nil, &out, &trouble); code != cmd.ExitOK {
			t.Fatal(form, code, trouble.String())
		}
		for _, c := range allCommands() {
			if !strings.Contains(out.String(), c.name) {
				t.Errorf("%s does not name %s", form, c.name)
			}
			for _, f := range flagsOf(c) {
				if !strings.Contains(strings.ReplaceAll(out.String(), `\-`, "-"), strings.TrimLeft(f, "-")) {
					t.Errorf("%s of %s does not name %s", form, c.name, f)
				}
			}
		}
		if sh, err := exec.LookPath(form); err == nil && form == "bash" {
			cmd := exec.Command(sh, "-c", out.String()+"\nCOMP_WORDS=(boundcheck score --fail-u) COMP_CWORD=2; _boundcheck; echo ${COMPREPLY[@]}")
			if got, err := cmd.CombinedOutput(); strings.TrimSpace(string(got)) != "--fail-under" {
				t.Errorf("bash completes to %q, %v", got, err)
			}
		}
	}
	score := allCommands()[slices.IndexFunc(allCommands(), func(c command) bool { return c.name == "score" })]
	if flags := flagsOf(score); len(flags) < 25 || !slices.Contains(flags, "--reference") {
		t.Errorf("flags of score: %q", flags)
	}
}

func TestVersionFlag(t *testing.T) {
	for _, flag := range []string{"--version", "-v", "-V"} {
		var out bytes.Buffer
		if code := Run([]string{flag}, nil, &out, &out); code != cmd.ExitOK || !strings.HasPrefix(out.String(), "boundcheck ") || strings.Count(out.String(), "\n") != 1 {
			t.Errorf("%s: %d %q", flag, code, out.String())
		}
	}
}
