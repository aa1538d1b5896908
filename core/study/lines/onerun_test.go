package lines

import (
	"strings"
	"testing"
)

// TestSpansAreNoRuns checks that lines that are spans of the same trace are refused, and
// that lines of different traces are not. TRACE stands for the id of the trace, and N for
// the number of the line.
func TestSpansAreNoRuns(t *testing.T) {
	for name, line := range map[string]string{
		"weave":      `{"id":"N","op_name":"weave:///e/p/op/cancel:d","trace_id":"TRACE","started_at":"N","attributes":{"kind":"tool"},"inputs":{"n":N},"output":"done"}`,
		"braintrust": `{"id":"N","span_id":"sN","root_span_id":"TRACE","span_attributes":{"name":"cancel","type":"tool"},"input":{"n":N},"output":"done"}`,
		"phoenix":    `{"name":"cancel","span_kind":"TOOL","context.span_id":"N","context.trace_id":"TRACE","attributes.input.value":"{\"n\":N}","attributes.output.value":"done"}`,
		"langfuse":   `{"id":"N","traceId":"TRACE","type":"TOOL","name":"cancel","startTime":"N","level":"DEFAULT","input":{"n":N},"output":"done"}`,
		"langsmith":  `{"id":"N","trace_id":"TRACE","run_type":"tool","name":"cancel","inputs":{"n":N},"outputs":{"output":"done"}}`,
		"bedrock":    `{"sessionId":"TRACE","trace":{"orchestrationTrace":{"invocationInput":{"traceId":"N","actionGroupInvocationInput":{"function":"cancel","parameters":[{"name":"n","type":"number","value":"N"}]}}}}}`,
		"dify":       `{"id":"mN","conversation_id":"TRACE","query":"q","answer":"a","agent_thoughts":[{"tool":"cancel","tool_input":"{\"cancel\": {\"n\": N}}","observation":"done"}]}`,
	} {
		for _, one := range []bool{true, false} {
			var texts [][]byte
			var rows []Row
			for _, n := range []string{"1", "2", "3"} {
				trace := "t"
				if !one {
					trace += n
				}
				text := []byte(strings.NewReplacer("TRACE", trace, "N", n).Replace(line))
				texts = append(texts, text)
				rows = append(rows, (&Scorer{}).Score("f", At{}, text))
			}
			if got := OneRun(texts, rows); got != one {
				t.Errorf("%s: the lines of one trace (%v): OneRun is %v", name, one, got)
			}
		}
	}
}

// TestSnapshotsAreNoRuns checks that lines that are snapshots of one conversation are refused,
// because scored as one file they are one run. Lines of several conversations are not.
func TestSnapshotsAreNoRuns(t *testing.T) {
	for _, one := range []bool{true, false} {
		var texts [][]byte
		var rows []Row
		talk := `{"role":"user","content":"x"}`
		for _, n := range []string{"1", "2", "3"} {
			talk += `,{"role":"assistant","tool_calls":[{"id":"` + n + `","function":{"name":"cancel","arguments":"{\"n\":` + n + `}"}}]},{"role":"tool","tool_call_id":"` + n + `","content":"ok"}`
			id := "c"
			if !one {
				id += n
			}
			text := []byte(`{"conversation_id":"` + id + `","messages":[` + talk + `]}`)
			texts, rows = append(texts, text), append(rows, (&Scorer{}).Score("f", At{}, text))
		}
		if got := OneRun(texts, rows); got != one {
			t.Errorf("snapshots of one conversation (%v): OneRun is %v", one, got)
		}
	}
}

// TestEventsAreNoRuns checks that lines which are events of one run are refused, also where a line alone
// looks like a run with a call.
func TestEventsAreNoRuns(t *testing.T) {
	var texts [][]byte
	var rows []Row
	for _, line := range []string{
		`{"event":"tool_call","tool":"find_user","args":{"id":3},"call_id":"a"}`, `{"event":"tool_result","tool":"find_user","call_id":"a","output":"found"}`,
		`{"event":"tool_call","tool":"remove_user","args":{"id":3},"call_id":"b"}`, `{"event":"tool_result","tool":"remove_user","call_id":"b","output":"error: denied"}`,
	} {
		texts, rows = append(texts, []byte(line)), append(rows, (&Scorer{}).Score("f", At{}, []byte(line)))
	}
	if !OneRun(texts, rows) {
		t.Error("four events are four runs")
	}
}
