package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// spelt reads a message that contains its calls as text, and reports whether it did:
// ShareGPT's function_call, Hermes' <tool_call>, smolagents' "Calling tools:" and ReAct's
// "Action:". It reads only messages without other calls.
func (r *run) spelt(m *message, role string) bool {
	text := contentText(m.content)
	switch {
	case role == "function_call", role == "tool-call":
		r.turn("assistant")
		return r.spelling(strings.TrimPrefix(strings.TrimSpace(text), "Calling tools:"), m.v)
	case role == "user" && r.reactResult(text):
		return true
	case role != "assistant" || m.calls.Len() > 0:
		return false
	case !strings.Contains(text, "<tool_call>"):
		return len(r.found.calls) == 0 && r.react(text, m.v)
	}
	r.turn("assistant")
	found := false
	for {
		before, rest, ok := strings.Cut(text, "<tool_call>")
		if before = strings.TrimSpace(before); before != "" {
			r.say(before)
		}
		inner, after, closed := strings.Cut(rest, "</tool_call>")
		if !ok || !closed {
			return found
		}
		found = r.spelling(inner, m.v) || found
		text = after
	}
}

// spelling reads a call, or a list of them, from JSON or Python's notation.
func (r *run) spelling(text string, at jsonval.Value) bool {
	v, err := jsonval.Parse(strings.TrimSpace(text))
	if err != nil {
		v = python(strings.TrimSpace(text))
	}
	list := []jsonval.Value{v}
	if v.Kind() == jsonval.Array {
		list = v.Elements()
	}
	found := false
	for _, e := range list {
		if e.Kind() == jsonval.Object {
			found = r.toolCall(e) || found
		}
	}
	if !found {
		r.d.warnAt("call-not-object", "a call in a message's text is not JSON", at)
	}
	return found
}

// spellings holds the signs of a call inside a string, where no member shows it.
var spellings = [...]string{"<tool_call>", `\"tool_calls\"`, `\"tool_use\"`, `\"functionCall\"`, `\"function_call\"`, `\"toolCall\"`, `\"toolCallId\"`, `\"tool_name\"`, "Calling tools:"}

// spelled returns the first call that the text contains inside a string.
func (d *decoder) spelled() []fact {
	for _, words := range spellings {
		if at := strings.Index(d.text, words); at >= 0 {
			return []fact{{offset: at, member: words}}
		}
	}
	return nil
}
