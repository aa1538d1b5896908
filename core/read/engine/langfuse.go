package engine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// IsLangfuse reports whether an object is a trace of Langfuse, or one of its observations.
func IsLangfuse(o *shape.Object) bool {
	return InFirst(o, "observations", isObservation) || o.IsText("timestamp") && o.IsList("observations") && o.Get("observations").Len() == 0 || isObservation(o) || InFirst(o, "data", isObservation)
}

func isObservation(o *shape.Object) bool {
	return o.FirstString(observationKinds) != "" && o.HasAny("traceId trace_id") && o.HasAny("parentObservationId parent_observation_id startTime start_time level timestamps parent_span_id parentSpanId")
}

// observationKinds are the members with the type of an observation.
const observationKinds = "type span_type spanType"

// observationKind returns the kind of a span. Tracers write the types in capitals or not.
func observationKind(word string) string {
	switch word = strings.ToUpper(word); {
	case word == "LLM":
		return KindModel
	case strings.Contains(word, KindTool) && !strings.Contains(word, "TOOLS"):
		return KindTool
	}
	return word
}

// typedValue returns the value in an object that says its type beside it, or v itself.
func typedValue(v jsonval.Value) jsonval.Value {
	if o := shape.OpenObject(v); len(o.Keys) == 2 && o.IsText("type") && o.Get("value").Exists() {
		return o.Get("value")
	}
	return shape.EncodedValue(v)
}

// DecodeLangfuse reads traces with their observations, or observations without a trace. The
// observations may be a page of the API: {data, meta}.
func DecodeLangfuse(d *Decoder, in Batch) {
	var spans []*Span
	traces := map[string]*shape.Object{}
	for _, o := range OpenRows(in.Values, "data") {
		if !isObservation(o) {
			traces[o.FirstText("id")] = o
		}
		switch {
		case isObservation(o):
			spans = append(spans, langfuseSpan(o))
		case !o.IsList("observations"):
			d.WarnForeign(o.Value)
		case o.Get("observations").Len() == 0: // a trace without a call
			spans = append(spans, &Span{Value: o.Value, Trace: o.FirstText("id")})
		}
		for _, e := range o.FirstList("observations") {
			s := langfuseSpan(shape.OpenObject(e))
			s.Trace = o.FirstText("id")
			spans = append(spans, s)
		}
	}
	for _, group := range ByTrace(spans) {
		t := d.NewTracer()
		t.Trajectory.ID = group[0].Trace
		t.ReadTypedSpans(group)
		t.AddToDocument()
		if o := traces[t.Trajectory.ID]; o != nil {
			d.CopyJudged(d.Trajectories[len(d.Trajectories)-1:], o)
		}
	}
}

func langfuseSpan(o *shape.Object) *Span {
	s := &Span{
		Value: o.Value, Trace: o.FirstText("traceId trace_id"), ID: o.FirstText("id span_id spanId"), Name: ExecutedName(o.FirstText("name")), Kind: observationKind(o.FirstString(observationKinds)),
		Start: o.FirstText("startTime start_time"), Input: typedValue(o.Get("input")), Output: typedValue(o.Get("output")),
		Failed: o.FirstString("level") == "ERROR" || shape.StateOf(o).Flag == shape.Failed, Status: o.FirstText("statusMessage status_message"),
	}
	if s.Start == "" {
		s.Start = o.OpenMember("timestamps").FirstText("started_at start")
	}
	if s.Status == "" {
		s.Status = shape.ErrorWords(o.Get("error"))
	}
	return s
}

// ExecutedName returns the name of a tool from the name of a span. It removes words that
// tracers add, such as "execute_tool".
func ExecutedName(name string) string {
	for _, words := range [...]string{"execute_tool ", "running tool: ", "Function tool: ", "tool."} {
		name = strings.TrimPrefix(name, words)
	}
	return name
}
