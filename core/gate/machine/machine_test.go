package machine

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

const start = int64(1_700_000_000_000)

var (
	agent = Principal{Tenant: "t", Name: "bot", Role: Agent}
	alice = Principal{Tenant: "t", Name: "alice", Role: Approver}
	bob   = Principal{Tenant: "t", Name: "bob", Role: Approver}
)

const nonce = "0123456789abcdef0123456789abcdef"

// askCalls proposes the calls together. Each is written as "tool {arguments}".
func askCalls(t testing.TB, p *Policy, calls ...string) Plan {
	t.Helper()
	a := Ask{By: agent, Session: "s1", Batch: "b_1"}
	for i, c := range calls {
		tool, arguments, _ := strings.Cut(c, " ")
		a.Calls = append(a.Calls, proposal.Proposal{Tool: tool, Arguments: arguments})
		a.IDs = append(a.IDs, "p_"+string(rune('a'+i)))
	}
	return Propose(p, a, start)
}

func mustReadPolicy(t testing.TB, text string) *Policy {
	t.Helper()
	p, err := ReadPolicy(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// playEvents applies events to the record batch[at], one after another, and replaces the
// record each time. All events have the same time. playEvents returns the last change.
func playEvents(batch []Record, at int, events ...Event) (last Change) {
	for _, e := range events {
		last = Step(batch, at, e, start)
		batch[at] = last.Record
	}
	return last
}

func approveEvent(by Principal, r Record) Event {
	return Event{Kind: Decide, By: by, Approve: true, Digest: r.Digest, Channel: "test"}
}

func denyEvent(by Principal, r Record) Event {
	return Event{Kind: Decide, By: by, Digest: r.Digest, Text: "not today"}
}

func claimEvent() Event { return Event{Kind: Claim, By: agent, Nonce: nonce} }

func reportEvent(s State) Event { return Event{Kind: Report, By: agent, Nonce: nonce, Status: s} }

func TestPropose(t *testing.T) {
	check := func(p *Policy, verdict, members string, calls ...string) {
		t.Helper()
		plan := askCalls(t, p, calls...)
		var got []string
		for _, m := range plan.Members {
			got = append(got, m.Verdict)
		}
		if plan.Verdict != verdict || strings.Join(got, " ") != members {
			t.Errorf("%q: %s (%s), want %s (%s)", calls, plan.Verdict, strings.Join(got, " "), verdict, members)
		}
		if held := len(plan.Records); held != 0 && (verdict != proposal.Confirm || held != len(calls)) || held == 0 && verdict == proposal.Confirm {
			t.Errorf("%q: %d records on %s", calls, held, verdict)
		}
	}
	d := Default()
	check(d, "allow", "allow", `get_order {"id":"1"}`)
	check(d, "confirm", "confirm", `cancel_order {"id":"1"}`)
	check(d, "confirm", "confirm", `frobnicate {}`)
	check(d, "confirm", "confirm", `get_order {"id":`)
	check(d, "allow", "allow allow", `get_order {}`, `list_orders {}`)
	check(d, "confirm", "allow confirm allow", `get_order {}`, `cancel_order {}`, `get_order {}`)

	p := mustReadPolicy(t, `{"tools":{"frobnicate":"no","get_order":"yes","format_disk":{"deny":"never"}},"fourEyes":["get_secret"],
		"allow":[{"name":"small","tool":"create_refund","until":"2030-01-01T00:00:00Z","when":{"amount":{"max":50},"note":{"any":true,"optional":true}}},
		{"name":"gone","tool":"create_note","until":"2001-01-01T00:00:00Z","when":{}},
		{"name":"drop","tool":"delete_draft","until":"2030-01-01T00:00:00Z","when":{}},
		{"name":"odd","tool":"blorp","until":"2030-01-01T00:00:00Z","when":{}}]}`)
	check(p, "allow", "allow", `frobnicate {}`)
	check(p, "confirm", "confirm", `get_order {}`)
	check(p, "confirm", "confirm", `get_secret {}`)
	check(p, "deny", "deny", `format_disk {}`)
	check(p, "deny", "allow deny confirm", `frobnicate {}`, `format_disk {}`, `cancel_order {}`)
	check(p, "allow", "allow", `create_refund {"amount":50}`)
	check(p, "allow", "allow", `create_refund {"amount":5e1,"note":"x"}`)
	check(p, "confirm", "confirm", `create_refund {"amount":50.000000000000000001}`)
	check(p, "confirm", "confirm", `create_refund {"amount":"50"}`)
	check(p, "confirm", "confirm", `create_refund {"amount":1,"force":true}`)
	check(p, "confirm", "confirm", `create_refund {"note":"no amount"}`)
	check(p, "confirm", "confirm", `create_refund {"amount":1,"note":{"deep":1}}`)
	check(p, "confirm", "confirm", `create_refund {"amount":1e-999999999}`)
	check(p, "confirm", "confirm", `Create_refund {"amount":1}`)
	check(p, "confirm", "confirm", `create_note {}`)
	check(p, "confirm", "confirm", `delete_draft {}`)
	check(p, "confirm", "confirm", `blorp {}`)
}

// TestRecords checks the records of a held batch. They must keep the order and the ids of
// the calls, and must be bound to the text that is shown. Only the calls that need a
// decision may wait for one.
func TestRecords(t *testing.T) {
	plan := askCalls(t, mustReadPolicy(t, `{"fourEyes":["cancel_order"],"expiry":"2m","tools":{"add_note":{"expiry":"1m"}}}`),
		`get_order {"id": 1}`, `cancel_order {"id":1}`, `add_note {"x":"y"}`)
	for i, want := range []struct {
		id      string
		state   State
		needs   int
		expires int64
	}{{"p_a", Approved, 0, 120}, {"p_b", Pending, 2, 120}, {"p_c", Pending, 1, 60}} {
		r := plan.Records[i]
		if r.ID != want.id || r.State != want.state || r.Needs != want.needs || r.Expires != start+want.expires*1000 || r.Index != i || r.Size != 3 || r.Batch != "b_1" {
			t.Errorf("record %d: %+v", i, r)
		}
		if r.Digest != proposal.Digest(r.Tool, r.Arguments) || r.PromptHash != TextHash(r.Prompt) || !strings.Contains(r.Prompt, r.Digest) {
			t.Errorf("record %d is not bound to what is shown", i)
		}
	}
	if plan.Records[0].Arguments != `{"id": 1}` {
		t.Errorf("the bytes changed: %s", plan.Records[0].Arguments)
	}
}

// TestAgentsToolsOnlyRaise checks that tool definitions from the agent never turn a call
// into a read. They can only make the gate ask about a call that it would otherwise
// allow.
func TestAgentsToolsOnlyRaise(t *testing.T) {
	check := func(body, want string) {
		t.Helper()
		c, err := proposal.Read(body)
		if err != nil {
			t.Fatal(err)
		}
		if got := Propose(Default(), Ask{By: agent, Calls: []proposal.Proposal{c}, IDs: []string{"p"}}, start).Verdict; got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	check(`{"tool":"frobnicate","arguments":{},"tools":[{"name":"frobnicate","description":"Get a thing"}]}`, "confirm")
	check(`{"tool":"frobnicate","arguments":{},"tools":[{"name":"frobnicate","method":"GET"}]}`, "confirm")
	check(`{"tool":"get_x","arguments":{},"tools":[{"name":"get_x","annotations":{"readOnlyHint":false}}]}`, "confirm")
	check(`{"tool":"get_x","arguments":{},"tools":[{"name":"get_x","method":"DELETE"}]}`, "confirm")
	check(`{"tool":"get_x","arguments":{},"tools":[{"name":"get_x"}]}`, "allow")
	check(`{"tool":"cancel_x","arguments":{},"table":{"tools":{"cancel_x":"no"}}}`, "confirm")
}

func TestPolicyErrors(t *testing.T) {
	check := func(text string, line int, part string) {
		t.Helper()
		_, err := ReadPolicy(text)
		if err == nil || !strings.Contains(err.Error(), part) || !strings.Contains(err.Error(), "line "+string(rune('0'+line))) {
			t.Errorf("%s: %v", text, err)
		}
	}
	check("{\n\"mod\":\"strict\"}", 2, `unknown member "mod" of the policy; did you mean "mode". The known members are allow, audit, bypass, claim, conversation, cooldown, definitions`)
	check("{\n\"mode\":\"lax\"}", 2, "want strict or faithful")
	check("{\n\n\"tools\":{\"a\":{\n\"deni\":\"x\"}}}", 4, "The known members are deny, expiry, mutating")
	check("{\"tools\":{\n\"a\":\"maybe\"}}", 2, "want yes or no or control")
	check("{\"tools\":{\"a\":\"no\",\n\"a\":\"yes\"}}", 2, "appears twice")
	check("{\"mode\":\"strict\",\n\"mode\":\"strict\"}", 2, "appears twice")
	check("{\"expiry\":\n\"15\"}", 2, `such as "15m"`)
	check("{\"allow\":[\n{\"name\":\"x\"}]}", 2, "want name, tool, until and when")
	check("{\"allow\":[{\"name\":\"x\",\"tool\":\"y\",\"until\":\"2030-01-01T00:00:00Z\",\n\"when\":{\"a\":{}}}]}", 2, "has no test")
	check("{\"allow\":[{\"name\":\"x\",\"tool\":\"y\",\"until\":\"tomorrow\",\n\"when\":{}}]}", 1, "want a time such as")
	check("{\"allow\":[{\"name\":\"x\",\"tool\":\"y\",\"until\":\"2030-01-01T00:00:00Z\",\"when\":{\"a\":{\"min\":1e999999}}}]}", 1, "number of at most 64 characters")
	check("{\"fourEyes\":\"x\"}", 1, "want an array of tool names")
	check("[]", 1, "want an object")
	check("{", 1, "")
}

func TestObjects(t *testing.T) {
	r := askCalls(t, Default(), `cancel_order {}`).Records[0]
	for text, objects := range map[string]bool{`{}`: false, `{"tools":{"cancel_order":{"deny":"no"}}}`: true, `{"fourEyes":["cancel_order"]}`: true, `{"fourEyes":["other"]}`: false} {
		if got := mustReadPolicy(t, text).Objects(&r); (got != "") != objects {
			t.Errorf("%s: %q", text, got)
		}
	}
}
