package attribution_test

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
)

func attributeTrace(t *testing.T, trace, ref string) *core.Attribution {
	t.Helper()
	request, err := core.ReadRequest([]byte(`{"trace":` + trace + `,"reference":` + ref + `}`))
	if err != nil {
		t.Fatal(err)
	}
	report, err := core.Evaluate(request)
	if err != nil {
		t.Fatal(err)
	}
	return report.Trajectories[0].Attribution
}

// assistantMessage returns the JSON of an assistant message that contains one call.
func assistantMessage(text, name, arguments string) string {
	return `{"role":"assistant","content":"` + text + `","tool_calls":[{"id":"x","function":{"name":"` + name + `","arguments":"` + strings.ReplaceAll(arguments, `"`, `\"`) + `"}}]}`
}

func toolMessage(text string) string {
	return `{"role":"tool","tool_call_id":"x","content":"` + strings.ReplaceAll(text, `"`, `\"`) + `"}`
}

func TestAttribute(t *testing.T) {
	check := func(name, trace, ref, primary string, factors ...string) {
		t.Helper()
		a := attributeTrace(t, trace, ref)
		if a == nil {
			t.Errorf("%s: no attribution", name)
			return
		}
		got := []string{a.Primary.Mode}
		for _, f := range a.Factors {
			got = append(got, f.Mode)
		}
		if want := append([]string{primary}, factors...); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: %v, want %v (%+v)", name, got, want, a)
		}
	}
	cancel := `{"name":"cancel_order","arguments":{"order_id":"O-1"}}`
	check("the wrong tool", `[{"name":"return_order","arguments":{"order_id":"O-1"}}]`, `[`+cancel+`]`, "tool-selection-error")
	check("a missing step", `[`+cancel+`]`, `["get_order",`+cancel+`]`, "boundary-violation")
	check("the wrong scope", `[{"name":"cancel_order","arguments":{"order_id":"O-2"}}]`, `[`+cancel+`]`, "boundary-violation")
	check("a value that was never seen",
		`[`+assistantMessage("", "get_cart", `{}`)+`,`+toolMessage(`{"order_id":"O-1"}`)+`,`+assistantMessage("", "cancel_order", `{"order_id":"O-7"}`)+`]`,
		`["get_cart",`+cancel+`]`, "state-tracking-failure")
	check("an excuse", `[`+assistantMessage("There is no need to look the order up.", "cancel_order", `{"order_id":"O-1"}`)+`]`,
		`["get_order",`+cancel+`]`, "reasoning-error", "boundary-violation")
	if a := attributeTrace(t, `[`+cancel+`]`, `[`+cancel+`]`); a != nil {
		t.Errorf("a clean run is attributed: %+v", a)
	}
}

func TestFirstFailurePoint(t *testing.T) {
	a := attributeTrace(t, `[{"name":"pay","arguments":{"id":"P-1"}},{"name":"ship","arguments":{"id":"S-2"}}]`,
		`["verify",{"name":"pay","arguments":{"id":"P-1"}},{"name":"ship","arguments":{"id":"S-1"}}]`)
	if a == nil || a.First != 0 || !strings.Contains(a.Primary.Reason, "verify") {
		t.Errorf("the first failure is the missing check, got %+v", a)
	}
}

// TestEvidenceQuotes checks that the evidence quotes the agent's own sentence.
func TestEvidenceQuotes(t *testing.T) {
	a := attributeTrace(t, `[`+assistantMessage("Hello. I will skip the lookup! Bye.", "pay", `{}`)+`]`, `["get_bill","pay"]`)
	if a == nil || a.Primary.Evidence != "I will skip the lookup!" {
		t.Errorf("got %+v", a)
	}
}
