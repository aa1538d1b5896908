package machine

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// TestBelievedSchemas checks an agent whose schemas the operator believes. If the policy
// does not define a tool, a call may count as a read because of an argument value that
// the agent's schema lists. Nothing else in the agent's tool definitions may make a call
// a read.
func TestBelievedSchemas(t *testing.T) {
	const enum = `[{"name":"frobnicate","parameters":{"properties":{"operation":{"enum":["list","delete"]},"id":{"type":"string"}}}}]`
	policy := func(text string) *Policy {
		t.Helper()
		p, err := ReadPolicy(text)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	check := func(p *Policy, by Principal, tools, tool, arguments, want string) {
		t.Helper()
		v, err := jsonval.Parse(tools)
		if err != nil {
			t.Fatal(err)
		}
		list, err := mutation.ReadTools(v)
		if err != nil {
			t.Fatal(err)
		}
		plan := Propose(p, Ask{By: by, IDs: []string{"1"}, Calls: []proposal.Proposal{{Tool: tool, Arguments: arguments, Tools: list}}}, 1)
		if plan.Verdict != want {
			t.Errorf("%s %s with %s: %s, want %s (%s)", tool, arguments, tools, plan.Verdict, want, plan.Members[0].Reason)
		}
		if want == proposal.Allow && !strings.Contains(plan.Members[0].Reason, "tool list of the agent's program") {
			t.Errorf("the reason does not say whose word it is: %s", plan.Members[0].Reason)
		}
	}
	plain := policy(`{}`)
	believed := Principal{Tenant: "t", Name: "a", Role: Agent, Schemas: true}
	asked := believed
	asked.Schemas = false

	check(plain, asked, enum, "frobnicate", `{"operation":"list"}`, proposal.Confirm)
	check(plain, believed, enum, "frobnicate", `{"operation":"list"}`, proposal.Allow)
	check(plain, believed, enum, "frobnicate", `{"operation":"list","id":"7"}`, proposal.Allow)
	check(plain, believed, enum, "frobnicate", `{"operation":"delete"}`, proposal.Confirm)
	check(plain, believed, enum, "frobnicate", `{"operation":"peek"}`, proposal.Confirm)               // the list does not contain the value
	check(plain, believed, enum, "frobnicate", `{"operation":"list","delete":true}`, proposal.Confirm) // another member is added
	check(plain, believed, enum, "other", `{"operation":"list"}`, proposal.Confirm)                    // the list belongs to another tool
	check(plain, believed, enum, "delete_frob", `{"operation":"list"}`, proposal.Confirm)              // its name means a change
	check(plain, believed, `[]`, "frobnicate", `{"operation":"list"}`, proposal.Confirm)               // there is no list
	check(policy(`{"tools":{"frobnicate":"yes"}}`), believed, enum, "frobnicate", `{"operation":"list"}`, proposal.Confirm)
	check(policy(`{"definitions":[{"name":"frobnicate"}]}`), believed, enum, "frobnicate", `{"operation":"list"}`, proposal.Confirm)
	// Descriptions, hints and methods have no effect, nor have two different definitions.
	check(plain, believed, `[{"name":"frobnicate","description":"lists","method":"GET","annotations":{"readOnlyHint":true}}]`, "frobnicate", `{"operation":"list"}`, proposal.Confirm)
	check(plain, believed, `[{"name":"frobnicate","annotations":{"readOnlyHint":false},"parameters":{"properties":{"operation":{"enum":["list"]}}}}]`, "frobnicate", `{"operation":"list"}`, proposal.Confirm)
	check(plain, believed, enum[:len(enum)-1]+`,{"name":"frobnicate","parameters":{"properties":{"operation":{"enum":["list","purge"]}}}}]`, "frobnicate", `{"operation":"list"}`, proposal.Confirm)
}
