package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

func isCodexRollout(o *object) bool {
	return o.isObject("payload") && oneOf(o.firstString("type"), "session_meta turn_context event_msg response_item compacted")
}

// decodeCodexRollout reads the response items in a session file of Codex. It skips the
// events, because they repeat the items. In older files, each line is an item without an
// envelope.
func decodeCodexRollout(d *decoder, in batch) {
	r := d.newRun()
	r.role = "assistant"
	for _, v := range in.values {
		o := openObject(v)
		payload := o.get("payload")
		switch o.firstString("type") {
		case "session_meta":
			r.t.ID = payload.Get("id").Text()
		case "turn_context":
			r.t.Model = payload.Get("model").Text()
		case "response_item":
			r.readMessageValue(payload)
		case "event_msg", "compacted":
		default:
			if o.isText("role") || isItem(o.firstString("type")) {
				r.readMessageValue(v)
			}
		}
	}
	r.addToDocument()
}

func isCodexExec(o *object) bool {
	kind := o.firstString("type")
	return strings.HasPrefix(kind, "thread.started") || strings.HasPrefix(kind, "item.") && o.isObject("item") || strings.HasPrefix(kind, "turn.") && o.hasAny("usage error") || kind == "turn.started"
}

// decodeCodexExec reads the events that codex exec prints. It reads each item from the
// event "item.completed". An item that was started but never completed becomes a call
// without a result.
func decodeCodexExec(d *decoder, in batch) {
	r := d.newRun()
	r.role = "assistant"
	ended := map[string]bool{}
	for _, v := range in.values {
		o := openObject(v)
		if o.firstString("type") == "item.completed" {
			ended[o.openMember("item").firstText("id")] = true
		}
	}
	for _, v := range in.values {
		o := openObject(v)
		item := o.openMember("item")
		switch o.firstString("type") {
		case "thread.started":
			r.t.ID = o.firstText("thread_id")
		case "item.completed":
			r.codexItem(item, true)
		case "item.started":
			if !ended[item.firstText("id")] {
				r.codexItem(item, false)
			}
		}
	}
	r.addToDocument()
}

func (r *run) codexItem(o *object, complete bool) {
	kind := o.firstText("type item_type")
	id := o.firstText("id")
	c := call{id: id, name: kind, at: o.v}
	var text string
	f := statusFlag(o.get("status"))
	switch kind {
	case "agent_message", "assistant_message":
		r.addMessage("assistant", o.firstText("text"))
		return
	case "command_execution":
		c.arguments = objectFromPairs("command", o.firstText("command"))
		text, f = o.firstText("aggregated_output"), strictestFlag(f, exitFlag(o.get("exit_code")))
	case "mcp_tool_call":
		c.name, c.arguments = o.firstText("tool"), o.get("arguments")
		result := o.firstNonNull("result error")
		text, f = contentText(result), strictestFlag(f, errorFlag(o.get("error")))
		if content := result.Get("content"); content.Exists() {
			text = contentText(content)
		}
	case "file_change":
		c.arguments = wrapMember("changes", o.get("changes"))
	case "web_search":
		c.arguments = objectFromPairs("query", o.firstText("query"))
	default: // reasoning, todo_list, error
		return
	}
	r.beginTurn("assistant")
	r.addCall(c)
	if complete {
		r.attachResult(id, c.name, newObservation(text, f), o.v)
	}
}

// wrapMember returns the object {name: v}, or Missing if v is Missing.
func wrapMember(name string, v jsonval.Value) jsonval.Value {
	if !v.Exists() {
		return v
	}
	out, err := jsonval.Parse("{" + quoteJSON(name) + ":" + v.Raw() + "}")
	if err != nil {
		return jsonval.Value{}
	}
	return out
}
