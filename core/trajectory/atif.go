package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

func isATIF(o *object) bool {
	return strings.HasPrefix(o.firstString("schema_version"), "ATIF") && o.isList("steps")
}

func decodeATIF(d *decoder, in batch) {
	for _, v := range in.values {
		o := openObject(v)
		if !o.isList("steps") {
			d.warnForeign(v)
			continue
		}
		r := d.newRun()
		r.t.copyMeta(o)
		r.t.ID = o.firstText("session_id trajectory_id")
		agent := o.openMember("agent")
		r.t.Model = ifElse(agent.firstString("model_name") != "", agent.firstString("model_name"), agent.firstString("name"))
		for _, s := range o.firstList("steps") {
			r.atifStep(s)
		}
		r.addToDocument()
	}
}

func (r *run) atifStep(v jsonval.Value) {
	o := openObject(v)
	role := o.firstString("source")
	r.beginTurn(plainRole(role))
	if message := contentText(o.get("message")); message != "" || !o.hasAny("tool_calls") {
		r.addText(message)
	}
	for _, c := range o.firstList("tool_calls") {
		call := openObject(c)
		r.atifCall(call)
	}
	results := o.openMember("observation").firstList("results")
	for _, c := range results {
		result := openObject(c)
		extra := result.openMember("extra")
		f := strictestFlag(errorFlag(result.get("is_error")), errorFlag(extra.get("is_error error")), exitFlag(extra.get("exit_code")))
		r.attachResult(result.firstText("source_call_id"), "", newObservation(contentText(result.get("content")), f), c)
	}
}

// atifCall reads a call. The text of a free-text action and the requestor are in the
// member extra, where Encode writes them.
func (r *run) atifCall(o *object) {
	c := call{id: o.firstText("tool_call_id"), name: o.firstText("function_name"), arguments: o.get("arguments"), at: o.v}
	extra := o.openMember("extra")
	if c.text = extra.firstString("text"); c.text != "" {
		c.arguments = jsonval.Value{}
	}
	r.requestor = extra.firstString("requestor")
	r.addCall(c)
	r.requestor = ""
}
