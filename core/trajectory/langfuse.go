package trajectory

import "github.com/boundcheck/boundcheck/core/jsonval"

func isLangfuse(o *object) bool {
	return inFirst(o, "observations", isObservation) || isObservation(o)
}

func isObservation(o *object) bool {
	return o.isText("type") && o.any("traceId trace_id") && o.any("parentObservationId parent_observation_id startTime start_time level")
}

// decodeLangfuse reads traces with their observations, or observations without a trace.
func decodeLangfuse(d *decoder, in batch) {
	var spans []*span
	for _, v := range in.values {
		o := open(v)
		if isObservation(o) {
			spans = append(spans, langfuseSpan(o))
		}
		for _, e := range o.list("observations") {
			s := langfuseSpan(open(e))
			s.trace = o.text("id")
			spans = append(spans, s)
		}
	}
	for _, group := range byTrace(spans) {
		t := d.tracer()
		t.t.ID = group[0].trace
		for _, s := range group {
			t.langfuse(s)
		}
		t.done()
	}
}

func langfuseSpan(o *object) *span {
	return &span{
		v: o.v, trace: o.text("traceId trace_id"), id: o.text("id"), name: o.text("name"), kind: o.word("type"),
		start: o.text("startTime start_time"), input: o.get("input"), output: o.get("output"),
		failed: o.word("level") == "ERROR", status: o.text("statusMessage status_message"),
	}
}

func (t *tracer) langfuse(s *span) {
	switch s.kind {
	case "TOOL":
		e := execution{call: call{name: s.name, arguments: toolArguments(s.input), at: s.v}, result: s.output}
		e.done = s.output.Exists() && s.output.Kind() != jsonval.Null
		e.id = s.output.Get("tool_call_id").Text()
		if s.failed {
			e.flag = failed
			if !e.done {
				e.result = members("error", s.status).Get("error")
			}
		}
		t.execute(e)
	case "GENERATION":
		t.history()
		before := len(t.t.Actions)
		t.observation(s.input)
		t.observation(s.output)
		t.wanted(before)
	}
}

// observation reads the input or output of a model. The value v is one of (a) a list of
// messages; (b) an object with a member "messages"; (c) a complete API response; (d) one
// message.
func (t *tracer) observation(v jsonval.Value) {
	switch {
	case v.Kind() == jsonval.Array:
		t.nested(v)
	case v.Get("messages").Exists():
		t.nested(v.Get("messages"))
	case v.Get("choices").Exists():
		for _, c := range v.Get("choices").Elements() {
			t.read(c.Get("message"))
		}
	case v.Kind() == jsonval.Object:
		t.read(v)
	}
}
