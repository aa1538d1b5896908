package violation_test

import (
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

func TestFindingsSayWhereAndWhy(t *testing.T) {
	check := func(name, trace, ref, profile string, want core.Violation, row, obs, step int) {
		t.Helper()
		got := traceViolations(t, trace, ref, profile)
		if len(got) != 1 {
			t.Errorf("%s: %d findings: %+v", name, len(got), got)
			return
		}
		v := got[0]
		if derefIndex(v.Row) != row || derefIndex(v.Obs) != obs || derefIndex(v.Ref) != step {
			t.Errorf("%s: row %d, obs %d, ref %d; want %d, %d, %d", name, derefIndex(v.Row), derefIndex(v.Obs), derefIndex(v.Ref), row, obs, step)
		}
		if v.Type != want.Type || v.Pattern != want.Pattern || v.Rule != want.Rule || v.Confidence != want.Confidence || v.Reason != want.Reason || v.By != "rule" {
			t.Errorf("%s: %+v, want %+v", name, v, want)
		}
	}
	del := func(arguments string) string { return `{"name":"delete_file","arguments":` + arguments + `}` }
	a1 := del(`{"file_id":"a1"}`)
	wrong, over, under, start, end := "wrong-arguments", core.OverAction, core.UnderAction, core.StartBoundary, core.EndBoundary

	check("an unsure extra", `[{"name":"frobnicate"}]`, `[]`, "sop",
		core.Violation{Type: over, Rule: "extra-action", Confidence: 0.75, Reason: "frobnicate is not in the reference and may change state (mutating: unknown)"}, 0, 0, -1)
	check("again", `[`+a1+`,`+a1+`]`, `[`+a1+`]`, "sop",
		core.Violation{Type: over, Pattern: "unnecessary-decomposition", Rule: "extra-action", Confidence: 0.95, Reason: "delete_file was done again with the same arguments"}, 1, 1, -1)
	check("more", `[`+del(`{"file_ids":["a1","b2","c3"]}`)+`]`, `[`+del(`{"file_ids":["a1"]}`)+`]`, "sop",
		core.Violation{Type: over, Pattern: "scope-overgeneralisation", Rule: wrong, Confidence: 0.95, Reason: `delete_file acted on "b2", "c3", but the reference does not`}, 0, 0, 0)
	check("other", `[`+del(`{"file_id":"b2"}`)+`]`, `[`+a1+`]`, "sop",
		core.Violation{Type: over, Rule: wrong, Confidence: 0.95, Reason: `delete_file acted on "b2" instead of "a1"`}, 0, 0, 0)
	check("all", `[`+del(`{"file":"*","x":"all"}`)+`]`, `[`+del(`{"file":"*","x":"some"}`)+`]`, "sop",
		core.Violation{Type: end, Rule: wrong, Confidence: 0.85, Reason: `delete_file acted on the same "*", but with other arguments: x is "all" instead of "some"`}, 0, 0, 0) // both actions are quantified
	check("everything", `[`+del(`{"folder":"All"}`)+`]`, `[`+del(`{"folder":"drafts"}`)+`]`, "sop",
		core.Violation{Type: over, Pattern: "scope-overgeneralisation", Rule: wrong, Confidence: 0.95, Reason: "delete_file acted on everything, but the reference acts only on a part"}, 0, 0, 0)
	check("fewer", `[`+del(`{"file_ids":["a1"]}`)+`]`, `[`+del(`{"file_ids":["a1","b2","c3"]}`)+`]`, "sop",
		core.Violation{Type: under, Rule: wrong, Confidence: 0.95, Reason: `delete_file left out "b2", "c3"`}, 0, 0, 0)
	check("an argument short", `[{"name":"set_limit","arguments":{"id":"a1"}}]`, `[{"name":"set_limit","arguments":{"id":"a1","limit":6}}]`, "sop",
		core.Violation{Type: under, Rule: wrong, Confidence: 0.95, Reason: "set_limit does not have all arguments of the reference: limit = 6 is missing"}, 0, 0, 0)
	check("an argument too many", `[{"name":"set_limit","arguments":{"id":"a1","limit":6,"soft":true}}]`, `[{"name":"set_limit","arguments":{"id":"a1","limit":6}}]`, "sop",
		core.Violation{Type: end, Rule: wrong, Confidence: 0.95, Reason: `set_limit acted on the same "a1", but with other arguments: soft = true is not in the reference`}, 0, 0, 0)
	check("an unsure substitution", `[{"name":"frob","arguments":{"id":"a1","n":1}}]`, `[{"name":"frob","arguments":{"id":"a1","n":2}}]`, "sop",
		core.Violation{Type: end, Rule: wrong, Confidence: 0.75, Reason: `frob acted on the same "a1", but with other arguments: n is 1 instead of 2`}, 0, 0, 0)
	check("a read of something else", `[{"name":"get_file","arguments":{"file_id":"b2"}}]`, `[{"name":"get_file","arguments":{"file_id":"a1"}}]`, "sop",
		core.Violation{Type: under, Pattern: "missing-verification", Rule: wrong, Confidence: 0.75, Reason: `the required step get_file was done with other arguments: file_id is "b2" instead of "a1"`}, 0, 0, 0)

	check("a step that failed", `[{"name":"delete_file","arguments":{"file_id":"a1"},"error":"locked"}]`, `[`+a1+`]`, "sop",
		core.Violation{Type: under, Pattern: "premature-termination", Rule: "missing-step", Confidence: 0.9,
			Reason: "the required step delete_file was tried as action 1, but the action failed: locked"}, 0, -1, 0)
	check("no closing look", `[`+a1+`]`, `[`+a1+`,"get_files"]`, "sop",
		core.Violation{Type: end, Pattern: "premature-termination", Rule: "missing-step", Confidence: 0.9, Reason: "the run ends without the closing step get_files"}, 1, -1, 1)
	check("a missing check", `[{"name":"get_rules"},`+a1+`]`, `["get_owner","get_rules",`+a1+`]`, "sop",
		core.Violation{Type: under, Pattern: "missing-verification", Rule: "missing-step", Confidence: 0.9, Reason: "delete_file was done without get_owner before it"}, 0, -1, 0)
	check("a missing look before a look", `[{"name":"get_rules"},{"name":"get_files"}]`, `["get_owner","get_rules","get_files"]`, "sop",
		core.Violation{Type: under, Pattern: "missing-verification", Rule: "missing-step", Confidence: 0.9, Reason: "get_rules was done without get_owner before it"}, 0, -1, 0)
	check("a missing write in the middle", `[{"name":"pay_bill","arguments":{"id":"p1"}}]`, `[{"name":"set_limit","arguments":{"id":"a1"}},{"name":"pay_bill","arguments":{"id":"p1"}}]`, "sop",
		core.Violation{Type: under, Rule: "missing-step", Confidence: 0.9, Reason: "the required step set_limit is missing"}, 0, -1, 0)

	check("a late check", `[`+a1+`,{"name":"get_owner"}]`, `["get_owner",`+a1+`]`, "sop",
		core.Violation{Type: start, Pattern: "missing-verification", Rule: "out-of-order", Confidence: 0.85,
			Reason: "the action delete_file is in the wrong position (before get_owner). The reference has the opposite order"}, 1, 0, 0)
	check("an early write", `[`+a1+`,{"name":"get_owner"},{"name":"get_rules"}]`, `["get_owner","get_rules",`+a1+`]`, "sop",
		core.Violation{Type: start, Pattern: "missing-verification", Rule: "out-of-order", Confidence: 0.85,
			Reason: "the action delete_file is in the wrong position (before get_owner). The reference has the opposite order"}, 0, 0, 0)
	check("taken elsewhere", `[{"name":"get_owner"},{"name":"set_seat","arguments":{"id":"a1","seat":"b"}}]`, `[{"name":"set_seat","arguments":{"id":"a1","seat":"c"}},"get_owner"]`, "outcome",
		core.Violation{Type: end, Rule: wrong, Confidence: 0.85, Reason: `set_seat acted on the same "a1", but with other arguments: seat is "b" instead of "c"`}, 2, 1, 0)

	check("forbidden", `[`+a1+`]`, `[{"name":"delete_file","arguments":{"file_id":"a1"},"mustNot":true},`+a1+`]`, "outcome",
		core.Violation{Type: over, Rule: "forbidden-action", Confidence: 0.95, Reason: "the reference forbids delete_file"}, 0, 0, -1)
	check("never said", `[]`, `{"steps":[],"says":["done"]}`, "outcome",
		core.Violation{Type: under, Pattern: "premature-termination", Rule: "output-not-said", Confidence: 0.9, Reason: `the user was never told "done"`}, -1, -1, -1)
}

// TestForbiddenActions checks that each successful call of a forbidden tool is a finding.
// A failed call is no finding.
func TestForbiddenActions(t *testing.T) {
	ref := `[{"name":"get_secret","mustNot":true}]`
	if got := traceViolations(t, `[{"name":"get_secret","error":"denied"}]`, ref, "outcome"); len(got) != 0 {
		t.Errorf("it failed: %+v", got)
	}
	got := traceViolations(t, `[{"name":"get_secret","arguments":{"id":1}},{"name":"get_order"},{"name":"get_secret"}]`, ref, "outcome")
	if len(got) != 2 || derefIndex(got[0].Obs) != 0 || derefIndex(got[1].Obs) != 2 || derefIndex(got[1].Row) != 2 {
		t.Errorf("done twice: %+v", got)
	}
}

// TestEvidenceOfWrongArguments checks that the evidence lists the changed, the missing
// and the extra arguments, with the values as the calls write them.
func TestEvidenceOfWrongArguments(t *testing.T) {
	got := traceViolations(t, `[{"name":"set_limit","arguments":{"id":"a1","limit":5.0,"soft":true}}]`,
		`[{"name":"set_limit","arguments":{"id":"a1","limit":6,"unit":"EUR"}}]`, "sop")
	want := []core.Evidence{{Path: "limit", Observed: "5.0", Reference: "6"}, {Path: "unit", Reference: `"EUR"`}, {Path: "soft", Observed: "true"}}
	if len(got) != 1 || len(got[0].Evidence) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, e := range got[0].Evidence {
		if e != want[i] {
			t.Errorf("evidence %d: %+v, want %+v", i, e, want[i])
		}
	}
}

// TestPatternsOfExtraActions checks that an extra action gets only the first pattern that
// applies. The order is: an action on everything, an action after an error, a repeated
// action.
func TestPatternsOfExtraActions(t *testing.T) {
	failed := `{"name":"lock_file","arguments":{"file_id":"a1"},"error":"busy"}`
	write, all := `{"name":"delete_file","arguments":{"file_id":"a1"}}`, `{"name":"delete_all","arguments":{"file_id":"a1"}}`
	check := func(name, trace string, want ...string) {
		t.Helper()
		got := traceViolations(t, trace, `[]`, "sop")
		if len(got) != len(want) {
			t.Errorf("%s: %+v", name, got)
			return
		}
		for i, v := range got {
			if string(v.Pattern) != want[i] {
				t.Errorf("%s, finding %d: pattern %q, want %q", name, i, v.Pattern, want[i])
			}
		}
	}
	check("all three", `[`+all+`,`+failed+`,`+all+`]`, "scope-overgeneralisation", "scope-overgeneralisation")
	check("an error and again", `[`+write+`,`+failed+`,`+write+`]`, "", "precondition-ignorance")
	check("again", `[`+write+`,`+write+`]`, "", "unnecessary-decomposition")
	check("an error two before", `[`+failed+`,{"name":"get_file"},`+write+`]`, "")
	check("an error elsewhere", `[{"name":"lock_file","arguments":{"file_id":"b2"},"error":"busy"},`+write+`]`, "")
	check("a failed first time", `[{"name":"delete_file","arguments":{"file_id":"a1"},"error":"busy"},{"name":"get_file"},`+write+`]`, "")
	check("a success between", `[{"name":"lock_file","arguments":{"file_id":"a1"}},`+write+`]`, "", "")
}

// TestGuessesForSkippedSteps checks when a value is a guess, because the agent skipped
// the step that produces it. The reference must ignore the argument, and no earlier text
// may contain the value.
func TestGuessesForSkippedSteps(t *testing.T) {
	ref := `["compute_amount",{"name":"pay_bill","arguments":{"id":"i1"},"ignore":["amount"]}]`
	chat := func(user, arguments string) string {
		return `[{"role":"user","content":"` + user + `"},{"role":"assistant","content":"99","tool_calls":[{"id":"1","function":{"name":"pay_bill","arguments":"` + arguments + `"}}]}]`
	}
	check := func(name, trace, want, reason string) {
		t.Helper()
		got := traceViolations(t, trace, ref, "sop")
		if len(got) != 1 || got[0].Rule != want || got[0].Reason != reason {
			t.Errorf("%s: %+v", name, got)
		}
	}
	merely := "pay_bill was done without compute_amount before it"
	check("a guess", chat("Pay i1.", `{\"id\":\"i1\",\"amount\":99}`), "collapsed-steps", "step pay_bill was done without step compute_amount, so the agent guessed the value of amount")
	check("a given value", chat("Pay i1, 99 in all.", `{\"id\":\"i1\",\"amount\":99}`), "missing-step", merely)
	check("no value at all", chat("Pay i1.", `{\"id\":\"i1\"}`), "missing-step", merely)
	check("an empty value", chat("Pay i1.", `{\"id\":\"i1\",\"amount\":\"\"}`), "missing-step", merely)
	check("a counted value is not a guess", chat("Pay.", `{\"id\":\"i1\"}`), "missing-step", merely)
	check("nothing is known", `[{"name":"pay_bill","arguments":{"id":"i1","amount":99}}]`, "missing-step", merely)
	if v := traceViolations(t, chat("Pay i1.", `{\"id\":\"i1\",\"amount\":99}`), ref, "sop")[0]; len(v.Evidence) != 1 || v.Evidence[0] != (core.Evidence{Path: "amount", Observed: "99"}) || v.Confidence != 0.8 {
		t.Errorf("%+v", v)
	}
}

// TestOrderOfFindings checks the order of the findings. Findings about the whole run come
// after findings about rows, and the finding that the run was cut off comes last.
func TestOrderOfFindings(t *testing.T) {
	got := violation.Classify(&boundary.Case{Stopped: "time_out", Says: []string{"a", "B"}, Said: []string{"xbx"}}, nil)
	if len(got) != 2 || got[0].Rule != "output-not-said" || got[0].Evidence[0] != (violation.Evidence{Path: "said", Reference: "a"}) || got[1].Rule != "cut-off" {
		t.Errorf("%+v", got)
	}
}
