package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
)

// spanTrace returns an OTLP trace with one span of a tool. attributes are members of it.
func spanTrace(attributes string) string {
	return `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t","spanId":"a","name":"execute_tool cancel_order","startTimeUnixNano":"1","attributes":[` +
		`{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},{"key":"gen_ai.tool.name","value":{"stringValue":"cancel_order"}}` + attributes + `]}]}]}]}`
}

// TestNotRecordedIsNotEmpty checks that arguments which are not in the trace are neither
// right nor wrong, and that recorded empty arguments are wrong.
func TestNotRecordedIsNotEmpty(t *testing.T) {
	const empty = `,{"key":"gen_ai.tool.call.arguments","value":{"stringValue":"{}"}}`
	for _, c := range []struct {
		trace, reference string
		violations       int
		doubt            bool
	}{
		{spanTrace(""), `cancel_order(order_id=\"W-7\")`, 0, true},
		{spanTrace(empty), `cancel_order(order_id=\"W-7\")`, 1, false},
		{spanTrace(empty), `cancel_order`, 0, false},
		{spanTrace(empty), `cancel_order()`, 0, false},
		{spanTrace(""), `refund(order_id=\"W-7\")`, 2, true},
		{`[{"input":"x","tools_called":["cancel_order"]}]`, `cancel_order(order_id=\"W-7\")`, 0, true},
		{`[{"input":"x","tools_called":[{"name":"cancel_order"}]}]`, `cancel_order(order_id=\"W-7\")`, 0, true},
		{`[{"input":"x","tools_called":[{"name":"cancel_order","input_parameters":{}}]}]`, `cancel_order(order_id=\"W-7\")`, 1, false},
		{`[{"input":"x","tools_called":["cancel_order(order_id=1)"]}]`, `cancel_order(order_id=\"W-7\")`, 1, false},
	} {
		request, err := core.ReadRequest(fmt.Appendf(nil, `{"trace":%s,"reference":"%s"}`, c.trace, c.reference))
		if err != nil {
			t.Fatal(err)
		}
		report, err := core.Evaluate(request)
		if err != nil {
			t.Fatalf("%s: %v", c.trace, err)
		}
		run := &report.Trajectories[0]
		if len(run.Violations) != c.violations || (run.Doubt != "") != c.doubt {
			t.Errorf("%s for %s: %d violations, doubt %q; want %d, %v", c.trace, c.reference, len(run.Violations), run.Doubt, c.violations, c.doubt)
		}
		said := false
		for _, w := range report.Warnings {
			said = said || w.Code == "arguments-not-recorded" && strings.Contains(w.Message, "OTEL_")
		}
		if said != c.doubt {
			t.Errorf("%s: the warning says how to record arguments: %v, want %v", c.trace, said, c.doubt)
		}
	}
}

// TestLintOfUnrecorded checks that calls without recorded arguments are not called equal, and
// that a change without a result is never fine.
func TestLintOfUnrecorded(t *testing.T) {
	for trace, want := range map[string]string{
		`[{"input":"x","tools_called":["cancel_order","cancel_order"]}]`: "Cannot tell: 2 calls were recorded without arguments.",
		`[{"role":"user","content":"Refund 7."},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"get_order","arguments":"{\"id\":7}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"},` +
			`{"role":"assistant","tool_calls":[{"id":"2","function":{"name":"refund_order","arguments":"{\"id\":7}"}}]}]`: "Cannot tell: 1 call without a result, although others have results. Perhaps not executed.",
	} {
		request, err := core.ReadRequest([]byte(`{"trace":` + trace + `}`))
		if err != nil {
			t.Fatal(err)
		}
		report, err := core.Evaluate(request)
		if err != nil {
			t.Fatal(err)
		}
		if got := report.Trajectories[0].Verdict; got != want {
			t.Errorf("%s: %q, want %q", trace, got, want)
		}
	}
}
