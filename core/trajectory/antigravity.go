package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// isAntigravity reports whether an object is a step of a session of Antigravity.
func isAntigravity(o *object) bool {
	return o.hasAll("step_index status") && o.isText("source") && oneOf(o.firstString("type"), "USER_INPUT PLANNER_RESPONSE")
}

// decodeAntigravity reads the steps of a session. A step of the planner lists calls, and
// the next steps of the model are their results, in this order.
func decodeAntigravity(d *decoder, in batch) {
	r := d.newRun()
	r.t.copyMeta(in.outer)
	for _, v := range in.values {
		o := openObject(v)
		text := o.firstText("content")
		switch kind := o.firstString("type"); {
		case kind == "USER_INPUT":
			if _, inner, ok := strings.Cut(text, "<USER_REQUEST>"); ok {
				inner, _, _ = strings.Cut(inner, "</USER_REQUEST>")
				text = strings.TrimSpace(inner)
			}
			r.addMessage("user", text)
		case kind == "PLANNER_RESPONSE":
			r.beginTurn("assistant")
			if text != "" {
				r.addText(text)
			}
			for _, c := range o.firstList("tool_calls") {
				r.addCall(call{name: c.Get("name").Text(), arguments: unquoteMembers(c.Get("args")), at: c})
			}
		case kind == "SYSTEM_MESSAGE":
			r.addMessage("system", text)
		case o.firstString("source") == "MODEL" && o.hasAny("content"):
			r.attachResult("", "", newObservation(text, statusFlag(o.get("status"))), v)
		}
	}
	r.addToDocument()
}

// unquoteMembers returns a copy of the object v in which each string that contains JSON
// is replaced by this JSON value. It returns any other value unchanged.
func unquoteMembers(v jsonval.Value) jsonval.Value {
	var members []string
	v.Each(func(key string, m jsonval.Value) bool {
		raw := m.Raw()
		if s, ok := m.Str(); ok && jsonval.Valid(s) {
			raw = s
		}
		members = append(members, quoteJSON(key)+":"+raw)
		return true
	})
	if out, err := jsonval.Parse("{" + strings.Join(members, ",") + "}"); err == nil && v.Kind() == jsonval.Object {
		return out
	}
	return v
}
