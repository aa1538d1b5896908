package format

import (
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// managedEvent returns the event of Claude Managed Agents in an object. If the object has
// the member raw, this member is the event. Otherwise the object itself is the event.
func managedEvent(o *shape.Object) *shape.Object {
	if o.IsObject("raw") {
		return o.OpenMember("raw")
	}
	return o
}

// isManaged reports whether an object is an event of Claude Managed Agents with a call, a
// result or a message of the agent.
func isManaged(o *shape.Object) bool {
	e := managedEvent(o)
	return shape.OneOf(e.FirstString("type"), "agent.tool_use agent.custom_tool_use agent.mcp_tool_use agent.tool_result agent.mcp_tool_result user.custom_tool_result agent.message") &&
		e.HasAny("input content")
}

// decodeManaged reads the events of one session of Claude Managed Agents.
func decodeManaged(d *engine.Decoder, in engine.Batch) {
	r := d.NewRun()
	engine.CopyMeta(&r.Trajectory, in.Outer)
	for _, v := range in.Values {
		e := managedEvent(shape.OpenObject(v))
		switch kind := e.FirstString("type"); kind {
		case "session":
			agent := e.OpenMember("agent")
			r.Trajectory.ID, r.Trajectory.Policy, r.Trajectory.Model = e.FirstText("id"), agent.FirstString("system"), agent.OpenMember("model").FirstText("id")
		case "user.message", "agent.message", "user.define_outcome":
			r.BeginTurn(shape.IfElse(kind == "agent.message", "assistant", "user"))
			r.ReadContent(e.FirstNonNull("content description"))
		default:
			if shape.IsCallKind(kind) || shape.IsResultKind(kind) {
				r.AssistantTurn()
				r.ReadBlock(shape.OpenBlock(e.Value))
			}
		}
	}
	r.AddToDocument()
}
