package machine

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

func TestFrozen(t *testing.T) {
	all := []Freeze{{Tenant: "t", Agent: "bot", By: "alice"}, {Tenant: "u", By: "carol"}, {Tenant: "v", Agent: "x", By: "dan"}, {Tenant: "v", By: "eve"}}
	for who, by := range map[string]string{"t bot": "alice", "t bot2": "", "u bot": "carol", "v x": "eve", "w bot": ""} {
		tenant, agent, _ := strings.Cut(who, " ")
		got := ""
		if f := Frozen(all, tenant, agent); f != nil {
			got = f.By
		}
		if got != by {
			t.Errorf("%s: frozen by %q, want %q", who, got, by)
		}
	}
}

// TestFrozenProposals checks that every proposal of a frozen agent is denied, even a
// read. The denial must be in the audit, and the agent must learn who froze it and why.
func TestFrozenProposals(t *testing.T) {
	for _, call := range []string{"get_order {}", "cancel_order {}"} {
		tool, arguments, _ := strings.Cut(call, " ")
		a := Ask{By: agent, Calls: []proposal.Proposal{{Tool: tool, Arguments: arguments}}, IDs: []string{"p"}, Frozen: &Freeze{Tenant: "t", By: "alice", Reason: "looks hijacked"}}
		plan := Propose(Default(), a, start)
		if plan.Verdict != Denial || len(plan.Records) != 0 || plan.Members[0].Reason != "all agents are frozen by alice: looks hijacked" {
			t.Errorf("%s: %+v", call, plan)
		}
		if len(plan.Notes) != 1 || plan.Notes[0].To != Denied {
			t.Errorf("%s: notes %+v", call, plan.Notes)
		}
	}
}

// TestCooldown checks that a call is refused for a while after a person has denied it,
// even if its arguments are written differently. The next question about the call must
// show the earlier denial.
func TestCooldown(t *testing.T) {
	batch := askCalls(t, Default(), `cancel_order {"id":1,"why":"x"}`).Records
	playEvents(batch, 0, denyEvent(alice, batch[0]))
	check := func(p *Policy, call string, after int64, verdict, part string) {
		t.Helper()
		tool, arguments, _ := strings.Cut(call, " ")
		a := Ask{By: agent, Calls: []proposal.Proposal{{Tool: tool, Arguments: arguments}}, IDs: []string{"p"}}
		a.Before = []*Refusal{RefusedBefore(batch, &Record{Tool: tool, Arguments: arguments})}
		plan := Propose(p, a, start+after)
		if plan.Verdict != verdict || !strings.Contains(plan.Members[0].Reason, part) {
			t.Errorf("%s after %d: %s, %s", call, after, plan.Verdict, plan.Members[0].Reason)
		}
		if shown := len(plan.Records) == 1 && plan.Records[0].Why.Before != nil; shown != (verdict == proposal.Confirm && a.Before[0] != nil) {
			t.Errorf("%s after %d: the earlier no is shown: %v", call, after, shown)
		}
	}
	d := Default()
	const same, spelled, other = `cancel_order {"id":1,"why":"x"}`, `cancel_order { "why" : "\u0078", "id" : 1.0 }`, `cancel_order {"id":2,"why":"x"}`
	check(d, same, 60_000, Denial, "alice denied this call 60 seconds ago (not today); nobody is asked about this call again before 22:18:20 UTC")
	check(d, spelled, 130_000, Denial, "2 minutes ago")
	check(d, other, 60_000, proposal.Confirm, "")
	check(d, same, 5*60_000, proposal.Confirm, "")
	check(mustReadPolicy(t, `{"cooldown":"none"}`), same, 1000, proposal.Confirm, "")
	check(mustReadPolicy(t, `{"cooldown":"1h"}`), same, 59*60_000, Denial, "59 minutes ago")
	check(mustReadPolicy(t, `{"tools":{"cancel_order":"no"}}`), same, 1000, proposal.Allow, "")
	batch[0].Votes[0].Channel = string(Conversation)
	check(d, same, 1000, proposal.Confirm, "")
	if b := RefusedBefore(append(batch, batch...), &batch[0]); b.Times != 2 {
		t.Errorf("%+v", b)
	}
	playEvents(batch[:0:0], 0)
	open := askCalls(t, Default(), same).Records
	if b := RefusedBefore(open, &batch[0]); b != nil {
		t.Errorf("a call that waits was refused: %+v", b)
	}
	if _, err := ReadPolicy(`{"cooldown":"no"}`); err == nil || !strings.Contains(err.Error(), `"none"`) {
		t.Errorf("%v", err)
	}
}
