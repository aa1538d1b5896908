package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// MLflow keeps a trace as {info, data: {spans}}. The values of a span's attributes are JSON
// in strings. A row of an evaluation's table has the trace, or its spans, in a column.

// isMLflow reports whether an object is a trace of MLflow, or has traces in a list.
func isMLflow(o *object) bool {
	attributes := openObject(firstElement(mlflowSpans(o)).Get("attributes"))
	for _, key := range attributes.keys {
		if strings.HasPrefix(key, "mlflow.") {
			return true
		}
	}
	return inFirst(o, "traces", isMLflow)
}

// mlflowTrace returns the trace in a row of a table or in the answer of a served agent, or
// the row itself.
func mlflowTrace(o *object) *object {
	if served := o.openMember("databricks_output"); served.hasAny("trace") {
		o = served
	}
	trace := o.get("trace")
	if o.isList("spans") || !strings.Contains(trace.Raw(), "mlflow.") {
		return o
	}
	if inner := encodedValue(trace); inner.Kind() == jsonval.Object {
		return openObject(inner)
	}
	return o
}

// mlflowSpans returns the list of the spans of a trace, or a missing value.
func mlflowSpans(o *object) jsonval.Value {
	if !o.hasAny("data spans trace databricks_output") {
		return jsonval.Value{}
	}
	o = mlflowTrace(o)
	if data := o.openMember("data"); data.isList("spans") {
		return data.get("spans")
	}
	return o.get("spans")
}

func decodeMLflow(d *decoder, in batch) {
	for _, o := range openRows(in.values, "traces") {
		d.within(o.v, func() { d.mlflowRun(o) })
	}
}

func (d *decoder) mlflowRun(row *object) {
	list := mlflowSpans(row)
	if list.Kind() != jsonval.Array {
		d.warnForeign(row.v)
		return
	}
	info := mlflowTrace(row).openMember("info")
	t := d.newTracer()
	if t.t.ID = info.firstText("trace_id request_id"); t.t.ID == "" {
		t.t.ID = row.firstText("trace_id request_id")
	}
	var spans []*span
	for _, v := range list.Elements() {
		s := mlflowSpan(readSpan(openObject(v)))
		s.trace = ""
		spans = append(spans, s)
	}
	for _, group := range byTrace(spans) {
		t.readQuestion(group[0].input)
		t.readTypedSpans(group)
	}
	t.addToDocument()
	runs := d.Trajectories[len(d.Trajectories)-1:]
	d.setExpected(runs, mlflowExpectations(info), false)
	d.copySides(runs, row, false)
}

// mlflowSpan sets the kind, the input and the output of a span from MLflow's attributes.
func mlflowSpan(s *span) *span {
	switch kind := strings.Trim(s.firstText("mlflow.spanType"), `"`); kind {
	case "TOOL":
		s.kind = kindTool
	case "LLM", "CHAT_MODEL":
		s.kind = kindModel
	}
	s.name = executedName(s.name)
	if s.status == "" {
		s.status = s.firstText("exception.message exception.type")
	}
	s.input, s.output = encodedScalar(s.firstAttr("mlflow.spanInputs")), encodedScalar(s.firstAttr("mlflow.spanOutputs"))
	return s
}

// encodedScalar is like encodedValue, but the inner value may be of any kind.
func encodedScalar(v jsonval.Value) jsonval.Value {
	if s, ok := v.Str(); ok {
		if inner, err := jsonval.Parse(s); err == nil {
			return inner
		}
	}
	return v
}

// readQuestion adds the user's question in the input of a whole run, if it is a text.
func (t *tracer) readQuestion(input jsonval.Value) {
	text, _ := input.Str()
	if text == "" {
		text = openObject(input).firstString("question query input prompt user_input user_message message")
	}
	if text != "" {
		t.addMessage("user", text)
	}
}

// mlflowExpectations returns the expectations that people or programs have attached to a
// trace, as an object with a member for each.
func mlflowExpectations(info *object) *object {
	out := &object{}
	for _, v := range info.firstList("assessments") {
		a := openObject(v)
		expectation := a.openMember("expectation")
		value := expectation.get("value")
		if !value.Exists() {
			value = encodedScalar(expectation.openMember("serialized_value").get("value"))
		}
		if name := a.firstText("assessment_name name"); value.Exists() {
			out.keys, out.values = append(out.keys, name), append(out.values, value)
		}
	}
	return out
}
