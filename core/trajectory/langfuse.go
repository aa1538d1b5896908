package trajectory

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

func isLangfuse(o *object) bool {
	return inFirst(o, "observations", isObservation) || isObservation(o)
}

func isObservation(o *object) bool {
	return o.isText("type") && o.hasAny("traceId trace_id") && o.hasAny("parentObservationId parent_observation_id startTime start_time level")
}

// decodeLangfuse reads traces with their observations, or observations without a trace.
func decodeLangfuse(d *decoder, in batch) {
	var spans []*span
	for _, v := range in.values {
		o := openObject(v)
		if isObservation(o) {
			spans = append(spans, langfuseSpan(o))
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
		typed := map[string]bool{} // the names of the tools that have observations of their own type
		for _, s := range group {
			typed[s.name] = typed[s.name] || s.kind == "TOOL"
		}
		for _, s := range group {
			t.readLangfuseSpan(s, typed[s.name])
		}
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

// readLangfuseSpan reads one observation of Langfuse. An observation of the type TOOL is
// the execution of a tool. If typed is false, an observation of another type with the id
// or name of a requested call is an execution, too.
func (t *tracer) readLangfuseSpan(s *span, typed bool) {
	if s.kind == "GENERATION" {
		t.beginHistory()
		before := len(t.t.Actions)
		t.readHistory(func() { t.readModelData(s.input) })
		t.readModelData(s.output)
		t.recordRequested(before)
		return
	}
	e := execution{call: call{name: s.name, arguments: toolArguments(s.input), at: s.v}, result: s.output}
	e.done = s.output.Exists() && s.output.Kind() != jsonval.Null
	e.id = s.output.Get("tool_call_id").Text() + s.output.Get("kwargs").Get("tool_call_id").Text()
	if s.failed {
		e.flag = failed
		if !e.done {
			e.result = objectFromPairs("error", s.status).Get("error")
		}
	}
	if s.kind == "TOOL" || !typed && t.isRequested(&e) {
		t.addExecution(e)
	}
}

// isRequested reports whether a model requested the call of an execution. The call must
// have the execution's id. If the execution has no id, the call must have the execution's
// name, and no span yet.
func (t *tracer) isRequested(e *execution) bool {
	if e.id != "" {
		_, known := t.ids[e.id]
		return known
	}
	return slices.ContainsFunc(t.named[e.name], func(i int) bool { return !t.executed[i] })
}

// readModelData reads the input or output of a model. The value v has one of these forms:
//
//   - a list of messages or of calls
//   - an object with such a list
//   - a complete API response
//   - one message
//   - a prompt
func (t *tracer) readModelData(v jsonval.Value) {
	o := openObject(v)
	switch {
	case openBlock(firstElement(v)).tool != "", firstElement(v).Get("function").Kind() == jsonval.Object && !firstElement(v).Get("role").Exists():
		t.callList(v)
	case v.Kind() == jsonval.Array:
		t.readNestedList(v)
	case o.hasAny("messages contents"):
		t.readNestedList(o.get("messages contents"))
	case isResponse(o):
		t.responseDocument(o)
	case o.isList("choices"), o.isList("candidates"):
		for _, c := range o.firstList("choices candidates") {
			t.readModelData(c)
		}
	case o.isObject("message"), o.isObject("content"):
		t.readModelData(o.openMember("message content").v)
	case o.isText("prompt"):
		t.addMessage("user", o.firstString("prompt"))
	case o.hasAny("role type kwargs tool_calls"):
		t.readMessageValue(v)
	}
}
