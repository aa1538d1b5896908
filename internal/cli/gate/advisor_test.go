package gate

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestGateAsksPlugin checks that a gate asks a person about a call if the plugin says
// that the tool changes something. The gate must also ask if the plugin fails on the
// tool.
func TestGateAsksPlugin(t *testing.T) {
	probe := clitest.ProbeFile(t)
	g := startGate(t, "--dev", "--plugin", probe)
	propose := func(tool, more string, want int) map[string]any {
		t.Helper()
		return g.wantStatus(want, "POST", "/v1/proposals", g.ready.AgentKey, `{"tool":"`+tool+`","arguments":{}`+more+`}`)
	}
	plain := startGate(t, "--dev")
	for _, tool := range []string{"get_rocket", "get_order", "get_broken", "get_stuck"} {
		plain.wantStatus(200, "POST", "/v1/proposals", plain.ready.AgentKey, `{"tool":"`+tool+`","arguments":{}}`)
	}
	propose("get_order", "", 200)
	for range 2 {
		propose("get_rocket", "", 202)
	}
	propose("get_status", `,"tools":[{"name":"get_status","description":"Show the rocket"}]`, 202)
	propose("get_broken", "", 202)
	propose("get_stuck", "", 202)
	propose("get_order", "", 200)   // remembered from the first call
	propose("list_orders", "", 202) // the plugin is not asked again after its deadline
}

// TestHookAsksPlugin checks that a hook without a gate asks the user if the plugin says
// that the tool changes something, or if the plugin fails on the tool. If the plugin
// cannot be loaded, the hook must block the call.
func TestHookAsksPlugin(t *testing.T) {
	probe := clitest.ProbeFile(t)
	for tool, want := range map[string]string{"get_rocket": "ask", "get_broken": "ask", "get_order": ""} {
		if code, verdict, text := runHook(clitest.PreToolUse(tool, `{}`), "--plugin", probe); code != cmd.ExitOK || verdict != want {
			t.Errorf("%s: exit %d %q %s", tool, code, verdict, text)
		}
	}
	if code, _, text := runHook(clitest.PreToolUse("get_order", `{}`), "--plugin", filepath.Join(t.TempDir(), "none.wasm")); code != exitBlock || !strings.Contains(text, "cannot read") {
		t.Errorf("exit %d %s", code, text)
	}
	if code, _, _ := runHook(clitest.PreToolUse("get_order", `{}`), "--plugin", probe, "--gate", "http://127.0.0.1:1"); code != exitBlock {
		t.Errorf("with a gate: exit %d", code)
	}
}

// TestConfigAtHook checks that boundcheck.yaml can make a verdict of the hook stricter
// but not milder. If the file cannot be read, the hook must block the call.
func TestConfigAtHook(t *testing.T) {
	t.Chdir(t.TempDir())
	verdict := func(tool string) string {
		t.Helper()
		code, got, text := runHook(clitest.PreToolUse(tool, `{"id":1}`))
		if code != cmd.ExitOK {
			t.Fatalf("%s: %d %s", tool, code, text)
		}
		return got
	}
	if a, b := verdict("get_order"), verdict("cancel_order"); a != "" || b != "ask" {
		t.Fatalf("without a file: %q %q", a, b)
	}
	clitest.WriteFile(t, "boundcheck.yaml", "tools: {get_order: yes, cancel_order: no, delete_all: control}\n")
	if a, b, c := verdict("get_order"), verdict("cancel_order"), verdict("delete_all"); a != "ask" || b != "ask" || c != "ask" {
		t.Errorf("with it: %q %q %q", a, b, c)
	}
	clitest.WriteFile(t, "boundcheck.yaml", "tools: [\n")
	if code, _, text := runHook(clitest.PreToolUse("get_order", `{}`)); code != exitBlock || !strings.Contains(text, "boundcheck.yaml") {
		t.Errorf("a broken file: %d %s", code, text)
	}
}
