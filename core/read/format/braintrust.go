package format

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isBraintrust reports whether an object is a span of Braintrust, or a page of spans.
func isBraintrust(o *shape.Object) bool {
	return isBraintrustSpan(o) || engine.InFirst(o, "data", isBraintrustSpan) || engine.InFirst(o, "events", isBraintrustSpan)
}

func isBraintrustSpan(o *shape.Object) bool {
	return o.IsObject("span_attributes") && o.HasAny("root_span_id span_parents")
}

// decodeBraintrust reads the spans of a log or of an experiment. The spans under one root
// are one run. The root has the expected side and the scores.
func decodeBraintrust(d *engine.Decoder, in engine.Batch) {
	var spans []*engine.Span
	for _, o := range d.OpenKnownRows(in.Values, "data events", isBraintrustSpan) {
		spans = append(spans, braintrustSpan(o))
	}
	for _, group := range engine.ByTrace(spans) {
		root := braintrustRoot(group)
		t := d.NewTracer()
		t.Trajectory.ID = group[0].Trace
		t.ReadQuestion(root.Get("input"))
		t.ReadTypedSpans(group)
		t.AddOrFind(root.Get("output"))
		d.CopySides(d.Trajectories[len(d.Trajectories)-1:], root, false)
	}
}

// braintrustRoot returns the root of a group of spans. It returns an empty object if the
// file does not have it.
func braintrustRoot(group []*engine.Span) *shape.Object {
	for _, s := range group {
		if s.ID == s.Trace {
			return shape.OpenObject(s.Value)
		}
	}
	return &shape.Object{}
}

func braintrustSpan(o *shape.Object) *engine.Span {
	attributes := o.OpenMember("span_attributes")
	s := &engine.Span{
		Value: o.Value, Trace: o.FirstText("root_span_id span_id id"), ID: o.FirstText("span_id id"), Name: engine.ExecutedName(attributes.FirstText("name")),
		Input: shape.EncodedValue(o.Get("input")), Output: shape.EncodedValue(o.Get("output")), Status: shape.ErrorWords(o.Get("error")),
	}
	s.Failed = shape.ErrorFlag(o.Get("error")) == shape.Failed
	if s.Start = o.OpenMember("metrics").FirstText("start"); s.Start == "" {
		s.Start = o.FirstText("created")
	}
	switch attributes.FirstString("type") {
	case "tool":
		s.Kind = engine.KindTool
	case "llm":
		s.Kind = engine.KindModel
		s.Output = braintrustChoices(s.Output)
	}
	return s
}

// braintrustChoices returns the message in the list of answers of a model, or v itself.
func braintrustChoices(v jsonval.Value) jsonval.Value {
	if m := shape.FirstElement(v).Get("message"); m.Kind() == jsonval.Object {
		return m
	}
	return v
}
