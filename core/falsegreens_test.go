package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
)

// passedOf scores a trace with a reference, and returns whether the first run passed.
func passedOf(t *testing.T, trace, reference, profile string) bool {
	t.Helper()
	request, err := core.ReadRequest(fmt.Appendf(nil, `{"trace":%s,"reference":%s,"profile":%q}`, trace, reference, profile))
	if err != nil {
		t.Fatal(err)
	}
	report, err := core.Evaluate(request)
	if err != nil {
		t.Fatal(err)
	}
	r := &report.Trajectories[0]
	return r.Passed != nil && *r.Passed
}

// TestArgumentsKeepTheirRole checks that a call with another name is the same only if its arguments
// may say the same: another kind of id, a limit or an exception is another call.
func TestArgumentsKeepTheirRole(t *testing.T) {
	for _, c := range []struct {
		reference, call string
		same            bool
	}{
		{`cancel_order {"id":"W-7"}`, `cancel_orders {"order_ids":["W-7"]}`, true},
		{`cancel_order {"order_id":"W-7"}`, `order_cancel {"id":"W-7"}`, true},
		{`delete_file {"path":"/a"}`, `remove_file {"file":"/a"}`, true},
		{`approve_sheets {"employee_ids":["E1"]}`, `sheet_approve {"employee_id":"E1"}`, true},
		{`cancel_order {"id":7}`, `cancel_orders {"user_id":7}`, false},
		{`delete_file {"id":4}`, `delete_files {"except_id":4}`, false},
		{`delete_file {"id":4}`, `delete_files {"folder_id":4}`, false},
		{`delete_file {"id":4}`, `delete_files {"before_id":4}`, false},
		{`cancel_order {"order_id":"W-7"}`, `cancel_orders {"before":"W-7"}`, false},
		{`delete_user {"user_id":"u1"}`, `deleteUser {"tenantId":"u1"}`, false},
		{`delete_user {"user_id":"u1"}`, `remove_user {"tenant_id":"u1"}`, false},
		{`grant_role {"user_id":"u1","role":"r"}`, `grant_roles {"group_id":"u1","role":"r"}`, false},
		{`cancel_order {"order_id":"W-7"}, cancel_order {"order_id":"W-8"}`, `cancel_orders {"customer_ids":["W-7","W-8"]}`, false},
	} {
		calls := func(text, end string) string {
			var out []string
			for _, call := range strings.Split(strings.ReplaceAll(text, "}, ", "}|"), "|") {
				name, arguments, _ := strings.Cut(call, " ")
				out = append(out, fmt.Sprintf(`{"name":%q,"arguments":%s%s}`, name, arguments, end))
			}
			return "[" + strings.Join(out, ",") + "]"
		}
		for _, profile := range []string{"outcome", "sop"} {
			if got := passedOf(t, `{"actions":`+calls(c.call, `,"result":"ok"`)+`}`, calls(c.reference, ""), profile); got != c.same {
				t.Errorf("%s for %s under %s: same %v", c.call, c.reference, profile, got)
			}
		}
	}
}

// TestRecordsThatSayFailed checks that a record with an error of its own is no good run, whatever
// the member with its calls is called.
func TestRecordsThatSayFailed(t *testing.T) {
	const call = `[{"name":"cancel_order","arguments":{"id":7},"result":"ok"}]`
	const reference = `[{"name":"cancel_order","arguments":{"id":7}}]`
	for _, member := range strings.Fields("actions calls tools_called toolCalls function_calls events output input") {
		for _, failed := range []string{`"error":"boom"`, `"exit_code":1`, `"timed_out":true`, `"crashed":true`, `"exception":"x"`, `"errors":["x"]`, `"ok":false`, `"completed":false`, `"is_complete":false`, `"finished":"no"`, `"metadata":{"completed":false}`} {
			if passedOf(t, fmt.Sprintf(`{%q:%s,%s}`, member, call, failed), reference, "sop") {
				t.Errorf("%s with %s passed", member, failed)
			}
		}
	}
}

// TestResultsThatSayFailed checks failures in the words of frameworks and servers, and results that
// look alike.
func TestResultsThatSayFailed(t *testing.T) {
	for result, good := range map[string]bool{
		`{"isError":true,"content":[{"type":"text","text":"bad"}]}`:   false,
		`{"isError":false,"content":[{"type":"text","text":"done"}]}`: true,
		`{"detail":"Not authenticated"}`:                              false,
		`{"detail":"Internal Server Error"}`:                          false,
		`{"type":"error-text","value":"x"}`:                           false,
		`{"is_success":false}`:                                        false,
		`{"result":false}`:                                            false,
		`{"output":{"error":"x"}}`:                                    false,
		`Something went wrong`:                                        false,
		`ValueError: bad`:                                             false,
		`[ERROR] x`:                                                   false,
		`exit code 1`:                                                 false,
		`exit code 0`:                                                 true,
		`No permission`:                                               false,
		`{"7":"cancelled","8":"error: not found"}`:                    false,
		`{"results":{"A-7":"ok","A-8":"failed"}}`:                     false,
		`{"A-7":{"status":"cancelled"},"A-8":{"error":"locked"}}`:     false,
		`{"A-7":true,"A-8":false}`:                                    false,
		`{"order":"A-7","note":"failed payments are retried"}`:        true,
		`{"A-7":"cancelled","A-8":"cancelled"}`:                       true,
		`{"paid":true,"shipped":false,"status":"cancelled"}`:          true,
		`{"status":"ok"}`:                                             true,
		`{"type":"order","id":7}`:                                     true,
		`Cancelled`:                                                   true,
		`Note: errors are logged elsewhere. Cancelled.`:               true,
	} {
		trace := fmt.Sprintf(`{"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"cancel_order","arguments":"{\"id\":7}"}}]},{"role":"tool","tool_call_id":"c","content":%q}]}`, result)
		if got := passedOf(t, trace, `[{"name":"cancel_order","arguments":{"id":7}}]`, "sop"); got != good {
			t.Errorf("%s: passed %v", result, got)
		}
	}
	for _, member := range []string{`"ok":false`, `"exit_code":1`, `"status_code":500`, `"errors":["x"]`, `"timed_out":true`, `"aborted":true`, `"blocked":true`, `"dry_run":true`} {
		if passedOf(t, `{"actions":[{"name":"cancel_order","arguments":{"id":7},"result":"ok",`+member+`}]}`, `[{"name":"cancel_order","arguments":{"id":7}}]`, "sop") {
			t.Errorf("an action with %s passed", member)
		}
	}
}

// TestDemandedArgumentsCount checks that the arguments of a call that only talks, waits or computes
// count if the reference demands something of them.
func TestDemandedArgumentsCount(t *testing.T) {
	for _, c := range []struct {
		reference, call string
		good            bool
	}{
		{`{"name":"reply","required":true,"expect":{"text":{"equals":"approved"}}}`, `{"name":"reply","arguments":{"text":"denied"}}`, false},
		{`{"name":"reply","required":true,"expect":{"text":{"equals":"approved"}}}`, `{"name":"reply","arguments":{"text":"approved"}}`, true},
		{`{"name":"wait","expect":{"seconds":{"max":5}}}`, `{"name":"wait","arguments":{"seconds":999}}`, false},
		{`{"name":"wait","expect":{"seconds":{"max":5}}}`, `{"name":"wait","arguments":{"seconds":3}}`, true},
		{`{"name":"calc","arguments":{"expr":"1+1"},"compare":["expr"]}`, `{"name":"calc","arguments":{"expr":"9*9"}}`, false},
		{`{"name":"calc","arguments":{"expr":"1+1"},"compare":["expr"]}`, `{"name":"calc","arguments":{"expr":"1+1"}}`, true},
	} {
		if got := passedOf(t, `{"actions":[`+c.call+`]}`, `[`+c.reference+`]`, "sop"); got != c.good {
			t.Errorf("%s for %s: passed %v", c.call, c.reference, got)
		}
	}
}

// TestForbiddenIsAsWideAsRequired checks that a call which would do a required step is forbidden by
// the same step with mustNot: in another spelling, notation and name.
func TestForbiddenIsAsWideAsRequired(t *testing.T) {
	for _, c := range []struct {
		never, call string
		good        bool
	}{
		{`{"name":"get_secret"}`, `{"name":"fetch_secret","arguments":{"id":1}}`, false},
		{`{"name":"get_secret","arguments":{"secret_id":2}}`, `{"name":"get_secret","arguments":{"secretId":2}}`, false},
		{`{"name":"get_secret","arguments":{"path":"/etc/passwd"}}`, `{"name":"get_secret","arguments":{"path":"/etc/../etc/passwd"}}`, false},
		{`{"name":"refund","arguments":{"amount":"USD 20"}}`, `{"name":"refund","arguments":{"amount":"$20.00"}}`, false},
		{`{"name":"get_user","expect":{"userRole":{"equals":"admin"}}}`, `{"name":"get_user","arguments":{"user_role":"admin"}}`, false},
		{`{"name":"get_secret","arguments":{"secret_id":2}}`, `{"name":"get_secret","arguments":{"secretId":3}}`, true},
		{`{"name":"get_secret"}`, `{"name":"get_order","arguments":{"id":1}}`, true},
		{`{"name":"refund","arguments":{"amount":"USD 20"}}`, `{"name":"get_refund","arguments":{"amount":"USD 20"}}`, true},
	} {
		const step = `{"name":"cancel_order","arguments":{"id":7}`
		never := strings.TrimSuffix(c.never, "}") + `,"mustNot":true}`
		for _, profile := range []string{"outcome", "sop"} {
			if got := passedOf(t, `{"actions":[`+step+`,"result":"ok"},`+strings.TrimSuffix(c.call, "}")+`,"result":"ok"}]}`, `[`+step+`},`+never+`]`, profile); got != c.good && !(c.good && profile == "sop") {
				t.Errorf("%s beside mustNot %s under %s: passed %v", c.call, c.never, profile, got)
			}
		}
	}
}

// TestAnswersCountUnderSop checks that the short answer of a tool that only talks or ends the run
// counts under sop, if it differs with certainty, and that its wording is free otherwise.
func TestAnswersCountUnderSop(t *testing.T) {
	for _, c := range []struct {
		reference, call string
		good            bool
	}{
		{`{"name":"reply","arguments":{"text":"approved"}}`, `{"name":"reply","arguments":{"text":"denied"}}`, false},
		{`{"name":"final_answer","arguments":{"answer":"42"}}`, `{"name":"final_answer","arguments":{"answer":"17"}}`, false},
		{`{"name":"finish","arguments":{"answer":42}}`, `{"name":"finish","arguments":{"answer":17}}`, false},
		{`{"name":"finish","arguments":{"answer":"yes"}}`, `{"name":"finish","arguments":{"answer":"no"}}`, false},
		{`{"name":"final_answer","arguments":{"answer":"2026-03-01"}}`, `{"name":"final_answer","arguments":{"answer":"2026-04-01"}}`, false},
		{`{"name":"final_answer","arguments":{"answer":"42"}}`, `{"name":"final_answer","arguments":{"answer":"42.0"}}`, true},
		{`{"name":"final_answer","arguments":{"answer":"42"}}`, `{"name":"final_answer","arguments":{"answer":"The answer is 42."}}`, true},
		{`{"name":"reply","arguments":{"text":"Your order is cancelled."}}`, `{"name":"reply","arguments":{"text":"I have cancelled the order for you."}}`, true},
		{`{"name":"think","arguments":{"thought":"step 1"}}`, `{"name":"think","arguments":{"thought":"step 2"}}`, true},
	} {
		const step = `{"name":"cancel_order","arguments":{"id":7}`
		trace := `{"actions":[` + step + `,"result":"ok"},` + c.call + `]}`
		for profile, good := range map[string]bool{"sop": c.good, "outcome": true} {
			if got := passedOf(t, trace, `[`+step+`},`+c.reference+`]`, profile); got != good {
				t.Errorf("%s for %s under %s: passed %v", c.call, c.reference, profile, got)
			}
		}
	}
}
