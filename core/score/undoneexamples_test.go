package score

import (
	"fmt"
	"testing"
)

// TestUndoneExamples checks runs in which the agent undid something itself, and some in which it did not.
func TestUndoneExamples(t *testing.T) {
	for _, c := range []struct{ name, trace, ref, outcome, sop string }{
		{"another thing is taken back", `[{"name":"add_crew","arguments":{"vessel":"Terje","person_id":"c-14"},"result":"ok"},{"name":"remove_crew","arguments":{"vessel":"Terje","person_id":"c-12"},"result":"ok"},{"name":"add_crew","arguments":{"vessel":"Terje","person_id":"c-41"},"result":"ok"}]`,
			`[{"name":"add_crew","arguments":{"vessel":"Terje","person_id":"c-41"}}]`, "flagged", "flagged"},
		{"the same thing is taken back", `[{"name":"add_crew","arguments":{"vessel":"Terje","person_id":"c-14"},"result":"ok"},{"name":"remove_crew","arguments":{"vessel":"Terje","person_id":"c-14"},"result":"ok"},{"name":"add_crew","arguments":{"vessel":"Terje","person_id":"c-41"},"result":"ok"}]`,
			`[{"name":"add_crew","arguments":{"vessel":"Terje","person_id":"c-41"}}]`, "note", "hint"},
		{"the undoing was refused", `[{"name":"create_shift","arguments":{"day":"2026-05-05"},"result":{"shift_id":"s-1"}},{"name":"delete_shift","arguments":{"shift_id":"s-1"},"result":{"error":"forbidden"}},{"name":"create_shift","arguments":{"day":"2026-05-04"},"result":{"shift_id":"s-2"}}]`,
			`[{"name":"create_shift","arguments":{"day":"2026-05-04"}}]`, "flagged", "flagged"},
		{"published in between", `[{"name":"set_warning","arguments":{"port_id":"P-1","level":3},"result":"ok"},{"name":"publish_warning","arguments":{"port_id":"P-1"},"result":"ok"},{"name":"set_warning","arguments":{"port_id":"P-1","level":2},"result":"ok"}]`,
			`[{"name":"set_warning","arguments":{"port_id":"P-1","level":2}},{"name":"publish_warning","arguments":{"port_id":"P-1"}}]`, "flagged", "flagged"},
		{"an older thing is deleted", `[{"name":"get_loans","arguments":{},"result":["L-8"]},{"name":"create_loan","arguments":{"object":"vase"},"result":{"loan_id":"L-9"}},{"name":"delete_loan","arguments":{"loan_id":"L-8"},"result":"ok"}]`,
			`[{"name":"get_loans","arguments":{}}]`, "flagged", "flagged"},
		{"money was taken and given back", `[{"name":"create_payment","arguments":{"amount":300},"result":{"payment_id":"p-1"}},{"name":"delete_payment","arguments":{"payment_id":"p-1"},"result":"ok"},{"name":"create_payment","arguments":{"amount":30},"result":{"payment_id":"p-2"}}]`,
			`[{"name":"create_payment","arguments":{"amount":30}}]`, "flagged", "flagged"},
		{"added twice and taken back once", `[{"name":"add_tag","arguments":{"post_id":"p-1","tag":"x"},"result":"ok"},{"name":"add_tag","arguments":{"post_id":"p-1","tag":"x"},"result":"ok"},{"name":"remove_tag","arguments":{"post_id":"p-1","tag":"x"},"result":"ok"}]`,
			`[{"name":"add_tag","arguments":{"post_id":"p-1","tag":"x"}}]`, "flagged", "flagged"},
		{"incremented twice", `[{"name":"increase_dose","arguments":{"pump_id":"p-1","by_ml":2},"result":"ok"},{"name":"increase_dose","arguments":{"pump_id":"p-1","by_ml":2},"result":"ok"}]`,
			`[{"name":"increase_dose","arguments":{"pump_id":"p-1","by_ml":2}}]`, "flagged", "flagged"},
		{"a transaction rolled back", `[{"name":"sql","arguments":{"query":"BEGIN"},"result":"ok"},{"name":"sql","arguments":{"query":"UPDATE t SET a = 1 WHERE id = 3"},"result":"ok"},{"name":"sql","arguments":{"query":"ROLLBACK"},"result":"ok"},{"name":"sql","arguments":{"query":"UPDATE t SET a = 10 WHERE id = 3"},"result":"ok"}]`,
			`[{"name":"sql","arguments":{"query":"UPDATE t SET a = 10 WHERE id = 3"}}]`, "note", "hint"},
		{"set back to what was read", `[{"name":"get_member","arguments":{"member_id":"m-2"},"result":{"member_id":"m-2","weight":1}},{"name":"set_weight","arguments":{"member_id":"m-2","weight":2},"result":"ok"},{"name":"set_weight","arguments":{"member_id":"m-2","weight":1},"result":"ok"}]`,
			`[{"name":"get_member","arguments":{"member_id":"m-2"}}]`, "note", "hint"},
		{"set back to another value", `[{"name":"get_member","arguments":{"member_id":"m-2"},"result":{"member_id":"m-2","weight":3}},{"name":"set_weight","arguments":{"member_id":"m-2","weight":2},"result":"ok"},{"name":"set_weight","arguments":{"member_id":"m-2","weight":1},"result":"ok"}]`,
			`[{"name":"get_member","arguments":{"member_id":"m-2"}}]`, "flagged", "flagged"},
		{"rows deleted one by one", `[{"name":"sql","arguments":{"query":"DELETE FROM t WHERE id IN (4, 5)"},"result":"ok"}]`,
			`[{"name":"sql","arguments":{"query":"DELETE FROM t WHERE id = 4"}},{"name":"sql","arguments":{"query":"DELETE FROM t WHERE id = 5"}}]`, "clean", "flagged"},
		{"a value of another sort is set", `[{"name":"set_mark","arguments":{"pupil":"Yuki","subject":"art","mark":2},"result":"ok"},{"name":"set_mark","arguments":{"pupil":"Yuki","subject":"sport","mark":3},"result":"ok"}]`,
			`[{"name":"set_mark","arguments":{"pupil":"Yuki","subject":"art","mark":2}},{"name":"set_mark","arguments":{"pupil":"Yuki","subject":"history","mark":1}},{"name":"set_mark","arguments":{"pupil":"Yuki","subject":"sport","mark":3}}]`, "flagged", "flagged"},
	} {
		if got := certaintyOf(t, c.trace, c.ref, "outcome"); got != c.outcome {
			t.Errorf("%s: %s under outcome, want %s", c.name, got, c.outcome)
		}
		if got := certaintyOf(t, c.trace, c.ref, "sop"); got != c.sop {
			t.Errorf("%s: %s under sop, want %s", c.name, got, c.sop)
		}
	}
}

// TestUndoingIsProven checks that an undoing excuses only if its result says that it was done.
func TestUndoingIsProven(t *testing.T) {
	const trace = `[{"name":"create_shift","arguments":{"shift":"s-1","day":"Monday"},"result":"ok"},{"name":"delete_shift","arguments":{"shift":"s-1"}%s},{"name":"create_shift","arguments":{"shift":"s-2","day":"Monday"},"result":"ok"}]`
	for result, want := range map[string]string{
		``:                                "hint",
		`,"result":""`:                    "hint",
		`,"result":null`:                  "hint",
		`,"result":"null"`:                "hint",
		`,"result":"..."`:                 "hint",
		`,"result":{"status":"pending"}`:  "hint",
		`,"result":"Deletion queued."`:    "hint",
		`,"result":"ok"`:                  "note",
		`,"result":{"deleted":true}`:      "note",
		`,"result":"削除しました"`:              "note",
		`,"result":{"error":"forbidden"}`: "flagged",
	} {
		if got := certaintyOf(t, fmt.Sprintf(trace, result), `["create_shift(shift=s-2, day=Monday)"]`, "outcome"); got != want {
			t.Errorf("result %q: %s, want %s", result, got, want)
		}
	}
}
