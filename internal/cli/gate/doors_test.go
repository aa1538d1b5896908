//go:build unix

package gate

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/hook"
)

// orderServer is an MCP server in sh, whose get_order returns the order of customer C-1, or
// fails for an id with "broken".
const orderServer = `while read -r l; do case "$l" in
*'"tools/list"'*) echo '{"jsonrpc":"2.0","id":"boundcheck-list","result":{"tools":[{"name":"get_order","inputSchema":{}},{"name":"refund","inputSchema":{}}]}}';;
*'"initialize"'*) echo '{"jsonrpc":"2.0","id":"boundcheck-list","result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}';;
*broken*) echo '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"no such order"}],"isError":true}}';;
*'"tools/call"'*) echo '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"customer\":{\"id\":\"C-1\"}}"}]}}';;
esac; done`

// door is a way to a gate: look calls mcp__shop__get_order and reports what it returned,
// and refund says whether mcp__shop__refund is denied, with its reason.
type door struct {
	look   func(id string)
	refund func(id, to string) (denied bool, why string)
}

const (
	lookTool, refundTool = "mcp__shop__get_order", "mcp__shop__refund"
	goodResult           = `{"customer":{"id":"C-1"}}`
)

func lookArguments(id string) string       { return `{"id":"` + id + `"}` }
func refundArguments(id, to string) string { return `{"id":"` + id + `","to":"` + to + `"}` }

// apiDoor is the API as a program calls it that runs the calls itself.
func (g *gateRun) apiDoor() door {
	propose := func(tool, arguments string) (int, map[string]any) {
		return g.sendRequest("POST", "/v1/proposals", g.ready.AgentKey, `{"tool":"`+tool+`","arguments":`+arguments+`}`)
	}
	return door{
		look: func(id string) {
			_, p := propose(lookTool, lookArguments(id))
			path := "/v1/proposals/" + p["id"].(string)
			grant := g.wantStatus(200, "POST", path+"/claim", g.ready.AgentKey, `{"digest":"`+p["digest"].(string)+`"}`)["grant"].(string)
			body := `"status":"executed","result":` + jsonval.Quoted(goodResult)
			if strings.Contains(id, "broken") {
				body = `"status":"failed"`
			}
			g.wantStatus(200, "POST", path+"/outcome", g.ready.AgentKey, `{"grant":"`+grant+`",`+body+`}`)
		},
		refund: func(id, to string) (bool, string) {
			status, p := propose(refundTool, refundArguments(id, to))
			why, _ := p["reason"].(string)
			return status == 403, why
		},
	}
}

// httpHookDoor is the gate's own hook for Claude Code.
func (g *gateRun) httpHookDoor() door {
	send := func(event, tool, arguments, more string) (verdict, why string) {
		out := g.wantStatus(200, "POST", "/v1/hooks/claude-code?wait=0", g.ready.AgentKey, `{"session_id":"h","hook_event_name":"`+event+`","tool_name":"`+tool+`","tool_input":`+arguments+more+`}`)
		if m, ok := out["hookSpecificOutput"].(map[string]any); ok {
			verdict, why = m["permissionDecision"].(string), m["permissionDecisionReason"].(string)
		}
		return verdict, why
	}
	return door{
		look: func(id string) {
			if v, why := send("PreToolUse", lookTool, lookArguments(id), ""); v == "deny" {
				g.t.Fatal(why)
			}
			event, more := "PostToolUse", `,"tool_response":[{"type":"text","text":`+jsonval.Quoted(goodResult)+`}]`
			if strings.Contains(id, "broken") {
				event, more = "PostToolUseFailure", ""
			}
			send(event, lookTool, lookArguments(id), more)
		},
		refund: func(id, to string) (bool, string) {
			v, why := send("PreToolUse", refundTool, refundArguments(id, to), "")
			return v == "deny" && !strings.Contains(why, "approval pending"), why
		},
	}
}

// hookEvents are the events of each host before a call, after it, and after one that failed, if
// the host has such an event.
var hookEvents = map[string][3]string{
	"claude-code": {"PreToolUse", "PostToolUse", "PostToolUseFailure"},
	"codex":       {"PreToolUse", "PostToolUse", ""},
	"cursor":      {"preToolUse", "postToolUse", "postToolUseFailure"},
	"gemini-cli":  {"BeforeTool", "AfterTool", ""},
	"copilot":     {"PreToolUse", "PostToolUse", "PostToolUseFailure"},
}

// resultMember is what each host adds to its input after a call, by its published schema.
var resultMember = map[string]string{
	"claude-code": `"tool_response":[{"type":"text","text":TEXT}]`,
	"codex":       `"tool_response":{"content":[{"type":"text","text":TEXT}],"isError":false}`,
	"cursor":      `"tool_output":TEXT,"duration":5`,
	"gemini-cli":  `"tool_response":{"llmContent":TEXT,"returnDisplay":"shown"}`,
	"copilot":     `"tool_result":{"result_type":"success","text_result_for_llm":TEXT}`,
}

// failedMember is the same for a call that failed, where the host has no event for that.
var failedMember = map[string]string{
	"codex":      `"tool_response":{"content":[{"type":"text","text":"no such order"}],"isError":true}`,
	"gemini-cli": `"tool_response":{"llmContent":"no such order","error":{"message":"no such order"}}`,
}

// commandHookDoor is the command hook of a host, with the gate.
func (g *gateRun) commandHookDoor(h *hook.Host, before, after, failed string) door {
	run := func(event, tool, arguments, more string) string {
		g.t.Helper()
		var out, errs bytes.Buffer
		args := []string{h.Name, "--gate", g.ready.URL}
		if event == before {
			args = append(args, "--no-wait")
		}
		input := `{"session_id":"c","hook_event_name":"` + event + `","tool_name":"` + tool + `","tool_input":` + arguments + more + `}`
		if code := Hook(args, strings.NewReader(input), &out, &errs); code != cmd.ExitOK {
			g.t.Fatalf("%s: %s: %d %s", h.Name, input, code, errs.String())
		}
		return out.String()
	}
	return door{
		look: func(id string) {
			if out := run(before, lookTool, lookArguments(id), ""); strings.Contains(out, "deny") {
				g.t.Fatalf("%s: %s", h.Name, out)
			}
			event, more := after, `,`+strings.Replace(resultMember[h.Name], "TEXT", jsonval.Quoted(goodResult), 1)
			if strings.Contains(id, "broken") {
				if event, more = failed, ""; failed == "" {
					event, more = after, ","+failedMember[h.Name]
				}
			}
			run(event, lookTool, lookArguments(id), more)
		},
		refund: func(id, to string) (bool, string) {
			out := run(before, refundTool, refundArguments(id, to), "")
			return strings.Contains(out, "deny") && !strings.Contains(out, "approval pending"), out
		},
	}
}

// mcpDoor is an MCP server over standard input and output, behind this gate or one of its own.
func (g *gateRun) mcpDoor(where ...string) door {
	call := func(tool, arguments string) string {
		g.t.Helper()
		in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}` + "\n")
		code, out, remarks := runMCP(in, append(where, "--no-open", "--wait", "0s", "--name", "shop", "--", "sh", "-c", orderServer)...)
		if code != cmd.ExitOK {
			g.t.Fatalf("%d %s %s", code, out, remarks)
		}
		return out
	}
	return door{
		look: func(id string) {
			if out := call("get_order", lookArguments(id)); !strings.Contains(out, "C-1") && !strings.Contains(out, "no such order") {
				g.t.Fatal(out)
			}
		},
		refund: func(id, to string) (bool, string) {
			out := call("refund", refundArguments(id, to))
			return strings.Contains(out, "Denied by the policy"), out
		},
	}
}

// TestDoorsKnowWhatRan is the law of outcomes at every door to a gate: a call that needs an
// earlier one, with a value of its result, passes at a door exactly if the earlier call ran
// there, did not fail, and returned this value.
func TestDoorsKnowWhatRan(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	policy := filepath.Join(t.TempDir(), "p.yaml")
	os.WriteFile(policy, []byte(`rules:
  - {name: own, tool: refund, after: {tool: get_order, where: {id: same, to: {result: customer.id}}, executed: true}, effect: deny}
`), 0o600)
	g := startGate(t, "--dev", "--policy", policy)
	t.Setenv("BOUNDCHECK_AGENT_KEY", g.ready.AgentKey)
	doors := map[string]door{"api": g.apiDoor(), "http hook": g.httpHookDoor(), "mcp, a gate elsewhere": g.mcpDoor("--gate", g.ready.URL), "mcp": g.mcpDoor("--policy", policy)}
	for _, h := range hook.Hosts() {
		e := hookEvents[h.Name]
		doors[h.Name] = g.commandHookDoor(h, e[0], e[1], e[2])
	}
	for name, d := range doors {
		id := "W-" + strings.NewReplacer(" ", "", ",", "").Replace(name)
		check := func(what, id, to string, want bool) {
			t.Helper()
			if denied, why := d.refund(id, to); denied != want {
				t.Errorf("%s: %s: denied %v, want %v: %s", name, what, denied, want, why)
			}
		}
		check("without a look", id, "C-1", true)
		d.look(id)
		check("to another one", id, "C-2", true)
		check("to the customer", id, "C-1", false)
		check("of another order", id+"0", "C-1", true)
		d.look("broken-" + id)
		check("after a look that failed", "broken-"+id, "C-1", true)
	}
}
