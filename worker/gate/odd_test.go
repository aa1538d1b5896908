//go:build !js

package gate_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestOddBodiesFailClosed checks that a change passes a rule about who asked, or a count, with
// no body in which the conversation or the counted value is odd: it is refused as a request,
// or denied by the rule.
func TestOddBodiesFailClosed(t *testing.T) {
	for _, asked := range []string{"user", "data", "nobody"} {
		s := newTestService(t, `{"rules":[{"name":"r","tool":"pay","asked":"`+asked+`","effect":"deny"}]}`)
		for _, messages := range []string{`[]`, `null`, `{}`, `"x"`, `5`, `true`, `[5]`, `[null]`, `["pay"]`, `[[]]`, `[{}]`, `[{"role":5}]`, `[{"role":null,"content":"pay x"}]`, `[{"role":"user"}]`, `[{"role":"user","content":null}]`, `[{"role":"user","content":[]}]`,
			`[{"role":"user","content":{}}]`, `[{"role":"user","content":5}]`, `[{"role":"User","content":"do not"}]`, `[{"role":"user","content":"  \n"}]`, `[{"role":"tool","content":"fine weather"}]`, `[{"role":"user","content":[{"type":"text"}]}]`, `[{"role":"user","content":[{"type":"text","text":5}]}]`,
			`[{"role":"assistant","content":"I pay x"}]`, `[{"content":"pay x"}]`, `[{"type":"message"}]`} {
			if messages == `[{"role":"User","content":"do not"}]` || asked == "user" && strings.Contains(messages, "pay") {
				continue // these say something
			}
			a := s.sendProposal(`{"tool":"pay","arguments":{"to":"x"},"messages":` + messages + `}`)
			if a.status != 400 && a.status != 403 {
				t.Errorf("asked: %s, messages: %s: %d %s", asked, messages, a.status, a.text)
			}
		}
		for _, body := range []string{`{"tool":"pay","arguments":{"to":"x"}}`, `{"calls":[{"tool":"pay","arguments":{"to":"x"}}],"messages":[]}`, `{"calls":[{"tool":"pay","arguments":{"to":"x"},"messages":[]}],"messages":[]}`, `[{"tool":"pay","arguments":{"to":"x"},"messages":[]}]`} {
			if a := s.sendProposal(body); a.status != 403 {
				t.Errorf("asked: %s: %s: %d %s", asked, body, a.status, a.text)
			}
		}
	}
	s := newTestService(t, `{"rules":[{"name":"once","tool":"pay","atMost":{"n":1,"per":"30d","by":["id"]},"effect":"deny"}]}`)
	id, digest := s.proposeHeld("pay", `{"id":7}`)
	s.sendDecision(aliceKey, id, digest, true).assertStatus(t, 200)
	s.sendClaim(id).assertStatus(t, 200)
	for _, odd := range []string{`7`, `7.0`, `7e0`, `70e-1`, `0.7e1`, `"7"`, `"07"`, `"7.0"`, `"+7"`, `"7."`, `" 7 "`, `"７"`, `7.00000000000000000001`, `1e400`, `-1e400`, `9007199254740993`, `1e99999`, `[7]`, `{"id":7}`, `null`, `""`, `"7\u200b"`, `"[7]"`, `"\"7\""`} {
		if a := s.sendProposal(`{"tool":"pay","arguments":{"id":` + odd + `}}`); a.status != 403 && a.status != 400 {
			t.Errorf("id %s: %d %s", odd, a.status, a.text)
		}
	}
	for _, body := range []string{``, `null`, `5`, `[]`, `{}`, `{"tool":"pay"}`, `{"tool":"pay","arguments":null}`, `{"tool":"pay","arguments":"{}"}`, `{"tool":"pay","arguments":[]}`, `{"tool":"pay","arguments":{"id":8,"id":7}}`, `{"tool":"pay","arguments":{"id":NaN}}`, `{"tool":"pay","arguments":{"id":08}}`, `{"tool":"pay","arguments":{"id":8}} x`, "\xef\xbb\xbf" + `{"tool":"pay","arguments":{"id":8}}`} {
		if a := s.sendProposal(body); a.status != 400 && a.status != 403 {
			t.Errorf("%s: %d %s", fmt.Sprintf("%.80q", body), a.status, a.text)
		}
	}
}
