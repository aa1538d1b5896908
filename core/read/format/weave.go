package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isWeave reports whether an object is a call of W&B Weave, or a list of such calls.
func isWeave(o *shape.Object) bool {
	return isWeaveCall(o) || engine.InFirst(o, "calls", isWeaveCall)
}

func isWeaveCall(o *shape.Object) bool {
	return o.IsText("op_name") && o.HasAny("trace_id") && o.HasAny("inputs started_at")
}

// scoredOp is the operation in which Weave's evaluations make one prediction.
const scoredOp = "Evaluation.predict_and_score"

// decodeWeave reads the calls of Weave, which are spans. Each trace is one run. The trace of
// an evaluation has one run for each example.
func decodeWeave(d *engine.Decoder, in engine.Batch) {
	var spans []*engine.Span
	byID := map[string]*engine.Span{}
	for _, o := range d.OpenKnownRows(in.Values, "calls", isWeaveCall) {
		s := weaveSpan(o)
		spans = append(spans, s)
		byID[s.ID] = s
	}
	evaluations := map[string]bool{} // the traces of which the predictions are runs
	for _, s := range spans {
		if scored := scoredAbove(s, byID); scored != nil {
			evaluations[shape.OpenObject(s.Value).FirstText("trace_id")] = true
			s.Trace = scored.ID
		}
	}
	for _, group := range engine.ByTrace(spans) {
		t := d.NewTracer()
		t.Trajectory.ID = group[0].Trace
		t.ReadTypedSpans(group)
		if len(t.Trajectory.Actions) == 0 && evaluations[group[0].Trace] {
			continue // the evaluation itself
		}
		t.AddToDocument()
		runs := d.Trajectories[len(d.Trajectories)-1:]
		if scored := byID[group[0].Trace]; scored != nil && scored.Name == scoredOp {
			d.SetExpected(runs, shape.OpenObject(scored.Input).OpenMember("example"), false)
			d.CopyJudged(runs, shape.OpenObject(scored.Output))
		}
	}
}

// scoredAbove returns the prediction of an evaluation that a span is a part of, or nil.
func scoredAbove(s *engine.Span, byID map[string]*engine.Span) *engine.Span {
	for depth := 0; s != nil && depth < 64; depth++ {
		if s.Name == scoredOp {
			return s
		}
		s = byID[shape.OpenObject(s.Value).FirstText("parent_id")]
	}
	return nil
}

func weaveSpan(o *shape.Object) *engine.Span {
	s := &engine.Span{
		Value: o.Value, Trace: o.FirstText("trace_id"), ID: o.FirstText("id"), Name: opName(o.FirstText("op_name")), Start: o.FirstText("started_at"),
		Input: withoutSelf(o.Get("inputs")), Output: o.Get("output"), Status: o.FirstText("exception"),
	}
	s.Failed = s.Status != ""
	attributes := o.OpenMember("attributes")
	kind := attributes.OpenMember("weave").FirstString("kind")
	if kind == "" {
		kind = attributes.FirstString("kind type")
	}
	tool, isLangChainTool := strings.CutPrefix(s.Name, "langchain.Tool.")
	switch {
	case kind == "tool", isLangChainTool:
		s.Kind, s.Name = engine.KindTool, tool
	case s.Name == "openai_agent_function": // the op of all tools; its arguments are in the answer of the model
		s.Kind, s.Name, s.Output = engine.KindTool, o.OpenMember("inputs").FirstText("name"), s.Output.Get("output")
		s.Input = jsonval.Value{}
	case kind == "llm", engine.HoldsMessages(s.Input.Get("messages")), shape.OneOf(s.Name, "openai_agent_response openai_agent_generation"):
		s.Kind = engine.KindModel
	}
	return s
}

// opName returns the name in the address of an operation: weave:///entity/project/op/NAME:digest.
func opName(address string) string {
	_, name, ok := strings.Cut(address, "/op/")
	if !ok {
		return address
	}
	if i := strings.LastIndexByte(name, ':'); i > 0 {
		name = name[:i]
	}
	return name
}

// withoutSelf returns the arguments of a method without the object that it belongs to.
func withoutSelf(v jsonval.Value) jsonval.Value {
	o := shape.OpenObject(v)
	if !o.HasAny("self") {
		return v
	}
	var members []string
	for i, key := range o.Keys {
		if key != "self" {
			members = append(members, jsonval.Quoted(key)+":"+o.Values[i].Raw())
		}
	}
	out, err := jsonval.Parse("{" + strings.Join(members, ",") + "}")
	if err != nil {
		return v
	}
	return out
}
