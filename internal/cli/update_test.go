package cli

import (
	"os"
	"strings"
	"testing"
)

// TestUpdateKeepsRules checks that "test --update" keeps what a person wrote, and that its
// exit code is that of the test that follows.
func TestUpdateKeepsRules(t *testing.T) {
	t.Chdir(t.TempDir())
	const refund = `refund {"order_id":"W-7"}`
	const mail = `send_email {"to":"a@b.c"}`
	const cancel = `cancel_order {"order_id":"W-7"}`
	const ref = "steps:\n  - get_order(order_id=\"W-7\")\n  - cancel_order(order_id=\"W-7\")\n  - name: refund\n    mustNot: true # only people refund\n"
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
	// The agent gains a mail: only the mail is added.
	writeTest(t, "refs/c.yaml", ref)
	recordedRun(t, "traces/c.json", told, getOrder, cancel, mail)
	mailed := strings.Replace(ref, "  - name: refund", "  - name: send_email\n    arguments: {to: a@b.c}\n  - name: refund", 1)
	wants(exitOK, "wrote refs/c.yaml  from traces/c.json", mailed, "test", "--update")
	wants(exitOK, "1 passed, 0 failed", mailed, "test")
	// It refunds: the reference stays, and the test is red.
	recordedRun(t, "traces/c.json", told, getOrder, cancel, mail, refund)
	wants(exitFailed, `kept  refs/c.yaml:7  traces/c.json: the reference forbids refund`, mailed, "test", "--update")
	wants(exitFailed, "0 passed, 1 failed", mailed, "test")
	// One of three trials leaves the required step out, and one the look-up.
	const strict = "steps:\n  - name: get_order\n    arguments: {order_id: W-7}\n  - name: cancel_order\n    arguments: {order_id: W-7}\n    required: true # policy 4.2\nsays: [cancelled]\n"
	writeTest(t, "refs/c.yaml", strict)
	os.Remove("traces/c.json")
	recordedRun(t, "traces/c.1.json", told, getOrder)
	recordedRun(t, "traces/c.2.json", told, cancel)
	recordedRun(t, "traces/c.3.json", told, getOrder, cancel)
	wants(exitFailed, `kept  refs/c.yaml:7  traces/c.1.json`, strict, "test", "--update")
	wants(exitFailed, "0 passed, 3 failed", strict, "test")
	writeTest(t, "refs/c.yaml", strings.Replace(strict, "says: [cancelled]\n", "", 1))
	merged := strings.Replace(strings.Replace(strict, "says: [cancelled]\n", "", 1), "  - name: get_order\n    arguments:", "  - optional: # good run 1 did not make this call\n      name: get_order\n      arguments:", 1)
	wants(exitFailed, `kept  refs/c.yaml:7  traces/c.1.json`, merged, "test", "--update")
	os.Remove("traces/c.1.json")
	wants(exitOK, "2 passed, 0 failed", merged, "test", "--update")

	// New trials of one task become one reference.
	os.Remove("refs/c.yaml")
	if code, out, errs := runCommand("", "test", "--update"); code != exitOK || !strings.Contains(out, "from traces/c.2.json, traces/c.3.json") || !strings.Contains(out, "2 passed, 0 failed") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	text, _ := os.ReadFile("refs/c.yaml")
	wants(exitOK, "ok ", string(text), "reference", "update", "refs/c.yaml", "traces/c.2.json", "traces/c.3.json")
	recordedRun(t, "traces/c.2.json", told, cancel, mail)
	wants(exitFailed, "so this call was not added", string(text), "reference", "update", "refs/c.yaml", "traces/c.2.json", "traces/c.3.json")
	if code, out, errs := runCommand("", "reference", "update", "--no-config", "new.json", "traces/c.2.json"); code != exitOK || !strings.Contains(out, "wrote new.json") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if code, _, errs := runCommand("", "reference", "update", "refs/c.yaml"); code != exitUsage {
		t.Errorf("no trace: exit %d %s", code, errs)
	}
}

// TestUpdateOfSuites checks that an update changes only the tasks of a suite that differ.
func TestUpdateOfSuites(t *testing.T) {
	t.Chdir(t.TempDir())
	const suite = "tasks:\n  - id: one # ours\n    steps:\n      - get_order\n  - id: two\n    steps: [cancel_order]\n"
	writeTest(t, "refs/suite.yaml", suite)
	writeTest(t, "traces/all.json", `{"format":"boundcheck.trajectories/1","trajectories":[{"id":"a","task":"one","actions":[{"name":"get_order"}]},{"id":"b","task":"two","actions":[{"name":"delete_order"}]}]}`)
	code, out, errs := runCommand("", "test", "--update")
	text, _ := os.ReadFile("refs/suite.yaml")
	if want := strings.Replace(suite, "[cancel_order]", "[{name: delete_order}]", 1); code != exitOK || string(text) != want || !strings.Contains(out, "1 passed") {
		t.Errorf("exit %d\n%s%s\n%s", code, out, errs, text)
	}
}

// TestUpdateOfOneBadFile checks that a reference that cannot be edited stays as it is, and
// does not stop the update of the others.
func TestUpdateOfOneBadFile(t *testing.T) {
	t.Chdir(t.TempDir())
	const anchored = "steps:\n  - &a get_order\n  - *a\n"
	writeTest(t, "refs/a.yaml", anchored)
	writeTest(t, "refs/b.yaml", "steps: [get_order]\n")
	for _, name := range []string{"traces/a.json", "traces/b.json"} {
		writeTest(t, name, `[{"name":"delete_order"}]`)
	}
	code, out, errs := runCommand("", "test", "--update")
	text, _ := os.ReadFile("refs/a.yaml")
	if code != exitFailed || string(text) != anchored || !strings.Contains(out, "ERROR refs/a.yaml  line 2: cannot edit") || !strings.Contains(out, "1 passed, 1 failed, 1 not read") {
		t.Errorf("exit %d\n%s%s\n%s", code, out, errs, text)
	}
}
