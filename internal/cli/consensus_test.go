package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConsensusCommand(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.json")
	cancel := func(id string) string { return `{"name":"cancel_order","arguments":{"id":"` + id + `"}}` }
	text := `[{"task":"t1","actions":[` + cancel("W-1") + `]},{"task":"t1","actions":[` + cancel("W-1") + `]},{"task":"t1","actions":[` + cancel("W-2") + `]}]`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	check := func(code int, says string, args ...string) {
		t.Helper()
		var out, errs strings.Builder
		if got := consensusCommand(args, strings.NewReader(""), &out, &errs); got != code || !strings.Contains(out.String()+errs.String(), says) {
			t.Errorf("%v: %d %s%s, want %d and %q", args, got, out.String(), errs.String(), code, says)
		}
	}
	check(exitOK, "1 task with several runs: in 0 all changed the same, in 1 more than half did", path)
	check(exitOK, `parts where it does cancel_order {"id":"W-2"} (action 1), and the largest group does cancel_order {"id":"W-1"} (action 1)`, path)
	check(exitOK, `"task":"t1"`, "--format", "json", path)
	check(exitUsage, "unknown --format", "--format", "xml", path)
	check(exitOK, "usage: boundcheck consensus", "--help")
	single := filepath.Join(t.TempDir(), "one.json")
	if err := os.WriteFile(single, []byte(`[`+cancel("W-1")+`]`), 0o600); err != nil {
		t.Fatal(err)
	}
	check(exitOK, "nothing to compare", single)
}
