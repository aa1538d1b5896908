package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/study/compare"
)

// compareFiles writes two groups of runs, the baseline and the treatment, and returns the
// paths of their files. In the treatment, the agent reads an order and then cancels it.
// In the baseline, the agent only cancels the order.
func compareFiles(t *testing.T) (before, after string) {
	t.Helper()
	return compareTasks(t, "1", "2", "3", "4", "<b>5", "6", "7", "8", "9", "10")
}

func compareTasks(t *testing.T, tasks ...string) (before, after string) {
	t.Helper()
	write := func(name string, calls string) string {
		var rows []string
		for _, task := range tasks {
			rows = append(rows, `{"task":"`+task+`","success":`+map[bool]string{true: "true", false: "false"}[strings.Contains(calls, "get_order")]+
				`,"actions":[`+calls+`],"reference":["get_order(id=A)","cancel_order(id=A)"]}`)
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(`{"trajectories":[`+strings.Join(rows, ",")+`]}`), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	look, cancel := `{"name":"get_order","arguments":{"id":"A"}}`, `{"name":"cancel_order","arguments":{"id":"A"}}`
	return write("before.json", cancel), write("after|x.json", look+","+cancel)
}

func TestCompareFormats(t *testing.T) {
	before, after := compareFiles(t)
	for format, want := range map[string][]string{
		"table":    {"10 tasks, 10 pairs of runs", "ABS (max)         0.500      1.000  +0.500  ", "0 in both groups, 10 gained, 0 lost", "task 1: success gained", "first difference at action 1", "Better: ABS (max)", "… and 8 more"},
		"markdown": {"| ABS (max) | 0.500 | 1.000 | +0.500 |", `after\|x.json`, "8 more changed"},
		"html":     {"<svg", "ABS (max)", "&lt;b&gt;5", "Content-Security-Policy"},
	} {
		code, out, errs := runCommand("", "compare", before, "--format", format, "--limit", "2", "--", after)
		if code != exitOK {
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
	if err := json.Unmarshal([]byte(out), &c); err != nil || code != exitOK || c.Schema != compare.Schema || len(c.Verdict.Better) == 0 {
		t.Errorf("exit %d, %v, %s", code, err, out)
	}
	if _, again, _ := runCommand("", "compare", "--format", "json", before, "--", after); again != out {
		t.Error("two runs differ")
	}
}

func TestCompareFails(t *testing.T) {
	before, after := compareFiles(t)
	check := func(want int, part string, args ...string) {
		t.Helper()
		code, out, errs := runCommand("", append([]string{"compare"}, args...)...)
		if code != want || !strings.Contains(out+errs, part) {
			t.Errorf("%v: exit %d, want %d with %q\n%s%s", args, code, want, part, out, errs)
		}
	}
	check(exitOK, "Better:", "--fail-if", "worse", before, "--", after)
	check(exitFailed, "(--fail-if worse): ABS (max)", "--fail-if", "worse", after, "--", before)
	check(exitOK, "No difference was shown", "--fail-if", "worse", before, "--", before)
	few, better := compareTasks(t, "1", "2", "3", "4", "5")
	check(exitOK, "No verdict: a figure must differ in at least ", "--fail-if", "worse", better, "--", few)
	check(exitOK, "note: there are only 5 tasks", better, "--", few)
	check(exitFailed, "(--fail-if worse-interval): ABS (max)", "--fail-if", "worse-interval", better, "--", few)
	check(exitOK, "tasks that would show it in 4 of 5 experiments", "--power", better, "--", few)
	check(exitOK, "usage: boundcheck compare", "--help")
	check(exitUsage, "missing -- between", before, after, before)
	check(exitUsage, "missing BASELINE", "--", after)
	check(exitUsage, "missing TREATMENT", before, "--")
	check(exitUsage, "standard input (-) can be read only once", "-", "--", after)
	check(exitUsage, "unknown --fail-if", "--fail-if", "better", before, "--", after)
	check(exitUsage, "unknown --format", "--format", "svg", before, "--", after)
	check(exitInput, "the treatment: ", before, "--", filepath.Join(t.TempDir(), "none.json"))
	other := filepath.Join(t.TempDir(), "other.json")
	if err := os.WriteFile(other, []byte(`{"trajectories":[{"task":"77","actions":[],"reference":[]}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	check(exitInput, "the baseline and the treatment have no task in common. The baseline has the tasks 1, 2, 3, 4", before, "--", other)
	check(exitInput, `{"error":{"code":"invalid-input"`, "--format", "json", before, "--", other)
}

func TestStudyAblation(t *testing.T) {
	before, after := compareFiles(t)
	code, out, errs := runCommand("", "study", "ablation", "none="+before, "look="+after, "--figure", "abs (max)")
	for _, want := range []string{"1 component over 10 tasks", "ABS (max)", "none                                 0.500", "look                                 1.000  +0.500", "Shapley +0.500, 100.0 % of the total change"} {
		if code != exitOK || !strings.Contains(out, want) || strings.Contains(out, "GAR") {
			t.Errorf("exit %d, no %q in\n%s%s", code, want, out, errs)
		}
	}
	if _, out, _ := runCommand("", "study", "ablation", "none="+before, "a="+after, "a+b="+after); !strings.Contains(out, "Shapley between ") || !strings.Contains(out, "not run: b\n") {
		t.Error(out)
	}
	code, out, _ = runCommand("", "study", "ablation", "--format", "json", "none="+before, "look="+after)
	var a compare.Ablation
	if err := json.Unmarshal([]byte(out), &a); err != nil || code != exitOK || a.Schema != compare.AblationSchema {
		t.Errorf("exit %d, %v, %s", code, err, out)
	}
	check := func(want int, part string, args ...string) {
		t.Helper()
		if code, out, errs := runCommand("", append([]string{"study", "ablation"}, args...)...); code != want || !strings.Contains(out+errs, part) {
			t.Errorf("%v: exit %d, want %d with %q\n%s%s", args, code, want, part, out, errs)
		}
	}
	check(exitOK, "usage: boundcheck study ablation", "--help")
	check(exitUsage, "missing COMPONENTS=FILE")
	check(exitUsage, "want COMPONENTS=FILE", before)
	check(exitUsage, "a component is empty", "a+="+before)
	check(exitInput, "missing the configuration none", "a="+before)
	check(exitInput, `unknown figure "abs"; known figures are ABS (max)`, "none="+before, "a="+after, "--figure", "abs")
	check(exitInput, "nowhere.json", "none=nowhere.json", "a="+after)
}
