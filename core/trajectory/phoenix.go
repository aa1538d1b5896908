package trajectory

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// isPhoenix reports whether an object is a span of Arize Phoenix as a row of a table, or a
// page of spans. The row's attributes are columns with dots in their names, or objects in
// objects.
func isPhoenix(o *object) bool {
	return isPhoenixSpan(o) || inFirst(o, "data", isPhoenixSpan) || inFirst(o, "spans", isPhoenixSpan)
}

func isPhoenixSpan(o *object) bool {
	if !o.hasAny("context.trace_id context.span_id context trace_id") {
		return false
	}
	for _, key := range o.keys {
		if strings.HasPrefix(key, "attributes.") {
			return true
		}
	}
	return o.hasAny("span_kind") && o.isObject("attributes")
}

func decodePhoenix(d *decoder, in batch) {
	var spans []*span
	for _, o := range d.openKnownRows(in.values, "data spans", isPhoenixSpan) {
		spans = append(spans, phoenixSpan(o))
	}
	d.readTraces(spans, (*tracer).readOTelSpan, "traces have no span of a tool and no call by a model, so no actions can be scored")
}

func phoenixSpan(o *object) *span {
	s := readSpan(o)
	if s.status == "" {
		s.status = s.firstText("exception.message exception.type")
	}
	s.keys, s.values = nil, nil
	if s.trace == "" {
		s.trace, s.id = o.firstText("context.trace_id"), o.firstText("context.span_id")
	}
	for i, key := range o.keys {
		if name, ok := strings.CutPrefix(key, "attributes."); ok {
			s.flatten(name, o.values[i])
		}
	}
	o.get("attributes").Each(func(name string, v jsonval.Value) bool {
		s.flatten(name, v)
		return true
	})
	if kind := o.get("span_kind"); s.firstText("openinference.span.kind") == "" {
		s.keys, s.values = append(s.keys, "openinference.span.kind"), append(s.values, kind)
	}
	return s
}

// flatten adds the attributes inside v with their full names, such as
// llm.input_messages.0.message.role. The values of tools stay whole.
func (s *span) flatten(name string, v jsonval.Value) {
	isMessages := strings.HasPrefix(name, "llm.input_messages") || strings.HasPrefix(name, "llm.output_messages")
	switch {
	case v.Kind() == jsonval.Null: // a column that other rows have
	case v.Kind() == jsonval.Object && !oneOf(name, "input.value output.value tool.parameters metadata llm.invocation_parameters") && !strings.HasSuffix(name, ".arguments"):
		v.Each(func(key string, m jsonval.Value) bool {
			s.flatten(name+"."+key, m)
			return true
		})
	case v.Kind() == jsonval.Array && isMessages:
		for i, e := range v.Elements() {
			s.flatten(name+"."+strconv.Itoa(i), e)
		}
	default:
		s.keys, s.values = append(s.keys, name), append(s.values, v)
	}
}
