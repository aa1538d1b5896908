//go:build !js

package gate

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/hook"
)

// TestEditThroughHooks edits a call of each host's hook. Claude Code gets the changed
// arguments. Every other host is told the call to make, and that call runs with the
// approval that it has; the call before the edit runs at no host.
func TestEditThroughHooks(t *testing.T) {
	policy := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(policy, []byte("edit:\n  - {name: all, arguments: [\"*\"], counts: true}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	g := startGate(t, "--dev", "--policy", policy)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("BOUNDCHECK_AGENT_KEY", g.ready.AgentKey)
	for _, h := range hook.Hosts() {
		run := func(event, id, arguments string) string {
			t.Helper()
			var out, errs bytes.Buffer
			input := `{"hook_event_name":"` + event + `","session_id":"` + h.Name + `","tool_use_id":"` + id + `","tool_name":"cancel_order","tool_input":` + arguments + `}`
			if code := Hook([]string{h.Name, "--gate", g.ready.URL, "--no-wait"}, strings.NewReader(input), &out, &errs); code != cmd.ExitOK {
				t.Fatalf("%s: %d %s", h.Name, code, errs.String())
			}
			return out.String()
		}
		before, after := hookEvents[h.Name][0], hookEvents[h.Name][1]
		if text := run(before, "1", `{"id":1,"n":2}`); !strings.Contains(text, "approval pending") {
			t.Fatalf("%s: %s", h.Name, text)
		}
		p := g.wantStatus(200, "GET", "/v1/proposals", g.ready.ApproverKey, "")["pending"].([]any)[0].(map[string]any)
		path := "/v1/proposals/" + p["id"].(string)
		next := g.wantStatus(200, "POST", path+"/edit", g.ready.ApproverKey, `{"digest":"`+p["digest"].(string)+`","arguments":{"id":1,"n":5}}`)
		nextPath := "/v1/proposals/" + next["id"].(string)
		if text := run(before, "1", `{"id":1,"n":2}`); !strings.Contains(text, "approval pending") || strings.Contains(text, p["id"].(string)) {
			t.Errorf("%s, before the approval: %s", h.Name, text)
		}
		g.wantStatus(200, "POST", nextPath+"/decision", g.ready.ApproverKey, `{"approve":true,"digest":"`+next["digest"].(string)+`"}`)
		text := run(before, "1", `{"id":1,"n":2}`)
		if h.Name == "claude-code" {
			if !strings.Contains(text, `"permissionDecision":"allow"`) || !strings.Contains(text, `"updatedInput":{"id":1,"n":5}`) {
				t.Errorf("%s: %s", h.Name, text)
			}
			run(after, "1", `{"id":1,"n":5}`)
		} else {
			if !strings.Contains(text, `deny`) || !strings.Contains(strings.ReplaceAll(text, `\`, ""), `with exactly these arguments: {"id":1,"n":5}`) {
				t.Errorf("%s: %s", h.Name, text)
			}
			if text := run(before, "2", `{"id":1,"n":5}`); strings.Contains(text, "deny") {
				t.Errorf("%s, the call that it was told: %s", h.Name, text)
			}
			run(after, "2", `{"id":1,"n":5}`)
		}
		if a, b := g.wantStatus(200, "GET", path, g.ready.AgentKey, "")["state"], g.wantStatus(200, "GET", nextPath, g.ready.AgentKey, "")["state"]; a != "superseded" || b != "executed" {
			t.Errorf("%s: the call before is %v, the edited one %v", h.Name, a, b)
		}
	}
	text := clitest.PreToolUse("cancel_order", `{"id":9}`)
	runHook(text, "--gate", g.ready.URL, "--no-wait")
	p := g.wantStatus(200, "GET", "/v1/proposals", g.ready.ApproverKey, "")["pending"].([]any)[0].(map[string]any)
	next := g.wantStatus(200, "POST", "/v1/proposals/"+p["id"].(string)+"/edit", g.ready.ApproverKey, `{"digest":"`+p["digest"].(string)+`","arguments":{"id":10}}`)
	g.wantStatus(200, "POST", "/v1/proposals/"+next["id"].(string)+"/decision", g.ready.ApproverKey, `{"approve":true,"digest":"`+next["digest"].(string)+`"}`)
	runHook(text, "--gate", g.ready.URL)
	if code, _, said := runHook(strings.Replace(text, "PreToolUse", "PostToolUse", 1), "--gate", g.ready.URL); code != cmd.ExitOK || said != "" { // the host names its own arguments
		t.Error(code, said)
	}
	if state := g.wantStatus(200, "GET", "/v1/proposals/"+next["id"].(string), g.ready.AgentKey, "")["state"]; state != "ambiguous" {
		t.Errorf("after a report of the call before the edit: %v", state)
	}
}
