package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/faults"
)

// brokenRunFiles writes runs to files, of which run r2 will panic while it is scored: a
// list, the same runs as lines, and folders for boundcheck test.
func brokenRunFiles(t *testing.T) (list, jsonl, suite string) {
	t.Helper()
	dir := t.TempDir()
	var runs []string
	for i := range 4 {
		runs = append(runs, fmt.Sprintf(`{"id":"r%d","task":"t%d","success":%v,"actions":[{"name":"cancel_order","arguments":{"id":"a1"}},{"name":"pay","arguments":{"id":"p%d"}}],"reference":[{"name":"cancel_order","arguments":{"id":"a1"}}]}`, i, i/3, i%2 == 0, i%2))
	}
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	list = write("list.json", `{"trajectories":[`+strings.Join(runs, ",")+`]}`)
	jsonl = write("lines.jsonl", strings.Join(runs, "\n")+"\n")
	call := `[{"name":"cancel_order","arguments":{"id":"a1"}}]`
	write("suite/traces/good.json", call)
	write("suite/traces/bad.json", `{"trajectories":[{"id":"r2","actions":`+call+`}]}`)
	write("suite/refs/good.yaml", "steps:\n  - cancel_order(id=a1)\n")
	write("suite/refs/bad.yaml", "steps:\n  - cancel_order(id=a1)\n")
	return list, jsonl, filepath.Join(dir, "suite")
}

// TestBrokenRunLosesNoOther checks every command that scores. If the scoring of one run
// panics, the output has the other runs and says which run was not scored, and the exit code
// is not 0. No output calls the run fine.
func TestBrokenRunLosesNoOther(t *testing.T) {
	list, jsonl, suite := brokenRunFiles(t)
	run := func(args ...string) (int, string) {
		var out, errs strings.Builder
		code := Run(args, strings.NewReader(""), &out, &errs)
		return code, out.String() + "\n--- stderr\n" + errs.String()
	}
	check := func(args []string, code int, want ...string) {
		t.Helper()
		end := faults.Cause(func(id string) bool { return id == "r2" || strings.HasSuffix(id, ":r2") })
		got, text := run(args...)
		end()
		if got != code {
			t.Errorf("%v: exit code %d, want %d:\n%s", args, got, code, text)
		}
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%v: no %q in:\n%s", args, w, text)
			}
		}
		if strings.HasPrefix(args[1], "--") { // once is enough for each command
			return
		}
		if got, text := run(args...); got == cmd.ExitUsage || got == cmd.ExitInput {
			t.Errorf("%v: exit code %d although no run panics:\n%s", args, got, text)
		}
	}
	said := "r2 was not scored: internal error: a bug in run r2; please report it with the input"
	check([]string{"score", list}, cmd.ExitInput, said, "r1", "r3", "not scored: internal", "3 trajectories")
	check([]string{"score", "--format", "json", list}, cmd.ExitInput, said, `"code":"internal"`, `"id":"r3"`)
	check([]string{"score", "--format", "junit", list}, cmd.ExitInput, `errors="1"`, `<error message="internal error: a bug`)
	check([]string{"score", "--format", "csv", list}, cmd.ExitInput, "please report it with the input\r\n")
	check([]string{"score", "--format", "sarif", list}, cmd.ExitInput, `"executionSuccessful": false`, `"id": "internal"`)
	check([]string{"score", "--format", "github", list}, cmd.ExitInput, "::error ", "title=internal::run r2 was not scored")
	check([]string{"score", "--format", "markdown", list}, cmd.ExitInput, said)
	check([]string{"score", "--fail-on", "violation", list}, cmd.ExitFailed, said, "--fail-on")
	check([]string{"score", "--reference-from", "consensus", list}, cmd.ExitInput, said)
	check([]string{"score", list, list}, cmd.ExitInput, ":r2 was not scored", "#2:r2 was not scored", "6 trajectories")
	check([]string{"lint", list}, cmd.ExitInput, said, "run r3", "not scored: internal")
	check([]string{"lint", "--format", "csv", list}, cmd.ExitInput, "please report it with the input\r\n")
	check([]string{"consensus", list}, cmd.ExitInput, said, "1 task with several runs")
	check([]string{"consensus", "--format", "json", list}, cmd.ExitInput, said, `"runs":2,"clusters"`)
	check([]string{"compare", list, "--", list}, cmd.ExitInput, said)
	check([]string{"study", "equivalence", list, "--no-plugins"}, cmd.ExitInput, said, "list.json")
	check([]string{"study", "sensitivity", list}, cmd.ExitInput, said, " of 3")
	check([]string{"study", "tables", list}, cmd.ExitInput, said)
	check([]string{"study", "ablation", "none=" + list, "EBP=" + list}, cmd.ExitInput, said)
	check([]string{"test", suite}, cmd.ExitFailed, "1 passed, 1 failed", "FAIL", "not scored: internal error")
	check([]string{"test", "--update", suite}, cmd.ExitFailed, "1 passed, 1 failed", "not scored: internal error")

	check([]string{"score", "--stream", jsonl}, cmd.ExitInput, `"error":{"code":"internal","message":"the run r2 was not scored`, `{"id":"r3"`, `"errors":1`)
	check([]string{"score", "--stream", list}, cmd.ExitInput, `"error":{"code":"internal"`, `{"id":"r0"`, `{"id":"r1"`, `{"id":"r3"`)
}

// TestBrokenFirstRows checks streams in which the scoring of one of the first rows panics.
// The look at the first rows, which finds out whether they are events of one run, must not
// end the stream.
func TestBrokenFirstRows(t *testing.T) {
	_, jsonl, _ := brokenRunFiles(t)
	for i := range 4 {
		broken := fmt.Sprintf("r%d", i)
		for _, all := range []bool{false, true} {
			end := faults.Cause(func(id string) bool { return all || id == broken })
			var out, errs strings.Builder
			code := Run([]string{"score", "--stream", jsonl}, strings.NewReader(""), &out, &errs)
			end()
			faulty := 1
			if all {
				faulty = 4
			}
			if n := strings.Count(out.String(), `{"error":{"code":"internal"`); code != cmd.ExitInput || n != faulty || strings.Count(out.String(), "\n") != 5 {
				t.Errorf("run %s, all %v: exit code %d, %d errors:\n%s%s", broken, all, code, n, out.String(), errs.String())
			}
		}
	}
}

// TestBrokenRunInAnElement checks an element of a stream that has several runs. The scored
// runs are written, then the error of the others, and --resume counts the same.
func TestBrokenRunInAnElement(t *testing.T) {
	list, jsonl, _ := brokenRunFiles(t)
	whole, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	one, err := os.ReadFile(jsonl)
	if err != nil {
		t.Fatal(err)
	}
	rows := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(rows, []byte(string(whole)+"\n"+string(one)), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out.jsonl")
	defer faults.Cause(func(id string) bool { return id == "r2" })()
	stream := func(more ...string) string {
		var printed, errs strings.Builder
		if code := Run(append([]string{"score", "--stream", "--out", out, rows}, more...), strings.NewReader(""), &printed, &errs); code != cmd.ExitInput {
			t.Errorf("exit code %d: %s", code, errs.String())
		}
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	full := stream()
	if !strings.Contains(full, `"n":6,`) || !strings.Contains(full, `"errors":2`) || strings.Count(full, `{"error":{"code":"internal"`) != 2 {
		t.Errorf("got:\n%s", full)
	}
	lines := strings.SplitAfter(full, "\n")
	for cut := 2; cut < len(lines)-2; cut++ {
		if err := os.WriteFile(out, []byte(strings.Join(lines[:cut], "")), 0o644); err != nil {
			t.Fatal(err)
		}
		if again := stream("--resume"); again != full {
			t.Errorf("resumed after %d lines:\n%s\nwant:\n%s", cut, again, full)
		}
	}
}
