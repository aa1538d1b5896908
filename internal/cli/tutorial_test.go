package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTutorial runs the commands of docs/tutorial.md in an empty folder, in order, and
// wants of the red one what the text shows.
func TestTutorial(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("SKIPPED: no bash to run the tutorial's commands with")
	}
	text, err := os.ReadFile("../../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	bin, dir := t.TempDir(), t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "boundcheck"), "../../cmd/boundcheck").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	said := []string{}
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		cmd := exec.Command("bash", "-eu", "-o", "pipefail", "-c", block[1])
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v in\n%s\n%s", err, block[1], out)
		}
		said = append(said, string(out))
	}
	if len(said) != 5 {
		t.Fatalf("%d blocks of commands, want 5", len(said))
	}
	for i, want := range []string{"cancel_order", "1 passed", "never: refund", "0 passed, 1 failed", "1 passed, 0 failed"} {
		if !strings.Contains(said[i], want) {
			t.Errorf("block %d lacks %q:\n%s", i+1, want, said[i])
		}
	}
	shown := regexp.MustCompile("(?s)it says why:\n\n```\n(.*?)```").FindStringSubmatch(string(text))
	if shown == nil {
		t.Fatal("the tutorial shows no difference")
	}
	for _, line := range strings.Split(strings.TrimRight(shown[1], "\n"), "\n") {
		if !strings.Contains(said[3], line+"\n") {
			t.Errorf("the tutorial shows %q, the command prints\n%s", line, said[3])
		}
	}
	if !strings.Contains(said[4], "wrote refs/cancel.yaml") || strings.Contains(said[2], "FAIL") {
		t.Errorf("update or edit went wrong:\n%s\n%s", said[2], said[4])
	}
}
