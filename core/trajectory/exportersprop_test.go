package trajectory

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// madeRun is a generated run, and madeCall one of its calls.
type madeRun struct {
	id       string
	calls    []madeCall
	expected []madeCall // nil if the record has no expected side
}

type madeCall struct {
	name, id, result string
	n                int
	failed           bool
}

func (c *madeCall) arguments() map[string]any { return map[string]any{"n": c.n} }

// writtenCalls returns the calls of an expected side.
func (m *madeRun) writtenCalls(name, arguments string) []any {
	out := []any{}
	for _, c := range m.expected {
		out = append(out, map[string]any{name: c.name, arguments: c.arguments()})
	}
	return out
}

func toJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// span is a row of a tracer: the members of a call under the names of the format.
type fields = map[string]any

// choose returns v, or nil if the call failed.
func (c *madeCall) choose(v any) any {
	if c.failed {
		return nil
	}
	return v
}

// spanWriters write one run in the form of a tracer with one row for each span.
var spanWriters = map[string]func(m *madeRun) []any{
	"weave-calls": func(m *madeRun) []any {
		rows := []any{fields{"id": "root", "op_name": "weave:///e/p/op/agent:d", "trace_id": m.id, "started_at": "0", "inputs": fields{"question": "q"}, "output": "a"}}
		for i, c := range m.calls {
			row := fields{"id": fmt.Sprint("s", i), "op_name": "weave:///e/p/op/" + c.name + ":d", "trace_id": m.id, "started_at": fmt.Sprint(1 + i), "attributes": fields{"kind": "tool"}, "inputs": c.arguments(), "output": c.choose(c.result)}
			if c.failed {
				row["exception"] = c.result
			}
			rows = append(rows, row)
		}
		return rows
	},
	"braintrust": func(m *madeRun) []any {
		root := fields{"id": "0", "span_id": m.id, "root_span_id": m.id, "span_attributes": fields{"name": "x", "type": "eval"}, "input": "q", "output": "a", "metrics": fields{"start": 0}}
		if m.expected != nil {
			root["expected"] = fields{"tool_calls": m.writtenCalls("name", "arguments")}
		}
		rows := []any{root}
		for i, c := range m.calls {
			row := fields{"id": fmt.Sprint(i), "span_id": fmt.Sprint("s", i), "root_span_id": m.id, "span_attributes": fields{"name": c.name, "type": "tool"}, "input": c.arguments(), "output": c.choose(c.result), "metrics": fields{"start": i + 1}}
			if c.failed {
				row["error"] = c.result
			}
			rows = append(rows, row)
		}
		return rows
	},
	"phoenix-spans": func(m *madeRun) []any {
		rows := []any{fields{"name": "agent", "span_kind": "AGENT", "context.trace_id": m.id, "context.span_id": "r", "start_time": 0, "status_code": "OK", "attributes.input.value": "q"}}
		for i, c := range m.calls {
			status := "OK"
			if c.failed {
				status = "ERROR"
			}
			rows = append(rows, fields{"name": c.name, "span_kind": "TOOL", "context.trace_id": m.id, "context.span_id": fmt.Sprint(i), "start_time": i + 1, "status_code": status, "status_message": c.result, "attributes.tool.name": c.name, "attributes.input.value": toJSON(c.arguments()), "attributes.output.value": c.choose(c.result)})
		}
		return rows
	},
}

// recordWriters write one run in the form of an exporter with one record for each run.
var recordWriters = map[string]func(m *madeRun) any{
	"mlflow-trace": func(m *madeRun) any {
		spans := []any{fields{"trace_id": "x", "span_id": "r", "name": "agent", "start_time_unix_nano": 1, "attributes": fields{"mlflow.spanType": `"AGENT"`, "mlflow.spanInputs": `{"question":"q"}`}}}
		for i, c := range m.calls {
			status := fields{"code": "STATUS_CODE_OK"}
			attributes := fields{"mlflow.spanType": `"TOOL"`, "mlflow.spanInputs": toJSON(c.arguments()), "mlflow.spanOutputs": toJSON(c.result)}
			if c.failed {
				status = fields{"code": "STATUS_CODE_ERROR", "message": c.result}
				delete(attributes, "mlflow.spanOutputs")
			}
			spans = append(spans, fields{"trace_id": "x", "span_id": fmt.Sprint(i), "name": c.name, "start_time_unix_nano": i + 2, "status": status, "attributes": attributes})
		}
		info := fields{"trace_id": m.id}
		if m.expected != nil {
			info["assessments"] = []any{fields{"assessment_name": "expected_tool_calls", "expectation": fields{"value": m.writtenCalls("name", "arguments")}}}
		}
		return fields{"info": info, "data": fields{"spans": spans}}
	},
	"promptfoo": func(m *madeRun) any {
		calls := []any{}
		for _, c := range m.calls {
			calls = append(calls, fields{"id": c.id, "name": c.name, "input": c.arguments(), "output": c.result, "is_error": c.failed})
		}
		asserts := []any{fields{"type": "llm-rubric", "value": "is kind"}}
		vars := fields{}
		if m.expected != nil {
			vars["expected_tool_calls"] = m.writtenCalls("name", "arguments")
		}
		return fields{"id": m.id, "testIdx": 0, "promptIdx": 0, "vars": vars, "prompt": fields{"raw": "q"}, "testCase": fields{"assert": asserts}, "response": fields{"output": "a", "metadata": fields{"toolCalls": calls}}, "success": true}
	},
	"adk-eval-result": func(m *madeRun) any {
		uses, responses := []any{}, []any{}
		for _, c := range m.calls {
			uses = append(uses, fields{"id": c.id, "name": c.name, "args": c.arguments()})
			responses = append(responses, fields{"id": c.id, "name": c.name, "response": ifElse(c.failed, fields{"error": c.result}, fields{"text": c.result})})
		}
		turn := fields{"actual_invocation": fields{"intermediate_data": fields{"tool_uses": uses, "tool_responses": responses}}}
		if m.expected != nil {
			turn["expected_invocation"] = fields{"intermediate_data": fields{"tool_uses": m.writtenCalls("name", "args")}}
		}
		return fields{"eval_id": m.id, "eval_metric_result_per_invocation": []any{turn}}
	},
	"dify": func(m *madeRun) any {
		thoughts := []any{}
		for i, c := range m.calls {
			thoughts = append(thoughts, fields{"id": "h", "position": i + 1, "tool": c.name, "tool_input": toJSON(fields{c.name: c.arguments()}), "observation": toJSON(fields{c.name: ifElse(c.failed, "tool invoke error: ", "") + c.result})})
		}
		return fields{"id": "m", "conversation_id": m.id, "query": "q", "answer": "a", "agent_thoughts": thoughts}
	},
	"openai-evals": func(m *madeRun) any {
		calls := []any{}
		for _, c := range m.calls {
			calls = append(calls, fields{"id": c.id, "type": "function", "function": fields{"name": c.name, "arguments": toJSON(c.arguments())}})
		}
		data := fields{"question": "q"}
		if m.expected != nil {
			data["expected_tools"] = m.writtenCalls("name", "arguments")
		}
		return fields{"object": "eval.run.output_item", "id": m.id, "datasource_item": data, "sample": fields{"input": []any{fields{"role": "user", "content": "q"}}, "output": []any{fields{"role": "assistant", "content": "a", "tool_calls": calls}}}}
	},
	"bedrock-agent-trace": func(m *madeRun) any {
		events := []any{fields{"trace": fields{"sessionId": m.id, "trace": fields{"orchestrationTrace": fields{"rationale": fields{"text": "I look."}}}}}}
		for i, c := range m.calls {
			parameters := []any{fields{"name": "n", "type": "number", "value": fmt.Sprint(c.n)}}
			text := ifElse(c.failed, toJSON(fields{"error": c.result}), c.result)
			for _, step := range []fields{{"invocationInput": fields{"traceId": fmt.Sprint(i), "actionGroupInvocationInput": fields{"function": c.name, "parameters": parameters}}},
				{"observation": fields{"traceId": fmt.Sprint(i), "actionGroupInvocationOutput": fields{"text": text}}}} {
				events = append(events, fields{"sessionId": m.id, "trace": fields{"orchestrationTrace": step}})
			}
		}
		return fields{"completion": events}
	},
}

// showMade describes a run as written, without its results: the calls with "!" for failures,
// and the expected side.
func showMade(m *madeRun, format string) string {
	parts := []string{m.id}
	for _, c := range m.calls {
		parts = append(parts, fmt.Sprintf("%s%d%s", c.name, c.n, ifElse(c.failed && format != "openai-evals", "!", "")))
	}
	if m.expected != nil && !slices.Contains([]string{"weave-calls", "phoenix-spans", "dify", "bedrock-agent-trace"}, format) {
		parts = append(parts, "<")
		for _, c := range m.expected {
			parts = append(parts, fmt.Sprintf("%s%d", c.name, c.n))
		}
	}
	return strings.Join(parts, " ")
}

func showRead(t *Trajectory) string {
	parts := []string{t.ID}
	for _, a := range t.Actions {
		parts = append(parts, a.Name+a.Arguments.Get("n").Text()+ifElse(a.Failed(), "!", ""))
	}
	if t.Reference != nil {
		parts = append(parts, "<")
		for _, s := range t.Reference.Steps {
			parts = append(parts, s.Name+s.Arguments.Get("n").Text())
		}
	}
	return strings.Join(parts, " ")
}

// makeRuns makes runs. Their calls are often equal, and have the same ids in each run.
func makeRuns(r *rand.Rand) []madeRun {
	runs := make([]madeRun, 1+r.IntN(6))
	list := func() []madeCall {
		calls := []madeCall{}
		for i := range r.IntN(5) {
			calls = append(calls, madeCall{[]string{"cancel", "drop", "find"}[r.IntN(3)], fmt.Sprint("c", i), "words", r.IntN(3), r.IntN(4) == 0})
		}
		return calls
	}
	for i := range runs {
		runs[i] = madeRun{id: fmt.Sprint("run", i), calls: list()}
		if r.IntN(2) == 0 {
			runs[i].expected = list()
		}
	}
	return runs
}

// TestExportersKeepEverything checks generated files of each exporter, as a list, as lines,
// and as one page: each record is one run with its own calls, equal calls and ids in other
// records remove nothing, and the expected side is the reference.
func TestExportersKeepEverything(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 4))
	for range 400 {
		runs := makeRuns(r)
		for format, write := range recordWriters {
			var rows []any
			for i := range runs {
				rows = append(rows, write(&runs[i]))
			}
			checkMade(t, format, runs, rows)
		}
		for format, write := range spanWriters {
			var rows []any
			for i := range runs {
				rows = append(rows, write(&runs[i])...)
			}
			checkMade(t, format, runs, rows)
		}
		if t.Failed() {
			return
		}
	}
}

// pages are the members under which an exporter's page has its rows.
var pages = map[string]string{"weave-calls": "calls", "braintrust": "events", "phoenix-spans": "data", "mlflow-trace": "traces", "promptfoo": "results", "adk-eval-result": "eval_case_results", "dify": "data", "openai-evals": "data", "bedrock-agent-trace": "traces"}

func checkMade(t *testing.T, format string, runs []madeRun, rows []any) {
	t.Helper()
	var want, lines []string
	for i := range runs {
		want = append(want, showMade(&runs[i], format))
	}
	for _, row := range rows {
		lines = append(lines, toJSON(row))
	}
	for _, text := range []string{toJSON(rows), strings.Join(lines, "\n"), toJSON(fields{pages[format]: rows})} {
		doc, err := Decode([]byte(text))
		if err != nil {
			t.Errorf("%s: %v\n%s", format, err, text)
			return
		}
		var got []string
		for i := range doc.Trajectories {
			got = append(got, showRead(&doc.Trajectories[i]))
		}
		if !slices.Equal(got, want) || doc.Format != format {
			t.Errorf("%s as %s:\ngot  %v\nwant %v\n%s", format, doc.Format, got, want, text)
			return
		}
		for _, w := range doc.Warnings {
			if w.Code != "no-calls" {
				t.Errorf("%s: warning %s: %s\n%s", format, w.Code, w.Message, text)
			}
		}
	}
}

// TestForeignRowsAreNamed checks that a row of another kind among an exporter's rows is
// named in a warning, and takes nothing from the others.
func TestForeignRowsAreNamed(t *testing.T) {
	m := madeRun{id: "run0", calls: []madeCall{{"cancel", "c0", "words", 1, false}}}
	rows := map[string][]any{}
	for format, write := range recordWriters {
		rows[format] = []any{write(&m)}
	}
	for format, write := range spanWriters {
		rows[format] = write(&m)
	}
	for format, list := range rows {
		if slices.Contains([]string{"adk-eval-result", "bedrock-agent-trace"}, format) {
			continue // a case without turns, and an event of another kind
		}
		doc := mustDecode(t, toJSON(append(list, fields{"tool": "drop", "tool_args": fields{"n": 2}})))
		if len(doc.Trajectories) != 1 || len(doc.Trajectories[0].Actions) != 1 || len(doc.Warnings) == 0 || doc.Warnings[0].Code != "row-not-read" {
			t.Errorf("%s: %s, %+v", format, showRuns(&doc), doc.Warnings)
		}
	}
}

// TestUnknownInvocationsAreDoubted checks that a step of a Bedrock agent that may be a call,
// but of an unknown kind, makes the run doubtful.
func TestUnknownInvocationsAreDoubted(t *testing.T) {
	doc := mustDecode(t, `[{"sessionId":"s","trace":{"orchestrationTrace":{"invocationInput":{"traceId":"1","actionGroupInvocationInput":{"function":"cancel"}}}}},
{"sessionId":"s","trace":{"routingClassifierTrace":{"invocationInput":{"traceId":"2","newInvocationInput":{"x":1}}}}}]`)
	if len(doc.Trajectories) != 1 || len(doc.Trajectories[0].Actions) != 1 || doc.Trajectories[0].Doubt == "" || len(doc.Warnings) != 1 {
		t.Errorf("%s: %q, %+v", showRuns(&doc), doc.Trajectories[0].Doubt, doc.Warnings)
	}
}
