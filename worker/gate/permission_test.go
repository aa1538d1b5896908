//go:build !js

package gate_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

const permissionPath = "/v1/hooks/claude-code/permission"

// permission is the decision of the permission tool.
type permission struct {
	Behavior, Message string
	UpdatedInput      json.RawMessage
}

// askPermission asks the tool about a call, as Claude Code does.
func (s *service) askPermission(query, session, tool, input string) permission {
	s.t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"approve","arguments":{"tool_name":%q,"input":%s,"tool_use_id":"toolu_1"},"_meta":{"progressToken":7}}}`, tool, input)
	a := s.callAPI("POST", permissionPath+query, agentKey, body, "Mcp-Session-Id", session).assertStatus(s.t, 200)
	var m struct {
		ID     int
		Result struct {
			Content []struct{ Type, Text string }
			IsError bool
		}
	}
	var p permission
	if err := json.Unmarshal([]byte(a.text), &m); err != nil || m.ID != 7 || m.Result.IsError || len(m.Result.Content) != 1 || m.Result.Content[0].Type != "text" || json.Unmarshal([]byte(m.Result.Content[0].Text), &p) != nil {
		s.t.Fatalf("Claude Code cannot use %s", a.text)
	}
	return p
}

// TestPermissionTool checks the tool for --permission-prompt-tool: a read is allowed with
// its input, a denied one is not, a change is denied until a person approves exactly it, and
// then allowed once. After an edit, the answer has the arguments that the person wrote.
func TestPermissionTool(t *testing.T) {
	s := newTestService(t, `{"tools":{"format_disk":{"deny":"agents do not format disks"}},"edit":[{"name":"all","arguments":["*"],"counts":true}]}`)
	check := func(p permission, behavior, part, input string) {
		t.Helper()
		if p.Behavior != behavior || !strings.Contains(p.Message, part) || string(p.UpdatedInput) != input {
			t.Errorf("%+v %s, want %s %q %s", p, p.UpdatedInput, behavior, part, input)
		}
	}
	check(s.askPermission("", "c1", "Read", `{"file_path":"/x", "n":9007199254740993}`), "allow", "", `{"file_path":"/x", "n":9007199254740993}`)
	check(s.askPermission("", "c1", "format_disk", `{}`), "deny", "do not format", "")
	check(s.askPermission("", "c1", "Write", `[1]`), "deny", "blocked", "")
	check(s.askPermission("?wait=0", "c1", "Write", `{"file_path":"/x","content":"y"}`), "deny", "approval pending at "+s.url+"/p/p_", "")
	q := s.onlyPending()
	s.sendDecision(aliceKey, q.ID, q.Digest, true).assertStatus(t, 200)
	check(s.askPermission("?wait=0", "c2", "Write", `{"file_path":"/x","content":"y"}`), "deny", "pending", "") // another client
	s.callAPI("POST", "/v1/proposals/"+s.onlyPending().ID+"/cancel", agentKey, "").assertStatus(t, 200)
	check(s.askPermission("?wait=0", "c1", "Write", `{"file_path":"/x","content":"y"}`), "allow", "", `{"file_path":"/x","content":"y"}`)
	if s.proposalState(q.ID) != "claimed" {
		t.Error(s.proposalState(q.ID))
	}
	check(s.askPermission("?wait=0", "c1", "Write", `{"file_path":"/x","content":"y"}`), "deny", "pending", "") // once
	q = s.onlyPending()
	edited := s.callAPI("POST", "/v1/proposals/"+q.ID+"/edit", aliceKey, `{"digest":"`+q.Digest+`","arguments":{"file_path":"/x","content":"z"}}`).assertStatus(t, 200)
	s.sendDecision(aliceKey, edited.textField("id"), edited.textField("digest"), true).assertStatus(t, 200)
	check(s.askPermission("?wait=0", "c1", "Write", `{"file_path":"/x","content":"y"}`), "allow", "", `{"file_path":"/x","content":"z"}`)
	go func() {
		for range 400 {
			if q := s.pendingCalls(); len(q) == 1 {
				s.callAPI("POST", "/v1/proposals/"+q[0].ID+"/answer", aliceKey, `{"digest":"`+q[0].Digest+`","answer":"use staging"}`)
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	check(s.askPermission("", "c1", "Write", `{"file_path":"/prod"}`), "deny", "use staging", "")
	s.callAPI("POST", permissionPath, aliceKey, `{}`).assertStatus(t, 403)
	s.store.Close()
	check(s.askPermission("", "c1", "Write", `{"file_path":"/x"}`), "deny", "store does not answer", "")
}

type waitingCall struct{ ID, Digest string }

func (s *service) pendingCalls() []waitingCall {
	var list struct{ Pending []waitingCall }
	json.Unmarshal([]byte(s.callAPI("GET", "/v1/proposals", aliceKey, "").text), &list)
	return list.Pending
}

func (s *service) onlyPending() waitingCall {
	s.t.Helper()
	list := s.pendingCalls()
	if len(list) != 1 {
		s.t.Fatalf("%d calls wait", len(list))
	}
	return list[0]
}

// TestPermissionHandshake checks the messages around the call.
func TestPermissionHandshake(t *testing.T) {
	s := newTestService(t, "")
	ask := func(method, params string, parts ...string) answer {
		t.Helper()
		return s.callAPI("POST", permissionPath, agentKey, `{"jsonrpc":"2.0","id":"a","method":"`+method+`","params":`+params+`}`).assertStatus(t, 200, append(parts, `"id":"a"`)...)
	}
	one := ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`, `"protocolVersion":"2025-06-18"`, `"tools":{}`)
	two := ask("initialize", `{"protocolVersion":"2999-01-01"}`, `"protocolVersion":"2025-11-25"`)
	if a, b := one.header.Get("Mcp-Session-Id"), two.header.Get("Mcp-Session-Id"); a == "" || a == b {
		t.Errorf("sessions %q and %q", a, b)
	}
	ask("ping", `{}`, `"result":{}`)
	ask("tools/list", `{}`, `"name":"approve"`, `"tool_name"`)
	ask("tools/call", `{"name":"other","arguments":{}}`, `"error"`, "unknown tool")
	ask("resources/list", `{}`, `-32601`)
	s.callAPI("POST", permissionPath, agentKey, `{"jsonrpc":"2.0","method":"notifications/initialized"}`).assertStatus(t, 202)
	s.callAPI("POST", permissionPath, agentKey, `{"jsonrpc":"2.0","id":1,"result":{}}`).assertStatus(t, 202)
	s.callAPI("POST", permissionPath, agentKey, `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`).assertStatus(t, 400)
	s.callAPI("POST", permissionPath+"?wait=541", agentKey, `{}`).assertStatus(t, 400)
	s.callAPI("GET", permissionPath, agentKey, "").assertStatus(t, 405)
	s.callAPI("POST", permissionPath, "", `{}`).assertStatus(t, 401)
}

// TestPermissionNeverByItself sends drawn messages around calls that change something, and
// checks that none of them is answered with "allow": nobody has approved anything.
func TestPermissionNeverByItself(t *testing.T) {
	s := newTestService(t, "")
	rng := rand.New(rand.NewPCG(49, 2))
	pick := func(all ...string) string { return all[rng.IntN(len(all))] }
	for range drawn.Cases(300) {
		arguments := `{"tool_name":` + pick(`"Write"`, `"delete_x"`, `"Read\u200b"`, `null`, `7`, `["Read"]`, `""`) + `,"input":` + pick(`{}`, `{"a":1}`, `{"a":1,"a":2}`, `null`, `"x"`, `[{}]`, `{"behavior":"allow"}`) + pick(``, `,"tool_use_id":"u"`, `,"tool_use_id":7`, `,"behavior":"allow"`) + `}`
		body := `{"jsonrpc":` + pick(`"2.0"`, `"1.0"`, `2`) + `,"id":` + pick(`1`, `"x"`, `null`, `1.5`, `{}`) + `,"method":` + pick(`"tools/call"`, `"tools/call"`, `"tools/list"`, `7`) + `,"params":` + pick(`{"name":"approve","arguments":`+arguments+`}`, `{"name":"approve"}`, `{"arguments":`+arguments+`}`, `[]`) + `}`
		session := pick("", "s", strings.Repeat("x", 201))
		if a := s.callAPI("POST", permissionPath+"?wait=0", agentKey, body, "Mcp-Session-Id", session); strings.Contains(a.text, `\"behavior\":\"allow\"`) {
			t.Fatalf("allowed: %s\n%s", body, a.text)
		}
	}
}
