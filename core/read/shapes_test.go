package read

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// formatTalk returns the messages of a document's runs as text, each as role:text.
func formatTalk(doc trajectory.Document) string {
	return joinMessages(doc, func(m trajectory.Message) string { return m.Role + ":" + m.Text })
}

// TestRecordedShapes checks the format, the actions and the messages of texts in forms
// that real agents recorded. If the expected messages are empty, they are not compared.
func TestRecordedShapes(t *testing.T) {
	check := func(format, want, talk, text string) {
		t.Helper()
		doc, ok := checkDecoded(t, format, want, text)
		if !ok {
			return
		}
		if got := formatTalk(doc); talk != "" && got != talk {
			t.Errorf("%.60q: talk %s\nwant %s", text, got, talk)
		}
		checkNoWarnings(t, doc, text)
	}
	state := func(input string) string {
		return `{"$schemaVersion":"1.9","original_input":` + input + `,"model_responses":[],"generated_items":[{"type":"tool_call_item","raw_item":{"type":"function_call","call_id":"c1","name":"pay","arguments":"{\"n\":1}"}},
			{"type":"tool_call_output_item","output":"ok","raw_item":{"type":"function_call_output","call_id":"c1","output":"ok"}}],"trace":{"id":"t","object":"trace","workflow_name":"w"}}`
	}
	check("found-calls", `pay({"n":1})=ok`, "user:Pay 1. | assistant: | tool:ok", state(`"Pay 1."`))
	check("found-calls", `pay({"n":1})=ok`, "user:Pay 1. | assistant: | tool:ok", state(`[{"role":"user","content":"Pay 1."}]`))
	managed := "user:Pay 1. | assistant: | tool:ok | assistant:Paid."
	check("claude-managed-agents", `pay({"n":1})=ok`, managed, `{"role":"user","kind":"message","content":"Pay 1.","raw":{"id":"1","type":"user.message","content":[{"type":"text","text":"Pay 1."}]}}
{"role":"agent","kind":"tool_use","tool":"pay","content":"{\"n\":1}","raw":{"id":"2","type":"agent.tool_use","name":"pay","input":{"n":1}}}
{"role":"agent","kind":"tool_result","content":"ok","raw":{"id":"3","type":"agent.tool_result","tool_use_id":"2","content":[{"type":"text","text":"ok"}],"is_error":false}}
{"role":"agent","kind":"message","content":"Paid.","raw":{"id":"4","type":"agent.message","content":[{"type":"text","text":"Paid."}]}}`)
	check("claude-managed-agents", `pay({"n":1})=ok`, managed, `["sessions.create",{"id":"s","type":"session","agent":{"system":"x","model":{"id":"m"}}}]
["events.send",["s",{"events":[{"type":"user.message","content":[{"type":"text","text":"Pay 1."}]}]}]]
["events.stream",{"id":"1","type":"user.message","content":[{"type":"text","text":"Pay 1."}]}]
["events.stream",{"id":"2","type":"agent.mcp_tool_use","name":"pay","input":{"n":1}}]
["events.stream",{"id":"3","type":"agent.mcp_tool_result","mcp_tool_use_id":"2","content":[{"type":"text","text":"ok"}],"is_error":false}]
["events.stream",{"id":"4","type":"agent.message","content":[{"type":"text","text":"Paid."}]}]`)
	observed := func(list ...string) string {
		for i := range list {
			list[i] = `{"id":"` + string(rune('a'+i)) + `","traceId":"t","level":"DEFAULT","startTime":"` + string(rune('1'+i)) + `",` + list[i] + `}`
		}
		return `{"trace":{"id":"t","name":"agent"},"observations":[` + strings.Join(list, ",") + `]}`
	}
	called := `{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"pay","arguments":"{\"n\":1}"}}]}`
	talk := "user:Pay 1. | assistant: | tool:ok"
	langfuse := func(text string) { t.Helper(); check("langfuse-trace", `pay({"n":1})=ok`, talk, text) }
	model := `"type":"GENERATION","name":"chat","input":[{"role":"user","content":"Pay 1."}],"output":`
	langfuse(observed(`"type":"GENERATION","name":"chat","input":`+literal.Quote(`[{"role":"user","content":"Pay 1."}]`)+`,"output":`+literal.Quote(called), `"type":"SPAN","name":"pay","input":"{\"n\":1}","output":"ok"`))
	langfuse(observed(model+called, `"type":"SPAN","name":"pay","input":{"n":1},"output":"ok"`, `"type":"SPAN","name":"pay","input":{},"output":"again"`))
	langfuse(observed(model+called, `"type":"SPAN","name":"pay","input":{}`, `"type":"TOOL","name":"pay","input":{"n":1},"output":"ok"`))
	for _, name := range []string{"execute_tool pay", "running tool: pay", "pay"} {
		langfuse(observed(model+called, `"type":"TOOL","name":"`+name+`","input":{"n":1},"output":"ok"`))
	}
	langfuse(observed(model+`[{"role":"assistant","finish_reason":"tool_calls","content":`+literal.Quote(`[{"function":{"name":"pay","arguments":"{\"n\":1}"},"id":"c1","type":"function"}]`)+`}]`, `"type":"SPAN","name":"tool.pay","input":{"n":1},"output":"ok"`))
	langfuse(observed(model+`[{"role":"assistant","finish_reason":"tool_calls","content":[{"function":{"name":"pay","arguments":{"n":1}},"id":"c1","type":"function"}]}]`, `"type":"SPAN","name":"tool.pay","input":{"n":1},"output":"ok"`))
	langfuse(observed(model+`{"object":"response","output":[{"type":"function_call","call_id":"c1","name":"pay","arguments":{"n":1}}]}`, `"type":"TOOL","name":"pay","input":{"n":1},"output":"ok"`,
		`"type":"GENERATION","name":"chat","input":[{"role":"user","content":"Pay 1."},{"type":"function_call","call_id":"c1","name":"pay","arguments":{"n":1}},{"type":"function_call_output","call_id":"c1","output":"ok"}],"output":null`))
	langfuse(observed(model+called, `"type":"SPAN","name":"pay","input":{"n":1},"output":{"content":"ok","tool_call_id":"c1"}`,
		`"type":"GENERATION","name":"chat","input":[{"role":"user","content":"Pay 1."},`+called+`,{"role":"pay","content":"ok"}]`))
	langfuse(observed(`"type":"GENERATION","name":"chat","input":{"prompt":"Pay 1."},"output":[{"toolCallId":"c1","toolName":"pay","input":"{\"n\":1}"}]`, `"type":"TOOL","name":"pay","input":{"n":1},"output":"\"ok\""`))
	langfuse(observed(`"type":"GENERATION","name":"call_llm","input":{"contents":[{"role":"user","parts":[{"text":"Pay 1."}]}]},"output":{"content":{"role":"model","parts":[{"functionCall":{"name":"pay","args":{"n":1}}}]},"finish_reason":"STOP"}`,
		`"type":"TOOL","name":"execute_tool pay","input":{"n":1},"output":"ok"`))
	check("found-calls", `pay({"n":1})=ok end({})!`, "user:Pay 1. | assistant:I pay. | tool:ok | assistant:Now I end.", `{"messages":[{"role":"user","content":"Pay 1."},{"role":"assistant","content":"I pay.\n\n<function=pay>\n<parameter=n>1</parameter>\n</function>"},{"role":"user","content":"EXECUTION RESULT of [pay]:\nok"}],
		"raw_messages":[{"role":"user","content":"Pay 1."},{"role":"assistant","content":"I pay.","tool_calls":[{"id":"1","type":"function","function":{"name":"pay","arguments":"{\"n\":1}"}}]},{"role":"tool","tool_call_id":"1","name":"pay","content":"ok"}],
		"response":{"choices":[{"message":{"role":"assistant","content":"Now I end.","tool_calls":[{"id":"2","type":"function","function":{"name":"end","arguments":"{}"}}]}}]},
		"raw_response":{"choices":[{"message":{"role":"assistant","content":"Now I end.\n<function=end>\n"}}]}}`)
	rules := `{"role":"SYSTEM","message":"Use this form:\nThought: I need a tool.\nAction: tool name (one of pay)\nAction Input: the input\nObservation: tool response"}`
	step := func(n string) string {
		return `{"role":"CHATBOT","message":"Action: pay` + n + `\nAction Input: {\"n\":` + n + `}"}`
	}
	asked := rules + `,{"role":"USER","message":"Pay."}`
	check("found-calls", `pay1({"n":1})=6 pay2({"n":2})=7`, "", `{"message":"Observation: 7","chat_history":[`+asked+`,`+step("1")+`,{"role":"USER","message":"Observation: 6"},`+step("2")+`]}`)
	check("found-calls", `pay1({"n":1})=6 pay2({"n":2})=6`, "", `{"request":{"message":"Pay.","chat_history":[`+rules+`]},"response":{"text":"x","chat_history":[`+asked+`,`+step("1")+`]}}
{"request":{"message":"Observation: 6","chat_history":[`+asked+`,`+step("1")+`]},"response":{"text":"x","chat_history":[`+asked+`,`+step("1")+`,{"role":"USER","message":"Observation: 6"},`+step("2")+`]}}
{"request":{"message":"Observation: 6","chat_history":[`+asked+`,`+step("1")+`,{"role":"USER","message":"Observation: 6"},`+step("2")+`]},"response":{"text":"Done."}}`)
	part := func(call string) string {
		return `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":` + call + `}]}}]}` + "\n"
	}
	check("found-calls", `pay({"n":{"a":[{"b":"xy"},1.5]},"ok":true}) pay({"id":"A"}) ring()`, "", part(`{"name":"pay","willContinue":true}`)+part(`{"partialArgs":[{"jsonPath":"$.n.a[0].b","stringValue":"x","willContinue":true}],"willContinue":true}`)+
		part(`{"partialArgs":[{"jsonPath":"$.n.a[0].b","stringValue":"y"},{"jsonPath":"$.n.a[1]","numberValue":1.5},{"jsonPath":"$['ok']","boolValue":true}],"willContinue":true}`)+part(`{}`)+
		part(`{"name":"pay","willContinue":true}`)+part(`{"partialArgs":[{"jsonPath":"$.id","stringValue":"A"}]}`)+part(`{"name":"ring"}`))
	check("found-calls", `pay({"n":[1]})`, "", part(`{"name":"pay","willContinue":true}`)+part(`{"partialArgs":[{"jsonPath":"$.n[0]","numberValue":1}]}`)+`{"candidates":[{"content":{"role":"model","parts":[{"text":""}]},"finishReason":"STOP"}]}`)
	check("found-calls", `pay({"n":1})! google_search({"queries":["q"]})=[{"title":"t"}]`, "", `{"interaction":{"id":"v","object":"interaction"},"event_type":"interaction.created"}
{"index":0,"step":{"id":"1","type":"function_call","name":"pay","arguments":{}},"event_type":"step.start"}
{"index":0,"delta":{"arguments":"{\"n\":1}","type":"arguments_delta"},"event_type":"step.delta"}
{"index":0,"event_type":"step.stop"}
{"index":1,"step":{"id":"2","type":"google_search_call"},"event_type":"step.start"}
{"index":1,"delta":{"type":"google_search_call","arguments":{"queries":["q"]}},"event_type":"step.delta"}
{"index":2,"step":{"call_id":"2","type":"google_search_result"},"event_type":"step.start"}
{"index":2,"delta":{"type":"google_search_result","result":[{"title":"t"}]},"event_type":"step.delta"}`)
	check("openai-responses", `code_interpreter({"code":"print(1)"})=1 file_search({"queries":["q"]})=t tool_search({"goal":"g"})=[{"name":"a"}] web_search({"query":"q"}) x_semantic_search({"query":"q"})`, "", `{"id":"r","object":"response","output":[
		{"id":"1","type":"code_interpreter_call","status":"completed","code":"print(1)","container_id":"x","outputs":[{"type":"logs","logs":"1"}]},{"id":"2","type":"file_search_call","status":"completed","queries":["q"],"results":[{"file_id":"f","text":"t"}]},
		{"id":"3","type":"tool_search_call","status":"completed","arguments":{"goal":"g"},"call_id":null},{"id":"4","type":"tool_search_output","status":"completed","call_id":null,"tools":[{"name":"a"}]},
		{"id":"5","type":"web_search_call","status":"completed","name":"web_search","arguments":"{\"query\":\"q\"}","call_id":""},{"id":"6","type":"x_search_call","status":"completed","name":"x_semantic_search","arguments":"{\"query\":\"q\"}","call_id":""}]}`)
	check("found-calls", `tool_search({"goal":"g"})=[{"name":"a"}] code_interpreter({"code":"x"})=[]`, "", `{"type":"response.created","response":{"id":"r","object":"response","output":[]}}
{"type":"response.output_item.added","output_index":0,"item":{"id":"t1","type":"tool_search_call","status":"in_progress","arguments":{},"call_id":"c1"}}
{"type":"response.output_item.done","output_index":0,"item":{"id":"t1","type":"tool_search_call","status":"completed","arguments":{"goal":"g"},"call_id":"c2"}}
{"type":"response.output_item.done","output_index":1,"item":{"id":"t2","type":"tool_search_output","status":"completed","call_id":"c2","tools":[{"name":"a"}]}}
{"type":"response.output_item.added","output_index":2,"item":{"id":"i1","type":"code_interpreter_call","status":"in_progress","code":"","outputs":[]}}
{"type":"response.output_item.done","output_index":2,"item":{"id":"i1","type":"code_interpreter_call","status":"completed","code":"x","outputs":[]}}`)
}

// TestNamesAreNotCalls checks that lists of things with names are not read as calls.
func TestNamesAreNotCalls(t *testing.T) {
	for _, text := range []string{
		`[{"name":"env_0","memory":[],"is_success":true},{"name":"env_1","memory":["I should"],"is_success":false}]`,
		`[{"name":"pay","description":"pays","parameters":{"type":"object"}}]`,
		`{"instruction":"open it","actions":[{"action_id":"x","operation":"click","metadata":{"repr":"click"}}]}`,
		`{"agents":[{"name":"a","messages":[{"role":"system","content":"x"}],"tool_rules":[{"tool_name":"search","type":"run_first","args":null}]}],"tools":[]}`,
		`{"context":{"tool_invocations":{"c1":{"type":"function_call","completed":false,"fingerprint":"f"}}},"generated_items":[]}`,
	} {
		if doc, err := Decode([]byte(text)); err == nil && countCalls(&doc) > 0 {
			t.Errorf("%.60q: %s %s", text, doc.Format, formatActions(doc))
		}
	}
}

func countCalls(d *trajectory.Document) (n int) {
	for i := range d.Trajectories {
		n += len(d.Trajectories[i].Actions)
	}
	return n
}
