package sdk

import (
	"bufio"
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/worker/mcp"
	"github.com/boundcheck/boundcheck/worker/mcp/sse"
)

// nodeOrSkip returns the path of Node.js, or skips the test if it or its packages are
// missing.
func nodeOrSkip(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: no node on PATH; the official TypeScript SDK did not run")
	}
	if _, err := os.Stat("node_modules/@modelcontextprotocol/sdk"); err != nil {
		t.Skip("SKIPPED: no node_modules; run \"npm ci --ignore-scripts\" in worker/mcp/sdk for the official TypeScript SDK")
	}
	return node
}

// serveTasks starts a server of tasks.mjs and returns its address.
func serveTasks(t *testing.T, node, role string) string {
	t.Helper()
	cmd := exec.Command(node, "tasks.mjs", role)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	port, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return "http://127.0.0.1:" + strings.TrimSpace(port)
}

// runTasks runs the client of tasks.mjs and returns what it prints.
func runTasks(t *testing.T, node string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), node, append([]string{"tasks.mjs", "client"}, args...)...)
	var remarks bytes.Buffer
	cmd.Stderr = &remarks
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, remarks.String())
	}
	return strings.TrimSpace(string(out))
}

const taskCapabilities = `{"cancel":{},"requests":{"tools":{"call":{}}}}`

// TestTasksTypeScript checks tasks of 2025-11-25 with the official TypeScript SDK's client
// and server, over HTTP, HTTP+SSE and stdio: a read runs as a task, the task of a held call waits for
// the decision, and a tool that always needs a task is called again.
func TestTasksTypeScript(t *testing.T) {
	node := nodeOrSkip(t)
	p := before(t, serveTasks(t, node, "http"), "", func(*mcp.Server) {})
	want := taskCapabilities + ", get_report is done, delete_order is done, held, delete_item is done"
	if got := runTasks(t, node, p.url, agentKey, aliceKey); got != want {
		t.Errorf("over HTTP\n%s\nwant\n%s", got, want)
	}
	if got := runTasks(t, node, p.url, agentKey, aliceKey, "sse"); got != want {
		t.Errorf("a client of HTTP+SSE\n%s\nwant\n%s", got, want)
	}
	url := serveTasks(t, node, "sse")
	up, err := sse.NewUpstream(url, nil, http.DefaultTransport)
	if err != nil {
		t.Fatal(err)
	}
	p = before(t, url, "", func(s *mcp.Server) { s.Transport = up })
	if got := runTasks(t, node, p.url, agentKey, aliceKey, "sse"); got != want {
		t.Errorf("over HTTP+SSE\n%s\nwant\n%s", got, want)
	}
	want = taskCapabilities + ", get_report is done, held"
	if got := runTasks(t, node, wrapServer(t, nil, node, "tasks.mjs", "server")...); got != want {
		t.Errorf("over stdio\n%s\nwant\n%s", got, want)
	}
}

// taskScenarios are the conformance suite's scenarios of the extension.
var taskScenarios = []string{"tasks-lifecycle", "tasks-capability-negotiation", "tasks-wire-fields", "tasks-request-state-removal", "tasks-mrtr-input",
	"tasks-request-headers", "tasks-dispatch-and-envelope", "tasks-status-notifications", "tasks-required-task-error", "tasks-mrtr-composition"}

// TestTaskConformance runs the official conformance suite's scenarios of the extension
// against a server of tasks.mjs, directly and through the gate. Both must pass. The policy
// says that the server's tools change nothing.
func TestTaskConformance(t *testing.T) {
	node := nodeOrSkip(t)
	script, _ := filepath.Abs(suite)
	url := serveTasks(t, node, "extension")
	var no []string
	for _, name := range []string{"greet", "slow_compute", "failing_job", "protocol_error_job", "confirm_delete", "multi_input", "test_tool_with_task"} {
		no = append(no, `"mcp__up__`+name+`":"no"`)
	}
	p := before(t, url, `{"tools":{`+strings.Join(no, ",")+`}}`)
	for _, name := range taskScenarios {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if ok, how := runScenario(t, node, script, url, name); !ok {
				t.Errorf("fails without the gate:\n%s", how)
			}
			if ok, how := runScenario(t, node, script, p.url+"/mcp/up", name); !ok {
				t.Errorf("fails through the gate:\n%s", how)
			}
		})
	}
}

// runScenario runs one scenario of the suite. It reports whether no check failed.
func runScenario(t *testing.T, node, script, url, name string) (ok bool, output string) {
	t.Helper()
	shim, _ := filepath.Abs("shim.mjs")
	cmd := exec.CommandContext(t.Context(), node, "--import", shim, script, "server", "--url", url, "--scenario", name, "--output-dir", t.TempDir())
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	return err == nil, tail(string(out))
}
