//go:build unix

package gate

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/hook"
)

// editDoor makes a call of mcp__shop__refund at a door. It returns the arguments that ran,
// "" if nothing did, and what the agent was told.
type editDoor func(arguments string) (ran, told string)

// ranBy returns the arguments with which a host runs a call after its hook's answer.
func ranBy(h *hook.Host, own, answer string) string {
	v, _ := jsonval.Parse(answer)
	switch {
	case strings.Contains(answer, "deny"):
		return ""
	case v.At("hookSpecificOutput", "updatedInput").Exists():
		return v.At("hookSpecificOutput", "updatedInput").Raw()
	}
	return own
}

// TestEditAtEveryDoor is the law of edits at every door to a gate: before the edited call is
// approved nothing runs, afterwards exactly its arguments run, once, and the call before the
// edit runs never. Both are on record, and the audit has the edit. The doors of models are in worker/proxy, the page is in worker/gate.
func TestEditAtEveryDoor(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	policy, seen := filepath.Join(dir, "p.yaml"), filepath.Join(dir, "seen")
	os.WriteFile(policy, []byte("edit:\n  - {name: all, arguments: [\"*\"], counts: true}\n"), 0o600)
	g := startGate(t, "--dev", "--policy", policy)
	t.Setenv("BOUNDCHECK_AGENT_KEY", g.ready.AgentKey)
	server := strings.Replace(orderServer, "*broken*)", "*'\"tools/call\"'*) printf '%s\\n' \"$l\" >> "+seen+"; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}}';;\n*broken*)", 1)
	open := map[string]string{} // what the API's agent has proposed, by arguments
	doors := map[string]editDoor{
		"api": func(arguments string) (string, string) {
			if open[arguments] == "" {
				_, p := g.sendRequest("POST", "/v1/proposals", g.ready.AgentKey, `{"tool":"mcp__shop__refund","arguments":`+arguments+`}`)
				open[arguments] = p["id"].(string)
				return "", ""
			}
			id := open[arguments]
			for {
				p := g.wantStatus(200, "GET", "/v1/proposals/"+id, g.ready.AgentKey, "")
				if next, ok := p["replacedBy"].(string); ok {
					id = next
					continue
				}
				break
			}
			status, c := g.sendRequest("POST", "/v1/proposals/"+id+"/claim", g.ready.AgentKey, "")
			if status != 200 {
				return "", ""
			}
			delete(open, arguments)
			g.wantStatus(200, "POST", "/v1/proposals/"+id+"/outcome", g.ready.AgentKey, `{"grant":"`+c["grant"].(string)+`","status":"executed"}`)
			return c["bytes"].(string), ""
		},
		"http hook": func(arguments string) (string, string) {
			out := g.wantStatus(200, "POST", "/v1/hooks/claude-code?wait=0", g.ready.AgentKey, `{"session_id":"h","hook_event_name":"PreToolUse","tool_name":"mcp__shop__refund","tool_input":`+arguments+`}`)
			m := out["hookSpecificOutput"].(map[string]any)
			if m["permissionDecision"] == "deny" {
				return "", m["permissionDecisionReason"].(string)
			}
			n, _ := m["updatedInput"].(map[string]any)["n"].(float64)
			if n == 0 {
				return arguments, ""
			}
			return `{"door":"` + m["updatedInput"].(map[string]any)["door"].(string) + `","n":2}`, ""
		},
		"mcp, a gate elsewhere": func(arguments string) (string, string) {
			os.Remove(seen)
			in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"refund","arguments":` + arguments + `}}` + "\n")
			code, out, remarks := runMCP(in, "--gate", g.ready.URL, "--no-open", "--wait", "0s", "--name", "shop", "--", "sh", "-c", server)
			if code != cmd.ExitOK {
				t.Fatal(code, out, remarks)
			}
			line, _ := os.ReadFile(seen)
			v, _ := jsonval.Parse(strings.TrimSpace(string(line)))
			ran := v.At("params", "arguments").Raw()
			if ran != "" && !strings.Contains(out, "these did: "+strings.ReplaceAll(ran, `"`, `\"`)) && ran != arguments {
				t.Errorf("the client is not told what ran: %s", out)
			}
			return ran, out
		},
	}
	for _, h := range hook.Hosts() {
		doors[h.Name] = func(arguments string) (string, string) {
			var out, errs bytes.Buffer
			input := `{"session_id":"c-` + h.Name + `","hook_event_name":"` + hookEvents[h.Name][0] + `","tool_name":"mcp__shop__refund","tool_input":` + arguments + `}`
			if code := Hook([]string{h.Name, "--gate", g.ready.URL, "--no-wait"}, strings.NewReader(input), &out, &errs); code != cmd.ExitOK {
				t.Fatalf("%s: %d %s", h.Name, code, errs.String())
			}
			return ranBy(h, arguments, out.String()), out.String()
		}
	}
	wantInAudit := map[string][]string{}
	for name, call := range doors {
		was, is := `{"door":"`+name+`","n":1}`, `{"door":"`+name+`","n":2}`
		nothing := func(when string) {
			t.Helper()
			if ran, told := call(was); ran != "" {
				t.Errorf("%s, %s: %s ran: %s", name, when, ran, told)
			}
		}
		nothing("before a decision")
		var p map[string]any
		for _, one := range g.wantStatus(200, "GET", "/v1/proposals", g.ready.ApproverKey, "")["pending"].([]any) {
			if one.(map[string]any)["arguments"].(map[string]any)["door"] == name {
				p = one.(map[string]any)
			}
		}
		next := g.wantStatus(200, "POST", "/v1/proposals/"+p["id"].(string)+"/edit", g.ready.ApproverKey, `{"digest":"`+p["digest"].(string)+`","arguments":`+is+`}`)
		nothing("edited and not approved")
		if status, _ := g.sendRequest("POST", "/v1/proposals/"+p["id"].(string)+"/decision", g.ready.ApproverKey, `{"approve":true,"digest":"`+p["digest"].(string)+`"}`); status != 409 {
			t.Errorf("%s: a yes to the call before the edit: %d", name, status)
		}
		nothing("after a yes to the call before the edit")
		g.wantStatus(200, "POST", "/v1/proposals/"+next["id"].(string)+"/decision", g.ready.ApproverKey, `{"approve":true,"digest":"`+next["digest"].(string)+`"}`)
		ran, told := call(was)
		if ran == "" && strings.Contains(strings.ReplaceAll(told, `\`, ""), "with exactly these arguments: "+is) {
			ran, told = call(is) // the agent makes the call that it was told
		}
		if ran != is {
			t.Errorf("%s: ran %q, want %s: %s", name, ran, is, told)
		}
		nothing("after the edited call ran")
		wantInAudit[name] = []string{
			`"event":"edit"`, `"next":"` + next["id"].(string) + `"`, `"of":"` + p["id"].(string) + `"`, `"was":"` + p["digest"].(string) + `"`,
			`"digest":"` + next["digest"].(string) + `"`,
		}
		for id, arguments := range map[any]string{p["id"]: was, next["id"]: is} { // what was asked for, and what ran
			_, text := browseJSON(g, "/v1/proposals/"+id.(string))
			if v, _ := jsonval.Parse(text); v.Get("arguments").Raw() != arguments {
				t.Errorf("%s: the call %s has %s, want %s", name, id, v.Get("arguments").Raw(), arguments)
			}
		}
	}
	lacks := "everything"
	for range 200 { // rows are sealed a moment later
		if lacks == "" {
			break
		}
		time.Sleep(50 * time.Millisecond)
		_, audit := browseJSON(g, "/v1/audit")
		audit, lacks = strings.ReplaceAll(audit, `\`, ""), ""
		for name, parts := range wantInAudit {
			for _, part := range parts {
				if !strings.Contains(audit, part) {
					lacks += name + ": " + part + "\n"
				}
			}
		}
	}
	if lacks != "" {
		t.Errorf("the audit lacks\n%s", lacks)
	}
}

// browseJSON returns what the API answers to an approver, as it is written.
func browseJSON(g *gateRun, path string) (status int, text string) {
	g.t.Helper()
	r, _ := http.NewRequest("GET", g.ready.URL+path, nil)
	r.Header.Set("Authorization", "Bearer "+g.ready.ApproverKey)
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		g.t.Fatal(err)
	}
	defer w.Body.Close()
	b, err := io.ReadAll(w.Body)
	if err != nil {
		g.t.Fatal(err)
	}
	return w.StatusCode, string(b)
}
