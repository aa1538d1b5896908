//go:build !js

package proxy_test

import (
	"strings"
	"testing"
)

// TestFailedResultIsAmbiguous checks that a result of which the client says that the tool
// failed does not count as executed: the call may have run, and the next question says so.
func TestFailedResultIsAmbiguous(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		for _, native := range []bool{true, false} {
			for said, want := range map[any]string{true: "ambiguous", false: "executed", nil: "executed"} {
				s := newTestService(t, "")
				s.native, s.responds = native, !native
				update, again := tool{"u1", "update_order", `{"id":"77"}`}, tool{"u2", "update_order", `{"id":"77"}`}
				s.model.scriptSteps(answerStep("", update), answerStep("", again))
				c := s.newTalk(stream, "")
				c.sendUser("update order 77 now")
				if c.sendAgreement(); len(c.last.calls) != 1 {
					t.Fatalf("%+v", c.last)
				}
				m := map[string]any{"role": "tool", "tool_call_id": "u1", "content": "TIMEOUT, connection lost"}
				if said != nil {
					m["failed"] = said
				}
				c.addMessage(m)
				got := c.sendConversation()
				if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = '` + want + `'`); n != 1 {
					t.Errorf("messages %v, failed %v: %d are %s", native, said, n, want)
				}
				if strings.Contains(got.content, "MAY HAVE RUN ALREADY") != (want == "ambiguous") {
					t.Errorf("messages %v, failed %v: %s", native, said, got.content)
				}
			}
		}
	})
}

// TestStreamIsABoolean checks that a request whose stream is no boolean is refused before the
// model is asked.
func TestStreamIsABoolean(t *testing.T) {
	s := newTestService(t, "")
	for _, stream := range []string{`"yes"`, `1`, `[true]`, `{}`} {
		for path, rest := range map[string]string{"/v1/chat/completions": `"messages":[{"role":"user","content":"x"}]`, "/v1/messages": `"max_tokens":9,"messages":[{"role":"user","content":"x"}]`, "/v1/responses": `"input":"x"`} {
			if status, text := s.post(path, `{"model":"m","stream":`+stream+`,`+rest+`}`, "Authorization", "Bearer "+agentKey); status != 400 || !strings.Contains(text, "invalid stream") {
				t.Errorf("%s %s: %d %s", path, stream, status, text)
			}
		}
	}
	if n := s.model.requestCount(); n != 0 {
		t.Errorf("the model was asked %d times", n)
	}
}
