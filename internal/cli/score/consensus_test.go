package score

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
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
		if got := Consensus(args, strings.NewReader(""), &out, &errs); got != code || !strings.Contains(out.String()+errs.String(), says) {
			t.Errorf("%v: %d %s%s, want %d and %q", args, got, out.String(), errs.String(), code, says)
		}
	}
	check(cmd.ExitOK, "1 task with several runs: 0 where all runs made the same changes, 1 where more than half made the same changes", path)
	check(cmd.ExitOK, `first difference: this group does cancel_order {"id":"W-2"} (action 1); the largest group does cancel_order {"id":"W-1"} (action 1)`, path)
	check(cmd.ExitOK, `"task":"t1"`, "--format", "json", path)
	check(cmd.ExitUsage, "unknown --format", "--format", "xml", path)
	check(cmd.ExitOK, "usage: boundcheck consensus", "--help")
	single := filepath.Join(t.TempDir(), "one.json")
	if err := os.WriteFile(single, []byte(`[`+cancel("W-1")+`]`), 0o600); err != nil {
		t.Fatal(err)
	}
	check(cmd.ExitOK, "nothing to compare", single)
}

// TestReferenceFromConsensus checks that --reference-from consensus compares each run
// with the changes that most other runs of its task made. The report must say how many
// runs made these changes.
func TestReferenceFromConsensus(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.json")
	cancel := func(id string) string {
		return `{"task":"t1","actions":[{"name":"cancel_order","arguments":{"id":"` + id + `"}}]}`
	}
	clitest.WriteFile(t, path, `[`+cancel("W-1")+`,`+cancel("W-1")+`,`+cancel("W-1")+`,`+cancel("W-2")+`]`)
	check := func(code int, says string, args ...string) {
		t.Helper()
		if got, out, errs := runCommand("", args...); got != code || !strings.Contains(out+errs, says) {
			t.Errorf("%v: %d %s%s, want %d and %q", args, got, out, errs, code, says)
		}
	}
	check(0, `"support":{"agree":3,"of":3,"run":`, "score", path, "--reference-from", "consensus", "--format", "json")
	check(0, "4 of 4 runs are compared with the changes that most other runs of the same task made", "score", path, "--reference-from", "consensus")
	check(0, "1 of 4 runs are compared", "score", path, "--reference-from", "consensus=0.9")
	check(2, "want consensus, or consensus=SHARE with a SHARE from 0.5 to 1", "score", path, "--reference-from", "consensus=2")
	check(2, "--stream cannot be used with --reference-from consensus", "score", path, "--stream", "--reference-from", "consensus")
	check(2, "give one reference for both", "compare", path, "--reference-from", "consensus", "--", path)
	check(1, "./consensus: ", "score", path, "--reference-from", "./consensus")
}
