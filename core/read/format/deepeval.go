package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// spanLists are the members of a DeepEval trace that contain its spans, by their type.
var spanLists = [...]string{"baseSpans", "agentSpans", "llmSpans", "retrieverSpans", "toolSpans"}

func isDeepEval(o *shape.Object) bool {
	return o.IsList("baseSpans") && o.IsList("llmSpans") && o.IsList("toolSpans")
}

// decodeDeepEval reads traces of DeepEval. A tool's span is a call. A trace without such
// spans may name the calls in a list toolsCalled, of the whole trace or of a span.
func decodeDeepEval(d *engine.Decoder, in engine.Batch) {
	d.ReadEach(in.Values, func(d *engine.Decoder, v jsonval.Value) {
		o := shape.OpenObject(v)
		if !o.HasAny("baseSpans agentSpans llmSpans toolSpans toolsCalled") {
			d.WarnForeign(v)
			return
		}
		t := d.NewTracer()
		t.Trajectory.ID, t.Trajectory.Task = o.FirstText("uuid"), o.FirstText("testCaseId")
		readDeepEval(t, o)
		t.AddToDocument()
		d.CopySides(d.Trajectories[len(d.Trajectories)-1:], o, false)
	})
}

func readDeepEval(t *engine.Tracer, o *shape.Object) {
	if question := o.Get("input"); question.Kind() == jsonval.String {
		t.AddMessage("user", question.Text())
	}
	var spans []*engine.Span
	for _, name := range spanLists {
		for _, v := range o.FirstList(name) {
			spans = append(spans, deepEvalSpan(shape.OpenObject(v), name))
		}
	}
	for _, group := range engine.ByTrace(spans) {
		for _, s := range group {
			t.EnterSpan(s)
			switch s.Kind {
			case "llmSpans":
				t.ReadModel(s.Input, s.Output)
			case "toolSpans":
				addToolSpan(t, s)
			}
		}
	}
	if t.LeaveSpan(); len(t.Trajectory.Actions) == 0 {
		readToolsCalled(t, o)
	}
	if answer := o.Get("output"); answer.Kind() == jsonval.String {
		t.AddMessage("assistant", answer.Text())
	}
}

func deepEvalSpan(o *shape.Object, kind string) *engine.Span {
	s := &engine.Span{
		Value: o.Value, ID: o.FirstText("uuid"), Name: engine.ExecutedName(o.FirstText("name")), Kind: kind, Start: o.FirstText("startTime"),
		Input: shape.EncodedValue(o.Get("input")), Output: shape.EncodedValue(o.Get("output")), Status: o.FirstText("error"),
	}
	s.Failed = strings.HasPrefix(o.FirstString("status"), "ERROR")
	return s
}

// addToolSpan adds the call in the span of a tool. The frameworks behind DeepEval write the
// tool's name and its arguments in several ways. A name in parentheses is not a tool's: it
// stands for several tools that ran together and have spans of their own.
func addToolSpan(t *engine.Tracer, s *engine.Span) {
	if strings.HasPrefix(s.Name, "(") {
		return
	}
	o := shape.OpenObject(s.Value)
	told := shape.OpenObject(shape.FirstElement(o.Get("toolsCalled")))
	e := s.Execution()
	e.Arguments = unwrapArguments(e.Arguments)
	if name := told.FirstText("name"); name != "" && o.Get("toolsCalled").Len() == 1 {
		e.Name = name
		if v := told.Get("inputParameters"); e.Arguments.Kind() != jsonval.Object && v.Len() > 0 {
			e.Arguments = v
		}
	}
	if inner := s.Output.Get("response"); inner.Exists() && s.Output.Get("name").Exists() {
		e.Result = inner
	}
	t.AddExecution(e)
}

// unwrapArguments returns the arguments of a tool from the arguments of the function that
// called it: {"kwargs": {…}}, or an event {"tool_name", "tool_kwargs"} inside.
func unwrapArguments(v jsonval.Value) jsonval.Value {
	o := shape.OpenObject(v)
	if inner := o.Get("kwargs"); len(o.Keys) == 1 && inner.Kind() == jsonval.Object {
		return inner
	}
	if inner := o.OpenMember("ev event").Get("tool_kwargs"); inner.Kind() == jsonval.Object {
		return inner
	}
	return v
}

// readToolsCalled reads the lists of calls in a trace without spans of tools: the list of the
// whole trace, or else those of its spans.
func readToolsCalled(t *engine.Tracer, o *shape.Object) {
	if list := o.FirstList("toolsCalled"); len(list) > 0 {
		addToolsCalled(t, list)
		return
	}
	for _, name := range spanLists {
		for _, v := range o.FirstList(name) {
			addToolsCalled(t, shape.OpenObject(v).FirstList("toolsCalled"))
		}
	}
}

func addToolsCalled(t *engine.Tracer, list []jsonval.Value) {
	for _, v := range list {
		o := shape.OpenObject(v)
		result := o.Get("output")
		t.AddExecution(engine.Execution{Call: engine.Call{Name: o.FirstText("name"), Arguments: o.Get("inputParameters input_parameters"), At: v},
			Result: result, Done: result.Exists() && result.Kind() != jsonval.Null})
	}
}
