package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

func isCodexRollout(o *object) bool {
	return o.isObject("payload") && oneOf(o.word("type"), "session_meta turn_context event_msg response_item compacted")
}

// decodeCodexRollout reads the response items in a session file of Codex. It skips the
// events, because they repeat the items. In older files, each line is an item without an
// envelope.
func decodeCodexRollout(d *decoder, in batch) {
	r := d.run()
	r.role = "assistant"
	for _, v := range in.values {
		o := open(v)
		payload := o.get("payload")
		switch o.word("type") {
		case "session_meta":
			r.t.ID = payload.Get("id").Text()
		case "turn_context":
			r.t.Model = payload.Get("model").Text()
		case "response_item":
			r.read(payload)
		case "event_msg", "compacted":
		default:
			if o.isText("role") || isItem(o.word("type")) {
				r.read(v)
			}
		}
	}
	r.done()
}

func isCodexExec(o *object) bool {
	kind := o.word("type")
	return strings.HasPrefix(kind, "thread.started") || strings.HasPrefix(kind, "item.") && o.isObject("item") || strings.HasPrefix(kind, "turn.") && o.any("usage error") || kind == "turn.started"
}

// decodeCodexExec reads the events that codex exec prints. It reads each item from the
// event "item.completed". An item that was started but never completed becomes a call
// without a result.
func decodeCodexExec(d *decoder, in batch) {
	r := d.run()
	r.role = "assistant"
	ended := map[string]bool{}
	for _, v := range in.values {
		o := open(v)
		if o.word("type") == "item.completed" {
			ended[o.in("item").text("id")] = true
		}
	}
	for _, v := range in.values {
		o := open(v)
		item := o.in("item")
		switch o.word("type") {
		case "thread.started":
			r.t.ID = o.text("thread_id")
		case "item.completed":
			r.codexItem(item, true)
		case "item.started":
			if !ended[item.text("id")] {
				r.codexItem(item, false)
			}
		}
	}
	r.done()
}

func (r *run) codexItem(o *object, complete bool) {
	kind := o.text("type item_type")
	id := o.text("id")
	c := call{id: id, name: kind, at: o.v}
	var text string
	f := statusFlag(o.get("status"))
	switch kind {
	case "agent_message", "assistant_message":
		r.message("assistant", o.text("text"))
		return
	case "command_execution":
		c.arguments = members("command", o.text("command"))
		text, f = o.text("aggregated_output"), strictest(f, exitFlag(o.get("exit_code")))
	case "mcp_tool_call":
		c.name, c.arguments = o.text("tool"), o.get("arguments")
		result := o.some("result error")
		text, f = contentText(result), strictest(f, errorFlag(o.get("error")))
		if content := result.Get("content"); content.Exists() {
			text = contentText(content)
		}
	case "file_change":
		c.arguments = wrap("changes", o.get("changes"))
	case "web_search":
		c.arguments = members("query", o.text("query"))
	default: // reasoning, todo_list, error
		return
	}
	r.turn("assistant")
	r.call(c)
	if complete {
		r.answer(id, c.name, observe(text, f), o.v)
	}
}

// wrap returns the object {name: v}, or Missing if v is Missing.
func wrap(name string, v jsonval.Value) jsonval.Value {
	if !v.Exists() {
		return v
	}
	out, err := jsonval.Parse("{" + quote(name) + ":" + v.Raw() + "}")
	if err != nil {
		return jsonval.Value{}
	}
	return out
}
