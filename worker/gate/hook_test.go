//go:build !js

package gate_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate"
)

func hookEvent(name, tool, input, more string) string {
	return fmt.Sprintf(`{"hook_event_name":%q,"session_id":"s1","transcript_path":"/x","cwd":"/","permission_mode":"default","tool_name":%q,"tool_input":%s,"tool_use_id":"u1"%s}`, name, tool, input, more)
}

// sendHook sends an event and returns the decision and its reason. Both are "" if the
// call is left to the host.
func (s *service) sendHook(key, query, body string) (verdict, reason string) {
	s.t.Helper()
	a := s.callAPI("POST", "/v1/hooks/claude-code"+query, key, body).assertStatus(s.t, 200)
	var v struct {
		HookSpecificOutput struct {
			HookEventName, PermissionDecision, PermissionDecisionReason string
			UpdatedInput                                                json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(a.text), &v); err != nil {
		s.t.Fatal(a.text)
	}
	h := v.HookSpecificOutput
	if h.PermissionDecision != "" && h.HookEventName != "PreToolUse" || h.UpdatedInput != nil {
		s.t.Errorf("the host cannot use %s", a.text)
	}
	return h.PermissionDecision, h.PermissionDecisionReason
}

// TestHookRound checks these decisions of the hook:
//
//   - A call that changes nothing gets no decision.
//   - A call that the policy denies is denied.
//   - Any other call is denied until a person has approved exactly its bytes, and is then allowed once.
func TestHookRound(t *testing.T) {
	s := newTestService(t, `{"tools":{"format_disk":{"deny":"agents do not format disks"}}}`)
	check := func(query, body, verdict, part string) {
		t.Helper()
		if v, reason := s.sendHook(agentKey, query, body); v != verdict || !strings.Contains(reason, part) {
			t.Errorf("%s %q, want %s %q", v, reason, verdict, part)
		}
	}
	check("", hookEvent("PreToolUse", "Read", `{"file_path":"/x"}`, ""), "", "")
	check("", hookEvent("PreToolUse", "format_disk", `{}`, ""), "deny", "do not format")
	check("", hookEvent("PreToolUse", "TaskUpdate", `{"taskId":"7","status":"completed"}`, ""), "", "") // a tool of the hook's own host
	write := hookEvent("PreToolUse", "Write", `{ "file_path":"/x","content":"y" }`, "")
	check("?wait=0", write, "deny", "approval pending at "+s.url+"/p/p_")
	check("?wait=0", write, "deny", "approval pending at ")
	waiting := s.callAPI("GET", "/v1/proposals", aliceKey, "")
	if n := strings.Count(waiting.text, `"id":"p_`); n != 1 {
		t.Fatalf("%d questions for one call: %s", n, waiting.text)
	}
	var list struct {
		Pending []struct{ ID, Digest, Session string }
	}
	json.Unmarshal([]byte(waiting.text), &list)
	q := list.Pending[0]
	s.sendDecision(aliceKey, q.ID, q.Digest, true).assertStatus(t, 200)
	check("?wait=0", hookEvent("PreToolUse", "Write", `{"file_path":"/x","content":"y"}`, ""), "deny", "pending") // other bytes
	check("?wait=0", strings.Replace(write, `"s1"`, `"s2"`, 1), "deny", "pending")                                // another session
	check("?wait=0", strings.Replace(write, `"u1"`, `"u1","agent_id":"sub"`, 1), "deny", "pending")               // a subagent
	check("", write, "allow", "approved by alice")
	if s.proposalState(q.ID) != "claimed" {
		t.Error(s.proposalState(q.ID))
	}
	check("", hookEvent("PostToolUse", "Write", `{ "file_path":"/x","content":"y" }`, `,"tool_response":{}`), "", "")
	if s.proposalState(q.ID) != "executed" {
		t.Error(s.proposalState(q.ID))
	}
	check("?wait=0", write, "deny", "pending") // the approval was for one call
}

// TestHookWaits checks that the hook waits for a person's decision. If the host then
// reports a failure, the call must become ambiguous.
func TestHookWaits(t *testing.T) {
	s := newTestService(t, "")
	body := hookEvent("PreToolUse", "Write", `{"file_path":"/x"}`, "")
	go func() {
		for range 400 {
			var list struct{ Pending []struct{ ID, Digest string } }
			json.Unmarshal([]byte(s.callAPI("GET", "/v1/proposals", aliceKey, "").text), &list)
			if len(list.Pending) == 1 {
				s.sendDecision(aliceKey, list.Pending[0].ID, list.Pending[0].Digest, true)
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	if v, reason := s.sendHook(agentKey, "?wait=60", body); v != "allow" {
		t.Fatal(v, reason)
	}
	s.sendHook(agentKey, "", hookEvent("PostToolUseFailure", "Write", `{"file_path":"/x"}`, `,"error":"disk full"`))
	if audit := s.exportedAudit(); strings.Count(audit, `\"status\":\"ambiguous\"`) != 1 {
		t.Errorf("no ambiguous outcome: %s", audit)
	}
}

// exportedAudit returns the tenant's exported audit.
func (s *service) exportedAudit() string {
	s.t.Helper()
	var b strings.Builder
	if err := s.gate.Housekeep(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.store.Export(s.t.Context(), &b, []string{"t"}, nil); err != nil {
		s.t.Fatal(err)
	}
	return b.String()
}

// TestV30HookFailsClosed checks that the hook answers every error with status 200 and a
// denial (threat V30). Without such an answer, the host would allow the call.
func TestV30HookFailsClosed(t *testing.T) {
	s := newTestService(t, "", func(o *gate.Options) { o.Limit = 2000; o.Rate, o.Burst = 0.001, 40 })
	s.callAPI("POST", "/v1/proposals", "", `{}`).assertStatus(t, 401) // the same error on another path has no 2xx: a host would allow the call
	call := hookEvent("PreToolUse", "Write", `{"file_path":"/x"}`, "")
	denied := func(key, query, body, part string) {
		t.Helper()
		if v, reason := s.sendHook(key, query, body); v != "deny" || !strings.Contains(reason, part) {
			t.Errorf("%s %q, want deny %q", v, reason, part)
		}
	}
	denied("", "", call, "key of this gate")
	denied("wrong", "", call, "key of this gate")
	denied(aliceKey, "", call, "not the key of an approver")
	denied(agentKey, "", ``, "not JSON")
	denied(agentKey, "", `[]`, "unknown event")
	denied(agentKey, "", hookEvent("Stop", "Write", `{}`, ""), "unknown event")
	denied(agentKey, "", hookEvent("PreToolUse", "Write", `"{}`+`"`, `,"tool_input":{}`), "twice")
	denied(agentKey, "", hookEvent("PreToolUse", "Write", `{"a":1,"a":2}`, ""), "twice")
	denied(agentKey, "", `{"hook_event_name":"PreToolUse","tool_name":"Write"}`, "arguments")
	denied(agentKey, "", hookEvent("PreToolUse", "Write", `{"a":"`+strings.Repeat("x", 3000)+`"}`, ""), "2000 bytes")
	denied(agentKey, "?wait=601", call, "invalid wait")
	r, _ := http.NewRequest("POST", s.url+"/v1/hooks/claude-code", strings.NewReader(call))
	r.Host = "evil.example"
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := io.ReadAll(w.Body); w.StatusCode != 200 || !strings.Contains(string(text), `"deny"`) {
		t.Errorf("another host: %d %s", w.StatusCode, text)
	}
	id, digest := s.proposeHeld("Write", `{"file_path":"/z"}`)
	s.sendDecision(aliceKey, id, digest, true)
	s.store.Close()
	denied(agentKey, "", call, "store does not answer")
	for range 60 {
		s.sendHook(agentKey, "?wait=0", call)
	}
	denied(agentKey, "", call, "too many requests")
}

// TestResultThroughHook checks that a rule finds the values of an earlier result.
func TestResultThroughHook(t *testing.T) {
	s := newTestService(t, `{"tools":{"get_order":"no"},"rules":[{"name":"own","tool":"add_note","after":{"tool":"get_order","where":{"id":"same","to":{"result":"customer.id"}},"executed":true},"effect":"deny"},
		{"name":"free","tool":"mcp__shop__add_note","effect":"allow","until":"2090-01-01T00:00:00Z","when":{"id":{"any":true},"to":{"any":true}}}]}`)
	look := func(event, more string) (string, string) {
		return s.sendHook(agentKey, "", hookEvent(event, "mcp__shop__get_order", `{"id":1}`, more))
	}
	if v, why := look("PreToolUse", ""); v != "" { // nobody was asked, so the host's own flow decides
		t.Fatal(v, why)
	}
	for _, failed := range []string{`{"isError":true,"content":[{"type":"text","text":"{\"customer\":{\"id\":\"C-1\"}}"}]}`, `{"customer":{"id":"C-1"},"interrupted":true}`} {
		look("PostToolUse", `,"tool_response":`+failed)
		if v, why := s.sendHook(agentKey, "?wait=0", hookEvent("PreToolUse", "mcp__shop__add_note", `{"id":1,"to":"C-1"}`, "")); v != "deny" {
			t.Errorf("after %s: %q %s", failed, v, why)
		}
		look("PreToolUse", "")
	}
	look("PostToolUse", `,"tool_response":[{"type":"text","text":"{\"customer\":{\"id\":\"C-1\"}}"}]`)
	for to, want := range map[string]string{"C-1": "allow", "C-2": "deny"} {
		if v, why := s.sendHook(agentKey, "?wait=0", hookEvent("PreToolUse", "mcp__shop__add_note", `{"id":1,"to":"`+to+`"}`, "")); v != want && !(want == "allow" && v == "") {
			t.Errorf("%s: %q (%s), want %s", to, v, why, want)
		}
	}
}

// TestEditThroughHook edits a call of the HTTP hook. The host gets the changed arguments
// once, and its report counts for the edited call.
func TestEditThroughHook(t *testing.T) {
	s := newTestService(t, editPolicy)
	send := func(body string) answer {
		t.Helper()
		return s.callAPI("POST", "/v1/hooks/claude-code?wait=0", agentKey, body).assertStatus(t, 200)
	}
	edit := func(arguments string) (id, next string) {
		t.Helper()
		var list struct{ Pending []struct{ ID, Digest string } }
		json.Unmarshal([]byte(s.callAPI("GET", "/v1/proposals", aliceKey, "").text), &list)
		q := list.Pending[len(list.Pending)-1]
		a := s.sendEdit(aliceKey, q.ID, q.Digest, arguments).assertStatus(t, 200)
		s.sendDecision(aliceKey, a.textField("id"), a.textField("digest"), true).assertStatus(t, 200)
		return q.ID, a.textField("id")
	}
	call := hookEvent("PreToolUse", "send_x", `{"to":"a","n":1}`, "")
	send(call).assertStatus(t, 200, "approval pending")
	id, next := edit(`{"to":"b", "n":1}`)
	send(call).assertStatus(t, 200, `"permissionDecision":"allow"`, `"updatedInput":{"to":"b","n":1}`, "alice changed this call")
	if s.proposalState(id) != "superseded" || s.proposalState(next) != "claimed" {
		t.Error(s.proposalState(id), s.proposalState(next))
	}
	send(call).assertStatus(t, 200, "approval pending") // once
	send(hookEvent("PostToolUse", "send_x", `{"n":1,"to":"b"}`, `,"tool_response":{}`))
	if s.proposalState(next) != "executed" {
		t.Errorf("after the host's report: %s", s.proposalState(next))
	}
	_, next = edit(`{"to":"c","n":1}`)
	send(call).assertStatus(t, 200, `"updatedInput":{"to":"c","n":1}`)
	send(hookEvent("PostToolUse", "send_x", `{"to":"a","n":1}`, `,"tool_response":{}`)) // the host names the arguments before the edit
	if s.proposalState(next) != "ambiguous" {
		t.Errorf("after a report of the call before the edit: %s", s.proposalState(next))
	}
	call = hookEvent("PreToolUse", "send_y", `{"n":2}`, "")
	send(call)
	id, digest := "", ""
	var list struct{ Pending []struct{ ID, Digest string } }
	json.Unmarshal([]byte(s.callAPI("GET", "/v1/proposals", aliceKey, "").text), &list)
	id, digest = list.Pending[0].ID, list.Pending[0].Digest
	s.callAPI("POST", "/v1/proposals/"+id+"/answer", aliceKey, `{"digest":"`+digest+`","answer":"ask first"}`).assertStatus(t, 200)
	send(call).assertStatus(t, 200, "not run: alice answered this call in place of a yes or a no: ask first")
	send(call).assertStatus(t, 200, "approval pending") // a new question: an answer is no refusal
	s.assertWhole()
}

// TestPermissionRequest checks the answers to the event before which a host asks its own
// user: in the form of that event, also if something is wrong, and without a decision for a
// call that changes nothing. An approval counts once.
func TestPermissionRequest(t *testing.T) {
	s := newTestService(t, `{"tools":{"format_disk":{"deny":"agents do not format disks"}}}`)
	check := func(key, query, body, behavior, part string) {
		t.Helper()
		a := s.callAPI("POST", "/v1/hooks/claude-code"+query, key, body).assertStatus(t, 200, part)
		var v struct {
			HookSpecificOutput map[string]json.RawMessage
		}
		if err := json.Unmarshal([]byte(a.text), &v); err != nil {
			t.Fatal(a.text)
		}
		var d struct{ Behavior, Message string }
		json.Unmarshal(v.HookSpecificOutput["decision"], &d)
		if d.Behavior != behavior || behavior == "" && a.text != "{}\n" || behavior != "" && (len(v.HookSpecificOutput) != 2 || string(v.HookSpecificOutput["hookEventName"]) != `"PermissionRequest"`) || (behavior == "deny") != (d.Message != "") {
			t.Errorf("%s: %s, want %s", body, a.text, behavior)
		}
	}
	event := func(tool, input string) string {
		return hookEvent("PermissionRequest", tool, input, `,"permission_suggestions":[]`)
	}
	check(agentKey, "", event("Read", `{"file_path":"/x"}`), "", "")
	check(agentKey, "", event("format_disk", `{}`), "deny", "do not format")
	check(agentKey, "?wait=0", event("Write", `{"file_path":"/x"}`), "deny", "approval pending at ")
	check(agentKey, "?wait=x", event("Write", `{"file_path":"/x"}`), "deny", "invalid wait")
	check(agentKey, "", hookEvent("PermissionRequest", "Write", `{"a":1,"a":2}`, ""), "deny", "twice")
	list := s.callAPI("GET", "/v1/proposals", aliceKey, "").body["pending"].([]any)
	held := list[0].(map[string]any)
	s.sendDecision(aliceKey, held["id"].(string), held["digest"].(string), true).assertStatus(t, 200)
	check(agentKey, "?wait=0", event("Write", `{"file_path":"/x"}`), "allow", "")
	check(agentKey, "?wait=0", event("Write", `{"file_path":"/x"}`), "deny", "approval pending at ")
}

// TestHookFindsTheEvent checks that a refusal has the form of its event, wherever in the body
// the event stands: behind much that the key's owner may not even send.
func TestHookFindsTheEvent(t *testing.T) {
	s := newTestService(t, "")
	want := map[string]string{"PreToolUse": `"permissionDecision":"deny"`, "PermissionRequest": `"behavior":"deny"`, "PostToolUse": `"systemMessage":"the gate has not recorded`, "PostToolUseFailure": `"systemMessage":"the gate has not recorded`}
	for _, size := range []int{0, 60 << 10, 70 << 10, 900 << 10, 1500 << 10} {
		for _, key := range []string{"bad-key-0123456789abcdef", aliceKey, agentKey} {
			for event, form := range want {
				text := `"` + strings.Repeat("x", size) + `"`
				body := `{"tool_input":{"a":1,"b":` + text + `},"x":` + text + `,"x":1,"tool_name":"Write","hook_event_name":"` + event + `"}`
				a := s.callAPI("POST", "/v1/hooks/claude-code?wait=0", key, body).assertStatus(t, 200)
				if !strings.Contains(a.text, form) || strings.Contains(a.text, "allow") {
					t.Errorf("%d bytes, %s: %s", size, event, a.text)
				}
			}
		}
	}
}

// TestHookRefusesInForm checks that each refusal has the form that the host's event takes,
// also if the key is wrong or the body is too large: a host ignores any other form.
func TestHookRefusesInForm(t *testing.T) {
	s := newTestService(t, "")
	large := `{"x":"` + strings.Repeat("x", 1<<20) + `"}`
	for _, c := range [][3]string{{"bad-key-0123456789abcdef", "", `{"a":1}`}, {aliceKey, "", `{"a":1}`}, {agentKey, "?wait=999", `{"a":1}`}, {agentKey, "?odd=1", `{"a":1}`},
		{agentKey, "", `{"a":1,"a":2}`}, {agentKey, "", `7`}, {agentKey, "", large}, {agentKey, "?wait=0", `{"a":1}`}} {
		for event, want := range map[string]string{"PreToolUse": `"permissionDecision":"deny"`, "PermissionRequest": `"behavior":"deny"`} {
			body := hookEvent(event, "Write", c[2], "")
			if a := s.callAPI("POST", "/v1/hooks/claude-code"+c[1], c[0], body).assertStatus(t, 200, `"hookEventName":"`+event+`"`, want); strings.Contains(a.text, "allow") {
				t.Error(a.text)
			}
		}
	}
	for _, body := range []string{"", "null", "[1,2]", "{nope", `{"a":{"hook_event_name":"PermissionRequest"}`, `{"hook_event_name":7}`} {
		s.callAPI("POST", "/v1/hooks/claude-code", agentKey, body).assertStatus(t, 200, `"permissionDecision":"deny"`)
	}
}
