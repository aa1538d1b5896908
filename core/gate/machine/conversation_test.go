package machine

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// voice is the author of the user's messages in the conversation of agent bot.
var voice = Principal{Tenant: "t", Name: "bot", Role: Conversation}

// TestConversationDecides checks which calls an agent's conversation may approve under
// different policies. Its vote must be recorded under the name of the conversation, never
// under the name of an approver.
func TestConversationDecides(t *testing.T) {
	check := func(text, call string, bound, want bool) {
		t.Helper()
		batch := askCalls(t, mustReadPolicy(t, text), call).Records
		if len(batch) != 1 {
			t.Fatalf("%s %s: %d records", text, call, len(batch))
		}
		if bound {
			batch[0].For = "alice"
		}
		c := Step(batch, 0, approveEvent(voice, batch[0]), start)
		if got := c.Record.State == Approved; got != want {
			t.Fatalf("%s %s: approved %v, want %v: %s", text, call, got, want, c.Answer.Text)
		}
		if !want {
			if c.Answer.Code != Forbidden || c.Write != nil {
				t.Errorf("%s %s: %+v", text, call, c.Answer)
			}
			if c = Step(batch, 0, denyEvent(voice, batch[0]), start); c.Record.State != Denied {
				t.Errorf("%s %s: a no from the conversation does not count", text, call)
			}
		}
		if v, _ := c.Record.Decided(); v.By != "conversation of bot" || c.Entry.By != v.By || c.Entry.Role != Conversation {
			t.Errorf("%s %s: by %q, in the audit %q as %q", text, call, v.By, c.Entry.By, c.Entry.Role)
		}
	}
	check(`{}`, "add_note {}", false, true)
	check(`{}`, "frobnicate {}", false, true)
	check(`{}`, "delete_note {}", false, false)
	check(`{}`, `bash {"command":"rm x"}`, false, false)
	check(`{}`, "add_note {}", true, false) // only the approver of the key decides
	check(`{"fourEyes":["add_note"]}`, "add_note {}", false, false)
	check(`{"conversation":["delete_note"]}`, "delete_note {}", false, true)
	check(`{"conversation":["delete_note"]}`, "delete_note {}", true, false)
	check(`{"conversation":["delete_note"]}`, "add_note {}", false, false) // the list is complete
	check(`{"conversation":[]}`, "add_note {}", false, false)
	check(`{"conversation":["add_note"],"fourEyes":["add_note"]}`, "add_note {}", false, false)
	check(`{"definitions":[{"name":"add_note","annotations":{"openWorldHint":true}}]}`, "add_note {}", false, false)
}

// TestConversationOfItsOwn checks what a conversation must not do:
//
//   - decide a call of another agent;
//   - claim or cancel a call;
//   - approve a record that was stored before records had the member Why.Conversation;
//   - approve a call whose tool the agent itself calls destructive.
func TestConversationOfItsOwn(t *testing.T) {
	batch := askCalls(t, Default(), "add_note {}").Records
	for _, who := range []Principal{{Tenant: "t", Name: "bot2", Role: Conversation}, {Tenant: "u", Name: "bot", Role: Conversation}, {Tenant: "t", Name: "alice", Role: Conversation}} {
		for _, e := range []Event{approveEvent(who, batch[0]), denyEvent(who, batch[0])} {
			if c := Step(batch, 0, e, start); c.Answer.Code != Forbidden || c.Write != nil {
				t.Errorf("%+v: %+v", who, c.Answer)
			}
		}
	}
	for _, e := range []Event{{Kind: Claim, By: voice, Nonce: nonce}, {Kind: Cancel, By: voice}} {
		if c := Step(batch, 0, e, start); c.Answer.Code == OK {
			t.Errorf("a conversation may %s", e.Kind)
		}
	}
	old := batch[0]
	old.Why.Conversation = false
	if c := Step([]Record{old}, 0, approveEvent(voice, old), start); c.Answer.Code != Forbidden {
		t.Errorf("%+v", c.Answer)
	}
	list, err := jsonval.Parse(`[{"name":"add_note","annotations":{"destructiveHint":true}}]`)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := mutation.ReadTools(list)
	if err != nil {
		t.Fatal(err)
	}
	plan := Propose(Default(), Ask{By: agent, IDs: []string{"p"}, Calls: []proposal.Proposal{{Tool: "add_note", Arguments: "{}", Tools: tools}}}, start)
	if plan.Records[0].Why.Conversation {
		t.Error("the hint is not heard")
	}
}

// TestConversationVouched checks a decision from a conversation that the operator accepts
// as a decision of the agent's approver (Event.Vouched). It can approve only calls that a
// conversation may approve.
func TestConversationVouched(t *testing.T) {
	for call, want := range map[string]Code{"add_note {}": OK, "delete_note {}": Forbidden} {
		batch := askCalls(t, Default(), call).Records
		batch[0].For = "alice"
		e := approveEvent(voice, batch[0])
		e.Vouched = true
		if c := Step(batch, 0, e, start); c.Answer.Code != want {
			t.Errorf("%s: %+v", call, c.Answer)
		}
	}
}

// TestConversationListLater checks a policy that was changed so that conversations may no
// longer approve a tool. A call that a conversation has approved may then no longer be
// claimed. A call that an approver has approved may still be claimed.
func TestConversationListLater(t *testing.T) {
	batch := askCalls(t, Default(), "add_note {}").Records
	batch[0] = Step(batch, 0, approveEvent(voice, batch[0]), start).Record
	if why := Default().Objects(&batch[0]); why != "" {
		t.Error(why)
	}
	if why := mustReadPolicy(t, `{"conversation":["other"]}`).Objects(&batch[0]); !strings.Contains(why, "conversation") {
		t.Errorf("%q", why)
	}
	byAlice := askCalls(t, Default(), "add_note {}").Records
	byAlice[0] = Step(byAlice, 0, approveEvent(alice, byAlice[0]), start).Record
	if why := mustReadPolicy(t, `{"conversation":["other"]}`).Objects(&byAlice[0]); why != "" {
		t.Errorf("%q", why)
	}
}
