package webarena

import (
	"encoding/json"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk/pycall"
)

// readActions returns the actions of a call. It takes them from the first of these that
// the call has:
//
//   - the call's own text
//   - the arguments, if they are a string
//   - the only member of the arguments, if its name is action, command or code
//   - the name and the arguments of the call
func readActions(a *abi.Action) ([]action, error) {
	if a.Text != "" {
		return parseActions(a.Text)
	}
	var text string
	if json.Unmarshal(a.Arguments, &text) == nil && text != "" {
		return parseActions(text)
	}
	var members map[string]any
	if json.Unmarshal(a.Arguments, &members) == nil {
		for _, name := range [...]string{"action", "command", "code"} {
			if text, ok := members[name].(string); ok && len(members) == 1 {
				return parseActions(text)
			}
		}
	}
	return toolAction(a.Name, members)
}

// toolAction returns the action of a tool call. The name of the tool may begin with a
// word for the toolset, for example browser_click.
func toolAction(name string, members map[string]any) ([]action, error) {
	name = strings.ToLower(name)
	if _, rest, ok := strings.Cut(name, "_"); ok {
		if _, known := functions[name]; !known && functions[rest].verb != noop {
			name = rest
		}
	}
	call := pycall.Link{Name: name, Called: true}
	for _, key := range append(append([]string{}, elementNames...), append(textNames, "x", "y", "dx", "dy", "delta_y", "submit", "press_enter", "press_enter_after",
		"from_bid", "to_bid", "source", "startRef", "endRef")...) {
		if v, ok := members[key]; ok {
			call.Keywords = append(call.Keywords, pycall.Keyword{Name: key, Value: pythonLiteral(v)})
		}
	}
	a, err := callAction(&pycall.Value{Kind: pycall.Chain, Links: []pycall.Link{call}})
	if err != nil {
		return nil, err
	}
	return []action{a}, nil
}

// pythonLiteral returns a JSON value as a Python literal.
func pythonLiteral(v any) pycall.Value {
	switch v := v.(type) {
	case string:
		return pycall.Value{Kind: pycall.String, Text: v}
	case bool:
		if v {
			return pycall.Value{Kind: pycall.Bool, Text: "True"}
		}
		return pycall.Value{Kind: pycall.Bool, Text: "False"}
	case []any:
		out := pycall.Value{Kind: pycall.List}
		for _, item := range v {
			out.Items = append(out.Items, pythonLiteral(item))
		}
		return out
	case float64:
		b, _ := json.Marshal(v)
		return pycall.Value{Kind: pycall.Number, Text: string(b)}
	}
	return pycall.Value{}
}
