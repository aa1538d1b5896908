package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

func isLangfuse(o *object) bool {
	return inFirst(o, "observations", isObservation) || o.isText("timestamp") && o.isList("observations") && o.get("observations").Len() == 0 || isObservation(o) || inFirst(o, "data", isObservation)
}

func isObservation(o *object) bool {
	return o.firstString(observationKinds) != "" && o.hasAny("traceId trace_id") && o.hasAny("parentObservationId parent_observation_id startTime start_time level timestamps parent_span_id parentSpanId")
}

// observationKinds are the members with the type of an observation.
const observationKinds = "type span_type spanType"

// observationKind returns the kind of a span. Tracers write the types in capitals or not.
func observationKind(word string) string {
	switch word = strings.ToUpper(word); {
	case word == "LLM":
		return kindModel
	case strings.Contains(word, kindTool) && !strings.Contains(word, "TOOLS"):
		return kindTool
	}
	return word
}

// typedValue returns the value in an object that says its type beside it, or v itself.
func typedValue(v jsonval.Value) jsonval.Value {
	if o := openObject(v); len(o.keys) == 2 && o.isText("type") && o.get("value").Exists() {
		return o.get("value")
	}
	return encodedValue(v)
}

// decodeLangfuse reads traces with their observations, or observations without a trace. The
// observations may be a page of the API: {data, meta}.
func decodeLangfuse(d *decoder, in batch) {
	var spans []*span
	traces := map[string]*object{}
	for _, o := range openRows(in.values, "data") {
		if !isObservation(o) {
			traces[o.firstText("id")] = o
		}
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
		if o := traces[t.t.ID]; o != nil {
			d.copyJudged(d.Trajectories[len(d.Trajectories)-1:], o)
		}
	}
}

func langfuseSpan(o *object) *span {
	s := &span{
		v: o.v, trace: o.firstText("traceId trace_id"), id: o.firstText("id span_id spanId"), name: executedName(o.firstText("name")), kind: observationKind(o.firstString(observationKinds)),
		start: o.firstText("startTime start_time"), input: typedValue(o.get("input")), output: typedValue(o.get("output")),
		failed: o.firstString("level") == "ERROR" || stateOf(o).flag == failed, status: o.firstText("statusMessage status_message"),
	}
	if s.start == "" {
		s.start = o.openMember("timestamps").firstText("started_at start")
	}
	if s.status == "" {
		s.status = errorWords(o.get("error"))
	}
	return s
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
