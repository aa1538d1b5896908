//go:build unix

package gate

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/hook"
	"github.com/boundcheck/boundcheck/internal/pace"
	"github.com/boundcheck/boundcheck/internal/waiting"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
)

// TestWaitAtEveryDoor is the law of the wait at the API, the hooks, the permission tool, and
// an MCP server whose gate is elsewhere. The doors of models are in worker/proxy, MCP over
// HTTP is in worker/mcp.
func TestWaitAtEveryDoor(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	const agentKey, aliceKey = "agent-key-0123456789abcdef", "alice-key-0123456789abcdef"
	t.Setenv("BOUNDCHECK_AGENT_KEY", agentKey)
	keys, err := gate.ReadKeys("t agent bot " + agentKey + "\nt approver alice " + aliceKey + "\n")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := machine.ReadPolicy(waiting.Policy)
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "gate.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var now atomic.Int64
	now.Store(1_700_000_000_000)
	var g *gate.Gate
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { g.ServeHTTP(w, r) }))
	address := "http://" + server.Listener.Addr().String()
	if g, err = gate.New(gate.Options{Store: store, Keys: keys, Policy: rules, URL: address, Now: now.Load, Rate: -1}); err != nil {
		t.Fatal(err)
	}
	server.Start()
	defer server.Close()
	send := func(key, method, path, body string) (int, string) {
		r, _ := http.NewRequest(method, address+path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+key)
		w, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Body.Close()
		text, _ := io.ReadAll(w.Body)
		return w.StatusCode, string(text)
	}
	const tool = "mcp__shop__refund"
	open := map[string]string{} // what the API's agent has proposed, by arguments
	seen := filepath.Join(t.TempDir(), "seen")
	stdio := strings.Replace(orderServer, "*broken*)", "*'\"tools/call\"'*) printf '%s\\n' \"$l\" >> "+seen+"; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}}';;\n*broken*)", 1)
	calls := map[string]func(arguments string) (bool, string){
		"api": func(arguments string) (bool, string) {
			if open[arguments] != "" {
				status, text := send(agentKey, "POST", "/v1/proposals/"+open[arguments]+"/claim", "")
				if v, _ := jsonval.Parse(text); status == 200 || v.At("error", "code").Text() == gate.CodeEarly || strings.Contains(text, "not decided") {
					if status == 200 {
						delete(open, arguments)
					}
					return status == 200, text
				}
			}
			_, text := send(agentKey, "POST", "/v1/proposals", `{"tool":"`+tool+`","arguments":`+arguments+`}`)
			v, _ := jsonval.Parse(text)
			open[arguments] = v.Get("id").Text()
			return false, text
		},
		"http hook": func(arguments string) (bool, string) {
			_, text := send(agentKey, "POST", "/v1/hooks/claude-code?wait=0", `{"session_id":"h","hook_event_name":"PreToolUse","tool_name":"`+tool+`","tool_input":`+arguments+`}`)
			return strings.Contains(text, `"allow"`), text
		},
		"permission tool": func(arguments string) (bool, string) {
			_, text := send(agentKey, "POST", "/v1/hooks/claude-code/permission?wait=0", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"approve","arguments":{"tool_name":"`+tool+`","input":`+arguments+`}}}`)
			return strings.Contains(text, `\"allow\"`), text
		},
		"mcp, a gate elsewhere": func(arguments string) (bool, string) {
			os.Remove(seen)
			in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"refund","arguments":` + arguments + `}}` + "\n")
			_, out, remarks := runMCP(in, "--gate", address, "--no-open", "--wait", "0s", "--name", "shop", "--", "sh", "-c", stdio)
			_, err := os.Stat(seen)
			return err == nil, out + remarks
		},
	}
	events := map[string]string{"claude-code": "PermissionRequest", "codex": "PreToolUse", "cursor": "preToolUse", "gemini-cli": "BeforeTool", "copilot": "PreToolUse"}
	for _, h := range hook.Hosts() {
		calls[h.Name] = func(arguments string) (bool, string) {
			var out, errs bytes.Buffer
			input := `{"session_id":"c-` + h.Name + `","hook_event_name":"` + events[h.Name] + `","tool_name":"` + tool + `","tool_input":` + arguments + `}`
			if code := Hook([]string{h.Name, "--gate", address, "--no-wait"}, strings.NewReader(input), &out, &errs); code != cmd.ExitOK {
				t.Fatalf("%s: %d %s", h.Name, code, errs.String())
			}
			return !strings.Contains(out.String(), "deny"), out.String()
		}
	}
	rng := rand.New(rand.NewPCG(61, 3))
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		call := calls[name]
		d := waiting.Door{Call: call, Others: 2, Now: now.Load, Pass: func(ms int64) { now.Add(ms) },
			Send: func(method, path, body string) (int, string) { return send(aliceKey, method, path, body) }}
		runs, early := 0, 0
		for i := range drawn.Cases(4) {
			n, e, _ := waiting.Play(t, rng, d, fmt.Sprintf("%s %d", name, i), 24)
			runs, early = runs+n, early+e
		}
		if runs == 0 || early == 0 {
			t.Errorf("%s: %d ran, %d came early", name, runs, early)
		}
		t.Log(name, runs, early)
	}
}

// TestBoundsWithoutAGate checks that a hook without a gate denies what it cannot keep: it can
// keep no call back after a yes, and does not know who says yes.
func TestBoundsWithoutAGate(t *testing.T) {
	for _, policy := range []string{waiting.Policy, `{"rules":[{"name":"money","tool":"cancel_*","effect":"hold","from":["ann"]}]}`, `{"fourEyes":["cancel_order"]}`,
		`{"groups":{"ops":["ann","ben"]},"rules":[{"name":"money","tool":"*","effect":"hold","from":"ops"}]}`} {
		assertDeniedWithoutAGate(t, policy)
	}
}

func assertDeniedWithoutAGate(t *testing.T, policy string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.json")
	if err := os.WriteFile(file, []byte(policy), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, h := range hook.Hosts() {
		var out, errs bytes.Buffer
		event := map[string]string{"cursor": "preToolUse", "gemini-cli": "BeforeTool"}[h.Name]
		if event == "" {
			event = "PreToolUse"
		}
		code := Hook([]string{h.Name, "--policy", file}, strings.NewReader(`{"session_id":"s","hook_event_name":"`+event+`","tool_name":"cancel_order","tool_input":{"a":1}}`), &out, &errs)
		if code != cmd.ExitOK || !strings.Contains(out.String(), "deny") || !strings.Contains(out.String(), "only with a gate") {
			t.Errorf("%s: %d %s%s", h.Name, code, out.String(), errs.String())
		}
	}
}

// TestHookOddTranscripts gives the hook transcripts that are not regular files. It decides at
// once, without the conversation.
func TestHookOddTranscripts(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, t.TempDir(), "/dev/zero", "/dev/tty", filepath.Join(pipe, "none")} {
		begun := time.Now()
		var out, errs bytes.Buffer
		code := Hook([]string{"claude-code"}, strings.NewReader(`{"session_id":"s","transcript_path":"`+path+`","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"a":1}}`), &out, &errs)
		if code != cmd.ExitOK || !strings.Contains(out.String(), `"ask"`) || time.Since(begun) > pace.Within(3*time.Second) {
			t.Errorf("%s: %d after %v: %s%s", path, code, time.Since(begun), out.String(), errs.String())
		}
	}
}
