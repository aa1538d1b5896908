package read

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/failure"
)

// expandMessages returns OpenAI messages for parts in a short form. For example, "a:1" is
// a call of tool a with the id 1, and "=1:text" is the result of this call.
func expandMessages(parts ...string) string {
	var messages []string
	for _, p := range parts {
		left, right, _ := strings.Cut(p, ":")
		if id, ok := strings.CutPrefix(left, "="); ok {
			messages = append(messages, `{"role":"tool","tool_call_id":`+literal.Quote(id)+`,"content":`+literal.Quote(right)+`}`)
		} else {
			messages = append(messages, `{"role":"assistant","tool_calls":[{"id":`+literal.Quote(right)+`,"function":{"name":`+literal.Quote(left)+`,"arguments":"{}"}}]}`)
		}
	}
	return "[" + strings.Join(messages, ",") + "]"
}

func TestPairing(t *testing.T) {
	check := func(want, warnings string, parts ...string) {
		t.Helper()
		doc := mustDecode(t, expandMessages(parts...))
		var got []string
		for _, a := range doc.Trajectories[0].Actions {
			result := "-"
			if a.Observation != nil {
				result = a.Observation.Text
			}
			got = append(got, a.Name+"="+result)
		}
		if s := strings.Join(got, " "); s != want || warningCodes(doc) != warnings {
			t.Errorf("%v: %s, warnings %q; want %s, %q", parts, s, warningCodes(doc), want, warnings)
		}
	}
	check("a=x b=y", "", "a:1", "b:2", "=2:y", "=1:x")
	check("a=x a=y", "duplicate-call-id", "a:1", "=1:x", "a:1", "=1:y")
	check("a=x b=y", "duplicate-call-id", "a:1", "b:1", "=1:x", "=1:y")
	check("a=x b=y", "", "a:", "b:", "=:x", "=:y")
	check("a=x", "second-result", "a:1", "=1:x", "=1:y")
	check("a=-", "result-without-call", "a:1", "=9:x")
	check("a=x", "", "a:", "=9:x")
	check("", "result-without-call no-calls", "=1:x")
	check("a=- b=x", "", "a:1", "b:2", "=2:x")
}

func TestErrorText(t *testing.T) {
	check := func(text string, want bool) {
		t.Helper()
		if got := failure.Says(text); got != want {
			t.Errorf("failure.Says(%q) = %v", text, got)
		}
	}
	check("Error: no such order", true)
	check("error (404)", true)
	check("errors found: 0", false)
	check("error log cleared", false)
	check("error queue cleared, 812 messages removed", false)
	check("error 812 while the queue was cleared", true)
	check("Error log was deleted.", false)
	check("error report sent", false)
	check("Error while saving the file", true)
	check("Error deleting user u9", true)
	check("Error user not found", true)
	check("Error 404", true)
	check("HTTP 404 Not Found", true)
	check("HTTP/1.1 503 Service Unavailable", true)
	check("HTTP 200 OK", false)
	check("HTTPS certificate 404 not found", false)
	check("http", false)
	check(`{"error": "x"}`, true)
	check(`{"error": null, "status": "ok"}`, false)
	check(`{"status": "FAILED"}`, true)
	check(`{"success": false}`, true)
	check(`{"orders": [{"error": "x"}]}`, false)
	check("Traceback (most recent call last):\n", true)
}

func TestFlagsComeBeforeText(t *testing.T) {
	doc := mustDecode(t, `[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"grep","input":{}},{"type":"tool_use","id":"2","name":"pay","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"Error: a line that was found","is_error":false},{"type":"tool_result","tool_use_id":"2","content":"no money","is_error":true}]}]`)
	a := doc.Trajectories[0].Actions
	if a[0].Failed() || !a[1].Failed() {
		t.Errorf("failed: %v %v, want false true", a[0].Failed(), a[1].Failed())
	}
}

// TestRepeatedHistoryIsReadOnce checks that a history which every span repeats is read
// once, with and without ids.
func TestRepeatedHistoryIsReadOnce(t *testing.T) {
	for _, id := range []string{`"id":"c1",`, ""} {
		call := `{"role":"assistant","tool_calls":[{` + id + `"function":{"name":"cancel","arguments":"{}"}}]}`
		user := `{"role":"user","content":"go"}`
		span := func(n, input, output string) string {
			return `{"id":"` + n + `","traceId":"t","type":"GENERATION","startTime":"` + n + `","input":[` + input + `],"output":` + output + `}`
		}
		doc := mustDecode(t, `{"id":"t","observations":[`+span("1", user, call)+","+span("2", user+","+call, call)+","+span("3", user+","+call+","+call, `{"role":"assistant","content":"done"}`)+`]}`)
		r := doc.Trajectories[0]
		want := 2
		if id != "" {
			want = 1 // the same id twice means the same call
		}
		if len(r.Actions) != want {
			t.Errorf("id %q: %d actions, want %d", id, len(r.Actions), want)
		}
		users := 0
		for _, m := range r.Messages {
			if m.Role == "user" {
				users++
			}
		}
		if users != 1 {
			t.Errorf("id %q: the user spoke %d times, want 1", id, users)
		}
	}
}

// TestCallsBesideAConversation checks that calls in a separate list are the agent's, even
// if the last message is from the user.
func TestCallsBesideAConversation(t *testing.T) {
	doc := mustDecode(t, `{"transcript":[{"role":"human","content":"cancel it"},{"role":"ai","content":"done"},{"role":"human","content":"thanks"}],
		"tool_calls":[{"turn_index":1,"name":"cancel_order","args":{"id":"A"},"id":"1"}]}`)
	a := doc.Trajectories[0].Actions
	if len(a) != 1 || a[0].Requestor != "" {
		t.Errorf("%+v, want one action of the agent", a)
	}
}
