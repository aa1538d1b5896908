package format

import (
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isOpik reports whether an object is a trace of Opik with its spans, or a span.
func isOpik(o *shape.Object) bool {
	return isOpikSpan(o) || o.IsObject("trace") && engine.InFirst(o, "spans", isOpikSpan)
}

func isOpikSpan(o *shape.Object) bool {
	return o.IsText("trace_id") && o.HasAny("parent_span_id") && o.HasAny("project_id project_name") && shape.OneOf(o.FirstString("type"), "general tool llm guardrail")
}

// decodeOpik reads the spans of each trace into one run. The trace has the scores that people and
// programs gave.
func decodeOpik(d *engine.Decoder, in engine.Batch) {
	var spans []*engine.Span
	traces := map[string]*shape.Object{}
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		list := []*shape.Object{o}
		if trace := o.OpenMember("trace"); o.IsList("spans") {
			list = engine.OpenRows(o.FirstList("spans"), "")
			traces[trace.FirstText("id")] = trace
			if len(list) == 0 {
				spans = append(spans, &engine.Span{Value: trace.Value, Trace: trace.FirstText("id"), ID: trace.FirstText("id")})
			}
		}
		for _, s := range list {
			if isOpikSpan(s) {
				spans = append(spans, opikSpan(s))
			} else {
				d.WarnForeign(s.Value)
			}
		}
	}
	for _, group := range engine.ByTrace(spans) {
		t := d.NewTracer()
		t.Trajectory.ID = group[0].Trace
		trace := traces[group[0].Trace]
		if trace == nil {
			trace = &shape.Object{}
		}
		t.ReadQuestion(trace.Get("input"))
		t.ReadTypedSpans(group)
		t.AddOrFind(trace.Get("output"))
		d.CopySides(d.Trajectories[len(d.Trajectories)-1:], trace, false)
	}
}

func opikSpan(o *shape.Object) *engine.Span {
	s := &engine.Span{
		Value: o.Value, Trace: o.FirstText("trace_id"), ID: o.FirstText("id"), Name: engine.ExecutedName(o.FirstText("name")), Start: o.FirstText("start_time"),
		Input: shape.EncodedValue(o.Get("input")), Output: shape.EncodedValue(o.Get("output")), Status: shape.ErrorWords(o.Get("error_info")),
	}
	s.Failed = o.IsObject("error_info")
	switch o.FirstString("type") {
	case "tool":
		s.Kind = engine.KindTool
		if inner := s.Output.Get("output"); inner.Exists() {
			s.Output = inner
		}
	case "llm":
		s.Kind = engine.KindModel
	}
	return s
}
