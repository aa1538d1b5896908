package score

import (
	"github.com/boundcheck/boundcheck/core/report"
	"strings"
	"testing"
)

// TestScoreNamesOrigins checks two findings of runs with a reference. If an id was copied
// with a wrong digit, the cause must be a state-tracking failure. If an action began too
// early, the evidence must say where its values came from.
func TestScoreNamesOrigins(t *testing.T) {
	evaluated := func(order string) *report.Trajectory {
		t.Helper()
		request, err := ReadRequest([]byte(`{"trace":[{"role":"user","content":"Refund me for order W-77120."},
			{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"refund_order","arguments":"{\"order_id\":\"` + order + `\"}"}}]},{"role":"tool","tool_call_id":"1","content":"done"}],
			"reference":[{"name":"get_order","arguments":{"order_id":"W-55431"}},{"name":"refund_order","arguments":{"order_id":"W-55431"}}],"profile":"sop"}`))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Evaluate(request)
		if err != nil {
			t.Fatal(err)
		}
		return &r.Trajectories[0]
	}
	lost := func(run *report.Trajectory) (reason string) {
		if run.Attribution == nil {
			t.Fatalf("%+v", run)
		}
		for _, c := range append(run.Attribution.Factors, run.Attribution.Primary) {
			if c.Mode == "state-tracking-failure" {
				return c.Reason
			}
		}
		return ""
	}
	if reason := lost(evaluated("W-77129")); !strings.Contains(reason, "77120, which differs in one character") {
		t.Errorf("a wrong digit: %q", reason)
	}
	if reason := lost(evaluated("W-10000")); reason != "" {
		t.Errorf("made up: %q", reason)
	}

	request, err := ReadRequest([]byte(`{"trace":[{"role":"user","content":"Refund me for order W-77120."},
		{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"refund_order","arguments":"{\"order_id\":\"W-77120\",\"payment_id\":\"card_9912\"}"}}]},{"role":"tool","tool_call_id":"1","content":"done"}],
		"reference":[{"name":"get_order","arguments":{"order_id":"W-77120"}},{"name":"refund_order","arguments":{"order_id":"W-77120","payment_id":"card_9912"},"pre":["get_order"]}],"profile":"sop"}`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Evaluate(request)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range r.Trajectories[0].Violations {
		if v.Rule == "unmet-precondition" {
			text := ""
			for _, e := range v.Evidence {
				text += e.Path + " " + e.Observed + "; "
			}
			if text != "order_id came from the user, message 1; payment_id came from nowhere; " {
				t.Error(text)
			}
			return
		}
	}
	t.Errorf("%+v", r.Trajectories[0].Violations)
}
