//go:build !js

package gate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/hook"
)

// TestHostsNameTheirDirectory checks for each host that its user or approver sees the directory of a call, and that a yes in one
// directory lets nothing run in another.
func TestHostsNameTheirDirectory(t *testing.T) {
	g := startGate(t, "--dev")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("BOUNDCHECK_AGENT_KEY", g.ready.AgentKey)
	for _, h := range hook.Hosts() {
		event := map[string]string{"cursor": "preToolUse", "gemini-cli": "BeforeTool"}[h.Name]
		if event == "" {
			event = "PreToolUse"
		}
		run := func(dir string, args ...string) string {
			t.Helper()
			where := `"cwd":"` + dir + `"`
			if h.Name == "cursor" {
				where = `"cwd":"","workspace_roots":["` + dir + `"]`
			}
			var out, failed strings.Builder
			in := fmt.Sprintf(`{"session_id":"s %s","hook_event_name":%q,"tool_name":"add_note","tool_input":{"n":1},%s}`, h.Name, event, where)
			if code := Hook(append([]string{h.Name}, args...), strings.NewReader(in), &out, &failed); code != cmd.ExitOK {
				t.Fatalf("%s: %d %s", h.Name, code, failed.String())
			}
			return out.String()
		}
		if text := run("/srv/scratch"); !strings.Contains(text, `\nDirectory: /srv/scratch\n`) {
			t.Errorf("%s: the directory is not in %s", h.Name, text)
		}
		gated := func(dir string) string { return run(dir, "--gate", g.ready.URL, "--no-wait") }
		if text := gated("/srv/scratch"); !strings.Contains(text, "approval pending") {
			t.Errorf("%s: %s", h.Name, text)
		}
		for _, q := range g.wantStatus(200, "GET", "/v1/proposals", g.ready.ApproverKey, "")["pending"].([]any) {
			q := q.(map[string]any)
			if !strings.Contains(q["prompt"].(string), "\nDirectory: /srv/scratch\n") {
				t.Errorf("%s: the approver sees %s", h.Name, q["prompt"])
			}
			g.wantStatus(200, "POST", "/v1/proposals/"+q["id"].(string)+"/decision", g.ready.ApproverKey, `{"approve":true,"digest":"`+q["digest"].(string)+`"}`)
		}
		if text := gated("/srv/production"); !strings.Contains(text, "approval pending") {
			t.Errorf("%s: in another directory: %s", h.Name, text)
		}
		for _, q := range g.wantStatus(200, "GET", "/v1/proposals", g.ready.ApproverKey, "")["pending"].([]any) {
			g.wantStatus(200, "POST", "/v1/proposals/"+q.(map[string]any)["id"].(string)+"/cancel", g.ready.AgentKey, "")
		}
		if text := gated("/srv/scratch"); strings.Contains(text, "deny") {
			t.Errorf("%s: in its own directory: %s", h.Name, text)
		}
	}
}
