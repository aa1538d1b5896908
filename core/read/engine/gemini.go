package engine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// IsGemini reports whether an object is a Content of Gemini's API. Its parts must contain
// a call or a result, or its role must be "model" and its parts must contain text.
func IsGemini(o *shape.Object) bool {
	return o.IsList("parts") && o.FirstString("role") != "assistant" && !o.HasAll("kind") && shape.InContent(o, "parts", func(b *shape.Object) bool {
		return b.HasAny("functionCall functionResponse function_call function_response") || o.FirstString("role") == "model" && b.IsText("text")
	})
}

// readGeminiBlock reads a call or a result. Older data has no ids, so a result is matched
// to its call by name.
func (r *Run) readGeminiBlock(b *shape.Block) {
	o := shape.OpenObject(b.Nested)
	id, name := o.FirstText("id"), o.FirstText("name")
	if b.Kind == "functionCall" || b.Kind == "function_call" {
		if r.readPartialCall(o, b.Value) {
			return
		}
		r.AddCall(Call{ID: id, Name: name, Arguments: o.Get("args arguments"), At: b.Value})
		return
	}
	text, f := functionResponse(o.Get("response"))
	r.AttachResult(id, name, shape.NewObservation(text, f), b.Value)
}

// functionResponse returns the text of a function's result, and the flag of the result's
// member "error". If the only member is result, output or error, the text is the value of
// this member. Otherwise the text is the JSON of the whole result.
func functionResponse(response jsonval.Value) (string, shape.Flag) {
	text := response.Text()
	if inner := shape.OpenObject(response); len(inner.Keys) == 1 && inner.HasAny("result output error") {
		text = inner.Values[0].Text()
	}
	return text, shape.ErrorFlag(response.Get("error"))
}

// partialCall is a call whose arguments a stream of Gemini sends in pieces.
type partialCall struct {
	action    int
	arguments partialValue
}

// partialValue is a value of which a stream sends the parts. It is an object or a list if
// it has members.
type partialValue struct {
	key     string // its name or its index
	list    bool
	members []*partialValue
	raw     string // of a number, a boolean or null
	text    strings.Builder
}

// readPartialCall reads one part of a Gemini call that was sent in parts. It returns
// false if the object o is not such a part. The first part has the name, and the later
// parts have values with their paths in the arguments.
func (r *Run) readPartialCall(o *shape.Object, at jsonval.Value) bool {
	more, _ := o.Get("willContinue").Bool()
	switch {
	case o.IsText("name"):
		r.finishPartialCall()
		if !more {
			return false
		}
		r.partial = &partialCall{action: r.AddCall(Call{ID: o.FirstText("id"), Name: o.FirstText("name"), Arguments: o.Get("args"), At: at})}
	case r.partial == nil:
		return len(o.Keys) == 0
	}
	for _, v := range o.FirstList("partialArgs") {
		e := shape.OpenObject(v)
		p := r.partial.arguments.member(strings.TrimPrefix(e.FirstText("jsonPath"), "$"))
		p.text.WriteString(e.FirstString("stringValue"))
		p.raw = e.Get("numberValue boolValue nullValue").Raw()
	}
	if !more {
		r.finishPartialCall()
	}
	return true
}

// finishPartialCall sets the arguments of the call that is being read in parts, if there
// is one.
func (r *Run) finishPartialCall() {
	p := r.partial
	r.partial = nil
	if p == nil || p.action < 0 || len(p.arguments.members) == 0 {
		return
	}
	if v, err := jsonval.Parse(p.arguments.toJSON()); err == nil {
		r.Trajectory.Actions[p.action].Arguments = v
	}
}

// maxPath is the greatest depth of a value in the arguments of a call in parts.
const maxPath = 64

// member returns the value at a path such as .items[0].name. If there is no value at this
// path, member adds one.
func (p *partialValue) member(path string) *partialValue {
	for range maxPath {
		if path == "" {
			break
		}
		end := strings.IndexAny(path[1:], ".[") + 1
		if end == 0 {
			end = len(path)
		}
		p.list = path[0] == '[' && hasOnlyDigits(strings.Trim(path[:end], "[]"))
		p, path = p.memberNamed(strings.Trim(path[:end], ".[]'\"")), path[end:]
	}
	return p
}

func (p *partialValue) memberNamed(key string) *partialValue {
	for i := len(p.members) - 1; i >= 0; i-- { // usually the last
		if p.members[i].key == key {
			return p.members[i]
		}
	}
	m := &partialValue{key: key}
	p.members = append(p.members, m)
	return m
}

func (p *partialValue) toJSON() string {
	switch {
	case p.raw != "":
		return p.raw
	case len(p.members) == 0:
		return literal.Quote(p.text.String())
	}
	var out []string
	for _, m := range p.members {
		out = append(out, shape.IfElse(p.list, "", literal.Quote(m.key)+":")+m.toJSON())
	}
	return shape.IfElse(p.list, "[", "{") + strings.Join(out, ",") + shape.IfElse(p.list, "]", "}")
}
