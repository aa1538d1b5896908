package score

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// scoreSteps scores a run, given as JSON actions, against a reference in JSON. It returns
// the rules of the findings with their reasons.
func scoreSteps(t *testing.T, run, ref string) string {
	t.Helper()
	r, err := reference.Read(ref)
	if err != nil {
		t.Fatalf("%s: %v", ref, err)
	}
	report, err := Evaluate(Request{Inputs: []Source{{Data: []byte(run)}}, Reference: r})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, v := range report.Trajectories[0].Violations {
		line := v.Rule
		for _, e := range v.Evidence {
			line += " " + e.Path + "=" + e.Observed + "/" + e.Reference
		}
		out = append(out, line)
	}
	return strings.Join(out, "; ")
}

func asRun(calls ...string) string {
	return `{"messages":[{"role":"user","content":"please"}` + strings.Join(calls, "") + `]}`
}

func callWith(id, name, arguments, result string) string {
	return `,{"role":"assistant","tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"` + name + `","arguments":"` + strings.ReplaceAll(arguments, `"`, `\"`) + `"}}]},` +
		`{"role":"tool","tool_call_id":"` + id + `","content":"` + strings.ReplaceAll(result, `"`, `\"`) + `"}`
}

// TestExpect scores runs whose values a matcher accepts, and runs whose values it does
// not. What a matcher refuses is always a finding that says what the value may be.
func TestExpect(t *testing.T) {
	refund := func(arguments string) string { return callWith("r", "create_refund", arguments, "{}") }
	for _, c := range []struct{ expect, arguments, want string }{
		{`"amount":{"within":"1%"}`, `{"id":"W-1","amount":49.5}`, ""},
		{`"amount":{"within":"1%"}`, `{"id":"W-1","amount":49}`, "wrong-arguments amount=49/within ± 1%"},
		{`"amount":{"max":60,"min":1}`, `{"id":"W-1","amount":60}`, ""},
		{`"amount":{"max":60,"min":1}`, `{"id":"W-1","amount":61}`, "amount=61/at most 60 and at least 1"},
		{`"amount":{"max":60}`, `{"id":"W-1"}`, "amount=/at most 60"},
		{`"amount":{"max":60,"optional":true}`, `{"id":"W-1"}`, ""},
		{`"amount":{"max":60}`, `{"id":"W-1","amount":"50"}`, `amount="50"/at most 60`},
		{`"amount":{"any":true},"note":{"contains":"late"}`, `{"id":"W-1","amount":1,"note":"it was late"}`, ""},
		{`"amount":{"any":true},"note":{"contains":"late"}`, `{"id":"W-1","amount":1,"note":"dear"}`, `note="dear"/something with "late"`},
		{`"amount":{"any":true},"items.#.sku":{"matches":"^S"}`, `{"id":"W-1","amount":1,"items":[{"sku":"S1"},{"sku":"S2"}]}`, ""},
		{`"amount":{"any":true},"items.#.sku":{"matches":"^S"}`, `{"id":"W-1","amount":1,"items":[{"sku":"S1"},{"sku":"X2"}]}`, `items[1].sku="X2"/a text like "^S"`},
		{`"amount":{"any":true},"tags":{"setOf":["a","b"]}`, `{"id":"W-1","amount":1,"tags":["b","a"]}`, ""},
		{`"amount":{"any":true},"tags":{"setOf":["a","b"]}`, `{"id":"W-1","amount":1,"tags":["a"]}`, `tags=["a"]/in any order ["a","b"]`},
	} {
		ref := `[{"name":"create_refund","arguments":{"id":"W-1","amount":50},"expect":{` + c.expect + `}}]`
		got := scoreSteps(t, asRun(refund(c.arguments)), ref)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s with %s: %q, want %q", c.arguments, c.expect, got, c.want)
		}
		loose := strings.Replace(ref, `"expect"`, `"accept":{"amount":[1,49,61,"50",null],"note":["dear"],"tags":[["a"]]},"expect"`, 1)
		if again := scoreSteps(t, asRun(refund(c.arguments)), loose); again != got {
			t.Errorf("accept made an expectation milder: %q, before %q", again, got)
		}
	}
}

// TestSameAs checks that a value counts as seen only after the result that holds it.
func TestSameAs(t *testing.T) {
	ref := `[{"optional":"get_order(id=\"W-1\")"},{"name":"create_refund","arguments":{"id":"W-1"},"expect":{"customer":{"sameAs":"get_order.customer.id"}}}]`
	look := callWith("g", "get_order", `{"id":"W-1"}`, `{"customer":{"id":"C-1"}}`)
	refund := func(c string) string {
		return callWith("r", "create_refund", `{"id":"W-1","customer":"`+c+`"}`, "{}")
	}
	for want, calls := range map[string][]string{
		"": {look, refund("C-1")}, `customer="C-2"`: {look, refund("C-2")}, `customer="C-1"`: {refund("C-1"), look}, `customer="C-3"`: {refund("C-3")},
	} {
		if got := scoreSteps(t, asRun(calls...), ref); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", calls, got, want)
		}
	}
}

// TestTimesOnlyFails checks the members that count calls, that limit the tools of a run,
// and that require a refusal.
func TestTimesOnlyFails(t *testing.T) {
	pay := callWith("p", "pay_invoice", `{"id":"I-1"}`, "ok")
	refused := callWith("d", "delete_user", `{"id":"U-1"}`, `{"error":"not allowed"}`)
	deleted := callWith("d", "delete_user", `{"id":"U-1"}`, `{"deleted":true}`)
	for _, c := range []struct{ ref, run, want string }{
		{`[{"name":"pay_invoice","arguments":{"id":"I-1"},"times":2}]`, pay + pay, ""},
		{`[{"name":"pay_invoice","arguments":{"id":"I-1"},"times":2}]`, pay, "missing-step"},
		{`[{"name":"pay_invoice","arguments":{"id":"I-1"},"times":{"max":2}}]`, pay, ""},
		{`[{"name":"pay_invoice","arguments":{"id":"I-1"},"times":{"max":2}}]`, pay + pay + pay, "forbidden-action"},
		{`[{"name":"pay_invoice","arguments":{"id":"I-1"},"times":{"min":2}}]`, pay + pay + pay + pay, ""},
		{`[{"name":"pay_invoice","arguments":{"id":"I-1"},"times":{"min":2}}]`, pay, "missing-step"},
		{`[{"name":"pay_invoice","arguments":{"id":"I-1"},"times":{"min":0,"max":1}}]`, callWith("x", "get_x", "{}", "1"), ""},
		{`{"steps":["pay_invoice(id=\"I-1\")"],"only":["pay_*"]}`, pay, ""},
		{`{"steps":["pay_invoice(id=\"I-1\")"],"only":["pay_*"]}`, callWith("x", "get_x", "{}", "1") + pay, "forbidden-action"},
		{`{"steps":[],"only":[]}`, pay, "forbidden-action"},
		{`[{"name":"delete_user","arguments":{"id":"U-1"},"fails":true},"pay_invoice(id=\"I-1\")"]`, refused + pay, ""},
		{`[{"name":"delete_user","arguments":{"id":"U-1"},"fails":true},"pay_invoice(id=\"I-1\")"]`, deleted + pay, "forbidden-action"},
		{`[{"name":"delete_user","arguments":{"id":"U-1"},"fails":true},"pay_invoice(id=\"I-1\")"]`, pay, "missing-step"},
	} {
		if got := scoreSteps(t, asRun(c.run), c.ref); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.ref, got, c.want)
		}
	}
}
