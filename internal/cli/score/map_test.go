package score

import (
	"os"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestMapIsHeldToTheText checks that a mapping that leaves out calls, or joins records, is
// said to do so, and that runs read with it are never called fine.
func TestMapIsHeldToTheText(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"table.jsonl": `{"q":"x","did":"[{\"tool\":\"find_a\",\"args\":{\"n\":1}}]"}` + "\n" + `{"q":"y","did":"[{\"tool\":\"find_b\",\"args\":{}}]"}` + "\n",
		"two.json":    `{"calls":[{"tool":"find_a","args":{}},{"tool":"find_b","args":{}}],"later":[{"tool":"drop_all","args":{}}]}`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := func(want int, args []string, words ...string) {
		t.Helper()
		code, out, errs := runCommand("", args...)
		for _, w := range words {
			if no, absent := strings.CutPrefix(w, "no "); absent == strings.Contains(out, no) && absent || !absent && !strings.Contains(out, w) {
				t.Errorf("%q: %q in\n%s", args, w, out)
			}
		}
		if code != want {
			t.Errorf("%q: exit %d, want %d: %s%s", args, code, want, out, errs)
		}
	}
	check(cmd.ExitOK, []string{"map", "table.jsonl"}, "2 calls in 2 runs", "run 1: find_a(n)", "run 2: find_b()", "no does not read everything")
	check(cmd.ExitFailed, []string{"map", "two.json"}, "does not read everything", "drop_all")
	check(cmd.ExitOK, []string{"lint", "--map", "runs=@this,calls=did.@fromstr,name=tool", "table.jsonl"}, "2 trajectories", "no not read")
	check(cmd.ExitOK, []string{"lint", "--map", "calls=0.did.@fromstr,name=tool", "table.jsonl"}, "Cannot tell", "find_b", "no Probably fine")
	check(cmd.ExitOK, []string{"lint", "--map", "calls=#.did.@fromstr,name=tool", "table.jsonl"}, "2 records as one run", "Cannot tell")
	check(cmd.ExitFailed, []string{"lint", "--fail-on", "certain", "--map", "calls=calls,name=tool", "two.json"}, "Cannot tell", "drop_all")
}
