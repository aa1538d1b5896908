package proxy

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// withArguments returns the call with other arguments, which are a JSON object. ok is false
// if a call of this kind cannot have them: one that is written as text, or a custom tool's
// call with anything but an input.
func (c call) withArguments(arguments string) (out call, ok bool) {
	switch c.Kind {
	case kindText:
		return c, false
	case kindCustom:
		v, err := jsonval.Parse(arguments)
		input, isText := v.Get("input").Str()
		if err != nil || !isText || v.Len() != 1 {
			return c, false
		}
		c.Text = input
		c.Raw = `{"id":` + jsonval.Quoted(c.ID) + `,"type":"custom","custom":{"name":` + jsonval.Quoted(c.Name) + `,"input":` + jsonval.Quoted(input) + `}}`
		return c, true
	}
	c.Text = arguments
	body := `{"name":` + jsonval.Quoted(c.Name) + `,"arguments":` + jsonval.Quoted(arguments) + `}`
	if c.Kind == kindLegacy {
		c.Raw = body
		return c, true
	}
	c.Raw = `{"id":` + jsonval.Quoted(c.ID) + `,"type":"function","function":` + body
	if c.rewritten {
		c.Raw += `,"` + rewritten + `":true`
	}
	c.Raw += "}"
	return c, true
}

// wasEdited reports whether an approver changed a call of the turn that was passed on.
func (t *turn) wasEdited() bool {
	return slices.ContainsFunc(t.Calls, func(h held) bool { return h.Ran != "" })
}

// mostTold is the largest size of changed arguments that the model is told.
const mostTold = 8 << 10

// ranText tells the model that a call ran with other arguments than its own.
func (h *held) ranText() string {
	return "[gate] An approver changed this call. Your arguments did not run; these did: " + tellArguments(h.Ran)
}

func tellArguments(arguments string) string {
	if len(arguments) > mostTold {
		return strings.ToValidUTF8(arguments[:mostTold], "") + " … (cut here)"
	}
	return arguments
}

// unwritable says why an edited call is not handed out: it cannot be written in the form of
// the model's call.
func unwritable(r *machine.Record) string {
	return "Not executed: an approver changed this call, but a call in this form cannot be changed. To run what they approved of, call " + r.Tool + " with these arguments: " + tellArguments(r.Arguments)
}

// trueResult returns the message with a tool's result for the model. If an approver changed
// the call, it begins with what ran.
func (t *turn) trueResult(m *message) string {
	for i := range t.Calls {
		h := &t.Calls[i]
		if h.Ran == "" || h.ID != m.answers && (h.ID != "" || h.Tool != m.answers) {
			continue
		}
		v, err := jsonval.Parse(m.raw)
		if err != nil {
			return m.raw
		}
		raw := withNote(m.raw, v, h.ranText())
		v, _ = jsonval.Parse(raw)
		if text, ok := v.Get(verbatim).Str(); ok { // in the form of another API
			blocks, _ := jsonval.Parse(text)
			var all []string
			for _, b := range blocks.Elements() {
				all = append(all, withNote(b.Raw(), b, h.ranText()))
			}
			said := "[" + strings.Join(all, ",") + "]"
			if blocks.Kind() == jsonval.Object { // a message of Ollama's
				said = withNote(text, blocks, h.ranText())
			}
			raw = applyPatches(raw, []patch{{v.Get(verbatim), jsonval.Quoted(said)}})
		}
		return raw
	}
	return m.raw
}

// withNote returns an object with a text before its content, which is a text or a list of
// parts. raw is the object's text, and v its value.
func withNote(raw string, v jsonval.Value, note string) string {
	if noted, ok := withOwnNote(raw, v, note); ok {
		return noted
	}
	content := v.Get("content")
	at := v.Offset()
	switch content.Kind() {
	case jsonval.Missing:
		return `{"content":` + jsonval.Quoted(note) + "," + strings.TrimPrefix(strings.TrimSpace(raw), "{")
	case jsonval.Array:
		part := `{"type":"text","text":` + jsonval.Quoted(note) + `}`
		if content.Len() > 0 {
			part += ","
		}
		text := "[" + part + strings.TrimPrefix(content.Raw(), "[")
		return raw[:content.Offset()-at] + text + raw[content.Offset()-at+len(content.Raw()):]
	}
	text := jsonval.Quoted(strings.TrimSuffix(note+gap+content.Text(), gap))
	return raw[:content.Offset()-at] + text + raw[content.Offset()-at+len(content.Raw()):]
}
