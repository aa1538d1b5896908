package study

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/study/compare"
	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

func TestStudyAblation(t *testing.T) {
	before, after := clitest.CompareFiles(t)
	code, out, errs := runCommand("", "study", "ablation", "none="+before, "look="+after, "--figure", "abs (max)")
	for _, want := range []string{"1 component over 10 tasks", "ABS (max)", "none                                 0.500", "look                                 1.000  +0.500", "Shapley +0.500, 100.0 % of the total change"} {
		if code != cmd.ExitOK || !strings.Contains(out, want) || strings.Contains(out, "GAR") {
			t.Errorf("exit %d, no %q in\n%s%s", code, want, out, errs)
		}
	}
	if _, out, _ := runCommand("", "study", "ablation", "none="+before, "a="+after, "a+b="+after); !strings.Contains(out, "Shapley between ") || !strings.Contains(out, "not run: b\n") {
		t.Error(out)
	}
	code, out, _ = runCommand("", "study", "ablation", "--format", "json", "none="+before, "look="+after)
	var a compare.Ablation
	if err := json.Unmarshal([]byte(out), &a); err != nil || code != cmd.ExitOK || a.Schema != compare.AblationSchema {
		t.Errorf("exit %d, %v, %s", code, err, out)
	}
	check := func(want int, part string, args ...string) {
		t.Helper()
		if code, out, errs := runCommand("", append([]string{"study", "ablation"}, args...)...); code != want || !strings.Contains(out+errs, part) {
			t.Errorf("%v: exit %d, want %d with %q\n%s%s", args, code, want, part, out, errs)
		}
	}
	check(cmd.ExitOK, "usage: boundcheck study ablation", "--help")
	check(cmd.ExitUsage, "missing COMPONENTS=FILE")
	check(cmd.ExitUsage, "want COMPONENTS=FILE", before)
	check(cmd.ExitUsage, "a component is empty", "a+="+before)
	check(cmd.ExitInput, "missing the configuration none", "a="+before)
	check(cmd.ExitInput, `unknown figure "abs"; known figures are ABS (max)`, "none="+before, "a="+after, "--figure", "abs")
	check(cmd.ExitInput, "nowhere.json", "none=nowhere.json", "a="+after)
}
