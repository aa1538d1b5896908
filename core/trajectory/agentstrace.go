package trajectory

import "github.com/boundcheck/boundcheck/core/base/jsonval"

// isAgentsTrace reports whether an object is an export of the OpenAI Agents SDK.
func isAgentsTrace(o *object) bool {
	isSpan := func(s *object) bool { return s.firstString("object") == "trace.span" || s.isObject("span_data") }
	return inFirst(o, "spans", isSpan) || o.firstString("object") == "trace" && o.isList("spans") || inFirst(o, "traces", func(t *object) bool { return inFirst(t, "spans", isSpan) }) ||
		inFirst(o, "data", func(s *object) bool { return s.firstString("object") == "trace" || isSpan(s) }) || isSpan(o)
}

func decodeAgentsTrace(d *decoder, in batch) {
	var spans []*span
	for _, v := range in.values {
		o := openObject(v)
		if !o.hasAny("object spans data traces span_data") {
			d.warnForeign(v)
		}
		agentsSpans(o, &spans)
		for _, t := range o.firstList("traces") {
			agentsSpans(openObject(t), &spans)
		}
	}
	d.readTraces(spans, (*tracer).readAgentsSpan, "traces have no tool span, so there are no actions to score")
}

func agentsSpans(o *object, spans *[]*span) {
	list := append(o.firstList("spans"), o.firstList("data")...)
	if o.isList("spans") && len(list) == 0 { // a trace without a call
		*spans = append(*spans, &span{v: o.v, trace: o.firstText("id")})
	}
	if o.isObject("span_data") {
		list = append(list, o.v)
	}
	for _, v := range list {
		e := openObject(v)
		if !e.isObject("span_data") {
			continue
		}
		data := e.openMember("span_data")
		*spans = append(*spans, &span{
			v: v, trace: e.firstText("trace_id"), id: e.firstText("id"), start: e.firstText("started_at"), kind: data.firstString("type"),
			name: data.firstText("name"), input: data.get("input"), output: data.get("output"),
			failed: e.firstNonNull("error").Exists(), status: errorWords(e.get("error")),
		})
	}
}

func (t *tracer) readAgentsSpan(s *span) {
	switch s.kind {
	case "function":
		e := execution{call: call{name: s.name, arguments: toolArguments(s.input), at: s.v}, result: s.output}
		e.done = s.output.Exists() && s.output.Kind() != jsonval.Null
		if s.failed {
			e.flag = failed
			if !e.done {
				e.result = objectFromPairs("error", s.status).Get("error")
			}
		}
		t.addExecution(e)
	case "generation", "response":
		t.beginHistory()
		before := len(t.t.Actions)
		t.role = "assistant"
		if s.input.Kind() == jsonval.Array {
			t.readChat(s.input)
		}
		if s.output.Kind() == jsonval.Array {
			for _, v := range s.output.Elements() {
				if choice := firstElement(v.Get("choices")); choice.Exists() {
					v = choice.Get("message") // the complete answer of a chat model
				}
				t.readMessageValue(v)
			}
		}
		t.recordRequested(before)
	}
}
