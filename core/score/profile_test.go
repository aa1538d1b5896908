package score

import (
	"github.com/boundcheck/boundcheck/core/report"
	"strings"
	"testing"
)

// procedure is the written reference of a small procedure: two independent reads, then
// one write.
const procedure = `[
  {"name": "get_order", "arguments": {"order_id": "O-1"}},
  {"name": "get_customer", "arguments": {"customer_id": "C-1"}},
  {"name": "refund_order", "arguments": {"order_id": "O-1", "amount": 5, "to": "card"}}]`

const (
	getOrder    = `{"name":"get_order","arguments":{"order_id":"O-1"}}`
	getCustomer = `{"name":"get_customer","arguments":{"customer_id":"C-1"}}`
	refund      = `{"name":"refund_order","arguments":{"order_id":"O-1","amount":5,"to":"card"}}`
)

func evaluateTrace(t *testing.T, trace, ref, profile string) report.Report {
	t.Helper()
	r, err := ReadRequest([]byte(`{"trace":` + trace + `,"reference":` + ref + `,"profile":"` + profile + `"}`))
	if err != nil {
		t.Fatal(err)
	}
	report, err := Evaluate(r)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func listJSON(calls ...string) string { return "[" + strings.Join(calls, ",") + "]" }

func TestProcessFidelity(t *testing.T) {
	check := func(name, trace, ref string, want bool) {
		t.Helper()
		got := evaluateTrace(t, trace, ref, "sop").Trajectories[0]
		if got.Flagged != want {
			t.Errorf("%s: flagged = %v, want %v; violations %+v", name, got.Flagged, want, got.Violations)
		}
	}
	// differences that change nothing, and steps done elsewhere without passing a step
	// they had to precede
	check("identical calls", listJSON(getOrder, getCustomer, refund), procedure, false)
	check("other key order", listJSON(getOrder, getCustomer, `{"name":"refund_order","arguments":{"to":"card","amount":5,"order_id":"O-1"}}`), procedure, false)
	check("5 against 5.0", listJSON(getOrder, getCustomer, `{"name":"refund_order","arguments":{"order_id":"O-1","amount":5.0,"to":"card"}}`), procedure, false)
	check("an extra read", listJSON(getOrder, `{"name":"list_refunds","arguments":{"order_id":"O-1"}}`, getCustomer, refund), procedure, false)
	check("swapped independent reads", listJSON(getCustomer, getOrder, refund), procedure, false)
	check("a retry after an error", listJSON(getOrder, getCustomer,
		`{"name":"refund_order","arguments":{"order_id":"O-1","amount":5,"to":"card"},"error":"service unavailable"}`, refund), procedure, false)
	check("no action on an empty reference", `[]`, `[]`, false)
	check("a thought", listJSON(`{"name":"think","arguments":{"thought":"hm"}}`, getOrder, getCustomer, refund), procedure, false)
	// differences that change something, or skip a required step
	check("an extra write", listJSON(getOrder, getCustomer, refund, `{"name":"delete_order","arguments":{"order_id":"O-1"}}`), procedure, true)
	check("a write on an empty reference", listJSON(refund), `[]`, true)
	check("a missing write", listJSON(getOrder, getCustomer), procedure, true)
	check("a write before its check", listJSON(getOrder, refund, getCustomer), procedure, true)
	check("a write before all checks", listJSON(refund, getOrder, getCustomer), procedure, true)
	check("a duplicate write", listJSON(getOrder, getCustomer, refund, refund), procedure, true)
	check("a missing argument", listJSON(getOrder, getCustomer, `{"name":"refund_order","arguments":{"order_id":"O-1","amount":5}}`), procedure, true)
	check("a wrong argument", listJSON(getOrder, getCustomer, `{"name":"refund_order","arguments":{"order_id":"O-1","amount":50,"to":"card"}}`), procedure, true)
	check("a missing check", listJSON(getOrder, refund), procedure, true)
	check("only a failed write", listJSON(getOrder, getCustomer,
		`{"name":"refund_order","arguments":{"order_id":"O-1","amount":5,"to":"card"},"error":"service unavailable"}`), procedure, true)
	check("an unknown verb", listJSON(getOrder, getCustomer, refund, `{"name":"frobnicate","arguments":{}}`), procedure, true)
}

func TestOutcomeAsksWhatChanged(t *testing.T) {
	check := func(name, trace string, want bool) {
		t.Helper()
		got := evaluateTrace(t, trace, procedure, "outcome").Trajectories[0]
		if got.Flagged != want {
			t.Errorf("%s: flagged = %v, want %v; violations %+v", name, got.Flagged, want, got.Violations)
		}
	}
	check("missing reads are notes", listJSON(refund), false)
	check("a late read is a note", listJSON(refund, getOrder, getCustomer), false)
	check("another read", listJSON(`{"name":"get_order","arguments":{"order_id":"O-2"}}`, refund), false)
	check("a missing write", listJSON(getOrder, getCustomer), true)
	check("another write", listJSON(`{"name":"refund_order","arguments":{"order_id":"O-2","amount":5,"to":"card"}}`), true)
	check("a duplicate write", listJSON(refund, refund), true)
}

func TestMarksWinUnderOutcome(t *testing.T) {
	required := `[{"name":"get_order","arguments":{"order_id":"O-1"},"required":true},` + refund + `]`
	if !evaluateTrace(t, listJSON(refund), required, "outcome").Trajectories[0].Flagged {
		t.Error("a required read was skipped without a violation")
	}
	forbidden := `[` + refund + `,{"name":"get_secret","mustNot":true}]`
	r := evaluateTrace(t, listJSON(refund, `{"name":"get_secret","arguments":{"id":"x"}}`), forbidden, "outcome").Trajectories[0]
	if len(r.Violations) != 1 || r.Violations[0].Rule != "forbidden-action" {
		t.Errorf("a forbidden read gave %+v", r.Violations)
	}
	if len(r.Reference) != 1 {
		t.Errorf("a must-not step stands among the steps to do: %+v", r.Reference)
	}
}

func TestMovedWrites(t *testing.T) {
	ref := `[{"name":"cancel_order","arguments":{"order_id":"O-1"}},{"name":"cancel_order","arguments":{"order_id":"O-2"}}]`
	swapped := `[{"name":"cancel_order","arguments":{"order_id":"O-2"}},{"name":"cancel_order","arguments":{"order_id":"O-1"}}]`
	for _, profile := range []string{"sop", "outcome"} {
		if r := evaluateTrace(t, swapped, ref, profile).Trajectories[0]; r.Flagged {
			t.Errorf("%s: two writes on different entities changed places: %+v", profile, r.Violations)
		}
	}
	same := `[{"name":"open_account","arguments":{"id":"A-1"}},{"name":"fund_account","arguments":{"id":"A-1"}}]`
	turned := `[{"name":"fund_account","arguments":{"id":"A-1"}},{"name":"open_account","arguments":{"id":"A-1"}}]`
	if !evaluateTrace(t, turned, same, "sop").Trajectories[0].Flagged {
		t.Error("sop: two writes on one entity changed places without a violation")
	}
}

// TestTakenElsewhereWithOtherArguments checks a write that a run does in a different
// order and with a different argument. The only finding must be about the argument.
func TestTakenElsewhereWithOtherArguments(t *testing.T) {
	ref := `[{"name":"set_seat","arguments":{"booking_id":"B-1","seat":"2a"}},{"name":"set_meal","arguments":{"booking_id":"B-1","meal":"none"}}]`
	trace := `[{"name":"set_meal","arguments":{"booking_id":"B-1","meal":"none"}},{"name":"set_seat","arguments":{"booking_id":"B-1","seat":"window"}}]`
	r := evaluateTrace(t, trace, ref, "outcome").Trajectories[0]
	if len(r.Violations) != 1 || r.Violations[0].Rule != "wrong-arguments" || *r.Violations[0].Ref != 0 || *r.Violations[0].Obs != 1 {
		t.Errorf("got %+v", r.Violations)
	}
}

// TestRestatedFacts checks arguments that the call in the reference does not have. The
// profile outcome allows such an argument inside an object, if an earlier result has the
// same fact about this object. It does not allow such an argument at the top level.
func TestRestatedFacts(t *testing.T) {
	ref := `[{"name":"book_trip","arguments":{"legs":[{"number":"T-1"}],"class":"second"}}]`
	look := `{"name":"find_trips","arguments":{},"result":"T-1 and T-2 from Ulm to Bonn"}`
	check := func(name, arguments, profile string, want bool) {
		t.Helper()
		trace := listJSON(look, `{"name":"book_trip","arguments":`+arguments+`}`)
		if got := evaluateTrace(t, trace, ref, profile).Trajectories[0]; got.Flagged != want {
			t.Errorf("%s under %s: flagged %v, want %v: %+v", name, profile, got.Flagged, want, got.Violations)
		}
	}
	check("restated", `{"legs":[{"number":"T-1","from":"Ulm","to":"Bonn"}],"class":"second"}`, "outcome", false)
	check("restated", `{"legs":[{"number":"T-1","from":"Ulm","to":"Bonn"}],"class":"second"}`, "sop", true)
	check("made up", `{"legs":[{"number":"T-1","from":"Rome"}],"class":"second"}`, "outcome", true)
	check("on the top", `{"legs":[{"number":"T-1"}],"class":"second","from":"Ulm"}`, "outcome", true)
	check("another leg", `{"legs":[{"number":"T-1"},{"number":"T-2"}],"class":"second"}`, "outcome", true)
	check("a list inside", `{"legs":[{"number":"T-1","also":["T-2"]}],"class":"second"}`, "outcome", true)
	check("another class", `{"legs":[{"number":"T-1","from":"Ulm"}],"class":"first"}`, "outcome", true)
}

func TestBigIntegersAreNotRounded(t *testing.T) {
	ref := `[{"name":"delete_row","arguments":{"row":9007199254740993}}]`
	if !evaluateTrace(t, `[{"name":"delete_row","arguments":{"row":9007199254740992}}]`, ref, "sop").Trajectories[0].Flagged {
		t.Error("…992 passed for …993")
	}
	r := evaluateTrace(t, `[{"name":"delete_row","arguments":{"row":9007199254740993}}]`, ref, "sop").Trajectories[0]
	if r.Flagged || r.Observed[0].Arguments != `{"row":9007199254740993}` {
		t.Errorf("the argument came out as %s", r.Observed[0].Arguments)
	}
}

func TestListsOfEntitiesAreSets(t *testing.T) {
	ref := `[{"name":"exchange","arguments":{"item_ids":["a1","b2"],"new_item_ids":["c3","d4"],"steps":[1,2]}}]`
	check := func(name, arguments string, want bool) {
		t.Helper()
		if got := evaluateTrace(t, `[{"name":"exchange","arguments":`+arguments+`}]`, ref, "sop").Trajectories[0].Flagged; got != want {
			t.Errorf("%s: flagged = %v, want %v", name, got, want)
		}
	}
	check("rows in another order", `{"item_ids":["b2","a1"],"new_item_ids":["d4","c3"],"steps":[1,2]}`, false)
	check("rows torn apart", `{"item_ids":["b2","a1"],"new_item_ids":["c3","d4"],"steps":[1,2]}`, true)
	check("a list of other things than entities", `{"item_ids":["a1","b2"],"new_item_ids":["c3","d4"],"steps":[2,1]}`, true)
}
