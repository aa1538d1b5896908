package core_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
)

// turnCall is a generated call of the agent, and its turn in the run and in the reference; 0
// if it is not there.
type turnCall struct {
	name       string
	done, want int
}

// writeTurns writes a result of an ADK eval set with the calls in their turns.
func writeTurns(turns int, calls []turnCall) string {
	var list []string
	for t := 1; t <= turns; t++ {
		side := func(turn func(c turnCall) int) string {
			var uses []string
			for _, c := range calls {
				if turn(c) == t {
					uses = append(uses, fmt.Sprintf(`{"name":%q,"args":{"order_id":"W-7"}}`, c.name))
				}
			}
			return fmt.Sprintf(`{"user_content":{"parts":[{"text":"turn %d"}]},"intermediate_data":{"tool_uses":[%s]}}`, t, strings.Join(uses, ","))
		}
		list = append(list, fmt.Sprintf(`{"actual_invocation":%s,"expected_invocation":%s}`, side(func(c turnCall) int { return c.done }), side(func(c turnCall) int { return c.want })))
	}
	return `{"eval_case_results":[{"eval_id":"c","eval_metric_result_per_invocation":[` + strings.Join(list, ",") + `]}]}`
}

func scoreTrace(t *testing.T, trace, more string) *core.Trajectory {
	t.Helper()
	request, err := core.ReadRequest([]byte(`{"trace":` + trace + more + `}`))
	if err != nil {
		t.Fatal(err)
	}
	report, err := core.Evaluate(request)
	if err != nil {
		t.Fatal(err)
	}
	return &report.Trajectories[0]
}

// TestNoChangeBeforeItsTurn checks generated conversations with one change: it is a violation
// of the start boundary exactly if it was made in an earlier turn than the reference has it.
// A read in an earlier turn is none.
func TestNoChangeBeforeItsTurn(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 7))
	early := 0
	for range 200 {
		turns := 1 + r.IntN(4)
		calls := []turnCall{
			{"cancel_order", 1 + r.IntN(turns), 1 + r.IntN(turns)},
			{"get_order", 1 + r.IntN(turns), 1 + r.IntN(turns)},
		}
		trace := writeTurns(turns, calls)
		for _, profile := range []string{"outcome", "sop"} {
			run := scoreTrace(t, trace, `,"profile":"`+profile+`"`)
			found := false
			for _, v := range run.Violations {
				found = found || v.Type == "start-boundary" && strings.Contains(v.Reason, "before the user's turn") && strings.HasPrefix(v.Reason, "cancel_order")
				if strings.HasPrefix(v.Reason, "get_order was done in turn") {
					t.Errorf("a read has no turn: %s\n%s", v.Reason, trace)
				}
			}
			if want := calls[0].done < calls[0].want; found != want {
				t.Fatalf("%s: found %v, want %v: %+v\n%s", profile, found, want, run.Violations, trace)
			}
			early += map[bool]int{true: 1}[found]
		}
	}
	if early < 50 {
		t.Errorf("only %d changes came too early", early)
	}
}

// TestCallInASilentTurn checks that a read in a turn that expects no call is a note.
func TestCallInASilentTurn(t *testing.T) {
	run := scoreTrace(t, writeTurns(2, []turnCall{{"cancel_order", 2, 2}, {"get_user", 1, 0}}), "")
	text, err := json.Marshal(run.Alignment)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Violations) != 0 || !strings.Contains(string(text), "get_user was called in turn 1, in which the reference expects no call") {
		t.Errorf("%+v\n%s", run.Violations, text)
	}
}

// TestTurnsOfGoldens checks a list with the expected calls of each turn beside messages.
func TestTurnsOfGoldens(t *testing.T) {
	call := func(id, name string) string {
		return `{"role":"assistant","content":"","tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"` + name + `","arguments":"{\"order_id\":\"W-7\"}"}}]},{"role":"tool","tool_call_id":"` + id + `","content":"ok"}`
	}
	user := `{"role":"user","content":"x"}`
	for messages, want := range map[string]int{
		user + "," + call("1", "cancel_order") + "," + user:      1,
		user + "," + user + "," + call("1", "cancel_order"):      0,
		user + "," + call("1", "cancel_order"):                   0, // other turns than the reference
		user + "," + user + "," + user + call("", "")[:0]:        1, // nothing was done
		user + "," + call("1", "cancel_order") + "," + user + "": 1,
	} {
		run := scoreTrace(t, `{"id":"a","messages":[`+messages+`],"expected_tool_calls":[[],[{"name":"cancel_order","arguments":{"order_id":"W-7"}}]]}`, "")
		if len(run.Violations) != want {
			t.Errorf("%s: %+v, want %d", messages, run.Violations, want)
		}
	}
}

// TestCallsOfOneMessage checks that calls of one message have no order, and that a reason
// about calls with one name says which ones they are.
func TestCallsOfOneMessage(t *testing.T) {
	call := func(tag string) string {
		return `{"id":"` + tag + `","type":"function","function":{"name":"add_tag","arguments":"{\"order_id\":\"W-7\",\"tag\":\"` + tag + `\"}"}}`
	}
	result := func(tag string) string { return `{"role":"tool","tool_call_id":"` + tag + `","content":"ok"}` }
	reference := `,"profile":"sop","reference":["add_tag(order_id='W-7', tag='a')","add_tag(order_id='W-7', tag='b')"]`
	run := scoreTrace(t, `[{"role":"assistant","tool_calls":[`+call("b")+","+call("a")+`]},`+result("b")+","+result("a")+`]`, reference)
	if len(run.Violations) != 0 {
		t.Errorf("one message: %+v", run.Violations)
	}
	run = scoreTrace(t, `[{"role":"assistant","tool_calls":[`+call("b")+`]},`+result("b")+`,{"role":"assistant","tool_calls":[`+call("a")+`]},`+result("a")+`]`, reference)
	if len(run.Violations) == 0 || !strings.Contains(run.Violations[0].Reason, `"b"`) || !strings.Contains(run.Violations[0].Reason, `"a"`) {
		t.Errorf("two messages: %+v", run.Violations)
	}
}

// TestTurnsUnderAnyName writes what each turn should do under the names that a reference has. A change in an earlier turn
// than its step is a start boundary under each.
func TestTurnsUnderAnyName(t *testing.T) {
	const run = `{"id":"r","messages":[{"role":"user","content":"Cancel my order"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"cancel_order","arguments":"{\"order_id\":\"W-7\"}"}}]},{"role":"tool","tool_call_id":"c1","content":"ok"},{"role":"assistant","content":"Cancelled."},{"role":"user","content":"W-7"},{"role":"assistant","content":"It is done."}],`
	const turns = `[[],["cancel_order(order_id='W-7')"]]`
	for _, name := range []string{"reference", "expected", "expected_tool_calls", "ground_truth"} {
		for _, side := range []string{turns, `{"turns":` + turns + `}`} {
			got := scoreTrace(t, run+`"`+name+`":`+side+`}`, "")
			if len(got.Violations) != 1 || got.Violations[0].Type != "start-boundary" {
				t.Errorf("%s %s: %+v, want a start boundary", name, side, got.Violations)
			}
		}
	}
}
