package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/boundcheck/boundcheck/core/reference"
)

// isOSWorld reports whether an object is a run whose steps act on a screen.
func isOSWorld(o *object) bool {
	return o.isList("steps") && o.any("instruction") && o.any("success_raw success_binary domain result") && inFirst(o, "steps", func(s *object) bool { return s.any("action") })
}

// isOSWorldStep reports whether an object is a line of the traj.jsonl that the benchmark
// writes.
func isOSWorldStep(o *object) bool {
	return o.any("step_num") && o.any("action Error error") && !o.any("tool_calls")
}

func decodeOSWorld(d *decoder, in batch) {
	for _, v := range in.values {
		o := open(v)
		r := d.run()
		r.t.meta(o)
		r.t.ID = ""
		r.t.reward(o.some("success_raw result score"))
		if s := o.text("instruction"); s != "" {
			r.message("user", s)
		}
		for _, s := range o.list("steps") {
			r.screenStep(open(s))
		}
		r.done()
	}
}

func decodeOSWorldSteps(d *decoder, in batch) {
	r := d.run()
	r.t.meta(in.outer)
	for _, s := range in.values {
		r.screenStep(open(s))
	}
	r.done()
}

// screenStep reads one step. Its action is code of one or more lines, or an object
// {action_type, parameters}. The result is only a picture, which is not read.
func (r *run) screenStep(o *object) {
	r.turn("assistant")
	if thought := o.text("thought response"); thought != "" {
		r.say(thought)
	}
	action := o.get("action")
	switch {
	case action.Kind() == jsonval.Object:
		a := open(action)
		r.call(call{name: a.text("action_type type"), arguments: parameters(a), at: o.v})
	case strings.TrimSpace(action.Text()) != "":
		c := texted(action.Text())
		c.at = o.v
		r.call(c)
	default:
		r.d.warnAt("step-without-action", "a step has no action", o.v)
		return
	}
	if failure := o.text("Error error"); failure != "" {
		i := len(r.t.Actions) - 1
		r.t.Actions[i].Observation = &Observation{Text: failure, Error: true}
	}
}

func parameters(a *object) jsonval.Value {
	if a.isObject("parameters") {
		return a.get("parameters")
	}
	return without(without(a.v, "action_type"), "type")
}

// isOSWorldHuman reports whether an object is a task with the actions of a person.
func isOSWorldHuman(o *object) bool { return o.isObject("human-ground-truth") }

// decodeOSWorldHuman reads the actions of a person. They become both the reference and
// the run, so that the file can be viewed and scored like a trace.
func decodeOSWorldHuman(d *decoder, in batch) {
	for _, v := range in.values {
		o := open(v)
		r := d.run()
		r.t.Task = o.text("id task_id")
		if s := o.text("instruction"); s != "" {
			r.message("user", s)
		}
		ref := &reference.Reference{Origin: reference.Benchmark}
		for _, e := range o.in("human-ground-truth").list("single-action") {
			c := quotedVerb(e.Text())
			c.at = e
			r.turn("assistant")
			r.call(c)
			ref.Steps = append(ref.Steps, reference.Step{Name: c.name, Text: c.text})
		}
		r.t.Reference = ref
		r.done()
	}
}

// quotedVerb reads an action such as "`CLICK` the address bar". The space after the verb
// is often missing.
func quotedVerb(text string) call {
	c := texted(text)
	if rest, ok := strings.CutPrefix(c.text, "`"); ok {
		if name, _, closed := strings.Cut(rest, "`"); closed {
			c.name = verb(name)
		}
	}
	return c
}
