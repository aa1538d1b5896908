package trajectory

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// isOpenAIChat tells a list of messages with roles, bare or under "messages".
func isOpenAIChat(v jsonval.Value) bool {
	list := chatMessages(v)
	if list.Kind() != jsonval.Array {
		return false
	}
	found := false
	list.Each(func(_ string, m jsonval.Value) bool {
		found = m.Kind() == jsonval.Object && m.Get("role").Kind() == jsonval.String
		return false
	})
	return found
}

func chatMessages(v jsonval.Value) jsonval.Value {
	if v.Kind() == jsonval.Object {
		return v.Get("messages")
	}
	return v
}

func decodeOpenAIChat(d *decoder, v jsonval.Value) {
	var t Trajectory
	d.chat(&t, chatMessages(v))
	d.Trajectories = append(d.Trajectories, t)
}

// chat reads OpenAI messages into t. A tool message answers the earliest
// unanswered call of its id, or of any id when none has it, so duplicated ids
// pair by position.
func (d *decoder) chat(t *Trajectory, list jsonval.Value) {
	p := pairing{d: d, t: t, seen: map[string]int{}}
	list.Each(func(_ string, m jsonval.Value) bool {
		d.chatMessage(&p, m)
		return true
	})
	p.done()
}

func (d *decoder) chatMessage(p *pairing, m jsonval.Value) {
	var role, id string
	var content, calls, legacy jsonval.Value
	m.Each(func(key string, v jsonval.Value) bool {
		switch key {
		case "role":
			role = v.Text()
		case "content":
			content = v
		case "tool_calls":
			calls = v
		case "function_call":
			legacy = v
		case "tool_call_id":
			id = v.Text()
		}
		return true
	})
	p.t.Messages = append(p.t.Messages, Message{Role: role, Text: contentText(content)})
	switch role {
	case "tool", "function":
		text := contentText(content)
		p.answer(id, Observation{Text: text, Error: errorText(text)}, m)
		return
	}
	calls.Each(func(_ string, call jsonval.Value) bool {
		fn := call.Get("function")
		if fn.Kind() != jsonval.Object {
			fn = call // some tools flatten the call
		}
		p.call(call.Get("id").Text(), fn.Get("name").Text(), fn.Get("arguments"))
		return true
	})
	if legacy.Kind() == jsonval.Object {
		p.call("", legacy.Get("name").Text(), legacy.Get("arguments"))
	}
}

// contentText is a message's text: a string, or the text parts of a list.
func contentText(v jsonval.Value) string {
	if v.Kind() != jsonval.Array {
		return v.Text()
	}
	var parts []string
	for _, part := range v.Elements() {
		if s, ok := part.Str(); ok {
			parts = append(parts, s)
		} else if s, ok := part.Get("text").Str(); ok {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n")
}

// pairing joins calls with their results.
type pairing struct {
	d          *decoder
	t          *Trajectory
	open       []int // actions without a result, in order
	seen       map[string]int
	duplicates int
}

// call adds an action of the current message.
func (p *pairing) call(id, name string, arguments jsonval.Value) {
	a := Action{Name: name, CallID: id, Message: len(p.t.Messages) - 1}
	a.Arguments, a.Broken = p.d.arguments(name, arguments)
	if name == "" {
		p.d.warnAt("call-without-name", "a tool call has no name", arguments)
	}
	if id != "" {
		if p.seen[id]++; p.seen[id] > 1 {
			p.duplicates++
		}
	}
	p.t.Messages[a.Message].Calls = true
	p.open = append(p.open, len(p.t.Actions))
	p.t.Actions = append(p.t.Actions, a)
}

// answer gives a result to the call that it belongs to.
func (p *pairing) answer(id string, o Observation, at jsonval.Value) {
	if len(p.open) == 0 {
		p.d.warnAt("result-without-call", "a tool result answers no open call", at)
		return
	}
	k := 0
	if id != "" {
		for i, action := range p.open {
			if p.t.Actions[action].CallID == id {
				k = i
				break
			}
		}
	}
	p.t.Actions[p.open[k]].Observation = &o
	p.open = append(p.open[:k], p.open[k+1:]...)
}

func (p *pairing) done() {
	if p.duplicates > 0 {
		p.d.warn(Warning{Code: "duplicate-call-id", Trajectory: p.d.here(),
			Message: fmt.Sprintf("%d duplicate call ids; results were paired by position", p.duplicates)})
	}
}

// arguments reads a call's arguments: an object, or a string that holds one.
// Anything else is kept as text with a warning: it is neither dropped nor
// compared as if it were empty.
func (d *decoder) arguments(name string, v jsonval.Value) (object jsonval.Value, broken string) {
	switch v.Kind() {
	case jsonval.Object:
		return v, ""
	case jsonval.Missing, jsonval.Null:
		return jsonval.Value{}, ""
	case jsonval.String:
		if strings.TrimSpace(v.Text()) == "" {
			return jsonval.Value{}, ""
		}
		inner, err := jsonval.Parse(v.Text())
		if err == nil && inner.Kind() == jsonval.Object {
			return inner, ""
		}
		if err == nil && inner.Kind() == jsonval.Null {
			return jsonval.Value{}, ""
		}
	}
	d.warnAt("arguments-not-json", fmt.Sprintf("the arguments of %s are not a JSON object: %.60q", name, v.Text()), v)
	return jsonval.Value{}, v.Text()
}

// warnAt places a warning where a value stands in the text, when that is known.
func (d *decoder) warnAt(code, message string, at jsonval.Value) {
	w := Warning{Code: code, Message: message, Trajectory: d.here()}
	if i := at.Offset(); i > 0 && i < len(d.text) {
		w.Line, w.Column = jsonval.Position(d.text, i)
	}
	d.warn(w)
}
