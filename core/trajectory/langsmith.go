package trajectory

import "github.com/boundcheck/boundcheck/core/jsonval"

func isLangSmith(o *object) bool {
	return o.isText("run_type") && o.any("trace_id dotted_order child_runs inputs parent_run_id")
}

// decodeLangSmith reads trees of runs, and flat lists of runs, which it groups by trace.
func decodeLangSmith(d *decoder, in batch) {
	var spans []*span
	for _, v := range in.values {
		o := open(v)
		langSmithRuns(o, o.text("trace_id id"), &spans)
	}
	for _, group := range byTrace(spans) {
		t := d.tracer()
		t.t.ID = group[0].trace
		for _, s := range group {
			t.langSmith(s)
		}
		t.done()
	}
}

func langSmithRuns(o *object, trace string, spans *[]*span) {
	s := &span{
		v: o.v, trace: trace, id: o.text("id"), name: o.text("name"), kind: o.word("run_type"),
		start: o.text("dotted_order start_time"), input: o.get("inputs"), output: o.get("outputs"),
		status: o.text("error"),
	}
	s.failed = s.status != "" || o.word("status") == "error"
	*spans = append(*spans, s)
	for _, child := range o.list("child_runs") {
		c := open(child)
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
				e.result = members("error", s.status).Get("error")
			}
		} else if statusFlag(output.Get("status")) == failed {
			e.flag = failed
		}
		t.execute(e)
	case "llm", "chat_model":
		t.history()
		before := len(t.t.Actions)
		t.nested(s.input.Get("messages"))
		s.output.Get("generations").Each(func(_ string, g jsonval.Value) bool {
			t.generation(g)
			return true
		})
		t.nested(s.output.Get("messages"))
		for _, choice := range s.output.Get("choices").Elements() {
			t.read(choice.Get("message"))
		}
		if s.output.Get("role").Exists() {
			t.read(s.output)
		}
		t.wanted(before)
	}
}

// nested reads a list of messages, or the first of several such lists.
func (t *tracer) nested(list jsonval.Value) {
	if first(list).Kind() == jsonval.Array {
		list = first(list)
	}
	if list.Kind() == jsonval.Array {
		t.chat(list)
	}
}

func (t *tracer) generation(g jsonval.Value) {
	if g.Kind() == jsonval.Array {
		g = first(g)
	}
	if m := g.Get("message"); m.Kind() == jsonval.Object {
		t.read(m)
	}
}
