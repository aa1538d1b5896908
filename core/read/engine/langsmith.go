package engine

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// IsLangSmith reports whether an object is a run of LangSmith, which may have child runs, or a
// request that tells of runs.
func IsLangSmith(o *shape.Object) bool {
	if shape.IsExample(o) && InFirst(o, "runs", IsLangSmith) || InFirst(o, "post", IsLangSmith) || InFirst(o, "patch", IsLangSmith) {
		return true
	}
	if body := o.OpenMember("body"); o.HasAny("method path url") && body.HasAny("run_type post patch") {
		return IsLangSmith(body)
	}
	return o.IsText("run_type") && o.HasAny("trace_id dotted_order child_runs inputs parent_run_id")
}

// DecodeLangSmith reads trees of runs, and flat lists of runs, which it groups by trace. In an
// experiment, the example around the runs has what is expected. The requests of a client tell a
// run twice: what it was given when it began, and what became of it when it ended.
func DecodeLangSmith(d *Decoder, in Batch) {
	spans := langSmithSpans{known: map[string]*Span{}}
	examples := map[string]*shape.Object{} // by trace
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		runs := []*shape.Object{o}
		if body := o.OpenMember("body"); body.Value.Kind() == jsonval.Object {
			o = body
			runs[0] = o
		}
		if shape.IsExample(o) {
			runs = OpenRows(o.FirstList("runs"), "")
		} else if !o.IsText("run_type") && o.HasAny("post patch") {
			runs = append(OpenRows(o.FirstList("post"), ""), OpenRows(o.FirstList("patch"), "")...)
		}
		for _, run := range runs {
			if !run.IsText("run_type") {
				d.WarnForeign(v)
				continue
			}
			trace := run.FirstText("trace_id id")
			if spans.addRun(run, trace); shape.IsExample(o) && run != o {
				examples[trace] = o
			}
		}
	}
	for _, group := range ByTrace(spans.all) {
		t := d.NewTracer()
		t.Trajectory.ID = group[0].Trace
		for _, s := range group {
			t.EnterSpan(s)
			t.langSmith(s)
		}
		t.LeaveSpan()
		example := examples[group[0].Trace]
		if example != nil {
			t.AddOrFind(group[0].Output)
		} else {
			t.AddToDocument()
		}
		if run := d.Trajectories[len(d.Trajectories)-1:]; example != nil {
			run[0].Task = example.FirstText("id")
			run[0].Reference = d.expectedIn(example)
			d.CopyJudged(run, shape.OpenObject(group[0].Value))
		} else if root := shape.OpenObject(group[0].Value); root.FirstText("parent_run_id") == "" { // the first of its trace
			d.CopyJudged(run, root)
		}
	}
}

// langSmithSpans are the runs of a text.
type langSmithSpans struct {
	all   []*Span
	known map[string]*Span // by the place in the trace, or the id
}

// addRun adds a run with those in it. The end of a run completes its beginning.
func (all *langSmithSpans) addRun(o *shape.Object, trace string) {
	s := &Span{
		Value: o.Value, Trace: trace, ID: o.FirstText("id"), Name: o.FirstText("name"), Kind: o.FirstString("run_type"),
		Start: o.FirstText("dotted_order start_time"), Input: o.Get("inputs"), Output: o.Get("outputs"),
		Status: o.FirstText("error"),
	}
	s.Failed = s.Status != "" || o.FirstString("status") == "error"
	key := o.FirstText("dotted_order id")
	if begun := all.known[key]; begun != nil && key != "" && begun.Trace == trace && begun.isOpen() != s.isOpen() {
		begun.complete(s)
	} else {
		all.all, all.known[key] = append(all.all, s), s
	}
	for _, child := range o.FirstList("child_runs") {
		all.addRun(shape.OpenObject(child), trace)
	}
}

// isOpen reports whether nothing says how a span ended.
func (s *Span) isOpen() bool { return !s.Output.Exists() && !s.Failed }

// complete takes what another record of the same span has and it has not.
func (s *Span) complete(other *Span) {
	if !s.Input.Exists() {
		s.Input = other.Input
	}
	if !s.Output.Exists() {
		s.Output = other.Output
	}
	if s.Status == "" {
		s.Status = other.Status
	}
	s.Failed = s.Failed || other.Failed
}

func (t *Tracer) langSmith(s *Span) {
	switch s.Kind {
	case "tool":
		output := s.Output.Get("output")
		if !output.Exists() {
			output = s.Output
		}
		e := Execution{Call: Call{Name: s.Name, Arguments: ToolArguments(s.Input), At: s.Value}, Result: output, Done: output.Exists() && output.Kind() != jsonval.Null}
		e.ID = output.Get("tool_call_id").Text()
		if e.ID == "" {
			e.ID = output.Get("kwargs").Get("tool_call_id").Text()
		}
		if s.Failed {
			e.Flag = shape.Failed
			if !e.Done {
				e.Result = literal.Object("error", s.Status).Get("error")
			}
		} else if shape.StatusFlag(output.Get("status")) == shape.Failed {
			e.Flag = shape.Failed
		}
		t.AddExecution(e)
	case "llm", "chat_model":
		t.BeginHistory()
		before := len(t.Trajectory.Actions)
		t.ReadHistory(func() { t.readNestedList(s.Input.Get("messages")) })
		s.Output.Get("generations").Each(func(_ string, g jsonval.Value) bool {
			t.readGeneration(g)
			return true
		})
		t.readNestedList(s.Output.Get("messages"))
		for _, choice := range s.Output.Get("choices").Elements() {
			t.ReadMessageValue(choice.Get("message"))
		}
		if s.Output.Get("role").Exists() {
			t.ReadMessageValue(s.Output)
		}
		t.RecordRequested(before)
	}
}

// readNestedList reads a list of messages, or the first of several such lists.
func (t *Tracer) readNestedList(list jsonval.Value) {
	if shape.FirstElement(list).Kind() == jsonval.Array {
		list = shape.FirstElement(list)
	}
	if list.Kind() == jsonval.Array {
		t.ReadChat(list)
	}
}

func (t *Tracer) readGeneration(g jsonval.Value) {
	if g.Kind() == jsonval.Array {
		g = shape.FirstElement(g)
	}
	if m := g.Get("message"); m.Kind() == jsonval.Object {
		t.ReadMessageValue(m)
	}
}
