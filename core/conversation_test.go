package core_test

import (
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/stage/checker"
)

// TestOnlyEarlierResultsWereSeen checks that a value in an action's own result does not
// count as seen before the action.
func TestOnlyEarlierResultsWereSeen(t *testing.T) {
	book := `{"name":"book_trip","arguments":{"leg":{"number":"T-1","from":"Ulm"}},"result":"booked T-1 from Ulm"}`
	check := func(name, trace string, want bool) {
		t.Helper()
		r := mustEvaluate(t, `{"trace":[`+trace+`],"reference":[{"name":"book_trip","arguments":{"leg":{"number":"T-1"}}}],"profile":"outcome"}`)
		if got := r.Trajectories[0].Flagged; got != want {
			t.Errorf("%s: flagged %v, want %v", name, got, want)
		}
	}
	check("seen before", `{"name":"find_trips","result":"T-1 from Ulm"},`+book, false)
	check("seen after", book+`,{"name":"find_trips","result":"T-1 from Ulm"}`, true)
	check("its own result", book, true)
}

// TestReasonsGivenForAnEarlierAction checks where the agent may give the reason for a
// missing step. The reason must come after the message of the action before the step, and
// not after the message of the next action.
func TestReasonsGivenForAnEarlierAction(t *testing.T) {
	say := func(text, name, id string) string {
		return `{"role":"assistant","content":"` + text + `","tool_calls":[{"id":"` + id + `","function":{"name":"` + name + `","arguments":"{}"}}]},{"role":"tool","tool_call_id":"` + id + `","content":"ok"}`
	}
	check := func(name, trace, want, quote string) {
		t.Helper()
		a := mustEvaluate(t, `{"trace":[{"role":"user","content":"No need to hurry."},`+trace+`],"reference":["get_a","verify_b","pay"],"profile":"sop"}`).Trajectories[0].Attribution
		if a == nil || a.Primary.Mode != want || a.Primary.Evidence != quote {
			t.Errorf("%s: %+v", name, a)
		}
	}
	check("with the action before", say("No need to greet.", "get_a", "1")+","+say("Now.", "pay", "2"), "boundary-violation", "")
	check("with the next action", say("Now.", "get_a", "1")+","+say("No need to verify.", "pay", "2"), "reasoning-error", "No need to verify.")
	check("between the two", say("Now.", "get_a", "1")+`,{"role":"assistant","content":"No need to verify."},`+say("Paying.", "pay", "2"), "reasoning-error", "No need to verify.")
	check("the user's words", say("Now.", "get_a", "1")+","+say("Paying.", "pay", "2"), "boundary-violation", "")
	check("after it", say("Now.", "get_a", "1")+","+say("Paying.", "pay", "2")+`,{"role":"assistant","content":"No need to verify."}`, "boundary-violation", "")
}

// TestWhatWasKnownBeforeAnAction checks that the agent's own words before an action, and
// messages after the action, do not count as known before it.
func TestWhatWasKnownBeforeAnAction(t *testing.T) {
	pay := `{"role":"assistant","content":"It is O-1.","tool_calls":[{"id":"1","function":{"name":"cancel_order","arguments":"{\"order_id\":\"O-7\"}"}}]}`
	check := func(name, before, after, want string) {
		t.Helper()
		a := mustEvaluate(t, `{"trace":[`+before+pay+after+`],"reference":["cancel_order(order_id=O-1)"]}`).Trajectories[0].Attribution
		if a == nil || a.Primary.Mode != want {
			t.Errorf("%s: %+v", name, a)
		}
	}
	check("the user said it", `{"role":"user","content":"Cancel O-1."},`, "", "state-tracking-failure")
	check("the instructions said it", `{"role":"system","content":"Only O-1."},`, "", "state-tracking-failure")
	check("the agent said it", `{"role":"assistant","content":"O-1?"},`, "", "boundary-violation")
	check("the user said it later", `{"role":"user","content":"Cancel."},`, `,{"role":"user","content":"O-1!"}`, "boundary-violation")
}

// TestReplayLeavesOtherEvidenceAlone checks that a checker's replay does not change the
// evidence of a finding that does not come from the replay.
func TestReplayLeavesOtherEvidenceAlone(t *testing.T) {
	x := &expert{name: "x", verdict: checker.Verdict{Replay: &checker.Replay{}}}
	body := `{"trace":[{"name":"set_limit","arguments":{"id":"a1","limit":5}}],"reference":["set_limit(id=a1, limit=6)"],"profile":"outcome"}`
	v := evaluateWithCheckers(t, body, x).Trajectories[0].Violations
	if len(v) != 1 || len(v[0].Evidence) != 1 || v[0].Evidence[0] != (core.Evidence{Path: "limit", Observed: "5", Reference: "6"}) {
		t.Errorf("%+v", v)
	}
}
