package trajectory

import "strings"

// Mastra keeps a trace as spans with types. Its API returns {traceId, spans: [{spanId,
// spanType, startedAt}]}, and its exporters write spans {id, traceId, type, startTime}.

// The types of spans that are calls of tools, and calls of models.
const (
	mastraTools  = "tool_call mcp_tool_call client_tool_call provider_tool_call"
	mastraModels = "model_generation llm_generation"
)

func isMastra(o *object) bool { return inFirst(o, "spans", isMastraSpan) || isMastraSpan(o) }

func isMastraSpan(o *object) bool {
	return o.isText("traceId") && (o.isText("spanType") && o.hasAny("startedAt") || o.isText("type") && o.hasAll("startTime isRootSpan"))
}

func decodeMastra(d *decoder, in batch) {
	var spans []*span
	for _, o := range d.openKnownRows(in.values, "spans", isMastraSpan) {
		spans = append(spans, mastraSpan(o))
	}
	for _, group := range byTrace(spans) {
		t := d.newTracer()
		t.t.ID = group[0].trace
		for _, s := range group {
			t.readMastra(s)
		}
		t.addToDocument()
	}
}

func mastraSpan(o *object) *span {
	s := &span{
		v: o.v, trace: o.firstText("traceId"), id: o.firstText("spanId id"), kind: o.firstString("spanType type"), start: o.firstText("startedAt startTime"),
		name: o.firstText("entityName"), input: encodedValue(o.get("input")), output: encodedValue(o.get("output")), status: errorWords(o.get("error errorInfo")),
	}
	if s.name == "" { // older versions: the span has the name tool: 'NAME' or mcp_tool: 'NAME' on 'SERVER'
		s.name = o.firstText("name")
		if _, quoted, ok := strings.Cut(s.name, "'"); ok {
			s.name, _, _ = strings.Cut(quoted, "'")
		}
	}
	attributes := o.openMember("attributes")
	s.readAttributes(attributes.v)
	success, said := attributes.get("success").Bool()
	s.failed = o.firstNonNull("error errorInfo").Exists() || said && !success
	return s
}

func (t *tracer) readMastra(s *span) {
	switch {
	case oneOf(s.kind, mastraTools):
		e := s.execution()
		e.id = ifElse(e.id != "", e.id, s.firstText("toolCallId"))
		t.addExecution(e)
		t.d.leaveOut(s.v) // it was read, but looks like a call with the name of the span
	case oneOf(s.kind, mastraModels):
		t.readModel(s.input, s.output)
	case s.kind == "agent_run":
		t.readHistory(func() { t.readModelData(s.input) })
	}
}
