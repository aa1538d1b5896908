package trajectory

import "github.com/boundcheck/boundcheck/core/base/jsonval"

func isLangSmith(o *object) bool {
	return o.isText("run_type") && o.hasAny("trace_id dotted_order child_runs inputs parent_run_id")
}

// decodeLangSmith reads trees of runs, and flat lists of runs, which it groups by trace.
func decodeLangSmith(d *decoder, in batch) {
	var spans []*span
	for _, v := range in.values {
		o := openObject(v)
		if !o.isText("run_type") {
			d.warnForeign(v)
			continue
		}
		langSmithRuns(o, o.firstText("trace_id id"), &spans)
	}
	for _, group := range byTrace(spans) {
		t := d.newTracer()
		t.t.ID = group[0].trace
		for _, s := range group {
			t.langSmith(s)
		}
		t.addToDocument()
	}
}

func langSmithRuns(o *object, trace string, spans *[]*span) {
	s := &span{
		v: o.v, trace: trace, id: o.firstText("id"), name: o.firstText("name"), kind: o.firstString("run_type"),
		start: o.firstText("dotted_order start_time"), input: o.get("inputs"), output: o.get("outputs"),
		status: o.firstText("error"),
	}
	s.failed = s.status != "" || o.firstString("status") == "error"
	*spans = append(*spans, s)
	for _, child := range o.firstList("child_runs") {
		c := openObject(child)
		langSmithRuns(c, trace, spans)
	}
}

func (t *tracer) langSmith(s *span) {
	switch s.kind {
	case "tool":
		output := s.output.Get("output")
		if !output.Exists() {
			output = s.output
		}
		e := execution{call: call{name: s.name, arguments: toolArguments(s.input), at: s.v}, result: output, done: output.Exists() && output.Kind() != jsonval.Null}
		e.id = output.Get("tool_call_id").Text()
		if e.id == "" {
			e.id = output.Get("kwargs").Get("tool_call_id").Text()
		}
		if s.failed {
			e.flag = failed
			if !e.done {
				e.result = objectFromPairs("error", s.status).Get("error")
			}
		} else if statusFlag(output.Get("status")) == failed {
			e.flag = failed
		}
		t.addExecution(e)
	case "llm", "chat_model":
		t.beginHistory()
		before := len(t.t.Actions)
		t.readHistory(func() { t.readNestedList(s.input.Get("messages")) })
		s.output.Get("generations").Each(func(_ string, g jsonval.Value) bool {
			t.readGeneration(g)
			return true
		})
		t.readNestedList(s.output.Get("messages"))
		for _, choice := range s.output.Get("choices").Elements() {
			t.readMessageValue(choice.Get("message"))
		}
		if s.output.Get("role").Exists() {
			t.readMessageValue(s.output)
		}
		t.recordRequested(before)
	}
}

// readNestedList reads a list of messages, or the first of several such lists.
func (t *tracer) readNestedList(list jsonval.Value) {
	if firstElement(list).Kind() == jsonval.Array {
		list = firstElement(list)
	}
	if list.Kind() == jsonval.Array {
		t.readChat(list)
	}
}

func (t *tracer) readGeneration(g jsonval.Value) {
	if g.Kind() == jsonval.Array {
		g = firstElement(g)
	}
	if m := g.Get("message"); m.Kind() == jsonval.Object {
		t.readMessageValue(m)
	}
}
