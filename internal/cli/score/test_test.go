package score

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/config"
	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestSnapshotWalk creates a reference, edits it, and tests a trace against it. When the
// agent changes, the test must fail with a readable difference. After an update of the
// reference, the test must pass again.
func TestSnapshotWalk(t *testing.T) {
	t.Chdir(t.TempDir())
	wants := func(code int, args []string, parts ...string) string {
		t.Helper()
		got, out, errs := runCommand("", args...)
		if got != code {
			t.Fatalf("%q: exit %d, want %d\n%s%s", args, got, code, out, errs)
		}
		for _, p := range parts {
			if !strings.Contains(out+errs, p) {
				t.Fatalf("%q lacks %q:\n%s%s", args, p, out, errs)
			}
		}
		return out
	}
	clitest.RecordedRun(t, "traces/cancel.json", clitest.Told, clitest.GetOrder, "&"+clitest.GetCustomer, "!cancel_order {\"order_id\":\"W-7\"}", clitest.CancelOrder)
	wants(cmd.ExitFailed, []string{"test"}, "no reference", "refs/cancel.yaml", "0 passed, 1 failed")
	wants(cmd.ExitOK, []string{"reference", "new", "traces/cancel.json", "--out", "refs/cancel.yaml"})
	wants(cmd.ExitOK, []string{"reference", "check", "refs/cancel.yaml"}, "3 steps")
	wants(cmd.ExitOK, []string{"reference", "explain", "refs/cancel.yaml"}, "in any order:", "reason may be anything")

	text, err := os.ReadFile("refs/cancel.yaml")
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(text), "  - name: cancel_order\n", "  # the policy asks for it\n  - name: cancel_order\n    required: true\n", 1)
	if edited == string(text) {
		t.Fatalf("nothing to edit in\n%s", text)
	}
	if err := os.WriteFile("refs/cancel.yaml", []byte(edited), 0o644); err != nil {
		t.Fatal(err)
	}
	wants(cmd.ExitOK, []string{"test"}, "ok ", "4 calls, 0 violations", "1 passed, 0 failed")

	// The agent changes: it no longer reads the customer, and refunds without being
	// asked.
	clitest.RecordedRun(t, "traces/cancel.json", clitest.Told, clitest.GetOrder, clitest.CancelOrder, `refund {"order_id":"W-7","amount":200}`)
	wants(cmd.ExitFailed, []string{"test"}, "FAIL", "against refs/cancel.yaml", "\n      - "+`get_customer(customer_id="C-1")`+"\n",
		"\n      + "+`refund(order_id="W-7", amount=200)`+"\n", "\n        "+`get_order(order_id="W-7")`+"\n", "0 passed, 1 failed")
	wants(cmd.ExitFailed, []string{"test", "--junit", "out/test.xml"})
	if text, err := os.ReadFile("out/test.xml"); err != nil || !strings.Contains(string(text), `tests="1" failures="1" errors="0"`) ||
		!strings.Contains(string(text), `+ refund(order_id="W-7", amount=200)`) {
		t.Errorf("JUnit: %v\n%s", err, text)
	}
	wants(cmd.ExitOK, []string{"test", "--update"}, "wrote refs/cancel.yaml", "1 passed")
	wants(cmd.ExitOK, []string{"test"}, "1 passed, 0 failed")
	text, _ = os.ReadFile("refs/cancel.yaml")
	for _, kept := range []string{"# the policy asks for it", "required: true", "refund"} {
		if !strings.Contains(string(text), kept) {
			t.Errorf("the update lost %q:\n%s", kept, text)
		}
	}
}

// TestSnapshotNames checks that a trace finds its reference by the name of the file, and
// that the runs in a trace find their references by task.
func TestSnapshotNames(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"traces/cancel.json", "traces/cancel.2.json", "traces/cancel/other.json"} {
		clitest.RecordedRun(t, name, clitest.Told, clitest.GetOrder, clitest.CancelOrder)
	}
	write := func(name, text string) { t.Helper(); clitest.WriteFile(t, name, text) }
	const want = "get_order(order_id=\"W-7\")\ncancel_order(order_id=\"W-7\", reason=\"the customer changed their mind\")\n"
	write("refs/cancel.txt", want)
	write("refs/lonely.txt", "nothing()\n")
	write("refs/cancel.txt.bak", "a backup is no reference()\n")
	write("refs/cancel.txt~", "(")
	if code, out, errs := runCommand("", "test"); code != cmd.ExitFailed || !strings.Contains(out, "3 passed, 1 failed") || !strings.Contains(out, "FAIL  refs/lonely.txt  no trace") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if code, out, errs := runCommand("", "test", "--allow-missing"); code != cmd.ExitOK || !strings.Contains(out, "3 passed, 0 failed") || !strings.Contains(out, "note  refs/lonely.txt  no trace") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	os.RemoveAll("refs")
	os.RemoveAll("traces")
	write("refs/suite.yaml", "tasks:\n  - id: one\n    steps:\n      - name: get_order # once\n  - id: two\n    steps: [cancel_order]\n")
	write("traces/all.json", `{"format":"boundcheck.trajectories/1","trajectories":[{"id":"a","task":"one","actions":[{"name":"get_order"}]},{"id":"b","task":"two","actions":[{"name":"delete_order"}]}]}`)
	code, out, errs := runCommand("", "test")
	if code != cmd.ExitFailed || !strings.Contains(out, "ok    traces/all.json a ") || !strings.Contains(out, "FAIL  traces/all.json b ") || !strings.Contains(out, "- cancel_order()") {
		t.Errorf("a suite: exit %d\n%s%s", code, out, errs)
	}
	write("refs/bad.yaml", "steps:\n  - nam: x\n")
	if code, _, errs := runCommand("", "test"); code != cmd.ExitInput || !strings.Contains(errs, "refs/bad.yaml") {
		t.Errorf("a bad reference: exit %d %s", code, errs)
	}
}

func TestSnapshotMisuse(t *testing.T) {
	t.Chdir(t.TempDir())
	check := func(code int, want string, args ...string) {
		t.Helper()
		got, out, errs := runCommand("", args...)
		if got != code || !strings.Contains(out+errs, want) {
			t.Errorf("%q: exit %d, want %d with %q\n%s%s", args, got, code, want, out, errs)
		}
	}
	check(cmd.ExitInput, "traces", "test")
	check(cmd.ExitUsage, "one DIR", "test", "a", "b")
	check(cmd.ExitUsage, "new, update, check or explain", "reference")
	check(cmd.ExitUsage, "missing FILE", "reference", "new")
	check(cmd.ExitInput, "no such file", "reference", "check", "none.yaml")
	if err := os.WriteFile("failed.json", []byte(`[{"task_id":1,"reward":0,"info":{"task":{"actions":[]}},"traj":[{"role":"user","content":"x"}],"trial":0}]`), 0o644); err != nil {
		t.Fatal(err)
	}
	check(cmd.ExitInput, "failed", "reference", "new", "failed.json")
}

func TestSnapshotWatch(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.RecordedRun(t, "traces/a.json", clitest.Told, clitest.GetOrder)
	if code, _, errs := runCommand("", "test", "--update"); code != cmd.ExitOK {
		t.Fatal(code, errs)
	}
	ctx, stop := context.WithCancel(t.Context())
	var out clitest.LockedBuffer
	ended := make(chan int)
	s := &suiteTest{dir: ".", stdout: &out, stderr: &out}
	go func() { ended <- s.runOnChange(ctx, 5*time.Millisecond) }()
	until := func(want string) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); !strings.Contains(out.String(), want); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("it never said %q:\n%s", want, out.String())
			}
		}
	}
	until("1 passed, 0 failed")
	clitest.RecordedRun(t, "traces/a.json", clitest.Told, clitest.GetOrder, clitest.CancelOrder)
	until("0 passed, 1 failed")
	stop()
	if code := <-ended; code != cmd.ExitFailed {
		t.Errorf("exit %d", code)
	}
}

// TestConfig checks the effects of a project's boundcheck.yaml.
func TestConfig(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.RecordedRun(t, "traces/cancel.json", clitest.Told, clitest.GetOrder, `cancel_order {"order_id":"W-7","key":"k1"}`)
	if code, _, errs := runCommand("", "test", "--update"); code != cmd.ExitOK {
		t.Fatal(code, errs)
	}
	clitest.RecordedRun(t, "traces/cancel.json", clitest.Told, clitest.GetOrder, `cancel_order {"order_id":"W-7","key":"k2"}`)
	if code, out, _ := runCommand("", "test"); code != cmd.ExitFailed {
		t.Fatalf("another key is not a difference: %d %s", code, out)
	}
	says := func(text string) {
		t.Helper()
		if err := os.WriteFile(config.Name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	says("min-confidence: 1\n")
	if code, out, _ := runCommand("", "test"); code != cmd.ExitOK || !strings.Contains(out, "0 violations; 1 more below min-confidence") || !strings.Contains(out, "1 with findings below min-confidence") {
		t.Errorf("what does not count is not shown: %d %s", code, out)
	}
	says("# ours\nignore: [key]\n")
	if code, out, errs := runCommand("", "test"); code != cmd.ExitOK {
		t.Errorf("an ignored argument: %d %s%s", code, out, errs)
	}
	for text, want := range map[string]string{
		"ignor: [key]":                 "unknown member",
		"fail-on: everything":          "The known words are",
		"min-confidence: 7":            "0 to 1",
		"rules: [{of: [x]}]":           `unknown member "of"`,
		"rules: [{paths: [x]}]":        `missing "off"`,
		"tools: {cancel_order: maybe}": "maybe",
		"a: [":                         "invalid YAML",
		"- a":                          "want members",
		"fail-under: {nonsense: 1}":    "unknown metric",
	} {
		says(text)
		if code, _, errs := runCommand("", "test"); code != cmd.ExitInput || !strings.Contains(errs, want) || !strings.Contains(errs, config.Name) {
			t.Errorf("%q: exit %d, %s, want %q", text, code, errs, want)
		}
	}
	says("traces: runs\nreferences: golden\nfail-on: never\ntools: {cancel_order: false}\naliases: [[a, b]]\n")
	if err := os.Rename("traces", "runs"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename("refs", "golden"); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := runCommand("", "test"); code != cmd.ExitOK {
		t.Errorf("other folders: %d %s%s", code, out, errs)
	}
}

// TestConfigOfScoreAndLint checks that score and lint use boundcheck.yaml, but that a
// flag has priority. The schema of boundcheck.yaml must list every member.
func TestConfigOfScoreAndLint(t *testing.T) {
	schema, err := os.ReadFile("../cmd/config.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var s struct{ Properties map[string]any }
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatal(err)
	}
	for _, m := range config.Members() {
		if s.Properties[m] == nil {
			t.Errorf("the schema lacks %s", m)
		}
		delete(s.Properties, m)
	}
	if len(s.Properties) != 2 { // $schema and title
		t.Errorf("the schema has more members than are read: %v", s.Properties)
	}
	t.Chdir(t.TempDir())
	clitest.RecordedRun(t, "a.json", clitest.Told, clitest.CancelOrder, clitest.CancelOrder)
	check := func(says string, code int, args ...string) {
		t.Helper()
		if err := os.WriteFile(config.Name, []byte(says), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, out, errs := runCommand("", args...); got != code {
			t.Errorf("%q %q: exit %d, want %d\n%s%s", says, args, got, code, out, errs)
		}
	}
	check("", cmd.ExitOK, "lint", "a.json")
	check("fail-on: hint", cmd.ExitFailed, "lint", "a.json")
	check("fail-on: hint", cmd.ExitOK, "lint", "--no-config", "a.json")
	check("fail-on: hint\nrules:\n  - off: [repeated-write, unread-before-write, unconfirmed-write]\n", cmd.ExitOK, "lint", "a.json")
	check("fail-on: hint\nrules:\n  - off: [repeated-write, unread-before-write, unconfirmed-write]\n    paths: [b.json]\n", cmd.ExitFailed, "lint", "a.json")
	if err := os.WriteFile("ref.yaml", []byte("steps:\n  - name: cancel_order\n    ignore: [reason, order_id]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	check("", cmd.ExitOK, "score", "a.json", "--reference", "ref.yaml")
	check("fail-on: violation", cmd.ExitFailed, "score", "a.json", "--reference", "ref.yaml")
	check("fail-under: {abs.max: 0.9}", cmd.ExitFailed, "score", "a.json", "--reference", "ref.yaml")
	check("fail-under: {abs.max: 0.9}", cmd.ExitOK, "score", "a.json", "--reference", "ref.yaml", "--fail-under", "abs.max=0.1")
	check("tools: {cancel_order: no}", cmd.ExitOK, "score", "a.json")
	check("nonsense: 1", cmd.ExitInput, "score", "a.json")
}

// TestMapping checks that every command can use a mapping to read JSON of an unknown
// form.
func TestMapping(t *testing.T) {
	t.Chdir(t.TempDir())
	const odd = `{"plan":{"steps":[{"why":"look","toolCalls":[{"toolName":"get_order","input":{"order_id":"W-7"},"output":"pending"}]},{"toolCalls":[{"toolName":"cancel_order","input":{"order_id":"W-7"},"output":"done"}]}]}}`
	write := func(name, text string) { t.Helper(); clitest.WriteFile(t, name, text) }
	check := func(code int, want string, args ...string) string {
		t.Helper()
		got, out, errs := runCommand("", args...)
		if got != code || !strings.Contains(out+errs, want) {
			t.Fatalf("%q: exit %d, want %d with %q\n%s%s", args, got, code, want, out, errs)
		}
		return out
	}
	write("traces/odd.json", odd)
	proposed := check(cmd.ExitOK, "odd.json has 2 calls", "map", "traces/odd.json")
	const flag = "calls=plan.steps.#.toolCalls,name=toolName,arguments=input,result=output"
	if !strings.Contains(proposed, "--map '"+flag+"'") {
		t.Errorf("proposed\n%s", proposed)
	}
	check(cmd.ExitOK, "2 actions", "lint", "--map", flag, "traces/odd.json")
	check(cmd.ExitOK, `"name":"cancel_order"`, "score", "--format", "json", "--map", flag, "traces/odd.json")
	check(cmd.ExitOK, "cancel_order", "convert", "--to", "generic", "--map", flag, "traces/odd.json")
	check(cmd.ExitOK, "name: cancel_order", "reference", "new", "--map", flag, "traces/odd.json")
	check(cmd.ExitInput, "lint: traces/odd.json: the mapping finds no call at the path stops", "lint", "--map", "calls=stops,name=tool", "traces/odd.json")
	check(cmd.ExitUsage, `needs "name"`, "lint", "--map", "calls=stops", "traces/odd.json")
	check(cmd.ExitUsage, "--stream cannot be used with --map", "score", "--stream", "--map", flag, "traces/odd.json")

	write(config.Name, proposed) // the proposed mapping is a valid configuration file
	check(cmd.ExitOK, "wrote", "test", "--update")
	check(cmd.ExitOK, "2 calls, 0 violations", "test")
	write("traces/odd.json", strings.Replace(odd, "cancel_order", "delete_order", 1))
	check(cmd.ExitFailed, `+ delete_order(order_id="W-7")`, "test")
	write("known.json", `[{"name":"get_order","arguments":{}}]`)
	check(cmd.ExitOK, "1 action", "lint", "known.json") // a known format needs no mapping
	check(cmd.ExitInput, "found no call in the format found-calls, but 1 object looks like a call", "lint", "--from", "found-calls", "known.json")
	check(cmd.ExitInput, "the text is not in the format tau-bench", "lint", "--from", "tau-bench", "known.json")
	check(cmd.ExitOK, "get_order", "convert", "--to", "generic", "--from", "generic-actions", "known.json")
	check(cmd.ExitUsage, "did you mean openai-chat?", "score", "--from", "openai-chta", "known.json")
	check(cmd.ExitUsage, "contradict", "lint", "--from", "tau-bench", "--map", flag, "known.json")
	check(cmd.ExitUsage, "--from cannot be used here", "reference", "new", "--from", "tau-bench", "known.json")
	write("none.json", `{"people":[{"name":"Ada"}]}`)
	check(cmd.ExitInput, "found no list of calls", "map", "none.json")
}

func TestReferenceExplainsSynonyms(t *testing.T) {
	code, out, errs := runCommand(`{"steps":["kill(id=1)"],"aliases":[["zap","kill"]],"compositions":[{"whole":"kill","parts":["aim","fire"]}]}`, "reference", "explain", "-")
	if want := "  kill(id=1)\n  zap, kill mean the same\n  kill is made of aim, fire\n"; code != cmd.ExitOK || out != want {
		t.Errorf("exit %d, %q, want %q, %s", code, out, want, errs)
	}
}

// TestTestDoubts checks that a trace whose reading is doubtful fails, although it agrees with
// its reference.
func TestTestDoubts(t *testing.T) {
	dir := t.TempDir()
	turn := `{"messages":[{"role":"user","content":"Pay."},{"role":"assistant","tool_calls":[{"function":{"name":"pay","arguments":"{}"}}]}`
	for name, text := range map[string]string{"traces/a.jsonl": turn + "]}\n" + turn + `,{"role":"assistant","content":"Paid."}]}`, "refs/a.txt": "pay()\n"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code, out, errs := runCommand("", "test", dir)
	if code != cmd.ExitFailed || !strings.Contains(out, "2 rows were read as 1 run") {
		t.Errorf("%d %s %s", code, out, errs)
	}
}

// TestTestRecordedFailure checks that a run that failed according to its trace fails,
// although it agrees with its reference, and says what the trace tells.
func TestTestRecordedFailure(t *testing.T) {
	for outcome, want := range map[string]int{"": cmd.ExitOK, `"success":true,`: cmd.ExitOK, `"success":false,`: cmd.ExitFailed} {
		dir := t.TempDir()
		clitest.WriteFile(t, filepath.Join(dir, "traces", "a.json"), `{"trajectories":[{`+outcome+`"actions":[{"name":"pay","arguments":{},"observation":"Error: declined"},{"name":"pay","arguments":{}}]}]}`)
		clitest.WriteFile(t, filepath.Join(dir, "refs", "a.txt"), "pay()\n")
		junit := filepath.Join(dir, "junit.xml")
		code, out, errs := runCommand("", "test", "--junit", junit, dir)
		text, err := os.ReadFile(junit)
		if err != nil || code != want || (want == cmd.ExitFailed) != strings.Contains(out, "Recorded as failed; no cause found") || (want == cmd.ExitFailed) != strings.Contains(string(text), "the last error is of step 1") {
			t.Errorf("%s: %d %s %s %v\n%s", outcome, code, out, errs, err, text)
		}
	}
}

// TestWithoutTraces checks that an empty folder gets the one thing to do.
func TestWithoutTraces(t *testing.T) {
	code, _, errs := runCommand("", "test", t.TempDir())
	if code == cmd.ExitOK || !strings.Contains(errs, "no traces in folder") || strings.Contains(errs, "lstat") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

// TestExplainedSteps checks what is said of steps without arguments and of a run without tools.
func TestExplainedSteps(t *testing.T) {
	for reference, wants := range map[string][]string{
		`{"steps":["get_order",{"name":"refund","mustNot":true,"expect":{"amount":{"min":51}}},{"name":"drop","mustNot":true}]}`: {"get_order, with any arguments", "never: refund()\n    · amount must be at least 51", "never: drop, with any arguments"},
		`{"steps":[],"only":[]}`: {"no tool may be called"},
	} {
		code, out, errs := runCommand(reference, "reference", "explain", "-")
		for _, want := range wants {
			if code != cmd.ExitOK || !strings.Contains(out, want) || strings.Contains(out, "only ") {
				t.Errorf("%s: %q is not in\n%s%s", reference, want, out, errs)
			}
		}
	}
}
