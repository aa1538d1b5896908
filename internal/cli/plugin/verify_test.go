package plugin

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/plugins/host"
)

func TestPluginVerify(t *testing.T) {
	dir := pluginDir(t)
	file := filepath.Join(dir, "prompts.wasm")
	out := expectPlugin(t, cmd.ExitOK, "prompts holds: ", "verify", file)
	for _, want := range []string{"imports ", "unknown operation ", "empty request ", "junk of 64 MiB ", "a second instance gives the same answers"} {
		if !strings.Contains(out, "ok  "+want) && !strings.Contains(out, want) {
			t.Errorf("nothing on %q in\n%s", want, out)
		}
	}
	wasm, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	clitest.SpoilFile(t, dir, "other.wasm", string(wasm))
	clitest.SpoilFile(t, dir, "junk.wasm", "#!/bin/sh\n")
	expectPlugin(t, cmd.ExitInput, `plugin "other": name: the file contains plugin "prompts", but the file has another name (wrong-name)`, "verify", "other", "--plugins", dir)
	code, out, errs := runPlugin(t, "", "verify", "--format", "json", filepath.Join(dir, "junk.wasm"))
	var got verifiedPlugin
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != cmd.ExitInput {
		t.Fatalf("exit %d, %v, %s", code, err, errs)
	}
	if got.OK || got.Failed != 1 || len(got.Checks) != 1 || got.Checks[0].Code != host.InvalidModule {
		t.Errorf("junk: %+v", got)
	}
}

func TestPluginRun(t *testing.T) {
	dir := pluginDir(t)
	ask := func(stdin string, args ...string) (int, string, string) {
		return runPlugin(t, stdin, append([]string{"run", "prompts", "--plugins", dir}, args...)...)
	}
	if code, out, errs := ask("", "--op", "describe"); code != cmd.ExitOK || !strings.HasPrefix(out, `{"ok":{"abi":1,"name":"prompts"`) || errs != "" {
		t.Errorf("describe: exit %d, %s, %s", code, out, errs)
	}
	for request, want := range map[string]string{
		` {"template":"ebp-scope"}`:                              `{"ok":{"template":"ebp-scope"`,
		"\ufeff{\"template\":\"ebp-scope\"}\n":                   `{"ok":{"template":"ebp-scope"`,
		`{"template":"ebp-scope","op":"prompt.render","x":null}`: `{"ok":{"template":"ebp-scope"`,
		`{}`:               `{"error":{"code":"unknown-template"`,
		`{"template":"x"}`: `{"error":{"code":"unknown-template"`,
	} {
		code, out, errs := ask(request, "--op", "prompt.render", "-")
		failed := strings.HasPrefix(want, `{"error"`)
		if !strings.HasPrefix(out, want) || !json.Valid([]byte(out)) || (code != cmd.ExitOK) != failed || strings.Contains(errs, "(unknown-template)") != failed {
			t.Errorf("%s: exit %d, %s, %s", request, code, out, errs)
		}
	}
	check := func(want int, part, stdin string, args ...string) {
		t.Helper()
		if code, out, errs := ask(stdin, args...); code != want || out != "" || !strings.Contains(errs, part) {
			t.Errorf("%q: exit %d, %q, %q; want %d with %q", args, code, out, errs, want, part)
		}
	}
	check(cmd.ExitInput, "(op-not-described)", "", "--op", "state.replay")
	check(cmd.ExitInput, "-: line 2, column 1: invalid JSON", "{\n]", "--op", "prompt.render", "-")
	check(cmd.ExitInput, "want a JSON object", "[1]", "--op", "prompt.render", "-")
	check(cmd.ExitInput, "want a JSON object", "null", "--op", "prompt.render", "-")
	check(cmd.ExitInput, "cannot read nowhere.json: no such file", "", "--op", "prompt.render", "nowhere.json")
	check(cmd.ExitUsage, `has op "describe", but --op is "prompt.render"`, `{"op":"describe"}`, "--op", "prompt.render", "-")
}

// TestPluginRunEnvironment checks that "plugin run" with --env-data uses the environment
// in the user's files, even if the request does not name an environment.
func TestPluginRunEnvironment(t *testing.T) {
	const call = `[{"name":"cancel_pending_order","arguments":{"order_id":"#M102","reason":"no longer needed"}}]`
	const request = `{"observed":` + call + `,"reference":` + call + ` }
`
	ask := func(request string, args ...string) (int, string, string) {
		return runPlugin(t, request, append([]string{"run", "taubench", "--op", "state.replay", "-"}, args...)...)
	}
	data := filepath.Join("..", "..", "..", "plugins", "taubench", "testdata", "env")
	code, out, errs := ask(request, "--env-data", data)
	if code != cmd.ExitOK || !strings.Contains(out, `"basis":"database","success":true`) {
		t.Errorf("exit %d, %s, %s", code, out, errs)
	}
	if _, out, _ := ask(request); !strings.Contains(out, `"basis":"write-effects"`) {
		t.Errorf("without: %s", out)
	}
	if code, out, _ := ask(strings.Replace(request, "{", `{"environment":"another",`, 1), "--env-data", data); code == cmd.ExitOK || !strings.Contains(out, "unknown-environment") {
		t.Errorf("another one named: exit %d, %s", code, out)
	}
	if code, _, errs := ask(request, "--env-data", t.TempDir()); code != cmd.ExitInput || !strings.Contains(errs, "no environment in") {
		t.Errorf("an empty directory: exit %d, %s", code, errs)
	}
	if code, _, errs := runPlugin(t, "", "run", "prompts", "--op", "describe", "--env-data", data); code != cmd.ExitInput || !strings.Contains(errs, "the plugin does not use an environment") {
		t.Errorf("a plugin that takes none: exit %d, %s", code, errs)
	}
}
