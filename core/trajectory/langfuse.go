package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

func isLangfuse(o *object) bool {
	return inFirst(o, "observations", isObservation) || o.isText("timestamp") && o.isList("observations") && o.get("observations").Len() == 0 || isObservation(o) || inFirst(o, "data", isObservation)
}

func isObservation(o *object) bool {
	return o.isText("type") && o.hasAny("traceId trace_id") && o.hasAny("parentObservationId parent_observation_id startTime start_time level")
}

// decodeLangfuse reads traces with their observations, or observations without a trace. The
// observations may be a page of the API: {data, meta}.
func decodeLangfuse(d *decoder, in batch) {
	var spans []*span
	for _, o := range openRows(in.values, "data") {
		switch {
		case isObservation(o):
			spans = append(spans, langfuseSpan(o))
		case !o.isList("observations"):
			d.warnForeign(o.v)
		case o.get("observations").Len() == 0: // a trace without a call
			spans = append(spans, &span{v: o.v, trace: o.firstText("id")})
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
		t.readTypedSpans(group)
		t.addToDocument()
	}
}

func langfuseSpan(o *object) *span {
	return &span{
		v: o.v, trace: o.firstText("traceId trace_id"), id: o.firstText("id"), name: executedName(o.firstText("name")), kind: o.firstString("type"),
		start: o.firstText("startTime start_time"), input: encodedValue(o.get("input")), output: encodedValue(o.get("output")),
		failed: o.firstString("level") == "ERROR", status: o.firstText("statusMessage status_message"),
	}
}

// executedName returns the name of a tool from the name of a span. It removes words that
// tracers add, such as "execute_tool".
func executedName(name string) string {
	for _, words := range [...]string{"execute_tool ", "running tool: ", "Function tool: ", "tool."} {
		name = strings.TrimPrefix(name, words)
	}
	return name
}

// encodedValue returns the JSON value inside a string. The inner value must be an object,
// a list or a string. Any other v is returned unchanged.
func encodedValue(v jsonval.Value) jsonval.Value {
	if s, ok := v.Str(); ok {
		if inner, err := jsonval.Parse(s); err == nil && (inner.Kind() == jsonval.Object || inner.Kind() == jsonval.Array || inner.Kind() == jsonval.String) {
			return inner
		}
	}
	return v
}
