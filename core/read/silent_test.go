package read

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// silentTalk is a run with one call that was done.
const silentTalk = `[{"role":"user","content":"Please pay bill 1"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"pay_bill","arguments":"{\"bill\":1}"}}]},{"role":"tool","tool_call_id":"c1","content":"ok"}]`

// TestOutcomeWords is the law of the table of outcomes: in whatever member a record says that its run
// failed, and with whatever word, the run is no success; what is neither yes nor no is said; and what
// says yes is no failure. Names, words and places are drawn.
func TestOutcomeWords(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 3))
	pick := func(list ...any) any { return list[r.IntN(len(list))] }
	for range drawn.Cases(2000) {
		name := pick("pass", "passed", "success", "is_correct", "correct", "resolved", "verdict", "outcome", "grade", "label", "judgement", "judgment", "human_label", "finalVerdict", "task_success", "is_success", "goal_achieved", "Passed", "judge_verdict", "rating").(string)
		yes := pick("pass", "PASS ", "passed", "correct", "Correct.", "success", "yes", true)
		no := pick("fail", "FAILED", "incorrect", "wrong", "no", "No", "not passed", "not_correct", "failed: wrong bill", "failure", "unsuccessful", false, "FALSE", "bad", "❌")
		unclear := pick("partial", "partially correct", "mostly passed")
		kind := r.IntN(3)
		value := []any{yes, no, unclear}[kind]
		one := map[string]any{name: value}
		record := one
		switch place := pick("", "judge", "eval", "evaluation", "result", "graders", "evals", "assertions", "checks", "scores").(string); {
		case place == "":
		case place == "graders" || place == "evals" || place == "assertions" || place == "checks" || place == "scores":
			record = map[string]any{place: []any{map[string]any{"name": "x", name: value}}}
		default:
			record = map[string]any{place: one}
		}
		record["messages"] = json.RawMessage(silentTalk)
		text, _ := json.Marshal(record)
		doc, err := Decode(text)
		if err != nil || len(doc.Trajectories) != 1 {
			t.Fatalf("%s: %v", text, err)
		}
		run := &doc.Trajectories[0]
		switch ok := run.Success; {
		case kind == 0 && (ok == nil || !*ok), kind == 1 && (ok == nil || *ok), kind == 2 && (ok != nil || run.Doubt == ""):
			t.Errorf("%s: success %s, doubt %q", text, showYes(ok), run.Doubt)
		}
	}
	for _, fine := range []string{`"label":"billing"`, `"label":1`, `"label":0`, `"rating":4`, `"result":"Bill 1 is paid"`, `"status":"completed"`, `"outcome":"the customer got the money back in the end"`, `"rating":"pg"`, `"match":"home game"`} {
		doc, err := Decode([]byte(`{"messages":` + silentTalk + `,` + fine + `}`))
		if err != nil || doc.Trajectories[0].Success != nil || doc.Trajectories[0].Doubt != "" {
			t.Errorf("%s: %v %+v", fine, err, doc.Trajectories[0].Doubt)
		}
	}
}

// TestChangeWithoutResult checks that a conversation in which no call has a result says of none that it was
// executed, and that a reference is compared with such calls as they are.
func TestChangeWithoutResult(t *testing.T) {
	const asked, call = `{"role":"user","content":"Please pay bill 1"}`, `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"pay_bill","arguments":"{\"bill\":1}"}}]}`
	for text, unanswered := range map[string]bool{
		`[` + asked + `,` + call + `]`:                                                           true,
		`[` + asked + `,` + call + `,{"role":"assistant","content":"Paid."}]`:                    true,
		`[` + asked + `,` + call + `,{"role":"tool","tool_call_id":"c1","content":"ok"}]`:        false,
		`{"messages":[` + asked + `,` + call + `],"tool_results":{"c1":"ok"}}`:                   false,
		`{"messages":[` + asked + `,` + call + `],"tool_outputs":[{"call_id":"c1","output":1}]}`: false,
	} {
		doc := mustDecode(t, text)
		if a := doc.Trajectories[0].Actions[0]; a.Unanswered != unanswered || a.Proposed || (a.Observation == nil) != unanswered {
			t.Errorf("%s: %+v", text, a)
		}
	}
}

// TestFailedSteps checks calls whose failure is told by a span's event, or by the step around them.
func TestFailedSteps(t *testing.T) {
	const span = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t1","spanId":"2","name":"execute_tool pay_bill","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},{"key":"gen_ai.tool.name","value":{"stringValue":"pay_bill"}},` +
		`{"key":"gen_ai.tool.call.arguments","value":{"stringValue":"{\"bill\":1}"}}],"status":{%s},"events":[{"name":"exception","attributes":[{"key":"exception.message","value":{"stringValue":"boom"}}]}]}]}]}]}`
	const step = `{"object":"list","data":[{"id":"s1","object":"thread.run.step","type":"tool_calls","status":%q,"step_details":{"type":"tool_calls","tool_calls":[{"id":"c","type":"function","function":{"name":"pay_bill","arguments":"{\"bill\":1}","output":null}}]}}]}`
	for text, failed := range map[string]bool{
		fmt.Sprintf(span, ""): true, fmt.Sprintf(span, `"code":0`): true, fmt.Sprintf(span, `"code":1`): false,
		fmt.Sprintf(step, "failed"): true, fmt.Sprintf(step, "completed"): false,
	} {
		doc := mustDecode(t, text)
		if len(doc.Trajectories) != 1 || len(doc.Trajectories[0].Actions) != 1 || doc.Trajectories[0].Actions[0].Failed() != failed {
			t.Errorf("%s: %+v", text, doc.Trajectories)
		}
	}
}

func showYes(b *bool) string {
	if b == nil {
		return "unsaid"
	}
	return fmt.Sprint(*b)
}

// TestEqualRows checks that equal records never remove each other, whatever stands around them.
func TestEqualRows(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 4))
	share := []string{`{"id":%q,"conversations":[{"from":"human","value":"pay bill 1"},{"from":"function_call","value":"{\"name\":\"pay_bill\",\"arguments\":{\"bill\":1}}"},{"from":"observation","value":"ok"}]}`,
		`{"id":%q,"messages":` + silentTalk + `}`, `{"id":%q,"calls":[{"name":"pay_bill","arguments":{"bill":1},"result":"ok"}],"success":false}`}
	for range drawn.Cases(200) {
		n, form, around := 2+r.IntN(4), share[r.IntN(len(share))], []string{"row", "item", "example", "case", "sample", "x"}[r.IntN(6)]
		list := ""
		for i := range n {
			id := fmt.Sprint("r", i)
			row := fmt.Sprintf(form, id)
			if r.IntN(2) == 0 {
				row = fmt.Sprintf(form, "r0") // the same row again
			}
			if i > 0 {
				list += ","
			}
			list += `{"` + around + `":` + row + `}`
		}
		for _, text := range []string{`[` + list + `]`, `{"rows":[` + list + `]}`, `{"data":[` + list + `],"total":3}`} {
			doc, err := Decode([]byte(text))
			calls := 0
			for i := range doc.Trajectories {
				calls += len(doc.Trajectories[i].Actions)
			}
			if err != nil || len(doc.Trajectories) != n || calls != n {
				t.Fatalf("%d rows, %d runs, %d calls: %v\n%s", n, len(doc.Trajectories), calls, err, text)
			}
		}
	}
}

// TestAskedBeside is the law of asked.go: the words of the user beside a run are read.
func TestAskedBeside(t *testing.T) {
	const calls = `[{"name":"remove_user","arguments":{"id":3},"result":"ok"}]`
	for _, text := range []string{
		`{"question":"remove user 3","actions":` + calls + `}`, `{"user":"remove user 3","tool_calls":` + calls + `}`, `{"goal":"remove user 3","steps":` + calls + `}`, `{"task":"remove user 3","steps":` + calls + `}`,
		`{"inputs":{"question":"remove user 3"},"outputs":{"tool_calls":` + calls + `}}`, `{"input":[{"role":"user","content":"remove user 3"}],"output":[{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"remove_user","arguments":"{}"}}]}]}`,
		`{"turns":[{"user":"remove user 3","agent":{"text":"ok","actions":[{"function":"remove_user","parameters":{"id":3}}]}}]}`, `{"instruction":"remove user 3","trajectory":` + calls + `}`,
		"{\"event\":\"user\",\"text\":\"remove user 3\"}\n{\"event\":\"tool_call\",\"name\":\"remove_user\",\"args\":{\"id\":3}}\n{\"event\":\"tool_result\",\"name\":\"remove_user\",\"output\":\"ok\"}",
	} {
		doc, err := Decode([]byte(text))
		if err != nil || len(doc.Trajectories) != 1 || len(doc.Trajectories[0].Actions) != 1 || !hasWords(&doc.Trajectories[0], "remove user 3") {
			t.Errorf("%s: %v %+v", text, err, doc.Trajectories)
		}
	}
	for _, text := range []string{`{"task":"t-17","actions":` + calls + `}`, `{"system_prompt":"You remove users","actions":` + calls + `}`, `{"actions":` + calls + `,"output":"I remove users"}`} {
		if doc, err := Decode([]byte(text)); err != nil || len(doc.Trajectories[0].Messages) > 0 {
			t.Errorf("%s: %v %+v", text, err, doc.Trajectories[0].Messages)
		}
	}
}

func hasWords(run *trajectory.Trajectory, text string) bool {
	for _, m := range run.Messages {
		if m.Role == "user" && m.Text == text {
			return true
		}
	}
	return false
}

// TestSpansExecute checks that the call of a model and the span that executed it are one call.
func TestSpansExecute(t *testing.T) {
	for _, text := range []string{
		`{"id":"t","spans":[{"type":"llm","name":"llm","output":{"tool_calls":[{"name":"pay_bill","arguments":{"bill":1}}]}},{"type":"tool","name":"pay_bill","input":{"bill":1},"output":"ok"}]}`,
		`{"id":"t","steps":[{"type":"llm","tool_calls":[{"name":"pay_bill","arguments":{"bill":1}}]},{"type":"tool","name":"pay_bill","arguments":{"bill":1},"result":"ok"}]}`,
		`{"id":"t","observations":[{"id":"o1","type":"GENERATION","name":"llm","output":{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"pay_bill","arguments":"{\"bill\":1}"}}]}},{"id":"o2","type":"TOOL","name":"pay_bill","input":{"bill":1},"output":"ok"}]}`,
	} {
		doc, err := Decode([]byte(text))
		if err != nil || len(doc.Trajectories) != 1 || len(doc.Trajectories[0].Actions) != 1 || doc.Trajectories[0].Actions[0].Observation == nil {
			t.Errorf("%s: %v %+v", text, err, doc.Trajectories)
		}
	}
	doc, err := Decode([]byte(`{"id":"t","spans":[{"type":"llm","name":"llm","output":{"tool_calls":[{"name":"pay_bill","arguments":{"bill":1}},{"name":"pay_bill","arguments":{"bill":1}}]}},{"type":"tool","name":"pay_bill","input":{"bill":1},"output":"ok"},{"type":"tool","name":"pay_bill","input":{"bill":2},"output":"ok"}]}`))
	if err != nil || len(doc.Trajectories[0].Actions) != 3 {
		t.Errorf("two equal calls of which one was executed, and another call: %v %+v", err, doc.Trajectories)
	}
}

// TestFinalAnswers checks that a step that answers, among steps that call, costs no run.
func TestFinalAnswers(t *testing.T) {
	const step = `{"action":"refund","action_input":{"id":1},"observation":"ok"}`
	for _, final := range []string{"Final Answer", "final answer", "Answer the user", "FINAL ANSWER:"} {
		last := `{"action":"` + final + `","action_input":"done"}`
		doc, err := Decode([]byte(`{"suite":"s","cases":[{"title":"A","steps":[` + step + `]},{"title":"B","steps":[` + step + `,` + last + `]}]}`))
		if err != nil || len(doc.Trajectories) != 2 || len(doc.Trajectories[0].Actions)+len(doc.Trajectories[1].Actions) != 2 {
			t.Errorf("%s: %v %+v", final, err, doc.Trajectories)
		}
	}
}

// TestTablesWithSemicolons checks a table whose cells have JSON as it stands.
func TestTablesWithSemicolons(t *testing.T) {
	doc, err := Decode([]byte("run_id;step;tool;args;result\nr1;1;get_bill;{\"bill\":1};ok\nr1;2;pay_bill;{\"bill\":1, \"note\":\"a, b\"};ok\nr2;1;pay_bill;{\"bill\":1};error: denied\n"))
	if err != nil || len(doc.Trajectories) != 2 || len(doc.Trajectories[0].Actions) != 2 || doc.Trajectories[1].Success != nil || !doc.Trajectories[1].Actions[0].Failed() {
		t.Errorf("%v %+v", err, doc.Trajectories)
	}
}
