package trajectory

import (
	"sort"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// flatMessage is a message of which each member is a separate attribute, such as
// llm.output_messages.0.message.tool_calls.1.tool_call.function.name.
type flatMessage struct {
	role, content, name, callID string
	texts                       []string
	calls                       map[int]*flatCall
}

type flatCall struct{ id, name, arguments string }

// flat collects the messages whose attributes begin with a prefix, and returns each
// message as a JSON object.
func (s *span) flat(prefix string) []jsonval.Value {
	found := map[int]*flatMessage{}
	for i, key := range s.keys {
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
		found[n].set(strings.TrimPrefix(rest, "message."), s.values[i].Text())
	}
	var out []jsonval.Value
	for _, n := range numbers(found) {
		if v, err := jsonval.Parse(found[n].json()); err == nil {
			out = append(out, v)
		}
	}
	return out
}

func (m *flatMessage) set(path, value string) {
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
		m.call(0).name = value
	case "function_call_arguments_json":
		m.call(0).arguments = value
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
		m.call(n).id = value
	case "name":
		m.call(n).name = value
	case "arguments":
		m.call(n).arguments = value
	}
}

func (m *flatMessage) call(n int) *flatCall {
	if m.calls[n] == nil {
		m.calls[n] = &flatCall{}
	}
	return m.calls[n]
}

func (m *flatMessage) json() string {
	content := m.content
	if content == "" {
		content = strings.Join(m.texts, "\n")
	}
	var calls []string
	for _, n := range numbers(m.calls) {
		c := m.calls[n]
		calls = append(calls, `{"id":`+quote(c.id)+`,"function":{"name":`+quote(c.name)+`,"arguments":`+quote(c.arguments)+`}}`)
	}
	role := either(m.role != "", m.role, "assistant")
	return `{"role":` + quote(role) + `,"name":` + quote(m.name) + `,"tool_call_id":` + quote(m.callID) +
		`,"content":` + quote(content) + `,"tool_calls":[` + strings.Join(calls, ",") + `]}`
}

// numbers returns a map's keys in ascending order.
func numbers[T any](m map[int]T) []int {
	var out []int
	for n := range m {
		out = append(out, n)
	}
	sort.Ints(out)
	return out
}
