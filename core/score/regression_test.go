package score

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/checker"
)

// TestAGivenReferenceWins checks that the reference in the request takes precedence over
// the reference in the file.
func TestAGivenReferenceWins(t *testing.T) {
	trace := `[{"task_id":1,"reward":1,"info":{"task":{"actions":[{"name":"pay","kwargs":{"id":"p1"}}]}},"traj":[]}]`
	if r := evaluateTrace(t, trace, `[]`, "auto").Trajectories[0]; r.Flagged || len(r.Reference) != 0 || r.Profile != "sop" {
		t.Errorf("flagged %v with %d steps under %s", r.Flagged, len(r.Reference), r.Profile)
	}
}

// findingRules returns the rules of a run's findings, separated by spaces.
func findingRules(t report.Trajectory) string {
	var out []string
	for _, v := range t.Violations {
		out = append(out, v.Rule)
	}
	return strings.Join(out, " ")
}

// TestTheUsersNearWriteHidesNothing checks a write that the user, and not the agent, did
// with different arguments. The reference step must still be reported as missing.
func TestTheUsersNearWriteHidesNothing(t *testing.T) {
	trace := `{"trajectories":[{"actions":[{"name":"set_seat","arguments":{"id":"a1","seat":"x"},"requestor":"user"},{"name":"pay","arguments":{"id":"p1"}}]}]}`
	ref := `["pay(id=p1)","set_seat(id=a1, seat=y)"]`
	if got := findingRules(evaluateTrace(t, trace, ref, "outcome").Trajectories[0]); got != "missing-step" {
		t.Errorf("got %q", got)
	}
}

// TestLateHidesNothing checks a late action that is aligned with a different reference
// step. The run must have two findings: the late action is out of order, and the
// different step is missing.
func TestLateHidesNothing(t *testing.T) {
	trace := `[{"name":"cancel","arguments":{"id":"a1"}},{"name":"get_x","arguments":{"id":"x1"}}]`
	ref := `["cancel(id=b2)","get_x(id=x1)","cancel(id=a1)"]`
	if got := findingRules(evaluateTrace(t, trace, ref, "sop").Trajectories[0]); got != "missing-step out-of-order" {
		t.Errorf("got %q", got)
	}
}

// TestFreeTextReadsDiffer checks that two reads with different free texts are not equal,
// although neither has arguments.
func TestFreeTextReadsDiffer(t *testing.T) {
	run := func(text, ref string) report.Trajectory {
		return evaluateTrace(t, `[{"name":"x","text":"`+text+`","result":"ok"}]`, `["`+ref+`"]`, "sop").Trajectories[0]
	}
	if got := findingRules(run("examine shelf 2", "examine desk 1")); got != "wrong-arguments" && got != "missing-step" {
		t.Errorf("another thing was examined: %q", got)
	}
	if got := findingRules(run("examine desk 1", "examine desk 1")); got != "" {
		t.Errorf("the same: %q", got)
	}
}

// TestLintLeavesTheUserAlone checks that the lint has no findings about actions of the
// user.
func TestLintLeavesTheUserAlone(t *testing.T) {
	request, _ := ReadRequest([]byte(`{"trajectories":[{"actions":[{"name":"cancel_order","arguments":{"order_id":"o1"},"requestor":"user","error":"no"}]}]}`))
	report, err := Evaluate(request)
	if err != nil {
		t.Fatal(err)
	}
	if got := findingRules(report.Trajectories[0]); got != "" {
		t.Errorf("got %q", got)
	}
}

// TestEscapesAreSpelling checks that an escape such as \u00fc in a trace means the same
// as the character.
func TestEscapesAreSpelling(t *testing.T) {
	trace := `[{"role":"user","content":"Book Zürich. Not Basel."},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"book_trip","arguments":"{\"city\":\"Z\\u00fcrich\"}"}}]}]`
	a := evaluateTrace(t, trace, `[{"name":"book_trip","arguments":{"city":"Basel"}}]`, "sop").Trajectories[0].Attribution
	if a == nil || a.Primary.Mode != "boundary-violation" {
		t.Errorf("got %+v", a)
	}
}

// TestWordsOfParallelCalls checks a message with several calls. The agent's words before
// each of these calls are the text of this message, and not the text of an earlier
// message.
func TestWordsOfParallelCalls(t *testing.T) {
	trace := `[{"role":"assistant","content":"No need to greet."},{"role":"user","content":"Pay."},{"role":"assistant","content":"Now.","tool_calls":[` +
		`{"id":"1","function":{"name":"get_a","arguments":"{}"}},{"id":"2","function":{"name":"pay","arguments":"{\"id\":\"p1\"}"}}]}]`
	a := evaluateTrace(t, trace, `["get_a"]`, "sop").Trajectories[0].Attribution
	if a == nil || a.Primary.Mode != "boundary-violation" {
		t.Errorf("got %+v", a)
	}
}

// TestMovedIsNotReplaced checks that an extra action is not seen as the replacement of a
// reference step that the run did later.
func TestMovedIsNotReplaced(t *testing.T) {
	call := func(name, id string) string { return `{"name":"` + name + `","arguments":{"id":"` + id + `"}}` }
	trace := listJSON(call("drop_x", "x1"), call("set_b", "b1"), call("set_c", "c1"), call("pay_a", "a1"))
	a := evaluateTrace(t, trace, listJSON(call("pay_a", "a1"), call("set_b", "b1"), call("set_c", "c1")), "outcome").Trajectories[0].Attribution
	if a == nil || a.Primary.Mode != "boundary-violation" {
		t.Errorf("got %+v", a)
	}
}

// TestPaidIsNoIdentifier checks that a name such as "paid", which ends in "id", is not an
// identifier.
func TestPaidIsNoIdentifier(t *testing.T) {
	r := evaluateTrace(t, `[{"name":"update_order","arguments":{"order_id":"o1","paid":true}}]`, `[{"name":"update_order","arguments":{"order_id":"o1","paid":false}}]`, "sop").Trajectories[0]
	if len(r.Violations) != 1 || r.Violations[0].Type != "end-boundary" {
		t.Errorf("got %+v", r.Violations)
	}
}

func TestSmallAndLargeNumbersAreShownAsTheyAre(t *testing.T) {
	for number, shown := range map[string]string{"0.5": "0.5", "0.25": "0.25", "-0.5": "-0.5", "100000000000000000000": "100000000000000000000", "1e40": "1e40", "12.50": "12.5"} {
		r := evaluateTrace(t, `[{"name":"delete_row","arguments":{"row_id":`+number+`}}]`, `[{"name":"delete_row","arguments":{"row_id":7}}]`, "sop").Trajectories[0]
		if want := "delete_row acted on " + shown + " instead of 7"; len(r.Violations) != 1 || r.Violations[0].Reason != want {
			t.Errorf("%s: %+v, want %q", number, r.Violations, want)
		}
	}
}

// wild is a checker that speaks of rows that are not there.
type wild struct{ checker.Verdict }

func (w wild) About() checker.About                         { return checker.About{Name: "wild"} }
func (w wild) Applies(string, []string) (string, bool)      { return "b", true }
func (w wild) Check(*checker.Case) (checker.Verdict, error) { return w.Verdict, nil }

func TestACheckersWildRowsAreRefused(t *testing.T) {
	for _, v := range []checker.Verdict{
		{Excused: []checker.Excuse{{Row: 2}}}, {Excused: []checker.Excuse{{Row: -1}}}, {Blamed: []checker.Blame{{Row: 9}}},
		{Blamed: []checker.Blame{{Row: 0, Differences: []int{0}}}},
	} {
		request, err := ReadRequest([]byte(`{"trace":[{"name":"pay"}],"reference":["pay"],"profile":"outcome"}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Options.Checkers = []checker.Checker{wild{v}}
		report, err := Evaluate(request)
		if err != nil || len(report.Warnings) != 1 || report.Warnings[0].Code != "checker-failed" || report.Trajectories[0].Flagged {
			t.Errorf("%+v: %v, %+v", v, err, report.Warnings)
		}
	}
}

// TestNumberedClicksInAnotherOrder checks four calls in another order than in a written
// reference. The row of the first click pairs it with the step of the last click.
func TestNumberedClicksInAnotherOrder(t *testing.T) {
	run := evaluateTrace(t, `"click(index=24)\nclick(index=25)\nclick(index=26)\nclick(index=27)\n"`,
		`["click(index=27)","click(index=25)","click(index=24)","click(index=26)"]`, "auto").Trajectories[0]
	if got := findingRules(run); got != "out-of-order out-of-order" {
		t.Fatalf("got %q", got)
	}
	for i, want := range [][2]int{{0, 0}, {1, 0}} {
		if v := run.Violations[i]; *v.Obs != want[0] || *v.Ref != want[1] {
			t.Errorf("finding %d is about action %d and step %d, want %v", i, *v.Obs, *v.Ref, want)
		}
	}
}
