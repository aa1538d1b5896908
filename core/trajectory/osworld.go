package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// isOSWorld reports whether an object is a run whose steps act on a screen.
func isOSWorld(o *object) bool {
	return o.isList("steps") && o.hasAny("instruction") && o.hasAny("success_raw success_binary domain result") && inFirst(o, "steps", func(s *object) bool { return s.hasAny("action") })
}

// isOSWorldStep reports whether an object is a line of traj.jsonl, a file that the
// OSWorld benchmark writes.
func isOSWorldStep(o *object) bool {
	return o.hasAny("step_num") && o.hasAny("action Error error") && !o.hasAny("tool_calls")
}

func decodeOSWorld(d *decoder, in batch) {
	for _, v := range in.values {
		o := openObject(v)
		r := d.newRun()
		r.t.copyMeta(o)
		r.t.ID = ""
		r.t.setReward(o.firstNonNull("success_raw result score"))
		if s := o.firstText("instruction"); s != "" {
			r.addMessage("user", s)
		}
		for _, s := range o.firstList("steps") {
			r.screenStep(openObject(s))
		}
		r.addToDocument()
	}
}

func decodeOSWorldSteps(d *decoder, in batch) {
	r := d.newRun()
	r.t.copyMeta(in.outer)
	for _, s := range in.values {
		r.screenStep(openObject(s))
	}
	r.addToDocument()
}

// screenStep reads one step. The action is code of one or more lines, or an object
// {action_type, parameters}. A result is added only if the step has an error message,
// because pictures are not read.
func (r *run) screenStep(o *object) {
	r.beginTurn("assistant")
	if thought := o.firstText("thought response"); thought != "" {
		r.addText(thought)
	}
	action := o.get("action")
	switch {
	case action.Kind() == jsonval.Object:
		a := openObject(action)
		r.addCall(call{name: a.firstText("action_type type"), arguments: actionParameters(a), at: o.v})
	case strings.TrimSpace(action.Text()) != "":
		c := freeTextCall(action.Text())
		c.at = o.v
		r.addCall(c)
	default:
		r.d.warnAt("step-without-action", "a step has no action", o.v)
		return
	}
	if failure := o.firstText("Error error"); failure != "" {
		i := len(r.t.Actions) - 1
		r.t.Actions[i].Observation = &Observation{Text: failure, Error: true}
	}
}

func actionParameters(a *object) jsonval.Value {
	if a.isObject("parameters") {
		return a.get("parameters")
	}
	return withoutMember(withoutMember(a.v, "action_type"), "type")
}

// isOSWorldHuman reports whether an object is a task with the actions of a person.
func isOSWorldHuman(o *object) bool { return o.isObject("human-ground-truth") }

// decodeOSWorldHuman reads the actions of a person. They become both the reference and
// the run, so that the file can be viewed and scored like a trace.
func decodeOSWorldHuman(d *decoder, in batch) {
	for _, v := range in.values {
		o := openObject(v)
		r := d.newRun()
		r.t.Task = o.firstText("id task_id")
		if s := o.firstText("instruction"); s != "" {
			r.addMessage("user", s)
		}
		ref := &reference.Reference{Origin: reference.Benchmark}
		for _, e := range o.openMember("human-ground-truth").firstList("single-action") {
			c := quotedVerb(e.Text())
			c.at = e
			r.beginTurn("assistant")
			r.addCall(c)
			ref.Steps = append(ref.Steps, reference.Step{Name: c.name, Text: c.text})
		}
		r.t.Reference = ref
		r.addToDocument()
	}
}

// quotedVerb returns the call in a text such as "`CLICK` the address bar". The name of
// the call comes from the word in quotes.
func quotedVerb(text string) call {
	c := freeTextCall(text)
	if rest, ok := strings.CutPrefix(c.text, "`"); ok {
		if name, _, closed := strings.Cut(rest, "`"); closed {
			c.name = actionVerb(name)
		}
	}
	return c
}
