package cli

import (
	"regexp"
	"strings"
	"testing"
)

// TestTutorial runs the commands of docs/tutorial.md in order, in an empty folder. It
// checks that the command that fails prints the difference that the tutorial shows.
func TestTutorial(t *testing.T) {
	d := readDocument(t, "docs/tutorial.md")
	said := d.runAll(t, t.TempDir())
	if len(said) != 5 {
		t.Fatalf("%d blocks of commands, want 5", len(said))
	}
	for i, want := range []string{"cancel_order", "1 passed", "never: refund", "0 passed, 1 failed", "1 passed, 0 failed"} {
		if !strings.Contains(said[i], want) {
			t.Errorf("block %d lacks %q:\n%s", i+1, want, said[i])
		}
	}
	shown := regexp.MustCompile("(?s)it says why:\n\n```\n(.*?)```").FindStringSubmatch(d.text)
	if shown == nil {
		t.Fatal("the tutorial shows no difference")
	}
	for _, line := range strings.Split(strings.TrimRight(shown[1], "\n"), "\n") {
		if !strings.Contains(said[3], line+"\n") {
			t.Errorf("the tutorial shows %q, the command prints\n%s", line, said[3])
		}
	}
	if !strings.Contains(said[4], "kept  refs/cancel.yaml:") || !strings.Contains(said[4], "wrote refs/cancel.yaml") || strings.Contains(said[2], "FAIL") {
		t.Errorf("update or edit went wrong:\n%s\n%s", said[2], said[4])
	}
}
