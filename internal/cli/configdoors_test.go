package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/library"
)

// TestConfigInEnvelope checks requests that contain the text of boundcheck.yaml. The
// result must have the same bytes as the output of the command with the same
// boundcheck.yaml.
func TestConfigInEnvelope(t *testing.T) {
	t.Chdir(t.TempDir())
	const known = `[{"name":"get_order","arguments":{"id":1,"key":"x"}},{"name":"frobnicate","arguments":{}}]`
	const odd = `{"plan":[{"tool":"get_order","input":{"id":1,"key":"x"}},{"tool":"frobnicate"}]}`
	const reference = `get_order(id=1, key="y")`
	for _, test := range []struct{ config, trace, has string }{
		{"", known, `"rule":"extra-action"`},
		{"# nothing but a comment\n", known, `"rule":"extra-action"`},
		{"tools: {frobnicate: no}\nignore: [key]\n", known, `"violations":[]`},
		{"profile: sop\naliases: [[frobnicate, get_order]]\n", known, `"profile":"sop"`},
		{"rules: [{off: [extra-action, wrong-arguments], paths: [runs/*]}]\n", known, `"flagged":false`},
		{"rules: [{off: [extra-action], paths: [other/*]}]\n", known, `"rule":"extra-action"`},
		{"map: {calls: plan, name: tool, arguments: input}\n", odd, `"rule":"extra-action"`},
	} {
		clitest.WriteFile(t, "boundcheck.yaml", test.config)
		clitest.WriteFile(t, "runs/a.json", test.trace)
		clitest.WriteFile(t, "ref.txt", reference)
		_, want, errs := runCommand("", "score", "runs/a.json", "--reference", "ref.txt", "--format", "json")
		body, err := json.Marshal(map[string]any{"trace": test.trace, "reference": reference, "config": test.config, "file": "runs/a.json"})
		if err != nil {
			t.Fatal(err)
		}
		got, _ := library.Handle("score", body)
		if want != string(got) || !strings.Contains(want, test.has) {
			t.Errorf("%q: want %s\n%s%s\ngot\n%s", test.config, test.has, want, errs, got)
		}
	}
	for config, want := range map[string]string{
		`"a: ["`:         "invalid configuration: invalid YAML",
		`"ignor: [a]"`:   "ignor: unknown member. The known members are traces",
		`{"profile": 7}`: "profile: want a text",
		`7`:              "want members such as references",
	} {
		got, ok := library.Handle("score", []byte(`{"trace":[{"name":"a"}],"config":`+config+`}`))
		if ok || !strings.Contains(string(got), want) || !strings.Contains(string(got), "invalid-input") {
			t.Errorf("%s: %s, want %q", config, got, want)
		}
	}
}

// TestConfigInStream checks that score and score --stream reach the same verdicts with
// the same boundcheck.yaml. A stream must not be resumed if the file has changed.
func TestConfigInStream(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := ""
	for range 40 { // processed on all cores at once
		rows += `{"trace":[{"name":"get_order","arguments":{"id":1,"key":"x"}},{"name":"frobnicate","arguments":{}}],"reference":"get_order(id=1, key=\"y\")"}` + "\n"
	}
	clitest.WriteFile(t, "rows.jsonl", rows)
	check := func(config string, violations, flagged string, args ...string) {
		t.Helper()
		clitest.WriteFile(t, "boundcheck.yaml", config)
		for _, form := range [][]string{{"--format", "json"}, {"--stream"}} {
			code, out, errs := runCommand("", append(append([]string{"score", "rows.jsonl"}, form...), args...)...)
			if code != cmd.ExitOK || strings.Count(out, violations) != 40 || strings.Count(out, `"flagged":`+flagged) != 40 {
				t.Errorf("%s %v: %d %d of %s\n%.600s%s", config, form, code, strings.Count(out, violations), violations, out, errs)
			}
		}
	}
	check("{}\n", `"rule":"extra-action"`, "true")
	check("tools: {frobnicate: no}\nignore: [key]\n", `"violations":[]`, "false")
	check("rules: [{off: [extra-action]}]\nignore: [key]\n", `"violations":[]`, "false")
	check("tools: {frobnicate: no}\nignore: [key]\n", `"rule":"extra-action"`, "true", "--no-config")
	clitest.WriteFile(t, "boundcheck.yaml", "fail-under: {abs.max: 0.9}\n")
	if code, _, errs := runCommand("", "score", "rows.jsonl", "--stream"); code != cmd.ExitFailed || !strings.Contains(errs, "abs.max") {
		t.Errorf("the file's bound: %d %s", code, errs)
	}
	if code, _, errs := runCommand("", "score", "rows.jsonl", "--stream", "--out", "out.jsonl", "--no-config"); code != cmd.ExitOK {
		t.Fatal(errs)
	}
	if code, _, errs := runCommand("", "score", "rows.jsonl", "--stream", "--out", "out.jsonl", "--resume"); code != cmd.ExitInput || !strings.Contains(errs, "boundcheck.yaml") {
		t.Errorf("a resumed run with another file: %d %s", code, errs)
	}
}
