package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/spent"
)

func isCodexRollout(o *shape.Object) bool {
	return o.IsObject("payload") && shape.OneOf(o.FirstString("type"), "session_meta turn_context event_msg response_item compacted")
}

// decodeCodexRollout reads the response items in a session file of Codex. It skips the
// events, because they repeat the items. In older files, each line is an item without an
// envelope.
func decodeCodexRollout(d *engine.Decoder, in engine.Batch) {
	r := d.NewRun()
	r.Role = "assistant"
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		payload := o.Get("payload")
		r.Took.Enter(o)
		switch o.FirstString("type") {
		case "session_meta":
			r.Trajectory.ID = payload.Get("id").Text()
		case "turn_context":
			r.Trajectory.Model = payload.Get("model").Text()
		case "response_item":
			r.ReadMessageValue(payload)
		case "event_msg":
			if info := shape.OpenObject(payload).OpenMember("info"); info.IsObject("total_token_usage") { // of the run until here
				r.Trajectory.Whole = spent.Of(&shape.Object{Keys: []string{"usage"}, Values: []jsonval.Value{info.Get("total_token_usage")}})
			}
		case "compacted":
		default:
			if o.IsText("role") || engine.IsItem(o.FirstString("type")) {
				r.ReadMessageValue(v)
			}
		}
	}
	r.AddToDocument()
}

func isCodexExec(o *shape.Object) bool {
	kind := o.FirstString("type")
	return strings.HasPrefix(kind, "thread.started") || strings.HasPrefix(kind, "item.") && o.IsObject("item") || strings.HasPrefix(kind, "turn.") && o.HasAny("usage error") || kind == "turn.started"
}

// decodeCodexExec reads the events that codex exec prints. It reads each item from the
// event "item.completed". An item that was started but never completed becomes a call
// without a result.
func decodeCodexExec(d *engine.Decoder, in engine.Batch) {
	r := d.NewRun()
	r.Role = "assistant"
	ended := map[string]bool{}
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		if o.FirstString("type") == "item.completed" {
			ended[o.OpenMember("item").FirstText("id")] = true
		}
	}
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		item := o.OpenMember("item")
		switch o.FirstString("type") {
		case "thread.started":
			r.Trajectory.ID = o.FirstText("thread_id")
		case "turn.completed":
			r.Trajectory.Spent.AddCounts(spent.Of(o))
		case "item.completed":
			codexItem(r, item, true)
		case "item.started":
			if !ended[item.FirstText("id")] {
				codexItem(r, item, false)
			}
		}
	}
	r.AddToDocument()
}

func codexItem(r *engine.Run, o *shape.Object, complete bool) {
	kind := o.FirstText("type item_type")
	id := o.FirstText("id")
	c := engine.Call{ID: id, Name: kind, At: o.Value}
	var text string
	f := shape.StatusFlag(o.Get("status"))
	switch kind {
	case "agent_message", "assistant_message":
		r.AddMessage("assistant", o.FirstText("text"))
		return
	case "command_execution":
		c.Arguments = literal.Object("command", o.FirstText("command"))
		text, f = o.FirstText("aggregated_output"), shape.StrictestFlag(f, shape.ExitFlag(o.Get("exit_code")))
	case "mcp_tool_call":
		c.Name, c.Arguments = o.FirstText("tool"), o.Get("arguments")
		result := o.FirstNonNull("result error")
		text, f = shape.ContentText(result), shape.StrictestFlag(f, shape.ErrorFlag(o.Get("error")))
		if content := result.Get("content"); content.Exists() {
			text = shape.ContentText(content)
		}
	case "file_change":
		c.Arguments = wrapMember("changes", o.Get("changes"))
	case "web_search":
		c.Arguments = literal.Object("query", o.FirstText("query"))
	default: // reasoning, todo_list, error
		return
	}
	r.BeginTurn("assistant")
	r.AddCall(c)
	if complete {
		r.AttachResult(id, c.Name, shape.NewObservation(text, f), o.Value)
	}
}

// wrapMember returns the object {name: v}, or Missing if v is Missing.
func wrapMember(name string, v jsonval.Value) jsonval.Value {
	if !v.Exists() {
		return v
	}
	out, err := jsonval.Parse("{" + literal.Quote(name) + ":" + v.Raw() + "}")
	if err != nil {
		return jsonval.Value{}
	}
	return out
}
