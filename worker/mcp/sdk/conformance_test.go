package sdk

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// suite is the path of the official conformance suite, which npm installs.
const suite = "node_modules/@modelcontextprotocol/conformance/dist/index.js"

// notOurs holds scenarios that do not apply here, with the reason.
var notOurs = map[string]string{
	"tasks-": "the everything-server has no tasks; TestTaskConformance runs these against another server",
}

// TestConformance runs the official conformance suite against the SDK's
// everything-server, directly and through the gate. Every scenario that passes directly
// must also pass through the gate. The gate holds no call, because the policy says that
// the suite's tools change nothing.
func TestConformance(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: no node on PATH; the official MCP conformance suite did not run")
	}
	script, _ := filepath.Abs(suite)
	if _, err := os.Stat(script); err != nil {
		t.Skip("SKIPPED: no node_modules; run \"npm ci --ignore-scripts\" in worker/mcp/sdk for the official MCP conformance suite")
	}
	server := filepath.Join(t.TempDir(), "everything-server")
	if out, err := exec.Command("go", "build", "-o", server, "github.com/modelcontextprotocol/go-sdk/conformance/everything-server").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct {
		revision  string
		stateless bool
	}{{"2026-07-28", true}, {"2025-11-25", false}} {
		t.Run(c.revision, func(t *testing.T) {
			t.Parallel()
			url := everything(t, server, c.stateless)
			p := before(t, url, harmless(t))
			direct := conform(t, node, script, url, c.revision)
			gated := conform(t, node, script, p.url+"/mcp/up", c.revision)
			for again := 0; again < 2 && worse(direct, gated); again++ { // the suite has deadlines of a second; a busy machine misses them
				t.Log("some scenarios failed; running the suite once more")
				for name, ok := range conform(t, node, script, p.url+"/mcp/up", c.revision) {
					gated[name] = gated[name] || ok
				}
			}
			passed := 0
			for name, ok := range direct {
				switch {
				case !ok || skipped(name) != "":
				case !gated[name]:
					t.Errorf("%s passes without the gate and fails through it", name)
				default:
					passed++
				}
			}
			if passed < 30 {
				t.Errorf("only %d scenarios passed", passed)
			}
			t.Logf("%d scenarios pass through the gate", passed)
		})
	}
}

// worse reports whether any scenario passes directly but not through the gate.
func worse(direct, gated map[string]bool) bool {
	for name, ok := range direct {
		if ok && !gated[name] && skipped(name) == "" {
			return true
		}
	}
	return false
}

func skipped(name string) string {
	for prefix, why := range notOurs {
		if strings.HasPrefix(name, prefix) {
			return why
		}
	}
	return ""
}

// harmless returns a policy that says that all tools of the everything-server change
// nothing.
func harmless(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, name := range []string{"simple_text", "image_content", "audio_content", "embedded_resource", "multiple_content_types", "tool_with_logging",
		"tool_with_progress", "error_handling", "sampling", "elicitation", "elicitation_sep1034_defaults", "elicitation_sep1330_enums", "reconnection",
		"x_mcp_header", "missing_capability", "streaming_elicitation", "logging_tool", "trigger_tool_change", "trigger_prompt_change",
		"input_required_result_elicitation", "input_required_result_sampling", "input_required_result_list_roots", "input_required_result_request_state",
		"input_required_result_multiple_inputs", "input_required_result_multi_round", "input_required_result_tampered_state", "input_required_result_capabilities"} {
		fmt.Fprintf(&b, `"mcp__up__test_%s":"no",`, name)
	}
	return `{"tools":{` + b.String() + `"mcp__up__json_schema_2020_12_tool":"no"}}`
}

// everything starts the everything-server, which is the SDK's reference server, and
// returns its address.
func everything(t *testing.T, program string, stateless bool) string {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	address := fmt.Sprintf("localhost:%d", l.Addr().(*net.TCPAddr).Port)
	l.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, "-http", address, fmt.Sprintf("-stateless=%v", stateless))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); cmd.Wait() })
	for range 200 {
		if w, err := http.Get("http://" + address); err == nil {
			w.Body.Close()
			return "http://" + address
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatal("the everything-server did not start")
	return ""
}

var line = regexp.MustCompile(`(?m)^([✓✗]) ([a-z0-9-]+): (\d+) passed, (\d+) failed`)

// conform runs the suite and returns the result of each scenario.
func conform(t *testing.T, node, script, url, revision string) map[string]bool {
	t.Helper()
	shim, _ := filepath.Abs("shim.mjs")
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	dir := t.TempDir()
	cmd := exec.CommandContext(ctx, node, "--import", shim, script, "server", "--url", url, "--requirements", revision, "--output-dir", dir)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Run() // its status also counts extensions; the lines are read below
	got := map[string]bool{}
	for _, m := range line.FindAllStringSubmatch(out.String(), -1) {
		got[m[2]] = m[1] == "✓" && m[4] == "0"
	}
	if len(got) < 30 {
		t.Fatalf("%d scenarios ran at %s:\n%s", len(got), url, tail(out.String()))
	}
	if dir := os.Getenv("BOUNDCHECK_CONFORMANCE_OUT"); dir != "" {
		name := strings.NewReplacer(":", "-", "/", "-").Replace(strings.TrimPrefix(url, "http://"))
		os.WriteFile(filepath.Join(dir, revision+" "+name+".txt"), out.Bytes(), 0o644)
	}
	return got
}

func tail(s string) string {
	if len(s) > 3000 {
		s = s[len(s)-3000:]
	}
	return s
}
