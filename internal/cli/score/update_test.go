package score

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// madeHeader is the first line of a file that boundcheck made.
const madeHeader = "# Made by boundcheck reference new from a.json (1 run).\n"

// TestUpdateKeepsRules checks that "test --update" keeps what a person wrote, and that its
// exit code is that of the test that follows.
func TestUpdateKeepsRules(t *testing.T) {
	t.Chdir(t.TempDir())
	const refund = `refund {"order_id":"W-7"}`
	const mail = `send_email {"to":"a@b.c"}`
	const cancel = `cancel_order {"order_id":"W-7"}`
	const byHand = "steps:\n  - get_order(order_id=\"W-7\")\n  - cancel_order(order_id=\"W-7\")\n  - name: refund\n    mustNot: true # only people refund\n"
	const ref = madeHeader + byHand
	wants := func(code int, want, file string, args ...string) {
		t.Helper()
		got, out, errs := runCommand("", args...)
		if got != code || !strings.Contains(out+errs, want) {
			t.Errorf("%q: exit %d, want %d with %q\n%s%s", args, got, code, want, out, errs)
		}
		if text, err := os.ReadFile("refs/c.yaml"); err != nil || string(text) != file {
			t.Errorf("%q: %v, refs/c.yaml is\n%s\nwant\n%s", args, err, text, file)
		}
	}
	// The agent gains a mail: a reference that a person wrote stays.
	clitest.WriteFile(t, "refs/c.yaml", byHand)
	clitest.RecordedRun(t, "traces/c.json", clitest.Told, clitest.GetOrder, cancel, mail)
	wants(cmd.ExitFailed, `kept  refs/c.yaml:3  traces/c.json: the run also calls send_email(to="a@b.c"); if the run is right, add this step below this line by hand`, byHand, "test", "--update")
	clitest.RecordedRun(t, "traces/c.json", clitest.Told, cancel)
	wants(cmd.ExitFailed, `kept  refs/c.yaml:2  traces/c.json: the run does not call get_order here; if the run is right, remove this step of yours by hand`, byHand, "test", "--update")
	// In a file that boundcheck made, only the mail is added.
	clitest.WriteFile(t, "refs/c.yaml", ref)
	clitest.RecordedRun(t, "traces/c.json", clitest.Told, clitest.GetOrder, cancel, mail)
	mailed := strings.Replace(ref, "  - name: refund", "  - name: send_email\n    arguments: {to: a@b.c}\n  - name: refund", 1)
	wants(cmd.ExitOK, "wrote refs/c.yaml  from traces/c.json", mailed, "test", "--update")
	wants(cmd.ExitOK, "1 passed, 0 failed", mailed, "test")
	// It refunds: the reference stays, and the test is red.
	clitest.RecordedRun(t, "traces/c.json", clitest.Told, clitest.GetOrder, cancel, mail, refund)
	wants(cmd.ExitFailed, `kept  refs/c.yaml:8  traces/c.json: the reference forbids refund`, mailed, "test", "--update")
	wants(cmd.ExitFailed, "0 passed, 1 failed", mailed, "test")
	// One of three trials leaves the required step out, and one the look-up.
	const strict = madeHeader + "steps:\n  - name: get_order\n    arguments: {order_id: W-7}\n  - name: cancel_order\n    arguments: {order_id: W-7}\n    required: true # policy 4.2\nsays: [cancelled]\n"
	clitest.WriteFile(t, "refs/c.yaml", strict)
	os.Remove("traces/c.json")
	clitest.RecordedRun(t, "traces/c.1.json", clitest.Told, clitest.GetOrder)
	clitest.RecordedRun(t, "traces/c.2.json", clitest.Told, cancel)
	clitest.RecordedRun(t, "traces/c.3.json", clitest.Told, clitest.GetOrder, cancel)
	wants(cmd.ExitFailed, `kept  refs/c.yaml:8  traces/c.1.json`, strict, "test", "--update")
	wants(cmd.ExitFailed, "0 passed, 3 failed", strict, "test")
	clitest.WriteFile(t, "refs/c.yaml", strings.Replace(strict, "says: [cancelled]\n", "", 1))
	merged := strings.Replace(strings.Replace(strict, "says: [cancelled]\n", "", 1), "  - name: get_order\n    arguments:", "  - optional: # good run 1 did not make this call\n      name: get_order\n      arguments:", 1)
	wants(cmd.ExitFailed, `kept  refs/c.yaml:8  traces/c.1.json`, merged, "test", "--update")
	os.Remove("traces/c.1.json")
	wants(cmd.ExitOK, "2 passed, 0 failed", merged, "test", "--update")

	// New trials of one task become one reference.
	os.Remove("refs/c.yaml")
	if code, out, errs := runCommand("", "test", "--update"); code != cmd.ExitOK || !strings.Contains(out, "from traces/c.2.json, traces/c.3.json") || !strings.Contains(out, "2 passed, 0 failed") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	text, _ := os.ReadFile("refs/c.yaml")
	wants(cmd.ExitOK, "ok ", string(text), "reference", "update", "refs/c.yaml", "traces/c.2.json", "traces/c.3.json")
	clitest.RecordedRun(t, "traces/c.2.json", clitest.Told, cancel, mail)
	wants(cmd.ExitFailed, "so this call was not added", string(text), "reference", "update", "refs/c.yaml", "traces/c.2.json", "traces/c.3.json")
	if code, out, errs := runCommand("", "reference", "update", "--no-config", "new.json", "traces/c.2.json"); code != cmd.ExitOK || !strings.Contains(out, "wrote new.json") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if code, _, errs := runCommand("", "reference", "update", "refs/c.yaml"); code != cmd.ExitUsage {
		t.Errorf("no trace: exit %d %s", code, errs)
	}
}

// TestUpdateOfSuites checks that an update changes only the tasks of a suite that differ.
func TestUpdateOfSuites(t *testing.T) {
	t.Chdir(t.TempDir())
	const suite = madeHeader + "tasks:\n  - id: one # ours\n    steps:\n      - get_order\n  - id: two\n    steps: [{name: cancel_order}]\n"
	clitest.WriteFile(t, "refs/suite.yaml", suite)
	clitest.WriteFile(t, "traces/all.json", `{"format":"boundcheck.trajectories/1","trajectories":[{"id":"a","task":"one","actions":[{"name":"get_order"}]},{"id":"b","task":"two","actions":[{"name":"delete_order"}]}]}`)
	code, out, errs := runCommand("", "test", "--update")
	text, _ := os.ReadFile("refs/suite.yaml")
	if want := strings.Replace(suite, "[{name: cancel_order}]", "[{name: delete_order}]", 1); code != cmd.ExitOK || string(text) != want || !strings.Contains(out, "1 passed") {
		t.Errorf("exit %d\n%s%s\n%s", code, out, errs, text)
	}
}

// TestUpdateOfOneBadFile checks that a reference that cannot be edited stays as it is, and
// does not stop the update of the others.
func TestUpdateOfOneBadFile(t *testing.T) {
	t.Chdir(t.TempDir())
	const anchored = "steps:\n  - &a get_order\n  - *a\n"
	clitest.WriteFile(t, "refs/a.yaml", anchored)
	clitest.WriteFile(t, "refs/b.yaml", madeHeader+"steps: [{name: get_order}]\n")
	for _, name := range []string{"traces/a.json", "traces/b.json"} {
		clitest.WriteFile(t, name, `[{"name":"delete_order"}]`)
	}
	code, out, errs := runCommand("", "test", "--update")
	text, _ := os.ReadFile("refs/a.yaml")
	if code != cmd.ExitFailed || string(text) != anchored || !strings.Contains(out, "ERROR refs/a.yaml  line 2: cannot edit") || !strings.Contains(out, "1 passed, 1 failed, 1 not read") {
		t.Errorf("exit %d\n%s%s\n%s", code, out, errs, text)
	}
}

// TestUpdateWithoutUsableRuns checks that a run which is recorded as failed, or which was
// perhaps not read as it was, neither changes nor creates a reference.
func TestUpdateWithoutUsableRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	const ref = madeHeader + "steps:\n  - name: get_order\n"
	for trace, want := range map[string]string{
		`{"format":"boundcheck.trajectories/1","trajectories":[{"id":"a","success":false,"actions":[{"name":"delete_order"}]}]}`: "the run is recorded as failed",
		`{"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"delete_order","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"}],` +
			`"extra":{"odd":[{"type":"tool_use","id":"1","name":"wipe","input":{}}]}}`: "perhaps the run was not read as it was",
		`[]`:              "the run shows no step that a reference could require",
		`{"messages":[]}`: "the run shows no step that a reference could require",
		`[{"role":"user","content":"Refund W-9."},{"role":"assistant","content":"No."}]`:                         "the run shows no step that a reference could require",
		`{"trace":[{"name":"delete_order"}]}` + "\n" + `{"trace":[{"name":"delete_or`:                            "perhaps the run was not read as it was",
		`[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"delete_order","arguments":"{}"}},7]}]`: "perhaps the run was not read as it was",
	} {
		clitest.WriteFile(t, "refs/a.yaml", ref)
		clitest.WriteFile(t, "traces/a.json", trace)
		code, out, errs := runCommand("", "test", "--update")
		if text, _ := os.ReadFile("refs/a.yaml"); code != cmd.ExitFailed || string(text) != ref || !strings.Contains(out, "kept  refs/a.yaml  traces/a.json: "+want) {
			t.Errorf("%s: exit %d\n%s%s\n%s", want, code, out, errs, text)
		}
		os.Remove("refs/a.yaml")
		code, out, errs = runCommand("", "test", "--update")
		if text, err := os.ReadFile("refs/a.yaml"); err == nil || code == cmd.ExitOK || !strings.Contains(out+errs, want) {
			t.Errorf("%s: exit %d\n%s%s\n%s", want, code, out, errs, text)
		}
		code, out, errs = runCommand("", "reference", "new", "traces/a.json")
		if code != cmd.ExitInput || out != "" || !strings.Contains(errs, want) && !strings.Contains(errs, "1 run failed") {
			t.Errorf("%s: exit %d\n%s%s", want, code, out, errs)
		}
	}
}

// TestUpdateFromFailedChange checks that a run in which a change failed neither removes the step
// that it could not do nor makes a reference without it, and that a later success counts.
func TestUpdateFromFailedChange(t *testing.T) {
	t.Chdir(t.TempDir())
	const ref = madeHeader + "steps:\n  - name: get_order\n    arguments: {id: 1}\n  - name: cancel_order\n    arguments: {id: 1}\n"
	call := func(name, result string) string {
		return fmt.Sprintf(`{"name":%q,"arguments":{"id":1},"result":%q}`, name, result)
	}
	read, failed, done := call("get_order", "open"), call("cancel_order", "Error: it is shipped"), call("cancel_order", "cancelled")
	for _, c := range []struct {
		calls []string
		used  bool
	}{
		{[]string{read, failed}, false},
		{[]string{read, failed, call("transfer_to_human", "ok")}, false},
		{[]string{read, failed, done}, true},
		{[]string{read, call("get_user", "Error: unknown"), done}, true},
	} {
		clitest.WriteFile(t, "refs/a.yaml", ref)
		clitest.WriteFile(t, "traces/a.json", `{"actions":[`+strings.Join(c.calls, ",")+`]}`)
		code, out, errs := runCommand("", "test", "--update")
		text, _ := os.ReadFile("refs/a.yaml")
		if (code == cmd.ExitOK) != c.used || !strings.Contains(string(text), "cancel_order") || strings.Contains(out, "cancel_order failed (action 2) and was not done later") == c.used {
			t.Errorf("%s: exit %d\n%s%s\n%s", c.calls, code, out, errs, text)
		}
		os.Remove("refs/a.yaml")
		code, out, errs = runCommand("", "test", "--update")
		if text, err := os.ReadFile("refs/a.yaml"); (err == nil) != c.used || (code == cmd.ExitOK) != c.used {
			t.Errorf("%s: exit %d\n%s%s\n%s", c.calls, code, out, errs, text)
		}
		_, _, errs = runCommand("", "reference", "new", "traces/a.json")
		if strings.Contains(errs, "so the reference does not have it") == c.used {
			t.Errorf("%s: %s", c.calls, errs)
		}
	}
}
