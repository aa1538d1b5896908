package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// isOSWorld reports whether an object is a run whose steps act on a screen.
func isOSWorld(o *shape.Object) bool {
	return o.IsList("steps") && o.HasAny("instruction") && o.HasAny("success_raw success_binary domain result") && engine.InFirst(o, "steps", func(s *shape.Object) bool { return s.HasAny("action") })
}

// isOSWorldStep reports whether an object is a line of traj.jsonl, a file that the
// OSWorld benchmark writes.
func isOSWorldStep(o *shape.Object) bool {
	return o.HasAny("step_num") && o.HasAny("action Error error") && !o.HasAny("tool_calls")
}

func decodeOSWorld(d *engine.Decoder, in engine.Batch) {
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		r := d.NewRun()
		engine.CopyMeta(&r.Trajectory, o)
		r.Trajectory.ID = ""
		engine.SetReward(&r.Trajectory, o.FirstNonNull("success_raw result score"))
		if s := o.FirstText("instruction"); s != "" {
			r.AddMessage("user", s)
		}
		for _, s := range o.FirstList("steps") {
			screenStep(r, shape.OpenObject(s))
		}
		r.AddToDocument()
	}
}

func decodeOSWorldSteps(d *engine.Decoder, in engine.Batch) {
	r := d.NewRun()
	engine.CopyMeta(&r.Trajectory, in.Outer)
	for _, s := range in.Values {
		screenStep(r, shape.OpenObject(s))
	}
	r.AddToDocument()
}

// screenStep reads one step. The action is code of one or more lines, or an object
// {action_type, parameters}. A result is added only if the step has an error message,
// because pictures are not read.
func screenStep(r *engine.Run, o *shape.Object) {
	r.BeginTurn("assistant")
	if thought := o.FirstText("thought response"); thought != "" {
		r.AddText(thought)
	}
	action := o.Get("action")
	switch {
	case action.Kind() == jsonval.Object:
		a := shape.OpenObject(action)
		r.AddCall(engine.Call{Name: a.FirstText("action_type type"), Arguments: actionParameters(a), At: o.Value})
	case strings.TrimSpace(action.Text()) != "":
		c := engine.FreeTextCall(action.Text())
		c.At = o.Value
		r.AddCall(c)
	default:
		r.Decoder.WarnAt("step-without-action", "a step has no action", o.Value)
		return
	}
	if failure := o.FirstText("Error error"); failure != "" {
		i := len(r.Trajectory.Actions) - 1
		r.Trajectory.Actions[i].Observation = &trajectory.Observation{Text: failure, Error: true}
	}
}

func actionParameters(a *shape.Object) jsonval.Value {
	if a.IsObject("parameters") {
		return a.Get("parameters")
	}
	return withoutMember(withoutMember(a.Value, "action_type"), "type")
}

// isOSWorldHuman reports whether an object is a task with the actions of a person.
func isOSWorldHuman(o *shape.Object) bool { return o.IsObject("human-ground-truth") }

// decodeOSWorldHuman reads the actions of a person. They become both the reference and
// the run, so that the file can be viewed and scored like a trace.
func decodeOSWorldHuman(d *engine.Decoder, in engine.Batch) {
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		r := d.NewRun()
		r.Trajectory.Task = o.FirstText("id task_id")
		if s := o.FirstText("instruction"); s != "" {
			r.AddMessage("user", s)
		}
		ref := &reference.Reference{Origin: reference.Benchmark}
		for _, e := range o.OpenMember("human-ground-truth").FirstList("single-action") {
			c := quotedVerb(e.Text())
			c.At = e
			r.BeginTurn("assistant")
			r.AddCall(c)
			ref.Steps = append(ref.Steps, reference.Step{Name: c.Name, Text: c.Text})
		}
		r.Trajectory.Reference = ref
		r.AddToDocument()
	}
}

// quotedVerb returns the call in a text such as "`CLICK` the address bar". The name of
// the call comes from the word in quotes.
func quotedVerb(text string) engine.Call {
	c := engine.FreeTextCall(text)
	if rest, ok := strings.CutPrefix(c.Text, "`"); ok {
		if name, _, closed := strings.Cut(rest, "`"); closed {
			c.Name = engine.ActionVerb(name)
		}
	}
	return c
}
