package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/hostile"
	"github.com/boundcheck/boundcheck/plugins/abi"
)

// asksFor returns a map from each command to the plugin operations that the command
// calls. It contains only the operations equivalence.check, tools.classify and
// trace.decode.
func asksFor() map[string][]string {
	reads := []string{abi.OpToolsClassify, abi.OpTraceDecode}
	return map[string][]string{
		"score":             {abi.OpEquivalenceCheck, abi.OpToolsClassify, abi.OpTraceDecode},
		"score --stream":    {abi.OpEquivalenceCheck, abi.OpToolsClassify},
		"study equivalence": {abi.OpEquivalenceCheck, abi.OpToolsClassify, abi.OpTraceDecode},
		"study deviations":  reads, "study decisive": reads, "study sensitivity": reads,
		"lint":           reads,
		"convert":        {abi.OpTraceDecode},
		"read":           {abi.OpTraceDecode},
		"tools classify": {abi.OpToolsClassify},
		"gate":           {abi.OpToolsClassify},
		"hook":           {abi.OpToolsClassify},
	}
}

// TestWhoCallsWhat checks that plugins/ABI.md names the same commands for each operation
// as asksFor. The tests below check that these commands call the operation.
func TestWhoCallsWhat(t *testing.T) {
	text, err := os.ReadFile("../../plugins/ABI.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range []string{abi.OpEquivalenceCheck, abi.OpToolsClassify, abi.OpTraceDecode} {
		row := regexp.MustCompile("(?m)^\\| `" + regexp.QuoteMeta(op) + "` \\| (.*) \\|$").FindSubmatch(text)
		if row == nil {
			t.Fatalf("no row of %s", op)
		}
		var got, want []string
		for _, m := range regexp.MustCompile("`([a-z -]+)`").FindAllStringSubmatch(string(row[1]), -1) {
			got = append(got, m[1])
		}
		for command, ops := range asksFor() {
			if slices.Contains(ops, op) {
				want = append(want, command)
			}
		}
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("%s: ABI.md names %q, asked by %q", op, got, want)
		}
	}
}

// TestCommandsAskPlugins runs over a dozen commands that load a plugin, which takes seconds.
// It checks that the commands that read traces can read a plugin's format, and that they
// use the plugin's verdicts on tools.
func TestCommandsAskPlugins(t *testing.T) {
	probe, dir := clitest.ProbeFile(t), t.TempDir()
	t.Chdir(dir)
	clitest.SpoilFile(t, dir, "run.probe", "PROBE\nget_rocket\nget_order\n")
	clitest.SpoilFile(t, dir, "study.json", `[{"task_id":"1","reward":1,"info":{"task":{"actions":[{"name":"get_order","kwargs":{}},{"name":"get_rocket","kwargs":{}}]}},"traj":[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"get_rocket","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"x"}]},
		{"task_id":"2","reward":0,"info":{"task":{"actions":[{"name":"get_order","kwargs":{}}]}},"traj":[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"get_rocket","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"x"}]}]`)
	clitest.SpoilFile(t, dir, "tools.json", `[{"name":"get_rocket"}]`)
	files := map[string]string{"study deviations": "study.json", "study decisive": "study.json", "study sensitivity": "study.json"}
	for command, ops := range asksFor() {
		args := strings.Fields(command)
		if command == "gate" || command == "hook" || command == "tools classify" {
			continue // TestGateAsksPlugin, TestHookAsksPlugin, TestClassifyingPlugin
		}
		if command == "convert" {
			args = append(args, "--to", "generic")
		}
		try := func(file string) (code int, out, errs string) {
			return runCommand("", append(slices.Clone(args), "--plugin", probe, file)...)
		}
		code, out, errs := try("run.probe")
		if decodes := slices.Contains(ops, abi.OpTraceDecode); decodes == (strings.Contains(out+errs, "unknown trace format") || strings.Contains(out, "invalid")) {
			t.Errorf("%s of a plugin's format: exit %d\n%s%s", command, code, out, errs)
		}
		if !slices.Contains(ops, abi.OpToolsClassify) {
			continue
		}
		file := files[command]
		if file == "" {
			clitest.SpoilFile(t, dir, "run.json", `{"trajectories":[{"task":"calm","actions":[{"name":"get_rocket","arguments":{}},{"name":"get_order","arguments":{}}]}]}`)
			file = "run.json"
		}
		if command == "study equivalence" { // its runs need references, and it does not show verdicts on tools
			continue
		}
		if code, out, errs := try(file); !strings.Contains(errs, "classified 2 of 2 tools") {
			t.Errorf("%s: exit %d\n%s%s", command, code, out, errs)
		}
	}
	if _, out, _ := runCommand("", "lint", "--format", "json", "run.json"); strings.Contains(out, "a rocket") {
		t.Error("without the plugin", out)
	}
	if code, out, errs := runCommand("", "lint", "--format", "json", "--plugin", probe, "run.json"); code != cmd.ExitOK || !strings.Contains(out, `{"name":"get_rocket","arguments":"{}","mutating":"yes","layer":"plugin",`) || !strings.Contains(out, `"plugins":[{"name":"probe"`) {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
}

// TestAdvisorFails checks that a tool counts as unknown if the plugin fails on the tool.
// If the plugin fails on every tool, the command must return an error.
func TestAdvisorFails(t *testing.T) {
	probe, dir := clitest.ProbeFile(t), t.TempDir()
	t.Chdir(dir)
	clitest.SpoilFile(t, dir, "a.json", `[{"name":"get_broken","arguments":{}},{"name":"get_order","arguments":{}},{"name":"get_broken","arguments":{}}]`)
	code, out, errs := runCommand("", "lint", "--format", "json", "--plugin", probe, "a.json")
	if code != cmd.ExitOK || !strings.Contains(errs, "classified 1 of 2 tools, failed on 1; a tool without an answer counts as unknown") ||
		!strings.Contains(out, `{"name":"get_broken","arguments":"{}","mutating":"unknown","layer":"plugin",`) {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	clitest.SpoilFile(t, dir, "b.json", `[{"name":"get_broken","arguments":{}}]`)
	if code, _, errs := runCommand("", "lint", "--plugin", probe, "b.json"); code != cmd.ExitInput || !strings.Contains(errs, "a plugin failed on every tool: ") {
		t.Errorf("exit %d, %s", code, errs)
	}
	clitest.SpoilFile(t, dir, "bad.wasm", string(hostile.Honest(hostile.Describe("bad"))))
	for _, args := range [][]string{{"lint", "b.json"}, {"convert", "--to", "generic", "b.json"}, {"study", "decisive", "b.json"}, {"study", "deviations", "b.json"}, {"study", "sensitivity", "b.json"},
		{"gate", "--dev"}} {
		if code, out, errs := runCommand("", append(args, "--plugin", filepath.Join(dir, "bad.wasm"))...); code != cmd.ExitInput || !strings.Contains(out+errs, `plugin "bad" needs one of`) {
			t.Errorf("%q: exit %d\n%s%s", args, code, out, errs)
		}
		if code, out, errs := runCommand("", append(args, "--plugin", "x.wasm", "--locked")...); code != cmd.ExitInput || !strings.Contains(out+errs, "cannot read x.wasm") {
			t.Errorf("%q: exit %d\n%s%s", args, code, out, errs)
		}
	}
}
