package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// isSWEAgent reports whether an object is a .traj file. It contains turns {action,
// observation}, or only the history of a demonstration.
func isSWEAgent(o *object) bool {
	isTurn := func(s *object) bool { return s.isText("action") && s.any("observation thought response") }
	switch {
	case inFirst(o, "trajectory", isTurn):
		return true
	case o.any("instance_id") && inFirst(o, "steps", isTurn):
		return true
	}
	return inFirst(o, "history", func(s *object) bool { return s.has("role message_type") })
}

// inFirst reports whether the given function accepts the first element of the list
// o[member].
func inFirst(o *object, member string, is func(*object) bool) bool {
	e := open(first(o.get(member)))
	return len(e.keys) > 0 && is(e)
}

func decodeSWEAgent(d *decoder, in batch) {
	for _, v := range in.values {
		o := open(v)
		r := d.run()
		r.t.meta(o)
		r.t.ID = ""
		if b, ok := o.get("resolved").Bool(); ok {
			r.t.Success = &b
		}
		if status := o.in("info").word("exit_status"); strings.Contains(status, "exit_") {
			r.t.Stopped = status // a budget or a format ran out; "submitted" alone is a normal end
		}
		turns := o.list("trajectory steps")
		if len(turns) == 0 {
			r.chat(o.get("history"))
		}
		for _, s := range turns {
			r.shellTurn(s)
		}
		r.done()
	}
}

// shellTurn reads one turn. Its action is a text that the agent typed. There is no exit
// code.
func (r *run) shellTurn(v jsonval.Value) {
	o := open(v)
	r.turn("assistant")
	if thought := o.text("thought"); thought != "" {
		r.say(strings.TrimSpace(thought))
	}
	if action := o.word("action"); strings.TrimSpace(action) != "" {
		c := texted(action)
		c.at = v
		r.call(c)
		if o.any("observation") {
			r.answer("", c.name, observe(contentText(o.get("observation")), unsaid), v)
		}
		return
	}
	r.d.warnAt("turn-without-action", "a turn has no action", v)
}
