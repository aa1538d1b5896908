package score

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestFailOn checks that one finding is enough for --fail-on to make the command fail.
// The mean figures of the report must not matter.
func TestFailOn(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	clean := file("clean.json", `[{"name":"get_order","arguments":{"id":"A-7"},"result":"{\"id\":\"A-7\"}"}]`)
	twice := file("twice.json", `[{"name":"send_email","arguments":{"to":"a@b.c"},"result":"sent"},{"name":"send_email","arguments":{"to":"a@b.c"},"result":"sent"}]`)
	odd := file("odd.jsonl", "{\"name\":\"get_order\"}\n{oops}\n")
	bad := file("bad.json", `{"a":1}`)
	reference := file("ref.json", `[{"name":"cancel_order"}]`)
	turn := `{"messages":[{"role":"user","content":"Pay."},{"role":"assistant","tool_calls":[{"function":{"name":"pay","arguments":"{}"}}]}`
	joined := file("joined.jsonl", turn+"]}\n"+turn+`,{"role":"assistant","content":"Paid."}]}`)
	pays := file("pays.txt", "pay()")
	check := func(code int, says string, args ...string) {
		t.Helper()
		var out, errs strings.Builder
		run := Score
		if args[0] == "lint" {
			run = Lint
		}
		if got := run(args[1:], strings.NewReader(""), &out, &errs); got != code || !strings.Contains(errs.String(), says) {
			t.Errorf("%v: %d %q, want %d and %q", args, got, errs.String(), code, says)
		}
	}
	check(cmd.ExitOK, "", "lint", "--fail-on", "hint", clean)
	check(cmd.ExitFailed, "lint: --fail-on hint: 1 finding", "lint", "--fail-on", "hint", twice)
	check(cmd.ExitOK, "", "lint", twice)
	check(cmd.ExitOK, "", "lint", "--fail-on", "hint", "--min-confidence", "1", twice)
	check(cmd.ExitOK, "", "score", "--fail-on", "violation", twice)
	check(cmd.ExitFailed, "score: --fail-on hint", "score", "--fail-on", "hint", twice)
	check(cmd.ExitFailed, "1 violation", "score", "--fail-on", "violation", "--reference", reference, clean)
	check(cmd.ExitFailed, "1 run that was perhaps read wrongly", "score", "--fail-on", "hint", odd)
	check(cmd.ExitFailed, "1 warning", "score", "--fail-on", "warning", odd)
	check(cmd.ExitFailed, "1 run that was perhaps read wrongly", "score", "--fail-on", "violation", "--reference", pays, joined)
	check(cmd.ExitFailed, "1 run that was perhaps read wrongly", "lint", "--fail-on", "certain", joined)
	check(cmd.ExitInput, "score: not read: "+bad, "score", clean, bad)
	check(cmd.ExitInput, "boundcheck lint: ", "lint", bad)
	check(cmd.ExitFailed, "", "score", "--fail-on", "hint", bad, twice)
	check(cmd.ExitUsage, "unknown --fail-on", "score", "--fail-on", "all", clean)
	check(cmd.ExitUsage, "0 to 1", "lint", "--fail-on", "hint", "--min-confidence", "2", clean)
	check(cmd.ExitUsage, "unknown --fail-on", "score", "--fail-on", "", clean)
	check(cmd.ExitUsage, "the value of --reference is empty", "score", "--reference", "", clean)
	for _, bound := range []string{"within=NaN", "abs.max=nan", "svr=1,gar=-NaN", "within="} {
		check(cmd.ExitUsage, "invalid bound", "score", "--fail-under", bound, clean)
	}
	mail := file("mail.json", `[{"role":"user","content":"When does order A-7 ship?"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"cancel_order","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"cancelled"}]`)
	for _, kind := range []string{"violation", "likely", "not-passed"} {
		check(cmd.ExitFailed, "--fail-on "+kind, "score", "--fail-on", kind, mail)
		check(cmd.ExitFailed, "--fail-on "+kind, "lint", "--fail-on", kind, mail)
	}
	// A run whose task is not in the suite was not compared.
	suite := file("suite.yaml", "tasks:\n  - {id: pay, steps: [pay]}\n")
	run := func(task, tool string) string {
		return `{"task_id":"` + task + `","trajectory":[{"name":"` + tool + `","arguments":{},"result":"ok"}]}` + "\n"
	}
	two := file("two.jsonl", run("pay", "pay")+run("payy", "delete_account"))
	known := file("known.jsonl", run("pay", "pay")+run("pay", "pay"))
	for _, flags := range [][]string{{"--fail-on", "violation"}, {"--fail-on", "certain"}, {"--fail-on", "not-passed"}, {"--fail-under", "within=1,abs.max=1"}, {"--stream", "--fail-on", "violation"}, {"--stream", "--fail-under", "within=1"}} {
		args := append([]string{"score", "--reference", suite}, flags...)
		check(cmd.ExitFailed, "although references were given", append(args, two)...)
		check(cmd.ExitOK, "", append(args, known)...)
	}
	check(cmd.ExitUsage, "has no effect without --fail-on", "lint", "--min-confidence", "0.5", clean)
}

// TestLintOfNothing checks that lint does not call a run clean if it could not read the
// run's calls.
func TestLintOfNothing(t *testing.T) {
	var out, errs strings.Builder
	if code := Lint([]string{"-"}, strings.NewReader("[]"), &out, &errs); code != cmd.ExitOK || strings.Contains(out.String(), "nothing looks") || !strings.Contains(out.String(), "no call was read") {
		t.Errorf("%d %s %s", code, out.String(), errs.String())
	}
	out.Reset()
	broken := `[{"role":"user","content":"x"},{"role":"assistant","content":"<tool_call>oops"}]`
	if code := Lint([]string{"-"}, strings.NewReader(broken), &out, &errs); code != cmd.ExitInput || out.Len() > 0 || !strings.Contains(errs.String(), "<tool_call>") {
		t.Errorf("%d %s %s", code, out.String(), errs.String())
	}
}

// TestFailOnStream checks that --fail-on gives the same result with and without --stream,
// also for a resumed run or a value in boundcheck.yaml. For a shard, the command must say
// that it does not check fail-on.
func TestFailOnStream(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mail := `{"messages":[{"role":"user","content":"When does order A-7 ship?"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"cancel_order","arguments":"{\"order_id\":\"A-7\"}"}}]},{"role":"tool","tool_call_id":"c","content":"cancelled"}]}` + "\n"
	write("runs.jsonl", mail+`{"trajectory":[{"name":"get_order","arguments":{"id":"A-7"},"result":"{}"}]}`+"\n"+mail)
	write("ref.json", `[{"name":"cancel_order"}]`)
	check := func(code int, says string, args ...string) {
		t.Helper()
		if got, _, errs := runCommand("", append([]string{"score", "--stream"}, args...)...); got != code || !strings.Contains(errs, says) {
			t.Errorf("%v: exit %d %q, want %d and %q", args, got, errs, code, says)
		}
	}
	for _, flags := range [][]string{{"--fail-on", "likely"}, {"--fail-on", "certain"}, {"--fail-on", "violation"}, {"--fail-on", "violation", "--reference", "ref.json"},
		{"--fail-on", "violation", "--min-confidence", "1", "--reference", "ref.json"}, {"--fail-on", "warning"}, {"--fail-on", "hint"}, {"--fail-on", "not-passed"}, {"--fail-on", "not-passed", "--reference", "ref.json"}} {
		want, _, says := runCommand("", append([]string{"score", "runs.jsonl"}, flags...)...)
		check(want, says, append([]string{"runs.jsonl"}, flags...)...)
	}
	check(cmd.ExitFailed, "--fail-on likely: 2 likely findings", "runs.jsonl", "--fail-on", "likely")
	write("boundcheck.yaml", "fail-on: likely\nfail-under:\n  svr: 0.5\n")
	check(cmd.ExitFailed, "--fail-on likely: 2 likely findings", "runs.jsonl", "--out", "out")
	whole, _ := os.ReadFile("out")
	write("out", string(whole[:len(whole)-400])) // cut inside the last line
	check(cmd.ExitFailed, "--fail-on likely: 2 likely findings", "runs.jsonl", "--out", "out", "--resume")
	check(cmd.ExitOK, "the settings fail-on and fail-under in boundcheck.yaml are not checked for a shard", "runs.jsonl", "--partial", "part", "--shard", "0/1")
	write("boundcheck.yaml", "fail-on: never\n")
	check(cmd.ExitOK, "", "runs.jsonl")
	check(cmd.ExitFailed, "likely findings", "runs.jsonl", "--fail-on", "likely")
}
