package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/spent"
)

// isSWEAgent reports whether an object is a .traj file of SWE-agent. The file contains
// turns of the form {action, observation}, or only the history of a demonstration.
func isSWEAgent(o *shape.Object) bool {
	isTurn := func(s *shape.Object) bool { // an action is a line of a shell, and no name beside its arguments
		return s.IsText("action") && s.HasAny("observation thought response") && !s.HasAny("arguments args parameters kwargs action_input actionInput")
	}
	switch {
	case engine.InFirst(o, "trajectory", isTurn):
		return true
	case o.HasAny("instance_id") && engine.InFirst(o, "steps", isTurn):
		return true
	}
	return engine.InFirst(o, "history", func(s *shape.Object) bool { return s.HasAll("role message_type") })
}

// decodeSWEAgent reads trajectories of SWE-agent, one run for each document.
func decodeSWEAgent(d *engine.Decoder, in engine.Batch) {
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		r := d.NewRun()
		engine.CopyMeta(&r.Trajectory, o)
		r.Trajectory.ID = ""
		if b, ok := o.Get("resolved").Bool(); ok {
			r.Trajectory.Success = &b
		}
		info := o.OpenMember("info")
		if whole := spent.OfRun(info, ""); whole != nil {
			r.Trajectory.Whole = whole
		}
		if status := info.FirstString("exit_status"); strings.Contains(status, "exit_") {
			r.Trajectory.Stopped = status // a budget or a format ran out; "submitted" alone is a normal end
		}
		turns := o.FirstList("trajectory steps")
		if len(turns) == 0 {
			r.ReadChat(o.Get("history"))
		}
		var toolCalls map[string][]jsonval.Value
		if len(turns) > 0 {
			toolCalls = shellHistory(r, o.FirstList("history"))
		}
		for _, s := range turns {
			shellTurn(r, s, toolCalls)
		}
		r.AddToDocument()
		d.SetExpected(d.Trajectories[len(d.Trajectories)-1:], o, false)
	}
}

// shellHistory adds the system's message and the task from a history to the run. It
// returns the tool calls in the history. The keys of the map are the texts of the
// actions.
func shellHistory(r *engine.Run, history []jsonval.Value) map[string][]jsonval.Value {
	calls := map[string][]jsonval.Value{}
	opening := true
	for _, v := range history {
		m := shape.OpenObject(v)
		role := m.FirstString("role")
		if opening = opening && shape.OneOf(role, "system user"); opening {
			r.AddMessage(role, shape.ContentText(m.Get("content")))
		}
		if list := m.FirstList("tool_calls"); len(list) == 1 {
			action := m.FirstString("action")
			calls[action] = append(calls[action], list[0])
		}
	}
	return calls
}

// shellTurn reads one turn. Its action is the text that the agent typed, or the tool call
// that toolCalls has for this text. There is no exit code.
func shellTurn(r *engine.Run, v jsonval.Value, toolCalls map[string][]jsonval.Value) {
	o := shape.OpenObject(v)
	r.BeginTurn("assistant")
	if thought := o.FirstText("thought"); thought != "" {
		r.AddText(strings.TrimSpace(thought))
	}
	if action := o.FirstString("action"); strings.TrimSpace(action) != "" {
		c := engine.FreeTextCall(action)
		if waiting := toolCalls[action]; len(waiting) > 0 {
			toolCalls[action] = waiting[1:]
			function := waiting[0].Get("function")
			c = engine.Call{ID: waiting[0].Get("id").Text(), Name: function.Get("name").Text(), Arguments: function.Get("arguments")}
		}
		c.At = v
		r.AddCall(c)
		if o.HasAny("observation") {
			r.AttachResult(c.ID, c.Name, shape.NewObservation(shape.ContentText(o.Get("observation")), shape.Unsaid), v)
		}
		return
	}
	r.Decoder.WarnAt("turn-without-action", "a turn has no action", v)
}
