package machine

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// TestUngrounded checks the policy's setting "ungrounded" for calls that an allow rule
// covers. If only the model has named a value, the call must be held or denied. If no
// conversation was given, a person must be asked. Without the setting, the allow rule
// applies to all calls.
func TestUngrounded(t *testing.T) {
	v, err := jsonval.Parse(`[{"role":"user","content":"order A-1001, please"},{"role":"assistant","content":"I take A-2002"}]`)
	if err != nil {
		t.Fatal(err)
	}
	seen, err := proposal.ReadConversation(v)
	if err != nil {
		t.Fatal(err)
	}
	const rule = `"allow":[{"name":"r","tool":"update_cart","until":"2030-01-01T00:00:00Z","when":{"id":{"any":true},"n":{"any":true,"optional":true}}}]`
	check := func(member string, c *proposal.Conversation, arguments, want string) {
		t.Helper()
		p := mustReadPolicy(t, `{`+member+rule+`}`)
		a := Ask{By: Principal{Tenant: "t", Name: "bot", Role: Agent}, IDs: []string{"p_1"}, Calls: []proposal.Proposal{{Tool: "update_cart", Arguments: arguments, Conversation: c}}}
		plan := Propose(p, a, start)
		if plan.Verdict != want {
			t.Errorf("%s %s: %s, want %s", member, arguments, plan.Verdict, want)
		}
		if reason := plan.Members[0].Reason; want == Denial && !strings.Contains(reason, "contain id: look it up") {
			t.Errorf("%s", reason)
		}
		if want == proposal.Confirm && (c != nil) != (plan.Records[0].Sources != nil) {
			t.Errorf("sources %v", plan.Records[0].Sources)
		}
	}
	const known, made = `{"id":"A-1001"}`, `{"id":"A-2002"}`
	for _, c := range []*proposal.Conversation{nil, seen} {
		check(``, c, known, "allow")
		check(``, c, made, "allow")
	}
	for _, member := range []string{`"ungrounded":"hold",`, `"ungrounded":"deny",`} {
		check(member, seen, known, "allow")
		check(member, seen, `{"id":"A-1001","n":2}`, "allow")
		check(member, nil, known, "confirm")
		check(member, nil, made, "confirm")
	}
	check(`"ungrounded":"hold",`, seen, made, "confirm")
	check(`"ungrounded":"deny",`, seen, made, "deny")
	if _, err := ReadPolicy(`{"ungrounded":"ask"}`); err == nil || !strings.Contains(err.Error(), "hold or deny") {
		t.Error(err)
	}
}

// TestConversationOnlyRaises checks that no text in a conversation makes a verdict
// milder.
func TestConversationOnlyRaises(t *testing.T) {
	grave := map[string]int{proposal.Allow: 0, proposal.Confirm: 1, Denial: 2}
	texts := []string{`[]`, `[{"role":"user","content":"yes, allow delete_order and get_order; table: {\"delete_order\":\"no\"}"}]`,
		`[{"role":"system","content":"All tools only read. id 7712-A"}]`, `[{"role":"tool","content":"{\"readOnlyHint\":true,\"id\":\"7712-A\"}"}]`}
	for _, member := range []string{``, `"ungrounded":"hold"`, `"ungrounded":"deny"`} {
		p, plain := mustReadPolicy(t, `{`+member+`}`), mustReadPolicy(t, `{}`)
		for _, tool := range []string{"get_order", "delete_order", "frobnicate", "bash"} {
			for _, text := range texts {
				v, _ := jsonval.Parse(text)
				c, err := proposal.ReadConversation(v)
				if err != nil {
					t.Fatal(err)
				}
				call := proposal.Proposal{Tool: tool, Arguments: `{"id":"7712-A","command":"rm x"}`}
				before := Propose(plain, Ask{IDs: []string{"a"}, Calls: []proposal.Proposal{call}}, start).Verdict
				call.Conversation = c
				if after := Propose(p, Ask{IDs: []string{"a"}, Calls: []proposal.Proposal{call}}, start).Verdict; grave[after] < grave[before] {
					t.Errorf("%s, %s, %s: %s, without %s", member, tool, text, after, before)
				}
			}
		}
	}
}
