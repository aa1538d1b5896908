package plugin

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// TestPluginNew follows the steps that the command prints: it tests the plugin
// natively, builds the module, verifies it, and scores with it.
func TestPluginNew(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("SKIPPED: no Go toolchain on PATH, the skeleton of a plugin is NOT built")
	}
	dir := filepath.Join(t.TempDir(), "my bench")
	if out := expectPlugin(t, cmd.ExitOK, "/guest/main.go", "new", "my-bench", "--dir", dir); !strings.Contains(out, "/go.mod") {
		t.Errorf("files\n%s", out)
	}
	expectPlugin(t, cmd.ExitInput, "is not empty", "new", "my-bench", "--dir", dir)
	expectPlugin(t, cmd.ExitInput, "invalid plugin name", "new", "My_Bench", "--dir", filepath.Join(dir, "x"))
	expectPlugin(t, cmd.ExitInput, "Boundcheck's own packages", "new", "my-bench", "--dir", "../../../plugins/my-bench")

	runGoTool(t, dir, nil, "vet", "./...")
	runGoTool(t, dir, nil, "test", "./...")
	runGoTool(t, dir, nil, "mod", "tidy", "-diff")
	runGoTool(t, dir, []string{"GOOS=wasip1", "GOARCH=wasm"}, "build", "-trimpath", "-buildmode=c-shared", "-ldflags=-s -w", "-o", "my-bench.wasm", "./guest")
	out := expectPlugin(t, cmd.ExitOK, "my-bench holds: ", "verify", filepath.Join(dir, "my-bench.wasm"))
	if strings.Contains(out, "FAILED") {
		t.Errorf("verified\n%s", out)
	}

	// The same two writes in the other order: the report says that the final states are
	// equal.
	clitest.SpoilFile(t, dir, "trace.json", `{"trace":[{"role":"assistant","content":"","tool_calls":[
		{"id":"a","type":"function","function":{"name":"create_order","arguments":"{}"}},
		{"id":"b","type":"function","function":{"name":"cancel_order","arguments":"{\"id\":1}"}}]},
		{"role":"tool","tool_call_id":"a","content":"ok"},{"role":"tool","tool_call_id":"b","content":"ok"}],
		"reference":{"steps":[{"name":"cancel_order","args":{"id":1}},{"name":"create_order","args":{}}]}}`)
	code, report, errs := runCommand("", "score", "--format", "json", "--plugins", dir, "--plugin", "my-bench", filepath.Join(dir, "trace.json"))
	const want = `"replay":{"benchmark":"my-bench","basis":"write-effects","success":true,"stateEqual":true`
	if code != cmd.ExitOK || !strings.Contains(report, want) || !strings.Contains(report, `"plugins":[{"name":"my-bench","version":"0.1.0"`) {
		t.Errorf("scored: exit %d, %s\n%s", code, errs, report)
	}
}

// runGoTool runs go in the new plugin's folder, without network and workspace.
func runGoTool(t *testing.T, dir string, env []string, args ...string) {
	t.Helper()
	child := exec.Command("go", args...)
	child.Dir = dir
	child.Env = append(append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off"), env...)
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
