package violation_test

import (
	"encoding/json"
	"testing"
)

// deskTrace returns a trace with instructions, a user's request and calls. A call has a
// name, arguments and an answer. A call without a name becomes a message of the user.
func deskTrace(policy, user string, calls ...[3]string) string {
	list := []any{map[string]any{"role": "system", "content": policy}, map[string]any{"role": "user", "content": user}}
	for i, c := range calls {
		id := string(rune('a' + i))
		if c[0] == "" {
			list = append(list, map[string]any{"role": "user", "content": c[1]})
			continue
		}
		list = append(list, map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": id, "function": map[string]any{"name": c[0], "arguments": c[1]}}}},
			map[string]any{"role": "tool", "tool_call_id": id, "content": c[2]})
	}
	out, _ := json.Marshal(list)
	return string(out)
}

// findsRule reports whether a trace has a finding with the given rule.
func findsRule(t *testing.T, trace, rule string) bool {
	t.Helper()
	for _, v := range traceViolations(t, trace, "", "auto") {
		if v.Rule == rule {
			return true
		}
	}
	return false
}

// TestSkippedCheck checks which instructions demand a call of get_stock before a call of
// release_order.
func TestSkippedCheck(t *testing.T) {
	read, release := [3]string{"get_order", `{"order_id":"o-551"}`, `{"order_id":"o-551"}`}, [3]string{"release_order", `{"order_id":"o-551"}`, "ok"}
	check := func(want bool, policy string) {
		t.Helper()
		if got := findsRule(t, deskTrace(policy, "Please release o-551.", read, release), "skipped-check"); got != want {
			t.Errorf("%q: %v, want %v", policy, got, want)
		}
	}
	for _, policy := range []string{
		"Call get_stock before release_order.",
		"Call get_stock before releasing an order.",
		"You must call `get_stock` before you release an order, so that nothing is promised twice.",
		"Before an order is released, always call get_stock.",
		"Before release_order: be calm. Prior to releasing orders, run get_stock.",
		"get_stock must answer before anything is changed. Call get_stock before any change.",
		"Do not release an order before calling get_stock.",
		"Always call get_stock first.",
		"Steps:\n- get_order\n- get_stock\n- release_order",
		"In this order:\n a) get_order\n\n b) get_stock (all parts)\n    of every line\n c) release_order",
		"1. First read the order with get_order.\n2. Then call get_stock.\n3. Finally call release_order.",
		"Release: get_order → get_stock → release_order",
		"Workflow when somebody asks to release an order:\n-> get_stock\n-> tell the user\n-> release_order",
		"# Rules of the garden centre\n## Releasing\nCall get_stock before release_order.",
		"1. Call get_order.\n2. Call get_stock.\n3. Call release_order.",
		"How we work\n1. Greet.\n2. Releases, step by step:\n   a. get_stock\n   b. release_order\n3. Say goodbye.",
	} {
		check(true, policy)
	}
	for _, policy := range []string{
		"Call get_stock before cancelling an order.",
		"Call get_stock before releasing a payment.",
		"Call get_stock before any change of address.",
		"Call get_stock before releasing a large order.",
		"If in doubt, call get_stock before releasing an order.",
		"You may call get_stock before releasing an order.",
		"Call get_stock or get_order before releasing an order.",
		"For orders above 500 euros, call get_stock before releasing an order.",
		"You need not call get_stock before releasing an order.",
		"Call get_stock after releasing an order.",
		"Call get_stock before releasing an order. Skip get_stock for subscribers.",
		"Call get_order before get_stock.",
		"Know the stock before releasing an order.",
		"Check the customer_id before releasing an order.",
		"Always call get_stock first when the user asks about parts.",
		"Tools:\n1. get_stock - reads the stock\n2. release_order - releases an order",
		"You can:\n- get_stock\n- release_order",
		"In any order:\n1. get_stock\n2. release_order",
		"Steps:\n- get_stock if the order is old\n- release_order",
		"Steps:\n- get_stock or get_plan\n- release_order",
		"Steps:\n- release_order\n- get_stock",
		"Steps:\n- get_stock\n- if it fails, release_order",
		"Steps:\n- get_stock\n- never use release_order",
		"Steps:\n- get_stock\n- release_order\n\nSteps for a second release:\n- get_order\n- release_order",
		"Steps for business customers only:\n- get_stock\n- release_order",
		"## Wholesale\nCall get_stock before releasing an order.",
		"For subscribers:\n- Call get_stock before releasing an order.",
		"- If it is a subscriber:\n  - call get_stock before releasing an order.",
		"Ask subscribers for the month. Then call get_stock before releasing an order.",
		"In order to release an order:\n1. get_stock\n2. release_order",
		"Steps for spoiled goods:\n- get_stock\n- release_order",
		"Steps for changing an order:\n- get_stock\n- release_order",
	} {
		check(false, policy)
	}
	if policy := "Call get_stock before releasing an order."; findsRule(t, deskTrace(policy, "get_stock says 7, so release o-551.", read, release), "skipped-check") ||
		findsRule(t, deskTrace(policy, "Release o-551.", read, [3]string{"get_stock", `{}`, "error: down"}, release), "skipped-check") ||
		findsRule(t, deskTrace(policy, "Release o-551.", read, [3]string{"escalate_order", `{"order_id":"o-551"}`, "ok"}), "skipped-check") {
		t.Error("a finding after the check, or for handing over")
	}
}

// TestFailedCheck checks which changes are findings after a check with a negative answer.
func TestFailedCheck(t *testing.T) {
	policy := "Call verify_caller at the start. Call check_credit before granting a loan."
	failed := func(name, arguments, answer string) [3]string { return [3]string{name, arguments, answer} }
	loan := failed("check_credit", `{"applicant_id":"ap-7031"}`, `{"approved":false}`)
	caller := failed("verify_caller", `{"pin":"4471"}`, `{"match":false}`)
	item := failed("check_return", `{"item":"it-5512"}`, `{"eligible":false}`)
	check := func(name string, want bool, user string, calls ...[3]string) {
		t.Helper()
		if got := findsRule(t, deskTrace(policy, user, calls...), "failed-check"); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	grant, ok := [3]string{"grant_loan", `{"applicant_id":"ap-7031","amount":50}`, "ok"}, "ok"
	check("demanded by the instructions", true, "A loan for ap-7031.", loan, grant)
	check("a later check of the same", false, "A loan for ap-7031.", loan, failed("check_credit", `{"applicant_id":"ap-7031"}`, `{"approved":true}`), grant)
	check("a later answer without a verdict", false, "A loan for ap-7031.", loan, failed("check_credit", `{"applicant_id":"ap-7031"}`, `{"queued":1}`), grant)
	check("another person", false, "A loan for ap-7032.", loan, [3]string{"grant_loan", `{"applicant_id":"ap-7032"}`, ok})
	check("another person was checked later", true, "A loan for ap-7031.", loan, failed("check_credit", `{"applicant_id":"ap-7032"}`, `{"approved":true}`), grant)
	check("contradiction", false, "A loan for ap-7031.", failed("check_credit", `{"applicant_id":"ap-7031"}`, `{"approved":false,"eligible":true}`), grant)
	check("no verdict", false, "A loan for ap-7031.", failed("check_credit", `{"applicant_id":"ap-7031"}`, `{"overdue":false}`), grant)
	check("an error", false, "A loan for ap-7031.", failed("check_credit", `{"applicant_id":"ap-7031"}`, `error: no such applicant`), grant)
	check("rejected", false, "A loan for ap-7031.", loan, [3]string{"reject_loan", `{"applicant_id":"ap-7031"}`, ok})
	check("a note", false, "A loan for ap-7031.", loan, [3]string{"add_note", `{"applicant_id":"ap-7031"}`, ok})
	check("something else", false, "A card for ap-7031.", loan, [3]string{"create_card", `{"applicant_id":"ap-7031"}`, ok})
	check("the user insists", false, "A loan for ap-7031.", loan, [3]string{"", "Do it anyway."}, grant)
	check("the user agrees", true, "A loan for ap-7031.", loan, [3]string{"", "Yes, do it."}, grant)
	check("identity", true, "Move 5 to acc-2.", caller, [3]string{"transfer_money", `{"to":"acc-2"}`, ok})
	check("cancelled for a stranger", true, "Cancel o-7.", caller, [3]string{"cancel_order", `{"order_id":"o-7"}`, ok})
	check("identity in another way", false, "Move 5 to acc-2.", caller, failed("verify_otp", `{"code":"119922"}`, `{"valid":true}`), [3]string{"transfer_money", `{"to":"acc-2"}`, ok})
	check("handed over", false, "Move 5 to acc-2.", caller, [3]string{"create_ticket", `{"text":"caller"}`, ok})
	check("the checked thing", true, "Return it-5512.", item, [3]string{"return_item", `{"item":"it-5512"}`, ok})
	check("another thing", false, "Return it-5512.", item, [3]string{"return_item", `{"item":"it-5513"}`, ok})
	check("a repair", false, "Fix token tk-8812.", failed("check_token", `{"token":"tk-8812"}`, `{"status":"expired"}`), [3]string{"refresh_token", `{"token":"tk-8812"}`, ok})
	check("repaired before", false, "Add driver DX-881.", failed("check_licence", `{"licence":"DX-881"}`, `{"status":"expired"}`), [3]string{"renew_licence", `{"licence":"DX-881"}`, ok}, [3]string{"add_licence", `{"licence":"DX-881"}`, ok})
	check("not repaired", true, "Add driver DX-881.", failed("check_licence", `{"licence":"DX-881"}`, `{"status":"expired"}`), [3]string{"add_licence", `{"licence":"DX-881"}`, ok})
	check("what was checked becomes true", false, "Approve x-8812.", failed("check_expense", `{"expense":"x-8812"}`, `{"approved":false}`), [3]string{"approve_expense", `{"expense":"x-8812"}`, ok})
	check("no hit in a list", false, "Pay p-8812.", failed("verify_sanctions", `{"payment":"p-8812"}`, `{"match":false}`), [3]string{"pay_sanctions_payment", `{"payment":"p-8812"}`, ok})
	check("a check that broke", false, "A loan for ap-7031.", failed("check_credit", `{"applicant_id":"ap-7031"}`, `{"status":"failed","error":"timeout"}`), grant)
	check("another way to identify", false, "Move 5 to acc-2.", caller, [3]string{"send_otp", `{"phone":"+15551234567"}`, ok})
	check("another action than the checked one", false, "Return it-5512 or exchange it.", item, [3]string{"exchange_item", `{"item":"it-5512"}`, ok})
	check("the record of a person", false, "My phone is 5.", failed("check_customer_eligibility", `{"customer_id":"cu-8812"}`, `{"eligible":false}`), [3]string{"update_customer", `{"customer_id":"cu-8812","phone":"5"}`, ok})
	check("checked in", false, "Room r-5512.", failed("check_in_room", `{"room":"r-5512"}`, `{"ok":false}`), [3]string{"add_room", `{"room":"r-5512"}`, ok})
}

// TestFollowedProcedure checks a run that calls two tools of a procedure that change
// something. For such a run, the heading of the procedure does not matter.
func TestFollowedProcedure(t *testing.T) {
	policy := "Broken vase:\n1. Call get_order.\n2. Call get_stock.\n3. Call release_order.\n4. Call print_label."
	read, release := [3]string{"get_order", `{"order_id":"o-551"}`, `{"order_id":"o-551"}`}, [3]string{"release_order", `{"order_id":"o-551"}`, "ok"}
	label := [3]string{"print_label", `{"order_id":"o-551"}`, "ok"}
	if !findsRule(t, deskTrace(policy, "My delivery came in pieces.", read, release, label), "skipped-check") {
		t.Error("both changing tools were called: no finding")
	}
	if findsRule(t, deskTrace(policy, "My delivery came in pieces.", read, release), "skipped-check") {
		t.Error("one changing tool was called: a finding")
	}
}

// TestFailedCheckOfTwoValues checks that a change with both values of a failed check is a
// finding. The names of the two tools need no common word.
func TestFailedCheckOfTwoValues(t *testing.T) {
	check := func(want bool, change string) {
		t.Helper()
		trace := deskTrace("You are kind.", "Please enroll S-118 in CH-210.",
			[3]string{"check_prerequisites", `{"student_id":"S-118","course_id":"CH-210"}`, `{"student_id":"S-118","met":false}`},
			[3]string{"enroll_user", change, "ok"})
		if got := findsRule(t, trace, "failed-check"); got != want {
			t.Errorf("%s: %v, want %v", change, got, want)
		}
	}
	check(true, `{"student_id":"S-118","course_id":"CH-210"}`)
	check(false, `{"student_id":"S-118","course_id":"CH-110"}`)
	check(false, `{"student_id":"S-140","course_id":"CH-210"}`)
}
