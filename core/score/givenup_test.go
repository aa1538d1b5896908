package score

import (
	"strings"
	"testing"
)

// TestGivingUpIsNotFine scores runs without a finding that the agent gave up by its own words, or whose last try
// failed. The same runs without these words, or with a later success, are fine.
func TestGivingUpIsNotFine(t *testing.T) {
	run := func(answer, last string) string {
		return `{"messages":[{"role":"user","content":"Please cancel order #W7."},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"cancel_order","arguments":"{\"order_id\":\"#W7\"}"}}]},{"role":"tool","tool_call_id":"1","content":"` + answer + `"},` + last + `]}`
	}
	said := func(text string) string { return `{"role":"assistant","content":"` + text + `"}` }
	again := `{"role":"assistant","tool_calls":[{"id":"2","function":{"name":"cancel_order","arguments":"{\"order_id\":\"#W7\"}"}}]},{"role":"tool","tool_call_id":"2","content":"ok"},` + said("Done.")
	for _, x := range []struct{ what, trace, want string }{
		{"done", run("ok", said("Your order is cancelled.")), "Probably fine."},
		{"gives up", run("ok", said("I was unable to complete the cancellation.")), "Cannot tell: the agent said at the end that it could not do it (message 4): “I was unable to complete the cancellation.”"},
		{"gives up in its last paragraph", run("ok", said("I looked at it.\\n\\nI cannot proceed without a token.")), "Cannot tell: the agent said at the end that it could not do it (message 4): “I cannot proceed without a token.”"},
		{"not its last words", run("ok", said("I could not find it at first.\\n\\nNow it is cancelled.")), "Probably fine."},
		{"succeeds later", run("Error: try again", again), "Cannot tell: there are only hints."},
	} {
		if got := scoreAlone(t, x.trace); got != x.want {
			t.Errorf("%s: %q, want %q", x.what, got, x.want)
		}
	}
	browser := func(name string) string {
		return `{"role":"assistant","tool_calls":[{"id":"` + name + `","function":{"name":"browser","arguments":"{\"code\":\"click('` + name + `')\"}"}}]},{"role":"tool","tool_call_id":"` + name + `","content":"`
	}
	clicks := `{"messages":[{"role":"user","content":"Please click around in the browser."},` + browser("397") + `Error: Timeout 500ms exceeded."},` + browser("816") + `a page"},` + said("finished") + `]}`
	if got := scoreAlone(t, clicks); got == "Probably fine." {
		t.Errorf("clicks that failed: %q", got)
	}
	two := strings.Replace(run("ok", `{"role":"assistant","tool_calls":[{"id":"2","function":{"name":"refund_order","arguments":"{\"order_id\":\"#W7\"}"}}]},{"role":"tool","tool_call_id":"2","content":"Error: not allowed"},`+said("Done.")), "cancel order #W7", "cancel and refund order #W7", 1)
	if got := scoreAlone(t, two); got == "Probably fine." {
		t.Errorf("a failed refund: %q", got)
	}
}

// scoreAlone returns the verdict on a run without a reference.
func scoreAlone(t *testing.T, trace string) string {
	t.Helper()
	r, err := ReadRequest([]byte(trace))
	if err != nil {
		t.Fatal(err)
	}
	report, err := Evaluate(r)
	if err != nil {
		t.Fatal(err)
	}
	return report.Trajectories[0].Verdict
}
