package trajectory

import "github.com/boundcheck/boundcheck/core/jsonval"

func isLangfuse(o *object) bool {
	return inFirst(o, "observations", isObservation) || isObservation(o)
}

func isObservation(o *object) bool {
	return o.isText("type") && o.hasAny("traceId trace_id") && o.hasAny("parentObservationId parent_observation_id startTime start_time level")
}

// decodeLangfuse reads traces with their observations, or observations without a trace.
func decodeLangfuse(d *decoder, in batch) {
	var spans []*span
	for _, v := range in.values {
		o := openObject(v)
		if isObservation(o) {
			spans = append(spans, langfuseSpan(o))
		}
		for _, e := range o.firstList("observations") {
			s := langfuseSpan(openObject(e))
			s.trace = o.firstText("id")
			spans = append(spans, s)
		}
	}
	for _, group := range byTrace(spans) {
		t := d.newTracer()
		t.t.ID = group[0].trace
		for _, s := range group {
			t.readLangfuseSpan(s)
		}
		t.addToDocument()
	}
}

func langfuseSpan(o *object) *span {
	return &span{
		v: o.v, trace: o.firstText("traceId trace_id"), id: o.firstText("id"), name: o.firstText("name"), kind: o.firstString("type"),
		start: o.firstText("startTime start_time"), input: o.get("input"), output: o.get("output"),
		failed: o.firstString("level") == "ERROR", status: o.firstText("statusMessage status_message"),
	}
}

func (t *tracer) readLangfuseSpan(s *span) {
	switch s.kind {
	case "TOOL":
		e := execution{call: call{name: s.name, arguments: toolArguments(s.input), at: s.v}, result: s.output}
		e.done = s.output.Exists() && s.output.Kind() != jsonval.Null
		e.id = s.output.Get("tool_call_id").Text()
		if s.failed {
			e.flag = failed
			if !e.done {
				e.result = objectFromPairs("error", s.status).Get("error")
			}
		}
		t.addExecution(e)
	case "GENERATION":
		t.beginHistory()
		before := len(t.t.Actions)
		t.readModelData(s.input)
		t.readModelData(s.output)
		t.recordRequested(before)
	}
}

// readModelData reads the input or output of a model. The value v is one of (a) a list of
// messages; (b) an object with a member "messages"; (c) a complete API response; (d) one
// message.
func (t *tracer) readModelData(v jsonval.Value) {
	switch {
	case v.Kind() == jsonval.Array:
		t.readNestedList(v)
	case v.Get("messages").Exists():
		t.readNestedList(v.Get("messages"))
	case v.Get("choices").Exists():
		for _, c := range v.Get("choices").Elements() {
			t.readMessageValue(c.Get("message"))
		}
	case v.Kind() == jsonval.Object:
		t.readMessageValue(v)
	}
}
