package read

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// checkDecoded decodes a text and checks its format and its actions, as formatActions writes
// them. The second result is false if the text cannot be decoded.
func checkDecoded(t *testing.T, format, actions, text string) (trajectory.Document, bool) {
	t.Helper()
	doc, err := Decode([]byte(text))
	if err != nil {
		t.Errorf("%.60q: %v", text, err)
		return doc, false
	}
	if got := formatActions(doc); got != actions || doc.Format != format {
		t.Errorf("%.60q: %s %s\nwant %s %s", text, doc.Format, got, format, actions)
	}
	return doc, true
}

// checkNoWarnings checks that a decoded text led to no warning.
// The test ignores a warning that rows were joined, if nothing in them says that they are
// one run.
func checkNoWarnings(t *testing.T, doc trajectory.Document, text string) {
	t.Helper()
	for _, w := range doc.Warnings {
		if w.Code == "rows-joined" && continuing(text) {
			continue
		}
		t.Errorf("%.60q: warning %s: %s", text, w.Code, w.Message)
	}
}

// continuing reports whether a text has rows that continue each other without an id: turns
// in the form {user, assistant}, or requests that repeat the chat.
func continuing(text string) bool {
	return strings.HasPrefix(text, `[{"user":`) || strings.HasPrefix(text, `{"request":`)
}

// joinMessages returns the messages of a document's runs in one line. The function write
// formats each message.
func joinMessages(doc trajectory.Document, write func(trajectory.Message) string) string {
	var out []string
	for i := range doc.Trajectories {
		for _, m := range doc.Trajectories[i].Messages {
			out = append(out, write(m))
		}
	}
	return strings.Join(out, " | ")
}

// TestVariants checks variants of the formats, such as other versions, other wrappers and
// unusual members. Actions are written as name(arguments)=result. A ! marks an error, and
// an @ marks a call that the user made.
func TestVariants(t *testing.T) {
	check := func(format, want, text string) {
		t.Helper()
		checkDecoded(t, format, want, text)
	}
	call := `{"role":"assistant","tool_calls":[{"id":"1","name":"pay","arguments":{"n":1}}]}`
	check("tau2", `pay({"n":1})=ok`, `[{"task_id":"1","termination_reason":"user_stop","reward_info":null,"messages":[`+call+`,{"role":"tool","id":"1","content":"ok"}]}]`)
	text := func(call, result string) string {
		return `[{"role":"user","content":"Pay."},{"role":"assistant","content":` + literal.Quote(call) + `},{"role":"user","content":` + literal.Quote(result) + `},{"role":"assistant","content":"Done."}]`
	}
	check("found-calls", "pay({\"n\":\"1\"})=EXECUTION RESULT of [pay]:\nok", text("I pay.\n<function=pay>\n<parameter=n>1</parameter>\n</function>", "EXECUTION RESULT of [pay]:\nok"))
	check("found-calls", `pay({"n":1})=ok`, text(`<function=pay>{"n":1}</function>`, "OBSERVATION:\nok"))
	check("found-calls", `pay({"n":"1"})=<tool_response>ok</tool_response>`, text("<tool_call>\n<function=pay>\n<parameter=n>\n1\n</parameter>\n</function>\n</tool_call>", "<tool_response>ok</tool_response>"))
	check("found-calls", `pay({"n":"1"}) ring({})=<function_results>ok</function_results>`, text(`<function_calls><invoke name="pay"><parameter name="n">1</parameter></invoke><invoke name="ring"></invoke></function_calls>`, "<function_results>ok</function_results>"))
	check("found-calls", `pay({"n":1})=[TOOL_RESULTS] ok`, text(`[TOOL_CALLS]pay[ARGS]{"n":1}`, "[TOOL_RESULTS] ok"))
	check("found-calls", `pay({"n":1})=<tool_response>ok`, text(`<|python_tag|>{"name":"pay","parameters":{"n":1}}`, "<tool_response>ok"))
	check("found-calls", `pay({"n":1})=<tool_response>ok`, text(`{"name":"pay","parameters":{"n":1}}`, "<tool_response>ok"))
	check("found-calls", `pay({"n":1})=<tool_response>ok`, text(`<|tool_calls_section_begin|><|tool_call_begin|>functions.pay:0<|tool_call_argument_begin|>{"n":1}<|tool_call_end|><|tool_calls_section_end|>`, "<tool_response>ok"))
	check("found-calls", `pay({"n":1})=<tool_response>ok`, text("<\uff5ctool\u2581call\u2581begin\uff5c>function<\uff5ctool\u2581sep\uff5c>pay\n```json\n{\"n\":1}\n```<\uff5ctool\u2581call\u2581end\uff5c>", "<tool_response>ok"))
	check("found-calls", `pay({"n":1})=<tool_response>ok`, text(`<`+"\uff5ctool\u2581call\u2581begin\uff5c>pay<\uff5ctool\u2581sep\uff5c>"+`{"n":1}<`+"\uff5ctool\u2581call\u2581end\uff5c>", "<tool_response>ok"))
	check("tau2", `ring({})@`, `{"id":"x","task_id":"1","termination_reason":"user_stop","ticks":[{"user_tool_calls":[{"id":"1","name":"ring","arguments":{},"requestor":"user"}]}]}`)
	check("tau2", `pay({})= ring({})@=no!`, `{"tasks":[],"simulations":[{"task_id":"1","messages":[],"ticks":[{"agent_tool_calls":[{"id":"1","name":"pay","arguments":{}}],"agent_tool_results":[{"id":"1","role":"tool","content":""}],
		"user_chunk":{"role":"user","content":"hm"},"user_tool_calls":[{"id":"2","name":"ring","arguments":{}}],"user_tool_results":[{"id":"2","role":"tool","content":"no","error":true}]}]}]}`)
	check("openai-chat", `pay({"n":1})=`, `{"id":"x","model":"m","messages":[{"role":"assistant","content":null,"additional_kwargs":{"tool_calls":[{"id":"1","function":{"name":"pay","arguments":"{\"n\":1}"}}]}},{"role":"tool","tool_call_id":"1","content":""}]}`)
	check("openai-responses-items", `apply_patch({"input":"patch text"})=ok local_shell({"command":["ls"]}) web_search({"query":"x"})=failed!`, `[{"type":"custom_tool_call","call_id":"1","name":"apply_patch","input":"patch text"},{"type":"custom_tool_call_output","call_id":"1","output":"ok"},
		{"type":"local_shell_call","call_id":"2","action":{"command":["ls"]}},{"type":"web_search_call","id":"3","status":"failed","action":{"query":"x"}}]`)
	check("openai-responses-items", `pay({})=no!`, `[{"type":"mcp_call","id":"1","name":"pay","arguments":"{}","output":null,"error":"no"}]`)
	check("codex-rollout", `pay({"n":1})=0`, `{"type":"session_meta","payload":{"id":"s"}}
{"type":"custom","payload":null}
{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]}
{"type":"response_item","payload":{"type":"custom_tool_call","call_id":"1","name":"pay","input":"{\"n\":1}"}}
{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"1","output":{"content":"0","success":true}}}`)
	check("codex-exec-json", `file_change({"changes":[1]})= web_search({"query":"q"})= command_execution({"command":"ls"})`, `{"type":"item.completed","item":{"id":"1","type":"file_change","changes":[1]}}
{"type":"item.completed","item":{"id":"2","type":"web_search","query":"q"}}
{"type":"item.completed","item":{"id":"3","type":"agent_message","text":"hi"}}
{"type":"item.started","item":{"id":"4","type":"command_execution","command":"ls"}}`)
	check("mcp-jsonrpc", `pay({})=gone!`, `[{"direction":"out","message":{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"pay","arguments":{}}}},{"message":{"jsonrpc":"2.0","id":"1","error":{"code":-32000,"message":"gone"}}},{"note":1}]`)
	check("langsmith-run", `pay({"n":1})=ok`, `[{"id":"1","trace_id":"t","run_type":"llm","dotted_order":"1","inputs":{"messages":[[{"lc":1,"type":"constructor","id":["HumanMessage"],"kwargs":{"content":"x"}}]]},"outputs":{"generations":[[{"message":{"lc":1,"type":"constructor","id":["x","AIMessage"],"kwargs":{"content":"","tool_calls":[{"id":"c","name":"pay","args":{"n":1}}]}}}]]}},
		{"id":"2","trace_id":"t","run_type":"tool","name":"pay","dotted_order":"2","inputs":{"input":"{'n': 1}"},"outputs":{"output":{"type":"tool","content":"ok","tool_call_id":"c","status":"success"}}}]`)
	check("langsmith-run", `pay({})=bad!`, `{"run_type":"llm","trace_id":"t","inputs":{},"outputs":{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"pay","arguments":"{}"}}]}}]},"child_runs":[{"run_type":"tool","name":"pay","inputs":{},"error":"bad"}]}`)
	check("langfuse-trace", `pay({"n":1})`, `[{"id":"1","traceId":"t","type":"GENERATION","startTime":"1","input":{"messages":[{"role":"user","content":"x"}]},"output":{"choices":[{"message":`+call+`}]}}]`)
	check("openai-agents-trace", `pay({"n":1})=ok`, `{"object":"trace","spans":[{"object":"trace.span","trace_id":"t","started_at":"1","span_data":{"type":"generation","input":[{"role":"user","content":"x"}],"output":[`+call+`]}},{"object":"trace.span","trace_id":"t","started_at":"2","span_data":{"type":"function","name":"pay","input":"{\"n\": 1}","output":"ok"}}]}`)
	check("otlp-genai", `pay({"n":1,"l":["a",true]})=no!`, `{"batches":[{"instrumentationLibrarySpans":[{"spans":[{"traceId":"a","spanId":"b","name":"execute_tool pay","startTimeUnixNano":"5","status":{"code":"STATUS_CODE_ERROR","message":"no"},"attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},
		{"key":"gen_ai.tool.call.arguments","value":{"kvlistValue":{"values":[{"key":"n","value":{"intValue":"1"}},{"key":"l","value":{"arrayValue":{"values":[{"stringValue":"a"},{"boolValue":true}]}}}]}}}]}]}]}]}`)
	check("otlp-genai", `pay({"n":1})=ok`, `{"spans":[{"name":"pay","context":{"trace_id":"a","span_id":"b"},"start_time":1,"attributes":{"traceloop.span.kind":"tool","traceloop.entity.name":"pay","traceloop.entity.input":"{\"inputs\":{\"n\":1}}","traceloop.entity.output":"ok"}},
		{"name":"chat","context":{"trace_id":"a","span_id":"c"},"start_time":2,"attributes":{"gen_ai.prompt.0.role":"user","gen_ai.prompt.0.content":"x","gen_ai.completion.0.role":"assistant","gen_ai.completion.0.content":"done"}}]}`)
	check("otlp-openinference", `pay({})`, `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"a","spanId":"b","name":"l","attributes":[{"key":"openinference.span.kind","value":{"stringValue":"LLM"}},{"key":"llm.output_messages.0.message.contents.0.message_content.text","value":{"stringValue":"t"}},
		{"key":"llm.output_messages.0.message.function_call_name","value":{"stringValue":"pay"}},{"key":"llm.output_messages.0.message.function_call_arguments_json","value":{"stringValue":"{}"}}]}]}]}]}`)
	check("osworld-traj", `CLICK({"x":1}) DONE(DONE) click(click(2))=lost!`, `{"step_num":1,"action_timestamp":"t","action":{"action_type":"CLICK","parameters":{"x":1}},"done":false}
{"step_num":2,"action":"DONE","done":true}
{"step_num":3,"action":"click(2)","Error":"lost"}`)
	check("webarena-browsergym", "click(click('1'))=URL: http://b\nt goto(goto('x')) | click(click('2'))", `{"task_id":1,"step":0,"goal":"g","obs":{"axtree_txt":"t","last_action_error":"","url":"http://a"},"action":"<think>x</think><action>click('1')</action>"}
{"task_id":1,"step":1,"obs":{"axtree_txt":"t","last_action_error":"","url":"http://b"},"action":"goto('x')"}
{"task_id":2,"step":0,"obs":{"axtree_txt":"t","last_action_error":""},"action":"click('2')"}`)
	check("alfworld-react", `go(go to desk 1)=You see nothing.`, "You are here.\nYour task is to: look.\n> think: hm\nOK.\n> go to desk 1\nYou see nothing.\n")
	check("adk-evalset", `pay({"n":1})={"error":"no"}!`, `{"evalSetId":"e","eval_cases":[{"eval_id":"1","conversation":[{"userContent":{"parts":[{"text":"x"}]},"intermediateData":{"invocationEvents":[{"author":"a","content":{"parts":[{"text":"hm"},{"functionCall":{"id":"1","name":"pay","args":{"n":1}}}]}},
		{"author":"a","content":{"parts":[{"functionResponse":{"id":"1","name":"pay","response":{"error":"no"}}}]}}]}}]}]}`)
	check("openhands-v1", `pay({"n":2})=broken!`, `{"events":[{"kind":"SystemPromptEvent","source":"agent","system_prompt":{"type":"text","text":"s"}},{"kind":"ActionEvent","source":"agent","thought":[{"type":"text","text":"t"}],"tool_name":"pay","tool_call_id":"1","tool_call":{"arguments":"{\"n\":2}"},"action":{"kind":"Pay"}},{"kind":"AgentErrorEvent","source":"agent","tool_name":"pay","tool_call_id":"1","error":"broken"}]}`)
	check("openhands-v0", `pay({"n":3})=no!`, `{"history":[{"id":1,"source":"agent","action":"call","args":{},"tool_call_metadata":{"function_name":"pay","tool_call_id":"c","model_response":{"choices":[{"message":{"tool_calls":[{"id":"c","function":{"name":"pay","arguments":"{\"n\":3}"}}]}}]}}},{"id":2,"source":"agent","observation":"error","cause":1,"content":"no"},{"id":3,"source":"agent","observation":"error","content":"about nothing"}]}`)
	check("docent-agent-run", `pay({"n":1})`, `{"id":"r","transcripts":{"a":{"messages":[`+call+`]}}}`)
	check("ai-sdk-uimessage-v4", `pay({})=ok`, `[{"role":"assistant","content":"x","toolInvocations":[{"state":"result","toolCallId":"1","toolName":"pay","args":{},"result":"ok"}]}]`)
	check("ai-sdk-uimessage", `pay({})=denied!`, `[{"role":"assistant","parts":[{"type":"tool-pay","toolCallId":"1","state":"output-denied","input":{}}]}]`)
	check("ai-sdk-modelmessage", `pay({})=ok`, `[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"1","toolName":"pay","args":{}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"1","toolName":"pay","result":"ok"}]}]`)
	check("adk-evalset", `pay({"n":1})=ok`, `[{"eval_id":"1","conversation":[{"user_content":{"parts":[{"text":"x"}]},"intermediate_data":{"tool_uses":[{"id":"1","name":"pay","args":{"n":1}}],"tool_responses":[{"id":"1","name":"pay","response":"ok"}]},"final_response":{"parts":[{"text":"done"}]}}]}]`)
	check("copilot-events", `pay({})=ok`, `{"type":"tool.execution_start","data":{"toolCallId":"1","toolName":"pay","arguments":{}}}
{"type":"tool.execution_complete","data":{"toolCallId":"1","success":true,"result":{"content":[{"type":"text","text":"ok"}]}}}
{"type":"assistant.message","data":{"content":"done"}}`)
	check("openai-chat", `pay({"n":1}) | pay({"n":1})`, `[{"messages":[`+call+`]},{"messages":[`+call+`]}]`)
	check("generic", `pay({"n":1})@=ok`, `{"actions":[{"name":"pay","kwargs":{"n":1},"output":"ok","requestor":"user"}]}`)
	check("generic-actions", `go(go home)=ok`, `[{"text":"go home","result":"ok"}]`)
}

// formatActions returns a document's actions as text. The text " | " separates the runs.
func formatActions(doc trajectory.Document) string {
	var runs []string
	for i := range doc.Trajectories {
		var out []string
		for j := range doc.Trajectories[i].Actions {
			a := &doc.Trajectories[i].Actions[j]
			arguments := a.Text
			if a.Text == "" {
				arguments = a.Arguments.Raw()
			}
			s := fmt.Sprintf("%s(%s)", a.Name, arguments)
			if a.Requestor == "user" {
				s += "@"
			}
			if a.Observation != nil {
				s += "=" + a.Observation.Text
			}
			if a.Failed() {
				s += "!"
			}
			out = append(out, s)
		}
		runs = append(runs, strings.Join(out, " "))
	}
	return strings.Join(runs, " | ")
}
