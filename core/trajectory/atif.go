package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

func isATIF(o *object) bool {
	return strings.HasPrefix(o.word("schema_version"), "ATIF") && o.isList("steps")
}

func decodeATIF(d *decoder, in batch) {
	for _, v := range in.values {
		o := open(v)
		r := d.run()
		r.t.meta(o)
		r.t.ID = o.text("session_id trajectory_id")
		agent := o.in("agent")
		r.t.Model = either(agent.word("model_name") != "", agent.word("model_name"), agent.word("name"))
		for _, s := range o.list("steps") {
			r.atifStep(s)
		}
		r.done()
	}
}

func (r *run) atifStep(v jsonval.Value) {
	o := open(v)
	role := o.word("source")
	r.turn(plainRole(role))
	if message := contentText(o.get("message")); message != "" || !o.any("tool_calls") {
		r.say(message)
	}
	for _, c := range o.list("tool_calls") {
		call := open(c)
		r.atifCall(call)
	}
	results := o.in("observation").list("results")
	for _, c := range results {
		result := open(c)
		extra := result.in("extra")
		f := strictest(errorFlag(result.get("is_error")), errorFlag(extra.get("is_error error")), exitFlag(extra.get("exit_code")))
		r.answer(result.text("source_call_id"), "", observe(contentText(result.get("content")), f), c)
	}
}

// atifCall reads a call. The format has no members for the text of a free-text action and
// for the requestor, so Encode writes them under extra.
func (r *run) atifCall(o *object) {
	c := call{id: o.text("tool_call_id"), name: o.text("function_name"), arguments: o.get("arguments"), at: o.v}
	extra := o.in("extra")
	if c.text = extra.word("text"); c.text != "" {
		c.arguments = jsonval.Value{}
	}
	r.requestor = extra.word("requestor")
	r.call(c)
	r.requestor = ""
}
