package format

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/spent"
)

// isAgentsTrace reports whether an object is an export of the OpenAI Agents SDK.
func isAgentsTrace(o *shape.Object) bool {
	isSpan := func(s *shape.Object) bool { return s.FirstString("object") == "trace.span" || s.IsObject("span_data") }
	return engine.InFirst(o, "spans", isSpan) || o.FirstString("object") == "trace" && o.IsList("spans") || engine.InFirst(o, "traces", func(t *shape.Object) bool { return engine.InFirst(t, "spans", isSpan) }) ||
		engine.InFirst(o, "data", func(s *shape.Object) bool { return s.FirstString("object") == "trace" || isSpan(s) }) || isSpan(o)
}

func decodeAgentsTrace(d *engine.Decoder, in engine.Batch) {
	var spans []*engine.Span
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		if !o.HasAny("object spans data traces span_data") {
			d.WarnForeign(v)
		}
		agentsSpans(o, &spans)
		for _, t := range o.FirstList("traces") {
			agentsSpans(shape.OpenObject(t), &spans)
		}
	}
	d.ReadTraces(spans, readAgentsSpan, "traces have no tool span, so there are no actions to score")
}

func agentsSpans(o *shape.Object, spans *[]*engine.Span) {
	list := append(o.FirstList("spans"), o.FirstList("data")...)
	if o.IsList("spans") && len(list) == 0 { // a trace without a call
		*spans = append(*spans, &engine.Span{Value: o.Value, Trace: o.FirstText("id")})
	}
	if o.IsObject("span_data") {
		list = append(list, o.Value)
	}
	for _, v := range list {
		e := shape.OpenObject(v)
		if !e.IsObject("span_data") {
			continue
		}
		data := e.OpenMember("span_data")
		*spans = append(*spans, &engine.Span{
			Value: v, Trace: e.FirstText("trace_id"), ID: e.FirstText("id"), Start: e.FirstText("started_at"), Kind: data.FirstString("type"),
			Name: data.FirstText("name"), Input: data.Get("input"), Output: data.Get("output"),
			Failed: e.FirstNonNull("error").Exists(), Status: shape.ErrorWords(e.Get("error")),
		})
	}
}

func readAgentsSpan(t *engine.Tracer, s *engine.Span) {
	switch s.Kind {
	case "function":
		e := engine.Execution{Call: engine.Call{Name: s.Name, Arguments: engine.ToolArguments(s.Input), At: s.Value}, Result: s.Output}
		e.Done = s.Output.Exists() && s.Output.Kind() != jsonval.Null
		if s.Failed {
			e.Flag = shape.Failed
			if !e.Done {
				e.Result = literal.Object("error", s.Status).Get("error")
			}
		}
		t.AddExecution(e)
	case "generation", "response":
		t.BeginHistory()
		before := len(t.Trajectory.Actions)
		t.Role = "assistant"
		if s.Input.Kind() == jsonval.Array {
			t.ReadChat(s.Input)
		}
		if s.Output.Kind() == jsonval.Array {
			for _, v := range s.Output.Elements() {
				answer := v
				if choice := shape.FirstElement(v.Get("choices")); choice.Exists() {
					answer = choice.Get("message") // the complete answer of a chat model
				}
				t.WithSpent(spent.Of(shape.OpenObject(v)), func() { t.ReadMessageValue(answer) })
			}
		}
		t.RecordRequested(before)
	}
}
