package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// Mastra keeps a trace as spans with types. Its API returns {traceId, spans: [{spanId,
// spanType, startedAt}]}, and its exporters write spans {id, traceId, type, startTime}.

// The types of spans that are calls of tools, and calls of models.
const (
	mastraTools  = "tool_call mcp_tool_call client_tool_call provider_tool_call"
	mastraModels = "model_generation llm_generation"
)

func isMastra(o *shape.Object) bool {
	return engine.InFirst(o, "spans", isMastraSpan) || isMastraSpan(o)
}

func isMastraSpan(o *shape.Object) bool {
	return o.IsText("traceId") && (o.IsText("spanType") && o.HasAny("startedAt") || o.IsText("type") && o.HasAll("startTime isRootSpan"))
}

func decodeMastra(d *engine.Decoder, in engine.Batch) {
	var spans []*engine.Span
	for _, o := range d.OpenKnownRows(in.Values, "spans", isMastraSpan) {
		spans = append(spans, mastraSpan(o))
	}
	for _, group := range engine.ByTrace(spans) {
		t := d.NewTracer()
		t.Trajectory.ID = group[0].Trace
		for _, s := range group {
			t.EnterSpan(s)
			readMastra(t, s)
		}
		t.LeaveSpan()
		t.AddToDocument()
	}
}

func mastraSpan(o *shape.Object) *engine.Span {
	s := &engine.Span{
		Value: o.Value, Trace: o.FirstText("traceId"), ID: o.FirstText("spanId id"), Kind: o.FirstString("spanType type"), Start: o.FirstText("startedAt startTime"),
		Name: o.FirstText("entityName"), Input: shape.EncodedValue(o.Get("input")), Output: shape.EncodedValue(o.Get("output")), Status: shape.ErrorWords(o.Get("error errorInfo")),
	}
	if s.Name == "" { // older versions: the span has the name tool: 'NAME' or mcp_tool: 'NAME' on 'SERVER'
		s.Name = o.FirstText("name")
		if _, quoted, ok := strings.Cut(s.Name, "'"); ok {
			s.Name, _, _ = strings.Cut(quoted, "'")
		}
	}
	attributes := o.OpenMember("attributes")
	s.ReadAttributes(attributes.Value)
	success, said := attributes.Get("success").Bool()
	s.Failed = o.FirstNonNull("error errorInfo").Exists() || said && !success
	return s
}

func readMastra(t *engine.Tracer, s *engine.Span) {
	switch {
	case shape.OneOf(s.Kind, mastraTools):
		e := s.Execution()
		e.ID = shape.IfElse(e.ID != "", e.ID, s.FirstText("toolCallId"))
		t.AddExecution(e)
		t.Decoder.LeaveOut(s.Value) // it was read, but looks like a call with the name of the span
	case shape.OneOf(s.Kind, mastraModels):
		t.ReadModel(s.Input, s.Output)
	case s.Kind == "agent_run":
		t.ReadHistory(func() { t.ReadModelData(s.Input) })
	}
}
