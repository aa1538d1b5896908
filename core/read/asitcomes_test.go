package read

import (
	"fmt"
	"strings"
	"testing"
)

// TestRecordsOfEvaluators reads records as several evaluators write them, and compares the runs,
// with their calls, references and outcomes.
func TestRecordsOfEvaluators(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a table with a schema, and calls named by action": {
			`{"schema":{"fields":[{"name":"index","type":"integer"},{"name":"run_id","type":"string"},{"name":"trajectory","type":"string"},{"name":"expected_trajectory","type":"string"},{"name":"is_success","type":"boolean"}],"primaryKey":["index"]},
			"data":[{"index":0,"run_id":"a","trajectory":"[{\"action\":\"find\",\"arguments\":{\"id\":1},\"observation\":\"ok\"}]","expected_trajectory":"[{\"action\":\"find\",\"arguments\":{\"id\":1}}]","is_success":true},
			{"index":1,"run_id":"b","trajectory":"[{\"action\":\"find\",\"arguments\":{\"id\":1},\"observation\":\"ok\"},{\"action\":\"drop\",\"arguments\":{\"id\":1},\"observation\":\"ok\"}]","expected_trajectory":"[{\"action\":\"drop\",\"arguments\":{\"id\":1}}]","is_success":false}]}`,
			`a: find{"id":1} | find{"id":1} | true; b: find{"id":1} drop{"id":1} | drop{"id":1} | false`},
		"rows with prefixes": {
			`{"metrics":{"accuracy":0.5},"rows":[{"inputs.query":[{"role":"user","content":"x"}],"inputs.response":[{"role":"assistant","content":[{"type":"tool_call","tool_call_id":"c1","name":"find","arguments":{"id":1}}]},{"role":"tool","tool_call_id":"c1","content":[{"type":"tool_result","tool_result":"ok"}]}],"outputs.accuracy.accuracy_result":"pass","line_number":0},
			{"inputs.query":[{"role":"user","content":"y"}],"inputs.response":[{"role":"assistant","content":[{"type":"tool_call","tool_call_id":"c2","name":"drop","arguments":{"id":2}}]},{"role":"tool","tool_call_id":"c2","content":[{"type":"tool_result","tool_result":"ok"}]}],"outputs.accuracy.accuracy_result":"fail","line_number":1}]}`,
			`1: find{"id":1} |  | true; 2: drop{"id":2} |  | false`},
		"calls beside the text of a turn": {
			`[{"scenario":"x","turns":[{"role":"user","content":"x","tools_called":null},{"role":"assistant","content":"Done.","tools_called":[{"name":"find","input_parameters":{"id":1},"output":"ok"}]}]},
			{"scenario":"y","turns":[{"role":"user","content":"y"},{"role":"assistant","content":"Done.","tools_called":[{"name":"drop","input_parameters":{"id":2},"output":"ok"}]}]}]`,
			`1: find{"id":1} |  | ?; 2: drop{"id":2} |  | ?`},
		"a log of requests": {
			`{"method":"get","url":"/notes","data":{"page":0}}` + "\n" + `{"method":"delete","url":"/notes/3","data":{}}`,
			`1: GET::/notes{"page":0} DELETE::/notes/3{} |  | ?`},
		"commands stay commands": {
			`{"trajectory":[{"action":"ls -l","observation":"a","thought":"look"}],"expected_tools":["bash"]}`,
			`1: ls | bash | ?`},
		"an experiment with the runs of each example": {
			`[{"id":"e1","dataset_id":"d","inputs":{"q":"x"},"outputs":{"tool_calls":[{"name":"find","args":{"id":1}}]},"runs":[{"id":"r1","trace_id":"t1","run_type":"chain","inputs":{"q":"x"},"outputs":{"messages":[{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{\"id\":1}"}}]},{"role":"tool","tool_call_id":"c1","content":"ok"}]}},
			{"id":"r2","trace_id":"t2","run_type":"chain","inputs":{"q":"x"},"outputs":{"messages":[{"role":"assistant","tool_calls":[{"id":"c2","type":"function","function":{"name":"drop","arguments":"{\"id\":1}"}}]},{"role":"tool","tool_call_id":"c2","content":"ok"}]}}]}]`,
			`t1: find{"id":1} | find{"id":1} | ?; t2: drop{"id":1} | find{"id":1} | ?`},
		"requests of two conversations in turns": {
			request("a", "x", "") + request("b", "y", "") + request("a", "x", `{"role":"assistant","tool_calls":[{"id":"c-a-0","type":"function","function":{"name":"find","arguments":"{\"id\":0}"}}]},{"role":"tool","tool_call_id":"c-a-0","content":"ok"},`),
			`a: find{"id":0} find{"id":1} |  | ?; b: find{"id":0} |  | ?`},
		"a table with tabs": {
			"case_id\tinput\tactual_tool_calls\texpected_tool_calls\tpassed\nc1\tx\t\"[{\"\"name\"\": \"\"find\"\", \"\"arguments\"\": {\"\"id\"\": 1}}]\"\t\"[{\"\"name\"\": \"\"find\"\", \"\"arguments\"\": {\"\"id\"\": 1}}]\"\tTRUE\nc2\ty\t[]\t\"[{\"\"name\"\": \"\"drop\"\", \"\"arguments\"\": {\"\"id\"\": 1}}]\"\tFALSE\n",
			`c1: find{"id": 1} | find{"id": 1} | true; c2:  | drop{"id": 1} | false`},
		"messages in a string": {
			`{"conversation_id":"k1","message_list":"[{\"kind\":\"request\",\"parts\":[{\"part_kind\":\"user-prompt\",\"content\":\"x\"}]},{\"kind\":\"response\",\"parts\":[{\"part_kind\":\"tool-call\",\"tool_name\":\"find\",\"args\":{\"id\":1},\"tool_call_id\":\"c1\"}]},{\"kind\":\"request\",\"parts\":[{\"part_kind\":\"tool-return\",\"tool_name\":\"find\",\"content\":\"ok\",\"tool_call_id\":\"c1\"}]}]"}`,
			`k1: find{"id":1} |  | ?`},
		"a map of conversations of agents": {
			`{"run_1":{"messages":[{"source":"user","content":"x","type":"TextMessage"},{"source":"desk","type":"ToolCallRequestEvent","content":[{"id":"c1","name":"find","arguments":"{\"id\":1}"}]},{"source":"desk","type":"ToolCallExecutionEvent","content":[{"call_id":"c1","name":"find","content":"ok","is_error":false}]}],"stop_reason":"end"},
			"run_2":{"messages":[{"source":"user","content":"y","type":"TextMessage"},{"source":"desk","type":"ToolCallRequestEvent","content":[{"id":"c2","name":"drop","arguments":"{\"id\":2}"}]},{"source":"desk","type":"ToolCallExecutionEvent","content":[{"call_id":"c2","name":"drop","content":"ok","is_error":false}]}],"stop_reason":"end"}}`,
			`run_1: find{"id":1} |  | ?; run_2: drop{"id":2} |  | ?`},
		"columns beside words about all rows": {
			`{"model":"m","inputs":["x","y"],"tool_calls":[[{"name":"find","arguments":{"id":1}}],[]],"expected_tools":[["find"],["drop"]],"passed":[true,false],"accuracy":0.5}`,
			`1: find{"id":1} | find | true; 2:  | drop | false`},
		"runs with numbers": {
			`{"run":1,"steps":[{"task":"x"},{"step_number":1,"tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":{"id":1}}}],"observations":"ok"}]}` + "\n" + `{"run":2,"steps":[{"task":"y"},{"step_number":1,"tool_calls":[{"id":"c2","type":"function","function":{"name":"drop","arguments":{"id":2}}}],"observations":"ok"}]}`,
			`1: find{"id":1} |  | ?; 2: drop{"id":2} |  | ?`},
	} {
		doc, err := Decode([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var runs []string
		for i := range doc.Trajectories {
			r := &doc.Trajectories[i]
			var calls, steps []string
			for _, a := range r.Actions {
				calls = append(calls, a.Name+a.Arguments.Raw())
			}
			if r.Reference != nil {
				for _, s := range r.Reference.Steps {
					steps = append(steps, s.Name+s.Arguments.Raw())
				}
			}
			outcome := "?"
			if r.Success != nil {
				outcome = fmt.Sprint(*r.Success)
			}
			runs = append(runs, fmt.Sprintf("%s: %s | %s | %s", r.ID, strings.Join(calls, " "), strings.Join(steps, " "), outcome))
		}
		if got := strings.Join(runs, "; "); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

// request returns a logged request of a conversation, and the answer, which calls find.
func request(conversation, question, history string) string {
	n := strings.Count(history, "tool_call_id")
	return fmt.Sprintf(`{"request":{"messages":[{"role":"user","content":%q},%s{"role":"user","content":"Go on."}],"metadata":{"session_id":%q}},"response":{"object":"chat.completion","choices":[{"message":{"role":"assistant","tool_calls":[{"id":"c-%s-%d","type":"function","function":{"name":"find","arguments":"{\"id\":%d}"}}]}}]}}`,
		question, history, conversation, conversation, n, n) + "\n"
}
