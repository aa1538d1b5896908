package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// TestSameAs checks conditions on values of an earlier result: a rule that denies what is
// not the same, and one that allows what is.
func TestSameAs(t *testing.T) {
	p := mustReadPolicy(t, `{"rules":[{"name":"amount","tool":"refund","when":{"amount":{"not":{"sameAs":"get_order.total"},"min":10}},"effect":"deny"},
		{"name":"to","tool":"pay","when":{"to.id":{"not":{"sameAs":"get_order.customer.id"}}},"effect":"hold","people":2},
		{"name":"note","tool":"add_note","when":{"id":{"sameAs":"get_order.id"},"text":{"sameAs":"get_order.text","matches":"^[a-z]+$"}},"effect":"allow","until":"2030-01-01T00:00:00Z"}]}`)
	agent := Principal{Tenant: "t", Name: "a", Role: Agent}
	x := Replay{Policy: p}
	n := 0
	check := func(tool, arguments, want string) {
		t.Helper()
		n++
		d := x.Decide(fmt.Sprint(n), agent, proposal.Proposal{Tool: tool, Arguments: arguments}, 10)
		if got := fmt.Sprint(d.Verdict, d.People); got != want {
			t.Errorf("%s %s: %s, want %s (%s)", tool, arguments, got, want, d.Reason)
		}
	}
	look := func(to State, result string) {
		n++
		d := x.Decide(fmt.Sprint(n), agent, proposal.Proposal{Tool: "get_order", Arguments: `{"id":1}`}, 1)
		if why := x.Claim(&d, 1).Text; why != "" {
			t.Fatal(why)
		}
		x.Settle(&d, to, result)
	}
	check("refund", `{"amount":20}`, "deny0")
	check("refund", `{"amount":5}`, "confirm1") // not selected
	check("add_note", `{"id":"W-1","text":"ok"}`, "confirm1")
	look(Failed, `{"total":20,"id":"W-1","text":"ok","customer":{"id":"C-1"}}`)
	check("refund", `{"amount":20}`, "deny0")
	look(Executed, `{"total":20,"id":"W-1","text":"ok","customer":{"id":"C-1"}}`)
	check("refund", `{"amount":20}`, "confirm1")
	check("refund", `{"amount":20.0}`, "confirm1")
	check("refund", `{"amount":21}`, "deny0")
	check("refund", `{"amount":[20]}`, "deny0")
	check("refund", `{}`, "confirm1") // min is not met by what is absent
	check("pay", `{"to":{"id":"C-1"}}`, "confirm1")
	check("pay", `{"to":{"id":"C-2"}}`, "confirm2")
	check("pay", `{"to":{"id":"c-1"}}`, "confirm2")
	check("pay", `{}`, "confirm2")
	check("add_note", `{"id":"W-1","text":"ok"}`, "allow0")
	check("add_note", `{"id":"W-2","text":"ok"}`, "confirm1")
	check("add_note", `{"id":"W-1","text":"no"}`, "confirm1")
	check("add_note", `{"id":"W-1","text":"ok","more":1}`, "confirm1")
	d := x.Decide("text", agent, proposal.Proposal{Tool: "refund", Arguments: `{"amount":21}`}, 10)
	if want := `the rule "amount" (line 1): get_order must come first and be executed, with this amount in its result`; d.Reason != want {
		t.Errorf("%s, want %s", d.Reason, want)
	}
	if f := p.Prove(1).Findings; len(f) > 0 {
		t.Errorf("%+v", f)
	}
}

// TestSameAsErrors has what sameAs cannot say in a policy.
func TestSameAsErrors(t *testing.T) {
	strict := func(when, more string) string {
		return `{"rules":[{"name":"r","tool":"refund","when":` + when + more + `,"effect":"deny"}]}`
	}
	for text, want := range map[string]string{
		strict(`{"a":{"sameAs":"get_order.total"}}`, ""):                                                                                                                   "write not: {sameAs: …}",
		strict(`{"a":{"not":{"sameAs":"get_order.total","min":1}}}`, ""):                                                                                                   "alone in not",
		strict(`{"a":{"not":{"not":{"sameAs":"get_order.total"}}}}`, ""):                                                                                                   "alone in not",
		strict(`{"a":{"not":{"sameAs":"g.x"}},"b":{"not":{"sameAs":"g.y"}}}`, ""):                                                                                          "one rule for each",
		strict(`{"a":{"not":{"sameAs":"g.x"}}}`, `,"atMost":{"n":1,"per":"1h"}`):                                                                                           "one rule for each",
		strict(`{"a":{"not":{"sameAs":"g.x"}}}`, `,"after":{"tool":"g"}`):                                                                                                  "one rule for each",
		strict(`{"a":{"not":{"sameAs":"g.items.#.x"}}}`, ""):                                                                                                               "one value",
		strict(`{"a":{"not":{"sameAs":"g[].x"}}}`, ""):                                                                                                                     "no brackets",
		`{"rules":[{"name":"r","tool":"refund","when":{"a":{"not":{"sameAs":"g.x"}}},"effect":"allow","until":"2030-01-01T00:00:00Z"}]}`:                                   "without not",
		`{"rules":[{"name":"r","tool":"refund","when":{"a":{"sameAs":"g.x"},"b":{"sameAs":"h.x"}},"effect":"allow","until":"2030-01-01T00:00:00Z"}]}`:                      "one tool",
		`{"readings":{"s":{"tool":"x","when":{"a":{"not":{"sameAs":"g.x"}}}}}}`:                                                                                            "only in rules",
		`{"allow":[{"name":"r","tool":"refund","when":{"a":{"sameAs":"g.x"}},"until":"2030-01-01T00:00:00Z"}]}`:                                                            "only in rules",
		`{"rules":[{"name":"r","tool":"refund","when":{"a":{"sameAs":"g.x"}},"effect":"allow","until":"2030-01-01T00:00:00Z","after":{"tool":"g","where":{"a":"same"}}}]}`: "one rule for each",
	} {
		if _, err := ReadPolicy(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
