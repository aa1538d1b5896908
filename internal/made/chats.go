package made

import "fmt"

// init adds the writers of conversations and of rows that evaluators keep.
func init() {
	for name, messages := range chatWriters {
		recordWriters[name] = func(m *Run) any {
			return m.withExpected("expected_tools", fields{"id": m.ID, "messages": messages(m)})
		}
	}
}

// writeTurns returns the question, then for each call what one and two return, and the answer.
func (m *Run) writeTurns(question, answer any, one, two func(c *Call) any) []any {
	list := []any{question}
	for i := range m.Calls {
		list = append(list, one(&m.Calls[i]), two(&m.Calls[i]))
	}
	return append(list, answer)
}

// chatWriters write the messages of a run.
var chatWriters = map[string]func(m *Run) []any{
	"openai-chat": openAIMessages,
	"anthropic-messages": func(m *Run) []any {
		return m.writeTurns(sayText("user", m.Question), sayText("assistant", "Done."), func(c *Call) any {
			return fields{"role": "assistant", "content": []any{c.withID("id", fields{"type": "tool_use", "name": c.Name, "input": c.argumentFields()})}}
		}, func(c *Call) any {
			return fields{"role": "user", "content": []any{c.withID("tool_use_id", fields{"type": "tool_result", "content": c.Result, "is_error": c.Failed})}}
		})
	},
	"gemini-contents": func(m *Run) []any {
		part := func(role string, part fields) fields { return fields{"role": role, "parts": []any{part}} }
		return m.writeTurns(part("user", fields{"text": m.Question}), part("model", fields{"text": "Done."}), func(c *Call) any {
			return part("model", fields{"functionCall": c.withID("id", fields{"name": c.Name, "args": c.argumentFields()})})
		}, func(c *Call) any {
			return part("user", fields{"functionResponse": c.withID("id", fields{"name": c.Name, "response": fields{chooseValue(c.Failed, "error", "result"): c.Result}})})
		})
	},
	"bedrock-converse": func(m *Run) []any {
		part := func(role string, part fields) fields { return fields{"role": role, "content": []any{part}} }
		return m.writeTurns(part("user", fields{"text": m.Question}), part("assistant", fields{"text": "Done."}), func(c *Call) any {
			return part("assistant", fields{"toolUse": c.withID("toolUseId", fields{"name": c.Name, "input": c.argumentFields()})})
		}, func(c *Call) any {
			return part("user", fields{"toolResult": c.withID("toolUseId", fields{"content": []any{fields{"text": c.Result}}, "status": chooseValue(c.Failed, "error", "success")})})
		})
	},
	"langchain-messages": func(m *Run) []any {
		return m.writeTurns(fields{"type": "human", "content": m.Question}, fields{"type": "ai", "content": "Done."}, func(c *Call) any {
			return fields{"type": "ai", "content": "", "tool_calls": []any{c.withID("id", fields{"type": "tool_call", "name": c.Name, "args": c.argumentFields()})}}
		}, func(c *Call) any {
			return c.withID("tool_call_id", fields{"type": "tool", "name": c.Name, "content": c.Result, "status": chooseValue(c.Failed, "error", "success")})
		})
	},
	"ai-sdk-modelmessage": func(m *Run) []any {
		return m.writeTurns(sayText("user", m.Question), sayText("assistant", "Done."), func(c *Call) any {
			return fields{"role": "assistant", "content": []any{c.withID("toolCallId", fields{"type": "tool-call", "toolName": c.Name, "input": c.argumentFields()})}}
		}, func(c *Call) any {
			return fields{"role": "tool", "content": []any{c.withID("toolCallId", fields{"type": "tool-result", "toolName": c.Name, "output": fields{"type": chooseValue(c.Failed, "error-text", "text"), "value": c.Result}})}}
		})
	},
	"pydantic-ai": func(m *Run) []any {
		part := func(kind string, part fields) fields { return fields{"kind": kind, "parts": []any{part}} }
		return m.writeTurns(part("request", fields{"part_kind": "user-prompt", "content": m.Question}), part("response", fields{"part_kind": "text", "content": "Done."}), func(c *Call) any {
			return part("response", c.withID("tool_call_id", fields{"part_kind": "tool-call", "tool_name": c.Name, "args": JSON(c.argumentFields())}))
		}, func(c *Call) any {
			return part("request", c.withID("tool_call_id", fields{"part_kind": chooseValue(c.Failed, "retry-prompt", "tool-return"), "tool_name": c.Name, "content": c.Result}))
		})
	},
	"openai-responses-items": func(m *Run) []any {
		return m.writeTurns(sayText("user", m.Question), sayText("assistant", "Done."), func(c *Call) any {
			return c.withID("call_id", fields{"type": "function_call", "name": c.Name, "arguments": JSON(c.argumentFields())})
		}, func(c *Call) any {
			return c.withID("call_id", fields{"type": "function_call_output", "output": chooseValue(c.Failed, "Error: "+c.Result, c.Result)})
		})
	},
}

func sayText(role, text string) fields { return fields{"role": role, "content": text} }

func openAIMessages(m *Run) []any {
	return m.writeTurns(sayText("user", m.Question), sayText("assistant", "Done."), func(c *Call) any {
		return fields{"role": "assistant", "content": nil, "tool_calls": []any{c.withID("id", fields{"type": "function", "function": fields{"name": c.Name, "arguments": JSON(c.argumentFields())}})}}
	}, func(c *Call) any {
		return c.withID("tool_call_id", fields{"role": "tool", "name": c.Name, "content": chooseValue(c.Failed, "Error: "+c.Result, c.Result)})
	})
}

// writeCalls returns the calls of a run as objects with the given names of their parts. The
// failure has the name error.
func (m *Run) writeCalls(id, name, arguments, result string) []any {
	list := []any{}
	for i := range m.Calls {
		c := &m.Calls[i]
		o := c.withID(id, fields{name: c.Name, arguments: c.argumentFields()})
		if o[result] = c.whenSucceeded(c.Result); c.Failed {
			o["error"] = c.Result
		}
		list = append(list, o)
	}
	return list
}

func init() {
	recordWriters["generic-actions"] = func(m *Run) any {
		return m.withExpected("reference", fields{"id": m.ID, "actions": m.writeCalls("id", "name", "arguments", "result")})
	}
	recordWriters["trace row"] = func(m *Run) any {
		return m.withExpected("reference", fields{"id": m.ID, "trace": fields{"messages": openAIMessages(m)}})
	}
	recordWriters["test case"] = func(m *Run) any {
		calls := []any{}
		for i := range m.Calls {
			calls = append(calls, fields{"name": m.Calls[i].Name, "input_parameters": m.Calls[i].argumentFields(), "output": m.Calls[i].Result})
		}
		record := fields{"name": m.ID, "input": m.Question, "actual_output": "Done.", "tools_called": calls}
		if m.Expected != nil {
			record["expected_tools"] = m.writtenCalls("name", "input_parameters")
		}
		return record
	}
	recordWriters["dataset row"] = func(m *Run) any {
		return m.withExpected("reference_tool_calls", fields{"id": m.ID, "user_input": openAIMessages(m)})
	}
	recordWriters["outputs"] = func(m *Run) any {
		record := fields{"id": m.ID, "inputs": fields{"question": m.Question}, "outputs": fields{"messages": openAIMessages(m)}}
		if m.Expected != nil {
			record["reference_outputs"] = fields{"tool_calls": m.writtenCalls("name", "arguments")}
		}
		return record
	}
	recordWriters["trajectory columns"] = func(m *Run) any {
		record := fields{"id": m.ID, "prompt": m.Question, "predicted_trajectory": m.writeCalls("id", "tool_name", "tool_input", "result")}
		if m.Expected != nil {
			record["reference_trajectory"] = m.writtenCalls("tool_name", "tool_input")
		}
		return record
	}
	recordWriters["tree"] = func(m *Run) any {
		return m.withExpected("expected_tools", fields{"id": m.ID, "name": "agent", "input": fields{"question": m.Question}, "output": "Done.", "spans": m.writeCalls("id", "name", "input", "output")})
	}
	recordWriters["atif"] = func(m *Run) any {
		steps := []any{fields{"step_id": 1, "source": "user", "message": m.Question}}
		for i := range m.Calls {
			c := &m.Calls[i]
			steps = append(steps, fields{"step_id": i + 2, "source": "agent", "message": "", "tool_calls": []any{c.withID("tool_call_id", fields{"function_name": c.Name, "arguments": c.argumentFields()})},
				"observation": fields{"results": []any{c.withID("source_call_id", fields{"content": chooseValue(c.Failed, "Error: "+c.Result, c.Result)})}}})
		}
		return fields{"schema_version": "ATIF-v1.4", "session_id": m.ID, "agent": fields{"name": "a", "version": "1"}, "steps": steps}
	}
	recordWriters["tau-bench"] = func(m *Run) any {
		info := fields{}
		if m.Expected != nil {
			info["task"] = fields{"actions": m.writtenCalls("name", "kwargs"), "instruction": m.Question, "outputs": []any{}}
		}
		return fields{"task_id": m.ID, "reward": 1, "trial": 0, "info": info, "traj": openAIMessages(m)}
	}
	recordWriters["deepeval-trace"] = func(m *Run) any {
		spans := []any{}
		for i, c := range m.Calls {
			span := fields{"uuid": fmt.Sprint("s", i), "name": c.Name, "type": "tool", "status": chooseValue(c.Failed, "ERRORED", "SUCCESS"), "startTime": fmt.Sprintf("2026-03-01T10:00:%02dZ", i), "input": c.argumentFields(), "output": c.whenSucceeded(c.Result)}
			if c.Failed {
				span["error"] = c.Result
			}
			spans = append(spans, span)
		}
		return fields{"uuid": m.ID, "name": "shop", "input": m.Question, "output": "Done.", "baseSpans": []any{}, "agentSpans": []any{}, "llmSpans": []any{}, "toolSpans": spans}
	}
	recordWriters["langfuse-trace"] = func(m *Run) any {
		spans := []any{}
		for i, c := range m.Calls {
			spans = append(spans, fields{"id": fmt.Sprint("o", i), "traceId": m.ID, "type": "TOOL", "name": c.Name, "startTime": fmt.Sprintf("2026-03-01T10:00:%02dZ", i), "input": c.argumentFields(), "output": c.whenSucceeded(c.Result), "level": chooseValue(c.Failed, "ERROR", "DEFAULT"), "statusMessage": chooseValue[any](c.Failed, c.Result, nil)})
		}
		return fields{"id": m.ID, "timestamp": "2026-03-01T10:00:00Z", "name": "shop", "observations": spans, "scores": []any{}}
	}
	recordWriters["langsmith-run"] = func(m *Run) any {
		runs := []any{}
		for i, c := range m.Calls {
			runs = append(runs, fields{"id": fmt.Sprint(m.ID, ".", i), "trace_id": m.ID, "run_type": "tool", "name": c.Name, "start_time": fmt.Sprintf("2026-03-01T10:00:%02dZ", i), "inputs": fields{"input": JSON(c.argumentFields())}, "outputs": chooseValue[any](c.Failed, nil, fields{"output": c.Result}), "error": chooseValue[any](c.Failed, c.Result, nil)})
		}
		return fields{"id": m.ID, "trace_id": m.ID, "dotted_order": "2026Z" + m.ID, "run_type": "chain", "name": "shop", "inputs": fields{"input": m.Question}, "outputs": fields{}, "child_runs": runs}
	}
	recordWriters["openai-agents-trace"] = func(m *Run) any {
		spans := []any{}
		for i, c := range m.Calls {
			spans = append(spans, fields{"object": "trace.span", "id": fmt.Sprint("s", i), "trace_id": m.ID, "started_at": fmt.Sprintf("2026-03-01T10:00:%02dZ", i), "span_data": fields{"type": "function", "name": c.Name, "input": JSON(c.argumentFields()), "output": c.whenSucceeded(c.Result)}, "error": chooseValue[any](c.Failed, fields{"message": c.Result, "data": fields{}}, nil)})
		}
		return fields{"object": "trace", "id": m.ID, "workflow_name": "shop", "spans": spans}
	}
	spanWriters["mastra-trace"] = func(m *Run) []any {
		rows := []any{fields{"traceId": m.ID, "spanId": "r", "name": "agent run: 'shop'", "spanType": "agent_run", "isEvent": false, "startedAt": "2026-03-01T10:00:00Z", "input": []any{sayText("user", m.Question)}, "output": fields{"text": "Done."}}}
		for i, c := range m.Calls {
			rows = append(rows, fields{"traceId": m.ID, "spanId": fmt.Sprint("s", i), "name": "tool: '" + c.Name + "'", "entityName": c.Name, "spanType": "tool_call", "isEvent": false, "startedAt": fmt.Sprintf("2026-03-01T10:00:%02dZ", i+1), "input": c.argumentFields(), "output": c.whenSucceeded(c.Result), "error": chooseValue[any](c.Failed, fields{"message": c.Result}, nil), "attributes": c.withID("toolCallId", fields{"success": !c.Failed})})
		}
		return rows
	}
	spanWriters["otlp-genai"] = func(m *Run) []any {
		rows := []any{}
		for i, c := range m.Calls {
			attributes := []any{}
			for _, a := range [][2]string{{"gen_ai.operation.name", "execute_tool"}, {"gen_ai.tool.name", c.Name}, {"gen_ai.tool.call.id", c.ID}, {"gen_ai.tool.call.arguments", JSON(c.argumentFields())}, {"gen_ai.tool.call.result", c.Result}} {
				if a[1] != "" {
					attributes = append(attributes, fields{"key": a[0], "value": fields{"stringValue": a[1]}})
				}
			}
			span := fields{"traceId": m.ID, "spanId": fmt.Sprint("s", i), "name": "execute_tool " + c.Name, "startTimeUnixNano": fmt.Sprint(i + 2), "attributes": attributes, "status": chooseValue(c.Failed, fields{"code": 2}, fields{})}
			rows = append(rows, fields{"resourceSpans": []any{fields{"scopeSpans": []any{fields{"spans": []any{span}}}}}})
		}
		return append(rows, fields{"resourceSpans": []any{fields{"scopeSpans": []any{fields{"spans": []any{fields{"traceId": m.ID, "spanId": "r", "name": "invoke_agent", "startTimeUnixNano": "1", "attributes": []any{fields{"key": "gen_ai.operation.name", "value": fields{"stringValue": "invoke_agent"}}}}}}}}}})
	}
}
