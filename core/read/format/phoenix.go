package format

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isPhoenix reports whether an object is a span of Arize Phoenix as a row of a table, or a
// page of spans. The row's attributes are columns with dots in their names, or objects in
// objects.
func isPhoenix(o *shape.Object) bool {
	return isPhoenixSpan(o) || engine.InFirst(o, "data", isPhoenixSpan) || engine.InFirst(o, "spans", isPhoenixSpan)
}

func isPhoenixSpan(o *shape.Object) bool {
	if !o.HasAny("context.trace_id context.span_id context trace_id") {
		return false
	}
	for _, key := range o.Keys {
		if strings.HasPrefix(key, "attributes.") {
			return true
		}
	}
	return o.HasAny("span_kind") && o.IsObject("attributes")
}

func decodePhoenix(d *engine.Decoder, in engine.Batch) {
	var spans []*engine.Span
	for _, o := range d.OpenKnownRows(in.Values, "data spans", isPhoenixSpan) {
		spans = append(spans, phoenixSpan(o))
	}
	d.ReadTraces(spans, (*engine.Tracer).ReadOTelSpan, "traces have no span of a tool and no call by a model, so no actions can be scored")
}

func phoenixSpan(o *shape.Object) *engine.Span {
	s := engine.ReadSpan(o)
	if s.Status == "" {
		s.Status = s.FirstText("exception.message exception.type")
	}
	s.Keys, s.Values = nil, nil
	if s.Trace == "" {
		s.Trace, s.ID = o.FirstText("context.trace_id"), o.FirstText("context.span_id")
	}
	for i, key := range o.Keys {
		if name, ok := strings.CutPrefix(key, "attributes."); ok {
			flatten(s, name, o.Values[i])
		}
	}
	o.Get("attributes").Each(func(name string, v jsonval.Value) bool {
		flatten(s, name, v)
		return true
	})
	if kind := o.Get("span_kind"); s.FirstText("openinference.span.kind") == "" {
		s.Keys, s.Values = append(s.Keys, "openinference.span.kind"), append(s.Values, kind)
	}
	return s
}

// flatten adds the attributes inside v with their full names, such as
// llm.input_messages.0.message.role. The values of tools stay whole.
func flatten(s *engine.Span, name string, v jsonval.Value) {
	isMessages := strings.HasPrefix(name, "llm.input_messages") || strings.HasPrefix(name, "llm.output_messages")
	switch {
	case v.Kind() == jsonval.Null: // a column that other rows have
	case v.Kind() == jsonval.Object && !shape.OneOf(name, "input.value output.value tool.parameters metadata llm.invocation_parameters") && !strings.HasSuffix(name, ".arguments"):
		v.Each(func(key string, m jsonval.Value) bool {
			flatten(s, name+"."+key, m)
			return true
		})
	case v.Kind() == jsonval.Array && isMessages:
		for i, e := range v.Elements() {
			flatten(s, name+"."+strconv.Itoa(i), e)
		}
	default:
		s.Keys, s.Values = append(s.Keys, name), append(s.Values, v)
	}
}
