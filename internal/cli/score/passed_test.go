package score

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// passedCase is a row of testdata/doors/passed.json: a trace, perhaps with its reference, and
// whether the run is known to be good. Passed is nil if that is not known. A trace that is a
// JSON string is a text in another notation.
type passedCase struct {
	Case      string
	Trace     json.RawMessage
	Reference json.RawMessage
	Passed    *bool
}

func passedCases(t *testing.T) []passedCase {
	t.Helper()
	data, err := os.ReadFile("../../../testdata/doors/passed.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []passedCase
	if err := json.Unmarshal(data, &cases); err != nil || len(cases) < 12 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	for i := range cases {
		var text string
		if json.Unmarshal(cases[i].Trace, &text) == nil {
			cases[i].Trace = json.RawMessage(text)
		}
	}
	return cases
}

// TestPassedAtEveryDoor checks that score, lint, test, --fail-on and the table are green for
// exactly the runs that are known to be good. The npm package, the Python package and the
// page read the same table in their tests.
func TestPassedAtEveryDoor(t *testing.T) {
	for _, c := range passedCases(t) {
		t.Run(c.Case, func(t *testing.T) {
			t.Chdir(t.TempDir())
			args := []string{"score", "--format", "json", "run.json"}
			clitest.WriteFile(t, "run.json", string(c.Trace))
			if c.Reference != nil {
				clitest.WriteFile(t, "reference.json", string(c.Reference))
				args = append(args, "--reference", "reference.json")
			}
			checkPassedScore(t, &c, args)
			checkPassedTable(t, &c, args)
			if c.Reference != nil {
				checkPassedSuite(t, &c)
			} else if _, out, _ := runCommand("", "lint", "run.json", "--fail-on", "hint"); strings.Contains(out, "Probably fine") != isTrue(c.Passed) {
				t.Errorf("lint says\n%s", out)
			}
		})
	}
	t.Run("a row that is cut off", func(t *testing.T) {
		t.Chdir(t.TempDir())
		clitest.WriteFile(t, "refs/a.yaml", "- cancel_order\n")
		clitest.WriteFile(t, "traces/a.jsonl", `{"trace":[{"name":"cancel_order"}]}`+"\n"+`{"trace":[{"nam`)
		if code, out, errs := runCommand("", "test"); code != cmd.ExitFailed || !strings.Contains(out, "it was not read (line 2)") {
			t.Errorf("exit %d\n%s%s", code, out, errs)
		}
		stream, _, _ := runCommand("", "score", "--stream", "traces/a.jsonl", "--reference", "refs/a.yaml", "--fail-on", "not-passed")
		if stream == cmd.ExitOK {
			t.Error("the stream passed")
		}
		if code, _, errs := runCommand("", "score", "traces/a.jsonl", "--reference", "refs/a.yaml", "--fail-on", "not-passed"); code != cmd.ExitFailed {
			t.Errorf("exit %d %s", code, errs)
		}
	})
	t.Run("a reference without a trace", func(t *testing.T) {
		t.Chdir(t.TempDir())
		clitest.WriteFile(t, "refs/a.yaml", "- cancel_order\n")
		clitest.WriteFile(t, "traces/b.json", `[{"name":"cancel_order"}]`)
		if code, out, errs := runCommand("", "test"); code != cmd.ExitFailed {
			t.Errorf("exit %d\n%s%s", code, out, errs)
		}
	})
}

func isTrue(b *bool) bool { return b != nil && *b }

// checkPassedScore checks the member passed of the JSON, and that a run with a broken
// boundary or a doubt fails a build.
func checkPassedScore(t *testing.T, c *passedCase, args []string) {
	t.Helper()
	code, out, errs := runCommand("", append(args, "--fail-on", "likely")...)
	var report struct {
		Trajectories []struct {
			Passed, Success *bool
			Flagged         bool
			Doubt, Verdict  string
			Reference       json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Trajectories) != 1 {
		t.Fatalf("exit %d: %v\n%s%s", code, err, out, errs)
	}
	run := &report.Trajectories[0]
	if (run.Passed == nil) != (c.Passed == nil) || isTrue(run.Passed) != isTrue(c.Passed) {
		t.Errorf("passed is %s, want %s; %q", boolText(run.Passed), boolText(c.Passed), run.Verdict)
	}
	if run.Passed == nil && run.Verdict == "" {
		t.Error("nothing says why it is not known")
	}
	if strict, _, errs := runCommand("", append(args, "--fail-on", "not-passed")...); (strict == cmd.ExitOK) != isTrue(c.Passed) {
		t.Errorf("--fail-on not-passed: exit %d, want success: %v\n%s", strict, isTrue(c.Passed), errs)
	}
	apart := c.Reference != nil && string(run.Reference) == "null"
	if broken := run.Flagged || run.Doubt != "" || apart; (code == cmd.ExitFailed) != broken {
		t.Errorf("--fail-on likely: exit %d, want a failure: %v", code, broken)
	}
}

func boolText(b *bool) string {
	switch {
	case b == nil:
		return "null"
	case *b:
		return "true"
	}
	return "false"
}

var goodWords = regexp.MustCompile(`Probably fine|kept (its boundary|their boundaries)\.|No boundary broke|and the agent took none\.`)

// checkPassedTable checks the words of the table: "Probably fine", and that the boundaries were kept, are said
// of exactly the good runs. In JUnit a run without a reference is green nowhere.
func checkPassedTable(t *testing.T, c *passedCase, args []string) {
	t.Helper()
	_, out, _ := runCommand("", append(args, "--format", "table")...)
	said := goodWords.MatchString(out)
	if said != isTrue(c.Passed) {
		t.Errorf("the table says\n%s", out)
	}
	_, out, _ = runCommand("", append(args, "--format", "junit")...)
	green := strings.Contains(out, `failures="0"`) && strings.Contains(out, `skipped="0"`)
	if green != isTrue(c.Passed) && (c.Reference != nil || green) {
		t.Errorf("JUnit says\n%s", out)
	}
}

// checkPassedSuite checks the command test, which the action of GitHub runs.
func checkPassedSuite(t *testing.T, c *passedCase) {
	t.Helper()
	clitest.WriteFile(t, "traces/run.json", string(c.Trace))
	clitest.WriteFile(t, "refs/run.json", string(c.Reference))
	code, out, errs := runCommand("", "test")
	if want := isTrue(c.Passed); (code == cmd.ExitOK) != want {
		t.Errorf("test: exit %d, want success: %v\n%s%s", code, want, out, errs)
	}
}
