package read

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/literal"
)

// TestReviewedInputs reads inputs of kinds that were once read wrongly, with what is right:
// the calls of each run, the steps after "<", then the outcome. An input that cannot be read
// is refused with words that say what it is.
func TestReviewedInputs(t *testing.T) {
	const talk = `"messages":[{"role":"user","content":"Pay."},{"role":"assistant","tool_calls":[{"function":{"name":"pay","arguments":"{}"}}]}`
	for _, c := range []struct{ name, text, want string }{
		{"equal ids in rows", `{"outputs":[{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"cancel_order","arguments":"{\"order_id\":\"W-7\"}"}}]}]}
{"outputs":[{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"delete_account","arguments":"{\"id\":\"W-8\"}"}}]}]}`, `cancel_order{"order_id":"W-7"} | delete_account{"id":"W-8"}`},
		{"a tree", `{"name":"support-agent","input":{"question":"Cancel W-7"},"spans":[{"name":"cancel_order","input":{"order_id":"W-7"}},{"name":"delete_account","input":{"user":"u1"}}]}`,
			`cancel_order{"order_id":"W-7"} delete_account{"user":"u1"}`},
		{"two trajectories", `{"prompt":"Book room 4","predicted_trajectory":[{"tool_name":"book_room","tool_input":{"room":4}}],"reference_trajectory":[{"tool_name":"book_room","tool_input":{"room":4}}]}`,
			`book_room{"room":4} < book_room{"room":4}`},
		{"called and expected", `{"input":"Book room 4","tools_called":[{"name":"book_room","input_parameters":{"room":4}},{"name":"delete_room","input_parameters":{"room":9}}],"expected_tools":[{"name":"book_room","input_parameters":{"room":4}}]}`,
			`book_room{"room":4} delete_room{"room":9} < book_room{"room":4}`},
		{"only expected", `[{"query":"Book room 4","expected_tool_use":[{"tool_name":"book_room","tool_input":{"room":4}}],"reference":"Booked."}]`, "refused: the text says only what an agent should do"},
		{"sessions that are only expected", `[{"name":"a","data":[{"query":"Who works?","expected_tool_use":[{"tool_name":"get_roster","tool_input":{"day":"Sat"}}],"reference":"Ola."},{"query":"Swap","expected_tool_use":[{"tool_name":"swap_shift","tool_input":{"day":"Sat"}}],"reference":"Done."}],"initial_session":{"state":{},"app_name":"roster","user_id":"u"}},{"name":"b","data":[{"query":"I am ill","expected_tool_use":[{"tool_name":"report_sick","tool_input":{"day":"today"}}],"reference":"Reported."}],"initial_session":{"state":{},"app_name":"roster","user_id":"u"}}]`, "refused: the text says only what an agent should do"},
		{"items of a data set", `{"data":[{"id":"b2","status":"ACTIVE","datasetName":"ops","input":{"query":"Sort it out"},"expectedOutput":{"tool_calls":[{"name":"find_user","arguments":{"uid":"j"}}]}},{"id":"b3","status":"ACTIVE","datasetName":"ops","input":{"query":"And this"},"expectedOutput":{"tool_calls":[{"name":"check_user","arguments":{"uid":"k"}}]}}],"meta":{"page":1}}`, "refused: the text says only what an agent should do"},
		{"a table between tabs", "case\tquestion\ttools_used\ttools_expected\tverdict\nF-1\tBook it\t[\"find\", \"book\"]\t[\"find\", \"book\"]\tPASS\nF-2\tCancel it\t[\"cancel\"]\t[\"find\", \"cancel\"]\tFAIL", `find book < find(?) book(?) true | cancel < find(?) cancel(?) false`},
		{"two talks, one expected", `{"messages":[{"role":"user","content":"pay bill 1"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"pay_bill","arguments":"{\"bill\":1}"}}]},{"role":"tool","tool_call_id":"c1","content":"ok"}],"expected_messages":[{"role":"user","content":"pay bill 2"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"pay_bill","arguments":"{\"bill\":2}"}}]},{"role":"tool","tool_call_id":"c1","content":"ok"}]}`, `pay_bill{"bill":1} < pay_bill{"bill":2}`},
		{"an actual and an expected talk", `{"actual":[{"role":"user","content":"pay bill 1"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"pay_bill","arguments":"{\"bill\":1}"}}]},{"role":"tool","tool_call_id":"c1","content":"ok"}],"expected":[{"role":"user","content":"pay bill 2"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"pay_bill","arguments":"{\"bill\":2}"}}]},{"role":"tool","tool_call_id":"c1","content":"ok"}]}`, `pay_bill{"bill":1} < pay_bill{"bill":2}`},
		{"outputs beside their reference", `{"outputs":[{"role":"user","content":"pay bill 1"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"pay_bill","arguments":"{\"bill\":1}"}}]},{"role":"tool","tool_call_id":"c1","content":"ok"}],"reference_outputs":[{"role":"user","content":"pay bill 2"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"pay_bill","arguments":"{\"bill\":2}"}}]},{"role":"tool","tool_call_id":"c1","content":"ok"}]}`, `pay_bill{"bill":1} < pay_bill{"bill":2}`},
		{"a map of talks", `{"a1":[{"role":"user","content":"pay bill 1"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"pay_bill","arguments":"{\"bill\":1}"}}]},{"role":"tool","tool_call_id":"c1","content":"ok"}],"a2":[{"role":"user","content":"pay bill 2"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"pay_bill","arguments":"{\"bill\":2}"}}]},{"role":"tool","tool_call_id":"c1","content":"ok"}]}`, `pay_bill{"bill":1} | pay_bill{"bill":2}`},
		{"one call, two ids", `{"resourceSpans":[{"scopeSpans":[{"spans":[` +
			chatSpan("1", `[{"role":"user","parts":[{"type":"text","content":"Cancel W-7"}]}]`, `[{"role":"assistant","parts":[{"type":"tool_call","id":"call_1","name":"cancel_order","arguments":{"order_id":"W-7"}}]}]`) + "," +
			chatSpan("2", `[{"role":"user","parts":[{"type":"text","content":"Cancel W-7"}]},{"role":"assistant","parts":[{"type":"tool_call","id":"fc_0a","name":"cancel_order","arguments":{"order_id":"W-7"}}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"call_1","response":"ok"}]}]`, `[{"role":"assistant","parts":[{"type":"text","content":"Done."}]}]`) +
			`]}]}]}`, `cancel_order{"order_id":"W-7"}`},
		{"no steps", `{"steps":[]}`, ""},
		{"no messages", `{"messages":[]}`, ""},
		{"nested arguments", `{"id":"m","conversation_id":"c","query":"q","answer":"a","agent_thoughts":[{"position":1,"tool":"cancel_order","tool_input":"{\"cancel_order\":{\"order_id\":\"W-7\"}}","observation":"{\"cancel_order\":\"ok\"}"}]}`, `cancel_order{"order_id":"W-7"}`},
		{"a wrapper's span", `{"info":{"trace_id":"t"},"data":{"spans":[{"span_id":"1","name":"ToolManager.handle_call","attributes":{"mlflow.spanType":"\"TOOL\"","mlflow.spanInputs":"{\"call\":{\"tool_name\":\"cancel_order\",\"args\":{\"id\":\"W-7\"}}}","mlflow.spanOutputs":"\"ok\""}}]}}`, `cancel_order{"id":"W-7"}`},
		{"a history of actions", `[{"action":"command","content":"git status"},{"action":"message","content":"Hi"}]`, "refused: unknown trace format"},
		{"rows with references that continue each other", `{"id":"a","success":true,` + talk + `],"reference":["pay()"]}
{"id":"b","success":false,` + talk + `,{"role":"assistant","tool_calls":[{"function":{"name":"delete_account","arguments":"{}"}}]}],"reference":["pay()"]}`, `pay{} < pay true | pay{} delete_account{} < pay false`},
		{"definitions beside a run", `{"query":"Cancel","response":[{"role":"assistant","content":[{"type":"tool_call","tool_call_id":"c1","name":"cancel_order","arguments":{"id":1}}]}],"tool_definitions":[{"name":"cancel_order","parameters":{}}]}`, `cancel_order{"id":1}`},
		{"definitions without a schema around them", `{"query":"Cancel","response":[{"role":"assistant","content":[{"type":"tool_call","tool_call_id":"c1","name":"cancel_order","arguments":{"id":1}}]}],"tools":[{"name":"cancel_order","parameters":{"id":{"type":"integer"}}}]}`, `cancel_order{"id":1}`},
		{"Parquet", "PAR1\x15\x00\x15\x00PAR1", "refused: the input is a table in Parquet, not text. Convert it"},
	} {
		doc, err := Decode([]byte(c.text))
		got, isRight := describeSides(&doc), false
		if isRight = got == c.want; err != nil {
			got = "refused: " + err.Error()
			isRight = c.want != "" && strings.HasPrefix(got, c.want)
		}
		if !isRight {
			t.Errorf("%s: %s; want %s", c.name, got, c.want)
		}
	}
}

// chatSpan returns the span of a model's request and answer.
func chatSpan(id, input, output string) string {
	attribute := func(key, value string) string {
		return `{"key":"gen_ai.` + key + `","value":{"stringValue":` + literal.Quote(value) + `}}`
	}
	return `{"traceId":"t","spanId":"` + id + `","name":"chat","startTimeUnixNano":"` + id + `","attributes":[` + attribute("operation.name", "chat") + "," + attribute("input.messages", input) + "," + attribute("output.messages", output) + `]}`
}

// TestReviewedStates reads calls that did not succeed: one waits for a person, and one has its
// failure in a block without a text.
func TestReviewedStates(t *testing.T) {
	waits := mustDecode(t, `[{"id":"1","role":"user","parts":[{"type":"text","text":"Refund W-7"}]},{"id":"2","role":"assistant","parts":[{"type":"tool-refund","toolCallId":"c3","state":"approval-requested","input":{"order_id":"W-7"},"approval":{"id":"b"}}]}]`)
	if a := waits.Trajectories[0].Actions[0]; !a.Proposed || a.Observation != nil {
		t.Errorf("%+v", a)
	}
	fails := mustDecode(t, `[{"role":"user","content":"Cancel W-7"},{"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"cancel_order","arguments":"{\"id\":\"W-7\"}"}}]},{"role":"tool","tool_call_id":"c2","content":[{"type":"tool_result","tool_result":{"error":"no such order"}}]}]`)
	if a := fails.Trajectories[0].Actions[0]; !a.Failed() || !strings.Contains(a.Observation.Text, "no such order") {
		t.Errorf("%+v", a)
	}
}
