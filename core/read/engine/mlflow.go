package engine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// MLflow keeps a trace as {info, data: {spans}}. The values of a span's attributes are JSON
// in strings. A row of an evaluation's table has the trace, or its spans, in a column.

// IsMLflow reports whether an object is a trace of MLflow, or has traces in a list.
func IsMLflow(o *shape.Object) bool {
	attributes := shape.OpenObject(shape.FirstElement(mlflowSpans(o)).Get("attributes"))
	for _, key := range attributes.Keys {
		if strings.HasPrefix(key, "mlflow.") {
			return true
		}
	}
	return InFirst(o, "traces", IsMLflow)
}

// mlflowTrace returns the trace in a row of a table or in the answer of a served agent, or
// the row itself.
func mlflowTrace(o *shape.Object) *shape.Object {
	if served := o.OpenMember("databricks_output"); served.HasAny("trace") {
		o = served
	}
	trace := o.Get("trace")
	if o.IsList("spans") || !strings.Contains(trace.Raw(), "mlflow.") {
		return o
	}
	if inner := shape.EncodedValue(trace); inner.Kind() == jsonval.Object {
		return shape.OpenObject(inner)
	}
	return o
}

// mlflowSpans returns the list of the spans of a trace, or a missing value.
func mlflowSpans(o *shape.Object) jsonval.Value {
	if !o.HasAny("data spans trace databricks_output") {
		return jsonval.Value{}
	}
	o = mlflowTrace(o)
	if data := o.OpenMember("data"); data.IsList("spans") {
		return data.Get("spans")
	}
	return o.Get("spans")
}

// DecodeMLflow reads traces of MLflow, or the rows of a table that has them, into one run for
// each trace.
func DecodeMLflow(d *Decoder, in Batch) {
	for _, o := range OpenRows(in.Values, "traces") {
		d.Within(o.Value, func() { d.mlflowRun(o) })
	}
}

func (d *Decoder) mlflowRun(row *shape.Object) {
	list := mlflowSpans(row)
	if list.Kind() != jsonval.Array {
		d.WarnForeign(row.Value)
		return
	}
	info := mlflowTrace(row).OpenMember("info")
	t := d.NewTracer()
	if t.Trajectory.ID = info.FirstText("trace_id request_id"); t.Trajectory.ID == "" {
		t.Trajectory.ID = row.FirstText("trace_id request_id")
	}
	var spans []*Span
	for _, v := range list.Elements() {
		s := mlflowSpan(ReadSpan(shape.OpenObject(v)))
		s.Trace = ""
		spans = append(spans, s)
	}
	for _, group := range ByTrace(spans) {
		t.ReadQuestion(group[0].Input)
		t.ReadTypedSpans(group)
	}
	t.AddToDocument()
	runs := d.Trajectories[len(d.Trajectories)-1:]
	judged := info
	if !info.IsList("assessments") { // search_traces has the members of info beside the spans
		judged = row
	}
	d.SetExpected(runs, mlflowExpectations(judged), false)
	d.CopySides(runs, row, false)
	d.CopyJudged(runs, info)
}

// mlflowSpan sets the kind, the input and the output of a span from MLflow's attributes.
func mlflowSpan(s *Span) *Span {
	switch kind := strings.Trim(s.FirstText("mlflow.spanType"), `"`); kind {
	case "TOOL":
		s.Kind = KindTool
	case "LLM", "CHAT_MODEL":
		s.Kind = KindModel
	}
	s.Name = ExecutedName(s.Name)
	if s.Status == "" {
		s.Status = s.FirstText("exception.message exception.type")
	}
	s.Input, s.Output = encodedScalar(s.firstAttr("mlflow.spanInputs")), encodedScalar(s.firstAttr("mlflow.spanOutputs"))
	return s
}

// encodedScalar is like EncodedValue, but the inner value may be of any kind.
func encodedScalar(v jsonval.Value) jsonval.Value {
	if s, ok := v.Str(); ok {
		if inner, err := jsonval.Parse(s); err == nil {
			return inner
		}
	}
	return v
}

// ReadQuestion adds the user's question in the input of a whole run, if it is a text.
func (t *Tracer) ReadQuestion(input jsonval.Value) {
	text, _ := input.Str()
	if text == "" {
		text = shape.OpenObject(input).FirstString("question query input prompt user_input user_message message")
	}
	if text != "" {
		t.AddMessage("user", text)
	}
}

// mlflowExpectations returns the expectations that people or programs have attached to a
// trace, as an object with a member for each.
func mlflowExpectations(info *shape.Object) *shape.Object {
	out := &shape.Object{}
	for _, v := range info.FirstList("assessments") {
		a := shape.OpenObject(v)
		expectation := a.OpenMember("expectation")
		value := expectation.Get("value")
		if !value.Exists() {
			value = encodedScalar(expectation.OpenMember("serialized_value").Get("value"))
		}
		if name := a.FirstText("assessment_name name"); value.Exists() {
			out.Keys, out.Values = append(out.Keys, name), append(out.Values, value)
		}
	}
	return out
}
