package made

import "fmt"

// spanWriters write one run in the form of a tracer with one row for each span.
var spanWriters = map[string]func(m *Run) []any{
	"weave-calls": func(m *Run) []any {
		rows := []any{fields{"id": "root", "op_name": "weave:///e/p/op/agent:d", "trace_id": m.ID, "started_at": "0", "inputs": fields{"question": "q"}, "output": "a"}}
		for i, c := range m.Calls {
			row := fields{"id": fmt.Sprint("s", i), "op_name": "weave:///e/p/op/" + c.Name + ":d", "trace_id": m.ID, "started_at": fmt.Sprint(1 + i), "attributes": fields{"kind": "tool"}, "inputs": c.argumentFields(), "output": c.whenSucceeded(c.Result)}
			if c.Failed {
				row["exception"] = c.Result
			}
			rows = append(rows, row)
		}
		return rows
	},
	"braintrust": func(m *Run) []any {
		root := fields{"id": "0", "span_id": m.ID, "root_span_id": m.ID, "span_attributes": fields{"name": "x", "type": "eval"}, "input": "q", "output": "a", "metrics": fields{"start": 0}}
		if m.Expected != nil {
			root["expected"] = fields{"tool_calls": m.writtenCalls("name", "arguments")}
		}
		rows := []any{root}
		for i, c := range m.Calls {
			row := fields{"id": fmt.Sprint(i), "span_id": fmt.Sprint("s", i), "root_span_id": m.ID, "span_attributes": fields{"name": c.Name, "type": "tool"}, "input": c.argumentFields(), "output": c.whenSucceeded(c.Result), "metrics": fields{"start": i + 1}}
			if c.Failed {
				row["error"] = c.Result
			}
			rows = append(rows, row)
		}
		return rows
	},
	"phoenix-spans": func(m *Run) []any {
		rows := []any{fields{"name": "agent", "span_kind": "AGENT", "context.trace_id": m.ID, "context.span_id": "r", "start_time": 0, "status_code": "OK", "attributes.input.value": "q"}}
		for i, c := range m.Calls {
			status := "OK"
			if c.Failed {
				status = "ERROR"
			}
			rows = append(rows, fields{"name": c.Name, "span_kind": "TOOL", "context.trace_id": m.ID, "context.span_id": fmt.Sprint(i), "start_time": i + 1, "status_code": status, "status_message": c.Result, "attributes.tool.name": c.Name, "attributes.input.value": JSON(c.argumentFields()), "attributes.output.value": c.whenSucceeded(c.Result)})
		}
		return rows
	},
}

// recordWriters write one run in the form of an exporter with one record for each run.
var recordWriters = map[string]func(m *Run) any{
	"mlflow-trace": func(m *Run) any {
		spans := []any{fields{"trace_id": "x", "span_id": "r", "name": "agent", "start_time_unix_nano": 1, "attributes": fields{"mlflow.spanType": `"AGENT"`, "mlflow.spanInputs": `{"question":"q"}`}}}
		for i, c := range m.Calls {
			status := fields{"code": "STATUS_CODE_OK"}
			attributes := fields{"mlflow.spanType": `"TOOL"`, "mlflow.spanInputs": JSON(c.argumentFields()), "mlflow.spanOutputs": JSON(c.Result)}
			if c.Failed {
				status = fields{"code": "STATUS_CODE_ERROR", "message": c.Result}
				delete(attributes, "mlflow.spanOutputs")
			}
			spans = append(spans, fields{"trace_id": "x", "span_id": fmt.Sprint(i), "name": c.Name, "start_time_unix_nano": i + 2, "status": status, "attributes": attributes})
		}
		info := fields{"trace_id": m.ID}
		if m.Expected != nil {
			info["assessments"] = []any{fields{"assessment_name": "expected_tool_calls", "expectation": fields{"value": m.writtenCalls("name", "arguments")}}}
		}
		return fields{"info": info, "data": fields{"spans": spans}}
	},
	"promptfoo": func(m *Run) any {
		calls := []any{}
		for _, c := range m.Calls {
			calls = append(calls, fields{"id": c.ID, "name": c.Name, "input": c.argumentFields(), "output": c.Result, "is_error": c.Failed})
		}
		asserts := []any{fields{"type": "llm-rubric", "value": "is kind"}}
		vars := fields{}
		if m.Expected != nil {
			vars["expected_tool_calls"] = m.writtenCalls("name", "arguments")
		}
		return fields{"id": m.ID, "testIdx": m.Number, "promptIdx": 0, "vars": vars, "prompt": fields{"raw": "q"}, "testCase": fields{"assert": asserts}, "response": fields{"output": "a", "metadata": fields{"toolCalls": calls}}, "success": true}
	},
	"adk-eval-result": func(m *Run) any {
		uses, responses := []any{}, []any{}
		for _, c := range m.Calls {
			uses = append(uses, fields{"id": c.ID, "name": c.Name, "args": c.argumentFields()})
			responses = append(responses, fields{"id": c.ID, "name": c.Name, "response": chooseValue(c.Failed, fields{"error": c.Result}, fields{"text": c.Result})})
		}
		turn := fields{"actual_invocation": fields{"intermediate_data": fields{"tool_uses": uses, "tool_responses": responses}}}
		if m.Expected != nil {
			turn["expected_invocation"] = fields{"intermediate_data": fields{"tool_uses": m.writtenCalls("name", "args")}}
		}
		return fields{"eval_id": m.ID, "eval_metric_result_per_invocation": []any{turn}}
	},
	"dify": func(m *Run) any {
		thoughts := []any{}
		for i, c := range m.Calls {
			thoughts = append(thoughts, fields{"id": "h", "position": i + 1, "tool": c.Name, "tool_input": JSON(fields{c.Name: c.argumentFields()}), "observation": JSON(fields{c.Name: chooseValue(c.Failed, "tool invoke error: ", "") + c.Result})})
		}
		return fields{"id": "m", "conversation_id": m.ID, "query": "q", "answer": "a", "agent_thoughts": thoughts}
	},
	"openai-evals": func(m *Run) any {
		calls := []any{}
		for _, c := range m.Calls {
			calls = append(calls, fields{"id": c.ID, "type": "function", "function": fields{"name": c.Name, "arguments": JSON(c.argumentFields())}})
		}
		data := fields{"question": "q"}
		if m.Expected != nil {
			data["expected_tools"] = m.writtenCalls("name", "arguments")
		}
		return fields{"object": "eval.run.output_item", "id": m.ID, "datasource_item": data, "sample": fields{"input": []any{fields{"role": "user", "content": "q"}}, "output": []any{fields{"role": "assistant", "content": "a", "tool_calls": calls}}}}
	},
	"bedrock-agent-trace": func(m *Run) any {
		events := []any{fields{"trace": fields{"sessionId": m.ID, "trace": fields{"orchestrationTrace": fields{"rationale": fields{"text": "I look."}}}}}}
		for i, c := range m.Calls {
			parameters := []any{fields{"name": "n", "type": "number", "value": fmt.Sprint(c.N)}}
			text := chooseValue(c.Failed, JSON(fields{"error": c.Result}), c.Result)
			for _, step := range []fields{{"invocationInput": fields{"traceId": fmt.Sprint(i), "actionGroupInvocationInput": fields{"function": c.Name, "parameters": parameters}}},
				{"observation": fields{"traceId": fmt.Sprint(i), "actionGroupInvocationOutput": fields{"text": text}}}} {
				events = append(events, fields{"sessionId": m.ID, "trace": fields{"orchestrationTrace": step}})
			}
		}
		return fields{"completion": events}
	},
}

// pages are the members under which an exporter's page has its rows.
var pages = map[string]string{"weave-calls": "calls", "braintrust": "events", "phoenix-spans": "data", "mlflow-trace": "traces", "promptfoo": "results", "adk-eval-result": "eval_case_results", "dify": "data", "openai-evals": "data", "bedrock-agent-trace": "traces", "langfuse-trace": "data", "openai-agents-trace": "traces", "mastra-trace": "spans"}

// The forms that do not say whether a call failed, and what was expected.
var (
	withoutFailures = []string{"openai-evals", "test case"}
	withoutExpected = []string{"weave-calls", "phoenix-spans", "dify", "bedrock-agent-trace", "deepeval-trace", "langfuse-trace", "langsmith-run", "openai-agents-trace", "atif", "otlp-genai", "mastra-trace"}
)
