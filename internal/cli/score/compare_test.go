package score

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/study/compare"
	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

func TestCompareFormats(t *testing.T) {
	before, after := clitest.CompareFiles(t)
	for format, want := range map[string][]string{
		"table":    {"10 tasks, 10 pairs of runs", "ABS (max)         0.500      1.000  +0.500  ", "10 runs succeeded only with the treatment, 0 only with the baseline", "task 1: success gained", "baseline: The agent did not carry out get_order", "first difference at action 1", "Better: ABS (max)", "… and 8 more"},
		"markdown": {"| ABS (max) | 0.500 | 1.000 | +0.500 |", `after\|x.json`, "8 more changed"},
		"html":     {"<svg", "ABS (max)", "&lt;b&gt;5", "Content-Security-Policy"},
	} {
		code, out, errs := runCommand("", "compare", before, "--format", format, "--limit", "2", "--", after)
		if code != cmd.ExitOK {
			t.Fatalf("%s: exit %d, %s", format, code, errs)
		}
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("%s: no %q in\n%s", format, w, out)
			}
		}
	}
	code, out, _ := runCommand("", "compare", "--format", "json", before, "--", after)
	var c compare.Comparison
	if err := json.Unmarshal([]byte(out), &c); err != nil || code != cmd.ExitOK || c.Schema != compare.Schema || len(c.Verdict.Better) == 0 {
		t.Errorf("exit %d, %v, %s", code, err, out)
	}
	if _, again, _ := runCommand("", "compare", "--format", "json", before, "--", after); again != out {
		t.Error("two runs differ")
	}
}

func TestCompareFails(t *testing.T) {
	before, after := clitest.CompareFiles(t)
	check := func(want int, part string, args ...string) {
		t.Helper()
		code, out, errs := runCommand("", append([]string{"compare"}, args...)...)
		if code != want || !strings.Contains(out+errs, part) {
			t.Errorf("%v: exit %d, want %d with %q\n%s%s", args, code, want, part, out, errs)
		}
	}
	check(cmd.ExitOK, "Better:", "--fail-if", "worse", before, "--", after)
	check(cmd.ExitFailed, "(--fail-if worse): ABS (max)", "--fail-if", "worse", after, "--", before)
	check(cmd.ExitOK, "No difference was shown", "--fail-if", "worse", before, "--", before)
	few, better := clitest.CompareTasks(t, "1", "2", "3", "4", "5")
	check(cmd.ExitOK, "No verdict: a figure must differ in at least ", "--fail-if", "worse", better, "--", few)
	check(cmd.ExitOK, "note: there are only 5 tasks", better, "--", few)
	check(cmd.ExitFailed, "(--fail-if worse-interval): ABS (max)", "--fail-if", "worse-interval", better, "--", few)
	check(cmd.ExitOK, "tasks that would show it in 4 of 5 experiments", "--power", better, "--", few)
	check(cmd.ExitOK, "usage: boundcheck compare", "--help")
	check(cmd.ExitUsage, "missing -- between", before, after, before)
	check(cmd.ExitUsage, "missing BASELINE", "--", after)
	check(cmd.ExitUsage, "missing TREATMENT", before, "--")
	check(cmd.ExitUsage, "standard input (-) can be read only once", "-", "--", after)
	check(cmd.ExitUsage, "unknown --fail-if", "--fail-if", "better", before, "--", after)
	check(cmd.ExitUsage, "unknown --format", "--format", "svg", before, "--", after)
	check(cmd.ExitInput, "the treatment: ", before, "--", filepath.Join(t.TempDir(), "none.json"))
	other := filepath.Join(t.TempDir(), "other.json")
	if err := os.WriteFile(other, []byte(`{"trajectories":[{"task":"77","actions":[],"reference":[]}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	check(cmd.ExitInput, "the baseline and the treatment have no task in common. The baseline has the tasks 1, 2, 3, 4", before, "--", other)
	check(cmd.ExitInput, `{"error":{"code":"invalid-input"`, "--format", "json", before, "--", other)
}
