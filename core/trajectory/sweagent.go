package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// isSWEAgent reports whether an object is a .traj file of SWE-agent. The file contains
// turns of the form {action, observation}, or only the history of a demonstration.
func isSWEAgent(o *object) bool {
	isTurn := func(s *object) bool { return s.isText("action") && s.hasAny("observation thought response") }
	switch {
	case inFirst(o, "trajectory", isTurn):
		return true
	case o.hasAny("instance_id") && inFirst(o, "steps", isTurn):
		return true
	}
	return inFirst(o, "history", func(s *object) bool { return s.hasAll("role message_type") })
}

// inFirst reports whether the first element of the list o[member] is an object that the
// given function accepts.
func inFirst(o *object, member string, is func(*object) bool) bool {
	e := openObject(firstElement(o.get(member)))
	return len(e.keys) > 0 && is(e)
}

func decodeSWEAgent(d *decoder, in batch) {
	for _, v := range in.values {
		o := openObject(v)
		r := d.newRun()
		r.t.copyMeta(o)
		r.t.ID = ""
		if b, ok := o.get("resolved").Bool(); ok {
			r.t.Success = &b
		}
		if status := o.openMember("info").firstString("exit_status"); strings.Contains(status, "exit_") {
			r.t.Stopped = status // a budget or a format ran out; "submitted" alone is a normal end
		}
		turns := o.firstList("trajectory steps")
		if len(turns) == 0 {
			r.readChat(o.get("history"))
		}
		var toolCalls map[string][]jsonval.Value
		if len(turns) > 0 {
			toolCalls = r.shellHistory(o.firstList("history"))
		}
		for _, s := range turns {
			r.shellTurn(s, toolCalls)
		}
		r.addToDocument()
	}
}

// shellHistory adds the system's message and the task from a history to the run. It
// returns the tool calls in the history. The keys of the map are the texts of the
// actions.
func (r *run) shellHistory(history []jsonval.Value) map[string][]jsonval.Value {
	calls := map[string][]jsonval.Value{}
	opening := true
	for _, v := range history {
		m := openObject(v)
		role := m.firstString("role")
		if opening = opening && oneOf(role, "system user"); opening {
			r.addMessage(role, contentText(m.get("content")))
		}
		if list := m.firstList("tool_calls"); len(list) == 1 {
			action := m.firstString("action")
			calls[action] = append(calls[action], list[0])
		}
	}
	return calls
}

// shellTurn reads one turn. Its action is the text that the agent typed, or the tool call
// that toolCalls has for this text. There is no exit code.
func (r *run) shellTurn(v jsonval.Value, toolCalls map[string][]jsonval.Value) {
	o := openObject(v)
	r.beginTurn("assistant")
	if thought := o.firstText("thought"); thought != "" {
		r.addText(strings.TrimSpace(thought))
	}
	if action := o.firstString("action"); strings.TrimSpace(action) != "" {
		c := freeTextCall(action)
		if waiting := toolCalls[action]; len(waiting) > 0 {
			toolCalls[action] = waiting[1:]
			function := waiting[0].Get("function")
			c = call{id: waiting[0].Get("id").Text(), name: function.Get("name").Text(), arguments: function.Get("arguments")}
		}
		c.at = v
		r.addCall(c)
		if o.hasAny("observation") {
			r.attachResult(c.id, c.name, newObservation(contentText(o.get("observation")), unsaid), v)
		}
		return
	}
	r.d.warnAt("turn-without-action", "a turn has no action", v)
}
