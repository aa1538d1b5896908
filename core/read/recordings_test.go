package read

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// TestRecordings checks that the calls and the messages are read from forms that agents
// record. Actions are written as in TestVariants. A message is written as its role and
// its text, and a + marks a message with calls.
func TestRecordings(t *testing.T) {
	check := func(format, actions, messages, text string) {
		t.Helper()
		doc, ok := checkDecoded(t, format, actions, text)
		if !ok {
			return
		}
		if got := formatMessages(doc); got != messages {
			t.Errorf("%.60q: %s\nwant %s", text, got, messages)
		}
		checkNoWarnings(t, doc, text)
	}
	head := `{"type":"user.message","data":{"content":"Pay."}}
{"type":"assistant.message","data":{"content":"I pay.","toolRequests":[{"toolCallId":"1","type":"function","name":"pay","arguments":"{\"n\":1}"}]}}
`
	start := `{"type":"tool.execution_start","data":{"toolCallId":"1","toolName":"pay","arguments":{"n":1}}}`
	tail := `{"type":"tool.execution_complete","data":{"toolCallId":"1","success":true,"result":{"content":"ok"}}}
{"type":"assistant.message","data":{"content":"Done.","toolRequests":[]}}`
	check("copilot-events", `pay({"n":1})=ok`, "user Pay. | assistant+ I pay. | tool ok | assistant Done.", head+tail)
	check("copilot-events", `pay({"n":1})=ok`, "user Pay. | assistant+ I pay. | tool ok | assistant Done.",
		head+start+"\n"+tail)
	check("copilot-events", `pay({"n":1})=ok`, "assistant+ | user Pay. | assistant I pay. | tool ok | assistant Done.", start+"\n"+head+tail)
	check("vscode-chat", `pay({"n":1})=paid 1`, "user Pay. | assistant+ | tool paid 1 | assistant Done. | user Thanks. | assistant Welcome!", `{"requests":[
{"message":{"text":"Pay."},"response":[{"value":"Done."}],"result":{"metadata":{"toolCallRounds":[{"response":"","toolCalls":[{"id":"1","name":"pay","arguments":"{\"n\":1}"}]},{"response":"Done.","toolCalls":[]}],"toolCallResults":{"1":{"content":[{"value":{"node":{"type":1,"ctorName":"x","children":[{"text":"paid"},{"text":" 1"}]}}}]}}}}},
{"message":{"text":"Thanks."},"response":[{"value":"Wel"},{"kind":"thinking","value":"hm"},{"value":"come!"}]}]}`)
	entry := `{"id":"1__vscode-1","kind":"toolCall","tool":"pay","args":"{\"n\":1}","response":["ok"]}`
	check("vscode-chat", `pay({"n":1})=ok`, "user Pay. | assistant+ I pay. | tool ok | assistant Done.", `{"prompts":[{"prompt":"Pay.","hasSeen":false,"logs":[{"id":"q","kind":"request","response":{"message":["I pay."]}}]},{"prompt":"Pay.","hasSeen":true,"logs":[`+entry+`,{"id":"q2","kind":"request","name":"panel/editAgent",
"requestMessages":{"messages":[{"role":0,"content":[{"type":1,"text":"Be kind."}]},{"role":2,"content":[],"toolCalls":[{"function":{"name":"pay","arguments":"{\"n\":1}"},"id":"1","type":"function"}]},{"role":3,"content":[{"type":1,"text":"ok"}],"toolCallId":"1"}]},"response":{"type":"success","message":["Done."]}}]}]}`)
	check("browser-use", `go({"url":"u"})=There.! wait({"s":3})=not executed! back()=Back. done({"text":"End.","success":true})=End.`,
		"assistant+ | tool There. | assistant+ | assistant+ | tool Back. | assistant+ End. | tool End.", `{"history":[
{"model_output":{"current_state":{},"action":[{"go":{"url":"u"}},{"wait":{"s":3}}]},"result":[{"is_done":false,"error":"There."}],"state":{"url":"u"}},
{"model_output":null,"result":[{"error":"no answer"}],"state":{"url":"u"}},
{"model_output":{"action":[{"back":null},{"done":{"text":"End.","success":true}}]},"result":[{"extracted_content":"Back.","error":null},{"is_done":true,"extracted_content":"End."}],"state":{"url":"u"}}]}`)
	check("cline-ui", `readFile({"path":"a"}) searchFiles({"path":"b","regex":"x"})=2 hits execute_command({"command":"make"})=one
two pay({"n":1})=no! execute_command({"command":"ls"})=a`, "user Fix it. | assistant+ I look. | tool 2 hits | assistant+ | tool one\ntwo | assistant+ | tool no | user Go on. | assistant+ | tool a | assistant Done.",
		`[{"ts":1,"type":"say","say":"task","text":"Fix it."},{"ts":2,"type":"say","say":"api_req_started","text":"{\"request\":\"x\"}"},{"ts":3,"type":"say","say":"reasoning","text":"hm"},{"ts":4,"type":"say","say":"text","text":"I look."},
{"ts":5,"type":"say","say":"tool","text":"{\"tool\":\"readFile\",\"path\":\"a\"}","partial":false},{"ts":6,"type":"ask","ask":"tool","text":"{\"tool\":\"searchFiles\",\"path\":\"b\",\"content\":\"2 hits\",\"regex\":\"x\"}"},
{"ts":7,"type":"ask","ask":"command","text":"make"},{"ts":8,"type":"ask","ask":"command_output","text":"one"},{"ts":9,"type":"say","say":"command_output","text":"two"},{"ts":10,"type":"ask","ask":"use_mcp_server","text":"{\"serverName\":\"s\",\"type\":\"use_mcp_tool\",\"toolName\":\"pay\",\"arguments\":\"{\\\"n\\\":1}\"}"},
{"ts":11,"type":"say","say":"error","text":"no"},{"ts":12,"type":"say","say":"user_feedback","text":"Go on."},{"ts":13,"type":"say","say":"command","text":"ls\nOutput:\na\n"},{"ts":14,"type":"say","say":"tool","text":"{\"tool\":\"rea","partial":true},{"ts":15,"type":"say","say":"completion_result","text":"Done."},{"ts":16,"type":"ask","ask":"completion_result","text":""}]`)
	check("kimi-wire", `Bash({"command":"ls"})=a Bash({"command":"cat x"})=no!`, "user Look. | assistant+ I look. | tool a | assistant+ | tool no | assistant Done.", `{"type":"metadata","protocol_version":"1.4"}
{"type":"config.update","systemPrompt":"Be kind."}
{"type":"turn.prompt","input":[{"type":"text","text":"Look."}]}
{"type":"context.append_message","message":{"role":"user","content":[{"type":"text","text":"Look."}],"toolCalls":[]}}
{"type":"context.append_loop_event","event":{"type":"step.begin","step":1}}
{"type":"context.append_loop_event","event":{"type":"content.part","part":{"type":"think","think":"hm"}}}
{"type":"context.append_loop_event","event":{"type":"content.part","part":{"type":"text","text":"I look."}}}
{"type":"context.append_loop_event","event":{"type":"tool.call","toolCallId":"1","name":"Bash","args":{"command":"ls"}}}
{"type":"context.append_loop_event","event":{"type":"tool.result","toolCallId":"1","result":{"output":"a"}}}
{"type":"context.append_loop_event","event":{"type":"tool.call","toolCallId":"2","name":"Bash","args":{"command":"cat x"}}}
{"type":"context.append_loop_event","event":{"type":"tool.result","toolCallId":"2","result":{"output":"no","isError":true}}}
{"type":"context.append_loop_event","event":{"type":"step.begin","step":2}}
{"type":"context.append_loop_event","event":{"type":"content.part","part":{"type":"text","text":"Done."}}}`)
	check("found-calls", `pay({"n":1}) ring()`, "assistant+ I pay.", `{"id":"m","type":"message-start","delta":{"message":{"role":"assistant","content":[],"tool_plan":"","tool_calls":[]}}}
{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"hm"}}}
{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"I "}}}}
{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"pay."}}}}
{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"1","type":"function","function":{"name":"pay","arguments":""}}}}}
{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"{\"n\""}}}}}
{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":":1}"}}}}}
{"type":"tool-call-end","index":0}
{"type":"tool-call-start","index":1,"delta":{"message":{"tool_calls":{"id":"2","type":"function","function":{"name":"ring","arguments":""}}}}}
{"type":"message-end","delta":{"finish_reason":"TOOL_CALL"}}`)
	check("swe-agent-traj", `pay({"n":1})=ok ls(ls -F)=a`, "system Be kind. | user Pay. | assistant+ I pay. | tool ok | assistant+ look | tool a", `{"trajectory":[{"action":"pay 1","observation":"ok","response":"I pay.","thought":"I pay."},{"action":"ls -F\n","observation":"a","response":"r","thought":"look"}],
"history":[{"role":"system","content":"Be kind."},{"role":"user","content":[{"type":"text","text":"Pay."}]},{"role":"assistant","content":"I pay.","action":"pay 1","tool_calls":[{"id":"1","type":"function","function":{"name":"pay","arguments":"{\"n\":1}"}}]},{"role":"tool","content":"ok","tool_call_ids":["1"]},{"role":"assistant","content":"look","action":"ls -F\n"},{"role":"user","content":"a"}]}`)
	use, no := `{"type":"server_tool_use","id":"1","name":"web_fetch","input":`, `{"type":"web_fetch_tool_result","tool_use_id":"1","content":{"type":"web_fetch_tool_result_error","error_code":"gone"}}`
	lost := `{"type":"web_fetch_tool_result_error","error_code":"gone"}`
	check("anthropic-messages", `web_fetch({"url":"u"})=`+lost+"!", "user Look. | assistant+ | tool "+lost+" | assistant Gone.", `[{"role":"user","content":"Look."},{"role":"assistant","content":[`+use+`{"url":"u"}},`+no+`,{"type":"text","text":"Gone."}]}]`)
	check("found-calls", `web_fetch({"url":"u"})=`+lost+"!", "assistant+ | tool "+lost+" | assistant Gone.", `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[]}}
{"type":"content_block_start","index":0,"content_block":`+use+`{}}}
{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"url\":\"u\"}"}}
{"type":"content_block_start","index":1,"content_block":`+no+`}
{"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}
{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"Gone."}}
{"type":"message_stop"}`)
	check("antigravity", `list({"path":"/r","n":5,"q":"x"})=a.txt run({})=no!`, "user List. | assistant+ | tool a.txt | tool no | assistant One file.", `{"step_index":0,"source":"USER_EXPLICIT","type":"USER_INPUT","status":"DONE","content":"<USER_REQUEST>\nList.\n</USER_REQUEST>\n<X>y</X>"}
{"step_index":1,"source":"SYSTEM","type":"CONVERSATION_HISTORY","status":"DONE"}
{"step_index":2,"source":"MODEL","type":"PLANNER_RESPONSE","status":"DONE","thinking":"hm","tool_calls":[{"name":"list","args":{"path":"\"/r\"","n":"5","q":"x"}},{"name":"run","args":{}}]}
{"step_index":3,"source":"MODEL","type":"LIST_DIRECTORY","status":"DONE","content":"a.txt"}
{"step_index":4,"source":"MODEL","type":"RUN_COMMAND","status":"ERROR","content":"no"}
{"step_index":5,"source":"MODEL","type":"PLANNER_RESPONSE","status":"DONE","content":"One file."}`)
	check("droid-stream", `Run({"c":"ls"})=a Run({"c":"ls"})=no!`, "user Look. | assistant+ | tool a | assistant+ | tool no | assistant Done.", `{"type":"message","session_id":"s","role":"user","text":"Look."}
{"type":"tool_call","session_id":"s","toolCallId":"1","toolName":"Run","parameters":{"c":"ls"},"id":"x"}
{"type":"tool_result","session_id":"s","toolCallId":"1","value":{"stdout":"a","exitCode":0},"id":"y"}
{"type":"tool_call","session_id":"s","id":"2","toolId":"Run","toolName":"Run","parameters":{"c":"ls"}}
{"type":"tool_result","session_id":"s","id":"2","toolId":"Run","isError":true,"value":"no"}
{"type":"completion","session_id":"s","finalText":"Done."}`)
	check("anthropic-messages", `Bash({"c":"ls"})=a Bash({"c":"pwd"})`, "user Look. | assistant+ | tool a | assistant+ I go on. | assistant Done.", `{"role":"user","message":{"content":[{"type":"text","text":"Look."}]}}
{"role":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","input":{"c":"ls"}}]}}
{"role":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"a"}]}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"I go on."},{"type":"tool_use","name":"Bash","input":{"c":"pwd"}}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"Done."}]}}
{"type":"turn_ended","status":"success"}`)
	check("langchain-messages", `read({"f":"a"})=x web_search({"query":"q"})`, "system Be kind. | user Look. | assistant+ | tool x | assistant+ | assistant Done.", `{"type":"system","content":"Be kind."}
{"type":"user","content":[{"type":"text","text":"Look."}]}
{"type":"assistant","content":"","tool_calls":[{"id":"1","name":"read","arguments":"{\"f\":\"a\"}"}]}
{"type":"tool_result","tool_call_id":"1","content":"x"}
{"type":"backend_tool_call","kind":{"tool_type":"web_search","action":{"query":"q"},"id":"ws_1","status":"completed"}}
{"type":"assistant","content":"Done."}`)
	check("found-calls", `find({"q":"x"})=r`, "user Find it. | assistant+ | tool r | assistant Found. | user Stop. | assistant Yes.",
		`[{"user":"Find it.","assistant":"Found.","tool_calls":[{"tool_name":"find","args":{"q":"x"},"result":"r","tool_call_id":"1"}]},{"user":"Stop.","assistant":"Yes.","tool_calls":[]}]`)
	check("found-calls", `Get({"city":"B"})=rain`, "user Weather? | assistant+ | tool rain | assistant It rains.", `[{"Role":{"Label":"user"},"Items":[{"$type":"TextContent","Text":"Weather?"}]},{"Role":{"Label":"assistant"},"Items":[{"$type":"FunctionCallContent","Id":"1","PluginName":"P","FunctionName":"Get","Arguments":{"city":"B"}}]},
{"Role":{"Label":"tool"},"Items":[{"$type":"FunctionResultContent","CallId":"1","PluginName":"P","FunctionName":"Get","Result":"rain"}]},{"Role":{"Label":"assistant"},"Items":[{"$type":"TextContent","Text":"It rains."}]}]`)
	line := func(uuid, kind, more, content string) string {
		return `{"sessionId":"s","uuid":"` + uuid + `","type":"` + kind + `",` + more + `"message":{"role":"` + kind + `","content":` + content + "}}\n"
	}
	check("claude-code-jsonl", `Bash({"c":"ls"})=a`, "user Look. | assistant+ | tool a", line("1", "user", "", `"Look."`)+line("2", "user", `"isMeta":true,`, `"Caveat"`)+
		line("3", "assistant", "", `[{"type":"tool_use","name":"Bash","input":{"c":"ls"}}]`)+line("4", "user", `"isMeta":true,`, `[{"type":"tool_result","content":"a"}]`))
	check("langfuse-trace", `pay({"n":1})`, "assistant+ | assistant Done.", `{"id":"t","observations":[{"id":"1","traceId":"t","type":"GENERATION","startTime":"1","output":{"content":{"parts":[{"function_call":{"name":"pay","args":{"n":1}}}],"role":"model"}}},
{"id":"2","traceId":"t","type":"GENERATION","startTime":"2","output":{"content":{"parts":[{"text":"Done."}],"role":"model"}}}]}`)
	check("api-bank", `Get({"n":"x"})={"t":1} Add({})=no!`, "user Hi. | assistant+ Hello. | tool {\"t\":1} | assistant+ | tool no | assistant Sorry.", `{"role":"User","text":"Hi."}
{"role":"AI","text":"Hello."}
{"role":"API","api_name":"Get","param_dict":{"n":"x"},"result":{"api_name":"Get","input":{"n":"x"},"output":{"t":1},"exception":null}}
{"role":"API","api_name":"Add","param_dict":{},"result":{"output":null,"exception":"no"}}
{"role":"AI","text":"Sorry."}`)
	check("openhands-v0", `run({"command":"ls"})=a run({"command":"cat x"})=none! finish({"outputs":{}})`, "user Fix it. | assistant+ I look. | tool a | assistant+ | tool none | assistant+ Done.", `{"issue":{"number":1},"instruction":"Fix it.","git_patch":"","history":[{"content":"Fix it.","action":"message","wait_for_response":false},
{"action":"run","command":"ls","thought":"I look.","is_confirmed":"confirmed"},{"observation":"run","content":"a","command":"ls","exit_code":0},
{"action":"run","command":"cat x","thought":""},{"observation":"run","content":"none","extras":{"exit_code":1}},{"outputs":{},"thought":"Done.","action":"finish"}],"success":true}`)
	check("google-interactions", `google_search({"queries":["q"]})=[{"title":"t"}]`, "user Look. | assistant+ | tool [{\"title\":\"t\"}] | assistant Found.", `{"id":"v1","status":"completed","object":"interaction","steps":[{"type":"user_input","content":[{"type":"text","text":"Look."}]},
{"id":"k1","type":"google_search_call","arguments":{"queries":["q"]}},{"call_id":"k1","type":"google_search_result","result":[{"title":"t"}]},{"type":"model_output","content":[{"type":"text","text":"Found."}]}]}`)
}

// TestOtherLanguages checks the errors for texts in YAML and Markdown. A similar text
// around JSON must not be an error.
func TestOtherLanguages(t *testing.T) {
	call := `{"role":"assistant","tool_calls":[{"id":"1","name":"pay","arguments":{}}]}`
	for text, want := range map[string]string{
		"interactions:\n- request:\n    body: '{\"messages\": [" + call + "]}'\n": "",
		"---\nversion: 2\n# x\nlist:\n  body: |\n    " + call:                     "",
		"a:\n  b: &x 1\n  c: *x\n":                                                "the input is YAML",
		"# Chat\n\nHello, I list (all) files.\n":                                  "the input is Markdown",
		"<!-- by X -->\n\n## Chat\n\n```json\n[R]\n```\n":                         "the input is Markdown",
		"#hash {":                                "the input is plain text",
		"Steps:\n- I pay.\n[" + call + "]":       "",
		"INFO: start\nINFO: pay\n[" + call + "]": "",
		"Trace:\n" + call + "\n" + `{"role":"tool","tool_call_id":"1","content":"ok: yes"}`: "",
		"# Chat\n\n```json\n[" + call + "]\n```\n":                                          "",
	} {
		_, err := Decode([]byte(text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// formatMessages returns a document's messages as text.
func formatMessages(doc trajectory.Document) string {
	return joinMessages(doc, func(m trajectory.Message) string {
		return strings.TrimSpace(m.Role + shape.IfElse(m.Calls, "+ ", " ") + m.Text)
	})
}
