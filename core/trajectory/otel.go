package trajectory

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// isOTLP reports whether an object is an export of OpenTelemetry spans. It knows the
// forms of the OpenTelemetry collector, of Tempo and of console exporters, and spans that
// are grouped by trace.
func isOTLP(o *object) bool {
	if o.isList("resourceSpans") || o.isList("resource_spans") || o.isList("batches") {
		return true
	}
	isSpan := func(s *object) bool {
		return (s.hasAny("attributes") || hasSemantics(s.openMember(attributeBags))) && s.hasAny("context span_id spanId trace_id traceId")
	}
	return inFirst(o, "spans", isSpan) || inFirst(o, "data", isSpan) || inFirst(o, "traces", func(t *object) bool { return inFirst(t, "spans", isSpan) }) ||
		isSpan(o) && o.hasAny("name op") && !(o.isText("spanType") && o.hasAny("input output")) // what langfuseSpan reads
}

// attributeBags are the members in which other tracers keep the attributes of a span.
const attributeBags = "data tags span_attributes spanAttributes SpanAttributes"

// hasSemantics reports whether an object has attributes with the names of OpenTelemetry's
// conventions for generative models.
func hasSemantics(o *object) bool {
	return slices.ContainsFunc(o.keys, func(key string) bool { return strings.HasPrefix(key, "gen_ai.") })
}

// isOpenInference reports whether an object is an export of spans with attributes of
// OpenInference.
func isOpenInference(o *object) bool {
	return isOTLP(o) && strings.Contains(o.v.Raw(), "\"openinference.span.kind\"")
}

// isJaeger reports whether an object is a Jaeger export, or one trace of an export.
func isJaeger(o *object) bool {
	isSpan := func(s *object) bool { return s.hasAny("operationName") && s.hasAny("spanID traceID") }
	return inFirst(o, "spans", isSpan) || inFirst(o, "data", isSpan) || inFirst(o, "data", func(t *object) bool { return inFirst(t, "spans", isSpan) })
}

// decodeSpans reads all spans of a text. Each trace becomes one trajectory.
func decodeSpans(d *decoder, in batch) {
	var spans []*span
	for _, v := range in.values {
		before := len(spans)
		if collectSpans(v, &spans, 0); len(spans) == before && len(in.values) > 1 && !openObject(v).hasAny(spanGroups) {
			d.warnForeign(v)
		}
	}
	d.readTraces(spans, (*tracer).readOTelSpan, "traces have no span of a tool and no call by a model, so no actions can be scored")
}

// spanGroups are the members of exports that contain groups of spans, or spans.
const spanGroups = "resourceSpans resource_spans batches scopeSpans scope_spans instrumentationLibrarySpans ilSpans traces data spans"

// collectSpans appends all spans inside v to spans. Spans may be inside groups, and depth
// is the number of groups around v. Spans inside more than six groups are ignored.
func collectSpans(v jsonval.Value, spans *[]*span, depth int) {
	o := openObject(v)
	if depth > 6 {
		return
	}
	if v.Kind() == jsonval.Array { // a list of traces
		for _, e := range v.Elements() {
			collectSpans(e, spans, depth+1)
		}
		return
	}
	if !o.isList("spans") && (o.hasAny("spanId span_id spanID context") || o.hasAny("traceId") && o.hasAny("id")) && o.hasAny("name operationName op") {
		*spans = append(*spans, readSpan(o))
		return
	}
	for name := range strings.FieldsSeq(spanGroups) {
		for _, e := range o.firstList(name) {
			collectSpans(e, spans, depth+1)
		}
	}
}

func readSpan(o *object) *span {
	context := o.openMember("context")
	s := &span{
		v: o.v, name: o.firstText("name operationName description op"), start: o.firstText("startTimeUnixNano start_time_unix_nano startTime start_time start_timestamp timestamp"),
		trace: o.firstText("traceId trace_id traceID"), id: o.firstText("spanId span_id spanID"),
	}
	if s.trace == "" {
		s.trace, s.id = context.firstText("trace_id traceId"), context.firstText("span_id spanId")
	}
	status := o.openMember("status")
	code := status.firstText("code status_code")
	if code == "" {
		code = o.firstText("status_code")
	}
	s.failed = code == "2" || strings.HasSuffix(strings.ToUpper(code), "ERROR")
	if s.status = status.firstText("message description"); s.status == "" {
		s.status = o.firstText("status_message")
	}
	s.readAttributes(o.get("attributes"))
	s.readAttributes(o.get("tags"))
	for name := range strings.FieldsSeq(attributeBags) {
		if bag := o.openMember(name); hasSemantics(bag) {
			s.readAttributes(bag.v)
		}
	}
	s.failed = s.failed || wordState(o.firstString("status")).flag == failed
	for _, e := range o.firstList("events") {
		event := openObject(e)
		s.readAttributes(event.get("attributes"))
	}
	if t := strings.ToLower(s.firstText("otel.status_code")); t == "error" || s.firstText("error") == "true" {
		s.failed = true
	}
	return s
}

// readAttributes reads the attributes of a span from a list of {key, value} or from an
// object.
func (s *span) readAttributes(v jsonval.Value) {
	v.Each(func(key string, e jsonval.Value) bool {
		value := e
		if v.Kind() == jsonval.Array {
			key = e.Get("key").Text()
			value = anyValue(e.Get("value"))
		}
		s.keys, s.values = append(s.keys, key), append(s.values, value)
		return true
	})
}

// anyValue returns the value inside a typed value of OTLP. For example, {"stringValue":
// "x"} becomes "x".
func anyValue(v jsonval.Value) jsonval.Value {
	if v.Kind() != jsonval.Object || v.Len() != 1 {
		return v
	}
	o := openObject(v)
	switch o.keys[0] {
	case "stringValue", "intValue", "boolValue", "doubleValue", "bytesValue", "string_value", "int_value", "bool_value", "double_value":
		return o.values[0]
	case "arrayValue", "kvlistValue":
		return untypeValue(v)
	}
	return v
}

// untypeValue converts an OTLP list or object of typed values to plain JSON.
func untypeValue(v jsonval.Value) jsonval.Value {
	out, err := jsonval.Parse(untypedText(v))
	if err != nil {
		return v
	}
	return out
}

func untypedText(v jsonval.Value) string {
	o := openObject(v)
	if len(o.keys) != 1 {
		return v.Raw()
	}
	inner := o.values[0]
	var parts []string
	switch o.keys[0] {
	case "arrayValue":
		for _, e := range inner.Get("values").Elements() {
			parts = append(parts, untypedText(e))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case "kvlistValue":
		for _, e := range inner.Get("values").Elements() {
			parts = append(parts, quoteJSON(e.Get("key").Text())+":"+untypedText(e.Get("value")))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case "intValue":
		if _, err := strconv.ParseInt(inner.Text(), 10, 64); err == nil {
			return inner.Text()
		}
	}
	return anyValue(v).Raw()
}

// readOTelSpan reads the span of a tool or of a model. Other spans have neither calls nor
// messages, and are skipped.
func (t *tracer) readOTelSpan(s *span) {
	if s.firstText("mlflow.spanType mlflow.spanInputs") != "" {
		t.readTypedSpan(mlflowSpan(s), true)
		return
	}
	kind := strings.ToLower(s.firstText("openinference.span.kind traceloop.span.kind langfuse.observation.type"))
	operation := s.firstText("gen_ai.operation.name")
	if t.t.Model == "" {
		t.t.Model = s.firstText("gen_ai.request.model gen_ai.response.model llm.model_name")
	}
	name := s.firstText("gen_ai.tool.name tool.name ai.toolCall.name")
	if operation == "execute_tool" || kind == "tool" || name != "" && operation == "" && kind == "" {
		t.readToolSpan(s, name)
		return
	}
	t.readModelSpan(s)
}

func (t *tracer) readToolSpan(s *span, name string) {
	if name == "" {
		name = s.firstText("traceloop.entity.name")
	}
	if name == "" {
		name = executedName(s.name)
	}
	e := execution{call: call{id: s.firstText("gen_ai.tool.call.id tool_call.id tool.id ai.toolCall.id"), name: name, at: s.v}}
	e.arguments = toolArguments(s.firstAttr("gen_ai.tool.call.arguments gen_ai.tool.input gen_ai.tool.arguments tool_arguments input.value tool.parameters traceloop.entity.input ai.toolCall.args langfuse.observation.input"))
	e.unrecorded = !e.arguments.Exists()
	e.result = s.firstAttr("gen_ai.tool.call.result gen_ai.tool.output gen_ai.tool.result tool_response output.value traceloop.entity.output ai.toolCall.result langfuse.observation.output")
	e.done = e.result.Exists()
	if s.failed || s.firstText("error.type error") != "" || wordState(s.firstText("gen_ai.tool.status tool.status")).flag == failed || s.firstText("langfuse.observation.level") == "ERROR" {
		e.flag = failed
		if !e.done {
			e.result = objectFromPairs("error", ifElse(s.status != "", s.status, s.firstText("langfuse.observation.status_message error.type exception.message"))).Get("error")
		}
	}
	t.addExecution(e)
}

// toolArguments returns the arguments of a tool from the tool's input in a trace. The
// input is an object, or a string that contains an object in JSON or in Python's
// notation. If the object is only {input: …}, the inner object is returned.
func toolArguments(v jsonval.Value) jsonval.Value {
	if s, ok := v.Str(); ok {
		inner, err := jsonval.Parse(s)
		if err != nil {
			inner = parsePython(s)
		}
		if inner.Kind() == jsonval.Object {
			v = inner
		}
	}
	if o := openObject(v); len(o.keys) == 1 && oneOf(o.keys[0], "input inputs input_str") {
		if inner := toolArguments(o.values[0]); inner.Kind() == jsonval.Object {
			return inner
		}
	}
	return v
}

// readModelSpan reads the messages in the span of a model.
func (t *tracer) readModelSpan(s *span) {
	t.beginHistory()
	before := len(t.t.Actions)
	for _, name := range [...]string{"gen_ai.system_instructions", "gen_ai.input.messages", "gen_ai.output.messages"} {
		v := s.firstAttr(name)
		if text, ok := v.Str(); ok {
			inner, err := jsonval.Parse(text)
			if err != nil {
				t.d.warnAt("attribute-not-json", "the attribute "+name+" is not JSON; perhaps the exporter cut off the text", v)
				continue
			}
			v = inner
		}
		if name == "gen_ai.system_instructions" {
			t.beginTurn("system")
			t.readContent(v)
			continue
		}
		if name == "gen_ai.input.messages" {
			t.readHistory(func() { t.readChat(v) })
		} else {
			t.readChat(v)
		}
	}
	if calls := encodedValue(s.firstAttr("gen_ai.response.tool_calls")); calls.Kind() == jsonval.Array {
		t.callList("calls", calls)
	}
	if s.firstText("langfuse.observation.type") == "generation" {
		for _, name := range [...]string{"langfuse.observation.input", "langfuse.observation.output"} {
			if v, err := jsonval.Parse(s.firstAttr(name).Text()); err == nil {
				t.readModelData(v)
			}
		}
	}
	for _, prefix := range [...]string{"llm.input_messages.", "llm.output_messages.", "gen_ai.prompt.", "gen_ai.completion."} {
		t.once.repeats = strings.HasSuffix(prefix, "input_messages.") || strings.HasSuffix(prefix, "prompt.")
		for _, m := range s.flatMessages(prefix) {
			t.readMessageValue(m)
		}
		t.once.repeats = false
	}
	t.recordRequested(before)
}
