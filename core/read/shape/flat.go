package shape

import (
	"sort"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
)

// flatMessage is a message that a span stores as separate attributes, one for each
// member. An example is
// llm.output_messages.0.message.tool_calls.1.tool_call.function.name.
type flatMessage struct {
	role, content, name, callID string
	texts                       []string
	calls                       map[int]*flatCall
}

type flatCall struct{ id, name, arguments string }

// FlatMessages returns the messages in those members, the attributes of a span, whose names begin
// with a prefix. Each message is a JSON object.
func (o *Object) FlatMessages(prefix string) []jsonval.Value {
	found := map[int]*flatMessage{}
	for i, key := range o.Keys {
		rest, ok := strings.CutPrefix(key, prefix)
		if !ok {
			continue
		}
		number, rest, _ := strings.Cut(rest, ".")
		n, err := strconv.Atoi(number)
		if err != nil {
			continue
		}
		if found[n] == nil {
			found[n] = &flatMessage{calls: map[int]*flatCall{}}
		}
		found[n].setAttribute(strings.TrimPrefix(rest, "message."), o.Values[i].Text())
	}
	var out []jsonval.Value
	for _, n := range sortedKeys(found) {
		if v, err := jsonval.Parse(found[n].toJSON()); err == nil {
			out = append(out, v)
		}
	}
	return out
}

func (m *flatMessage) setAttribute(path, value string) {
	switch path {
	case "role":
		m.role = value
	case "content":
		m.content = value
	case "name":
		m.name = value
	case "tool_call_id":
		m.callID = value
	case "function_call_name":
		m.callAt(0).name = value
	case "function_call_arguments_json":
		m.callAt(0).arguments = value
	}
	if strings.HasPrefix(path, "contents.") && strings.HasSuffix(path, ".text") {
		m.texts = append(m.texts, value)
	}
	rest, ok := strings.CutPrefix(path, "tool_calls.")
	number, field, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(number)
	if !ok || err != nil {
		return
	}
	switch field = strings.TrimPrefix(strings.TrimPrefix(field, "tool_call."), "function."); field {
	case "id":
		m.callAt(n).id = value
	case "name":
		m.callAt(n).name = value
	case "arguments":
		m.callAt(n).arguments = value
	}
}

func (m *flatMessage) callAt(n int) *flatCall {
	if m.calls[n] == nil {
		m.calls[n] = &flatCall{}
	}
	return m.calls[n]
}

func (m *flatMessage) toJSON() string {
	content := m.content
	if content == "" {
		content = strings.Join(m.texts, "\n")
	}
	var calls []string
	for _, n := range sortedKeys(m.calls) {
		c := m.calls[n]
		calls = append(calls, `{"id":`+literal.Quote(c.id)+`,"function":{"name":`+literal.Quote(c.name)+`,"arguments":`+literal.Quote(c.arguments)+`}}`)
	}
	role := IfElse(m.role != "", m.role, "assistant")
	return `{"role":` + literal.Quote(role) + `,"name":` + literal.Quote(m.name) + `,"tool_call_id":` + literal.Quote(m.callID) +
		`,"content":` + literal.Quote(content) + `,"tool_calls":[` + strings.Join(calls, ",") + `]}`
}

// sortedKeys returns a map's keys in ascending order.
func sortedKeys[T any](m map[int]T) []int {
	var out []int
	for n := range m {
		out = append(out, n)
	}
	sort.Ints(out)
	return out
}
