package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// spanLists are the members of a DeepEval trace that contain its spans, by their type.
var spanLists = [...]string{"baseSpans", "agentSpans", "llmSpans", "retrieverSpans", "toolSpans"}

func isDeepEval(o *object) bool {
	return o.isList("baseSpans") && o.isList("llmSpans") && o.isList("toolSpans")
}

// decodeDeepEval reads traces of DeepEval. A tool's span is a call. A trace without such
// spans may name the calls in a list toolsCalled, of the whole trace or of a span.
func decodeDeepEval(d *decoder, in batch) {
	d.readEach(in.values, func(d *decoder, v jsonval.Value) {
		o := openObject(v)
		if !o.hasAny("baseSpans agentSpans llmSpans toolSpans toolsCalled") {
			d.warnForeign(v)
			return
		}
		t := d.newTracer()
		t.t.ID, t.t.Task = o.firstText("uuid"), o.firstText("testCaseId")
		t.readDeepEval(o)
		t.addToDocument()
		d.copySides(d.Trajectories[len(d.Trajectories)-1:], o, false)
	})
}

func (t *tracer) readDeepEval(o *object) {
	if question := o.get("input"); question.Kind() == jsonval.String {
		t.addMessage("user", question.Text())
	}
	var spans []*span
	for _, name := range spanLists {
		for _, v := range o.firstList(name) {
			spans = append(spans, deepEvalSpan(openObject(v), name))
		}
	}
	for _, group := range byTrace(spans) {
		for _, s := range group {
			switch s.kind {
			case "llmSpans":
				t.readModel(s.input, s.output)
			case "toolSpans":
				t.addToolSpan(s)
			}
		}
	}
	if len(t.t.Actions) == 0 {
		t.readToolsCalled(o)
	}
	if answer := o.get("output"); answer.Kind() == jsonval.String {
		t.addMessage("assistant", answer.Text())
	}
}

func deepEvalSpan(o *object, kind string) *span {
	s := &span{
		v: o.v, id: o.firstText("uuid"), name: executedName(o.firstText("name")), kind: kind, start: o.firstText("startTime"),
		input: encodedValue(o.get("input")), output: encodedValue(o.get("output")), status: o.firstText("error"),
	}
	s.failed = strings.HasPrefix(o.firstString("status"), "ERROR")
	return s
}

// addToolSpan adds the call in the span of a tool. The frameworks behind DeepEval write the
// tool's name and its arguments in several ways. A name in parentheses is not a tool's: it
// stands for several tools that ran together and have spans of their own.
func (t *tracer) addToolSpan(s *span) {
	if strings.HasPrefix(s.name, "(") {
		return
	}
	o := openObject(s.v)
	told := openObject(firstElement(o.get("toolsCalled")))
	e := s.execution()
	e.arguments = unwrapArguments(e.arguments)
	if name := told.firstText("name"); name != "" && o.get("toolsCalled").Len() == 1 {
		e.name = name
		if v := told.get("inputParameters"); e.arguments.Kind() != jsonval.Object && v.Len() > 0 {
			e.arguments = v
		}
	}
	if inner := s.output.Get("response"); inner.Exists() && s.output.Get("name").Exists() {
		e.result = inner
	}
	t.addExecution(e)
}

// unwrapArguments returns the arguments of a tool from the arguments of the function that
// called it: {"kwargs": {…}}, or an event {"tool_name", "tool_kwargs"} inside.
func unwrapArguments(v jsonval.Value) jsonval.Value {
	o := openObject(v)
	if inner := o.get("kwargs"); len(o.keys) == 1 && inner.Kind() == jsonval.Object {
		return inner
	}
	if inner := o.openMember("ev event").get("tool_kwargs"); inner.Kind() == jsonval.Object {
		return inner
	}
	return v
}

// readToolsCalled reads the lists of calls in a trace without spans of tools: the list of the
// whole trace, or else those of its spans.
func (t *tracer) readToolsCalled(o *object) {
	if list := o.firstList("toolsCalled"); len(list) > 0 {
		t.addToolsCalled(list)
		return
	}
	for _, name := range spanLists {
		for _, v := range o.firstList(name) {
			t.addToolsCalled(openObject(v).firstList("toolsCalled"))
		}
	}
}

func (t *tracer) addToolsCalled(list []jsonval.Value) {
	for _, v := range list {
		o := openObject(v)
		result := o.get("output")
		t.addExecution(execution{call: call{name: o.firstText("name"), arguments: o.get("inputParameters input_parameters"), at: v},
			result: result, done: result.Exists() && result.Kind() != jsonval.Null})
	}
}
