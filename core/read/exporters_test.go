package read

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// showRuns describes each run: its id, its calls with arguments and results ("!" for a
// failure), the steps of its reference after "<" ("?" where arguments do not matter), its
// reward and its success.
func showRuns(doc *trajectory.Document) string {
	var out []string
	for i := range doc.Trajectories {
		t := &doc.Trajectories[i]
		parts := []string{t.ID + ":"}
		for _, a := range t.Actions {
			call := a.Name + shape.IfElse(a.Text != "", a.Text, a.Arguments.Raw()+a.Broken)
			if a.Observation != nil {
				call += "=" + a.Observation.Text + shape.IfElse(a.Observation.Error, "!", "")
			}
			parts = append(parts, call)
		}
		if t.Reference != nil {
			parts = append(parts, "<")
			for _, s := range t.Reference.Steps {
				parts = append(parts, shape.IfElse(s.MustNot, "not ", "")+s.Name+shape.IfElse(s.Compare != nil && len(s.Compare) == 0, "?", s.Arguments.Raw()))
			}
		}
		if t.Reward != nil {
			parts = append(parts, fmt.Sprint(*t.Reward))
		}
		if t.Success != nil {
			parts = append(parts, fmt.Sprint(*t.Success))
		}
		out = append(out, strings.Join(parts, " "))
	}
	return strings.Join(out, " | ")
}

// TestExporters reads small files in the form of each exporter: several records, equal ids
// in different records, failures, and expected sides. Each want was written from the
// exporter's own source before the decoder.
func TestExporters(t *testing.T) {
	for _, c := range []struct{ format, name, text, want string }{
		{"mlflow-trace", "two v3 traces with equal span ids", `[
{"info":{"trace_id":"tr-1","state":"OK"},"data":{"spans":[{"trace_id":"YQ==","span_id":"cw==","name":"cancel","start_time_unix_nano":1,"status":{"code":"STATUS_CODE_OK"},"attributes":{"mlflow.spanType":"\"TOOL\"","mlflow.spanInputs":"{\"id\":\"A\"}","mlflow.spanOutputs":"\"done\""}}]}},
{"info":{"trace_id":"tr-2","state":"ERROR"},"data":{"spans":[{"trace_id":"YQ==","span_id":"cw==","name":"cancel","start_time_unix_nano":1,"status":{"code":"STATUS_CODE_ERROR","message":"no order"},"attributes":{"mlflow.spanType":"\"TOOL\"","mlflow.spanInputs":"{\"id\":\"B\"}"}}]}}]`,
			`tr-1: cancel{"id":"A"}=done | tr-2: cancel{"id":"B"}=no order! false`},
		{"mlflow-trace", "expectations and a wrapper span", `{"info":{"request_id":"tr-3","status":"OK","assessments":[{"assessment_name":"expected_tool_calls","expectation":{"value":[{"name":"cancel","arguments":{"id":"A"}}]}}]},"data":{"spans":[{"name":"ToolManager.handle_call","context":{"span_id":"0x1","trace_id":"0x2"},"parent_id":null,"start_time":5,"status_code":"OK","attributes":{"mlflow.spanType":"\"TOOL\"","mlflow.spanInputs":"{\"call\":{\"tool_name\":\"cancel\",\"args\":{\"id\":\"B\"},\"tool_call_id\":\"c1\"}}","mlflow.spanOutputs":"{\"ok\":true}"}}]}}`,
			`tr-3: cancel{"id":"B"}={"ok":true} < cancel{"id":"A"}`},
		{"mlflow-trace", "an evaluation table", `[{"trace_id":"tr-4","trace":"{\"info\":{\"trace_id\":\"tr-4\"},\"data\":{\"spans\":[{\"trace_id\":\"a\",\"span_id\":\"b\",\"name\":\"cancel\",\"start_time_unix_nano\":1,\"status\":{\"code\":\"STATUS_CODE_OK\"},\"attributes\":{\"mlflow.spanType\":\"\\\"TOOL\\\"\",\"mlflow.spanInputs\":\"{\\\"id\\\":1}\",\"mlflow.spanOutputs\":\"1\"}}]}}","expected_tool_calls/value":[{"name":"cancel","arguments":{"id":2}}],"correctness/value":"yes"},
{"trace_id":"tr-5","trace":"{\"info\":{\"trace_id\":\"tr-5\"},\"data\":{\"spans\":[{\"trace_id\":\"a\",\"span_id\":\"b\",\"name\":\"agent\",\"start_time_unix_nano\":1,\"status\":{\"code\":\"STATUS_CODE_OK\"},\"attributes\":{\"mlflow.spanType\":\"\\\"AGENT\\\"\",\"mlflow.spanInputs\":\"{\\\"question\\\":1}\"}}]}}","expected_tool_calls/value":[]}]`,
			`tr-4: cancel{"id":1}=1 < cancel{"id":2} | tr-5: <`},
		{"mlflow-trace", "the model's calls and their spans are the same calls", `{"info":{"trace_id":"tr-6"},"data":{"spans":[
{"trace_id":"a","span_id":"1","name":"Completions","start_time_unix_nano":1,"status":{"code":"STATUS_CODE_OK"},"attributes":{"mlflow.spanType":"\"CHAT_MODEL\"","mlflow.spanInputs":"{\"messages\":[{\"role\":\"user\",\"content\":\"Cancel A\"}]}","mlflow.spanOutputs":"{\"choices\":[{\"message\":{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"cancel\",\"arguments\":\"{\\\"id\\\":\\\"A\\\"}\"}}]}}]}"}},
{"trace_id":"a","span_id":"2","name":"cancel","start_time_unix_nano":2,"status":{"code":"STATUS_CODE_OK"},"attributes":{"mlflow.spanType":"\"TOOL\"","mlflow.spanInputs":"{\"id\":\"A\"}","mlflow.spanOutputs":"\"done\""}}]}}`,
			`tr-6: cancel{"id":"A"}=done`},
		{"mlflow-trace", "a served agent's answer, and a failure in an event", `{"object":"response","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}],"id":"r","databricks_output":{"trace":{"info":{"trace_id":"tr-7"},"data":{"spans":[{"trace_id":"a","span_id":"1","name":"cancel","start_time_unix_nano":1,"status":{"code":"STATUS_CODE_ERROR","message":""},"events":[{"name":"exception","attributes":{"exception.message":"no order","exception.type":"E"}}],"attributes":{"mlflow.spanType":"\"TOOL\"","mlflow.spanInputs":"{\"id\":\"A\"}"}}]}}}}`,
			`tr-7: cancel{"id":"A"}=no order!`},

		{"langfuse-trace", "v2 observations of two traces", `{"data":[{"id":"o1","traceId":"t1","type":"TOOL","name":"cancel","startTime":"2026-01-01T00:00:02Z","level":"DEFAULT","input":"{\"id\":\"A\"}","output":"\"done\""},{"id":"o1","traceId":"t2","type":"TOOL","name":"cancel","startTime":"2026-01-01T00:00:01Z","level":"ERROR","statusMessage":"no order","input":{"id":"B"},"output":null}],"meta":{"cursor":null}}`,
			`t1: cancel{"id":"A"}=done | t2: cancel{"id":"B"}=no order!`},

		{"promptfoo", "two tests with equal ids of calls", `{"evalId":"e","results":{"version":3,"results":[
{"id":"r1","testIdx":0,"promptIdx":0,"vars":{"id":"A"},"prompt":{"raw":"Cancel A"},"testCase":{"description":"first","assert":[{"type":"tool-call-f1","value":["cancel"]}]},"response":{"output":[{"id":"1","type":"function","function":{"name":"cancel","arguments":"{\"id\":\"A\"}"}}]},"success":true,"score":1},
{"id":"r2","testIdx":1,"promptIdx":0,"vars":{"id":"B"},"prompt":{"raw":"[{\"role\":\"user\",\"content\":\"Cancel B\"}]"},"testCase":{"assert":[{"type":"trajectory:tool-args-match","value":{"name":"cancel","args":{"id":"B"},"mode":"exact"}},{"type":"not-trajectory:tool-used","value":"drop"}]},"response":{"output":"I drop it.\n\n{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"drop\",\"input\":{\"id\":\"B\"}}"},"success":false,"score":0.5}],"stats":{}}}`,
			`r1: cancel{"id":"A"} < cancel? 1 true | r2: drop{"id":"B"} < cancel{"id":"B"} not drop? 0.5 false`},
		{"promptfoo", "calls in the metadata of an agent", `{"results":{"results":[{"testIdx":0,"promptIdx":0,"vars":{},"prompt":{"raw":"x"},"testCase":{"assert":[{"type":"trajectory:tool-sequence","value":{"mode":"exact","steps":["find",{"name":"cancel"}]}}]},"response":{"output":"Done.","metadata":{"toolCalls":[{"id":"t1","name":"cancel","input":{"id":"A"},"output":"no order","is_error":true}]}},"success":false,"score":0,"error":"x"}]}}`,
			`0: cancel{"id":"A"}=no order! < find? cancel? 0 false`},
		{"promptfoo", "lines, and a row without a response", `{"testIdx":0,"promptIdx":0,"vars":{},"prompt":{"raw":"x"},"testCase":{},"response":{"output":{"content":"ok","tool_calls":[{"id":"1","type":"function","function":{"name":"cancel","arguments":"{}"}}]}},"success":true,"score":1,"gradingResult":null}
{"testIdx":1,"promptIdx":0,"vars":{},"prompt":{"raw":"y"},"testCase":{},"error":"API error","success":false,"score":0,"gradingResult":null}`,
			`0: cancel{} 1 true | 1: 0 false`},

		{"adk-eval-result", "both sides and two cases", `{"eval_set_result_id":"s","eval_set_id":"s","eval_case_results":[
{"eval_id":"c1","final_eval_status":1,"eval_metric_result_per_invocation":[{"actual_invocation":{"user_content":{"role":"user","parts":[{"text":"Cancel A"}]},"intermediate_data":{"tool_uses":[{"id":"1","name":"cancel","args":{"id":"A"}}],"tool_responses":[{"id":"1","name":"cancel","response":{"status":"ok"}}]}},"expected_invocation":{"intermediate_data":{"tool_uses":[{"name":"cancel","args":{"id":"A"}}]}}}],"session_id":"x"},
{"eval_id":"c2","final_eval_status":2,"eval_metric_result_per_invocation":[{"actual_invocation":{"intermediate_data":{"invocation_events":[{"author":"a","content":{"role":"model","parts":[{"function_call":{"id":"1","name":"drop","args":{"id":"B"}}}]}},{"author":"a","content":{"role":"user","parts":[{"function_response":{"id":"1","name":"drop","response":{"error":"no order"}}}]}}]}},"expected_invocation":{"intermediate_data":{"tool_uses":[]}}}],"session_id":"y"}]}`,
			`c1: cancel{"id":"A"}={"status":"ok"} < cancel{"id":"A"} true | c2: drop{"id":"B"}={"error":"no order"}! < false`},
		{"adk-eval-result", "camel case", `{"evalSetResultId":"s","evalCaseResults":[{"evalId":"c1","finalEvalStatus":3,"evalMetricResultPerInvocation":[{"actualInvocation":{"userContent":{"parts":[{"text":"x"}]},"intermediateData":{"toolUses":[{"name":"cancel","args":{"id":"A"}}]}},"expectedInvocation":null}]}]}`,
			`c1: cancel{"id":"A"}`},
		{"adk-eval-result", "calls in the session only", `{"eval_set_id":"s","eval_case_results":[{"eval_id":"c1","final_eval_status":2,"eval_metric_result_per_invocation":[],"session_details":{"id":"z","events":[{"author":"user","content":{"role":"user","parts":[{"text":"x"}]}},{"author":"a","content":{"role":"model","parts":[{"function_call":{"id":"1","name":"cancel","args":{"id":"A"}}}]}},{"author":"a","content":{"role":"user","parts":[{"function_response":{"id":"1","name":"cancel","response":{"result":"done"}}}]}}]}}]}`,
			`c1: cancel{"id":"A"}=done false`},

		{"bedrock-agent-trace", "lines of two sessions", `{"sessionId":"s1","trace":{"orchestrationTrace":{"invocationInput":{"invocationType":"ACTION_GROUP","traceId":"1","actionGroupInvocationInput":{"actionGroupName":"orders","function":"cancel","parameters":[{"name":"id","type":"string","value":"A"},{"name":"n","type":"number","value":"2"}]}}}}}
{"sessionId":"s1","trace":{"orchestrationTrace":{"observation":{"traceId":"1","type":"ACTION_GROUP","actionGroupInvocationOutput":{"text":"done"}}}}}
{"sessionId":"s2","trace":{"orchestrationTrace":{"invocationInput":{"traceId":"1","actionGroupInvocationInput":{"actionGroupName":"orders","apiPath":"/orders/{id}","verb":"delete","parameters":[{"name":"id","type":"string","value":"B"}],"requestBody":{"content":{"application/json":[{"name":"why","type":"string","value":"w"}]}}}}}}}
{"sessionId":"s2","trace":{"orchestrationTrace":{"observation":{"traceId":"1","type":"ACTION_GROUP","actionGroupInvocationOutput":{"text":"{\"error\":\"no order\"}"}}}}}`,
			`s1: cancel{"id":"A","n":2}=done | s2: DELETE::orders::/orders/{id}{"id":"B","why":"w"}={"error":"no order"}!`},
		{"bedrock-agent-trace", "the stream of one answer", `[{"chunk":{"bytes":"aGk="}},{"trace":{"sessionId":"s","trace":{"orchestrationTrace":{"rationale":{"text":"I look.","traceId":"1"}}}}},{"trace":{"sessionId":"s","trace":{"orchestrationTrace":{"invocationInput":{"traceId":"1","invocationType":"KNOWLEDGE_BASE","knowledgeBaseLookupInput":{"text":"returns","knowledgeBaseId":"K"}}}}}},{"trace":{"sessionId":"s","trace":{"orchestrationTrace":{"observation":{"traceId":"1","type":"KNOWLEDGE_BASE","knowledgeBaseLookupOutput":{"retrievedReferences":[{"content":{"text":"30 days"}}]}}}}}},{"trace":{"sessionId":"s","trace":{"orchestrationTrace":{"observation":{"traceId":"1","type":"FINISH","finalResponse":{"text":"30 days."}}}}}}]`,
			`s: knowledge_base_lookup{"text":"returns","knowledgeBaseId":"K"}=30 days`},
		{"bedrock-agent-trace", "a call that waits for its caller", `{"completion":[{"trace":{"sessionId":"s","trace":{"orchestrationTrace":{"modelInvocationInput":{"type":"ORCHESTRATION","text":"x","traceId":"1"}}}}},{"returnControl":{"invocationId":"i","invocationInputs":[{"functionInvocationInput":{"actionGroup":"orders","function":"cancel","parameters":[{"name":"id","type":"string","value":"A"}]}}]}}]}`,
			`s: cancel{"id":"A"}`},

		{"mastra-trace", "spans of two traces as an exporter writes them, with older names", `{"id":"1","traceId":"t1","name":"tool: 'cancel'","type":"tool_call","startTime":"2026-01-01T00:00:01Z","isRootSpan":false,"isEvent":false,"input":{"id":"A"},"output":{"ok":true},"attributes":{"success":true}}
{"id":"1","traceId":"t2","name":"mcp_tool: 'drop' on 'shop'","type":"mcp_tool_call","startTime":"2026-01-01T00:00:01Z","isRootSpan":false,"isEvent":false,"input":"{\"id\":\"B\"}","errorInfo":{"message":"no order"},"attributes":{}}
{"id":"0","traceId":"t2","name":"workflow step: 'x'","type":"workflow_step","startTime":"2026-01-01T00:00:00Z","isRootSpan":true,"isEvent":false,"input":{"id":"B"},"output":{}}`,
			`t1: cancel{"id":"A"}={"ok":true} | t2: drop{"id":"B"}=no order!`},
		{"mastra-trace", "the model's call and its span are one call", `{"traceId":"t","spans":[{"traceId":"t","spanId":"2","name":"llm: 'm'","spanType":"model_generation","startedAt":"2026-01-01T00:00:01Z","isEvent":false,"input":{"messages":[{"role":"user","content":"x"}]},"output":{"messages":[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c","toolName":"cancel","input":{"id":"A"}}]}]}},
{"traceId":"t","spanId":"3","name":"tool: 'cancel'","entityName":"cancel","spanType":"tool_call","startedAt":"2026-01-01T00:00:02Z","isEvent":false,"input":{"id":"A"},"output":"done","attributes":{"toolCallId":"c"}}]}`,
			`t: cancel{"id":"A"}=done`},

		{"toolsandbox", "code that is no single call, and two runs", `[{"_dbs":{"SANDBOX":[{"sandbox_message_index":1,"sender":"AGENT","recipient":"EXECUTION_ENVIRONMENT","content":"print(1)","openai_tool_call_id":"c","openai_function_name":"f"},{"sandbox_message_index":2,"sender":"EXECUTION_ENVIRONMENT","recipient":"AGENT","content":"1","openai_tool_call_id":"c","openai_function_name":"f"}]}},
{"_dbs":{"SANDBOX":[{"sandbox_message_index":1,"sender":"AGENT","recipient":"EXECUTION_ENVIRONMENT","content":"c_parameters = {'on': True, 'who': None}\nc_response = set_wifi(**c_parameters)\nprint(repr(c_response))","openai_tool_call_id":"c","openai_function_name":"f"},{"sandbox_message_index":2,"sender":"EXECUTION_ENVIRONMENT","recipient":"AGENT","content":"no","openai_tool_call_id":"c","openai_function_name":"f","tool_call_exception":"ValueError: no"}]}}]`,
			`1: python{"code":"print(1)"}=1 | 2: set_wifi{"on": true, "who": null}=no!`},

		{"appworld", "older headings, a failed call among others, and a cut", "\n### Environment Interaction 1.1\n----\n```python\na = apis.shop.cancel(id=1)\napis.shop.refund(id=1)\n```\n\n```\nExecution failed. Traceback:\nException: no\n```\n\n\n### Environment Interaction 2\n----\n```python\napis.shop.cancel(id=2)",
			"1: python{\"code\":\"a = apis.shop.cancel(id=1)\\napis.shop.refund(id=1)\"}=Execution failed. Traceback:\nException: no python{\"code\":\"apis.shop.cancel(id=2)\"}"},

		{"weave-calls", "two traces", `{"id":"1","op_name":"weave:///e/p/op/cancel:abc","trace_id":"t1","parent_id":null,"started_at":"2026-01-01T00:00:01Z","attributes":{"weave":{"kind":"tool"}},"inputs":{"self":"weave:///e/p/object/D:x","id":"A"},"output":"done","exception":null,"summary":{}}
{"id":"2","op_name":"weave:///e/p/op/cancel:abc","trace_id":"t2","parent_id":null,"started_at":"2026-01-01T00:00:01Z","attributes":{"kind":"tool"},"inputs":{"id":"B"},"output":null,"exception":"ValueError: no order","summary":{}}`,
			`t1: cancel{"id":"A"}=done | t2: cancel{"id":"B"}=ValueError: no order!`},
		{"weave-calls", "a model that asks for an op without a kind", `[{"id":"1","op_name":"weave:///e/p/op/openai.chat.completions.create:d","trace_id":"t","parent_id":"0","started_at":"2026-01-01T00:00:01Z","attributes":{},"inputs":{"self":{},"model":"m","messages":[{"role":"user","content":"Cancel A"}]},"output":{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"cancel","arguments":"{\"id\":\"A\"}"}}]}}]}},
{"id":"2","op_name":"weave:///e/p/op/cancel:d","trace_id":"t","parent_id":"0","started_at":"2026-01-01T00:00:02Z","attributes":{},"inputs":{"id":"A"},"output":{"ok":true}},
{"id":"0","op_name":"weave:///e/p/op/agent:d","trace_id":"t","parent_id":null,"started_at":"2026-01-01T00:00:00Z","attributes":{},"inputs":{"question":"Cancel A"},"output":"Done."}]`,
			`t: cancel{"id":"A"}={"ok":true}`},
		{"weave-calls", "an evaluation has one run for each example", `[{"id":"e","op_name":"weave:///e/p/op/Evaluation.evaluate:d","trace_id":"t","parent_id":null,"started_at":"2026-01-01T00:00:00Z","attributes":{},"inputs":{},"output":{}},
{"id":"p1","op_name":"weave:///e/p/op/Evaluation.predict_and_score:d","trace_id":"t","parent_id":"e","started_at":"2026-01-01T00:00:01Z","attributes":{},"inputs":{"example":{"question":"A","expected_tools":["cancel"]}},"output":{"output":"ok","scores":{"right":{"pass":true}}}},
{"id":"c1","op_name":"weave:///e/p/op/cancel:d","trace_id":"t","parent_id":"p1","started_at":"2026-01-01T00:00:02Z","attributes":{"kind":"tool"},"inputs":{"id":"A"},"output":"done"},
{"id":"p2","op_name":"weave:///e/p/op/Evaluation.predict_and_score:d","trace_id":"t","parent_id":"e","started_at":"2026-01-01T00:00:03Z","attributes":{},"inputs":{"example":{"question":"B","expected_tools":["drop"]}},"output":{"output":"ok"}},
{"id":"c2","op_name":"weave:///e/p/op/cancel:d","trace_id":"t","parent_id":"p2","started_at":"2026-01-01T00:00:04Z","attributes":{"kind":"tool"},"inputs":{"id":"A"},"output":"done"}]`,
			`p1: cancel{"id":"A"}=done < cancel? true | p2: cancel{"id":"A"}=done < drop?`},

		{"braintrust", "an experiment of two cases", `[{"id":"1","span_id":"s1","root_span_id":"s1","span_parents":null,"span_attributes":{"name":"eval","type":"eval"},"input":"Cancel A","output":"ok","expected":{"tool_calls":[{"name":"cancel","arguments":{"id":"A"}}]},"scores":{"right":1},"metrics":{"start":1}},
{"id":"2","span_id":"s2","root_span_id":"s1","span_parents":["s1"],"span_attributes":{"name":"cancel","type":"tool"},"input":{"id":"A"},"output":"done","metrics":{"start":2}},
{"id":"3","span_id":"s3","root_span_id":"s3","span_parents":null,"span_attributes":{"name":"eval","type":"eval"},"input":"Cancel B","output":null,"expected":{"tool_calls":[]},"scores":{"right":0},"metrics":{"start":3}},
{"id":"4","span_id":"s4","root_span_id":"s3","span_parents":["s3"],"span_attributes":{"name":"cancel","type":"tool"},"input":{"id":"A"},"output":null,"error":"no order","metrics":{"start":4}}]`,
			`s1: cancel{"id":"A"}=done < cancel{"id":"A"} 1 true | s3: cancel{"id":"A"}=no order! < 0 false`},
		{"braintrust", "a log that the query returns, newest first", `{"data":[{"id":"3","span_id":"c","root_span_id":"a","span_parents":["a"],"span_attributes":{"name":"cancel","type":"tool"},"input":{"id":"A"},"output":{"ok":1},"metrics":{"start":9.5}},
{"id":"2","span_id":"b","root_span_id":"a","span_parents":["a"],"span_attributes":{"name":"Chat Completion","type":"llm"},"input":[{"role":"user","content":"Cancel A"}],"output":[{"finish_reason":"tool_calls","index":0,"message":{"role":"assistant","tool_calls":[{"id":"x","type":"function","function":{"name":"cancel","arguments":"{\"id\":\"A\"}"}}]}}],"metrics":{"start":9.25}},
{"id":"1","span_id":"a","root_span_id":"a","span_parents":null,"span_attributes":{"name":"agent","type":"task"},"input":{"question":"Cancel A"},"output":"ok","metrics":{"start":9}}],"cursor":"z"}`,
			`a: cancel{"id":"A"}={"ok":1}`},
		{"braintrust", "only the roots of an experiment", `{"id":"1","span_id":"s1","root_span_id":"s1","span_attributes":{"name":"eval","type":"eval"},"input":"Cancel A","output":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"cancel","arguments":"{}"}}]}],"expected":["cancel"],"scores":{"a":1,"b":0}}
{"id":"2","span_id":"s2","root_span_id":"s2","span_attributes":{"name":"eval","type":"eval"},"input":"Cancel B","output":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"drop","arguments":"{}"}}]}],"expected":null,"scores":{}}`,
			`s1: cancel{} < cancel? | s2: drop{}`},

		{"phoenix-spans", "rows of a frame", `[{"name":"cancel","span_kind":"TOOL","parent_id":"0","start_time":1767225602000,"status_code":"OK","context.span_id":"1","context.trace_id":"t1","attributes.tool.name":"cancel","attributes.input.value":"{\"id\":\"A\"}","attributes.output.value":"done","attributes.openinference.span.kind":"TOOL"},
{"name":"cancel","span_kind":"TOOL","parent_id":"0","start_time":1767225601000,"status_code":"ERROR","status_message":"no order","context.span_id":"1","context.trace_id":"t2","attributes.tool.name":"cancel","attributes.tool.parameters":{"id":"B"},"attributes.input.value":null,"attributes.output.value":null}]`,
			`t1: cancel{"id":"A"}=done | t2: cancel{"id":"B"}=no order!`},
		{"phoenix-spans", "messages in columns", `[{"name":"ChatCompletion","span_kind":"LLM","start_time":"2026-01-01T00:00:01+00:00","status_code":"OK","context.span_id":"1","context.trace_id":"t","attributes.llm.input_messages":[{"message.role":"user","message.content":"Cancel A"}],"attributes.llm.output_messages":[{"message.role":"assistant","message.tool_calls":[{"tool_call.id":"c","tool_call.function.name":"cancel","tool_call.function.arguments":"{\"id\": \"A\"}"}]}]},
{"name":"cancel","span_kind":"TOOL","start_time":"2026-01-01T00:00:02+00:00","status_code":"OK","context.span_id":"2","context.trace_id":"t","attributes.tool.name":"cancel","attributes.input.value":"{\"id\": \"A\"}","attributes.output.value":"done"}]`,
			`t: cancel{"id": "A"}=done`},
		{"phoenix-spans", "nested attributes", `{"data":[{"id":"x","name":"cancel","context":{"trace_id":"t","span_id":"1"},"span_kind":"TOOL","parent_id":null,"start_time":"2026-01-01T00:00:01Z","status_code":"OK","attributes":{"openinference":{"span":{"kind":"TOOL"}},"tool":{"name":"cancel"},"input":{"value":"{\"id\":\"A\"}","mime_type":"application/json"},"output":{"value":"done"}},"events":[]}],"next_cursor":null}`,
			`t: cancel{"id":"A"}=done`},
		{"phoenix-spans", "rows without a kind, and a failure in an event", `{"name":"agent","context.span_id":"0","context.trace_id":"t","attributes.openinference.span.kind":"CHAIN","start_time":1,"attributes.input.value":"q"}
{"name":"cancel","context.span_id":"1","context.trace_id":"t","attributes.openinference.span.kind":"TOOL","start_time":2,"status_code":"ERROR","status_message":"","events":[{"name":"exception","attributes":{"exception.message":"no order"}}],"attributes.input.value":"{\"id\":\"A\"}"}`,
			`t: cancel{"id":"A"}=no order!`},

		{"dify", "the messages of two conversations", `{"limit":20,"has_more":false,"data":[
{"id":"m2","conversation_id":"c1","query":"And B","answer":"No.","created_at":20,"agent_thoughts":[{"id":"h2","position":1,"thought":"","tool":"cancel","tool_input":"{\"cancel\": {\"id\": \"B\"}}","observation":"{\"cancel\": \"tool invoke error: no order\"}"}]},
{"id":"m1","conversation_id":"c1","query":"Cancel A","answer":"Done.","created_at":10,"agent_thoughts":[{"id":"h1","position":1,"thought":"","tool":"find;cancel","tool_input":"{\"find\": {\"q\": \"A\"}, \"cancel\": {\"id\": \"A\"}}","observation":"{\"find\": \"A\", \"cancel\": \"done\"}"},{"id":"h0","position":2,"thought":"Done.","tool":"","tool_input":"","observation":""}]},
{"id":"m3","conversation_id":"c2","query":"x","answer":"y","created_at":30,"agent_thoughts":[]}]}`,
			`c1: find{"q": "A"}=A cancel{"id": "A"}=done cancel{"id": "B"}=tool invoke error: no order! | c2:`},
		{"dify", "one message with plain inputs", `{"id":"m1","conversation_id":"c","query":"x","answer":"y","agent_thoughts":[{"id":"h","position":1,"tool":"cancel","tool_input":"{\"id\": 7}","observation":"done"}]}`,
			`c: cancel{"id": 7}=done`},
		{"dify", "a stream", `data: {"event":"agent_message","message_id":"m","conversation_id":"c","answer":""}

data: {"event":"agent_thought","id":"h","message_id":"m","conversation_id":"c","position":1,"thought":"","observation":"","tool":"cancel","tool_input":"{\"cancel\": {\"id\": \"A\"}}"}

data: {"event":"agent_thought","id":"h","message_id":"m","conversation_id":"c","position":1,"thought":"","observation":"{\"cancel\": \"done\"}","tool":"cancel","tool_input":"{\"cancel\": {\"id\": \"A\"}}"}

data: {"event":"message_end","message_id":"m","conversation_id":"c","metadata":{}}
`, `c: cancel{"id": "A"}=done`},

		{"openai-evals", "two output items", `{"object":"list","data":[
{"object":"eval.run.output_item","id":"o1","run_id":"r","eval_id":"e","status":"pass","datasource_item_id":0,"datasource_item":{"item":{"question":"Cancel A","expected_tools":["cancel"]}},"results":[{"name":"g","passed":true,"score":1}],"sample":{"input":[{"role":"user","content":"Cancel A"}],"output":[{"role":"assistant","content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"cancel","arguments":"{\"id\":\"A\"}"}}]}],"model":"m"}},
{"object":"eval.run.output_item","id":"o2","run_id":"r","eval_id":"e","status":"fail","datasource_item_id":1,"datasource_item":{"question":"Cancel B"},"results":[{"name":"g","passed":false,"score":0}],"sample":{"input":[{"role":"user","content":"Cancel B"}],"output":[{"role":"assistant","content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"drop","arguments":"{}"}}]}],"model":"m"}}],"has_more":false}`,
			`o1: cancel{"id":"A"} < cancel? 1 true | o2: drop{} 0 false`},
		{"openai-evals", "lines of items with samples", `{"item":{"id":"a","question":"x","expected_tools":[{"name":"cancel","arguments":{"id":"A"}}]},"sample":{"output_text":"","output_tools":[{"id":"1","type":"function","function":{"name":"cancel","arguments":"{\"id\":\"B\"}"}}]}}
{"item":{"id":"b","question":"y","ground_truth":"yes"},"sample":{"output_text":"yes"}}`,
			`a: cancel{"id":"B"} < cancel{"id":"A"} | b:`},
		{"openai-evals", "a sample with choices", `{"item":{"id":"a","input":"x"},"sample":{"model":"m","choices":[{"index":0,"message":{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"cancel","arguments":"{}"}}]}}]}}`,
			`a: cancel{}`},

		{"found-calls", "a table by columns", `{"input":{"0":"Cancel A","1":"Cancel B"},"tool_calls":{"0":[{"id":"1","name":"cancel","args":{"id":"A"}}],"1":[{"id":"1","name":"drop","args":{"id":"B"}}]},"expected_tools":{"0":["cancel"],"1":["cancel"]},"passed":{"0":true,"1":false}}`,
			`1: cancel{"id":"A"} < cancel? true | 2: drop{"id":"B"} < cancel? false`},
		{"openai-chat", "a split table with JSON in cells", `{"columns":["id","messages","expected_tool_calls"],"index":[0,1],"data":[["x","[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"1\",\"function\":{\"name\":\"cancel\",\"arguments\":\"{}\"}}]}]","[\"cancel\"]"],["y","[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"1\",\"function\":{\"name\":\"drop\",\"arguments\":\"{}\"}}]}]",null]]}`,
			`x: cancel{} < cancel? | y: drop{}`},
		{"found-calls", "parallel lists", `{"question":["a","b"],"tool_calls":[[{"id":"1","name":"cancel","args":{}}],[]],"expected_tool_calls":[[{"name":"cancel","args":{}}],[]]}`,
			`1: cancel{} < cancel{} | 2: <`},
		{"openai-chat", "Azure's results", `[{"role":"user","content":"Refund"},{"role":"assistant","content":[{"type":"tool_call","tool_call_id":"c2","name":"refund","arguments":{"id":"A"}}]},{"role":"tool","tool_call_id":"c2","content":[{"type":"tool_result","tool_result":{"error":"no such order"}}]}]`,
			`1: refund{"id":"A"}={"error":"no such order"}!`},
		{"anthropic-messages", "a result without a text keeps its members", `[{"role":"user","content":"Refund"},{"role":"assistant","content":[{"type":"tool_use","id":"c2","name":"refund","input":{"id":"A"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","structured":{"amount":3}}]}]`,
			`1: refund{"id":"A"}={"structured":{"amount":3}}`},
	} {
		t.Run(c.format+"/"+c.name, func(t *testing.T) {
			doc, err := Decode([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if got := showRuns(&doc); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if doc.Format != c.format && c.name != "Azure's results" {
				t.Errorf("the format is %s", doc.Format)
			}
			for _, w := range doc.Warnings {
				if !shape.OneOf(w.Code, "no-calls table-by-columns expected-not-used") && !(w.Code == "outcome-not-read" && c.format == "braintrust") {
					t.Errorf("warning %s: %s", w.Code, w.Message)
				}
			}
		})
	}
}
