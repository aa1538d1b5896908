package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// isWeave reports whether an object is a call of W&B Weave, or a list of such calls.
func isWeave(o *object) bool {
	return isWeaveCall(o) || inFirst(o, "calls", isWeaveCall)
}

func isWeaveCall(o *object) bool {
	return o.isText("op_name") && o.hasAny("trace_id") && o.hasAny("inputs started_at")
}

// scoredOp is the operation in which Weave's evaluations make one prediction.
const scoredOp = "Evaluation.predict_and_score"

// decodeWeave reads the calls of Weave, which are spans. Each trace is one run. The trace of
// an evaluation has one run for each example.
func decodeWeave(d *decoder, in batch) {
	var spans []*span
	byID := map[string]*span{}
	for _, o := range d.openKnownRows(in.values, "calls", isWeaveCall) {
		s := weaveSpan(o)
		spans = append(spans, s)
		byID[s.id] = s
	}
	evaluations := map[string]bool{} // the traces of which the predictions are runs
	for _, s := range spans {
		if scored := scoredAbove(s, byID); scored != nil {
			evaluations[openObject(s.v).firstText("trace_id")] = true
			s.trace = scored.id
		}
	}
	for _, group := range byTrace(spans) {
		t := d.newTracer()
		t.t.ID = group[0].trace
		t.readTypedSpans(group)
		if len(t.t.Actions) == 0 && evaluations[group[0].trace] {
			continue // the evaluation itself
		}
		t.addToDocument()
		runs := d.Trajectories[len(d.Trajectories)-1:]
		if scored := byID[group[0].trace]; scored != nil && scored.name == scoredOp {
			d.setExpected(runs, openObject(scored.input).openMember("example"), false)
		}
	}
}

// scoredAbove returns the prediction of an evaluation that a span is a part of, or nil.
func scoredAbove(s *span, byID map[string]*span) *span {
	for depth := 0; s != nil && depth < 64; depth++ {
		if s.name == scoredOp {
			return s
		}
		s = byID[openObject(s.v).firstText("parent_id")]
	}
	return nil
}

func weaveSpan(o *object) *span {
	s := &span{
		v: o.v, trace: o.firstText("trace_id"), id: o.firstText("id"), name: opName(o.firstText("op_name")), start: o.firstText("started_at"),
		input: withoutSelf(o.get("inputs")), output: o.get("output"), status: o.firstText("exception"),
	}
	s.failed = s.status != ""
	attributes := o.openMember("attributes")
	kind := attributes.openMember("weave").firstString("kind")
	if kind == "" {
		kind = attributes.firstString("kind type")
	}
	tool, isLangChainTool := strings.CutPrefix(s.name, "langchain.Tool.")
	switch {
	case kind == "tool", isLangChainTool:
		s.kind, s.name = kindTool, tool
	case s.name == "openai_agent_function": // the op of all tools; its arguments are in the answer of the model
		s.kind, s.name, s.output = kindTool, o.openMember("inputs").firstText("name"), s.output.Get("output")
		s.input = jsonval.Value{}
	case kind == "llm", holdsMessages(s.input.Get("messages")), oneOf(s.name, "openai_agent_response openai_agent_generation"):
		s.kind = kindModel
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
	o := openObject(v)
	if !o.hasAny("self") {
		return v
	}
	var members []string
	for i, key := range o.keys {
		if key != "self" {
			members = append(members, jsonval.Quoted(key)+":"+o.values[i].Raw())
		}
	}
	out, err := jsonval.Parse("{" + strings.Join(members, ",") + "}")
	if err != nil {
		return v
	}
	return out
}
