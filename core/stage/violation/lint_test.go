package violation_test

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// traceViolations scores a trace and returns its complete findings. ref may be "".
func traceViolations(t *testing.T, trace, ref, profile string) []core.Violation {
	t.Helper()
	if ref != "" {
		ref = `,"reference":` + ref
	}
	request, err := core.ReadRequest([]byte(`{"trace":` + trace + `,"profile":"` + profile + `"` + ref + `}`))
	if err != nil {
		t.Fatal(err)
	}
	report, err := core.Evaluate(request)
	if err != nil {
		t.Fatal(err)
	}
	return report.Trajectories[0].Violations
}

// derefIndex returns the index to which i points. It returns -1 if i is nil, because the
// report has null for such an index.
func derefIndex(i *int) int {
	if i == nil {
		return -1
	}
	return *i
}

// deskConfidence returns the confidence that a rule's findings have in runs of the sort
// Desk (a service desk). For the rule "" it returns Unsure, the confidence of findings
// that were never measured.
func deskConfidence(t *testing.T, rule string) float64 {
	t.Helper()
	if rule == "" {
		return violation.Unsure
	}
	for _, m := range violation.Measures(rule) {
		if m.Written || m.Work == violation.Desk {
			return m.Confidence()
		}
	}
	return violation.Measure{Rule: rule}.Confidence() // never seen on recorded runs
}

func TestLintSaysWhereAndWhy(t *testing.T) {
	check := func(name, trace string, obs int, rule, reason string) {
		t.Helper()
		confidence := deskConfidence(t, rule)
		got := traceViolations(t, trace, "", "auto")
		if len(got) == 0 {
			t.Errorf("%s: nothing found", name)
			return
		}
		v := got[len(got)-1]
		if derefIndex(v.Row) != -1 || derefIndex(v.Ref) != -1 || derefIndex(v.Obs) != obs || v.Confidence != confidence || v.By != "lint" || v.Reason != reason {
			t.Errorf("%s: row %d, ref %d, obs %d, %v, by %s: %s", name, derefIndex(v.Row), derefIndex(v.Ref), derefIndex(v.Obs), v.Confidence, v.By, v.Reason)
		}
	}
	read, write := `{"name":"get_order","arguments":{"order_id":"o1"}}`, `{"name":"cancel_order","arguments":{"order_id":"o1"}}`
	failed := `{"name":"lock_order","arguments":{"order_id":"o1"},"error":"busy"}`
	check("unread", `[{"name":"get_order","arguments":{"order_id":"o2"}},`+write+`]`, 1, "unread-before-write", `action cancel_order changes "o1", but no earlier action read this data`)
	check("several unread", `[{"name":"move_rows","arguments":{"from_id":12,"to_id":150}}]`, 0, "", "action move_rows changes 12, 150, but no earlier action read this data")
	check("twice", `[`+read+`,`+write+`,`+write+`]`, 2, "repeated-write", "cancel_order was done again with the same arguments")
	check("everything", `[`+read+`,{"name":"delete_all_orders"}]`, 1, "all-quantified", "delete_all_orders acts on everything, not on named entities")
	check("after an error", `[`+failed+`,`+write+`]`, 1, "write-after-error", "action cancel_order was done although action lock_order had just failed on the same entity")
	check("stops", `[`+read+`,`+failed+`]`, 1, "stops-after-error", "the last action of the run failed, and no action follows it")
}

func TestLintKeepsQuiet(t *testing.T) {
	check := func(name, trace string) {
		t.Helper()
		if got := traceViolations(t, trace, "", "auto"); len(got) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	read, write := `{"name":"get_order","arguments":{"order_id":"o1"}}`, `{"name":"cancel_order","arguments":{"order_id":"o1"}}`
	check("a write that names no entity", `[{"name":"set_volume","arguments":{"level":3}}]`)
	check("one of two entities was read", `[`+read+`,{"name":"merge_orders","arguments":{"order_id":"o1","into_id":"o2"}}]`)
	check("repeated reads", `[`+read+`,`+read+`]`)
	check("a retry after an error", `[`+read+`,{"name":"cancel_order","arguments":{"order_id":"o1"},"error":"busy"},`+read+`,`+write+`]`)
	check("an error on another entity", `[`+read+`,{"name":"lock_order","arguments":{"order_id":"o7"},"error":"busy"},`+write+`]`)
	check("a write, a read between, another write", `[`+read+`,`+write+`,`+read+`,{"name":"reopen_order","arguments":{"order_id":"o1"}}]`)
	check("a write of an entity that was written before", `[`+read+`,`+write+`,{"name":"reopen_order","arguments":{"order_id":"o1"}}]`)
}

// TestLintFindsAll checks that one run may have several findings, in a fixed order.
func TestLintFindsAll(t *testing.T) {
	trace := `[{"name":"delete_all","arguments":{"folder_id":"f1"}},{"name":"lock_all","arguments":{"folder_id":"f1"},"error":"busy"},{"name":"delete_all","arguments":{"folder_id":"f1"}}]`
	var got []string
	for _, v := range traceViolations(t, trace, "", "auto") {
		got = append(got, v.Rule)
	}
	if want := "all-quantified unread-before-write all-quantified repeated-write write-after-error"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestLintTellsOfACutOffRun(t *testing.T) {
	got := violation.Lint(&boundary.Case{Stopped: "max_steps"}, nil)
	if len(got) != 1 || got[0].Rule != "cut-off" || got[0].Row != -1 || got[0].Obs != -1 || got[0].Ref != -1 || got[0].Confidence != deskConfidence(t, "cut-off") ||
		got[0].Reason != "the run was cut off before its end: max_steps" {
		t.Errorf("%+v", got)
	}
	if got := violation.Lint(&boundary.Case{}, nil); len(got) != 0 {
		t.Errorf("an empty run: %+v", got)
	}
}
