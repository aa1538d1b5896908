package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isAntigravity reports whether an object is a step of a session of Antigravity.
func isAntigravity(o *shape.Object) bool {
	return o.HasAll("step_index status") && o.IsText("source") && shape.OneOf(o.FirstString("type"), "USER_INPUT PLANNER_RESPONSE")
}

// decodeAntigravity reads the steps of a session. A step of the planner lists calls, and
// the next steps of the model are their results, in this order.
func decodeAntigravity(d *engine.Decoder, in engine.Batch) {
	r := d.NewRun()
	engine.CopyMeta(&r.Trajectory, in.Outer)
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		r.Took.Enter(o)
		text := o.FirstText("content")
		switch kind := o.FirstString("type"); {
		case kind == "USER_INPUT":
			if _, inner, ok := strings.Cut(text, "<USER_REQUEST>"); ok {
				inner, _, _ = strings.Cut(inner, "</USER_REQUEST>")
				text = strings.TrimSpace(inner)
			}
			r.AddMessage("user", text)
		case kind == "PLANNER_RESPONSE":
			r.BeginTurn("assistant")
			if text != "" {
				r.AddText(text)
			}
			for _, c := range o.FirstList("tool_calls") {
				r.AddCall(engine.Call{Name: c.Get("name").Text(), Arguments: unquoteMembers(c.Get("args")), At: c})
			}
		case kind == "SYSTEM_MESSAGE":
			r.AddMessage("system", text)
		case o.FirstString("source") == "MODEL" && o.HasAny("content"):
			r.AttachResult("", "", shape.NewObservation(text, shape.StatusFlag(o.Get("status"))), v)
		}
	}
	r.AddToDocument()
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
		members = append(members, literal.Quote(key)+":"+raw)
		return true
	})
	if out, err := jsonval.Parse("{" + strings.Join(members, ",") + "}"); err == nil && v.Kind() == jsonval.Object {
		return out
	}
	return v
}
