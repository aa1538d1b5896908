package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// isGemini reports whether an object is a Content of Gemini's API. Its parts must contain
// a call or a result, or its role must be "model" and its parts must contain text.
func isGemini(o *object) bool {
	return o.isList("parts") && o.firstString("role") != "assistant" && !o.hasAll("kind") && inContent(o, "parts", func(b *object) bool {
		return b.hasAny("functionCall functionResponse function_call function_response") || o.firstString("role") == "model" && b.isText("text")
	})
}

// readGeminiBlock reads a call or a result. Older data has no ids, so a result is matched
// to its call by name.
func (r *run) readGeminiBlock(b *block) {
	o := openObject(b.nested)
	id, name := o.firstText("id"), o.firstText("name")
	if b.kind == "functionCall" || b.kind == "function_call" {
		if r.readPartialCall(o, b.v) {
			return
		}
		r.addCall(call{id: id, name: name, arguments: o.get("args arguments"), at: b.v})
		return
	}
	text, f := functionResponse(o.get("response"))
	r.attachResult(id, name, newObservation(text, f), b.v)
}

// functionResponse returns the text of a function's result, and the flag of the result's
// member "error". If the only member is result, output or error, the text is the value of
// this member. Otherwise the text is the JSON of the whole result.
func functionResponse(response jsonval.Value) (string, flag) {
	text := response.Text()
	if inner := openObject(response); len(inner.keys) == 1 && inner.hasAny("result output error") {
		text = inner.values[0].Text()
	}
	return text, errorFlag(response.Get("error"))
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
func (r *run) readPartialCall(o *object, at jsonval.Value) bool {
	more, _ := o.get("willContinue").Bool()
	switch {
	case o.isText("name"):
		r.finishPartialCall()
		if !more {
			return false
		}
		r.partial = &partialCall{action: r.addCall(call{id: o.firstText("id"), name: o.firstText("name"), arguments: o.get("args"), at: at})}
	case r.partial == nil:
		return len(o.keys) == 0
	}
	for _, v := range o.firstList("partialArgs") {
		e := openObject(v)
		p := r.partial.arguments.member(strings.TrimPrefix(e.firstText("jsonPath"), "$"))
		p.text.WriteString(e.firstString("stringValue"))
		p.raw = e.get("numberValue boolValue nullValue").Raw()
	}
	if !more {
		r.finishPartialCall()
	}
	return true
}

// finishPartialCall sets the arguments of the call that is being read in parts, if there
// is one.
func (r *run) finishPartialCall() {
	p := r.partial
	r.partial = nil
	if p == nil || p.action < 0 || len(p.arguments.members) == 0 {
		return
	}
	if v, err := jsonval.Parse(p.arguments.toJSON()); err == nil {
		r.t.Actions[p.action].Arguments = v
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
		return quoteJSON(p.text.String())
	}
	var out []string
	for _, m := range p.members {
		out = append(out, ifElse(p.list, "", quoteJSON(m.key)+":")+m.toJSON())
	}
	return ifElse(p.list, "[", "{") + strings.Join(out, ",") + ifElse(p.list, "]", "}")
}
