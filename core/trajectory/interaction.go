package trajectory

import "strings"

// isInteraction reports whether an object is an interaction of Google's Interactions API.
func isInteraction(o *object) bool {
	return o.firstString("object") == "interaction" && o.isList("steps")
}

func decodeInteraction(d *decoder, in batch) {
	for _, v := range in.values {
		o := openObject(v)
		r := d.newRun()
		r.t.ID, r.t.Model = o.firstText("id"), o.firstString("model")
		if s := o.firstString("input"); s != "" {
			r.addMessage("user", s)
		}
		for _, s := range o.firstList("steps") {
			r.interactionStep(openObject(s))
		}
		r.addToDocument()
	}
}

// interactionStep reads a step, which is a text, a call or a result. A call without a
// name gets its name from its type.
func (r *run) interactionStep(o *object) {
	kind := o.firstString("type")
	name := o.firstText("name")
	switch {
	case kind == "user_input", kind == "model_output":
		r.addMessage(ifElse(kind == "user_input", "user", "assistant"), contentText(o.get("content")))
	case strings.HasSuffix(kind, "_call"):
		r.assistantTurn()
		r.addCall(call{id: o.firstText("id"), name: ifElse(name != "", name, trimCall(kind)), arguments: o.get("arguments"), at: o.v})
	case strings.HasSuffix(kind, "_result"):
		text := o.firstNonNull("result").Text()
		r.attachResult(o.firstText("call_id"), name, newObservation(text, errorFlag(o.get("is_error"))), o.v)
	}
}
