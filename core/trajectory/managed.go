package trajectory

import "github.com/boundcheck/boundcheck/core/base/jsonval"

// managedEvent returns the event of Claude Managed Agents in an object. If the object has
// the member raw, this member is the event. Otherwise the object itself is the event.
func managedEvent(o *object) *object {
	if o.isObject("raw") {
		return o.openMember("raw")
	}
	return o
}

// isManaged reports whether an object is an event of Claude Managed Agents with a call, a
// result or a message of the agent.
func isManaged(o *object) bool {
	e := managedEvent(o)
	return oneOf(e.firstString("type"), "agent.tool_use agent.custom_tool_use agent.mcp_tool_use agent.tool_result agent.mcp_tool_result user.custom_tool_result agent.message") &&
		e.hasAny("input content")
}

// decodeManaged reads the events of one session of Claude Managed Agents.
func decodeManaged(d *decoder, in batch) {
	r := d.newRun()
	r.t.copyMeta(in.outer)
	for _, v := range in.values {
		e := managedEvent(openObject(v))
		switch kind := e.firstString("type"); kind {
		case "session":
			agent := e.openMember("agent")
			r.t.ID, r.t.Policy, r.t.Model = e.firstText("id"), agent.firstString("system"), agent.openMember("model").firstText("id")
		case "user.message", "agent.message", "user.define_outcome":
			r.beginTurn(ifElse(kind == "agent.message", "assistant", "user"))
			r.readContent(e.firstNonNull("content description"))
		default:
			if isCallKind(kind) || isResultKind(kind) {
				r.assistantTurn()
				r.readBlock(openBlock(e.v))
			}
		}
	}
	r.addToDocument()
}

// labelledRows returns the values of rows that are pairs of a label and a value, for
// example ["events.stream", {…}]. If any row has another form, it returns the rows
// unchanged.
func labelledRows(rows []jsonval.Value) []jsonval.Value {
	out := make([]jsonval.Value, 0, len(rows))
	for _, row := range rows {
		pair := row.Elements()
		if len(pair) != 2 || pair[0].Kind() != jsonval.String || pair[1].Kind() != jsonval.Object && pair[1].Kind() != jsonval.Array {
			return rows
		}
		out = append(out, pair[1])
	}
	return out
}
