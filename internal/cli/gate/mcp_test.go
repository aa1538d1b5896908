//go:build unix

package gate

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/pace"
)

// shellServer is an MCP server in sh. It knows three tools, and answers every call.
const shellServer = `echo started >&2
while read -r l; do case "$l" in
*'"tools/list"'*) echo '{"jsonrpc":"2.0","id":"boundcheck-list","result":{"tools":[{"name":"get_order","inputSchema":{}},{"name":"add_note","inputSchema":{},"annotations":{"readOnlyHint":true}},{"name":"delete_order","inputSchema":{}}]}}';;
*'"initialize"'*) echo '{"jsonrpc":"2.0","id":"boundcheck-list","result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}';;
*'"tools/call"'*) echo '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"did it"}]}}';;
esac; done`

func runMCP(in io.Reader, args ...string) (code int, out, remarks string) {
	var stdout, stderr clitest.LockedBuffer
	// The struct hides the buffer's ReadFrom, which takes no lock.
	code = MCP(args, in, &stdout, struct{ io.Writer }{&stderr})
	return code, stdout.String(), stderr.String()
}

// runMCPHost runs the command for a host that writes one line, and leaves when it has the answer.
func runMCPHost(line string, args ...string) (code int, out, remarks string) {
	var stdout, stderr clitest.LockedBuffer
	in, w := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer w.Close()
		for io.WriteString(w, line); !strings.Contains(stdout.String(), "\n"); time.Sleep(5 * time.Millisecond) {
			select {
			case <-ended:
				return
			default:
			}
		}
	}()
	code = MCP(args, in, struct{ io.Writer }{&stdout}, struct{ io.Writer }{&stderr})
	close(ended)
	return code, stdout.String(), stderr.String()
}

// TestMCPCommand checks the command with a server that a shell runs: what passes, what is
// held, which stream has what, and with which code it ends.
func TestMCPCommand(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	call := func(tool string) io.Reader {
		return strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":{}}}` + "\n")
	}
	for tool, want := range map[string]string{"get_order": "did it", "delete_order": "Held for approval", "add_note": "Held for approval"} {
		code, out, remarks := runMCP(call(tool), "--no-open", "--wait", "0s", "--", "sh", "-c", shellServer)
		if code != cmd.ExitOK || !strings.Contains(out, want) || strings.Count(out, "\n") != 1 || !strings.Contains(remarks, "started\n") || !strings.Contains(remarks, "/once/") {
			t.Errorf("%s: %d, %q, %q", tool, code, out, remarks)
		}
	}
	silent, left := io.Pipe() // a host that says nothing and stays
	defer left.Close()
	if code, out, remarks := runMCP(silent, "--no-open", "--", "sh", "-c", "exit 7"); code != 7 || out != "" || !strings.Contains(remarks, "the server has ended") {
		t.Errorf("%d, %q, %q", code, out, remarks)
	}
	for _, args := range [][]string{{}, {"--"}, {"--wait", "2h", "--", "x"}, {"--nope", "--", "x"}} {
		if code, _, _ := runMCP(silent, args...); code != cmd.ExitUsage {
			t.Errorf("%q: %d", args, code)
		}
	}
	if code, _, remarks := runMCP(silent, "--", "/nonexistent/server"); code != cmd.ExitInput || !strings.Contains(remarks, "cannot start") {
		t.Errorf("%d %s", code, remarks)
	}
}

// TestMCPCommandOpens checks that a held call opens a link that signs in, in a file that
// only this user can read, and that a second process for the same server has a database
// of its own.
func TestMCPCommandOpens(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("DISPLAY", ":1")
	opened := make(chan string, 2)
	openInBrowser = func(file string) error { opened <- file; return nil }
	for range 2 {
		in, w := io.Pipe()
		var done sync.WaitGroup
		done.Go(func() {
			runMCP(in, "--wait", "1s", "--name", "shop", "--", "sh", "-c", shellServer)
		})
		defer done.Wait()
		defer w.Close()
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_order","arguments":{}}}`+"\n")
		select {
		case file := <-opened:
			text, err := os.ReadFile(file)
			about, _ := os.Stat(file)
			if err != nil || !strings.Contains(string(text), "/once/") || about.Mode().Perm() != 0o600 {
				t.Errorf("%s %v", text, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("nothing was opened")
		}
	}
	dir, _ := os.UserConfigDir()
	for _, name := range []string{"shop.db", "shop--2.db"} {
		if _, err := os.Stat(filepath.Join(dir, "boundcheck", "mcp", name)); err != nil {
			t.Error(err)
		}
	}
}

// TestMCPScan checks that a scanned policy is valid, names every tool, and lets no call
// pass that the gate holds without it.
func TestMCPScan(t *testing.T) {
	code, out, remarks := runMCP(strings.NewReader(""), "scan", "--name", "shop", "--", "sh", "-c", shellServer)
	if code != cmd.ExitOK {
		t.Fatalf("%d %s", code, remarks)
	}
	file := filepath.Join(t.TempDir(), "policy.yaml")
	os.WriteFile(file, []byte(out), 0o600)
	p, err := readPolicy(file)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"get_order", "add_note", "delete_order"} {
		if !strings.Contains(out, `"mcp__shop__`+name+`"`) {
			t.Errorf("%s is missing:\n%s", name, out)
		}
	}
	if len(p.Tools) != 2 {
		t.Errorf("%v", p.Tools)
	}
	bare := machine.Default()
	for name := range p.Tools {
		with, _ := p.Judge(mutation.Tool{Name: name})
		without, _ := bare.Judge(mutation.Tool{Name: name})
		if !with.Counts() && without.Counts() {
			t.Errorf("the policy lets %s pass", name)
		}
	}
}

// TestMCPCommandElsewhere checks the command with a gate that runs elsewhere: what it holds
// waits for its people, runs once with the stored bytes, and is reported; a read passes; a
// denied call and a gate that is gone run nothing.
func TestMCPCommandElsewhere(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	policy := filepath.Join(t.TempDir(), "p.yaml")
	os.WriteFile(policy, []byte("tools:\n  mcp__shop__wipe: {deny: never}\n"), 0o600)
	g := startGate(t, "--dev", "--policy", policy)
	t.Setenv("BOUNDCHECK_AGENT_KEY", g.ready.AgentKey)
	server := strings.Replace(shellServer, `{"name":"add_note"`, `{"name":"wipe","inputSchema":{}},{"name":"add_note"`, 1)
	call := func(tool, wait string) string {
		t.Helper()
		line := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":{ "id": "W-1" }}}` + "\n"
		code, out, remarks := runMCPHost(line, "--gate", g.ready.URL, "--no-open", "--wait", wait, "--name", "shop", "--", "sh", "-c", server)
		if code != cmd.ExitOK {
			t.Fatalf("%s: %d %s %s", tool, code, out, remarks)
		}
		return out
	}
	pending := func() map[string]any {
		t.Helper()
		for range 400 {
			if list := g.wantStatus(200, "GET", "/v1/proposals", g.ready.ApproverKey, "")["pending"].([]any); len(list) == 1 {
				return list[0].(map[string]any)
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatal("no question came")
		return nil
	}
	decide := func(p map[string]any, approve string) {
		t.Helper()
		g.wantStatus(200, "POST", "/v1/proposals/"+p["id"].(string)+"/decision", g.ready.ApproverKey, `{"approve":`+approve+`,"reason":"because","digest":"`+p["digest"].(string)+`"}`)
	}
	if out := call("get_order", "0s"); !strings.Contains(out, "did it") {
		t.Errorf("a read: %s", out)
	}
	if out := call("wipe", "0s"); !strings.Contains(out, "Denied by the policy: never") {
		t.Errorf("denied: %s", out)
	}
	if out := call("delete_order", "0s"); !strings.Contains(out, "Held for approval") || !strings.Contains(out, g.ready.URL+"/p/") {
		t.Errorf("held: %s", out)
	}
	p := pending()
	if p["tool"] != "mcp__shop__delete_order" {
		t.Errorf("%v", p)
	}
	decide(p, "true")
	if out := call("delete_order", "0s"); !strings.Contains(out, "did it") {
		t.Errorf("approved: %s", out)
	}
	if got := g.wantStatus(200, "GET", "/v1/proposals/"+p["id"].(string), g.ready.AgentKey, "")["state"]; got != "executed" {
		t.Errorf("%v", got)
	}
	go func() { decide(pending(), "true") }()
	if out := call("delete_order", "20s"); !strings.Contains(out, "did it") {
		t.Errorf("approved while it waits: %s", out)
	}
	go func() { decide(pending(), "false") }()
	if out := call("delete_order", "20s"); !strings.Contains(out, "Denied by approver: because") {
		t.Errorf("denied by a person: %s", out)
	}
	for n, leave := range []func(w io.Closer){ // a host that leaves while its call waits, and two signals
		func(w io.Closer) { w.Close() },
		func(io.Closer) { syscall.Kill(os.Getpid(), syscall.SIGHUP) },
		func(io.Closer) { syscall.Kill(os.Getpid(), syscall.SIGTERM) },
	} {
		in, w := io.Pipe()
		var left map[string]any
		var began time.Time
		go func() {
			io.WriteString(w, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_order","arguments":{"id":"W-2"}}}`+"\n")
			left, began = pending(), time.Now()
			leave(w)
			time.AfterFunc(pace.Within(5*time.Second), func() { w.Close() })
		}()
		_, out, _ := runMCP(in, "--gate", g.ready.URL, "--no-open", "--wait", "1h", "--name", "shop", "--", "sh", "-c", server)
		if took := time.Since(began); took > pace.Within(3*time.Second) || strings.Contains(out, "did it") {
			t.Errorf("after the host has left in way %d, the command took %v: %s", n, took, out)
		}
		if status, told := g.sendRequest("POST", "/v1/proposals/"+left["id"].(string)+"/decision", g.ready.ApproverKey, `{"approve":true,"digest":"`+left["digest"].(string)+`"}`); status != 409 || !strings.Contains(fmt.Sprint(told), "cancelled") {
			t.Errorf("an approval after the host has left in way %d: %d %v", n, status, told)
		}
	}
	for _, args := range [][]string{{"--gate", "http://127.0.0.1:1"}, {"--gate", "ftp://x"}, {"--gate", g.ready.URL, "--form"}, {"--gate", g.ready.URL, "--policy", policy}} {
		if code, out, _ := runMCP(strings.NewReader(""), append(args, "--", "sh", "-c", server)...); code == cmd.ExitOK || out != "" {
			t.Errorf("%q: %d %s", args, code, out)
		}
	}
	t.Setenv("BOUNDCHECK_AGENT_KEY", "wrong-key-0123456789abcdef")
	if code, _, remarks := runMCP(strings.NewReader(""), "--gate", g.ready.URL, "--", "sh", "-c", server); code == cmd.ExitOK || !strings.Contains(remarks, "does not know the key") || !strings.Contains(remarks, "BOUNDCHECK_AGENT_KEY") {
		t.Errorf("%d %s", code, remarks)
	}
}

// TestMCPCommandEnds checks that a server which does not end by itself is ended, with what
// it has started. It takes the four seconds that the protocol gives a server.
func TestMCPCommandEnds(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "pid")
	in, w := io.Pipe()
	time.AfterFunc(300*time.Millisecond, func() { w.Close() })
	code, _, remarks := runMCP(in, "--no-open", "--db", filepath.Join(t.TempDir(), "a.db"), "--", "sh", "-c", `trap "" TERM; sleep 300 & echo $! > `+mark+`; while :; do sleep 0.1; done`)
	text, err := os.ReadFile(mark)
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	if code == cmd.ExitOK || err != nil || pid == 0 {
		t.Fatalf("%d %v %s", code, err, remarks)
	}
	for range 100 {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		if state, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil && strings.Contains(string(state), ") Z ") {
			return // it has ended, and nobody has asked how
		}
		time.Sleep(10 * time.Millisecond)
	}
	syscall.Kill(pid, syscall.SIGKILL)
	t.Error("what the server has started still runs")
}
