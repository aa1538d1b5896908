package engine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// IsOTLP reports whether an object is an export of OpenTelemetry spans. It knows the
// forms of the OpenTelemetry collector, of Tempo and of console exporters, and spans that
// are grouped by trace.
func IsOTLP(o *shape.Object) bool {
	if o.IsList("resourceSpans") || o.IsList("resource_spans") || o.IsList("batches") {
		return true
	}
	isSpan := func(s *shape.Object) bool {
		return (s.HasAny("attributes") || hasSemantics(s.OpenMember(attributeBags))) && s.HasAny("context span_id spanId trace_id traceId")
	}
	return InFirst(o, "spans", isSpan) || InFirst(o, "data", isSpan) || InFirst(o, "traces", func(t *shape.Object) bool { return InFirst(t, "spans", isSpan) }) ||
		isSpan(o) && o.HasAny("name op") && !(o.IsText("spanType") && o.HasAny("input output")) // what langfuseSpan reads
}

// attributeBags are the members in which other tracers keep the attributes of a span.
const attributeBags = "data tags span_attributes spanAttributes SpanAttributes"

// hasSemantics reports whether an object has attributes with the names of OpenTelemetry's
// conventions for generative models.
func hasSemantics(o *shape.Object) bool {
	return slices.ContainsFunc(o.Keys, func(key string) bool { return strings.HasPrefix(key, "gen_ai.") })
}

// IsOpenInference reports whether an object is an export of spans with attributes of
// OpenInference.
func IsOpenInference(o *shape.Object) bool {
	return IsOTLP(o) && strings.Contains(o.Value.Raw(), "\"openinference.span.kind\"")
}

// IsJaeger reports whether an object is a Jaeger export, or one trace of an export.
func IsJaeger(o *shape.Object) bool {
	isSpan := func(s *shape.Object) bool { return s.HasAny("operationName") && s.HasAny("spanID traceID") }
	return InFirst(o, "spans", isSpan) || InFirst(o, "data", isSpan) || InFirst(o, "data", func(t *shape.Object) bool { return InFirst(t, "spans", isSpan) })
}

// DecodeSpans reads all spans of a text. Each trace becomes one trajectory.
func DecodeSpans(d *Decoder, in Batch) {
	var spans []*Span
	for _, v := range in.Values {
		before := len(spans)
		if collectSpans(v, &spans, 0); len(spans) == before && len(in.Values) > 1 && !shape.OpenObject(v).HasAny(spanGroups) {
			d.WarnForeign(v)
		}
	}
	d.ReadTraces(spans, (*Tracer).ReadOTelSpan, "traces have no span of a tool and no call by a model, so no actions can be scored")
}

// spanGroups are the members of exports that contain groups of spans, or spans.
const spanGroups = "resourceSpans resource_spans batches scopeSpans scope_spans instrumentationLibrarySpans ilSpans traces data spans"

// collectSpans appends all spans inside v to spans. Spans may be inside groups, and depth
// is the number of groups around v. Spans inside more than six groups are ignored.
func collectSpans(v jsonval.Value, spans *[]*Span, depth int) {
	o := shape.OpenObject(v)
	if depth > 6 {
		return
	}
	if v.Kind() == jsonval.Array { // a list of traces
		for _, e := range v.Elements() {
			collectSpans(e, spans, depth+1)
		}
		return
	}
	if !o.IsList("spans") && (o.HasAny("spanId span_id spanID context") || o.HasAny("traceId") && o.HasAny("id")) && o.HasAny("name operationName op") {
		*spans = append(*spans, ReadSpan(o))
		return
	}
	for name := range strings.FieldsSeq(spanGroups) {
		for _, e := range o.FirstList(name) {
			collectSpans(e, spans, depth+1)
		}
	}
}

// ReadSpan reads a span of OpenTelemetry, in OTLP/JSON or as an SDK or Jaeger prints it.
func ReadSpan(o *shape.Object) *Span {
	context := o.OpenMember("context")
	s := &Span{
		Value: o.Value, Name: o.FirstText("name operationName description op"), Start: o.FirstText("startTimeUnixNano start_time_unix_nano startTime start_time start_timestamp timestamp"),
		Trace: o.FirstText("traceId trace_id traceID"), ID: o.FirstText("spanId span_id spanID"),
	}
	if s.Trace == "" {
		s.Trace, s.ID = context.FirstText("trace_id traceId"), context.FirstText("span_id spanId")
	}
	status := o.OpenMember("status")
	code := status.FirstText("code status_code")
	if code == "" {
		code = o.FirstText("status_code")
	}
	s.Failed = code == "2" || strings.HasSuffix(strings.ToUpper(code), "ERROR")
	if s.Status = status.FirstText("message description"); s.Status == "" {
		s.Status = o.FirstText("status_message")
	}
	s.ReadAttributes(o.Get("attributes"))
	s.ReadAttributes(o.Get("tags"))
	for name := range strings.FieldsSeq(attributeBags) {
		if bag := o.OpenMember(name); hasSemantics(bag) {
			s.ReadAttributes(bag.Value)
		}
	}
	s.Failed = s.Failed || shape.WordState(o.FirstString("status")).Flag == shape.Failed
	for _, e := range o.FirstList("events") {
		event := shape.OpenObject(e)
		s.ReadAttributes(event.Get("attributes"))
		if event.FirstString("name") == "exception" && (code == "" || shape.OneOf(strings.ToUpper(code), "0 UNSET STATUS_CODE_UNSET")) {
			s.Failed = true // with the status ok, the tool has dealt with it
		}
	}
	if t := strings.ToLower(s.FirstText("otel.status_code")); t == "error" || s.FirstText("error") == "true" {
		s.Failed = true
	}
	return s
}

// copyEvaluations sets the outcome of the last run from the events in which its spans say what an evaluator found
// of it. What is said of a single call, or of an answer of the model, is not the outcome of the run.
func (d *Decoder) copyEvaluations(group []*Span) {
	list := ""
	for _, s := range group {
		if !slices.Contains(s.Keys, "gen_ai.evaluation.name") || shape.OneOf(s.FirstText("gen_ai.operation.name"), "execute_tool chat text_completion generate_content embeddings") {
			continue
		}
		var one []string // the members of one event, which repeat in the next
		end := func() {
			if len(one) > 0 {
				list += shape.IfElse(list == "", "", ",") + "{" + strings.Join(one, ",") + "}"
			}
			one = nil
		}
		for i, key := range s.Keys {
			name, ok := strings.CutPrefix(key, "gen_ai.evaluation.")
			if name = strings.TrimPrefix(name, "score."); !ok || !shape.OneOf(name, "name label value") {
				continue
			}
			member := literal.Quote(shape.IfElse(name == "value", "score", name)) + ":"
			if slices.ContainsFunc(one, func(m string) bool { return strings.HasPrefix(m, member) }) {
				end()
			}
			one = append(one, member+s.Values[i].Raw())
		}
		end()
	}
	if v, err := jsonval.Parse(`{"evaluations":[` + list + `]}`); err == nil && list != "" {
		d.CopyJudged(d.Trajectories[len(d.Trajectories)-1:], shape.OpenObject(v))
	}
}

// ReadAttributes reads the attributes of a span from a list of {key, value} or from an
// object.
func (s *Span) ReadAttributes(v jsonval.Value) {
	v.Each(func(key string, e jsonval.Value) bool {
		value := e
		if v.Kind() == jsonval.Array {
			key = e.Get("key").Text()
			value = anyValue(e.Get("value"))
		}
		s.Keys, s.Values = append(s.Keys, key), append(s.Values, value)
		return true
	})
}

// anyValue returns the value inside a typed value of OTLP. For example, {"stringValue":
// "x"} becomes "x".
func anyValue(v jsonval.Value) jsonval.Value {
	if v.Kind() != jsonval.Object || v.Len() != 1 {
		return v
	}
	o := shape.OpenObject(v)
	switch o.Keys[0] {
	case "stringValue", "intValue", "boolValue", "doubleValue", "bytesValue", "string_value", "int_value", "bool_value", "double_value":
		return o.Values[0]
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
	o := shape.OpenObject(v)
	if len(o.Keys) != 1 {
		return v.Raw()
	}
	inner := o.Values[0]
	var parts []string
	switch o.Keys[0] {
	case "arrayValue":
		for _, e := range inner.Get("values").Elements() {
			parts = append(parts, untypedText(e))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case "kvlistValue":
		for _, e := range inner.Get("values").Elements() {
			parts = append(parts, literal.Quote(e.Get("key").Text())+":"+untypedText(e.Get("value")))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case "intValue":
		if _, err := strconv.ParseInt(inner.Text(), 10, 64); err == nil {
			return inner.Text()
		}
	}
	return anyValue(v).Raw()
}

// ReadOTelSpan reads the span of a tool or of a model. Other spans have neither calls nor
// messages, and are skipped.
func (t *Tracer) ReadOTelSpan(s *Span) {
	if s.FirstText("mlflow.spanType mlflow.spanInputs") != "" {
		t.readTypedSpan(mlflowSpan(s), true)
		return
	}
	kind := strings.ToLower(s.FirstText("openinference.span.kind traceloop.span.kind langfuse.observation.type"))
	operation := s.FirstText("gen_ai.operation.name")
	if t.Trajectory.Model == "" {
		t.Trajectory.Model = s.FirstText("gen_ai.request.model gen_ai.response.model llm.model_name")
	}
	name := s.FirstText("gen_ai.tool.name tool.name ai.toolCall.name")
	if operation == "execute_tool" || kind == "tool" || name != "" && operation == "" && kind == "" {
		t.readToolSpan(s, name)
		return
	}
	t.readModelSpan(s)
}

func (t *Tracer) readToolSpan(s *Span, name string) {
	if name == "" {
		name = s.FirstText("traceloop.entity.name")
	}
	if name == "" {
		name = ExecutedName(s.Name)
	}
	e := Execution{Call: Call{ID: s.FirstText("gen_ai.tool.call.id tool_call.id tool.id ai.toolCall.id"), Name: name, At: s.Value}}
	e.Arguments = ToolArguments(s.firstAttr("gen_ai.tool.call.arguments gen_ai.tool.input gen_ai.tool.arguments tool_arguments input.value tool.parameters traceloop.entity.input ai.toolCall.args langfuse.observation.input"))
	e.unrecorded = !e.Arguments.Exists()
	e.Result = s.firstAttr("gen_ai.tool.call.result gen_ai.tool.output gen_ai.tool.result tool_response output.value traceloop.entity.output ai.toolCall.result langfuse.observation.output")
	e.Done = e.Result.Exists()
	if s.Failed || s.FirstText("error.type error") != "" || shape.WordState(s.FirstText("gen_ai.tool.status tool.status")).Flag == shape.Failed || s.FirstText("langfuse.observation.level") == "ERROR" {
		e.Flag = shape.Failed
		if !e.Done {
			e.Result = literal.Object("error", shape.IfElse(s.Status != "", s.Status, s.FirstText("langfuse.observation.status_message error.type exception.message"))).Get("error")
		}
	}
	t.AddExecution(e)
}

// ToolArguments returns the arguments of a tool from the tool's input in a trace. The
// input is an object, or a string that contains an object in JSON or in Python's
// notation. If the object is only {input: …}, the inner object is returned.
func ToolArguments(v jsonval.Value) jsonval.Value {
	if s, ok := v.Str(); ok {
		inner, err := jsonval.Parse(s)
		if err != nil {
			inner = literal.Python(s)
		}
		if inner.Kind() == jsonval.Object {
			v = inner
		}
	}
	if o := shape.OpenObject(v); len(o.Keys) == 1 && shape.OneOf(o.Keys[0], "input inputs input_str") {
		if inner := ToolArguments(o.Values[0]); inner.Kind() == jsonval.Object {
			return inner
		}
	}
	return v
}

// readModelSpan reads the messages in the span of a model.
func (t *Tracer) readModelSpan(s *Span) {
	t.BeginHistory()
	before := len(t.Trajectory.Actions)
	for _, name := range [...]string{"gen_ai.system_instructions", "gen_ai.input.messages", "gen_ai.output.messages"} {
		v := s.firstAttr(name)
		if text, ok := v.Str(); ok {
			inner, err := jsonval.Parse(text)
			if err != nil {
				t.Decoder.WarnAt("attribute-not-json", "the attribute "+name+" is not JSON; perhaps the exporter cut off the text", v)
				continue
			}
			v = inner
		}
		if name == "gen_ai.system_instructions" {
			t.BeginTurn("system")
			t.ReadContent(v)
			continue
		}
		if name == "gen_ai.input.messages" {
			t.ReadHistory(func() { t.ReadChat(v) })
		} else {
			t.ReadChat(v)
		}
	}
	if calls := shape.EncodedValue(s.firstAttr("gen_ai.response.tool_calls")); calls.Kind() == jsonval.Array {
		t.callList("calls", calls)
	}
	if s.FirstText("langfuse.observation.type") == "generation" {
		for _, name := range [...]string{"langfuse.observation.input", "langfuse.observation.output"} {
			if v, err := jsonval.Parse(s.firstAttr(name).Text()); err == nil {
				t.ReadModelData(v)
			}
		}
	}
	for _, prefix := range [...]string{"llm.input_messages.", "llm.output_messages.", "gen_ai.prompt.", "gen_ai.completion."} {
		t.once.repeats = strings.HasSuffix(prefix, "input_messages.") || strings.HasSuffix(prefix, "prompt.")
		for _, m := range (&shape.Object{Keys: s.Keys, Values: s.Values}).FlatMessages(prefix) {
			t.ReadMessageValue(m)
		}
		t.once.repeats = false
	}
	t.RecordRequested(before)
}
