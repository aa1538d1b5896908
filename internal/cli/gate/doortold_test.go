//go:build unix

package gate

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/hook"
)

// toldDoors returns, for each door, a function that makes a call and returns what the agent is told.
func (g *gateRun) toldDoors() map[string]func(arguments string) string {
	const tool = "mcp__shop__refund"
	open := map[string]string{} // what the API's agent has proposed, by arguments
	doors := map[string]func(arguments string) string{
		"api, which asks about its question": func(arguments string) string {
			if id := open[arguments]; id != "" {
				p := g.wantStatus(200, "GET", "/v1/proposals/"+id, g.ready.AgentKey, "")
				if p["state"] != "pending" {
					delete(open, arguments)
				}
				return fmt.Sprint(p["answer"])
			}
			_, p := g.sendRequest("POST", "/v1/proposals", g.ready.AgentKey, `{"tool":"`+tool+`","session":"a","arguments":`+arguments+`}`)
			open[arguments] = p["id"].(string)
			return fmt.Sprint(p["answer"])
		},
		"api, which proposes again": func(arguments string) string {
			if list := g.wantStatus(200, "GET", "/v1/proposals?session=b&digest="+url.QueryEscape(proposal.Digest(tool, arguments)), g.ready.AgentKey, "")["pending"].([]any); len(list) > 0 {
				return fmt.Sprint(list)
			}
			_, p := g.sendRequest("POST", "/v1/proposals", g.ready.AgentKey, `{"tool":"`+tool+`","session":"b","arguments":`+arguments+`}`)
			if (p["decision"] == "deny") != (p["answer"] != nil) || p["answer"] != nil && (p["state"] != "answered" || !strings.Contains(p["reason"].(string), p["answer"].(string))) {
				g.t.Errorf("%v", p)
			}
			return fmt.Sprint(p)
		},
		"http hook": func(arguments string) string {
			return fmt.Sprint(g.wantStatus(200, "POST", "/v1/hooks/claude-code?wait=0", g.ready.AgentKey, `{"session_id":"h","hook_event_name":"PreToolUse","tool_name":"`+tool+`","tool_input":`+arguments+`}`))
		},
		"permission tool": func(arguments string) string {
			return fmt.Sprint(g.wantStatus(200, "POST", "/v1/hooks/claude-code/permission?wait=0", g.ready.AgentKey, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"approve","arguments":{"tool_name":"`+tool+`","input":`+arguments+`}}}`))
		},
		"mcp, a gate elsewhere": func(arguments string) string {
			in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"refund","arguments":` + arguments + `}}` + "\n")
			_, out, remarks := runMCP(in, "--gate", g.ready.URL, "--no-open", "--wait", "0s", "--name", "shop", "--", "sh", "-c", orderServer)
			return out + remarks
		},
	}
	for _, h := range hook.Hosts() {
		event := hookEvents[h.Name][0]
		doors[h.Name] = func(arguments string) string {
			var out, errs bytes.Buffer
			input := `{"session_id":"c-` + h.Name + `","hook_event_name":"` + event + `","tool_name":"` + tool + `","tool_input":` + arguments + `}`
			if code := Hook([]string{h.Name, "--gate", g.ready.URL, "--no-wait"}, strings.NewReader(input), &out, &errs); code != cmd.ExitOK {
				g.t.Fatalf("%s: %d %s", h.Name, code, errs.String())
			}
			return out.String()
		}
	}
	return doors
}

// TestAnswersAreToldOnce draws calls and answers of an approver at each door. The next equal call after an
// answer, and only this one, is told it, and opens no question; every other call is asked about as ever.
func TestAnswersAreToldOnce(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	g := startGate(t, "--dev")
	t.Setenv("BOUNDCHECK_AGENT_KEY", g.ready.AgentKey)
	rng := rand.New(rand.NewPCG(49, 6))
	doors := g.toldDoors()
	pending := func(arguments string) (found []map[string]any) {
		for _, p := range g.wantStatus(200, "GET", "/v1/proposals", g.ready.ApproverKey, "")["pending"].([]any) {
			if one := p.(map[string]any); fmt.Sprint(one["arguments"]) == "map[n:"+arguments+"]" {
				found = append(found, one)
			}
		}
		return found
	}
	calls := 0
	for _, name := range slices.Sorted(maps.Keys(doors)) {
		told := 0
		for range drawn.Cases(2) {
			calls += 2
			waits, answer := map[int]bool{}, map[int]string{}
			for step := range 14 {
				n := calls + rng.IntN(2)
				key := fmt.Sprint("x", n)
				if waits[n] && rng.IntN(2) == 0 {
					answer[n], waits[n] = fmt.Sprintf("use thing %d of step %d.", n, step), false
					p := pending(key)[0]
					g.wantStatus(200, "POST", "/v1/proposals/"+p["id"].(string)+"/answer", g.ready.ApproverKey, `{"digest":"`+p["digest"].(string)+`","answer":"`+answer[n]+`"}`)
					continue
				}
				text := doors[name](`{"n":"` + key + `"}`)
				want := answer[n]
				if has := strings.Contains(text, "use thing"); has != (want != "") || !strings.Contains(text, want) {
					t.Fatalf("%s: a call was told %q, want the answer %q", name, text, want)
				}
				if want != "" {
					told++
				}
				waits[n], answer[n] = want == "", ""
				if open := len(pending(key)); (open == 1) != waits[n] || open > 1 {
					t.Fatalf("%s: %d questions wait, want %v: %s", name, open, waits[n], text)
				}
			}
		}
		if told == 0 {
			t.Errorf("%s: nothing was told", name)
		}
	}
}

// TestHooksHearThatItRuns lets several hooks ask about one approved call at once. One may run it. None is told that
// it did not run because it was claimed.
func TestHooksHearThatItRuns(t *testing.T) {
	g := startGate(t, "--dev")
	t.Setenv("BOUNDCHECK_AGENT_KEY", g.ready.AgentKey)
	for n := range drawn.Cases(4) {
		arguments := fmt.Sprintf(`{"n":%d}`, n)
		overHTTP := func() string {
			_, out := g.sendRequest("POST", "/v1/hooks/claude-code?wait=0", g.ready.AgentKey, `{"session_id":"h","hook_event_name":"PreToolUse","tool_name":"delete_x","tool_input":`+arguments+`}`)
			return fmt.Sprint(out)
		}
		command := func() string {
			var out, errs bytes.Buffer
			Hook([]string{"claude-code", "--gate", g.ready.URL, "--no-wait"}, strings.NewReader(`{"session_id":"h","hook_event_name":"PreToolUse","tool_name":"delete_x","tool_input":`+arguments+`}`), &out, &errs)
			return out.String()
		}
		overHTTP()
		p := g.wantStatus(200, "GET", "/v1/proposals", g.ready.ApproverKey, "")["pending"].([]any)[0].(map[string]any)
		g.wantStatus(200, "POST", "/v1/proposals/"+p["id"].(string)+"/decision", g.ready.ApproverKey, `{"approve":true,"digest":"`+p["digest"].(string)+`"}`)
		told := make(chan string, 8)
		for i := range cap(told) {
			go func() { told <- []func() string{overHTTP, command}[i%2]() }()
		}
		ran := 0
		for range cap(told) {
			text := <-told
			if strings.Contains(text, "approved by") {
				ran++
			} else if !strings.Contains(text, "is running, or may have run") && !strings.Contains(text, "approval pending") {
				t.Errorf("told %s", text)
			}
		}
		if ran != 1 {
			t.Errorf("%d may run", ran)
		}
		for _, p := range g.wantStatus(200, "GET", "/v1/proposals", g.ready.ApproverKey, "")["pending"].([]any) {
			one := p.(map[string]any)
			g.wantStatus(200, "POST", "/v1/proposals/"+one["id"].(string)+"/cancel", g.ready.AgentKey, "")
		}
	}
}
